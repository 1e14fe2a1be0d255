#include "graph/fuse.h"

#include <algorithm>
#include <span>

namespace residue {
namespace {

// Newer walks that a node without a fitting one among its writers' is tried with.
constexpr size_t kMostTries = 8;

class Fuser {
 public:
  Fuser(const Graph& graph, const WalkLimits& limits)
      : graph_(graph), limits_(limits), walk_of_(graph.nodes().size()), readers_(graph.tensors().size()) {
    // From the last to the first: a node that no output depends on is left out, and does not read.
    for (auto n = static_cast<uint32_t>(graph.nodes().size()); n-- > 0;) {
      const Node& node = graph.nodes()[n];
      const uint32_t result = node.output().tensor;
      if (graph.tensors()[result].place != Place::kOutput && readers_[result].empty()) continue;
      wanted_.push_back(n);
      for (uint32_t k = 0; k < node.input_count(); ++k) {
        std::vector<uint32_t>& readers = readers_[node.operands[k].tensor];
        if (readers.empty() || readers.back() != n) readers.push_back(n);
      }
    }
    std::reverse(wanted_.begin(), wanted_.end());
    for (std::vector<uint32_t>& readers : readers_) std::reverse(readers.begin(), readers.end());
  }

  std::vector<Walk> Run() {
    for (const uint32_t n : wanted_) Join(n);
    for (const std::vector<uint32_t>& group : groups_) Cut(group);
    return std::move(walks_);
  }

 private:
  // The nodes of a walk that may still be too large; a node joins the newest that takes it and comes after
  // everything that it reads.
  void Join(uint32_t n) {
    const Node& node = graph_.nodes()[n];
    size_t earliest = 0;
    for (uint32_t k = 0; k < node.input_count(); ++k) {
      const uint32_t writer = graph_.writer(node.operands[k].tensor);
      if (writer != Graph::kNobody) earliest = std::max<size_t>(earliest, walk_of_[writer]);
    }
    for (size_t tries = 0, w = groups_.size(); w > earliest && tries < kMostTries; ++tries) {
      if (!Takes(--w, node)) continue;
      walk_of_[n] = static_cast<uint32_t>(w);
      groups_[w].push_back(n);
      return;
    }
    walk_of_[n] = static_cast<uint32_t>(groups_.size());
    groups_.push_back({n});
  }

  // Same sizes; and what the node reads of this walk it reads as it was written.
  bool Takes(size_t w, const Node& node) const {
    const Node& first = graph_.nodes()[groups_[w].front()];
    if (groups_[w].size() >= limits_.nodes || first.rank != node.rank ||
        !std::equal(node.sizes.begin(), node.sizes.begin() + node.rank, first.sizes.begin())) {
      return false;
    }
    for (uint32_t k = 0; k < node.input_count(); ++k) {
      const uint32_t writer = graph_.writer(node.operands[k].tensor);
      if (writer == Graph::kNobody || walk_of_[writer] != w) continue;
      if (!IsSameView(node, node.operands[k], graph_.nodes()[writer].output())) return false;
    }
    return true;
  }

  // As one walk, or as two halves if that is too much.
  void Cut(std::span<const uint32_t> nodes) {
    Walk walk;
    if (MakeWalk(nodes, &walk) || nodes.size() == 1) {
      walks_.push_back(std::move(walk));
      return;
    }
    Cut(nodes.first(nodes.size() / 2));
    Cut(nodes.subspan(nodes.size() / 2));
  }

  // Of a node's result inside these nodes, which are in order: where it is, and who reads it last.
  struct Result {
    ValuePlace place;
    size_t last_read;
  };

  static bool Contains(std::span<const uint32_t> nodes, uint32_t node) {
    return std::binary_search(nodes.begin(), nodes.end(), node);
  }
  static size_t PositionOf(std::span<const uint32_t> nodes, uint32_t node) {
    return static_cast<size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  }

  bool NeedsMemory(std::span<const uint32_t> nodes, uint32_t tensor) const {
    if (graph_.tensors()[tensor].place != Place::kTemporary) return true;
    return !std::all_of(readers_[tensor].begin(), readers_[tensor].end(),
                        [&](uint32_t reader) { return Contains(nodes, reader); });
  }

