// expected: the output is const
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a(3);
  const std::vector<float> out(3);
  return residue::ModulusFloor(a, 2.5f, out) ? 0 : 1;
}
