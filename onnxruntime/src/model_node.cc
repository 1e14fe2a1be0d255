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
  read->node_ = node;
  if (Status* status = ReadText(api, node, slots::kNodeGetName, &read->name_)) return status;
  if (Status* status = ReadText(api, node, slots::kNodeGetOperatorType, &read->op_)) return status;
  if (Status* status = ReadText(api, node, slots::kNodeGetDomain, &read->domain_)) return status;
  if (Status* status =
          api.Call<Status*, const GraphNode*, int*>(slots::kNodeGetSinceVersion, node, &read->version_)) {
    return status;
  }
  if (Status* status = ReadInputs(api, node, &read->inputs_)) return status;
  if (Status* status = ReadOutputs(api, node, &read->outputs_)) return status;
  if (Status* status = ReadValues(api, node, slots::kNodeGetNumImplicitInputs, slots::kNodeGetImplicitInputs,
                                  &read->implicit_inputs_)) {
    return status;
  }
  return read->ReadAttributes(api);
}

Status* ModelNode::ReadAttributes(const Api& api) {
  size_t count = 0;
  if (Status* status =
          api.Call<Status*, const GraphNode*, size_t*>(slots::kNodeGetNumAttributes, node_, &count)) {
    return status;
  }
  std::vector<const Attribute*> attributes(count);
  if (Status* status = api.Call<Status*, const GraphNode*, const Attribute**, size_t>(
          slots::kNodeGetAttributes, node_, attributes.data(), count)) {
    return status;
  }
  for (const Attribute* attribute : attributes) {
    if (Status* status = ReadAttribute(api, attribute)) return status;
  }
  return nullptr;
}

Status* ModelNode::ReadAttribute(const Api& api, const Attribute* attribute) {
  const char* name = nullptr;
  if (Status* status =
          api.Call<Status*, const Attribute*, const char**>(slots::kOpAttrGetName, attribute, &name)) {
    return status;
  }
  auto type = AttributeType::kUndefined;
  if (Status* status =
          api.Call<Status*, const Attribute*, AttributeType*>(slots::kOpAttrGetType, attribute, &type)) {
    // There are types that it has no number for; no operator of ours has such attributes.
    if (api.Call<ErrorCode, const Status*>(Slot::kGetErrorCode, status) != ErrorCode::kInvalidArgument)
      return status;
    api.Release(status);
    return nullptr;
  }
  const auto read = [&](void* value, size_t most, size_t* size) {
    return api.Call<Status*, const Attribute*, AttributeType, void*, size_t, size_t*>(
        slots::kReadOpAttr, attribute, type, value, most, size);
  };
  size_t size = 0;
  if (type == AttributeType::kInt) {
    int64_t number = 0;
    Status* status = read(&number, sizeof(number), &size);
    attributes_[name] = number;
    return status;
  }
  if (type == AttributeType::kFloat) {
    float number = 0;
    Status* status = read(&number, sizeof(number), &size);
    attributes_[name] = number;
    return status;
  }
  if (type != AttributeType::kString) return nullptr;
  char text[64] = "";
  if (Status* status = read(text, sizeof(text) - 1, &size)) {
    if (size < sizeof(text)) return status;
    api.Release(status);  // longer than any text that we know
  }
  attributes_[name] = std::string(text);
  return nullptr;
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
