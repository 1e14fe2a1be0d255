// expected to compile
#include <residue/residue.hpp>

int main() {
  float x[6] = {};
  const int rows = 2;
  const int columns = 3;
  const residue::StridedView view(x, {rows, columns});
  return residue::ModulusFloor(view, 2.0f, view) ? 0 : 1;
}
