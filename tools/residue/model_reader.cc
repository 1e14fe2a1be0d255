#include <wsl/winadapter.h>

#include "model_reader.h"

#include <fmt/ranges.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>

#include "directml/tensor_desc.h"
#include "failure.h"
#include "initial_values.h"
#include "model_path.h"
#include "text.h"

namespace residue::tool {
namespace {

// An enumeration's value by its name, in full or without the prefix.
struct NamedValue {
  std::string_view name;
  uint32_t value;
};

uint32_t ReadFlags(const Json& value, std::string_view prefix, std::span<const NamedValue> known) {
  const auto read = [&](const Json& flag) {
    std::string name = flag.AsString();
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
    for (const NamedValue& candidate : known) {
      if (candidate.name == name) return candidate.value;
    }
    flag.Refuse(fmt::format("'{}' is not a flag that exists here", name));
  };
  if (!value.IsArray()) return read(value);
  uint32_t flags = 0;
  for (const Json& flag : value.Elements()) flags |= read(flag);
  return flags;
}

Resource ReadResource(const std::string& name, const Json& value, ModelLimits* limits) {
  Resource resource;
  resource.name = name;
  if (const auto type = value.Find("initialValuesDataType")) {
    if (type->AsString() != "UNKNOWN") resource.type = ReadType(*type);
  }
  const Json values = value.At("initialValues");
  InitialValues initial = ReadInitialValues(values, resource.type, limits);
  resource.type = initial.type;
  resource.initial_values = std::move(initial.bytes);
  if (resource.initial_values.empty()) values.Refuse("must not be empty");
  const uint64_t bytes = resource.initial_values.size();
  // DirectML counts in words.
  resource.bytes = (bytes + 3) / 4 * 4;
  resource.value_bytes = bytes;
  if (const auto size = value.Find("sizeInBytes")) {
    resource.bytes = size->AsUint64();
    Charge(*size, resource.bytes, limits);
  }
  if (const auto offset = value.Find("initialValuesOffsetInBytes"))
    resource.initial_offset = offset->AsUint64();
  if (bytes > resource.bytes || resource.initial_offset > resource.bytes - bytes) {
    value.Refuse(fmt::format("the buffer has {} bytes, which is too few for {} bytes of values at offset {}",
                             resource.bytes, bytes, resource.initial_offset));
  }
  return resource;
}

TensorSpec ReadTensor(const Json& outer) {
  constexpr NamedValue kFlags[] = {{"NONE", DML_TENSOR_FLAG_NONE},
                                   {"OWNED_BY_DML", DML_TENSOR_FLAG_OWNED_BY_DML}};
  if (const auto type = outer.Find("Type"); type && !type->AsString().ends_with("BUFFER"))
    type->Refuse("must be DML_TENSOR_TYPE_BUFFER");
  const Json value = outer.Find("Desc").value_or(outer);
  TensorSpec tensor;
  tensor.type = ReadType(value.At("DataType"));
  tensor.sizes = value.At("Sizes").AsUint32Array();
  if (const auto count = value.Find("DimensionCount")) {
    if (count->AsUint32() > tensor.sizes.size())
      count->Refuse(fmt::format("is {}, but Sizes has {}", count->AsUint32(), tensor.sizes.size()));
    tensor.sizes.resize(count->AsUint32());
  }
  if (const auto strides = value.Find("Strides"); strides && !strides->raw().IsNull()) {
    tensor.strides = strides->AsUint32Array();
    if (!tensor.strides.empty() && tensor.strides.size() != tensor.sizes.size())
      strides->Refuse(
          fmt::format("has {} numbers, but Sizes has {}", tensor.strides.size(), tensor.sizes.size()));
  }
  if (const auto flags = value.Find("Flags"))
    tensor.flags = static_cast<DML_TENSOR_FLAGS>(ReadFlags(*flags, "DML_TENSOR_FLAG_", kFlags));
  if (const auto total = value.Find("TotalTensorSizeInBytes")) tensor.total_bytes = total->AsUint64();
  if (tensor.total_bytes == 0) tensor.total_bytes = MinimumBytes(Describe(tensor));
  if (const auto alignment = value.Find("GuaranteedBaseOffsetAlignment"))
    tensor.alignment = alignment->AsUint32();
  return tensor;
}

BindingSource ReadBinding(const Json& given) {
  const std::vector<Json> list = given.IsArray() ? given.Elements() : std::vector<Json>{given};
  if (list.size() != 1) given.Refuse("must name one resource: these operators take one per tensor");
  const Json& value = list[0];
  if (value.IsString()) return {value.AsString()};
  BindingSource source = {value.At("name").AsString()};
  const auto number = [&](const char* name, uint64_t* to) {
    if (const auto field = value.Find(name)) *to = field->AsUint64();
  };
  uint64_t unused = 0;
  number("elementCount", &unused);
  number("elementSizeInBytes", &source.element_bytes);
  number("elementOffset", &source.element_offset);
  return source;
}

Bindings ReadBindings(const Json& value, const Model& model) {
  Bindings bindings;
  for (const auto& [name, binding] : value.Members()) {
    const BindingSource source = ReadBinding(binding);
    if (model.FindResource(source.resource) == nullptr)
      binding.Refuse(fmt::format("there is no resource '{}'", source.resource));
    bindings.emplace(name, source);
  }
  return bindings;
}

const OperatorSchema* ReadOperator(const Json& value) {
  const std::string name = value.AsString();
  std::string known;
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    if (schema.name == name || schema.name == "DML_OPERATOR_" + name) return &schema;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", schema.name);
  }
  value.Refuse(fmt::format("the operator is '{}', which Residue does not have; it has {}", name, known));
}

// An attribute's bits: of a number, of an element of the operator's type, or of an enumerator by its name.
uint64_t ReadAttribute(const Json& value, const Field& field, DataType type) {
  if (field.kind == Field::kFloat32 || field.kind == Field::kSteepness || field.kind == Field::kBound)
    return ReadElementBits(value, DataType::kFloat32);
  if (field.kind == Field::kElement) return ReadElementBits(value, type);
  if (field.kind == Field::kType || field.kind == Field::kTypeOrUnknown)
    return static_cast<uint64_t>(ReadType(value));
  if (!value.IsString()) return value.AsUint32();
  const std::string name = value.AsString();
  const auto found = std::ranges::find(field.values, name);
  if (found == field.values.end())
    value.Refuse(fmt::format("is '{}', but must be one of {}", name, fmt::join(field.values, ", ")));
  return static_cast<uint32_t>(found - field.values.begin());
}

// In the order of the description. MinMaxDataType may be left out.
std::vector<uint64_t> ReadAttributes(const Json& desc, const OperatorSchema& schema, DataType type) {
  std::vector<uint64_t> attributes;
  for (const Field& field : schema.fields) {
    if (field.kind <= Field::kActivation) continue;
    const bool unknown = field.kind == Field::kTypeOrUnknown && !desc.Find(field.name);
    attributes.push_back(unknown ? 0 : ReadAttribute(desc.At(field.name), field, type));
  }
  return attributes;
}

// {"Type": "ACTIVATION_LEAKY_RELU", "Alpha": 0.5}, in the result's type.
std::shared_ptr<const Dispatchable> ReadActivation(const std::optional<Json>& value, DataType type) {
  if (!value || value->raw().IsNull()) return nullptr;
  auto activation = std::make_shared<Dispatchable>();
  const auto lower = value->Find("type");
  activation->schema = ReadOperator(lower ? *lower : value->At("Type"));
  activation->attributes = ReadAttributes(value->Find("Desc").value_or(*value), *activation->schema, type);
  return activation;
}

Dispatchable ReadDispatchable(const std::string& name, const Json& value, const Model& model) {
  constexpr NamedValue kFlags[] = {
      {"NONE", DML_EXECUTION_FLAG_NONE},
      {"ALLOW_HALF_PRECISION_COMPUTATION", DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION},
      {"DISABLE_META_COMMANDS", DML_EXECUTION_FLAG_DISABLE_META_COMMANDS},
      {"DESCRIPTORS_VOLATILE", DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE}};
  Dispatchable dispatchable;
  dispatchable.name = name;
  dispatchable.schema = ReadOperator(value.At("type"));
  // The description may also be in the dispatchable itself.
  const auto upper = value.Find("Desc");
  const auto lower = value.Find("desc");
  const Json desc = upper ? *upper : lower ? *lower : value;
  for (uint32_t i = 0; i <= dispatchable.schema->input_count; ++i) {
    const std::string point = dispatchable.BindPoint(i);
    const auto tensor = desc.Find(point.c_str());
    const bool absent = !tensor || tensor->raw().IsNull();
    const bool optional = dispatchable.schema->Tensor(i).is_optional();
    dispatchable.tensors.push_back(absent && optional ? TensorSpec{} : ReadTensor(desc.At(point.c_str())));
  }
  if (const auto scale_bias = desc.Find("ScaleBias"); scale_bias && !scale_bias->raw().IsNull()) {
    const auto number = [&](const char* field) {
      const Json part = scale_bias->At(field);
      if (!part.raw().IsNumber()) part.Refuse("must be a number");
      return static_cast<float>(part.raw().GetDouble());
    };
    if (!dispatchable.schema->has_scale_bias()) scale_bias->Refuse("this operator has no ScaleBias");
    dispatchable.scale_bias = DML_SCALE_BIAS{number("Scale"), number("Bias")};
  }
  dispatchable.attributes = ReadAttributes(desc, *dispatchable.schema, dispatchable.tensors.back().type);
  for (const Field& field : dispatchable.schema->fields) {
    if (field.kind == Field::kActivation)
      dispatchable.activation = ReadActivation(desc.Find(field.name), dispatchable.tensors.back().type);
  }
  if (const auto flags = value.Find("executionFlags"))
    dispatchable.flags = static_cast<DML_EXECUTION_FLAGS>(ReadFlags(*flags, "DML_EXECUTION_FLAG_", kFlags));
  if (const auto kind = value.Find("dmlCompileType")) {
    dispatchable.as_graph = kind->AsString() == "DmlCompileGraph";
    if (!dispatchable.as_graph && kind->AsString() != "DmlCompileOp")
      kind->Refuse(fmt::format("is '{}', but must be DmlCompileOp or DmlCompileGraph", kind->AsString()));
  }
  if (const auto bindings = value.Find("bindings"))
    dispatchable.initial_bindings = ReadBindings(*bindings, model);
  return dispatchable;
}

template <class Named>
size_t FindNamed(const Json& value, const std::vector<Named>& all, const char* kind) {
  const std::string name = value.AsString();
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found == all.end()) value.Refuse(fmt::format("there is no {} '{}'", kind, name));
  return static_cast<size_t>(found - all.begin());
}

