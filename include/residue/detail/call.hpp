// From what a caller writes (arrays, numbers, views) to a call of the C interface. Every mistake that the
// compiler can see is one static_assert here; the functions themselves are in operators.hpp.
#ifndef RESIDUE_DETAIL_CALL_HPP_
#define RESIDUE_DETAIL_CALL_HPP_

#include <residue/residue.h>
#include <residue/detail/messages.hpp>
#include <residue/detail/rules.hpp>
#include <residue/element.hpp>
#include <residue/result.hpp>
#include <residue/view.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <ranges>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace residue {
inline namespace v2 {

/// How to run: threads, and where to report exceptions. See residue_options.
using Options = residue_options;

/// The calling thread for small work, all threads for large work.
inline constexpr Options kDefaultOptions = {0, 0, nullptr, nullptr};

namespace detail {

template <class X>
inline constexpr bool kIsView = false;
template <class T>
inline constexpr bool kIsView<StridedView<T>> = true;

// What has the shape of std::mdspan, which compilers before C++23 do not have.
template <class X>
concept MdspanLike = requires(const X& x) {
  typename X::element_type;
  typename X::extents_type;
  { x.data_handle() } -> std::same_as<typename X::element_type*>;
  x.rank();
  x.extent(0);
  x.stride(0);
};

// Its elements are where they are said to be, and are what lies there: no accessor changes them.
template <class X>
concept PlainMdspan = MdspanLike<X> &&(
    !requires { typename X::reference; } ||
    requires { requires std::same_as<typename X::reference, typename X::element_type&>; });

template <class X>
concept View = kIsView<X> || PlainMdspan<X>;
template <class X>
concept Array = !View<X> && std::ranges::contiguous_range<const X> && std::ranges::sized_range<const X>;
template <class X>
concept Number = !View<X> && !Array<X>;
// Elements that do not lie one behind the other.
template <class X>
concept Scattered = Number<X> &&(std::ranges::range<const X> || MdspanLike<X>);

// The type of a number, or of the elements.
template <class X>
struct ValueOf {
  using Type = X;
};
template <Array X>
struct ValueOf<X> {
  using Type = std::ranges::range_value_t<const X>;
};
template <class T>
struct ValueOf<StridedView<T>> {
  using Type = std::remove_const_t<T>;
};
template <MdspanLike X>
struct ValueOf<X> {
  using Type = std::remove_const_t<typename X::element_type>;
};
template <class X>
using Value = typename ValueOf<std::remove_cvref_t<X>>::Type;

// The type of the inputs' elements: that of the first array or view, or of the first number if there is none.
template <class First, class... Rest>
struct InputValue {
  using Type = Value<First>;
};
template <Number First, class Second, class... Rest>
requires(!(Number<Second> && ... && Number<Rest>)) struct InputValue<First, Second, Rest...>
    : InputValue<Second, Rest...> {
};

// The same where an output is given, whose type decides if results have the type of the inputs.
template <class Rule, class Out, class... In>
using InputType = std::conditional_t<Rule::kSameType, Value<Out>, typename InputValue<In...>::Type>;

// The integer is checked when it is known; a floating-point number of another type would lose digits.
template <class N, class T>
inline constexpr bool kIsNumberFor = std::same_as<N, T> || (Integer<N> && !std::same_as<T, Half>);

// What a compiler can know of inputs for elements of type T. Each is true where an earlier one is false, so
// that a mistake has one message.
template <class... In>
inline constexpr bool kAreElements = (Element<Value<In>> && ...);
template <class T, class... In>
inline constexpr bool kAreOfType =
    !kAreElements<T, In...> || ((Number<In> || std::same_as<Value<In>, T>)&&...);
template <class T, class... In>
inline constexpr bool kNumbersFit =
    !kAreElements<T, In...> || ((!Number<In> || kIsNumberFor<Value<In>, T>)&&...);

template <class Out>
consteval bool IsWritable() {
  using X = std::remove_cvref_t<Out>;
  if constexpr (Array<X>) {
    return !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Out>>>;
  } else if constexpr (kIsView<X>) {
    return !std::is_const_v<std::remove_pointer_t<decltype(std::declval<X>().data())>>;
  } else if constexpr (MdspanLike<X>) {
    return !std::is_const_v<typename X::element_type>;
  } else {
    return false;
  }
}

// Something that outlives the call: a container by name, a span, a view.
template <class Out>
inline constexpr bool kIsKept =
    Number<std::remove_cvref_t<Out>> || View<std::remove_cvref_t<Out>> || std::ranges::borrowed_range<Out>;

template <class T, class N>
constexpr bool IsRepresentable(N number) noexcept {
  if constexpr (std::same_as<N, T>) {
    return true;
  } else if constexpr (std::integral<T>) {
    return static_cast<N>(static_cast<T>(number)) == number &&
           (static_cast<T>(number) < T{}) == (number < N{});
  } else {
    const auto bits = static_cast<uint64_t>(number);
    const uint64_t magnitude = number < N{} ? uint64_t{0} - bits : bits;
    const auto length = static_cast<int>(std::bit_width(magnitude));
    if (NativeHalf<T> && length > 16) return false;  // infinity
    return magnitude == 0 || length - std::countr_zero(magnitude) <= kDigits<T>;
  }
}

inline const Options* ToC(const Options& options) noexcept {
  return &options == &kDefaultOptions ? nullptr : &options;
}

// How messages call the operands.
inline const char* NameOfInput(size_t index, size_t input_count) noexcept {
  constexpr const char* kNames[] = {"a", "b", "c"};
  return index < input_count && index < std::size(kNames) ? kNames[index] : "out";
}

inline Result Mismatch(const char* operand, const char* field, int32_t index, uint64_t given,
                       uint64_t expected) noexcept {
  return Result({RESIDUE_SIZE_MISMATCH, RESIDUE_EQUAL_TO, field, index, 0, static_cast<int64_t>(given),
                 static_cast<int64_t>(expected)},
                operand);
}

inline Result WrongNumber(const char* field, size_t given, size_t expected) noexcept {
  return Result({RESIDUE_INVALID_OPERAND_COUNT, RESIDUE_EQUAL_TO, field, -1, 0, static_cast<int64_t>(given),
                 static_cast<int64_t>(expected)},
                nullptr);
}

// The first input that is null, or else the output.
template <class T>
[[gnu::cold]] Result NameNull(const T* const* inputs, size_t count) noexcept {
  size_t index = 0;
  while (index < count && inputs[index] != nullptr) ++index;
  return Result({RESIDUE_NULL_POINTER, RESIDUE_NO_NUMBER, nullptr, -1, 0, 0, 0}, NameOfInput(index, count));
}

// One input of a call on arrays: as many elements as the output, or one for all.
template <class T>
struct FlatInput {
  const T* data;
  uint64_t count;
  T number;
  bool is_number;
  bool fits;
};

template <class T, class X>
FlatInput<T> Flatten(const X& input) noexcept {
  if constexpr (Array<X>) {
    return {std::ranges::data(input), static_cast<uint64_t>(std::ranges::size(input)), T{}, false, true};
  } else {
    return {nullptr, 1, static_cast<T>(input), true, IsRepresentable<T>(input)};
  }
}

// A number that no element can have. Of integers, the bound that it is beyond.
template <class T, class N>
[[gnu::cold]] Result NotRepresentable(N number, const char* operand) noexcept {
  residue_refusal refusal = {RESIDUE_NUMBER_NOT_REPRESENTABLE, RESIDUE_NO_NUMBER, nullptr, -1, 0, 0, 0};
  if constexpr (std::integral<T> && std::integral<N>) {
    const bool is_low = number < N{};
    const residue_relation at_most = std::unsigned_integral<N> ? RESIDUE_UNSIGNED_AT_MOST : RESIDUE_AT_MOST;
    refusal.field = "value";
    refusal.relation = is_low ? RESIDUE_AT_LEAST : at_most;
    refusal.provided = static_cast<int64_t>(number);
    refusal.expected =
        static_cast<int64_t>(is_low ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max());
  }
  return Result(refusal, operand);
}

// The first input that is such a number.
template <class T, class... In>
[[gnu::cold]] Result NameUnfit(const In&... in) noexcept {
  Result result;
  size_t index = 0;
  const auto look = [&]<class X>(const X& input) {
    if constexpr (Number<X>) {
      if (result && !IsRepresentable<T>(input))
        result = NotRepresentable<T>(input, NameOfInput(index, sizeof...(In)));
    }
    ++index;
  };
  (look(in), ...);
  return result;
}

// Arrays and numbers, of an operator with one or two inputs and no params: the short way.
template <residue_operator kOp, class T, class TOut, class Out, class... In>
Result RunArrays(const Options& options, Out& out, const In&... in) noexcept {
  constexpr size_t kInputs = sizeof...(In);
  const uint64_t count = static_cast<uint64_t>(std::ranges::size(out));
  const FlatInput<T> inputs[] = {Flatten<T>(in)...};
  const T* data[2] = {};
  int64_t strides[2] = {};
  for (size_t i = 0; i < kInputs; ++i) {
    if (!inputs[i].fits) return NameUnfit<T>(in...);
    if (inputs[i].count != count && inputs[i].count != 1) {
      return Mismatch(NameOfInput(i, kInputs), "size", -1, inputs[i].count, count);
    }
    data[i] = inputs[i].is_number ? &inputs[i].number : inputs[i].data;
    strides[i] = inputs[i].count == count ? static_cast<int64_t>(sizeof(T)) : 0;
  }
  const residue_status status =
      residue_run_strided(kOp, kTypeOf<T>, data[0], strides[0], data[1], strides[1], std::ranges::data(out),
                          sizeof(TOut), count, ToC(options));
  if (status == RESIDUE_NULL_POINTER) return NameNull(data, kInputs);
  return status;
}

// Any operand, as a tensor; strides in elements.
struct Shape {
  const void* data = nullptr;
  uint32_t rank = 0;
  uint64_t sizes[RESIDUE_MAX_RANK] = {};
  int64_t strides[RESIDUE_MAX_RANK] = {};
  residue_refusal refusal = kNoRefusal;
};

template <class X>
Shape ShapeOf(const X& operand) noexcept {
  Shape shape;
  if constexpr (kIsView<X>) {
    shape.data = operand.data();
    shape.rank = operand.rank();
    shape.refusal = operand.refusal();
    for (uint32_t i = 0; i < shape.rank; ++i) {
      shape.sizes[i] = operand.size(i);
      shape.strides[i] = operand.stride(i);
    }
  } else if constexpr (MdspanLike<X>) {
    if constexpr (requires { operand.is_strided(); }) {
      if (!operand.is_strided()) {
        shape.refusal = {RESIDUE_INVALID_VIEW, RESIDUE_NO_NUMBER, "layout", -1, 0, 0, 0};
        return shape;
      }
    }
    shape.data = operand.data_handle();
    const auto rank = static_cast<uint64_t>(operand.rank());
    if (rank > RESIDUE_MAX_RANK) {
      shape.refusal = {RESIDUE_INVALID_RANK,       RESIDUE_AT_MOST, "rank", -1, 0,
                       static_cast<int64_t>(rank), RESIDUE_MAX_RANK};
      return shape;
    }
    shape.rank = static_cast<uint32_t>(rank);
    for (uint32_t i = 0; i < shape.rank; ++i) {
      shape.sizes[i] = static_cast<uint64_t>(operand.extent(i));
      shape.strides[i] = static_cast<int64_t>(operand.stride(i));
    }
  } else {
    shape.data = std::ranges::data(operand);
    shape.rank = 1;
    shape.sizes[0] = static_cast<uint64_t>(std::ranges::size(operand));
    shape.strides[0] = 1;
  }
  return shape;
}

// A problem and what it points to.
struct Problem {
  static constexpr uint32_t kMost = 4;

  explicit Problem(residue_operator op, uint32_t operand_count, const void* params,
                   uint32_t params_size) noexcept {
    problem.size = sizeof(problem);
    problem.op = op;
    problem.operand_count = operand_count;
    problem.operands = operands;
    problem.params = params;
    problem.params_size = params_size;
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  // One operand. The output, which is the last, must come first: its sizes are those of the problem. An input
  // has the same sizes, or 1 where it is repeated, or fewer dimensions, aligned at the last.
  Result Set(residue_type type, uint32_t element_bytes, const Shape& shape, uint32_t operand) noexcept {
    const char* name = NameOfInput(operand, problem.operand_count - 1u);
    if (shape.refusal.status != RESIDUE_OK) return Result(shape.refusal, name);
    if (operand + 1 == problem.operand_count) SetSizes(shape);
    if (shape.rank > problem.rank) {
      return Result({RESIDUE_SIZE_MISMATCH, RESIDUE_AT_MOST, "rank", -1, 0, shape.rank, problem.rank}, name);
    }
    operands[operand].type = type;
    element_bytes_[operand] = element_bytes;
    const uint32_t missing = problem.rank - shape.rank;
    missing_[operand] = missing;
    for (uint32_t i = 0; i < shape.rank; ++i) {
      const uint64_t size = problem.sizes[missing + i];
      if (shape.sizes[i] != size && shape.sizes[i] != 1) {
        return Mismatch(name, "sizes", static_cast<int32_t>(i), shape.sizes[i], size);
      }
      // A single element steps nowhere, and in an empty tensor nothing does.
      const int64_t step = empty || shape.sizes[i] == 1 ? 0 : shape.strides[i];
      if (__builtin_mul_overflow(step, int64_t{element_bytes}, &operands[operand].strides[missing + i])) {
        return Result({RESIDUE_TOO_LARGE, RESIDUE_NO_NUMBER, "strides", static_cast<int32_t>(i), 0, 0, 0},
                      name);
      }
    }
    return {};
  }

  void SetSizes(const Shape& shape) noexcept {
    problem.rank = shape.rank;
    for (uint32_t i = 0; i < shape.rank; ++i) {
      problem.sizes[i] = shape.sizes[i];
      empty = empty || shape.sizes[i] == 0;
    }
  }

  // Why the C interface refused, in the words of a caller: "operands[1].strides" are the strides of b,
  // counted in elements, in the dimensions that b has.
  [[gnu::cold]] Result Explain(residue_status status) const noexcept {
    residue_refusal refusal = {};
    if (residue_check(&problem, &refusal, sizeof(refusal)) != status)
      return status;  // of addresses or options
    constexpr std::string_view kPrefix = "operands[";
    if (refusal.field == nullptr || !std::string_view(refusal.field).starts_with(kPrefix))
      return Result(refusal, nullptr);
    const auto operand = static_cast<uint32_t>(refusal.field[kPrefix.size()] - '0');
    refusal.field += kPrefix.size() + 2;
    refusal.field = *refusal.field == '.' ? refusal.field + 1 : nullptr;
    if (operand < kMost && refusal.field != nullptr && std::string_view(refusal.field) == "strides") {
      const int64_t bytes = element_bytes_[operand];
      const bool up = refusal.relation == RESIDUE_AT_LEAST && refusal.expected % bytes > 0;
      refusal.provided /= bytes;
      refusal.expected = refusal.expected / bytes + (up ? 1 : 0);
      refusal.index -= static_cast<int32_t>(missing_[operand]);
    }
    return Result(refusal, NameOfInput(operand, problem.operand_count - 1u));
  }

  residue_problem problem = {};
  residue_operand operands[kMost] = {};
  bool empty = false;

 private:
  uint32_t element_bytes_[kMost] = {1, 1, 1, 1};
  uint32_t missing_[kMost] = {};
};

// One input after the other; numbers get a place of their own.
template <class T, class X>
Result SetInput(const X& input, uint32_t index, size_t input_count, T* number, Problem* problem,
                const void** address) noexcept {
  if constexpr (Number<X>) {
    if (!IsRepresentable<T>(input)) return NotRepresentable<T>(input, NameOfInput(index, input_count));
    *number = static_cast<T>(input);
    *address = number;
    return problem->Set(kTypeOf<T>, sizeof(T), Shape(), index);
  } else {
    const Shape shape = ShapeOf(input);
    *address = shape.data;
    return problem->Set(kTypeOf<T>, sizeof(T), shape, index);
  }
}

// The types of the inputs' elements.
template <class... T>
struct Types {};

// Anything else.
template <residue_operator kOp, class TOut, class... T, class Out, class... In>
Result RunTensors(Types<T...>, const Options& options, const void* params, uint32_t params_size, Out& out,
                  const In&... in) noexcept {
  constexpr size_t kInputs = sizeof...(In);
  static_assert(kInputs < Problem::kMost);
  Problem problem(kOp, kInputs + 1, params, params_size);
  const Shape shape = ShapeOf(out);
  if (const Result result = problem.Set(kTypeOf<TOut>, sizeof(TOut), shape, kInputs); !result) return result;
  std::tuple<T...> numbers;
  const void* addresses[kInputs];
  const Result result = [&]<size_t... k>(std::index_sequence<k...>) {
    Result each;
    static_cast<void>(
        ((each = SetInput<T>(in, k, kInputs, &std::get<k>(numbers), &problem, &addresses[k])) && ...));
    return each;
  }
  (std::index_sequence_for<In...>());
  if (!result) return result;
  const residue_status status =
      residue_run(&problem.problem, addresses, const_cast<void*>(shape.data), ToC(options));
  if (status == RESIDUE_OK) return {};
  return status == RESIDUE_NULL_POINTER ? NameNull(addresses, kInputs) : problem.Explain(status);
}

template <class T, class>
using Always = T;

// What a run overwrites, with 0 if it is refused.
inline void ClearExceptions(const Options& options) noexcept {
  if (options.exceptions != nullptr) *options.exceptions = 0;
}

// The one way in for every operator. After a failed assertion, nothing else is compiled that could fail as
// well.
template <residue_operator kOp, class Out, class... In>
Result Run(const Options& options, const void* params, uint32_t params_size,
           std::remove_reference_t<Out>& out, const In&... in) noexcept {
  using Rule = RuleOf<kOp>;
  using T = InputType<Rule, Out, In...>;
  using TOut = typename Rule::template Output<T>;
  constexpr bool is_array = !Number<std::remove_cvref_t<Out>>;
  static_assert(is_array, RESIDUE_SAYS_NO_ARRAY);
  constexpr bool is_contiguous = !is_array || (!Scattered<In> && ...);
  static_assert(is_contiguous, RESIDUE_SAYS_SCATTERED);
  constexpr bool are_elements = !is_array || !is_contiguous || kAreElements<T, In...>;
  static_assert(are_elements, RESIDUE_SAYS_NO_ELEMENT);
  constexpr bool are_of_type = !is_array || kAreOfType<T, In...>;
  static_assert(are_of_type, RESIDUE_SAYS_TYPES_DIFFER);
  constexpr bool is_taken = !is_array || !are_elements || Rule::template kTakes<T>;
  static_assert(is_taken, RESIDUE_SAYS_TYPE_NOT_TAKEN);
  constexpr bool is_of_result_type = !is_array || !are_elements || std::same_as<Value<Out>, TOut>;
  static_assert(is_of_result_type, RESIDUE_SAYS_OTHER_RESULT);
  constexpr bool fit_float = !is_array || !std::same_as<T, float> || kNumbersFit<T, In...>;
  static_assert(fit_float, RESIDUE_SAYS_DOUBLE_FOR_FLOAT);
  constexpr bool fit_others = !is_array || std::same_as<T, float> || kNumbersFit<T, In...>;
  static_assert(fit_others, RESIDUE_SAYS_OTHER_NUMBER);
  constexpr bool is_writable = !is_array || IsWritable<Out>();
  static_assert(is_writable, RESIDUE_SAYS_CONST_OUTPUT);
  constexpr bool is_kept = kIsKept<Out>;
  static_assert(is_kept, RESIDUE_SAYS_LOST_OUTPUT);
  ClearExceptions(options);
  if constexpr (!(is_array && is_contiguous && are_elements && are_of_type && is_taken && is_of_result_type &&
                  fit_float && fit_others && is_writable && is_kept)) {
    return RESIDUE_INVALID_TYPE;
  } else {
    if constexpr (!View<std::remove_cvref_t<Out>> && (!View<In> && ...) && sizeof...(In) <= 2) {
      if (params_size == 0) return RunArrays<kOp, T, TOut>(options, out, in...);
    }
    return RunTensors<kOp, TOut>(Types<Always<T, In>...>(), options, params, params_size, out, in...);
  }
}

// The same of an operator whose inputs have types of their own, and which takes no params.
template <residue_operator kOp, class TOut, class Out, class... T, class... In>
Result RunMixed(Types<T...> types, const Options& options, std::remove_reference_t<Out>& out,
                const In&... in) noexcept {
  constexpr bool is_array = !Number<std::remove_cvref_t<Out>>;
  static_assert(is_array, RESIDUE_SAYS_NO_ARRAY);
  constexpr bool is_contiguous = !is_array || (!Scattered<In> && ...);
  static_assert(is_contiguous, RESIDUE_SAYS_SCATTERED);
  constexpr bool are_elements = !is_array || !is_contiguous || (kAreElements<TOut, T, In> && ...);
  static_assert(are_elements, RESIDUE_SAYS_NO_ELEMENT);
  constexpr bool are_of_type = !is_array || !are_elements || (kAreOfType<T, In> && ...);
  static_assert(are_of_type, RESIDUE_SAYS_TYPES_OF_THEIR_OWN);
  constexpr bool is_taken = !is_array || !are_elements || MixedRuleOf<kOp>::template kTakes<TOut, T...>;
  static_assert(is_taken, RESIDUE_SAYS_TYPE_NOT_TAKEN);
  constexpr bool is_of_result_type = !is_array || !are_elements || std::same_as<Value<Out>, TOut>;
  static_assert(is_of_result_type, RESIDUE_SAYS_OTHER_RESULT);
  constexpr bool fit = !is_array || !are_of_type || (kNumbersFit<T, In> && ...);
  static_assert(fit, RESIDUE_SAYS_OTHER_NUMBER);
  constexpr bool is_writable = !is_array || IsWritable<Out>();
  static_assert(is_writable, RESIDUE_SAYS_CONST_OUTPUT);
  constexpr bool is_kept = kIsKept<Out>;
  static_assert(is_kept, RESIDUE_SAYS_LOST_OUTPUT);
  ClearExceptions(options);
  if constexpr (!(is_array && is_contiguous && are_elements && are_of_type && is_taken && is_of_result_type &&
                  fit && is_writable && is_kept)) {
    return RESIDUE_INVALID_TYPE;
  } else {
    return RunTensors<kOp, TOut>(types, options, nullptr, 0, out, in...);
  }
}

}  // namespace detail
}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_DETAIL_CALL_HPP_
