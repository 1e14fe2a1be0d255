// Calls without an output: the result is the value, a number of numbers and a vector of arrays.
#ifndef RESIDUE_DETAIL_EVALUATE_HPP_
#define RESIDUE_DETAIL_EVALUATE_HPP_

#include <residue/detail/call.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace residue {
inline namespace v2 {
namespace detail {

template <class T, class... In>
using Evaluated = std::conditional_t<(Number<In> && ...), T, std::vector<T>>;

// Of an array, the elements; of a number, one.
template <class X>
uint64_t CountOf(const X& input) noexcept {
  if constexpr (Number<X>) {
    return 1;
  } else {
    return static_cast<uint64_t>(std::ranges::size(input));
  }
}

// Throws std::invalid_argument with the message of a refusal. Without exceptions, numbers that are refused
// give 0.
inline void ThrowIfRefused([[maybe_unused]] const Result& result) {
#ifdef __cpp_exceptions
  if (!result && result.status() == RESIDUE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!result) throw std::invalid_argument("residue: " + result.message());
#endif
}

// What `run` gives for inputs of which one is an array at least.
template <class TOut, class RunInto, class... In>
std::vector<TOut> EvaluateArrays(const RunInto& run, const In&... in) {
  const uint64_t counts[] = {CountOf(in)...};
  // A size of 1 is repeated, for no element too.
  uint64_t count = 1;
  for (const uint64_t size : counts) count = size == 1 ? count : size;
  std::vector<TOut> out(count);
#ifndef __cpp_exceptions
  static_assert(sizeof...(In) == 0, RESIDUE_SAYS_NO_EXCEPTIONS);
#endif
  ThrowIfRefused(run(out));
  return out;
}

// Numbers can be refused for their params alone. Params is std::nullptr_t where there are none.
template <residue_operator kOp, class Params, class... In>
auto Evaluate(Params params, uint32_t params_size,
              const In&... in) noexcept((Number<In> && ...) && std::is_null_pointer_v<Params>) {
  using T = typename InputValue<In...>::Type;
  using TOut = typename RuleOf<kOp>::template Output<T>;
  constexpr bool no_view = (!View<In> && ...);
  static_assert(no_view, RESIDUE_SAYS_LOST_SHAPE);
  constexpr bool one_type = (!Number<In> || ...) || (std::same_as<Value<In>, T> && ...);
  static_assert(one_type, RESIDUE_SAYS_NUMBERS_DIFFER);
  if constexpr (!no_view || !one_type) {
    return Evaluated<TOut, In...>();
  } else if constexpr ((Number<In> && ...)) {
    TOut out[1] = {};
    const Result result = Run<kOp, TOut(&)[1]>(kDefaultOptions, params, params_size, out, in...);
    if constexpr (!std::is_null_pointer_v<Params>) ThrowIfRefused(result);
    return out[0];
  } else {
    return EvaluateArrays<TOut>(
        [&](std::vector<TOut>& out) noexcept {
          return Run<kOp, std::vector<TOut>&>(kDefaultOptions, params, params_size, out, in...);
        },
        in...);
  }
}

// The same of an operator whose inputs have types of their own. Numbers of other types may not fit these.
template <residue_operator kOp, class TOut, class... T, class... In>
auto EvaluateMixed(Types<T...> types,
                   const In&... in) noexcept((Number<In> && ...) && (std::same_as<In, T> && ...)) {
  constexpr bool no_view = (!View<In> && ...);
  static_assert(no_view, RESIDUE_SAYS_LOST_SHAPE);
  if constexpr (!no_view) {
    return Evaluated<TOut, In...>();
  } else if constexpr ((Number<In> && ...)) {
    TOut out[1] = {};
    const Result result = RunMixed<kOp, TOut, TOut(&)[1]>(types, kDefaultOptions, out, in...);
    if constexpr (!(std::same_as<In, T> && ...)) ThrowIfRefused(result);
    return out[0];
  } else {
    return EvaluateArrays<TOut>(
        [&](std::vector<TOut>& out) noexcept {
          return RunMixed<kOp, TOut, std::vector<TOut>&>(types, kDefaultOptions, out, in...);
        },
        in...);
  }
}

}  // namespace detail
}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_DETAIL_EVALUATE_HPP_
