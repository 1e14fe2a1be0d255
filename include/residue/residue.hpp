// Residue: exact modulus on arrays, spans and strided views. The C++20 interface, header-only over residue.h.
//
//   std::vector<float> a{5.5f, -5.5f}, out(2);
//   residue::ModulusFloor(a, 2.0f, out);   // out = {1.5f, 0.5f}
//
// Functions return a Result and throw nothing. See residue.h for the numerics.
#ifndef RESIDUE_RESIDUE_HPP_
#define RESIDUE_RESIDUE_HPP_

#include <residue/residue.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <ranges>
#include <span>
#include <type_traits>

namespace residue {

// IEEE binary16 as its bits: an element of arrays, without arithmetic of its own.
struct Half {
  uint16_t bits;
  friend constexpr bool operator==(Half, Half) = default;
};

// The outcome of a call: true for success, and a sentence for everything.
class [[nodiscard]] Result {
 public:
  constexpr Result(residue_status status) noexcept
      : status_(status) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<bool> B>
  Result(B) = delete;  // `result == true` would compare with status 1
  constexpr explicit operator bool() const noexcept { return status_ == RESIDUE_OK; }
  constexpr residue_status status() const noexcept { return status_; }
  const char* text() const noexcept { return residue_status_text(status_); }
  friend constexpr bool operator==(Result, Result) = default;

 private:
  residue_status status_;
};

// Types an array may have: the fixed-width integers under any of their names, float, double and Half.
template <class T>
concept Element = (std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8) || std::same_as<T, float> ||
                  std::same_as<T, double> || std::same_as<T, Half>;

template <Element T>
inline constexpr residue_type kTypeOf = []() -> residue_type {
  if (std::same_as<T, float>) return RESIDUE_FLOAT32;
  if (std::same_as<T, double>) return RESIDUE_FLOAT64;
  if (std::same_as<T, Half>) return RESIDUE_FLOAT16;
  constexpr bool is_signed = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return is_signed ? RESIDUE_INT8 : RESIDUE_UINT8;
    case 2:
      return is_signed ? RESIDUE_INT16 : RESIDUE_UINT16;
    case 4:
      return is_signed ? RESIDUE_INT32 : RESIDUE_UINT32;
    default:
      return is_signed ? RESIDUE_INT64 : RESIDUE_UINT64;
  }
}();

// A tensor over somebody else's memory: sizes, and strides counted in elements. Without strides it is packed,
// last dimension innermost. Strides may be negative or 0.
template <class T>
requires Element<std::remove_const_t<T>>
class StridedView {
 public:
  StridedView(T* data, std::span<const uint64_t> sizes, std::span<const int64_t> strides) noexcept
      : data_(data), rank_(static_cast<uint32_t>(std::min<size_t>(sizes.size(), RESIDUE_MAX_RANK + 1))) {
    // A rank beyond the limit, or strides that do not match, is remembered as such and refused when used.
    if (rank_ > RESIDUE_MAX_RANK || strides.size() != sizes.size()) {
      rank_ = RESIDUE_MAX_RANK + 1;
      return;
    }
    std::copy(sizes.begin(), sizes.end(), sizes_.begin());
    std::copy(strides.begin(), strides.end(), strides_.begin());
  }
  StridedView(T* data, std::initializer_list<uint64_t> sizes, std::initializer_list<int64_t> strides) noexcept
      : StridedView(data, std::span(sizes.begin(), sizes.size()),
                    std::span(strides.begin(), strides.size())) {}

  StridedView(T* data, std::span<const uint64_t> sizes) noexcept
      : StridedView(data, sizes,
                    std::span<const int64_t>(PackedStrides(sizes)).first(std::min(sizes.size(), kLimit))) {}
  StridedView(T* data, std::initializer_list<uint64_t> sizes) noexcept
      : StridedView(data, std::span(sizes.begin(), sizes.size())) {}

