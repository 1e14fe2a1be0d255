#include "eval.h"

#include <rapidjson/prettywriter.h>

#include <algorithm>
#include <cstdio>

#include "choices.h"
#include "console.h"
#include "cpu/rows/reference.h"
#include "exact_quotient.h"
#include "failure.h"
#include "number.h"
#include "output.h"
#include "peer_results.h"
#include "residue/residue.h"

namespace residue::tool {
namespace {

bool LooksLikeAnInteger(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("+- "), text.size()));
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  const char* digits = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

// The operands' type if the user does not say: Python's.
DataType GuessType(const EvalOptions& options) {
  const auto both = [&]<class T>(T) { return ParseNumber<T>(options.a) && ParseNumber<T>(options.b); };
  if (both(int64_t{})) return DataType::kInt64;
  if (both(uint64_t{})) return DataType::kUint64;
  // Python's integers have no end, and a float would only look like one.
  for (const std::string& operand : {options.a, options.b}) {
    if (LooksLikeAnInteger(operand) && !ParseNumber<int64_t>(operand))
      Fail("{} and {} fit no integer type together; say --type float64 if they are floats", options.a,
           options.b);
  }
  return DataType::kFloat64;
}

template <class T>
T ReadOperand(std::string text, const char* name, bool bits) {
  // See Arguments in main.cc.
  if (text.starts_with(' ')) text.erase(0, 1);
  const std::optional<T> value = bits ? ParseBits<T>(text) : ParseNumber<T>(text);
  if (!value) {
    Fail("{} is '{}', which is not {} of type {}", name, text, bits ? "the bits of a number" : "a number",
         TypeText(kDataTypeOf<T>));
  }
  return *value;
}

template <class T>
T Compute(OperatorId op, T a, T b) {
  T result{};
  const residue_status status = residue_run_packed(
      static_cast<residue_operator>(op), static_cast<residue_type>(kDataTypeOf<T>), &a, &b, &result, 1);
  if (status != RESIDUE_OK) Fail("{}", residue_status_text(status));
  return result;
}

template <class T>
void Print(OperatorId op, T a, T b) {
  const T result = Compute(op, a, b);
  fmt::print("{}\n", Bold(fmt::format("{} mod {} = {}", ValueText(a), ValueText(b), ValueText(result))));
  const auto row = [](std::string_view name, std::string_view text) {
    fmt::print("  {:<30} {}\n", name, text);
  };
  row("operator", fmt::format("{}, {}", OperatorName(op), TypeText(kDataTypeOf<T>)));
  row("bits", fmt::format("{} mod {} = {}", BitsText(a), BitsText(b), BitsText(result)));
  row(op == OperatorId::kModulusFloor ? "quotient, rounded down" : "quotient, rounded to zero",
      QuotientText(op, a, b));
  for (const Opinion& opinion : AskOthers(op, a, b)) row(opinion.who, opinion.answer);
}

template <class T>
void PrintJson(OperatorId op, T a, T b) {
  const T result = Compute(op, a, b);
  JsonOutput json;
  json.Begin();
  json.Text("operator", OperatorName(op));
  json.Text("type", TypeText(kDataTypeOf<T>));
  json.Text("a", ValueText(a));
  json.Text("b", ValueText(b));
  json.Text("result", ValueText(result));
  json.Text("a_bits", BitsText(a));
  json.Text("b_bits", BitsText(b));
  json.Text("result_bits", BitsText(result));
  json.Text("quotient", QuotientText(op, a, b));
  json.Begin("others");
  for (const Opinion& opinion : AskOthers(op, a, b)) json.Text(opinion.who, opinion.answer);
  json.End();
  json.End();
}

}  // namespace

int Eval(const EvalOptions& options) {
  const OperatorId op = ReadModulus(options.op);
  if (options.bits && options.type.empty())
    Fail("--bits needs --type: the same bits are other numbers in other types");
  const DataType type = options.type.empty() ? GuessType(options) : ReadTypeName(options.type);
  VisitType(type, [&]<class T>(T) {
    const T a = ReadOperand<T>(options.a, "A", options.bits);
    const T b = ReadOperand<T>(options.b, "B", options.bits);
    options.json ? PrintJson(op, a, b) : Print(op, a, b);
  });
  return kExitOk;
}

}  // namespace residue::tool
