#include "built_in_fusions.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace residue::ort {
namespace {

struct Fusion {
  std::string_view name;
  std::string_view path;
};

constexpr Fusion kFusions[] = {
#define RESIDUE_FUSION(name, path) {name, path},
#include "built_in_fusions.def"
};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

// One of the operators that a step of a path allows.
struct Allowed {
  explicit Allowed(std::string_view text) {
    const size_t end = std::min(text.find_first_of("!&$?"), text.size());
    op = text.substr(0, end);
    for (const char mark : text.substr(end)) {
      is_only_reader = is_only_reader || mark == '!';
      has_only_such_writers = has_only_such_writers || mark == '&';
      has_number = has_number || mark == '$';
    }
  }

  std::string_view op;
  bool is_only_reader = false;
  bool has_only_such_writers = false;
  bool has_number = false;
};

struct Step {
  explicit Step(std::string_view text) : is_optional(text.ends_with('?')) {
    for (const std::string_view one : Split(text, '|')) allowed.emplace_back(one);
  }

  std::vector<Allowed> allowed;
  bool is_optional;
};

bool HasConstantNumber(const ModelNode& node) {
  return std::ranges::any_of(node.inputs(), [](const NodeValue& input) {
    return input.is_constant &&
           std::ranges::all_of(input.dimensions, [](int64_t dimension) { return dimension == 1; });
  });
}

// Marks the nodes on all ways through the graph that a path describes.
class Matcher {
 public:
  Matcher(const std::vector<ModelNode>& nodes, const NodeLinks& links)
      : nodes_(nodes), links_(links), found_(nodes.size()) {}

  void Mark(const Fusion& fusion) {
    std::vector<Step> steps;
    for (const std::string_view text : Split(fusion.path, ' ')) steps.emplace_back(text);
    for (size_t n = 0; n < nodes_.size(); ++n) {
      if (Allows(steps.front(), n)) MarkFrom(n, fusion.name, steps);
    }
  }
  std::vector<std::string> Take() { return std::move(found_); }

 private:
  bool IsOf(const Allowed& one, size_t n) const {
    return (one.op == "*" || one.op == nodes_[n].op()) && (!one.has_number || HasConstantNumber(nodes_[n]));
  }
  bool Allows(const Step& step, size_t n) const {
    return std::ranges::any_of(step.allowed, [&](const Allowed& one) { return IsOf(one, n); });
  }
  // Whether a node that reads another may follow it.
  bool AllowsAfter(size_t before, const Step& step_before, const Step& step, size_t n) const {
    return std::ranges::any_of(step.allowed, [&](const Allowed& one) {
      if (!IsOf(one, n)) return false;
      if (one.is_only_reader && links_.readers[before].size() != 1) return false;
      return !one.has_only_such_writers || std::ranges::all_of(links_.writers[n], [&](size_t writer) {
        return Allows(step_before, writer);
      });
    });
  }

  // Whether there is a way on from a node that the first of the steps allows. Marks what is on it.
  bool MarkFrom(size_t n, std::string_view name, std::span<const Step> steps) {
    const std::span<const Step> rest = steps.subspan(1);
    bool goes_on = rest.empty() || rest.front().is_optional;
    if (!rest.empty()) {
      for (const size_t reader : links_.readers[n]) {
        if (AllowsAfter(n, steps.front(), rest.front(), reader) && MarkFrom(reader, name, rest))
          goes_on = true;
      }
    }
    if (goes_on && found_[n].empty()) found_[n] = name;
    return goes_on;
  }

  const std::vector<ModelNode>& nodes_;
  const NodeLinks& links_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> FindBuiltInFusions(const std::vector<ModelNode>& nodes, const NodeLinks& links) {
  Matcher matcher(nodes, links);
  for (const Fusion& fusion : kFusions) matcher.Mark(fusion);
  return matcher.Take();
}

}  // namespace residue::ort
