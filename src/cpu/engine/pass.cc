#include "cpu/engine/pass.h"

#include <algorithm>

namespace residue {
namespace {

// Rows shorter than this do not fill vectors.
constexpr uint64_t kShortRowBytes = 128;

bool IsPackedOrSingle(const Layout& layout, uint32_t operand) noexcept {
  const int64_t stride = layout.loops[0].stride[operand];
  if (stride == layout.element_size[operand]) return true;
  return stride == 0 && operand < layout.first_written;
}

bool IsExchanged(const Layout& layout, uint32_t operand) noexcept {
  const int64_t packed = layout.element_size[operand];
  const int64_t column = layout.loops[0].stride[operand];
  return layout.loops[1].stride[operand] == packed && column != packed && column != 0;
}

Reach ChooseReach(const Pass& pass) noexcept {
  const Layout& layout = *pass.layout;
  const bool has_rows = layout.loops[1].size > 1;
  bool direct = pass.rows.size() == 1 && pass.index_operand == Pass::kNone;
  for (uint32_t k = 0; k < layout.operand_count; ++k) {
    const bool is_load = k < layout.first_written && k != pass.index_operand;
    if (has_rows && is_load && IsExchanged(layout, k)) return Reach::kSquares;
    direct = direct && IsPackedOrSingle(layout, k);
  }
  if (has_rows && layout.loops[0].size * pass.widest < kShortRowBytes) return Reach::kShortRows;
  return direct ? Reach::kDirect : Reach::kBlocks;
}

}  // namespace

void CompletePass(Pass* pass) noexcept {
  const Layout& layout = *pass->layout;
  for (uint32_t k = 0; k < layout.operand_count; ++k) {
    pass->widest = std::max(pass->widest, layout.element_size[k]);
  }
  pass->read_again = 0;
  for (const RowCall& row : pass->rows) {
    for (uint32_t i = 0; i < row.input_count; ++i) {
      const ValueId value = row.in[i];
      if (value >= layout.first_written && value < layout.operand_count) pass->read_again |= 1u << value;
    }
  }
  pass->reach = ChooseReach(*pass);
}

}  // namespace residue
