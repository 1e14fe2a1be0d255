// expected: the output is no array and no view
#include <residue/residue.hpp>

int main() {
  float out = 0;
  return residue::ModulusFloor(5.5f, 2.5f, out) ? 0 : 1;
}
