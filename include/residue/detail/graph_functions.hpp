// The functions as nodes of a residue::Graph.
#ifndef RESIDUE_DETAIL_GRAPH_FUNCTIONS_HPP_
#define RESIDUE_DETAIL_GRAPH_FUNCTIONS_HPP_

#include <residue/residue.h>

namespace residue {
inline namespace v2 {
namespace detail {

/// Operands are tensors of float or float16 elements. Each result is the exact value, rounded once to
/// nearest.
template <class Graph>
class GraphFunctions {
 public:
  /// e to the power of a.
  template <class A>
  auto Exp(const A& a) {
    return Self().template AddNode<RESIDUE_EXP>(nullptr, 0, a);
  }

  /// The natural logarithm of a.
  template <class A>
  auto Log(const A& a) {
    return Self().template AddNode<RESIDUE_LOG>(nullptr, 0, a);
  }

  /// The sine of a, in radians.
  template <class A>
  auto Sin(const A& a) {
    return Self().template AddNode<RESIDUE_SIN>(nullptr, 0, a);
  }

  /// The cosine of a, in radians.
  template <class A>
  auto Cos(const A& a) {
    return Self().template AddNode<RESIDUE_COS>(nullptr, 0, a);
  }

  /// The tangent of a, in radians.
  template <class A>
  auto Tan(const A& a) {
    return Self().template AddNode<RESIDUE_TAN>(nullptr, 0, a);
  }

  /// The angle from -pi/2 to pi/2 whose sine is a.
  template <class A>
  auto Asin(const A& a) {
    return Self().template AddNode<RESIDUE_ASIN>(nullptr, 0, a);
  }

  /// The angle from 0 to pi whose cosine is a.
  template <class A>
  auto Acos(const A& a) {
    return Self().template AddNode<RESIDUE_ACOS>(nullptr, 0, a);
  }

  /// The angle from -pi/2 to pi/2 whose tangent is a.
  template <class A>
  auto Atan(const A& a) {
    return Self().template AddNode<RESIDUE_ATAN>(nullptr, 0, a);
  }

  /// The hyperbolic sine of a.
  template <class A>
  auto Sinh(const A& a) {
    return Self().template AddNode<RESIDUE_SINH>(nullptr, 0, a);
  }

  /// The hyperbolic cosine of a.
  template <class A>
  auto Cosh(const A& a) {
    return Self().template AddNode<RESIDUE_COSH>(nullptr, 0, a);
  }

  /// The hyperbolic tangent of a.
  template <class A>
  auto Tanh(const A& a) {
    return Self().template AddNode<RESIDUE_TANH>(nullptr, 0, a);
  }

  /// The number whose hyperbolic sine is a.
  template <class A>
  auto Asinh(const A& a) {
    return Self().template AddNode<RESIDUE_ASINH>(nullptr, 0, a);
  }

  /// The number from 0 on whose hyperbolic cosine is a.
  template <class A>
  auto Acosh(const A& a) {
    return Self().template AddNode<RESIDUE_ACOSH>(nullptr, 0, a);
  }

  /// The number whose hyperbolic tangent is a.
  template <class A>
  auto Atanh(const A& a) {
    return Self().template AddNode<RESIDUE_ATANH>(nullptr, 0, a);
  }

  /// The error function of a.
  template <class A>
  auto Erf(const A& a) {
    return Self().template AddNode<RESIDUE_ERF>(nullptr, 0, a);
  }

  /// 1 / (1 + e^-a).
  template <class A>
  auto Sigmoid(const A& a) {
    return Self().template AddNode<RESIDUE_SIGMOID>(nullptr, 0, a);
  }

  /// log(1 + e^(steepness * a)) / steepness.
  template <class A>
  auto Softplus(const A& a, float steepness) {
    const residue_steepness params = {steepness};
    return Self().template AddNode<RESIDUE_SOFTPLUS>(&params, sizeof(params), a);
  }

  /// alpha * log(1 + e^(beta * a)).
  template <class A>
  auto ParametricSoftplus(const A& a, float alpha, float beta) {
    const residue_alpha_beta params = {alpha, beta};
    return Self().template AddNode<RESIDUE_PARAMETRIC_SOFTPLUS>(&params, sizeof(params), a);
  }

  /// a / (1 + |a|).
  template <class A>
  auto Softsign(const A& a) {
    return Self().template AddNode<RESIDUE_SOFTSIGN>(nullptr, 0, a);
  }

  /// a where it is at least 0, else alpha * (e^a - 1).
  template <class A>
  auto Elu(const A& a, float alpha) {
    const residue_alpha params = {alpha};
    return Self().template AddNode<RESIDUE_ELU>(&params, sizeof(params), a);
  }

  /// max(0, a) + min(0, alpha * (e^(a / alpha) - 1)).
  template <class A>
  auto Celu(const A& a, float alpha) {
    const residue_alpha params = {alpha};
    return Self().template AddNode<RESIDUE_CELU>(&params, sizeof(params), a);
  }

  /// gamma * a where a is above 0, else gamma * alpha * (e^a - 1).
  template <class A>
  auto ScaledElu(const A& a, float alpha, float gamma) {
    const residue_alpha_gamma params = {alpha, gamma};
    return Self().template AddNode<RESIDUE_SCALED_ELU>(&params, sizeof(params), a);
  }

  /// alpha * tanh(beta * a).
  template <class A>
  auto ScaledTanh(const A& a, float alpha, float beta) {
    const residue_alpha_beta params = {alpha, beta};
    return Self().template AddNode<RESIDUE_SCALED_TANH>(&params, sizeof(params), a);
  }

  /// a * (1 + erf(a / sqrt(2))) / 2.
  template <class A>
  auto Gelu(const A& a) {
    return Self().template AddNode<RESIDUE_GELU>(nullptr, 0, a);
  }

  /// a / (1 + e^-(alpha * a)).
  template <class A>
  auto Swish(const A& a, float alpha) {
    const residue_alpha params = {alpha};
    return Self().template AddNode<RESIDUE_SWISH>(&params, sizeof(params), a);
  }

  /// The angle of the point (b, a), from -pi to pi.
  template <class A, class B>
  auto AtanYx(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_ATAN_YX>(nullptr, 0, a, b);
  }

 private:
  Graph& Self() { return static_cast<Graph&>(*this); }
};

}  // namespace detail
}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_DETAIL_GRAPH_FUNCTIONS_HPP_
