// Views: a matrix modulo a row of divisors, and its transpose modulo itself, without copying anything.
#include <cstdio>
#include <residue/residue.hpp>

int main() {
  using residue::StridedView;
  int matrix[2][3] = {{10, -11, 12}, {-13, 14, -15}};
  const int divisors[3] = {3, 4, -5};
  int out[2][3];

  // A size of 1 is broadcast: every row is divided by the same three numbers.
  const auto result = residue::ModulusFloor(StridedView(&matrix[0][0], {2, 3}), StridedView(divisors, {1, 3}),
                                            StridedView(&out[0][0], {2, 3}));
  if (!result) {
    std::fprintf(stderr, "%s\n", result.text());
    return 1;
  }
  for (const auto& row : out) std::printf("%3d %3d %3d\n", row[0], row[1], row[2]);

  // Strides in elements: the transposed matrix, in place.
  const StridedView transposed(&matrix[0][0], {3, 2}, {1, 3});
  const StridedView rows(&out[0][0], {3, 2}, {1, 3});
  if (!residue::ModulusTruncate(transposed, rows, transposed)) return 1;
  for (const auto& row : matrix) std::printf("%3d %3d %3d\n", row[0], row[1], row[2]);
}
