#include <cstdio>
#include <residue/residue.hpp>

int main() {
  int values[] = {-7, 7};
  if (!residue::ModulusFloor(values, 3, values)) return 1;
  std::printf("%d %d with residue %s\n", values[0], values[1], residue_version());
  return values[0] == 2 && values[1] == 1 ? 0 : 1;
}
