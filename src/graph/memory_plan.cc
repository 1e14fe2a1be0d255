#include "graph/memory_plan.h"

#include <algorithm>

namespace residue {
namespace {

constexpr uint64_t kAlignment = 64;
constexpr uint64_t kFar = uint64_t{1} << 62;  // farther than any memory, with room to add a tensor

constexpr uint64_t AlignUp(uint64_t bytes) noexcept {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

struct Lifetime {
  uint32_t tensor;
  uint64_t bytes;
  size_t first;  // the walks, both included
  size_t last;
  uint64_t offset;
  size_t leaf;
};

std::vector<Lifetime> FindLifetimes(const Graph& graph, std::span<const Walk> walks,
                                    std::span<const uint64_t> bytes) {
  std::vector<size_t> place(graph.tensors().size(), SIZE_MAX);
  std::vector<Lifetime> lifetimes;
  for (size_t w = 0; w < walks.size(); ++w) {
    for (const View& store : walks[w].stores) {
      if (graph.tensors()[store.tensor].place != Place::kTemporary || bytes[store.tensor] == 0) continue;
      place[store.tensor] = lifetimes.size();
      lifetimes.push_back({store.tensor, AlignUp(bytes[store.tensor]), w, w, 0, 0});
    }
    for (const View& load : walks[w].loads) {
      if (place[load.tensor] != SIZE_MAX) lifetimes[place[load.tensor]].last = w;
    }
  }
  return lifetimes;
}

// A tensor that meets more placed ones than this is placed above all, so that work grows with the number of
// tensors and not with its square. Networks have a few tens alive at once.
constexpr size_t kMostNeighbours = 128;

// Those that are placed, to be found by the walks in which they live: a tree over all lifetimes in the order
// of their first walks, each node of which knows the latest end of what is placed below it.
class PlacedLifetimes {
 public:
  explicit PlacedLifetimes(std::span<Lifetime> lifetimes) : by_first_(lifetimes.size()) {
    for (size_t i = 0; i < lifetimes.size(); ++i) by_first_[i] = &lifetimes[i];
    std::sort(by_first_.begin(), by_first_.end(), [](const Lifetime* x, const Lifetime* y) {
      return x->first != y->first ? x->first < y->first : x->tensor < y->tensor;
    });
    while (leaves_ < by_first_.size()) leaves_ *= 2;
    past_end_.resize(2 * leaves_);
    for (size_t i = 0; i < by_first_.size(); ++i) by_first_[i]->leaf = leaves_ + i;
  }

  void Add(const Lifetime& placed) {
    for (size_t node = placed.leaf; node != 0; node /= 2) {
      past_end_[node] = std::max(past_end_[node], placed.last + 1);
    }
  }

  // Those that live at the same time, at most one more than kMostNeighbours, by their offsets.
  std::span<const Lifetime* const> NeighboursOf(const Lifetime& wanted) {
    neighbours_.clear();
    Collect(1, 0, leaves_, wanted);
    std::sort(neighbours_.begin(), neighbours_.end(), [](const Lifetime* x, const Lifetime* y) {
      return x->offset != y->offset ? x->offset < y->offset : x->tensor < y->tensor;
    });
    return neighbours_;
  }

 private:
  // Below a node, which has the lifetimes from `begin` on.
  void Collect(size_t node, size_t begin, size_t count, const Lifetime& wanted) {
    if (past_end_[node] <= wanted.first || by_first_[begin]->first > wanted.last) return;
    if (neighbours_.size() > kMostNeighbours) return;
    if (count == 1) {
      neighbours_.push_back(by_first_[begin]);
    } else {
      Collect(2 * node, begin, count / 2, wanted);
      Collect(2 * node + 1, begin + count / 2, count / 2, wanted);
    }
  }

  std::vector<Lifetime*> by_first_;
  size_t leaves_ = 1;
  std::vector<size_t> past_end_;  // by node of the tree; 0 where nothing is placed
  std::vector<const Lifetime*> neighbours_;
};

// The lowest gap between neighbours.
uint64_t FindOffset(const Lifetime& wanted, std::span<const Lifetime* const> neighbours) noexcept {
  uint64_t offset = 0;
  for (const Lifetime* placed : neighbours) {
    if (offset + wanted.bytes <= placed->offset) break;
    offset = std::min(kFar, std::max(offset, placed->offset + placed->bytes));
  }
  return offset;
}

}  // namespace

MemoryPlan PlanMemory(const Graph& graph, std::span<const Walk> walks, std::span<const uint64_t> bytes) {
  std::vector<Lifetime> lifetimes = FindLifetimes(graph, walks, bytes);
  // Of equal sizes the first tensor comes first, so that the plan is the same with every standard library.
  std::sort(lifetimes.begin(), lifetimes.end(), [](const Lifetime& x, const Lifetime& y) {
    return x.bytes != y.bytes ? x.bytes > y.bytes : x.tensor < y.tensor;
  });
  MemoryPlan plan;
  plan.offsets.resize(graph.tensors().size());
  PlacedLifetimes placed(lifetimes);
  for (Lifetime& lifetime : lifetimes) {
    const std::span<const Lifetime* const> neighbours = placed.NeighboursOf(lifetime);
    const bool many = neighbours.size() > kMostNeighbours;
    lifetime.offset = many ? std::min(kFar, plan.bytes) : FindOffset(lifetime, neighbours);
    placed.Add(lifetime);
    plan.offsets[lifetime.tensor] = lifetime.offset;
    plan.bytes = std::max(plan.bytes, lifetime.offset + lifetime.bytes);
  }
  return plan;
}

MemoryPlan PlanMemory(const Graph& graph, std::span<const Walk> walks) {
  std::vector<uint64_t> bytes(graph.tensors().size());
  std::ranges::transform(graph.tensors(), bytes.begin(), &Tensor::bytes);
  return PlanMemory(graph, walks, bytes);
}

}  // namespace residue