  // A view to write through is a view to read through.
  operator StridedView<const T>() const noexcept  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    StridedView<const T> view(data_, std::span<const uint64_t>());
    view.rank_ = rank_;
    view.sizes_ = sizes_;
    view.strides_ = strides_;
    return view;
  }

  T* data() const noexcept { return data_; }
  uint32_t rank() const noexcept { return rank_; }
  uint64_t size(uint32_t dimension) const noexcept { return dimension < kLimit ? sizes_[dimension] : 0; }
  int64_t stride(uint32_t dimension) const noexcept { return dimension < kLimit ? strides_[dimension] : 0; }

 private:
  template <class U>
  requires Element<std::remove_const_t<U>>
  friend class StridedView;
  static constexpr size_t kLimit = RESIDUE_MAX_RANK;

  static std::array<int64_t, kLimit> PackedStrides(std::span<const uint64_t> sizes) noexcept {
    std::array<int64_t, kLimit> strides{};
    uint64_t step = 1;
    for (size_t i = std::min(sizes.size(), kLimit); i-- > 0;) {
      strides[i] = static_cast<int64_t>(step);
      step *= sizes[i];
    }
    return strides;
  }

  T* data_;
  uint32_t rank_;
  std::array<uint64_t, kLimit> sizes_{};
  std::array<int64_t, kLimit> strides_{};
};

namespace detail {

template <class R>
concept PackedRange =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && Element<std::ranges::range_value_t<R>>;

template <class R>
using ElementOf = std::ranges::range_value_t<R>;

template <class R, class T>
concept InputRangeOf = PackedRange<const R> && std::same_as<ElementOf<const R>, T>;

// Something to write to that outlives the call: a container by name, a span, an array.
template <class R>
concept OutputRange =
    PackedRange<R> && std::ranges::borrowed_range<R> && std::same_as < std::ranges::range_reference_t<R>,
        ElementOf<R>
& > ;

// A number in place of an array: of the element type itself, or an integer, whose value is then checked. A
// floating-point number of another type would lose digits and is refused by the compiler.
template <class N, class T>
concept NumberFor = std::same_as<N, T> ||
    (std::integral<N> && !std::same_as<N, bool> && sizeof(N) <= 8 && !std::same_as<T, Half>);

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
    const int length = static_cast<int>(std::bit_width(magnitude));
    return magnitude == 0 || length - std::countr_zero(magnitude) <= std::numeric_limits<T>::digits;
  }
}

template <Element T>
Result RunOneDimension(residue_operator op, const T* a, int64_t a_stride, const T* b, int64_t b_stride,
                       T* out, uint64_t count, const residue_options& options) noexcept {
  return residue_run_strided(op, kTypeOf<T>, a, a_stride, b, b_stride, out, sizeof(T), count, &options);
}

// Strides in bytes. What a single element would step by means nothing, in an empty tensor nothing does.
template <class T>
residue_status ToOperand(const StridedView<T>& view, uint32_t rank, bool empty,
                         residue_operand* operand) noexcept {
  operand->type = kTypeOf<std::remove_const_t<T>>;
  for (uint32_t i = 0; i < rank; ++i) {
    const int64_t step = empty || view.size(i) == 1 ? 0 : view.stride(i);
    if (__builtin_mul_overflow(step, static_cast<int64_t>(sizeof(T)), &operand->strides[i]))
      return RESIDUE_TOO_LARGE;
  }
  return RESIDUE_OK;
}

// An input must have the output's sizes, or 1 where it is broadcast.
template <class T>
residue_status CheckSizes(const StridedView<const T>& input, const residue_problem& problem) noexcept {
  if (input.rank() > RESIDUE_MAX_RANK) return RESIDUE_INVALID_RANK;
  if (input.rank() != problem.rank) return RESIDUE_SIZE_MISMATCH;
  for (uint32_t i = 0; i < problem.rank; ++i) {
    if (input.size(i) != problem.sizes[i] && input.size(i) != 1) return RESIDUE_SIZE_MISMATCH;
  }
  return RESIDUE_OK;
}

