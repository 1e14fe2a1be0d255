// Tensors over memory of the caller's.
#ifndef RESIDUE_VIEW_HPP_
#define RESIDUE_VIEW_HPP_

#include <residue/residue.h>
#include <residue/detail/messages.hpp>
#include <residue/element.hpp>
#include <residue/result.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <type_traits>
#include <utility>

namespace residue {
inline namespace v2 {

/// A size or a stride: any integer. One that 63 bits do not hold is refused when it is used.
class Extent {
 public:
  template <class N>
  constexpr Extent(N number) noexcept {  // NOLINT(google-explicit-constructor)
    constexpr bool is_integer = std::integral<N>;
    static_assert(is_integer, RESIDUE_SAYS_NO_INTEGER);
    if constexpr (is_integer) {
      value_ = static_cast<int64_t>(number);
      fits_ = std::in_range<int64_t>(number);
    }
  }
  constexpr int64_t value() const noexcept { return value_; }
  constexpr bool fits() const noexcept { return fits_; }

 private:
  int64_t value_ = 0;
  bool fits_ = false;
};

namespace detail {

template <class R>
concept ExtentRange = std::ranges::sized_range<R> && std::integral<std::ranges::range_value_t<R>>;
template <class L>
concept ExtentList = ExtentRange<L> || std::same_as<L, std::initializer_list<Extent>>;

}  // namespace detail

/// A tensor over somebody else's memory: sizes, and strides counted in elements. Without strides it is
/// packed, last dimension innermost. Strides may be negative or 0. Sizes and strides that make no tensor are
/// remembered, and refused when the view is used.
template <class T>
requires Element<std::remove_const_t<T>>
class StridedView {
 public:
  StridedView(T* data, std::initializer_list<Extent> sizes) noexcept : data_(data) { SetPacked(sizes); }
  StridedView(T* data, std::initializer_list<Extent> sizes, std::initializer_list<Extent> strides) noexcept
      : data_(data) {
    SetStrided(sizes, strides);
  }
  template <detail::ExtentRange Sizes>
  StridedView(T* data, const Sizes& sizes) noexcept : data_(data) {
    SetPacked(sizes);
  }
  template <detail::ExtentRange Sizes, detail::ExtentRange Strides>
  StridedView(T* data, const Sizes& sizes, const Strides& strides) noexcept : data_(data) {
    SetStrided(sizes, strides);
  }
  // What none of those takes: one sentence instead of all of them.
  template <class P, class... Lists>
  requires(std::is_convertible_v<P, T*> && sizeof...(Lists) > 0 && !(detail::ExtentList<Lists> && ...))
      StridedView(P, const Lists&...)
  noexcept : data_(nullptr) {
    constexpr bool has_sizes = sizeof...(Lists) == 0;
    static_assert(has_sizes, RESIDUE_SAYS_NO_SIZES);
  }
  template <class P, class... Lists>
  requires(!std::is_convertible_v<P, T*> && sizeof...(Lists) > 0) StridedView(P, const Lists&...)
  noexcept : data_(nullptr) {
    constexpr bool has_elements = std::is_convertible_v<P, T*>;
    static_assert(has_elements, RESIDUE_SAYS_OTHER_ADDRESS);
  }
  template <class P>
  requires(!std::is_convertible_v<P, T*>)
      StridedView(P, std::initializer_list<Extent>, std::initializer_list<Extent> = {})
  noexcept : data_(nullptr) {
    constexpr bool has_elements = std::is_convertible_v<P, T*>;
    static_assert(has_elements, RESIDUE_SAYS_OTHER_ADDRESS);
  }

  /// A view to write through is a view to read through.
  operator StridedView<const T>() const noexcept  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<T>) {
    StridedView<const T> view(data_, {});
    view.rank_ = rank_;
    view.sizes_ = sizes_;
    view.strides_ = strides_;
    view.refusal_ = refusal_;
    return view;
  }

  T* data() const noexcept { return data_; }
  uint32_t rank() const noexcept { return rank_; }
  uint64_t size(uint32_t dimension) const noexcept { return dimension < rank_ ? sizes_[dimension] : 0; }
  int64_t stride(uint32_t dimension) const noexcept { return dimension < rank_ ? strides_[dimension] : 0; }
  /// Why this is no tensor, if it is none.
  const residue_refusal& refusal() const noexcept { return refusal_; }

 private:
  template <class U>
  requires Element<std::remove_const_t<U>>
  friend class StridedView;

  void Refuse(residue_status status, const char* field, int32_t index, int64_t given,
              residue_relation relation, int64_t expected) noexcept {
    rank_ = 0;
    if (refusal_.status == RESIDUE_OK) refusal_ = {status, relation, field, index, 0, given, expected};
  }

  template <class Sizes>
  bool SetSizes(const Sizes& sizes) noexcept {
    const auto count = static_cast<size_t>(std::ranges::size(sizes));
    if (count > RESIDUE_MAX_RANK) {
      Refuse(RESIDUE_INVALID_RANK, "rank", -1, static_cast<int64_t>(count), RESIDUE_AT_MOST,
             RESIDUE_MAX_RANK);
      return false;
    }
    for (const Extent extent : sizes) {
      if (!extent.fits() || extent.value() < 0) {
        const auto index = static_cast<int32_t>(rank_);
        if (extent.fits()) {
          Refuse(RESIDUE_INVALID_VIEW, "sizes", index, extent.value(), RESIDUE_AT_LEAST, 0);
        } else {
          Refuse(RESIDUE_TOO_LARGE, "sizes", index, extent.value(), RESIDUE_UNSIGNED_AT_MOST, INT64_MAX);
        }
        return false;
      }
      sizes_[rank_++] = static_cast<uint64_t>(extent.value());
    }
    return true;
  }

  template <class Sizes>
  void SetPacked(const Sizes& sizes) noexcept {
    if (!SetSizes(sizes)) return;
    uint64_t step = 1;
    for (uint32_t i = rank_; i-- > 0;) {
      strides_[i] = static_cast<int64_t>(step);
      step *= sizes_[i];
    }
  }

  template <class Sizes, class Strides>
  void SetStrided(const Sizes& sizes, const Strides& strides) noexcept {
    if (!SetSizes(sizes)) return;
    const auto count = static_cast<size_t>(std::ranges::size(strides));
    if (count != rank_) {
      return Refuse(RESIDUE_INVALID_VIEW, "number of strides", -1, static_cast<int64_t>(count),
                    RESIDUE_EQUAL_TO, rank_);
    }
    int32_t i = 0;
    for (const Extent extent : strides) {
      if (!extent.fits()) {
        return Refuse(RESIDUE_TOO_LARGE, "strides", i, extent.value(), RESIDUE_UNSIGNED_AT_MOST, INT64_MAX);
      }
      strides_[static_cast<size_t>(i++)] = extent.value();
    }
  }

  T* data_;
  uint32_t rank_ = 0;
  std::array<uint64_t, RESIDUE_MAX_RANK> sizes_{};
  std::array<int64_t, RESIDUE_MAX_RANK> strides_{};
  residue_refusal refusal_ = detail::kNoRefusal;
};

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_VIEW_HPP_
