// Rows of the 32-bit and 64-bit integers, for every target.
#include "cpu/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rows/wide_integer_rows.cc"
#include <hwy/foreach_target.h>

#include "cpu/rows/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

RowCode FindWideInteger(RowKey key) noexcept { return FindAmong<int32_t, uint32_t, int64_t, uint64_t>(key); }

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/rows/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(RowCode, FindWideIntegerRow, RowKey, FindWideInteger)

}  // namespace residue
#endif
