#include "modulus_kernel.h"

#include <vector>

#include "bfloat16.h"

namespace residue::ort {
namespace {

Program ModulusOf(residue_operator op, residue_type type) {
  Program program;
  const ValueId a = program.AddInput(type);
  const ValueId b = program.AddInput(type);
  program.AddOutput(program.AddStep(op, type, {a, b}));
  return program;
}

// bfloat16 is computed in float32.
void Widen(InputTensor* input, std::vector<float>* wide) {
  const std::span narrow(static_cast<const uint16_t*>(input->data), CountElements(input->shape.dimensions));
  wide->resize(narrow.size());
  WidenBfloat16(narrow, wide->data());
  input->data = wide->data();
}

}  // namespace

ModulusKernel::ModulusKernel(const Api& api, residue_operator op, const TypeRow& type)
    : type_(type), plans_(api, ModulusOf(op, type.computed_in), 0) {}

Status* ModulusKernel::Compute(KernelContext* context) const {
  InputTensor inputs[2];
  for (size_t i = 0; i < 2; ++i) {
    if (Status* status = ReadInput(api(), context, i, &inputs[i])) return status;
  }
  std::shared_ptr<const BoundProgram> bound;
  if (Status* status = plans_.Find(inputs, &bound)) return status;
  const Shape& shape = bound->output_shapes()[0];
  void* out = nullptr;
  if (Status* status = MakeOutput(api(), context, 0, shape, &out)) return status;
  if (type_.onnx != ElementType::kBfloat16) return plans_.Run(*bound, inputs, {&out, 1}, context);
  std::vector<float> wide[2];
  for (size_t i = 0; i < 2; ++i) Widen(&inputs[i], &wide[i]);
  std::vector<float> wide_out(CountElements(shape));
  void* const computed = wide_out.data();
  if (Status* status = plans_.Run(*bound, inputs, {&computed, 1}, context)) return status;
  NarrowToBfloat16(wide_out, static_cast<uint16_t*>(out));
  return nullptr;
}

}  // namespace residue::ort
