#include "model_node.h"

#include <utility>

namespace residue::ort {
namespace {

Status* ReadValue(const Api& api, const ValueInfo* info, NodeValue* value) {
  if (info == nullptr) return nullptr;
  const char* name = nullptr;
  if (Status* status =
          api.Call<Status*, const ValueInfo*, const char**>(slots::kGetValueInfoName, info, &name)) {
    return status;
  }
  value->name = name == nullptr ? "" : name;
  const TypeInfo* type = nullptr;
  if (Status* status =
          api.Call<Status*, const ValueInfo*, const TypeInfo**>(slots::kGetValueInfoTypeInfo, info, &type)) {
    return status;
  }
  const ShapeInfo* tensor = nullptr;
  if (type == nullptr) return nullptr;
  if (Status* status = api.Call<Status*, const TypeInfo*, const ShapeInfo**>(slots::kCastTypeInfoToTensorInfo,
                                                                             type, &tensor)) {
    return status;
  }
  if (tensor == nullptr) return nullptr;
  TensorShape shape;
  if (Status* status = ReadShape(api, tensor, &shape)) return status;
  value->type = shape.type;
  value->dimensions = std::move(shape.dimensions);
  return api.Call<Status*, const ValueInfo*, bool*>(slots::kValueInfoIsConstantInitializer, info,
                                                    &value->is_constant);
}

Status* ReadValues(const Api& api, const GraphNode* node, Slot count_slot, Slot values_slot,
                   std::vector<NodeValue>* values) {
  size_t count = 0;
  if (Status* status = api.Call<Status*, const GraphNode*, size_t*>(count_slot, node, &count)) return status;
  std::vector<const ValueInfo*> infos(count);
  if (Status* status = api.Call<Status*, const GraphNode*, const ValueInfo**, size_t>(values_slot, node,
                                                                                      infos.data(), count)) {
    return status;
  }
  values->resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (Status* status = ReadValue(api, infos[i], &(*values)[i])) return status;
  }
  return nullptr;
}

Status* ReadText(const Api& api, const GraphNode* node, Slot slot, std::string* text) {
  const char* found = nullptr;
  if (Status* status = api.Call<Status*, const GraphNode*, const char**>(slot, node, &found)) return status;
  *text = found == nullptr ? "" : found;
  return nullptr;
}

}  // namespace

Status* ReadInputs(const Api& api, const GraphNode* node, std::vector<NodeValue>* values) {
  return ReadValues(api, node, slots::kNodeGetNumInputs, slots::kNodeGetInputs, values);
}

Status* ReadOutputs(const Api& api, const GraphNode* node, std::vector<NodeValue>* values) {
  return ReadValues(api, node, slots::kNodeGetNumOutputs, slots::kNodeGetOutputs, values);
}

Status* ModelNode::Read(const Api& api, const GraphNode* node, ModelNode* read) {
  read->api_.emplace(api);
  read->node_ = node;
  if (Status* status = ReadText(api, node, slots::kNodeGetName, &read->name_)) return status;
  if (Status* status = ReadText(api, node, slots::kNodeGetOperatorType, &read->op_)) return status;
  if (Status* status = ReadText(api, node, slots::kNodeGetDomain, &read->domain_)) return status;
  if (Status* status =
          api.Call<Status*, const GraphNode*, int*>(slots::kNodeGetSinceVersion, node, &read->version_)) {
    return status;
  }
  if (Status* status = ReadInputs(api, node, &read->inputs_)) return status;
  return ReadOutputs(api, node, &read->outputs_);
}

const Attribute* ModelNode::Find(const char* name) const {
  const Attribute* found = nullptr;
  Status* status = api_->Call<Status*, const GraphNode*, const char*, const Attribute**>(
      slots::kNodeGetAttributeByName, node_, name, &found);
  api_->Release(status);  // not to have it is no error of ours
  return status == nullptr ? found : nullptr;
}

template <class T>
T ModelNode::Number(const char* attribute, AttributeType type, T otherwise) const {
  const Attribute* found = Find(attribute);
  if (found == nullptr) return otherwise;
  T value = otherwise;
  size_t size = 0;
  api_->Release(api_->Call<Status*, const Attribute*, AttributeType, void*, size_t, size_t*>(
      slots::kReadOpAttr, found, type, &value, sizeof(value), &size));
  return value;
}

int64_t ModelNode::Int(const char* attribute, int64_t otherwise) const {
  return Number(attribute, AttributeType::kInt, otherwise);
}

float ModelNode::Float(const char* attribute, float otherwise) const {
  return Number(attribute, AttributeType::kFloat, otherwise);
}

std::string ModelNode::String(const char* attribute, const char* otherwise) const {
  const Attribute* found = Find(attribute);
  if (found == nullptr) return otherwise;
  char text[64] = "";
  size_t size = 0;
  Status* status = api_->Call<Status*, const Attribute*, AttributeType, void*, size_t, size_t*>(
      slots::kReadOpAttr, found, AttributeType::kString, text, sizeof(text), &size);
  api_->Release(status);  // longer than any text that we know
  if (status != nullptr) return "?";
  std::string read(text, size < sizeof(text) ? size : sizeof(text));
  while (!read.empty() && read.back() == '\0') read.pop_back();
  return read;
}

Status* ReadNodes(const Api& api, const Graph* graph, std::vector<ModelNode>* nodes) {
  size_t count = 0;
  if (Status* status = api.Call<Status*, const Graph*, size_t*>(slots::kGraphGetNumNodes, graph, &count))
    return status;
  std::vector<const GraphNode*> found(count);
  if (Status* status = api.Call<Status*, const Graph*, const GraphNode**, size_t>(
          slots::kGraphGetNodes, graph, found.data(), count)) {
    return status;
  }
  nodes->resize(count);
  for (size_t i = 0; i < count; ++i) {
    if (Status* status = ModelNode::Read(api, found[i], &(*nodes)[i])) return status;
  }
  return nullptr;
}

}  // namespace residue::ort
