// The first thing to try: the two operators on a few numbers.
#include <cstdio>
#include <residue/residue.hpp>
#include <vector>

int main() {
  const std::vector<float> a = {5.5f, -5.5f, 1e38f, -0.0f};
  std::vector<float> out(a.size());

  for (const float divisor : {3.0f, -3.0f}) {
    if (const auto result = residue::ModulusFloor(a, divisor, out); !result) {
      std::fprintf(stderr, "%s\n", result.text());
      return 1;
    }
    std::printf("floor    mod %4.1f: %g %g %g %g\n", divisor, out[0], out[1], out[2], out[3]);
    if (!residue::ModulusTruncate(a, divisor, out)) return 1;
    std::printf("truncate mod %4.1f: %g %g %g %g\n", divisor, out[0], out[1], out[2], out[3]);
  }

  // The pair that kills other runtimes.
  const std::vector<int> minimum = {-2147483647 - 1};
  std::vector<int> zero(1);
  if (!residue::ModulusFloor(minimum, -1, zero)) return 1;
  std::printf("INT_MIN mod -1: %d\n", zero[0]);
}
