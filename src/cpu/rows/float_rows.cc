// Rows of the floating-point types, for every target.
#include "cpu/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rows/float_rows.cc"
#include <hwy/foreach_target.h>

#include "cpu/rows/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

RowCode FindFloat(RowKey key) noexcept { return FindAmong<Float16, float, double>(key); }

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/rows/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(RowCode, FindFloatRow, RowKey, FindFloat)

}  // namespace residue
#endif
