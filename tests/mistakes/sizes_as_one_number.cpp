// expected: residue: sizes and strides are lists of integers, such as {2, 3}
#include <residue/residue.hpp>

float data[6];
const residue::StridedView<float> view(data, 6);
