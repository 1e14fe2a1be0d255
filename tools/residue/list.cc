#include "list.h"

#include <fmt/format.h>

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

bool HasKernel(OperatorId op, DataType type, Target target) {
  const RowEntry row = FindRow({op, type}, target);
  return row.run != nullptr && row.target == target;
}

void PrintOperator(const OperatorSchema& schema) {
  fmt::print("{}  {}, {} input{}\n", Bold(OperatorName(schema.op)), schema.name, schema.input_count,
             schema.input_count == 1 ? "" : "s");
  for (const Support& support : schema.support) {
    fmt::print("  from feature level {}: {} to {} dimensions, {}\n", LevelText(support.since),
               support.fewest_dimensions, support.most_dimensions,
               fmt::join(TypeNames(support.types[0]), " "));
  }
  fmt::print("  {:<9}", "kernels");
  for (const Target target : SupportedTargets()) fmt::print(" {:>9}", TargetName(target));
  fmt::print("\n");
  for (const DataType type : kAllDataTypes) {
    fmt::print("  {:<9}", TypeText(type));
    for (const Target target : SupportedTargets())
      fmt::print(" {:>9}", HasKernel(schema.op, type, target) ? "yes" : "-");
    fmt::print("\n");
  }
}

void WriteOperator(const OperatorSchema& schema, JsonOutput* json) {
  json->Begin(OperatorName(schema.op));
  json->Text("directml", schema.name);
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
  json->Begin("kernels");
  for (const DataType type : kAllDataTypes) {
    json->BeginArray(TypeText(type));
    for (const Target target : SupportedTargets()) {
      if (HasKernel(schema.op, type, target)) json->Text(TargetName(target));
    }
    json->EndArray();
  }
  json->End();
  json->End();
}

}  // namespace

int List(bool json) {
  if (!json) {
    for (const OperatorSchema& schema : AllOperatorSchemas()) PrintOperator(schema);
    fmt::print(
        "The C, C++, Python and ONNX Runtime interfaces take every type; DirectML those of its feature "
        "levels.\n");
    return kExitOk;
  }
  JsonOutput output;
  output.Begin();
  for (const OperatorSchema& schema : AllOperatorSchemas()) WriteOperator(schema, &output);
  output.End();
  return kExitOk;
}

}  // namespace residue::tool
