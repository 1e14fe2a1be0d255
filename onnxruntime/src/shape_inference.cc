#include "shape_inference.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "broadcast.h"

namespace residue::ort {
namespace {

struct InputShape {
  TensorShape shape;
  std::vector<std::string> names;  // of dimensions that are not known, if they have any
};

Status* ReadInput(const Api& api, const InferContext* context, size_t index, InputShape* input) {
  ShapeInfo* info = nullptr;  // the context's, not ours
  if (Status* status = api.Call<Status*, const InferContext*, size_t, ShapeInfo**>(
          Slot::kShapeInferContextGetInputTypeShape, context, index, &info)) {
    return status;
  }
  if (Status* status = ReadShape(api, info, &input->shape)) return status;
  std::vector<const char*> names(input->shape.dimensions.size(), "");
  if (Status* status = api.Call<Status*, const ShapeInfo*, const char**, size_t>(
          Slot::kGetSymbolicDimensions, info, names.data(), names.size())) {
    return status;
  }
  input->names.assign(names.begin(), names.end());
  return nullptr;
}

// The name of dimension i of a broadcast shape if this input leaves it open, or nothing.
std::optional<std::string> OpenName(const InputShape& input, size_t rank, size_t i) {
  const size_t missing = rank - input.shape.dimensions.size();
  if (i < missing || input.shape.dimensions[i - missing] >= 0) return std::nullopt;
  return input.names[i - missing];
}

// A name for every dimension that is not known: the inputs' own, or one that no other dimension has, because
// ONNX Runtime takes dimensions of one name for equal.
std::vector<std::string> NameDimensions(const Shape& shape, const InputShape& a, const InputShape& b) {
  // From where the clock stands, so that a model which was saved with such names does not meet them again.
  static std::atomic<int64_t> counter{std::chrono::system_clock::now().time_since_epoch().count()};
  std::vector<std::string> names(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) continue;
    const std::optional<std::string> of_a = OpenName(a, shape.size(), i);
    const std::optional<std::string> of_b = OpenName(b, shape.size(), i);
    const bool agree = !of_a || !of_b || *of_a == *of_b;
    names[i] = agree ? of_a.value_or(of_b.value_or("")) : "";
    if (names[i].empty()) names[i] = "residue_modulus_" + std::to_string(counter.fetch_add(1));
  }
  return names;
}

Status* SetOutput(const Api& api, InferContext* context, ElementType type, const Shape& shape,
                  const std::vector<std::string>& names) {
  ShapeInfo* made = nullptr;
  if (Status* status = api.Call<Status*, ShapeInfo**>(Slot::kCreateTensorTypeAndShapeInfo, &made))
    return status;
  const OwnedShapeInfo owned(made, Releaser{api});
  if (Status* status = api.Call<Status*, ShapeInfo*, ElementType>(Slot::kSetTensorElementType, made, type))
    return status;
  if (Status* status = api.Call<Status*, ShapeInfo*, const int64_t*, size_t>(Slot::kSetDimensions, made,
                                                                             shape.data(), shape.size())) {
    return status;
  }
  std::vector<const char*> pointers;
  pointers.reserve(names.size());
  for (const std::string& name : names) pointers.push_back(name.c_str());
  if (Status* status = api.Call<Status*, ShapeInfo*, const char**, size_t>(
          Slot::kSetSymbolicDimensions, made, pointers.data(), pointers.size())) {
    return status;
  }
  return api.Call<Status*, const InferContext*, size_t, const ShapeInfo*>(
      Slot::kShapeInferContextSetOutputTypeShape, context, 0, made);
}

}  // namespace

Status* InferShape(const Api& api, InferContext* context) {
  InputShape inputs[2];
  for (size_t i = 0; i < 2; ++i) {
    if (Status* status = ReadInput(api, context, i, &inputs[i])) return status;
    // A tensor of unknown rank looks like a scalar here.
    if (inputs[i].shape.dimensions.empty()) return nullptr;
  }
  const std::optional<Shape> shape = Broadcast(inputs[0].shape.dimensions, inputs[1].shape.dimensions);
  // Computing will say what is wrong.
  if (!shape) return nullptr;
  return SetOutput(api, context, inputs[0].shape.type, *shape, NameDimensions(*shape, inputs[0], inputs[1]));
}

}  // namespace residue::ort
