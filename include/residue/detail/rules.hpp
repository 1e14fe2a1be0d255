// What the compiler must know of an operator: which elements it takes, and what its results are.
// src/core/ops.def has the same for the library, and a test compares the two.
#ifndef RESIDUE_DETAIL_RULES_HPP_
#define RESIDUE_DETAIL_RULES_HPP_

#include <residue/detail/messages.hpp>
#include <residue/element.hpp>

#include <concepts>

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

template <residue_operator kOp>
struct RuleOf : OnNumbers {};
template <>
struct RuleOf<RESIDUE_SCALE_BIAS> : OnFloats {};

// A double would lose digits, and an integer may.
template <class S, class B>
residue_scale_bias MakeScaleBias(S scale, B bias) noexcept {
  constexpr bool are_floats = std::same_as<S, float> && std::same_as<B, float>;
  static_assert(are_floats, RESIDUE_SAYS_FLOAT_PARAMS);
  return {static_cast<float>(scale), static_cast<float>(bias)};
}

}  // namespace detail
}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_DETAIL_RULES_HPP_
