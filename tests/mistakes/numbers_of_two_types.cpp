// expected: the numbers have different types
#include <residue/residue.hpp>

int main() { return residue::ModulusFloor(7.0f, 3) == 1.0f ? 0 : 1; }
