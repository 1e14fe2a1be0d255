// expected: the element types of inputs and output differ
#include <residue/residue.hpp>

int main() {
  residue::Graph graph;
  graph.Output(graph.ModulusFloor(graph.Input<float>({3}), graph.Input<double>({3})));
}
