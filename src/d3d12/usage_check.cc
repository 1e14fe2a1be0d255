#include "d3d12/usage_check.h"

#include <string>

namespace residue {
namespace {

std::string StateName(BufferState state) {
  switch (state) {
    case D3D12_RESOURCE_STATE_COMMON:
      return "D3D12_RESOURCE_STATE_COMMON";
    case D3D12_RESOURCE_STATE_UNORDERED_ACCESS:
      return "D3D12_RESOURCE_STATE_UNORDERED_ACCESS";
    case D3D12_RESOURCE_STATE_COPY_SOURCE:
      return "D3D12_RESOURCE_STATE_COPY_SOURCE";
    case D3D12_RESOURCE_STATE_COPY_DEST:
      return "D3D12_RESOURCE_STATE_COPY_DEST";
    case D3D12_RESOURCE_STATE_GENERIC_READ:
      return "D3D12_RESOURCE_STATE_GENERIC_READ";
    default:
      return "D3D12_RESOURCE_STATES " + std::to_string(state);
  }
}

bool Allows(BufferState state, BufferState needed) noexcept { return (state & needed) == needed; }

bool Overlap(const BufferUse& x, const BufferUse& y) noexcept {
  return x.offset < y.offset + y.size && y.offset < x.offset + x.size;
}

}  // namespace

void UsageCheck::Check(UsageLog log) {
  for (const auto& event : logs_.emplace_back(std::move(log))) {
    std::visit([this](const auto& one) { Check(one); }, event);
  }
}

void UsageCheck::Check(const BufferUse& use) {
  if (!use.record->HasStates()) return;
  Buffer& buffer = buffers_[use.record.get()];
  if (buffer.state == D3D12_RESOURCE_STATE_COMMON) buffer.state = use.state;
  if (!Allows(buffer.state, use.state)) {
    Tell(D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE,
         use.record->Name() + " is used in " + StateName(use.state) + ", but is in " +
             StateName(buffer.state) + ": a transition barrier is missing");
    buffer.state = use.state;  // one message for one mistake
  }
  if (use.state != D3D12_RESOURCE_STATE_UNORDERED_ACCESS) return;
  for (const auto& [other, list] : buffer.unordered) {
    const bool same_command = list == logs_.size() && other->command == use.command;
    if (same_command || !(use.written || other->written) || !Overlap(*other, use)) continue;
    Tell(D3D12_MESSAGE_ID_GPU_BASED_VALIDATION_INCOMPATIBLE_RESOURCE_STATE,
         "a dispatch " + std::string(use.written ? "writes " : "reads ") + use.record->Name() +
             ", which an earlier dispatch " + (other->written ? "writes" : "reads") +
             ": an unordered access barrier is missing between them");
    buffer.unordered.clear();
    break;
  }
  buffer.unordered.push_back({&use, logs_.size()});
}

// A buffer in the common state becomes what a transition says that it was.
void UsageCheck::Check(const BufferBarrier& barrier) {
  if (!barrier.record) {
    for (auto& [record, buffer] : buffers_) buffer.unordered.clear();
    return;
  }
  Buffer& buffer = buffers_[barrier.record.get()];
  buffer.unordered.clear();
  if (!barrier.is_transition) return;
  if (!barrier.record->HasStates()) {
    return Tell(D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_HEAP,
                "a transition barrier names " + barrier.record->Name() +
                    ", but the states of buffers in upload and readback heaps never change");
  }
  if (barrier.before == barrier.after) {
    Tell(D3D12_MESSAGE_ID_RESOURCE_BARRIER_MATCHING_STATES,
         "a transition barrier of " + barrier.record->Name() + " has " + StateName(barrier.after) +
             " before and after it");
  } else if (buffer.state != D3D12_RESOURCE_STATE_COMMON && buffer.state != barrier.before) {
    Tell(D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH,
         "a transition barrier says that " + barrier.record->Name() + " is in " + StateName(barrier.before) +
             ", but it is in " + StateName(buffer.state));
  }
  buffer.state = barrier.after;
}

void UsageCheck::Tell(D3D12_MESSAGE_ID id, const std::string& text) noexcept {
  device_->Tell({D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_SEVERITY_ERROR, id}, text.c_str());
}

}  // namespace residue
