// What the compiler must know of an operator: which elements it takes, and what its results are.
// src/core/ops.def has the same for the library, and a test compares the two.
#ifndef RESIDUE_DETAIL_RULES_HPP_
#define RESIDUE_DETAIL_RULES_HPP_

#include <residue/detail/messages.hpp>
#include <residue/element.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>

namespace residue {
inline namespace v2 {
namespace detail {

// Any elements; results have the type of the inputs.
struct OnNumbers {
  template <class T>
  static constexpr bool kTakes = true;
  template <class T>
  using Output = T;
  static constexpr bool kSameType = true;  // whatever T is
};

// The same for floating-point elements alone.
struct OnFloats : OnNumbers {
  template <class T>
  static constexpr bool kTakes = !std::integral<T>;
};

// For those that have a sign, and for integers that have none.
struct OnSigned : OnNumbers {
  template <class T>
  static constexpr bool kTakes = !std::unsigned_integral<T>;
};
struct OnUnsigned : OnNumbers {
  template <class T>
  static constexpr bool kTakes = std::unsigned_integral<T>;
};

// Functions are for float and float16; powers for integers too.
struct OnShortFloats : OnNumbers {
  template <class T>
  static constexpr bool kTakes = !std::integral<T> && sizeof(T) <= 4;
};
struct OnPowers : OnNumbers {
  template <class T>
  static constexpr bool kTakes = std::integral<T> || sizeof(T) <= 4;
};

// For what is true or false: uint8_t and uint32_t.
struct OnTruth : OnNumbers {
  template <class T>
  static constexpr bool kTakes = std::unsigned_integral<T> && (sizeof(T) == 1 || sizeof(T) == 4);
};

// For floats, and integers of at most 32 bits.
struct OnShrinkable : OnNumbers {
  template <class T>
  static constexpr bool kTakes = !std::integral<T> || sizeof(T) <= 4;
};

// The same elements; results are bytes.
template <class Rule>
struct InBytes : Rule {
  template <class T>
  using Output = uint8_t;
  static constexpr bool kSameType = false;
};

template <residue_operator kOp>
struct RuleOf : OnNumbers {};
template <residue_operator kOp>
requires(kOp >= RESIDUE_EXP && kOp <= RESIDUE_ATAN_YX) struct RuleOf<kOp> : OnShortFloats {
};
template <>
struct RuleOf<RESIDUE_RECIP> : OnFloats {};
template <>
struct RuleOf<RESIDUE_SQRT> : OnFloats {};
template <>
struct RuleOf<RESIDUE_ABS> : OnSigned {};
template <>
struct RuleOf<RESIDUE_NEGATE> : OnSigned {};
template <>
struct RuleOf<RESIDUE_CEIL> : OnFloats {};
template <>
struct RuleOf<RESIDUE_FLOOR> : OnFloats {};
template <>
struct RuleOf<RESIDUE_ROUND> : OnFloats {};
template <>
struct RuleOf<RESIDUE_EQUALS> : InBytes<OnNumbers> {};
template <>
struct RuleOf<RESIDUE_GREATER_THAN> : InBytes<OnNumbers> {};
template <>
struct RuleOf<RESIDUE_GREATER_THAN_OR_EQUAL> : InBytes<OnNumbers> {};
template <>
struct RuleOf<RESIDUE_LESS_THAN> : InBytes<OnNumbers> {};
template <>
struct RuleOf<RESIDUE_LESS_THAN_OR_EQUAL> : InBytes<OnNumbers> {};
template <>
struct RuleOf<RESIDUE_IS_NAN> : InBytes<OnFloats> {};
template <>
struct RuleOf<RESIDUE_IS_INFINITY> : InBytes<OnFloats> {};
template <>
struct RuleOf<RESIDUE_LOGICAL_AND> : OnTruth {};
template <>
struct RuleOf<RESIDUE_LOGICAL_OR> : OnTruth {};
template <>
struct RuleOf<RESIDUE_LOGICAL_XOR> : OnTruth {};
template <>
struct RuleOf<RESIDUE_LOGICAL_NOT> : OnTruth {};
template <>
struct RuleOf<RESIDUE_BIT_SHIFT_LEFT> : OnUnsigned {};
template <>
struct RuleOf<RESIDUE_BIT_SHIFT_RIGHT> : OnUnsigned {};
template <>
struct RuleOf<RESIDUE_POW> : OnPowers {};
template <>
struct RuleOf<RESIDUE_BIT_COUNT> : InBytes<OnNumbers> {};
template <>
struct RuleOf<RESIDUE_LEAKY_RELU> : OnFloats {};
template <>
struct RuleOf<RESIDUE_THRESHOLDED_RELU> : OnFloats {};
template <>
struct RuleOf<RESIDUE_PARAMETERIZED_RELU> : OnSigned {};
template <>
struct RuleOf<RESIDUE_HARD_SWISH> : OnFloats {};
template <>
struct RuleOf<RESIDUE_SHRINK> : OnShrinkable {};
template <>
struct RuleOf<RESIDUE_RELU_GRAD> : OnSigned {};

// Operators whose inputs have types of their own: do they take them, and give that result?
template <residue_operator kOp>
struct MixedRuleOf {  // any
  template <class TOut, class... T>
  static constexpr bool kTakes = true;
};
template <>
struct MixedRuleOf<RESIDUE_QUANTIZE_LINEAR> {
  template <class TOut, class... T>
  static constexpr bool kTakes = std::integral<TOut> && sizeof(TOut) == 1;
};
template <>
struct MixedRuleOf<RESIDUE_DEQUANTIZE_LINEAR> {
  template <class TOut, class T, class...>
  static constexpr bool kTakes = std::integral<T> && sizeof(T) <= 4;
};

// A double would lose digits, and an integer may.
template <class S, class B>
residue_scale_bias MakeScaleBias(S scale, B bias) noexcept {
  constexpr bool are_floats = std::same_as<S, float> && std::same_as<B, float>;
  static_assert(are_floats, RESIDUE_SAYS_FLOAT_PARAMS);
  return {static_cast<float>(scale), static_cast<float>(bias)};
}

// Bounds are elements, as their bits.
template <class Element, class T>
residue_bounds MakeBounds(T min, T max) noexcept {
  constexpr bool are_elements = std::same_as<T, Element>;
  static_assert(are_elements, RESIDUE_SAYS_BOUNDS);
  residue_bounds bounds = {};
  if constexpr (are_elements) {
    std::memcpy(&bounds.min, &min, sizeof(min));
    std::memcpy(&bounds.max, &max, sizeof(max));
  }
  return bounds;
}

}  // namespace detail

/// How numbers are rounded to integral values.
enum class Rounding : uint32_t {
  kHalvesToEven = RESIDUE_ROUND_HALVES_TO_EVEN,
  kTowardZero = RESIDUE_ROUND_TOWARD_ZERO,
  kHalvesAwayFromZero = RESIDUE_ROUND_HALVES_AWAY_FROM_ZERO
};

/// Which infinity is looked for.
enum class Infinity : uint32_t {
  kEither = RESIDUE_INFINITY_EITHER,
  kPositive = RESIDUE_INFINITY_POSITIVE,
  kNegative = RESIDUE_INFINITY_NEGATIVE
};

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_DETAIL_RULES_HPP_
