#include "exact_value.h"

#include <fmt/format.h>

#include <cmath>

#include "cpu/rows/reference.h"
#include "verification/c_functions.h"

namespace residue::tool {
namespace {

Real Call(Real (*function)(float) noexcept, const std::vector<float>& x, const Params&) {
  return function(x[0]);
}
Real Call(Real (*function)(float, float) noexcept, const std::vector<float>& x, const Params&) {
  return function(x[0], x[1]);
}
template <class P>
Real Call(Real (*function)(float, const P&) noexcept, const std::vector<float>& x, const Params& params) {
  return function(x[0], ReadParams<P>(params.bytes));
}

// The value before it is rounded.
Real Evaluate(OperatorId op, const std::vector<float>& inputs, const Params& params) {
  switch (op) {
#define RESIDUE_OP(...)
#define RESIDUE_FUNCTION(Name, ...) \
  case OperatorId::k##Name:         \
    return Call(&reference::Name<float, Real>, inputs, params);
#include "core/ops.def"
    case OperatorId::kPow:
      return Call(&reference::Pow<float, Real>, inputs, params);
    default:
      return Real();
  }
}

Real PowerOfTen(int power) {
  Real result(1, 0);
  for (int i = 0; i < std::abs(power); ++i) result = result * Real(10.0);
  return power < 0 ? Real(1, 0) / result : result;
}

}  // namespace

std::optional<std::string> ExactValueText(OperatorId op, const std::vector<float>& inputs,
                                          const Params& params) {
  const Real value = Evaluate(op, inputs, params);
  if (!value.is_finite() || value.is_zero() || std::abs(value.exponent()) > 1000) return std::nullopt;
  constexpr int kDigits = 18;
  auto power = static_cast<int>(std::floor(static_cast<double>(value.exponent()) * 0.30102999566398120));
  if (!(Abs(value) < PowerOfTen(power + 1))) ++power;
  const Real scaled = Abs(value) * PowerOfTen(kDigits - 1 - power);
  const Real::Leading leading = scaled.GetLeading();  // below 2^60
  std::string digits = fmt::format("{}", leading.digits >> -leading.exponent);
  digits.resize(kDigits, '0');
  digits.insert(1, ".");
  const std::string exponent = power == 0 ? "" : fmt::format("e{}", power);
  return fmt::format("{}{}...{}", value.is_negative() ? "-" : "", digits, exponent);
}

std::optional<float> AskCLibrary(OperatorId op, const std::vector<float>& inputs) {
  if (const auto one = testing::FindCFunction<float>(op); one != nullptr) return one(inputs[0]);
  if (const auto two = testing::FindCFunctionOfTwo<float>(op); two != nullptr)
    return two(inputs[0], inputs[1]);
  return std::nullopt;
}

}  // namespace residue::tool
