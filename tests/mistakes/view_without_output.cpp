// expected: a vector would lose the shape of the view
#include <residue/residue.hpp>

int main() {
  float x[6] = {};
  return residue::ModulusFloor(residue::StridedView(x, {2, 3}), 2.5f).empty() ? 0 : 1;
}
