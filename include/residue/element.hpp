// The types that elements of arrays may have.
#ifndef RESIDUE_ELEMENT_HPP_
#define RESIDUE_ELEMENT_HPP_

#if !defined(__cplusplus) || __cplusplus < 202002L
#error \
    "the C++ interface of Residue needs C++20: compile with -std=c++20. residue/residue.h is for C and older C++."
#endif

#include <residue/residue.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace residue {
inline namespace v2 {

/// IEEE binary16 as its bits, for compilers without a type of their own: an element of arrays, without
/// arithmetic.
struct Half {
  uint16_t bits;
  friend constexpr bool operator==(Half, Half) = default;
};

namespace detail {

// std::float16_t is _Float16 where there is one. GCC 12 has it for C++ on x86 only.
#if defined(__FLT16_MANT_DIG__) && \
    (defined(__clang__) || defined(__x86_64__) || defined(__i386__) || __GNUC__ >= 13)
#define RESIDUE_HAS_FLOAT16 1
template <class T>
concept NativeHalf = std::same_as<T, _Float16>;
#else
template <class T>
concept NativeHalf = false;
#endif

template <class T>
concept Integer =
    std::integral<T> && !std::same_as<T, bool> && std::same_as<T, std::remove_cv_t<T>> && sizeof(T) <= 8;

}  // namespace detail

/// A type that arrays may have: an integer of 8 to 64 bits under any of its names, float, double, Half, and
/// the compiler's own 16-bit float.
template <class T>
concept Element = detail::Integer<T> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, Half> || detail::NativeHalf<T>;

/// The number that the C interface has for an element type.
template <Element T>
inline constexpr residue_type kTypeOf = []() -> residue_type {
  if (std::same_as<T, float>) return RESIDUE_FLOAT32;
  if (std::same_as<T, double>) return RESIDUE_FLOAT64;
  if (!std::integral<T>) return RESIDUE_FLOAT16;
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

namespace detail {

// Bits of the significand of a floating-point element.
template <class T>
inline constexpr int kDigits = NativeHalf<T> ? 11 : std::numeric_limits<T>::digits;

}  // namespace detail
}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_ELEMENT_HPP_
