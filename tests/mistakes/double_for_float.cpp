// expected: write 2.5f instead of 2.5
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a(3);
  std::vector<float> out(3);
  return residue::ModulusFloor(a, 2.5, out) ? 0 : 1;
}
