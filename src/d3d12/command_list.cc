#include "d3d12/command_list.h"

#include "core/enumeration.h"
#include "d3d12/commands.h"

namespace residue {
namespace {

// An allocator of this device and of the right type that no other list records into; claimed.
Ref<CommandAllocator> ClaimAllocator(ID3D12CommandAllocator* allocator, int32_t type,
                                     const ID3D12Device* device) noexcept {
  auto ours = QueryFor<CommandAllocator>(allocator, kIidCommandAllocator);
  if (!ours || !ours->IsOf(device) || ours->type() != type || !ours->Claim()) return {};
  return ours;
}

bool Fits(uint64_t offset, uint64_t size, uint64_t width) noexcept {
  return offset <= width && size <= width - offset;
}

}  // namespace

HRESULT CommandList::Create(ID3D12Device* device, const std::shared_ptr<DescriptorRegistry>& registry,
                            UINT node_mask, int32_t type, ID3D12CommandAllocator* allocator,
                            ID3D12PipelineState* state, REFIID iid, void** list) noexcept {
  if (list != nullptr) *list = nullptr;
  if (node_mask > 1 || state != nullptr) return E_INVALIDARG;
  if (type == D3D12_COMMAND_LIST_TYPE_BUNDLE) return E_NOTIMPL;
  Ref<CommandAllocator> claimed = ClaimAllocator(allocator, type, device);
  if (!claimed) return E_INVALIDARG;
  Ref<CommandList> made = TryMake<CommandList>(device, registry, claimed->type(), claimed);
  if (!made) claimed->Unclaim();  // else the list's end does it
  return FinishCreate(std::move(made), iid, list);
}

CommandList::~CommandList() {
  if (allocator_) allocator_->Unclaim();
}

HRESULT CommandList::Append(IHostCommand* command) noexcept {
  if (!IsRecording()) return E_FAIL;
  try {
    commands_.push_back(Ref<IHostCommand>::Share(command));
    return S_OK;
  } catch (const std::bad_alloc&) {
    Fail(E_OUTOFMEMORY);
    return E_OUTOFMEMORY;
  }
}

bool CommandList::CollectWork(D3D12_COMMAND_LIST_TYPE queue_type, std::vector<Ref<IHostWork>>* work) {
  if (IsRecording() || FAILED(error_) || type_ != queue_type) return false;
  // A command may warn, and who is told may reset this list.
  for (size_t i = 0; i < commands_.size(); ++i) {
    const Ref<IHostCommand> command = commands_[i];
    Ref<IHostWork> submitted = Ref<IHostWork>::Adopt(command->Submit());
    if (submitted) work->push_back(std::move(submitted));
  }
  return true;
}

HRESULT CommandList::Close() noexcept {
  if (!IsRecording()) return E_FAIL;
  allocator_->Unclaim();
  allocator_ = {};
  return error_;
}

HRESULT CommandList::Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState* state) noexcept {
  if (IsRecording()) return E_FAIL;
  if (state != nullptr) return E_INVALIDARG;
  Ref<CommandAllocator> claimed = ClaimAllocator(allocator, type_, device());
  if (!claimed) return E_INVALIDARG;
  allocator_ = std::move(claimed);
  error_ = S_OK;
  commands_.clear();
  return S_OK;
}

void CommandList::CopyBufferRegion(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                   UINT64 from_offset, UINT64 size) noexcept {
  Copy(to, to_offset, from, from_offset, size, /*whole=*/false);
}

void CommandList::CopyResource(ID3D12Resource* to, ID3D12Resource* from) noexcept {
  Copy(to, 0, from, 0, 0, /*whole=*/true);
}

void CommandList::Copy(ID3D12Resource* to, uint64_t to_offset, ID3D12Resource* from, uint64_t from_offset,
                       uint64_t size, bool whole) noexcept {
  BufferOf target = DescribeBuffer(to, device());
  BufferOf source = DescribeBuffer(from, device());
  if (!target.memory || !source.memory) return Fail(E_INVALIDARG);
  if (whole) size = source.buffer.width;
  if (whole && target.buffer.width != size) return Fail(E_INVALIDARG);
  if (!Fits(to_offset, size, target.buffer.width) || !Fits(from_offset, size, source.buffer.width)) {
    return Fail(E_INVALIDARG);
  }
  if (target.buffer.heap_type == D3D12_HEAP_TYPE_UPLOAD ||
      source.buffer.heap_type == D3D12_HEAP_TYPE_READBACK) {
    return Fail(E_INVALIDARG);
  }
  Record<CopyCommand>(CopyCommand::Side{std::move(target.memory), target.buffer.offset + to_offset},
                      CopyCommand::Side{std::move(source.memory), source.buffer.offset + from_offset}, size);
}

// Commands run one after the other, so a barrier has nothing left to do but be well-formed.
void CommandList::ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) noexcept {
  if (count != 0 && barriers == nullptr) return Fail(E_INVALIDARG);
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_BARRIER& barrier = barriers[i];
    const int32_t type = NumberOf(barrier.Type);
    const bool known =
        type >= D3D12_RESOURCE_BARRIER_TYPE_TRANSITION && type <= D3D12_RESOURCE_BARRIER_TYPE_UAV;
    const bool transition = type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    if (!known || (transition && barrier.Transition.pResource == nullptr)) return Fail(E_INVALIDARG);
  }
}

void CommandList::SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) noexcept {
  if (count != 0 && heaps == nullptr) return Fail(E_INVALIDARG);
  for (UINT i = 0; i < count; ++i) {
    if (heaps[i] == nullptr) return Fail(E_INVALIDARG);
  }
}

void CommandList::ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE view,
                                               ID3D12Resource* resource, const UINT values[4],
                                               UINT rectangle_count, const D3D12_RECT*) noexcept {
  BufferView described;
  BufferOf target = DescribeBuffer(resource, device());
  if (!target.memory || !AllowsUnorderedAccess(target.buffer) || values == nullptr ||
      !registry_->Read(view, &described)) {
    return Fail(E_INVALIDARG);
  }
  if (described.element_size == 0 || !Fits(described.offset, described.size, target.buffer.width)) {
    return Fail(E_INVALIDARG);
  }
  if (rectangle_count != 0) return Unsupported();
  Record<ClearCommand>(CopyCommand::Side{std::move(target.memory), target.buffer.offset + described.offset},
                       described, values);
}

template <class Command, class... Arguments>
void CommandList::Record(Arguments&&... arguments) noexcept {
  const auto command = TryMake<Command>(std::forward<Arguments>(arguments)...);
  if (!command) return Fail(E_OUTOFMEMORY);
  if (const HRESULT hr = Append(command.get()); FAILED(hr)) Fail(hr);
}

void CommandList::Fail(HRESULT error) noexcept {
  if (SUCCEEDED(error_)) error_ = error;
}

void* CommandList::FindInterface(REFIID iid) noexcept {
  if (iid == kIidHostCommandList) return static_cast<IHostCommandList*>(this);
  if (iid == kIidCommandListObject) return this;
  if (iid == __uuidof(ID3D12CommandList)) return static_cast<ID3D12CommandList*>(this);
  return DeviceChild::FindInterface(iid);
}

}  // namespace residue
