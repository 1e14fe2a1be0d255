#include "fused_node.h"

#include <utility>
#include <vector>

namespace residue::ort {

FusedNode::FusedNode(const Api& api, Program program, uint32_t threads)
    : NodeComputeInfo{}, plans_(api, std::move(program), threads) {
  version = kProviderApiVersion;
  CreateState = [](NodeComputeInfo* info, ComputeContext*, void** state) noexcept -> Status* {
    *state = info;
    return nullptr;
  };
  Compute = [](NodeComputeInfo*, void* state, KernelContext* context) noexcept -> Status* {
    const auto* self = static_cast<const FusedNode*>(static_cast<NodeComputeInfo*>(state));
    return Guarded(self->plans_.api(), [&] { return self->Run(context); });
  };
  ReleaseState = [](NodeComputeInfo*, void*) noexcept {};
}

Status* FusedNode::Run(KernelContext* context) const {
  const Api& api = plans_.api();
  std::vector<InputTensor> inputs(plans_.program().input_count());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (Status* status = ReadInput(api, context, i, &inputs[i])) return status;
  }
  std::shared_ptr<const BoundProgram> bound;
  if (Status* status = plans_.Find(inputs, &bound)) return status;
  std::vector<void*> outputs(plans_.program().outputs().size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (Status* status = MakeOutput(api, context, i, bound->output_shapes()[i], &outputs[i])) return status;
  }
  return plans_.Run(*bound, inputs, outputs, context);
}

}  // namespace residue::ort
