#include "d3d12/list_watch.h"

#include <algorithm>

#include "core/enumeration.h"
#include "d3d12/descriptor_heap.h"

namespace residue {
namespace {

constexpr auto kError = D3D12_MESSAGE_SEVERITY_ERROR;
constexpr auto kExecution = D3D12_MESSAGE_CATEGORY_EXECUTION;

}  // namespace

void ListWatch::Reset() noexcept {
  heaps_.clear();
  tables_.clear();
  log_.clear();
  command_ = 0;
}

void ListWatch::SetHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) {
  heaps_.clear();
  for (UINT i = 0; i < count; ++i) {
    const uint64_t begin = heaps[i]->GetGPUDescriptorHandleForHeapStart().ptr;
    heaps_.push_back({begin, begin + heaps[i]->GetDesc().NumDescriptors * sizeof(BufferView), 0});
  }
}

void ListWatch::Dispatch(const HostDispatch& dispatch) {
  NextCommand();
  if (dispatch.descriptor_count != 0) {
    const uint64_t begin = dispatch.descriptors.ptr;
    CheckDescriptors({begin, begin + dispatch.descriptor_count * sizeof(BufferView), dispatch.table});
  }
  for (size_t i = 0; i < dispatch.use_count; ++i) {
    const HostUse& use = dispatch.uses[i];
    if (use.record == nullptr) continue;
    // Every record is one of ours: a resource of this device gave it.
    log_.push_back(BufferUse{Ref<UsageRecord>::Share(static_cast<UsageRecord*>(use.record)), use.offset,
                             use.size, use.written, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, command_});
  }
}

void ListWatch::CheckDescriptors(const Descriptors& used) {
  const bool set = std::ranges::any_of(
      heaps_, [&](const Descriptors& heap) { return heap.begin <= used.begin && used.end <= heap.end; });
  if (!set) {
    device_->Tell({kExecution, kError, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID},
                  "a dispatch was recorded, but the descriptor heap of its binding table is not set: call "
                  "SetDescriptorHeaps with it first");
  }
  const bool shared = std::ranges::any_of(tables_, [&](const Descriptors& other) {
    return other.table != used.table && other.begin < used.end && used.begin < other.end;
  });
  if (shared) {
    device_->Tell({kExecution, kError, D3D12_MESSAGE_ID_STATIC_DESCRIPTOR_INVALID_DESCRIPTOR_CHANGE},
                  "two binding tables of one command list have descriptors in common: the second overwrites "
                  "what the first needs when the list is executed");
  }
  tables_.push_back(used);
}

void ListWatch::Use(Ref<UsageRecord> record, uint64_t offset, uint64_t size, D3D12_RESOURCE_STATES state) {
  const bool written = state != D3D12_RESOURCE_STATE_COPY_SOURCE;
  if (record) log_.push_back(BufferUse{std::move(record), offset, size, written, NumberOf(state), command_});
}

// Of a split barrier the end counts.
void ListWatch::Barrier(const D3D12_RESOURCE_BARRIER& barrier, Ref<UsageRecord> record) {
  NextCommand();
  const int32_t type = NumberOf(barrier.Type);
  if (type == D3D12_RESOURCE_BARRIER_TYPE_ALIASING) return;
  const bool is_transition = type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  if (is_transition && NumberOf(barrier.Flags) == D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY) return;
  if (is_transition) {
    log_.push_back(BufferBarrier{std::move(record), true, NumberOf(barrier.Transition.StateBefore),
                                 NumberOf(barrier.Transition.StateAfter)});
  } else {
    log_.push_back(BufferBarrier{std::move(record), false, {}, {}});
  }
}

}  // namespace residue
