// expected: residue: the output is const
#include <residue/residue.hpp>

#include <vector>

const std::vector<float> in(6);
const std::vector<float> out(6);
const residue::Graph graph;
const residue::Result result = graph.Run({in}, {out});
