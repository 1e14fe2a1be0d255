#include "partition.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace residue::ort {
namespace {

// Of groups that read the same value, only so many are looked at: a value may have thousands of readers.
constexpr size_t kMostSiblings = 8;

// A group becomes one graph of the library, which has room for 65,536 nodes. So many steps a group may need;
// and where groups have an end, joining a long chain takes linear time.
constexpr size_t kMostSteps = 1 << 14;

// How many steps a node takes, at most: variadic ones one for each input, others a few.
size_t StepsOf(const ModelNode& node) { return node.inputs().size() + 8; }

// A graph of groups, each of which is one node at first. A node comes after what it reads.
class Groups {
 public:
  Groups(const std::vector<ModelNode>& nodes, const NodeLinks& links, const std::vector<bool>& claimed)
      : links_(links), group_(nodes.size()), members_(nodes.size()) {
    for (size_t n = 0; n < nodes.size(); ++n) {
      members_[n] = {n};
      steps_.push_back(StepsOf(nodes[n]));
      first_.push_back(n);
      last_.push_back(n);
    }
    std::iota(group_.begin(), group_.end(), size_t{0});
    for (size_t n = 0; n < nodes.size(); ++n) {
      if (!claimed[n]) continue;
      for (const size_t writer : links_.writers[n]) {
        if (claimed[writer]) Join(group_[writer], group_[n]);
      }
      for (const size_t writer : links_.writers[n]) JoinSiblings(writer, n, claimed);
    }
  }

  std::vector<std::vector<size_t>> Take(const std::vector<bool>& claimed) {
    std::vector<std::vector<size_t>> groups;
    for (std::vector<size_t>& members : members_) {
      if (members.empty() || !claimed[members.front()]) continue;
      std::ranges::sort(members);
      groups.push_back(std::move(members));
    }
    return groups;
  }

 private:
  // Readers of the same value share it: the latest before this one.
  void JoinSiblings(size_t writer, size_t n, const std::vector<bool>& claimed) {
    const std::vector<size_t>& readers = links_.readers[writer];
    std::set<size_t> refused;
    for (size_t i = readers.size(); i-- > 0 && refused.size() < kMostSiblings;) {
      const size_t reader = readers[i];
      if (reader >= n || !claimed[reader] || group_[reader] == group_[n] || refused.contains(group_[reader]))
        continue;
      if (!Join(group_[reader], group_[n])) refused.insert(group_[reader]);
    }
  }

  // Unless something outside would have to come after one and before the other.
  bool Join(size_t first, size_t second) {
    if (first == second) return true;
    if (steps_[first] + steps_[second] > kMostSteps) return false;
    if (LeadsThroughOthers(first, second) || LeadsThroughOthers(second, first)) return false;
    for (const size_t n : members_[second]) group_[n] = first;
    members_[first].insert(members_[first].end(), members_[second].begin(), members_[second].end());
    members_[second].clear();
    steps_[first] += steps_[second];
    first_[first] = std::min(first_[first], first_[second]);
    last_[first] = std::max(last_[first], last_[second]);
    return true;
  }

  // Is there a way from one group to the other that passes a third? Looks back from where it would end, no
  // further than to where it would begin.
  bool LeadsThroughOthers(size_t from, size_t to) const {
    std::set<size_t> seen = {to};
    std::vector<size_t> waiting;
    const auto look_back = [&](size_t group) {
      for (const size_t n : members_[group]) {
        for (const size_t writer : links_.writers[n]) {
          const size_t before = group_[writer];
          if (before == from && group != to) return true;
          if (before == from || last_[before] < first_[from]) continue;
          if (seen.insert(before).second) waiting.push_back(before);
        }
      }
      return false;
    };
    if (look_back(to)) return true;
    while (!waiting.empty()) {
      const size_t group = waiting.back();
      waiting.pop_back();
      if (look_back(group)) return true;
    }
    return false;
  }

  const NodeLinks& links_;
  std::vector<size_t> group_;  // of each node
  std::vector<std::vector<size_t>> members_;
  std::vector<size_t> steps_;  // of each group, at most
  std::vector<size_t> first_;  // of each group's members
  std::vector<size_t> last_;
};

}  // namespace

std::vector<std::vector<size_t>> Partition(const std::vector<ModelNode>& nodes, const NodeLinks& links,
                                           const std::vector<bool>& claimed) {
  return Groups(nodes, links, claimed).Take(claimed);
}

}  // namespace residue::ort
