// expected: the operator does not take elements of this type
#include <residue/residue.hpp>

int main() { return residue::ScaleBias(3, 2.0f, 1.0f); }
