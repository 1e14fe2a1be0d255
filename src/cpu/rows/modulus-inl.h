// The modulus operators by name, for every element type: what the list of operators refers to.
// Included once per target.
//
// The shape of an operator's functor, whatever the family:
//   Lane, kOne         how an element lies in memory, and the number 1 in it
//   Tag                the vector it wants to be given
//   operator()(d, a), operator()(d, a, b)  one vector of results; no loop, no memory, nothing that can trap
//   Prepare(d, b)                   for the same b in all lanes, what depends on it alone: one vector
//   operator()(d, a, b, prepared)   one vector of results for such a b
// Functors of one input have the first only. One with params has a constructor that takes their address, and
// no other. One with a slow path that gains from two vectors at a time says kInPairs and has
//   Fast(d, a, b[, prepared], result)         false if the vector must take the slow path
//   kHasQuick, AreUsual(d, a, b), Quick(...)  whether there is a quicker form of Fast for usual operands,
//   which
//                                             those are, and that form: as right for all others, only slower
//   Long(d, a0, b0, a1, b1, result0, result1)

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_INL_H_
#endif

#include <type_traits>

#include "core/half.h"
#include "cpu/rows/modulus_byte-inl.h"
#include "cpu/rows/modulus_float-inl.h"
#include "cpu/rows/modulus_fp16-inl.h"
#include "cpu/rows/modulus_half-inl.h"
#include "cpu/rows/modulus_int-inl.h"
#include "cpu/rows/modulus_narrow-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

template <class T, Rounding kRounding>
struct SelectModulus {
  using Type = std::conditional_t<sizeof(T) <= 2, NarrowModulus<T, kRounding>, WideModulus<T, kRounding>>;
};
template <Rounding kRounding>
struct SelectModulus<float, kRounding> {
  using Type = FloatModulus<float, kRounding>;
};
template <Rounding kRounding>
struct SelectModulus<double, kRounding> {
  using Type = FloatModulus<double, kRounding>;
};
#if RESIDUE_BYTE_TABLES
template <Rounding kRounding>
struct SelectModulus<int8_t, kRounding> {
  using Type = ByteModulus<int8_t, kRounding>;
};
template <Rounding kRounding>
struct SelectModulus<uint8_t, kRounding> {
  using Type = ByteModulus<uint8_t, kRounding>;
};
#endif
#if HWY_TARGET == HWY_AVX3_DL
template <Rounding kRounding>
struct SelectModulus<Float16, kRounding> {
  using Type = HalfModulusFp16<kRounding>;
};
#else
template <Rounding kRounding>
struct SelectModulus<Float16, kRounding> {
  using Type = HalfModulus<kRounding>;
};
#endif

template <class T>
struct ModulusFloor : SelectModulus<T, Rounding::kFloor>::Type {};

template <class T>
struct ModulusTruncate : SelectModulus<T, Rounding::kTruncate>::Type {};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
