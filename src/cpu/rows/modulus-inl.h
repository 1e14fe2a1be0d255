// The modulus operators by name, for every element type: what the list of operators refers to.
// Included once per target.

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
