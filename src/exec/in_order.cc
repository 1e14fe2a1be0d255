#include "exec/in_order.h"

namespace residue {

Exceptions RunInOrder(const Kernel& kernel, const Tile& row) noexcept {
  Exceptions found = kNoException;
  Tile element = row;
  element.columns = 1;
  element.stream = false;
  for (size_t i = 0; i < row.columns; ++i) {
    if (kernel.run_short != nullptr) {
      found |= kernel.run_short({element.a, element.b, element.out, 1, false, false});
    } else {
      kernel.run(element);
    }
    element.a += row.column_stride.a;
    element.b += row.column_stride.b;
    element.out += row.column_stride.out;
  }
  return found;
}

}  // namespace residue
