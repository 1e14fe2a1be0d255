// Functions: the exact value of each, rounded once to nearest, of float and float16 elements. The forms are
// those of residue/operators.hpp.
#ifndef RESIDUE_FUNCTIONS_HPP_
#define RESIDUE_FUNCTIONS_HPP_

#include <residue/detail/call.hpp>
#include <residue/detail/evaluate.hpp>

namespace residue {
inline namespace v2 {

/// out = e to the power of a.
template <class A, class Out>
Result Exp(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_EXP, Out>(options, nullptr, 0, out, a);
}

/// The value of e to the power of a.
template <class A>
[[nodiscard]] auto Exp(const A& a) {
  return detail::Evaluate<RESIDUE_EXP>(nullptr, 0, a);
}

/// out = the natural logarithm of a.
template <class A, class Out>
Result Log(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_LOG, Out>(options, nullptr, 0, out, a);
}

/// The value of the natural logarithm of a.
template <class A>
[[nodiscard]] auto Log(const A& a) {
  return detail::Evaluate<RESIDUE_LOG>(nullptr, 0, a);
}

/// out = the sine of a, in radians.
template <class A, class Out>
Result Sin(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SIN, Out>(options, nullptr, 0, out, a);
}

/// The value of the sine of a, in radians.
template <class A>
[[nodiscard]] auto Sin(const A& a) {
  return detail::Evaluate<RESIDUE_SIN>(nullptr, 0, a);
}

/// out = the cosine of a, in radians.
template <class A, class Out>
Result Cos(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_COS, Out>(options, nullptr, 0, out, a);
}

/// The value of the cosine of a, in radians.
template <class A>
[[nodiscard]] auto Cos(const A& a) {
  return detail::Evaluate<RESIDUE_COS>(nullptr, 0, a);
}

/// out = the tangent of a, in radians.
template <class A, class Out>
Result Tan(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_TAN, Out>(options, nullptr, 0, out, a);
}

/// The value of the tangent of a, in radians.
template <class A>
[[nodiscard]] auto Tan(const A& a) {
  return detail::Evaluate<RESIDUE_TAN>(nullptr, 0, a);
}

/// out = the angle from -pi/2 to pi/2 whose sine is a.
template <class A, class Out>
Result Asin(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ASIN, Out>(options, nullptr, 0, out, a);
}

/// The value of the angle from -pi/2 to pi/2 whose sine is a.
template <class A>
[[nodiscard]] auto Asin(const A& a) {
  return detail::Evaluate<RESIDUE_ASIN>(nullptr, 0, a);
}

/// out = the angle from 0 to pi whose cosine is a.
template <class A, class Out>
Result Acos(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ACOS, Out>(options, nullptr, 0, out, a);
}

/// The value of the angle from 0 to pi whose cosine is a.
template <class A>
[[nodiscard]] auto Acos(const A& a) {
  return detail::Evaluate<RESIDUE_ACOS>(nullptr, 0, a);
}

/// out = the angle from -pi/2 to pi/2 whose tangent is a.
template <class A, class Out>
Result Atan(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ATAN, Out>(options, nullptr, 0, out, a);
}

/// The value of the angle from -pi/2 to pi/2 whose tangent is a.
template <class A>
[[nodiscard]] auto Atan(const A& a) {
  return detail::Evaluate<RESIDUE_ATAN>(nullptr, 0, a);
}

/// out = the hyperbolic sine of a.
template <class A, class Out>
Result Sinh(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SINH, Out>(options, nullptr, 0, out, a);
}

/// The value of the hyperbolic sine of a.
template <class A>
[[nodiscard]] auto Sinh(const A& a) {
  return detail::Evaluate<RESIDUE_SINH>(nullptr, 0, a);
}

/// out = the hyperbolic cosine of a.
template <class A, class Out>
Result Cosh(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_COSH, Out>(options, nullptr, 0, out, a);
}

/// The value of the hyperbolic cosine of a.
template <class A>
[[nodiscard]] auto Cosh(const A& a) {
  return detail::Evaluate<RESIDUE_COSH>(nullptr, 0, a);
}

/// out = the hyperbolic tangent of a.
template <class A, class Out>
Result Tanh(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_TANH, Out>(options, nullptr, 0, out, a);
}

/// The value of the hyperbolic tangent of a.
template <class A>
[[nodiscard]] auto Tanh(const A& a) {
  return detail::Evaluate<RESIDUE_TANH>(nullptr, 0, a);
}

/// out = the number whose hyperbolic sine is a.
template <class A, class Out>
Result Asinh(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ASINH, Out>(options, nullptr, 0, out, a);
}

/// The value of the number whose hyperbolic sine is a.
template <class A>
[[nodiscard]] auto Asinh(const A& a) {
  return detail::Evaluate<RESIDUE_ASINH>(nullptr, 0, a);
}

/// out = the number from 0 on whose hyperbolic cosine is a.
template <class A, class Out>
Result Acosh(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ACOSH, Out>(options, nullptr, 0, out, a);
}

/// The value of the number from 0 on whose hyperbolic cosine is a.
template <class A>
[[nodiscard]] auto Acosh(const A& a) {
  return detail::Evaluate<RESIDUE_ACOSH>(nullptr, 0, a);
}

/// out = the number whose hyperbolic tangent is a.
template <class A, class Out>
Result Atanh(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ATANH, Out>(options, nullptr, 0, out, a);
}

/// The value of the number whose hyperbolic tangent is a.
template <class A>
[[nodiscard]] auto Atanh(const A& a) {
  return detail::Evaluate<RESIDUE_ATANH>(nullptr, 0, a);
}

/// out = the error function of a.
template <class A, class Out>
Result Erf(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ERF, Out>(options, nullptr, 0, out, a);
}

/// The value of the error function of a.
template <class A>
[[nodiscard]] auto Erf(const A& a) {
  return detail::Evaluate<RESIDUE_ERF>(nullptr, 0, a);
}

/// out = 1 / (1 + e^-a).
template <class A, class Out>
Result Sigmoid(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SIGMOID, Out>(options, nullptr, 0, out, a);
}

/// The value of 1 / (1 + e^-a).
template <class A>
[[nodiscard]] auto Sigmoid(const A& a) {
  return detail::Evaluate<RESIDUE_SIGMOID>(nullptr, 0, a);
}

/// out = log(1 + e^(steepness * a)) / steepness.
template <class A, class Out>
Result Softplus(const A& a, float steepness, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_steepness params = {steepness};
  return detail::Run<RESIDUE_SOFTPLUS, Out>(options, &params, sizeof(params), out, a);
}

/// The value of log(1 + e^(steepness * a)) / steepness.
template <class A>
[[nodiscard]] auto Softplus(const A& a, float steepness) {
  const residue_steepness params = {steepness};
  return detail::Evaluate<RESIDUE_SOFTPLUS>(&params, sizeof(params), a);
}

/// out = alpha * log(1 + e^(beta * a)).
template <class A, class Out>
Result ParametricSoftplus(const A& a, float alpha, float beta, Out&& out,
                          const Options& options = kDefaultOptions) noexcept {
  const residue_alpha_beta params = {alpha, beta};
  return detail::Run<RESIDUE_PARAMETRIC_SOFTPLUS, Out>(options, &params, sizeof(params), out, a);
}

/// The value of alpha * log(1 + e^(beta * a)).
template <class A>
[[nodiscard]] auto ParametricSoftplus(const A& a, float alpha, float beta) {
  const residue_alpha_beta params = {alpha, beta};
  return detail::Evaluate<RESIDUE_PARAMETRIC_SOFTPLUS>(&params, sizeof(params), a);
}

/// out = a / (1 + |a|).
template <class A, class Out>
Result Softsign(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_SOFTSIGN, Out>(options, nullptr, 0, out, a);
}

/// The value of a / (1 + |a|).
template <class A>
[[nodiscard]] auto Softsign(const A& a) {
  return detail::Evaluate<RESIDUE_SOFTSIGN>(nullptr, 0, a);
}

/// out = a where it is at least 0, else alpha * (e^a - 1).
template <class A, class Out>
Result Elu(const A& a, float alpha, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_alpha params = {alpha};
  return detail::Run<RESIDUE_ELU, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a where it is at least 0, else alpha * (e^a - 1).
template <class A>
[[nodiscard]] auto Elu(const A& a, float alpha) {
  const residue_alpha params = {alpha};
  return detail::Evaluate<RESIDUE_ELU>(&params, sizeof(params), a);
}

/// out = max(0, a) + min(0, alpha * (e^(a / alpha) - 1)).
template <class A, class Out>
Result Celu(const A& a, float alpha, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_alpha params = {alpha};
  return detail::Run<RESIDUE_CELU, Out>(options, &params, sizeof(params), out, a);
}

/// The value of max(0, a) + min(0, alpha * (e^(a / alpha) - 1)).
template <class A>
[[nodiscard]] auto Celu(const A& a, float alpha) {
  const residue_alpha params = {alpha};
  return detail::Evaluate<RESIDUE_CELU>(&params, sizeof(params), a);
}

/// out = gamma * a where a is above 0, else gamma * alpha * (e^a - 1).
template <class A, class Out>
Result ScaledElu(const A& a, float alpha, float gamma, Out&& out,
                 const Options& options = kDefaultOptions) noexcept {
  const residue_alpha_gamma params = {alpha, gamma};
  return detail::Run<RESIDUE_SCALED_ELU, Out>(options, &params, sizeof(params), out, a);
}

/// The value of gamma * a where a is above 0, else gamma * alpha * (e^a - 1).
template <class A>
[[nodiscard]] auto ScaledElu(const A& a, float alpha, float gamma) {
  const residue_alpha_gamma params = {alpha, gamma};
  return detail::Evaluate<RESIDUE_SCALED_ELU>(&params, sizeof(params), a);
}

/// out = alpha * tanh(beta * a).
template <class A, class Out>
Result ScaledTanh(const A& a, float alpha, float beta, Out&& out,
                  const Options& options = kDefaultOptions) noexcept {
  const residue_alpha_beta params = {alpha, beta};
  return detail::Run<RESIDUE_SCALED_TANH, Out>(options, &params, sizeof(params), out, a);
}

/// The value of alpha * tanh(beta * a).
template <class A>
[[nodiscard]] auto ScaledTanh(const A& a, float alpha, float beta) {
  const residue_alpha_beta params = {alpha, beta};
  return detail::Evaluate<RESIDUE_SCALED_TANH>(&params, sizeof(params), a);
}

/// out = a * (1 + erf(a / sqrt(2))) / 2.
template <class A, class Out>
Result Gelu(const A& a, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_GELU, Out>(options, nullptr, 0, out, a);
}

/// The value of a * (1 + erf(a / sqrt(2))) / 2.
template <class A>
[[nodiscard]] auto Gelu(const A& a) {
  return detail::Evaluate<RESIDUE_GELU>(nullptr, 0, a);
}

/// out = a / (1 + e^-(alpha * a)).
template <class A, class Out>
Result Swish(const A& a, float alpha, Out&& out, const Options& options = kDefaultOptions) noexcept {
  const residue_alpha params = {alpha};
  return detail::Run<RESIDUE_SWISH, Out>(options, &params, sizeof(params), out, a);
}

/// The value of a / (1 + e^-(alpha * a)).
template <class A>
[[nodiscard]] auto Swish(const A& a, float alpha) {
  const residue_alpha params = {alpha};
  return detail::Evaluate<RESIDUE_SWISH>(&params, sizeof(params), a);
}

/// out = the angle of the point (b, a): the one whose tangent is a / b, from -pi to pi.
template <class A, class B, class Out>
Result AtanYx(const A& a, const B& b, Out&& out, const Options& options = kDefaultOptions) noexcept {
  return detail::Run<RESIDUE_ATAN_YX, Out>(options, nullptr, 0, out, a, b);
}

/// The value of the angle of the point (b, a).
template <class A, class B>
[[nodiscard]] auto AtanYx(const A& a, const B& b) {
  return detail::Evaluate<RESIDUE_ATAN_YX>(nullptr, 0, a, b);
}

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_FUNCTIONS_HPP_
