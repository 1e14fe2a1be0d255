// Reference functions of bits and of truth.
#pragma once

#include <bit>
#include <cstdint>

#include "core/half.h"
#include "cpu/rows/reference_compute.h"

namespace residue::reference {

// An element's bits, whatever they stand for.
template <size_t kBytes>
using BitsOfSize = std::conditional_t<
    kBytes == 1, uint8_t,
    std::conditional_t<kBytes == 2, uint16_t, std::conditional_t<kBytes == 4, uint32_t, uint64_t>>>;
template <class T>
auto ToBits(T x) noexcept {
  return std::bit_cast<BitsOfSize<sizeof(T)>>(x);
}
template <class T>
T FromBits(uint64_t bits) noexcept {
  return std::bit_cast<T>(static_cast<BitsOfSize<sizeof(T)>>(bits));
}

template <class T>
T BitAnd(T a, T b) noexcept {
  return FromBits<T>(ToBits(a) & ToBits(b));
}
template <class T>
T BitOr(T a, T b) noexcept {
  return FromBits<T>(ToBits(a) | ToBits(b));
}
template <class T>
T BitXor(T a, T b) noexcept {
  return FromBits<T>(ToBits(a) ^ ToBits(b));
}
template <class T>
T BitNot(T x) noexcept {
  return FromBits<T>(~uint64_t{ToBits(x)});
}
template <class T, class R>
R BitCount(T x) noexcept {
  return static_cast<R>(std::popcount(ToBits(x)));
}

// By as many bits as an element has, or more: 0.
template <class T>
T BitShiftLeft(T a, T b) noexcept {
  return b < 8 * sizeof(T) ? FromBits<T>(uint64_t{a} << b) : T{0};
}
template <class T>
T BitShiftRight(T a, T b) noexcept {
  return b < 8 * sizeof(T) ? FromBits<T>(uint64_t{a} >> b) : T{0};
}

template <class T>
T LogicalAnd(T a, T b) noexcept {
  return a != 0 && b != 0;
}
template <class T>
T LogicalOr(T a, T b) noexcept {
  return a != 0 || b != 0;
}
template <class T>
T LogicalXor(T a, T b) noexcept {
  return (a != 0) != (b != 0);
}
template <class T>
T LogicalNot(T x) noexcept {
  return x == 0;
}

}  // namespace residue::reference
