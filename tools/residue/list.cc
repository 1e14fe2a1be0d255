#include "list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "choices.h"
#include "console.h"
#include "cpu/rows/row.h"
#include "directml/operator_schema.h"
#include "failure.h"
#include "number.h"
#include "output.h"

namespace residue::tool {
namespace {

std::string LevelText(FeatureLevel level) {
  const auto number = static_cast<uint32_t>(level);
  return fmt::format("{}_{}", number >> 12, (number >> 8) % 16);
}

bool HasRow(OperatorId op, DataType type, Target target) {
  const RowEntry row = FindRow({op, type}, target);
  return row.run != nullptr && row.target == target;
}

void PrintOperator(OperatorId op) {
  const OperatorTraits& traits = TraitsOf(op);
  const auto types = fmt::format("{}", fmt::join(TypeNames(traits.types), " "));
  const auto results = traits.results == kSameType ? ""
                       : traits.results == kSameOrHalf
                           ? "; gives float16 of float32, too"
                           : fmt::format("; gives {}", fmt::join(TypeNames(traits.results), " "));
  fmt::print("{:<23} {} input{}: {}{}\n", Bold(traits.name), traits.inputs, traits.inputs == 1 ? "" : "s",
             types, results);
}

// The types of a tensor at a level, one tensor of each letter.
std::string TypesText(const OperatorSchema& schema, const Support& support) {
  std::string text;
  uint32_t letters = 0;
  for (uint32_t i = 0; i <= schema.input_count; ++i) {
    const Letter letter = schema.Tensor(i).letter;
    if ((letters >> letter & 1) != 0) continue;
    letters |= 1u << letter;
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ",
                        i == 0 ? "" : std::string(schema.Tensor(i).name) + " ",
                        fmt::join(TypeNames(support.types[letter]), " "));
  }
  return text;
}

void PrintSchema(const OperatorSchema& schema) {
  const bool direct = schema.recipe == Recipe::kDirect;
  fmt::print("{}  {}, {} input{}\n", Bold(schema.name), direct ? OperatorName(schema.op) : "made of several",
             schema.input_count, schema.input_count == 1 ? "" : "s");
  for (const Support& support : schema.support) {
    fmt::print("  from feature level {}: {} to {} dimensions, {}\n", LevelText(support.since),
               support.fewest_dimensions, support.most_dimensions, TypesText(schema, support));
  }
}

void WriteOperator(OperatorId op, JsonOutput* json) {
  json->Begin(OperatorName(op));
  json->Number("inputs", uint64_t{InputCount(op)});
  json->Begin("rows");
  for (const DataType type : kAllDataTypes) {
    if (!Contains(InputTypes(op), type)) continue;
    json->BeginArray(TypeText(type));
    for (const Target target : SupportedTargets()) {
      if (HasRow(op, type, target)) json->Text(TargetName(target));
    }
    json->EndArray();
  }
  json->End();
  json->End();
}

void WriteSchema(const OperatorSchema& schema, JsonOutput* json) {
  json->Begin(schema.name);
  if (schema.recipe == Recipe::kDirect) json->Text("operator", OperatorName(schema.op));
  json->Number("inputs", uint64_t{schema.input_count});
  json->Begin("feature_levels");
  for (const Support& support : schema.support) {
    json->Begin(LevelText(support.since));
    json->Number("fewest_dimensions", uint64_t{support.fewest_dimensions});
    json->Number("most_dimensions", uint64_t{support.most_dimensions});
    json->BeginArray("types");
    for (const std::string& type : TypeNames(support.types[0])) json->Text(type);
    json->EndArray();
    json->End();
  }
  json->End();
  json->End();
}

}  // namespace

int List(bool json) {
  if (!json) {
    for (const OperatorId op : kAllOperators) PrintOperator(op);
    std::string targets;
    for (const Target target : SupportedTargets()) targets += fmt::format(" {}", TargetName(target));
    fmt::print("All of them run on each instruction set here:{}.\n\nDirectML's operators:\n", targets);
    for (const OperatorSchema& schema : AllOperatorSchemas()) PrintSchema(schema);
    return kExitOk;
  }
  JsonOutput output;
  output.Begin();
  output.Begin("operators");
  for (const OperatorId op : kAllOperators) WriteOperator(op, &output);
  output.End();
  output.Begin("directml");
  for (const OperatorSchema& schema : AllOperatorSchemas()) WriteSchema(schema, &output);
  output.End();
  output.End();
  return kExitOk;
}

}  // namespace residue::tool
