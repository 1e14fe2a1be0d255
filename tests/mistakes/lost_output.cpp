// expected: the output is a temporary that nobody keeps
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a(3);
  return residue::ModulusFloor(a, 2.5f, std::vector<float>(3)) ? 0 : 1;
}
