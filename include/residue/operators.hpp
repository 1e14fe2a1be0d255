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

/// out = a * scale + bias, each operation rounded to nearest; floating-point elements only. Scale and bias
/// are float for elements of any width.
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

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_OPERATORS_HPP_
