#include "exec/in_order.h"

#include "exec/tile_walk.h"

namespace residue {

Exceptions RunInOrder(const Kernel& kernel, const Tile& row) noexcept {
  Exceptions found = kNoException;
  Tile element = row;
  element.columns = 1;
  element.stream = false;
  for (size_t i = 0; i < row.columns; ++i, Advance(row.column_stride, 1, &element)) {
    if (kernel.run_short != nullptr) {
      found |= kernel.run_short({element.a, element.b, element.out, 1, false, false});
    } else {
      kernel.run(element);
    }
  }
  return found;
}

}  // namespace residue
