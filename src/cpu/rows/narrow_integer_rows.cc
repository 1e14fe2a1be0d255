// Rows of the 8-bit and 16-bit integers, for every target.
#include "cpu/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rows/narrow_integer_rows.cc"
#include <hwy/foreach_target.h>

#include "cpu/rows/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

RowCode FindNarrowInteger(RowKey key) noexcept { return FindAmong<int8_t, uint8_t, int16_t, uint16_t>(key); }

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/rows/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(RowCode, FindNarrowIntegerRow, RowKey, FindNarrowInteger)

}  // namespace residue
#endif
