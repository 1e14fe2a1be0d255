// Operations on bits, whatever they stand for, and on truth: any number that is not 0 is true. Included once
// per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_BITS_INL_H_
#undef RESIDUE_CPU_ROWS_BITS_INL_H_
#else
#define RESIDUE_CPU_ROWS_BITS_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct AndLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::And(a, b);
  }
};
struct OrLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Or(a, b);
  }
};
struct XorLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Xor(a, b);
  }
};
struct NotLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V x) {
    return hn::Not(x);
  }
};

// 1 for true, 0 for false.
template <class D, class V>
HWY_INLINE V Truth(D d, V x) {
  return hn::Min(x, hn::Set(d, 1u));
}
template <class Operation>
struct OnTruth {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return Operation::Of(d, Truth(d, a), Truth(d, b));
  }
};
struct IsFalse {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V x) {
    return hn::Sub(hn::Set(d, 1u), Truth(d, x));
  }
};

template <class T>
using BitAnd = OnLanes<UnsignedOf<T>, AndLanes, UnsignedOf<T>, UnsignedOf<T>>;
template <class T>
using BitOr = OnLanes<UnsignedOf<T>, OrLanes, UnsignedOf<T>, UnsignedOf<T>>;
template <class T>
using BitXor = OnLanes<UnsignedOf<T>, XorLanes, UnsignedOf<T>, UnsignedOf<T>>;
template <class T>
using BitNot = OnLanes<UnsignedOf<T>, NotLanes, UnsignedOf<T>>;
template <class T>
using LogicalAnd = OnLanes<T, OnTruth<AndLanes>, T, T>;
template <class T>
using LogicalOr = OnLanes<T, OnTruth<OrLanes>, T, T>;
template <class T>
using LogicalXor = OnLanes<T, OnTruth<XorLanes>, T, T>;
template <class T>
using LogicalNot = OnLanes<T, IsFalse, T>;

// Shifts by as many bits as an element has, or more, give 0. Lanes of 32 bits at least, because few targets
// shift narrower ones each by its own number.
template <class U>
using ShiftedIn = std::conditional_t<sizeof(U) <= 4, uint32_t, uint64_t>;
template <class U, bool kLeft>
struct Shift : Elements<ShiftedIn<U>, U, U, U> {
  using V = typename Shift::Result;
  HWY_INLINE V operator()(V a, V b) const {
    using Lane = ShiftedIn<U>;
    const hn::ScalableTag<Lane> d;
    const auto x = Resize<Lane>(d, a);
    const auto given = Resize<Lane>(d, b);
    const auto bits = hn::Min(given, hn::Set(d, Lane{8 * sizeof(U) - 1}));
    const auto shifted = kLeft ? hn::Shl(x, bits) : hn::Shr(x, bits);
    return Resize<U>(d, hn::IfThenElseZero(hn::Eq(given, bits), shifted));
  }
};
template <class T>
using BitShiftLeft = Shift<T, true>;
template <class T>
using BitShiftRight = Shift<T, false>;

template <class U>
struct CountBits : Elements<U, uint8_t, U> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    return Resize<uint8_t>(hn::ScalableTag<U>(), hn::PopulationCount(x));
  }
};
template <class T, class R>
using BitCount = CountBits<UnsignedOf<T>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
