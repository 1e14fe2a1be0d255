// The two moduli on arrays, and the pair of integers that crashes other runtimes.
#include <cstdio>
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a = {5.5f, -5.5f, 1e38f};
  std::vector<float> out(a.size());
  const residue::Result result = residue::ModulusFloor(a, 3.0f, out);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.message().c_str());
    return 1;
  }
  std::printf("%g %g %g\n", out[0], out[1], out[2]);
  std::printf("%d\n", residue::ModulusTruncate(-2147483647 - 1, -1));
}