  // False if the nodes need more than the limits allow; the walk is complete all the same if it is one node.
  bool MakeWalk(std::span<const uint32_t> nodes, Walk* walk) const {
    std::vector<Result> results(nodes.size());
    std::vector<bool> taken;  // blocks in use
    for (size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = graph_.nodes()[nodes[i]];
      WalkStep step = {nodes[i], {}};
      for (uint32_t k = 0; k < node.input_count(); ++k) {
        step.places[k] = PlaceOfInput(nodes, node, node.operands[k], results, walk);
      }
      const uint32_t tensor = node.output().tensor;
      Result& result = results[i];
      if (NeedsMemory(nodes, tensor)) {
        result.place = {ValuePlace::kStore, static_cast<uint8_t>(walk->stores.size())};
        walk->stores.push_back(node.output());
      } else {
        const std::vector<uint32_t>& readers = readers_[tensor];
        result.last_read = PositionOf(nodes, readers.back());  // somebody reads it, and all who do are here
        result.place = {ValuePlace::kBlock, TakeBlock(i, step, node, results, nodes, &taken)};
      }
      FreeBlocks(i, step, node, results, nodes, &taken);
      if (result.place.kind == ValuePlace::kBlock) taken[result.place.index] = true;
      step.places[node.input_count()] = result.place;
      walk->steps.push_back(step);
      if (walk->loads.size() + walk->stores.size() > limits_.operands || taken.size() > limits_.blocks) {
        return false;
      }
    }
    walk->block_count = static_cast<uint32_t>(taken.size());
    return true;
  }

  ValuePlace PlaceOfInput(std::span<const uint32_t> nodes, const Node& node, const View& view,
                          std::span<const Result> results, Walk* walk) const {
    const uint32_t writer = graph_.writer(view.tensor);
    if (writer != Graph::kNobody && Contains(nodes, writer)) return results[PositionOf(nodes, writer)].place;
    for (size_t i = 0; i < walk->loads.size(); ++i) {
      if (IsSameView(node, walk->loads[i], view)) return {ValuePlace::kLoad, static_cast<uint8_t>(i)};
    }
    walk->loads.push_back(view);
    return {ValuePlace::kLoad, static_cast<uint8_t>(walk->loads.size() - 1)};
  }

  // The block of an input that is read for the last time and whose elements are as large, or a free one.
  uint8_t TakeBlock(size_t i, const WalkStep& step, const Node& node, std::span<const Result> results,
                    std::span<const uint32_t> nodes, std::vector<bool>* taken) const {
    for (uint32_t k = 0; k < node.input_count(); ++k) {
      if (EndsIn(i, step.places[k], node.operands[k], results, nodes) &&
          SizeOf(node.operands[k].type) == SizeOf(node.output().type)) {
        return step.places[k].index;
      }
    }
    const auto free = std::find(taken->begin(), taken->end(), false);
    if (free != taken->end()) return static_cast<uint8_t>(free - taken->begin());
    taken->push_back(true);
    return static_cast<uint8_t>(taken->size() - 1);
  }

  // Blocks whose values are read for the last time by node i.
  void FreeBlocks(size_t i, const WalkStep& step, const Node& node, std::span<const Result> results,
                  std::span<const uint32_t> nodes, std::vector<bool>* taken) const {
    for (uint32_t k = 0; k < node.input_count(); ++k) {
      if (EndsIn(i, step.places[k], node.operands[k], results, nodes)) (*taken)[step.places[k].index] = false;
    }
  }

  bool EndsIn(size_t i, ValuePlace place, const View& view, std::span<const Result> results,
              std::span<const uint32_t> nodes) const {
    if (place.kind != ValuePlace::kBlock) return false;
    return results[PositionOf(nodes, graph_.writer(view.tensor))].last_read == i;
  }

  const Graph& graph_;
  const WalkLimits& limits_;
  std::vector<uint32_t> wanted_;  // the nodes that outputs depend on
  std::vector<uint32_t> walk_of_;
  std::vector<std::vector<uint32_t>> readers_;  // by tensor, in order
  std::vector<std::vector<uint32_t>> groups_;
  std::vector<Walk> walks_;
};

}  // namespace

std::vector<Walk> Fuse(const Graph& graph, const WalkLimits& limits) { return Fuser(graph, limits).Run(); }

}  // namespace residue