template <Element T>
Result RunViews(residue_operator op, const StridedView<const T>& a, const StridedView<const T>& b,
                const StridedView<T>& out, const residue_options& options) noexcept {
  if (out.rank() > RESIDUE_MAX_RANK) return RESIDUE_INVALID_RANK;
  residue_operand operands[3] = {};
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = op;
  problem.rank = out.rank();
  problem.operand_count = 3;
  problem.operands = operands;
  bool empty = false;
  for (uint32_t i = 0; i < out.rank(); ++i) {
    problem.sizes[i] = out.size(i);
    empty = empty || out.size(i) == 0;
  }
  for (const auto& input : {a, b}) {
    if (const residue_status status = CheckSizes(input, problem); status != RESIDUE_OK) return status;
  }
  residue_status status = ToOperand(a, problem.rank, empty, &operands[0]);
  if (status == RESIDUE_OK) status = ToOperand(b, problem.rank, empty, &operands[1]);
  if (status == RESIDUE_OK) status = ToOperand(out, problem.rank, empty, &operands[2]);
  if (status != RESIDUE_OK) return status;
  const void* const inputs[] = {a.data(), b.data()};
  return residue_run(&problem, inputs, out.data(), &options);
}

}  // namespace detail

// The same four overloads for each operator: array and array, array and number, number and array, views.
#define RESIDUE_DEFINE_OPERATOR(Name, op)                                                                   \
  template <detail::OutputRange Out, detail::InputRangeOf<detail::ElementOf<Out>> A,                        \
            detail::InputRangeOf<detail::ElementOf<Out>> B>                                                 \
  Result Name(const A& a, const B& b, Out&& out, const residue_options& options = {}) noexcept {            \
    using T = detail::ElementOf<Out>;                                                                       \
    const size_t count = std::ranges::size(out);                                                            \
    if (std::ranges::size(a) != count || std::ranges::size(b) != count) return RESIDUE_SIZE_MISMATCH;       \
    return detail::RunOneDimension<T>(op, std::ranges::data(a), sizeof(T), std::ranges::data(b), sizeof(T), \
                                      std::ranges::data(out), count, options);                              \
  }                                                                                                         \
  template <detail::OutputRange Out, detail::InputRangeOf<detail::ElementOf<Out>> A,                        \
            detail::NumberFor<detail::ElementOf<Out>> N>                                                    \
  Result Name(const A& a, N b, Out&& out, const residue_options& options = {}) noexcept {                   \
    using T = detail::ElementOf<Out>;                                                                       \
    const size_t count = std::ranges::size(out);                                                            \
    if (!detail::IsRepresentable<T>(b)) return RESIDUE_NUMBER_NOT_REPRESENTABLE;                            \
    if (std::ranges::size(a) != count) return RESIDUE_SIZE_MISMATCH;                                        \
    const T number = static_cast<T>(b);                                                                     \
    return detail::RunOneDimension<T>(op, std::ranges::data(a), sizeof(T), &number, 0,                      \
                                      std::ranges::data(out), count, options);                              \
  }                                                                                                         \
  template <detail::OutputRange Out, detail::InputRangeOf<detail::ElementOf<Out>> B,                        \
            detail::NumberFor<detail::ElementOf<Out>> N>                                                    \
  Result Name(N a, const B& b, Out&& out, const residue_options& options = {}) noexcept {                   \
    using T = detail::ElementOf<Out>;                                                                       \
    const size_t count = std::ranges::size(out);                                                            \
    if (!detail::IsRepresentable<T>(a)) return RESIDUE_NUMBER_NOT_REPRESENTABLE;                            \
    if (std::ranges::size(b) != count) return RESIDUE_SIZE_MISMATCH;                                        \
    const T number = static_cast<T>(a);                                                                     \
    return detail::RunOneDimension<T>(op, &number, 0, std::ranges::data(b), sizeof(T),                      \
                                      std::ranges::data(out), count, options);                              \
  }                                                                                                         \
  template <Element T>                                                                                      \
  Result Name(std::type_identity_t<StridedView<const T>> a, std::type_identity_t<StridedView<const T>> b,   \
              StridedView<T> out, const residue_options& options = {}) noexcept {                           \
    return detail::RunViews<T>(op, a, b, out, options);                                                     \
  }

// The remainder with the sign of the divisor, as Python's %.
RESIDUE_DEFINE_OPERATOR(ModulusFloor, RESIDUE_MODULUS_FLOOR)

// The remainder with the sign of the dividend, as C's % and fmod.
RESIDUE_DEFINE_OPERATOR(ModulusTruncate, RESIDUE_MODULUS_TRUNCATE)

#undef RESIDUE_DEFINE_OPERATOR

}  // namespace residue

#endif  // RESIDUE_RESIDUE_HPP_
