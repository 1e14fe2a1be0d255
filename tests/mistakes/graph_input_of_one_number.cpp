// expected: residue: sizes and strides are lists of integers, such as {2, 3}
#include <residue/residue.hpp>

residue::Graph graph;
const auto input = graph.Input<float>(6);
