// expected: the operator does not take elements of this type
#include <residue/residue.hpp>

int main() { return residue::Recip(3); }
