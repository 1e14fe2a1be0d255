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
};

std::vector<Lifetime> FindLifetimes(const Graph& graph, std::span<const Walk> walks) {
  std::vector<size_t> place(graph.tensors().size(), SIZE_MAX);
  std::vector<Lifetime> lifetimes;
  for (size_t w = 0; w < walks.size(); ++w) {
    for (const View& store : walks[w].stores) {
      const Tensor& tensor = graph.tensors()[store.tensor];
      if (tensor.place != Place::kTemporary) continue;
      place[store.tensor] = lifetimes.size();
      lifetimes.push_back({store.tensor, AlignUp(tensor.bytes), w, w, 0});
    }
    for (const View& load : walks[w].loads) {
      if (place[load.tensor] != SIZE_MAX) lifetimes[place[load.tensor]].last = w;
    }
  }
  return lifetimes;
}

// The lowest gap between those that are placed and live at the same time.
uint64_t FindOffset(const Lifetime& wanted, std::span<const Lifetime* const> by_offset) noexcept {
  uint64_t offset = 0;
  for (const Lifetime* placed : by_offset) {
    if (placed->last < wanted.first || wanted.last < placed->first) continue;
    if (offset + wanted.bytes <= placed->offset) break;
    offset = std::min(kFar, std::max(offset, placed->offset + placed->bytes));
  }
  return offset;
}

}  // namespace

MemoryPlan PlanMemory(const Graph& graph, std::span<const Walk> walks) {
  std::vector<Lifetime> lifetimes = FindLifetimes(graph, walks);
  // Of equal sizes the first tensor comes first, so that the plan is the same with every standard library.
  std::sort(lifetimes.begin(), lifetimes.end(), [](const Lifetime& x, const Lifetime& y) {
    return x.bytes != y.bytes ? x.bytes > y.bytes : x.tensor < y.tensor;
  });
  MemoryPlan plan;
  plan.offsets.resize(graph.tensors().size());
  std::vector<const Lifetime*> by_offset;
  for (Lifetime& lifetime : lifetimes) {
    lifetime.offset = FindOffset(lifetime, by_offset);
    plan.offsets[lifetime.tensor] = lifetime.offset;
    plan.bytes = std::max(plan.bytes, lifetime.offset + lifetime.bytes);
    const auto place =
        std::upper_bound(by_offset.begin(), by_offset.end(), &lifetime,
                         [](const Lifetime* x, const Lifetime* y) { return x->offset < y->offset; });
    by_offset.insert(place, &lifetime);
  }
  return plan;
}

}  // namespace residue
