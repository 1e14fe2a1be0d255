#include "choice_text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace residue::ort {

std::string Summarize(const std::vector<ModelNode>& nodes, const Choice& choice) {
  std::map<std::string, size_t> reasons;
  size_t claimed = 0;
  for (const std::string& why_not : choice.why_not) {
    if (why_not.empty()) {
      ++claimed;
    } else {
      ++reasons[why_not];
    }
  }
  std::vector<std::pair<size_t, std::string>> most;
  most.reserve(reasons.size());
  for (const auto& [reason, count] : reasons) most.emplace_back(count, reason);
  std::ranges::sort(most, std::ranges::greater());
  std::string line = "claims " + std::to_string(claimed) + " of " + std::to_string(nodes.size()) +
                     " nodes, in " + std::to_string(choice.parts.size()) + " parts";
  const char* separator = "; not claimed: ";
  for (const auto& [count, reason] : most) {
    line += separator + std::to_string(count) + " (" + reason + ")";
    separator = ", ";
  }
  return line;
}

std::vector<std::string> DescribeNodes(const std::vector<ModelNode>& nodes, const Choice& choice) {
  std::vector<std::string> lines;
  lines.reserve(nodes.size());
  for (const ModelNode& node : nodes) lines.push_back(node.op() + " \"" + node.name() + "\" is ");
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (!choice.why_not[n].empty()) lines[n] += "not claimed: " + choice.why_not[n];
  }
  for (size_t part = 0; part < choice.parts.size(); ++part) {
    for (const size_t n : choice.parts[part]) lines[n] += "claimed, in part " + std::to_string(part);
  }
  return lines;
}

}  // namespace residue::ort
