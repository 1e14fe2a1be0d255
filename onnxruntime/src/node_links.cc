#include "node_links.h"

#include <map>
#include <string_view>

namespace residue::ort {

NodeLinks::NodeLinks(const std::vector<ModelNode>& nodes) : readers(nodes.size()), writers(nodes.size()) {
  std::map<std::string_view, size_t> writer_of;
  const auto connect = [&](size_t n, const std::vector<NodeValue>& inputs) {
    for (const NodeValue& input : inputs) {
      const auto found = writer_of.find(input.name);
      if (input.name.empty() || found == writer_of.end()) continue;
      writers[n].push_back(found->second);
      readers[found->second].push_back(n);
    }
  };
  for (size_t n = 0; n < nodes.size(); ++n) {
    connect(n, nodes[n].inputs());
    connect(n, nodes[n].implicit_inputs());
    for (const NodeValue& output : nodes[n].outputs()) writer_of[output.name] = n;
  }
}

}  // namespace residue::ort
