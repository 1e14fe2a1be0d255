#include "random_model.h"

#include <optional>
#include <random>
#include <string_view>

#include "random_tensor.h"

namespace residue::ort::testing {
namespace {

struct Operator {
  const char* name;
  std::string_view recipe;
};

constexpr Operator kOperators[] = {
#define RESIDUE_ONNX(Name, first, recipe, Op, note) {#Name, #recipe},
#include "onnx_operators.def"
    {"Softmax", "not claimed"},
};

constexpr ElementType kTypes[] = {ElementType::kFloat,   ElementType::kInt32,  ElementType::kBool,
                                  ElementType::kFloat16, ElementType::kUint8,  ElementType::kDouble,
                                  ElementType::kInt64,   ElementType::kUint32, ElementType::kInt8};

class Maker {
 public:
  Maker(const Session::Settings& settings, const Choose& choose) : settings_(settings), choose_(choose) {
    made_.model.opset = kRandomOpset;
  }

  RandomModel Make(size_t most_nodes) {
    AddInputs();
    // Some that ONNX does not allow are tried in vain.
    for (size_t tries = 0; tries < 6 * most_nodes && made_.model.nodes.size() < most_nodes; ++tries)
      AddNode();
    AddOutputs();
    return std::move(made_);
  }

 private:
  const std::string& Any() { return names_[choose_(names_.size())]; }
  float Number() { return static_cast<float>(choose_(33)) / 8 - 2; }

  void AddInputs() {
    const int64_t full[] = {static_cast<int64_t>(1 + choose_(4)), static_cast<int64_t>(1 + choose_(5)),
                            static_cast<int64_t>(1 + choose_(40))};
    const size_t count = 2 + choose_(4);
    for (size_t i = 0; i < count; ++i) {
      std::vector<int64_t> shape(full + (i == 0 ? 0 : choose_(4)), std::end(full));
      for (int64_t& size : shape) {
        if (i > 0 && choose_(4) == 0) size = 1;
      }
      const ElementType type = kTypes[i == 0 || choose_(2) == 0 ? 0 : choose_(std::size(kTypes))];
      std::mt19937_64 random(choose_(1000));
      Tensor tensor = RandomTensor(type, shape, random);
      const std::string name = "x" + std::to_string(i);
      made_.model.inputs.push_back({name, type, std::nullopt});
      made_.inputs.push_back(tensor);
      Know(name, std::move(tensor));
    }
  }

  void Know(const std::string& name, Tensor tensor) {
    names_.push_back(name);
    made_.alone[name] = std::move(tensor);
  }

  // A value of one element, which is an initializer.
  std::string AddConstant(ElementType type) {
    const std::string name = "c" + std::to_string(made_.model.initializers.size() + pending_.size());
    std::mt19937_64 random(choose_(1000));
    pending_.push_back({name, type, {}, RandomBytes(type, 1, random)});
    return name;
  }

  ElementType TypeOf(const std::string& name) const { return made_.alone.at(name).type; }

  // Another value of its type, or itself if there seems to be none.
  std::string LikeThis(const std::string& name) {
    for (int i = 0; i < 8; ++i) {
      const std::string& other = Any();
      if (TypeOf(other) == TypeOf(name)) return other;
    }
    return name;
  }

