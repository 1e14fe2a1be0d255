// The operators as nodes of a residue::Graph, which has them all.
#ifndef RESIDUE_DETAIL_GRAPH_OPERATORS_HPP_
#define RESIDUE_DETAIL_GRAPH_OPERATORS_HPP_

#include <residue/detail/call.hpp>
#include <residue/detail/graph_functions.hpp>
#include <residue/detail/rules.hpp>

#include <cstdint>
#include <type_traits>

namespace residue {
inline namespace v2 {
namespace detail {

template <class T>
struct TensorElement;
template <class X>
concept IsTensor = !std::is_void_v<typename TensorElement<X>::Type>;

/// Operands are tensors of the graph; of those with two, either may be a number.
template <class Graph>
class GraphOperators : public GraphFunctions<Graph> {
 public:
  /// a / b: integers truncated, with 0 for a divisor of 0; floats rounded to nearest.
  template <class A, class B>
  auto Divide(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_DIVIDE>(nullptr, 0, a, b);
  }

  /// (a + b) / 2: of integers the exact sum is halved and truncated.
  template <class A, class B>
  auto Mean(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_MEAN>(nullptr, 0, a, b);
  }

  /// (a - b) * (a - b).
  template <class A, class B>
  auto DifferenceSquare(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_DIFFERENCE_SQUARE>(nullptr, 0, a, b);
  }

  /// The greater of a and b; NaN if one is, and -0 is less than 0.
  template <class A, class B>
  auto Max(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_MAX>(nullptr, 0, a, b);
  }

  /// The lesser of a and b; NaN if one is, and -0 is less than 0.
  template <class A, class B>
  auto Min(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_MIN>(nullptr, 0, a, b);
  }

  /// a == b, as bytes of 1 and 0.
  template <class A, class B>
  auto Equals(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_EQUALS>(nullptr, 0, a, b);
  }

  /// a > b, as bytes of 1 and 0.
  template <class A, class B>
  auto GreaterThan(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_GREATER_THAN>(nullptr, 0, a, b);
  }

  /// a >= b, as bytes of 1 and 0.
  template <class A, class B>
  auto GreaterThanOrEqual(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_GREATER_THAN_OR_EQUAL>(nullptr, 0, a, b);
  }

  /// a < b, as bytes of 1 and 0.
  template <class A, class B>
  auto LessThan(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_LESS_THAN>(nullptr, 0, a, b);
  }

  /// a <= b, as bytes of 1 and 0.
  template <class A, class B>
  auto LessThanOrEqual(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_LESS_THAN_OR_EQUAL>(nullptr, 0, a, b);
  }

  /// 1 where a and b are not 0, else 0.
  template <class A, class B>
  auto LogicalAnd(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_LOGICAL_AND>(nullptr, 0, a, b);
  }

  /// 1 where a or b is not 0, else 0.
  template <class A, class B>
  auto LogicalOr(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_LOGICAL_OR>(nullptr, 0, a, b);
  }

  /// 1 where one of a and b is not 0, else 0.
  template <class A, class B>
  auto LogicalXor(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_LOGICAL_XOR>(nullptr, 0, a, b);
  }

  /// The bits that a and b have.
  template <class A, class B>
  auto BitAnd(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_BIT_AND>(nullptr, 0, a, b);
  }

  /// The bits that a or b has.
  template <class A, class B>
  auto BitOr(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_BIT_OR>(nullptr, 0, a, b);
  }

  /// The bits that one of a and b has.
  template <class A, class B>
  auto BitXor(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_BIT_XOR>(nullptr, 0, a, b);
  }

  /// a << b; 0 where all bits are shifted out.
  template <class A, class B>
  auto BitShiftLeft(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_BIT_SHIFT_LEFT>(nullptr, 0, a, b);
  }

  /// a >> b; 0 where all bits are shifted out.
  template <class A, class B>
  auto BitShiftRight(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_BIT_SHIFT_RIGHT>(nullptr, 0, a, b);
  }

  /// a to the power of b: integers modulo 2^n, float and float16 rounded once.
  template <class A, class B>
  auto Pow(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_POW>(nullptr, 0, a, b);
  }

  /// a where it is at least 0, else b * a.
  template <class A, class B>
  auto ParameterizedRelu(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_PARAMETERIZED_RELU>(nullptr, 0, a, b);
  }

  /// B where a is above 0, else 0.
  template <class A, class B>
  auto ReluGrad(const A& a, const B& b) {
    return Self().template AddNode<RESIDUE_RELU_GRAD>(nullptr, 0, a, b);
  }

  /// 1 / a.
  template <class A>
  auto Recip(const A& a) {
    return Self().template AddNode<RESIDUE_RECIP>(nullptr, 0, a);
  }

  /// The square root of a.
  template <class A>
  auto Sqrt(const A& a) {
    return Self().template AddNode<RESIDUE_SQRT>(nullptr, 0, a);
  }

  /// |a|; of floats only the sign bit changes.
  template <class A>
  auto Abs(const A& a) {
    return Self().template AddNode<RESIDUE_ABS>(nullptr, 0, a);
  }

  /// -a; of floats only the sign bit changes.
  template <class A>
  auto Negate(const A& a) {
    return Self().template AddNode<RESIDUE_NEGATE>(nullptr, 0, a);
  }

  /// -1, 0 or 1; 0 for NaN.
  template <class A>
  auto Sign(const A& a) {
    return Self().template AddNode<RESIDUE_SIGN>(nullptr, 0, a);
  }

  /// The smallest integer that is at least a.
  template <class A>
  auto Ceil(const A& a) {
    return Self().template AddNode<RESIDUE_CEIL>(nullptr, 0, a);
  }

  /// The largest integer that is at most a.
  template <class A>
  auto Floor(const A& a) {
    return Self().template AddNode<RESIDUE_FLOOR>(nullptr, 0, a);
  }

  /// Whether a is NaN, as bytes of 1 and 0.
  template <class A>
  auto IsNan(const A& a) {
    return Self().template AddNode<RESIDUE_IS_NAN>(nullptr, 0, a);
  }

  /// 1 where a is 0, else 0.
  template <class A>
  auto LogicalNot(const A& a) {
    return Self().template AddNode<RESIDUE_LOGICAL_NOT>(nullptr, 0, a);
  }

  /// The bits that a has not.
  template <class A>
  auto BitNot(const A& a) {
    return Self().template AddNode<RESIDUE_BIT_NOT>(nullptr, 0, a);
  }

  /// How many bits of a are set, as bytes.
  template <class A>
  auto BitCount(const A& a) {
    return Self().template AddNode<RESIDUE_BIT_COUNT>(nullptr, 0, a);
  }

  /// a rounded to an integral value.
  template <class A>
  auto Round(const A& a, Rounding rounding) {
    const residue_round params = {static_cast<uint32_t>(rounding)};
    return Self().template AddNode<RESIDUE_ROUND>(&params, sizeof(params), a);
  }

  /// Whether a is infinite, with that sign, as bytes of 1 and 0.
  template <class A>
  auto IsInfinity(const A& a, Infinity infinity) {
    const residue_infinity params = {static_cast<uint32_t>(infinity)};
    return Self().template AddNode<RESIDUE_IS_INFINITY>(&params, sizeof(params), a);
  }

  /// max(min, min(a, max)); a bound that is NaN is none.
  template <class A, class T>
  auto Clip(const A& a, T min, T max) {
    const residue_bounds params = MakeBounds<typename TensorElement<A>::Type>(min, max);
    return Self().template AddNode<RESIDUE_CLIP>(&params, sizeof(params), a);
  }

  /// a where it is at least 0, else alpha * a.
  template <class A>
  auto LeakyRelu(const A& a, float alpha) {
    const residue_alpha params = {alpha};
    return Self().template AddNode<RESIDUE_LEAKY_RELU>(&params, sizeof(params), a);
  }

  /// a where it is above alpha, else 0.
  template <class A>
  auto ThresholdedRelu(const A& a, float alpha) {
    const residue_alpha params = {alpha};
    return Self().template AddNode<RESIDUE_THRESHOLDED_RELU>(&params, sizeof(params), a);
  }

  /// a * max(0, min(alpha * a + beta, 1)).
  template <class A>
  auto HardSwish(const A& a, float alpha, float beta) {
    const residue_alpha_beta params = {alpha, beta};
    return Self().template AddNode<RESIDUE_HARD_SWISH>(&params, sizeof(params), a);
  }

  /// a - bias where a > threshold, a + bias where a < -threshold, else 0.
  template <class A>
  auto Shrink(const A& a, float bias, float threshold) {
    const residue_shrink params = {bias, threshold};
    return Self().template AddNode<RESIDUE_SHRINK>(&params, sizeof(params), a);
  }

  /// 0 where a <= min or a >= max, else b.
  template <class A, class B, class T>
  auto ClipGrad(const A& a, const B& b, T min, T max) {
    using Element = typename TensorElement<std::conditional_t<IsTensor<A>, A, B>>::Type;
    const residue_bounds params = MakeBounds<Element>(min, max);
    return Self().template AddNode<RESIDUE_CLIP_GRAD>(&params, sizeof(params), a, b);
  }

  /// b where the condition, of uint8_t, is not 0, else c; b and c have one type, and may be numbers.
  template <class A, class B, class C>
  auto If(const A& condition, const B& b, const C& c) {
    using T = Value<std::conditional_t<IsTensor<B> || !IsTensor<C>, B, C>>;
    return Self().template AddMixedNode<RESIDUE_IF, T>(Types<uint8_t, T, T>(), condition, b, c);
  }

  /// a as elements of T: Cast<float>(a). To integers: truncated and saturated, 0 for NaN; between integers:
  /// modulo 2^n; to floats: rounded to nearest.
  template <class T, class A>
  auto Cast(const A& a) {
    return Self().template AddMixedNode<RESIDUE_CAST, T>(Types<Value<A>>(), a);
  }

  /// round(a / scale) + zero_point, ties to even, saturated; zero_point for NaN. a and scale are float, and
  /// zero_point, whose type the result has, uint8_t or int8_t.
  template <class A, class S, class Z>
  auto QuantizeLinear(const A& a, const S& scale, const Z& zero_point) {
    using T = Value<Z>;
    return Self().template AddMixedNode<RESIDUE_QUANTIZE_LINEAR, T>(Types<float, float, T>(), a, scale,
                                                                    zero_point);
  }

  /// (a - zero_point) * scale, the difference rounded once. a and zero_point are integers of at most 32 bits,
  /// scale is float.
  template <class A, class S, class Z>
  auto DequantizeLinear(const A& a, const S& scale, const Z& zero_point) {
    using T = Value<std::conditional_t<IsTensor<A> || !IsTensor<Z>, A, Z>>;
    return Self().template AddMixedNode<RESIDUE_DEQUANTIZE_LINEAR, float>(Types<T, float, T>(), a, scale,
                                                                          zero_point);
  }

 private:
  Graph& Self() { return static_cast<Graph&>(*this); }
};

}  // namespace detail
}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_DETAIL_GRAPH_OPERATORS_HPP_
