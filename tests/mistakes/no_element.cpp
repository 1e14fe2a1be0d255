// expected: this is not an element type
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<long double> a(3);
  std::vector<long double> out(3);
  return residue::ModulusFloor(a, a, out) ? 0 : 1;
}
