// expected: residue: the address is not one of the view's elements
#include <residue/residue.hpp>

float data[6];
const residue::StridedView<double> view(data, {2, 3});
