// expected: scale and bias are of type float
#include <residue/residue.hpp>

int main() { return residue::ScaleBias(1.0, 0.1, 0.0) > 0 ? 0 : 1; }