  // Its inputs and attributes, as its recipe has them; others are any values.
  Node MakeNode(const Operator& op) {
    Node node = {.op = op.name, .inputs = {Any()}, .outputs = {}, .domain = "", .attributes = {}};
    const ElementType type = TypeOf(node.inputs[0]);
    const auto same_type = [&] { return LikeThis(node.inputs[0]); };
    const std::string_view recipe = op.recipe;
    if (recipe == "kBinary" || recipe == "kMod" || recipe == "kBitShift") node.inputs.push_back(same_type());
    if (recipe == "kLogical" && std::string_view(op.name) != "Not") node.inputs.push_back(same_type());
    if (recipe == "kQuestion" && std::string_view(op.name) != "IsNaN") node.inputs.push_back(same_type());
    if (recipe == "kVariadic" || recipe == "kMean") {
      for (uint64_t more = choose_(4); more > 0; --more) node.inputs.push_back(same_type());
    }
    if (recipe == "kWhere") {
      node.inputs.push_back(Any());
      node.inputs.push_back(LikeThis(node.inputs[1]));
    }
    if (recipe == "kClip") {
      node.inputs.push_back(choose_(3) == 0 ? "" : AddConstant(type));
      if (choose_(3) != 0) node.inputs.push_back(AddConstant(type));
    }
    if (recipe == "kQuantization") node.inputs.push_back(AddConstant(ElementType::kFloat));
    if (recipe == "kMod") node.attributes = {{"fmod", static_cast<int64_t>(choose_(2))}};
    if (recipe == "kBitShift") node.attributes = {{"direction", std::string(choose_(2) ? "LEFT" : "RIGHT")}};
    if (recipe == "kCast")
      node.attributes = {{"to", static_cast<int64_t>(kTypes[choose_(std::size(kTypes))])}};
    if (recipe == "kAlpha" && choose_(2)) node.attributes = {{"alpha", Number()}};
    if (recipe == "kHardSigmoid" && choose_(2)) node.attributes = {{"alpha", Number()}, {"beta", Number()}};
    if (recipe == "kIsInf" && choose_(2))
      node.attributes = {{"detect_negative", static_cast<int64_t>(choose_(2))}};
    return node;
  }

  // Computed alone, if it can be.
  std::optional<Tensor> RunAlone(const Node& node) {
    Node alone = node;
    alone.inputs.clear();
    std::vector<ElementType> types;
    std::vector<Tensor> inputs;
    for (const std::string& name : node.inputs) {
      if (!name.empty() && !IsPending(name)) {
        types.push_back(TypeOf(name));
        inputs.push_back(made_.alone.at(name));
      }
    }
    Model model = OneNode(alone, types, ElementType::kUndefined, kRandomOpset);
    model.initializers = pending_;
    size_t next = 0;
    model.nodes[0].inputs.clear();
    for (const std::string& name : node.inputs) {
      const bool is_input = !name.empty() && !IsPending(name);
      model.nodes[0].inputs.push_back(is_input ? "in" + std::to_string(next++) : name);
    }
    try {
      return Session(model, settings_).Run(inputs)[0];
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  bool IsPending(const std::string& name) const {
    for (const Initializer& constant : pending_) {
      if (constant.name == name) return true;
    }
    return false;
  }

  void AddNode() {
    pending_.clear();
    Node node = MakeNode(kOperators[choose_(std::size(kOperators))]);
    std::optional<Tensor> result = RunAlone(node);
    if (!result) return;
    node.outputs = {"y" + std::to_string(made_.model.nodes.size())};
    made_.model.nodes.push_back(node);
    made_.model.initializers.insert(made_.model.initializers.end(), pending_.begin(), pending_.end());
    Know(node.outputs[0], std::move(*result));
  }

  // The last value, and some of the others.
  void AddOutputs() {
    const size_t count = made_.model.nodes.size();
    for (size_t n = 0; n < count; ++n) {
      const std::string name = "y" + std::to_string(n);
      if (n + 1 == count || choose_(8) == 0)
        made_.model.outputs.push_back({name, made_.alone.at(name).type, std::nullopt});
    }
  }

  const Session::Settings& settings_;
  const Choose& choose_;
  RandomModel made_;
  std::vector<std::string> names_;
  std::vector<Initializer> pending_;  // of the node that is being made
};

}  // namespace

RandomModel MakeRandomModel(size_t most_nodes, const Session::Settings& settings, const Choose& choose) {
  return Maker(settings, choose).Make(most_nodes);
}

}  // namespace residue::ort::testing
