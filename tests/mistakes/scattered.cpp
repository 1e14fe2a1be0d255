// expected: the elements do not lie one behind the other
#include <deque>
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::deque<float> a(3);
  std::vector<float> out(3);
  return residue::ModulusFloor(a, 2.5f, out) ? 0 : 1;
}
