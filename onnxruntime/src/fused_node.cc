#include "fused_node.h"

#include <algorithm>
#include <string>

#include "kernel_tensors.h"
#include "thread_pool.h"

namespace residue::ort {
namespace {

constexpr size_t kMostPlans = 16;

}  // namespace

FusedNode::FusedNode(const Api& api, Program program, uint32_t threads)
    : NodeComputeInfo{}, api_(api), program_(std::move(program)), threads_(threads) {
  version = kProviderApiVersion;
  CreateState = [](NodeComputeInfo* info, ComputeContext*, void** state) noexcept -> Status* {
    *state = info;
    return nullptr;
  };
  Compute = [](NodeComputeInfo*, void* state, KernelContext* context) noexcept -> Status* {
    const auto* self = static_cast<const FusedNode*>(static_cast<NodeComputeInfo*>(state));
    return Guarded(self->api_, [&] { return self->Run(context); });
  };
  ReleaseState = [](NodeComputeInfo*, void*) noexcept {};
}

Status* FusedNode::FindPlan(const std::vector<Shape>& shapes,
                            std::shared_ptr<const BoundProgram>* bound) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(plans_, shapes, &Plan::shapes);
    if (found != plans_.end()) {
      *bound = found->bound;
      std::rotate(plans_.begin(), found, found + 1);
      return nullptr;
    }
  }
  std::string error;
  auto made = std::make_shared<const BoundProgram>(program_, shapes, &error);
  if (!error.empty()) return api_.Fail(ErrorCode::kInvalidArgument, "residue: " + error);
  *bound = made;
  const std::lock_guard lock(mutex_);
  if (plans_.size() == kMostPlans) plans_.pop_back();
  plans_.insert(plans_.begin(), {shapes, std::move(made)});
  return nullptr;
}

Status* FusedNode::Run(KernelContext* context) const {
  std::vector<Shape> shapes(program_.input_count());
  std::vector<const void*> inputs(program_.input_count());
  for (size_t i = 0; i < inputs.size(); ++i) {
    InputTensor input;
    if (Status* status = ReadInput(api_, context, i, "residue", &input)) return status;
    shapes[i] = std::move(input.shape.dimensions);
    inputs[i] = input.data;
  }
  std::shared_ptr<const BoundProgram> bound;
  if (Status* status = FindPlan(shapes, &bound)) return status;
  std::vector<void*> outputs(program_.outputs().size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (Status* status = MakeOutput(api_, context, i, bound->output_shapes()[i], &outputs[i])) return status;
  }
  if (bound->is_empty()) return nullptr;
  const ThreadPool pool(api_, context, threads_);
  const residue_options options = {0, 0, &pool.executor(), nullptr};
  const residue_status status = bound->Run(inputs.data(), outputs.data(), &options);
  if (status == RESIDUE_OK) return nullptr;
  return api_.Fail(ErrorCode::kFail, std::string("residue: ") + residue_status_text(status));
}

}  // namespace residue::ort
