#include <cstdio>
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a = {5.5f, -5.5f, 1e38f, -0.0f};
  std::vector<float> out(a.size());
  if (!residue::ModulusFloor(a, 3.0f, out)) return 1;
  std::printf("floor:          %g %g %g %g\n", out[0], out[1], out[2], out[3]);
  if (!residue::ModulusTruncate(a, 3.0f, out)) return 1;
  std::printf("truncate:       %g %g %g %g\n", out[0], out[1], out[2], out[3]);

  const std::vector<int> minimum = {-2147483647 - 1};  // the pair that kills other runtimes
  std::vector<int> zero(1);
  if (!residue::ModulusFloor(minimum, -1, zero)) return 1;
  std::printf("INT_MIN mod -1: %d\n", zero[0]);
}
