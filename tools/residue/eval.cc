#include "eval.h"

#include <rapidjson/prettywriter.h>

#include <cstdio>

#include "choices.h"
#include "console.h"
#include "cpu/rows/reference.h"
#include "exact_quotient.h"
#include "failure.h"
#include "number.h"
#include "operand_text.h"
#include "output.h"
#include "peer_results.h"
#include "residue/residue.h"

namespace residue::tool {
namespace {

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
  const std::string_view texts[] = {options.a, options.b};
  const DataType type = options.type.empty() ? GuessType(texts) : ReadTypeName(options.type);
  VisitType(type, [&]<class T>(T) {
    const auto read = options.bits ? &ReadOperandBits<T> : &ReadOperand<T>;
    const T a = read(options.a, "A");
    const T b = read(options.b, "B");
    options.json ? PrintJson(op, a, b) : Print(op, a, b);
  });
  return kExitOk;
}

}  // namespace residue::tool
