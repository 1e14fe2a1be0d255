#include "plan_cache.h"

#include <algorithm>
#include <string>

#include "thread_pool.h"

namespace residue::ort {
namespace {

constexpr size_t kMostPlans = 16;

}  // namespace

Status* PlanCache::Find(std::span<const InputTensor> inputs,
                        std::shared_ptr<const BoundProgram>* bound) const {
  const auto is_for = [&](const Plan& plan) {
    return std::ranges::equal(plan.shapes, inputs, [](const Shape& shape, const InputTensor& input) {
      return shape == input.shape.dimensions;
    });
  };
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(plans_, is_for);
    if (found != plans_.end()) {
      *bound = found->bound;
      std::rotate(plans_.begin(), found, found + 1);
      return nullptr;
    }
  }
  std::vector<Shape> shapes;
  for (const InputTensor& input : inputs) shapes.push_back(input.shape.dimensions);
  std::string error;
  auto made = std::make_shared<const BoundProgram>(program_, shapes, &error);
  if (!error.empty()) return api_.Fail(ErrorCode::kInvalidArgument, "residue: " + error);
  *bound = made;
  const std::lock_guard lock(mutex_);
  if (plans_.size() == kMostPlans) plans_.pop_back();
  plans_.insert(plans_.begin(), {std::move(shapes), std::move(made)});
  return nullptr;
}

Status* PlanCache::Run(const BoundProgram& bound, std::span<const InputTensor> inputs,
                       std::span<void* const> outputs, KernelContext* context) const {
  if (bound.is_empty()) return nullptr;
  const ThreadPool pool(api_, context, threads_);
  const residue_options options = {0, 0, &pool.executor(), nullptr};
  const residue_status status = bound.Run(inputs, outputs, &options);
  if (status == RESIDUE_OK) return nullptr;
  return api_.Fail(ErrorCode::kFail, std::string("residue: ") + residue_status_text(status));
}

}  // namespace residue::ort
