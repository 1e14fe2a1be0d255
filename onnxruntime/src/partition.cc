#include "partition.h"

#include <map>
#include <numeric>
#include <string>
#include <string_view>

namespace residue::ort {
namespace {

// A graph of groups, each of which is one node at first.
class Groups {
 public:
  Groups(const std::vector<ModelNode>& nodes, const std::vector<bool>& claimed)
      : readers_(nodes.size()), writers_(nodes.size()), group_(nodes.size()), members_(nodes.size()) {
    std::map<std::string_view, size_t> writer_of;
    for (size_t n = 0; n < nodes.size(); ++n) {
      for (const NodeValue& input : nodes[n].inputs()) {
        const auto found = writer_of.find(input.name);
        if (input.name.empty() || found == writer_of.end()) continue;
        writers_[n].push_back(found->second);
        readers_[found->second].push_back(n);
      }
      for (const NodeValue& output : nodes[n].outputs()) writer_of[output.name] = n;
      members_[n] = {n};
    }
    std::iota(group_.begin(), group_.end(), size_t{0});
    for (size_t n = 0; n < nodes.size(); ++n) {
      if (!claimed[n]) continue;
      for (const size_t writer : writers_[n]) {
        if (claimed[writer]) Join(group_[writer], group_[n]);
      }
      // Readers of the same value share it.
      for (const size_t writer : writers_[n]) {
        for (const size_t reader : readers_[writer]) {
          if (reader < n && claimed[reader]) Join(group_[reader], group_[n]);
        }
      }
    }
  }

  std::vector<std::vector<size_t>> Take(const std::vector<bool>& claimed) {
    std::vector<std::vector<size_t>> groups;
    for (size_t g = 0; g < members_.size(); ++g) {
      if (!members_[g].empty() && claimed[members_[g].front()]) {
        std::vector<size_t> sorted;
        for (size_t n = 0; n < group_.size(); ++n) {
          if (group_[n] == g) sorted.push_back(n);
        }
        groups.push_back(std::move(sorted));
      }
    }
    return groups;
  }

 private:
  // Unless something outside would have to come after one and before the other.
  void Join(size_t first, size_t second) {
    if (first == second || LeadsThroughOthers(first, second) || LeadsThroughOthers(second, first)) return;
    for (const size_t n : members_[second]) group_[n] = first;
    members_[first].insert(members_[first].end(), members_[second].begin(), members_[second].end());
    members_[second].clear();
  }

  // Is there a way from one group to the other that passes a third?
  bool LeadsThroughOthers(size_t from, size_t to) const {
    std::vector<bool> seen(group_.size());
    std::vector<size_t> waiting;
    const auto follow = [&](size_t group, bool is_first) {
      for (const size_t n : members_[group]) {
        for (const size_t reader : readers_[n]) {
          const size_t next = group_[reader];
          if (next == from || seen[next] || (is_first && next == to)) continue;
          seen[next] = true;
          waiting.push_back(next);
        }
      }
    };
    follow(from, true);
    while (!waiting.empty()) {
      const size_t group = waiting.back();
      waiting.pop_back();
      if (group == to) return true;
      follow(group, false);
    }
    return false;
  }

  std::vector<std::vector<size_t>> readers_;
  std::vector<std::vector<size_t>> writers_;
  std::vector<size_t> group_;  // of each node
  std::vector<std::vector<size_t>> members_;
};

}  // namespace

std::vector<std::vector<size_t>> Partition(const std::vector<ModelNode>& nodes,
                                           const std::vector<bool>& claimed) {
  return Groups(nodes, claimed).Take(claimed);
}

}  // namespace residue::ort