std::string OnOneLine(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

// Every tensor must be bound, except those that DirectML owns; nothing else can be.
void CheckBindings(const Json& place, const Dispatchable& dispatchable, const Bindings& bindings) {
  std::vector<std::string> points;
  for (uint32_t i = 0; i < dispatchable.tensors.size(); ++i) {
    const std::string point = dispatchable.BindPoint(i);
    points.push_back(point);
    const bool absent = dispatchable.tensors[i].sizes.empty();
    const bool owned = dispatchable.tensors[i].flags != DML_TENSOR_FLAG_NONE;
    if (!owned && !absent && !bindings.contains(point)) place.Refuse(fmt::format("{} is not bound", point));
  }
  for (const auto& [name, source] : bindings) {
    if (std::ranges::find(points, name) == points.end()) {
      place.Refuse(
          fmt::format("'{}' is not a tensor of the operator; those are {}", name, fmt::join(points, ", ")));
    }
  }
}

Command ReadCommand(const Json& value, const Model& model, const ModelLimits& limits) {
  Command command = {PrintCommand{}, OneLine(OnOneLine(value.raw()))};
  const std::string type = value.At("type").AsString();
  const std::string kind = Lower(type);
  if (kind == "dispatch") {
    const size_t index = FindNamed(value.At("dispatchable"), model.dispatchables, "dispatchable");
    const Json bindings = value.At("bindings");
    command.action = DispatchCommand{index, ReadBindings(bindings, model)};
    CheckBindings(bindings, model.dispatchables[index], std::get<DispatchCommand>(command.action).bindings);
  } else if (kind == "print") {
    const auto verbose = value.Find("verbose");
    command.action = PrintCommand{FindNamed(value.At("resource"), model.resources, "resource"),
                                  verbose && verbose->AsBool()};
  } else if (kind == "writefile") {
    WriteFileCommand write = {
        FindNamed(value.At("resource"), model.resources, "resource"),
        PathInside({limits.output_folder}, value.At("targetPath"), "--output_path").string(),
        {}};
    if (const auto dimensions = value.Find("dimensions")) write.dimensions = dimensions->AsUint32Array();
    command.action = write;
  } else {
    value.At("type").Refuse(fmt::format("is '{}', but must be dispatch, print or writeFile", type));
  }
  return command;
}

// A quarter of the machine's memory for values: running makes a buffer of them, and writing a copy of that.
uint64_t MostBytes() {
  const auto pages = static_cast<uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  return pages * static_cast<uint64_t>(std::max(sysconf(_SC_PAGESIZE), 0L)) / 4;
}

}  // namespace

