// expected: the element types of inputs and output differ
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a(3);
  const std::vector<double> b(3);
  std::vector<float> out(3);
  return residue::ModulusFloor(a, b, out) ? 0 : 1;
}
