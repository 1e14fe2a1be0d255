// A node of a model as ONNX Runtime shows it, with the names that connect it to others.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "api.h"
#include "provider_abi.h"

namespace residue::ort {

// An input or output. An optional input that is left out has no name.
struct NodeValue {
  std::string name;
  ElementType type = ElementType::kUndefined;  // of a tensor; undefined for whatever else it is
  std::vector<int64_t> dimensions;             // -1: not known; none also if their count is not known
  bool is_constant = false;                    // an initializer, of which all dimensions are known
};

class ModelNode {
 public:
  // May throw std::bad_alloc.
  static Status* Read(const Api& api, const GraphNode* node, ModelNode* read);

  const GraphNode* node() const { return node_; }
  const std::string& name() const { return name_; }
  const std::string& op() const { return op_; }
  const std::string& domain() const { return domain_; }
  int version() const { return version_; }
  const std::vector<NodeValue>& inputs() const { return inputs_; }
  const std::vector<NodeValue>& outputs() const { return outputs_; }
  // What the graphs inside it read of the graph around it: If, Loop and Scan have such.
  const std::vector<NodeValue>& implicit_inputs() const { return implicit_inputs_; }

  // An attribute, or `otherwise` if the node has none of this name and type.
  int64_t Int(const char* attribute, int64_t otherwise) const { return Get(attribute, otherwise); }
  float Float(const char* attribute, float otherwise) const { return Get(attribute, otherwise); }
  std::string String(const char* attribute, const char* otherwise) const {
    return Get(attribute, std::string(otherwise));
  }
  bool Has(const char* attribute) const { return attributes_.contains(attribute); }
  // Whether it is missing, or an integer between these.
  bool IsIntOrMissing(const char* attribute, int64_t least, int64_t most) const {
    const int64_t value = Int(attribute, least - 1);
    return !Has(attribute) || (value >= least && value <= most);
  }

 private:
  using AttributeValue = std::variant<int64_t, float, std::string>;

  template <class T>
  T Get(const char* attribute, T otherwise) const {
    const auto found = attributes_.find(attribute);
    const T* value = found == attributes_.end() ? nullptr : std::get_if<T>(&found->second);
    return value == nullptr ? otherwise : *value;
  }
  Status* ReadAttributes(const Api& api);
  Status* ReadAttribute(const Api& api, const Attribute* attribute);

  const GraphNode* node_ = nullptr;
  std::string name_;
  std::string op_;
  std::string domain_;
  int version_ = 0;
  std::vector<NodeValue> inputs_;
  std::vector<NodeValue> outputs_;
  std::vector<NodeValue> implicit_inputs_;
  std::map<std::string, AttributeValue> attributes_;
};

// All nodes of a graph, in an order in which each comes after what it reads. May throw std::bad_alloc.
Status* ReadNodes(const Api& api, const Graph* graph, std::vector<ModelNode>* nodes);

// The names of a node's inputs or outputs and their types. May throw std::bad_alloc.
Status* ReadInputs(const Api& api, const GraphNode* node, std::vector<NodeValue>* values);
Status* ReadOutputs(const Api& api, const GraphNode* node, std::vector<NodeValue>* values);

}  // namespace residue::ort
