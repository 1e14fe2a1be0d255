// expected: needs C++20: compile with -std=c++20
// standard: c++17
#include <residue/residue.hpp>

int main() {}