Model ParseModel(std::string_view text, const std::string& name, ModelLimits limits) {
  const rapidjson::Document document = ParseJson(text, name);
  const Json root(document, name);
  Model model;
  for (const auto& [member, value] : root.At("resources").Members())
    model.resources.push_back(ReadResource(member, value, &limits));
  for (const auto& [member, value] : root.At("dispatchables").Members())
    model.dispatchables.push_back(ReadDispatchable(member, value, model));
  for (const Json& value : root.At("commands").Elements())
    model.commands.push_back(ReadCommand(value, model, limits));
  return model;
}

Model LoadModel(const std::string& path, const std::string& input_folder, const std::string& output_folder) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) Fail("{}: there is no such file", path);
  if (!std::filesystem::is_regular_file(path, error)) Fail("{}: is not a plain file", path);
  std::ostringstream text;
  const std::ifstream file(path, std::ios::binary);
  // An empty file gives no characters, which is an error of the stream, but not of reading.
  if (std::filesystem::file_size(path, error) > 0) text << file.rdbuf();
  if (!file || !text) Fail("{}: cannot be read", path);
  ModelLimits limits;
  limits.input_folder =
      input_folder.empty() ? std::filesystem::path(path).parent_path() : std::filesystem::path(input_folder);
  limits.output_folder = output_folder;
  limits.most_bytes = MostBytes();
  return ParseModel(text.str(), path, std::move(limits));
}

}  // namespace residue::tool
