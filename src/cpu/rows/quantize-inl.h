// Between numbers and 8-bit codes, by a scale and a zero point. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_QUANTIZE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_QUANTIZE_INL_H_
#undef RESIDUE_CPU_ROWS_QUANTIZE_INL_H_
#else
#define RESIDUE_CPU_ROWS_QUANTIZE_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "cpu/rows/cast-inl.h"
#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// x / scale, rounded to nearest, ties to even, plus the zero point, saturated; NaN gives the zero point.
template <class Code>
struct QuantizeLanes : Elements<float, Code, float, float, Code> {
  template <class V, class Z>
  HWY_INLINE Z operator()(V x, V scale, Z zero_point) const {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const V quotient = hn::Div(x, scale);
    const V some = hn::IfThenZeroElse(hn::IsNaN(quotient), quotient);
    // Codes and zero points are less than 1000 apart.
    const V near = hn::Round(hn::Min(hn::Max(some, hn::Set(d, -1000.0f)), hn::Set(d, 1000.0f)));
    const auto sum = hn::Add(RoundInRange<Rounding::kTruncate>(di, near), Resize<int32_t>(d, zero_point));
    const auto least = hn::Set(di, int32_t{std::numeric_limits<Code>::min()});
    const auto most = hn::Set(di, int32_t{std::numeric_limits<Code>::max()});
    return Resize<Code>(d, hn::Min(hn::Max(sum, least), most));
  }
};

// (x - zero point), exact and then rounded to float32, times scale.
template <class Code>
struct DequantizeLanes
    : Elements<std::conditional_t<(sizeof(Code) < 4), float, double>, float, Code, float, Code> {
  template <class C, class V>
  HWY_INLINE V operator()(C x, V scale, C zero_point) const {
    if constexpr (sizeof(Code) < 4) {
      const hn::ScalableTag<float> d;
      const auto difference = hn::Sub(Resize<int32_t>(d, x), Resize<int32_t>(d, zero_point));
      return QuietNan(d, hn::Mul(hn::ConvertTo(d, difference), scale));
    } else {
      const hn::ScalableTag<double> d;
      const hn::Rebind<float, decltype(d)> df;
      const auto difference = hn::Sub(IntegerToDouble(x), IntegerToDouble(zero_point));
      return QuietNan(df, hn::Mul(hn::DemoteTo(df, difference), scale));
    }
  }
};

template <class T, class R>
using QuantizeLinear = QuantizeLanes<R>;
template <class T, class R>
using DequantizeLinear = DequantizeLanes<T>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
