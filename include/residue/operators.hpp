// The operators, on arrays, spans, numbers, strided views and whatever has the shape of std::mdspan.
//
// Each has two forms. With an output, it writes there, returns a Result and throws nothing. Without one, it
// returns the value: a number for numbers, a std::vector for arrays; what would be refused throws
// std::invalid_argument.
//
// Inputs have the output's sizes, or 1 where they are repeated, or fewer dimensions, aligned at the last. The
// output may be an input, or overlap it in any way. A number has the elements' type, or is an integer that
// the type can hold.
#ifndef RESIDUE_OPERATORS_HPP_
#define RESIDUE_OPERATORS_HPP_

#include <residue/detail/call.hpp>
#include <residue/detail/evaluate.hpp>

namespace residue {
inline namespace v2 {

/// out = a mod b with the sign of the divisor, as Python's %. An integer divisor of 0 gives 0.
template <class A, class B, class Out>
Result ModulusFloor(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_MODULUS_FLOOR, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a mod b with the sign of the divisor.
template <class A, class B>
[[nodiscard]] auto ModulusFloor(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_MODULUS_FLOOR>(nullptr, 0, a, b);
}

/// out = a mod b with the sign of the dividend, as C's % and fmod. An integer divisor of 0 gives 0.
template <class A, class B, class Out>
Result ModulusTruncate(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_MODULUS_TRUNCATE, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a mod b with the sign of the dividend.
template <class A, class B>
[[nodiscard]] auto ModulusTruncate(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_MODULUS_TRUNCATE>(nullptr, 0, a, b);
}

/// out = a, bit for bit: a copy between any two layouts.
template <class A, class Out>
Result Identity(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_IDENTITY, Out>(options, nullptr, 0, out, a);
}

/// A copy of a.
template <class A>
[[nodiscard]] auto Identity(const A& a) {
  return detail::Evaluate<RESIDUE_IDENTITY>(nullptr, 0, a);
}

/// out = a * scale + bias. Floats: each operation rounded to nearest. Integers: exact, truncated, modulo 2^n,
/// for finite numbers. Scale and bias are float for elements of any type.
template <class A, class S, class B, class Out>
Result ScaleBias(const A& a, S scale, B bias, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_scale_bias params = detail::MakeScaleBias(scale, bias);
  return detail::Run<RESIDUE_SCALE_BIAS, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a * scale + bias.
template <class A, class S, class B>
[[nodiscard]] auto ScaleBias(const A& a, S scale, B bias) {
  const residue_scale_bias params = detail::MakeScaleBias(scale, bias);
  return detail::Evaluate<RESIDUE_SCALE_BIAS>(&params, sizeof(params), a);
}

/// out = a + b: integers modulo 2^n, floats rounded to nearest.
template <class A, class B, class Out>
Result Add(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ADD, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a + b.
template <class A, class B>
[[nodiscard]] auto Add(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_ADD>(nullptr, 0, a, b);
}

/// out = a - b: integers modulo 2^n, floats rounded to nearest.
template <class A, class B, class Out>
Result Subtract(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SUBTRACT, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a - b.
template <class A, class B>
[[nodiscard]] auto Subtract(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_SUBTRACT>(nullptr, 0, a, b);
}

/// out = a * b: integers modulo 2^n, floats rounded to nearest.
template <class A, class B, class Out>
Result Multiply(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_MULTIPLY, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a * b.
template <class A, class B>
[[nodiscard]] auto Multiply(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_MULTIPLY>(nullptr, 0, a, b);
}

/// out = a / b: integers truncated, with 0 for a divisor of 0; floats rounded to nearest.
template <class A, class B, class Out>
Result Divide(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_DIVIDE, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a / b.
template <class A, class B>
[[nodiscard]] auto Divide(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_DIVIDE>(nullptr, 0, a, b);
}

/// out = (a + b) / 2: of integers the exact sum is halved and truncated.
template <class A, class B, class Out>
Result Mean(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_MEAN, Out>(options, nullptr, 0, out, a, b);
}

/// The value of (a + b) / 2.
template <class A, class B>
[[nodiscard]] auto Mean(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_MEAN>(nullptr, 0, a, b);
}

/// out = (a - b) * (a - b).
template <class A, class B, class Out>
Result DifferenceSquare(const A& a, const B& b, Out&& out,
                        const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_DIFFERENCE_SQUARE, Out>(options, nullptr, 0, out, a, b);
}

/// The value of (a - b) * (a - b).
template <class A, class B>
[[nodiscard]] auto DifferenceSquare(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_DIFFERENCE_SQUARE>(nullptr, 0, a, b);
}

/// out = the greater of a and b; NaN if one is, and -0 is less than 0.
template <class A, class B, class Out>
Result Max(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_MAX, Out>(options, nullptr, 0, out, a, b);
}

/// The value of the greater of a and b.
template <class A, class B>
[[nodiscard]] auto Max(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_MAX>(nullptr, 0, a, b);
}

/// out = the lesser of a and b; NaN if one is, and -0 is less than 0.
template <class A, class B, class Out>
Result Min(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_MIN, Out>(options, nullptr, 0, out, a, b);
}

/// The value of the lesser of a and b.
template <class A, class B>
[[nodiscard]] auto Min(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_MIN>(nullptr, 0, a, b);
}

/// out = a == b, as bytes of 1 and 0.
template <class A, class B, class Out>
Result Equals(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_EQUALS, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a == b, as bytes of 1 and 0.
template <class A, class B>
[[nodiscard]] auto Equals(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_EQUALS>(nullptr, 0, a, b);
}

/// out = a > b, as bytes of 1 and 0.
template <class A, class B, class Out>
Result GreaterThan(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_GREATER_THAN, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a > b, as bytes of 1 and 0.
template <class A, class B>
[[nodiscard]] auto GreaterThan(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_GREATER_THAN>(nullptr, 0, a, b);
}

/// out = a >= b, as bytes of 1 and 0.
template <class A, class B, class Out>
Result GreaterThanOrEqual(const A& a, const B& b, Out&& out,
                          const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_GREATER_THAN_OR_EQUAL, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a >= b, as bytes of 1 and 0.
template <class A, class B>
[[nodiscard]] auto GreaterThanOrEqual(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_GREATER_THAN_OR_EQUAL>(nullptr, 0, a, b);
}

/// out = a < b, as bytes of 1 and 0.
template <class A, class B, class Out>
Result LessThan(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LESS_THAN, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a < b, as bytes of 1 and 0.
template <class A, class B>
[[nodiscard]] auto LessThan(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_LESS_THAN>(nullptr, 0, a, b);
}

/// out = a <= b, as bytes of 1 and 0.
template <class A, class B, class Out>
Result LessThanOrEqual(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LESS_THAN_OR_EQUAL, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a <= b, as bytes of 1 and 0.
template <class A, class B>
[[nodiscard]] auto LessThanOrEqual(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_LESS_THAN_OR_EQUAL>(nullptr, 0, a, b);
}

/// out = 1 where a and b are not 0, else 0.
template <class A, class B, class Out>
Result LogicalAnd(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LOGICAL_AND, Out>(options, nullptr, 0, out, a, b);
}

/// The value of 1 where a and b are not 0, else 0.
template <class A, class B>
[[nodiscard]] auto LogicalAnd(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_LOGICAL_AND>(nullptr, 0, a, b);
}

/// out = 1 where a or b is not 0, else 0.
template <class A, class B, class Out>
Result LogicalOr(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LOGICAL_OR, Out>(options, nullptr, 0, out, a, b);
}

/// The value of 1 where a or b is not 0, else 0.
template <class A, class B>
[[nodiscard]] auto LogicalOr(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_LOGICAL_OR>(nullptr, 0, a, b);
}

/// out = 1 where one of a and b is not 0, else 0.
template <class A, class B, class Out>
Result LogicalXor(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LOGICAL_XOR, Out>(options, nullptr, 0, out, a, b);
}

/// The value of 1 where one of a and b is not 0, else 0.
template <class A, class B>
[[nodiscard]] auto LogicalXor(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_LOGICAL_XOR>(nullptr, 0, a, b);
}

/// out = the bits that a and b have.
template <class A, class B, class Out>
Result BitAnd(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_AND, Out>(options, nullptr, 0, out, a, b);
}

/// The value of the bits that a and b have.
template <class A, class B>
[[nodiscard]] auto BitAnd(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_BIT_AND>(nullptr, 0, a, b);
}

/// out = the bits that a or b has.
template <class A, class B, class Out>
Result BitOr(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_OR, Out>(options, nullptr, 0, out, a, b);
}

/// The value of the bits that a or b has.
template <class A, class B>
[[nodiscard]] auto BitOr(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_BIT_OR>(nullptr, 0, a, b);
}

/// out = the bits that one of a and b has.
template <class A, class B, class Out>
Result BitXor(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_XOR, Out>(options, nullptr, 0, out, a, b);
}

/// The value of the bits that one of a and b has.
template <class A, class B>
[[nodiscard]] auto BitXor(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_BIT_XOR>(nullptr, 0, a, b);
}

/// out = a << b; 0 where all bits are shifted out.
template <class A, class B, class Out>
Result BitShiftLeft(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_SHIFT_LEFT, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a << b.
template <class A, class B>
[[nodiscard]] auto BitShiftLeft(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_BIT_SHIFT_LEFT>(nullptr, 0, a, b);
}

/// out = a >> b; 0 where all bits are shifted out.
template <class A, class B, class Out>
Result BitShiftRight(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_SHIFT_RIGHT, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a >> b.
template <class A, class B>
[[nodiscard]] auto BitShiftRight(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_BIT_SHIFT_RIGHT>(nullptr, 0, a, b);
}

/// out = a to the power of b. Integers: modulo 2^n; negative powers are truncated, 0 except of 1 and -1.
/// float and float16: the exact value, rounded once to nearest.
template <class A, class B, class Out>
Result Pow(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_POW, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a to the power of b.
template <class A, class B>
[[nodiscard]] auto Pow(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_POW>(nullptr, 0, a, b);
}

/// out = a where it is at least 0, else b * a.
template <class A, class B, class Out>
Result ParameterizedRelu(const A& a, const B& b, Out&& out,
                         const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_PARAMETERIZED_RELU, Out>(options, nullptr, 0, out, a, b);
}

/// The value of a where it is at least 0, else b * a.
template <class A, class B>
[[nodiscard]] auto ParameterizedRelu(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_PARAMETERIZED_RELU>(nullptr, 0, a, b);
}

/// out = b where a is above 0, else 0.
template <class A, class B, class Out>
Result ReluGrad(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_RELU_GRAD, Out>(options, nullptr, 0, out, a, b);
}

/// The value of b where a is above 0, else 0.
template <class A, class B>
[[nodiscard]] auto ReluGrad(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_RELU_GRAD>(nullptr, 0, a, b);
}

/// out = 1 / a.
template <class A, class Out>
Result Recip(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_RECIP, Out>(options, nullptr, 0, out, a);
}

/// The value of 1 / a.
template <class A>
[[nodiscard]] auto Recip(const A& a) {
  return detail::Evaluate<RESIDUE_RECIP>(nullptr, 0, a);
}

/// out = the square root of a.
template <class A, class Out>
Result Sqrt(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SQRT, Out>(options, nullptr, 0, out, a);
}

/// The value of the square root of a.
template <class A>
[[nodiscard]] auto Sqrt(const A& a) {
  return detail::Evaluate<RESIDUE_SQRT>(nullptr, 0, a);
}

/// out = |a|; of floats only the sign bit changes.
template <class A, class Out>
Result Abs(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ABS, Out>(options, nullptr, 0, out, a);
}

/// The value of |a|.
template <class A>
[[nodiscard]] auto Abs(const A& a) {
  return detail::Evaluate<RESIDUE_ABS>(nullptr, 0, a);
}

/// out = -a; of floats only the sign bit changes.
template <class A, class Out>
Result Negate(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_NEGATE, Out>(options, nullptr, 0, out, a);
}

/// The value of -a.
template <class A>
[[nodiscard]] auto Negate(const A& a) {
  return detail::Evaluate<RESIDUE_NEGATE>(nullptr, 0, a);
}

/// out = -1, 0 or 1; 0 for NaN.
template <class A, class Out>
Result Sign(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SIGN, Out>(options, nullptr, 0, out, a);
}

/// The value of -1, 0 or 1.
template <class A>
[[nodiscard]] auto Sign(const A& a) {
  return detail::Evaluate<RESIDUE_SIGN>(nullptr, 0, a);
}

/// out = the smallest integer that is at least a.
template <class A, class Out>
Result Ceil(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_CEIL, Out>(options, nullptr, 0, out, a);
}

/// The value of the smallest integer that is at least a.
template <class A>
[[nodiscard]] auto Ceil(const A& a) {
  return detail::Evaluate<RESIDUE_CEIL>(nullptr, 0, a);
}

/// out = the largest integer that is at most a.
template <class A, class Out>
Result Floor(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_FLOOR, Out>(options, nullptr, 0, out, a);
}

/// The value of the largest integer that is at most a.
template <class A>
[[nodiscard]] auto Floor(const A& a) {
  return detail::Evaluate<RESIDUE_FLOOR>(nullptr, 0, a);
}

/// out = whether a is NaN, as bytes of 1 and 0.
template <class A, class Out>
Result IsNan(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_IS_NAN, Out>(options, nullptr, 0, out, a);
}

/// Whether a is NaN, as bytes of 1 and 0.
template <class A>
[[nodiscard]] auto IsNan(const A& a) {
  return detail::Evaluate<RESIDUE_IS_NAN>(nullptr, 0, a);
}

/// out = 1 where a is 0, else 0.
template <class A, class Out>
Result LogicalNot(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LOGICAL_NOT, Out>(options, nullptr, 0, out, a);
}

/// The value of 1 where a is 0, else 0.
template <class A>
[[nodiscard]] auto LogicalNot(const A& a) {
  return detail::Evaluate<RESIDUE_LOGICAL_NOT>(nullptr, 0, a);
}

/// out = the bits that a has not.
template <class A, class Out>
Result BitNot(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_NOT, Out>(options, nullptr, 0, out, a);
}

/// The value of the bits that a has not.
template <class A>
[[nodiscard]] auto BitNot(const A& a) {
  return detail::Evaluate<RESIDUE_BIT_NOT>(nullptr, 0, a);
}

/// out = how many bits of a are set, as bytes.
template <class A, class Out>
Result BitCount(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_BIT_COUNT, Out>(options, nullptr, 0, out, a);
}

/// The value of how many bits of a are set, as bytes.
template <class A>
[[nodiscard]] auto BitCount(const A& a) {
  return detail::Evaluate<RESIDUE_BIT_COUNT>(nullptr, 0, a);
}

/// out = a rounded to an integral value.
template <class A, class Out>
Result Round(const A& a, Rounding rounding, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_round params = {static_cast<uint32_t>(rounding)};
  return detail::Run<RESIDUE_ROUND, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a rounded to an integral value.
template <class A>
[[nodiscard]] auto Round(const A& a, Rounding rounding) {
  const residue_round params = {static_cast<uint32_t>(rounding)};
  return detail::Evaluate<RESIDUE_ROUND>(&params, sizeof(params), a);
}

/// out = whether a is infinite, with that sign, as bytes of 1 and 0.
template <class A, class Out>
Result IsInfinity(const A& a, Infinity infinity, Out&& out,
                  const Options& options = kDefaultOptions) noexcept {
  const residue_infinity params = {static_cast<uint32_t>(infinity)};
  return detail::Run<RESIDUE_IS_INFINITY, Out>(options, &params, sizeof(params), out, a);
}

/// Whether a is infinite, with that sign, as bytes of 1 and 0.
template <class A>
[[nodiscard]] auto IsInfinity(const A& a, Infinity infinity) {
  const residue_infinity params = {static_cast<uint32_t>(infinity)};
  return detail::Evaluate<RESIDUE_IS_INFINITY>(&params, sizeof(params), a);
}

/// out = max(min, min(a, max)); a bound that is NaN is none.
template <class A, class T, class Out>
Result Clip(const A& a, T min, T max, Out&& out, const Options& options = kDefaultOptions) noexcept {
  using Element = detail::InputType<detail::RuleOf<RESIDUE_CLIP>, Out, A>;
  const residue_bounds params = detail::MakeBounds<Element>(min, max);
  return detail::Run<RESIDUE_CLIP, Out>(options, &params, sizeof(params), out, a);
}

/// The value of max(min, min(a, max)).
template <class A, class T>
[[nodiscard]] auto Clip(const A& a, T min, T max) {
  const residue_bounds params = detail::MakeBounds<typename detail::InputValue<A>::Type>(min, max);
  return detail::Evaluate<RESIDUE_CLIP>(&params, sizeof(params), a);
}

/// out = a where it is at least 0, else alpha * a.
template <class A, class Out>
Result LeakyRelu(const A& a, float alpha, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_alpha params = {alpha};
  return detail::Run<RESIDUE_LEAKY_RELU, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a where it is at least 0, else alpha * a.
template <class A>
[[nodiscard]] auto LeakyRelu(const A& a, float alpha) {
  const residue_alpha params = {alpha};
  return detail::Evaluate<RESIDUE_LEAKY_RELU>(&params, sizeof(params), a);
}

/// out = a where it is above alpha, else 0.
template <class A, class Out>
Result ThresholdedRelu(const A& a, float alpha, Out&& out,
                       const Options& options = kDefaultOptions) noexcept {
  const residue_alpha params = {alpha};
  return detail::Run<RESIDUE_THRESHOLDED_RELU, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a where it is above alpha, else 0.
template <class A>
[[nodiscard]] auto ThresholdedRelu(const A& a, float alpha) {
  const residue_alpha params = {alpha};
  return detail::Evaluate<RESIDUE_THRESHOLDED_RELU>(&params, sizeof(params), a);
}

/// out = a * max(0, min(alpha * a + beta, 1)).
template <class A, class Out>
Result HardSwish(const A& a, float alpha, float beta, Out&& out,
                 const Options& options = kDefaultOptions) noexcept {
  const residue_alpha_beta params = {alpha, beta};
  return detail::Run<RESIDUE_HARD_SWISH, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a * max(0, min(alpha * a + beta, 1)).
template <class A>
[[nodiscard]] auto HardSwish(const A& a, float alpha, float beta) {
  const residue_alpha_beta params = {alpha, beta};
  return detail::Evaluate<RESIDUE_HARD_SWISH>(&params, sizeof(params), a);
}

/// out = a - bias where a > threshold, a + bias where a < -threshold, else 0.
template <class A, class Out>
Result Shrink(const A& a, float bias, float threshold, Out&& out,
              const Options& options = kDefaultOptions) noexcept {
  const residue_shrink params = {bias, threshold};
  return detail::Run<RESIDUE_SHRINK, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a - bias where a > threshold, a + bias where a < -threshold, else 0.
template <class A>
[[nodiscard]] auto Shrink(const A& a, float bias, float threshold) {
  const residue_shrink params = {bias, threshold};
  return detail::Evaluate<RESIDUE_SHRINK>(&params, sizeof(params), a);
}

/// out = 0 where a <= min or a >= max, else b.
template <class A, class B, class T, class Out>
Result ClipGrad(const A& a, const B& b, T min, T max, Out&& out,
                const Options& options = kDefaultOptions) noexcept {
  using Element = detail::InputType<detail::RuleOf<RESIDUE_CLIP_GRAD>, Out, A, B>;
  const residue_bounds params = detail::MakeBounds<Element>(min, max);
  return detail::Run<RESIDUE_CLIP_GRAD, Out>(options, &params, sizeof(params), out, a, b);
}

/// The value of 0 where a <= min or a >= max, else b.
template <class A, class B, class T>
[[nodiscard]] auto ClipGrad(const A& a, const B& b, T min, T max) {
  const residue_bounds params = detail::MakeBounds<typename detail::InputValue<A, B>::Type>(min, max);
  return detail::Evaluate<RESIDUE_CLIP_GRAD>(&params, sizeof(params), a, b);
}

/// out = b where the condition, of uint8_t, is not 0, else c. b and c have the type of the output.
template <class A, class B, class C, class Out>
Result If(const A& condition, const B& b, const C& c, Out&& out,
          const Options& options = kDefaultOptions) noexcept {
  using T = detail::Value<Out>;
  return detail::RunMixed<RESIDUE_IF, T, Out>(detail::Types<uint8_t, T, T>(), options, out, condition, b, c);
}

/// The value of b where the condition is not 0, else of c.
template <class A, class B, class C>
[[nodiscard]] auto If(const A& condition, const B& b, const C& c) {
  using T = typename detail::InputValue<B, C>::Type;
  return detail::EvaluateMixed<RESIDUE_IF, T>(detail::Types<uint8_t, T, T>(), condition, b, c);
}

/// out = a in the type of the output. To integers: truncated and saturated, 0 for NaN; between integers:
/// modulo 2^n; to floats: rounded to nearest.
template <class A, class Out>
Result Cast(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::RunMixed<RESIDUE_CAST, detail::Value<Out>, Out>(detail::Types<detail::Value<A>>(), options,
                                                                 out, a);
}

/// The value of a as elements of T: Cast<float>(a).
template <class T, class A>
[[nodiscard]] auto Cast(const A& a) {
  return detail::EvaluateMixed<RESIDUE_CAST, T>(detail::Types<detail::Value<A>>(), a);
}

/// out = round(a / scale) + zero_point, ties to even, saturated; zero_point for NaN. a and scale are float,
/// zero_point and output uint8_t or int8_t.
template <class A, class S, class Z, class Out>
Result QuantizeLinear(const A& a, const S& scale, const Z& zero_point, Out&& out,
                      const Options& options = kDefaultOptions) noexcept {
  using T = detail::Value<Out>;
  return detail::RunMixed<RESIDUE_QUANTIZE_LINEAR, T, Out>(detail::Types<float, float, T>(), options, out, a,
                                                           scale, zero_point);
}

/// The value of round(a / scale) + zero_point, of the zero point's type.
template <class A, class S, class Z>
[[nodiscard]] auto QuantizeLinear(const A& a, const S& scale, const Z& zero_point) {
  using T = detail::Value<Z>;
  return detail::EvaluateMixed<RESIDUE_QUANTIZE_LINEAR, T>(detail::Types<float, float, T>(), a, scale,
                                                           zero_point);
}

/// out = (a - zero_point) * scale, the difference rounded once. a and zero_point are integers of one type and
/// at most 32 bits, scale and output float.
template <class A, class S, class Z, class Out>
Result DequantizeLinear(const A& a, const S& scale, const Z& zero_point, Out&& out,
                        const Options& options = kDefaultOptions) noexcept {
  using T = typename detail::InputValue<A, Z>::Type;
  return detail::RunMixed<RESIDUE_DEQUANTIZE_LINEAR, float, Out>(detail::Types<T, float, T>(), options, out,
                                                                 a, scale, zero_point);
}

/// The value of (a - zero_point) * scale.
template <class A, class S, class Z>
[[nodiscard]] auto DequantizeLinear(const A& a, const S& scale, const Z& zero_point) {
  using T = typename detail::InputValue<A, Z>::Type;
  return detail::EvaluateMixed<RESIDUE_DEQUANTIZE_LINEAR, float>(detail::Types<T, float, T>(), a, scale,
                                                                 zero_point);
}

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_OPERATORS_HPP_
