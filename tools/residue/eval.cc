#include "eval.h"

#include <fmt/ranges.h>
#include <rapidjson/prettywriter.h>

#include <algorithm>
#include <bit>
#include <cstdio>

#include "choices.h"
#include "console.h"
#include "exact_quotient.h"
#include "exact_value.h"
#include "failure.h"
#include "number.h"
#include "operand_text.h"
#include "output.h"
#include "parameters.h"
#include "peer_results.h"
#include "problem.h"
#include "residue/residue.h"

namespace residue::tool {
namespace {

bool IsModulus(OperatorId op) { return std::ranges::find(kModuli, op) != std::end(kModuli); }

// How JSON calls the inputs, of which there are one or two.
std::string InputName(size_t index) { return index == 0 ? "a" : "b"; }

template <class T, class R>
R Compute(OperatorId op, const Params& params, const std::vector<T>& inputs) {
  residue_operand operands[3] = {};
  const void* addresses[2] = {};
  for (size_t k = 0; k < inputs.size(); ++k) {
    operands[k].type = static_cast<residue_type>(kDataTypeOf<T>);
    addresses[k] = &inputs[k];
  }
  operands[inputs.size()].type = static_cast<residue_type>(kDataTypeOf<R>);
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = static_cast<residue_operator>(op);
  problem.operand_count = static_cast<uint32_t>(inputs.size() + 1);
  problem.operands = operands;
  problem.params_size = static_cast<uint32_t>(ParamsBytes(op));
  problem.params = problem.params_size == 0 ? nullptr : params.bytes;
  R result{};
  RunOrFail(problem, addresses, &result);
  return result;
}

// "-7 mod 3 = 2", "max(1, 2) = 2"
std::string Equation(OperatorId op, const std::vector<std::string>& inputs, const std::string& result) {
  if (IsModulus(op)) return fmt::format("{} mod {} = {}", inputs[0], inputs[1], result);
  return fmt::format("{}({}) = {}", OperatorName(op), fmt::join(inputs, ", "), result);
}

// What a function is before it is rounded, and what the C library rounds it to.
template <class T, class Row>
void PrintExact(OperatorId op, const Params& params, const std::vector<T>& inputs, const Row& row) {
  std::vector<float> numbers;
  for (const T input : inputs) {
    if constexpr (std::is_same_v<T, Float16>) {
      numbers.push_back(HalfToFloat(input));
    } else {
      numbers.push_back(static_cast<float>(input));
    }
  }
  if (const auto exact = ExactValueText(op, numbers, params)) row("exact value", *exact);
  if (std::is_same_v<T, float>) {
    if (const auto other = AskCLibrary(op, numbers)) row("C library", ValueText(*other));
  }
}

template <class T, class R>
void Print(OperatorId op, const Params& params, const std::vector<T>& inputs, R result) {
  std::vector<std::string> values;
  std::vector<std::string> bits;
  for (const T input : inputs) {
    values.push_back(ValueText(input));
    bits.push_back(BitsText(input));
  }
  fmt::print("{}\n", Bold(Equation(op, values, ValueText(result))));
  const auto row = [](std::string_view name, std::string_view text) {
    fmt::print("  {:<30} {}\n", name, text);
  };
  const std::string gives = IsUniform(op) ? "" : " gives " + TypeText(kDataTypeOf<R>);
  row("operator", fmt::format("{}, {}{}", OperatorName(op), TypeText(kDataTypeOf<T>), gives));
  row("bits", Equation(op, bits, BitsText(result)));
  if (IsFunction(op, kDataTypeOf<T>)) PrintExact(op, params, inputs, row);
  if (!IsModulus(op)) return;
  row(op == OperatorId::kModulusFloor ? "quotient, rounded down" : "quotient, rounded to zero",
      QuotientText(op, inputs[0], inputs[1]));
  for (const Opinion& opinion : AskOthers(op, inputs[0], inputs[1])) row(opinion.who, opinion.answer);
}

template <class T, class R>
void PrintJson(OperatorId op, const std::vector<T>& inputs, R result) {
  JsonOutput json;
  json.Begin();
  json.Text("operator", OperatorName(op));
  json.Text("type", TypeText(kDataTypeOf<T>));
  for (size_t k = 0; k < inputs.size(); ++k) json.Text(InputName(k), ValueText(inputs[k]));
  json.Text("result", ValueText(result));
  for (size_t k = 0; k < inputs.size(); ++k) json.Text(InputName(k) + "_bits", BitsText(inputs[k]));
  json.Text("result_bits", BitsText(result));
  if (IsModulus(op)) {
    json.Text("quotient", QuotientText(op, inputs[0], inputs[1]));
    json.Begin("others");
    for (const Opinion& opinion : AskOthers(op, inputs[0], inputs[1])) json.Text(opinion.who, opinion.answer);
    json.End();
  }
  json.End();
}

// What the numbers look like, if the operator takes that; otherwise float64, or the first type that it takes.
DataType ChooseType(OperatorId op, const EvalOptions& options) {
  const TypeSet taken = InputTypes(op);
  if (!options.type.empty()) {
    const DataType type = ReadTypeName(options.type);
    if (!Contains(taken, type)) {
      Fail("the type is {}, but {} takes {}", TypeText(type), OperatorName(op),
           fmt::join(TypeNames(taken), ", "));
    }
    return type;
  }
  const std::vector<std::string_view> texts(options.numbers.begin(), options.numbers.end());
  return GuessType(texts, taken);
}

}  // namespace

int Eval(const EvalOptions& options) {
  const OperatorId op = ReadOperator(options.op, options.numbers.size());
  if (options.bits && options.type.empty())
    Fail("--bits needs --type: the same bits are other numbers in other types");
  if (options.numbers.size() != InputCount(op)) {
    Fail("{} takes {} number{}, but {} {} given", OperatorName(op), InputCount(op),
         InputCount(op) == 1 ? "" : "s", options.numbers.size(),
         options.numbers.size() == 1 ? "was" : "were");
  }
  const DataType type = ChooseType(op, options);
  const Params params = ReadParameters(op, type, options.parameters);
  VisitType(type, [&]<class T>(T) {
    const auto read = options.bits ? &ReadOperandBits<T> : &ReadOperand<T>;
    std::vector<T> inputs;
    for (size_t k = 0; k < options.numbers.size(); ++k)
      inputs.push_back(read(options.numbers[k], k == 0 ? "A" : "B"));
    const auto show = [&]<class R>(R) {
      const R result = Compute<T, R>(op, params, inputs);
      options.json ? PrintJson(op, inputs, result) : Print(op, params, inputs, result);
    };
    IsUniform(op) ? show(T{}) : show(uint8_t{});
  });
  return kExitOk;
}

}  // namespace residue::tool
