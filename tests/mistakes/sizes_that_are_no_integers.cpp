// expected: sizes and strides are integers
#include <residue/residue.hpp>

int main() {
  float x[6] = {};
  const double rows = 2;
  const residue::StridedView view(x, {rows, 3.0});
  return residue::ModulusFloor(view, 2.0f, view) ? 0 : 1;
}
