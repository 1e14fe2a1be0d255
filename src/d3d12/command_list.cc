#include "d3d12/command_list.h"

#include <cstdio>

#include "core/enumeration.h"
#include "d3d12/commands.h"
#include "d3d12/query_heap.h"
#include "d3d12/watch.h"

namespace residue {
namespace {

constexpr auto kCreateList = D3D12_MESSAGE_ID_CREATE_COMMANDLIST12;
constexpr char kWrongList[] = "a command list has a type that exists, no pipeline and one node";
constexpr char kNoBundles[] = "bundles are not supported: there are no pipelines here";
constexpr char kWrongAllocator[] =
    "a command list needs an allocator of this device and of its own type, into which no other list records";

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
  if (node_mask > 1 || state != nullptr) return Refused(device, E_INVALIDARG, kCreateList, kWrongList);
  if (type == D3D12_COMMAND_LIST_TYPE_BUNDLE) return Refused(device, E_NOTIMPL, kCreateList, kNoBundles);
  Ref<CommandAllocator> claimed = ClaimAllocator(allocator, type, device);
  if (!claimed) return Refused(device, E_INVALIDARG, kCreateList, kWrongAllocator);
  Ref<CommandList> made = TryMake<CommandList>(device, registry, claimed->type(), claimed);
  if (!made) claimed->Unclaim();  // else the list's end does it
  return FinishCreate(std::move(made), iid, list);
}

HRESULT CommandList::CreateClosed(ID3D12Device* device, const std::shared_ptr<DescriptorRegistry>& registry,
                                  UINT node_mask, int32_t type, REFIID iid, void** list) noexcept {
  if (list != nullptr) *list = nullptr;
  if (node_mask > 1 || type < D3D12_COMMAND_LIST_TYPE_DIRECT || type > D3D12_COMMAND_LIST_TYPE_COPY) {
    return Refused(device, E_INVALIDARG, kCreateList, kWrongList);
  }
  if (type == D3D12_COMMAND_LIST_TYPE_BUNDLE) return Refused(device, E_NOTIMPL, kCreateList, kNoBundles);
  return FinishCreate(TryMake<CommandList>(device, registry, static_cast<D3D12_COMMAND_LIST_TYPE>(type),
                                           Ref<CommandAllocator>()),
                      iid, list);
}

CommandList::CommandList(ID3D12Device* device, std::shared_ptr<DescriptorRegistry> registry,
                         D3D12_COMMAND_LIST_TYPE type, Ref<CommandAllocator> allocator)
    : DeviceChild(device), registry_(std::move(registry)), type_(type), allocator_(std::move(allocator)) {
  // The list holds the device, so that the watch need not.
  if (const Ref<IHostDevice> watcher = FindWatcher(device); watcher) watch_.emplace(watcher.get());
  if (allocator_) allocator_record_ = allocator_->record();
}

CommandList::~CommandList() {
  if (allocator_) allocator_->Unclaim();
}

HRESULT CommandList::Append(IHostCommand* command, const HostDispatch* dispatch) noexcept {
  if (!IsRecording()) return E_FAIL;
  try {
    commands_.push_back(Ref<IHostCommand>::Share(command));
  } catch (const std::bad_alloc&) {
    Fail(E_OUTOFMEMORY, D3D12_MESSAGE_ID_UNKNOWN, "a command list had no memory for a command");
    return E_OUTOFMEMORY;
  }
  if (dispatch != nullptr) Watch([&](ListWatch& watch) { watch.Dispatch(*dispatch); });
  return S_OK;
}

UsageLog CommandList::CollectUsage(std::vector<FlightToken>* tokens) const {
  if (allocator_record_) tokens->emplace_back(allocator_record_);
  if (!watch_) return {};
  for (const auto& event : watch_->log()) {
    if (const auto* use = std::get_if<BufferUse>(&event); use != nullptr) tokens->emplace_back(use->record);
  }
  return watch_->log();
}

// A message that finds no memory is not told.
template <class See>
void CommandList::Watch(const See& see) noexcept {
  if (!watch_) return;
  try {
    see(*watch_);
  } catch (const std::bad_alloc&) {
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
  if (!IsRecording()) {
    return Refused(device(), E_FAIL, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                   "a command list was closed that is not open");
  }
  allocator_->Unclaim();
  allocator_ = {};
  return error_;
}

HRESULT CommandList::Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState* state) noexcept {
  constexpr auto kReset = D3D12_MESSAGE_ID_COMMAND_LIST_OPEN;
  if (IsRecording()) return Refused(device(), E_FAIL, kReset, "a command list was reset while it is open");
  if (state != nullptr) return Refused(device(), E_INVALIDARG, kReset, kWrongList);
  Ref<CommandAllocator> claimed = ClaimAllocator(allocator, type_, device());
  if (!claimed) return Refused(device(), E_INVALIDARG, kReset, kWrongAllocator);
  allocator_ = std::move(claimed);
  allocator_record_ = allocator_->record();
  error_ = S_OK;
  commands_.clear();
  if (watch_) watch_->Reset();
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
  const auto refuse = [&](D3D12_MESSAGE_ID id, const char* text) { Fail(E_INVALIDARG, id, text); };
  if (!target.memory) {
    return refuse(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE,
                  "the destination of a copy is null or no buffer of this device");
  }
  if (!source.memory) {
    return refuse(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDSRCRESOURCE,
                  "the source of a copy is null or no buffer of this device");
  }
  if (whole) size = source.buffer.width;
  if (whole && target.buffer.width != size) {
    return refuse(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE,
                  "CopyResource needs buffers of the same width, but theirs differ");
  }
  if (!Fits(to_offset, size, target.buffer.width)) {
    return refuse(D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS,
                  "CopyBufferRegion writes beyond the end of the destination");
  }
  if (!Fits(from_offset, size, source.buffer.width)) {
    return refuse(D3D12_MESSAGE_ID_COPYBUFFERREGION_SRCRANGEOUTOFBOUNDS,
                  "CopyBufferRegion reads beyond the end of the source");
  }
  if (target.buffer.heap_type == D3D12_HEAP_TYPE_UPLOAD) {
    return refuse(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE,
                  "the destination of a copy is in an upload heap, which commands only read");
  }
  if (source.buffer.heap_type == D3D12_HEAP_TYPE_READBACK) {
    return refuse(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDSRCRESOURCE,
                  "the source of a copy is in a readback heap, which commands only write");
  }
  Watch([&](ListWatch& watch) {
    watch.NextCommand();
    watch.Use(source.record, from_offset, size, D3D12_RESOURCE_STATE_COPY_SOURCE);
    watch.Use(target.record, to_offset, size, D3D12_RESOURCE_STATE_COPY_DEST);
  });
  Record<CopyCommand>(CopyCommand::Side{std::move(target.memory), target.buffer.offset + to_offset},
                      CopyCommand::Side{std::move(source.memory), source.buffer.offset + from_offset}, size);
}

// Commands run one after the other, so a barrier has nothing left to do but be well-formed.
void CommandList::ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) noexcept {
  if (count != 0 && barriers == nullptr) {
    return Fail(E_INVALIDARG, D3D12_MESSAGE_ID_RESOURCE_BARRIER_NULL_POINTER,
                "the array of barriers is null");
  }
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_BARRIER barrier = barriers[i];
    const int32_t type = NumberOf(barrier.Type);
    if (type < D3D12_RESOURCE_BARRIER_TYPE_TRANSITION || type > D3D12_RESOURCE_BARRIER_TYPE_UAV) {
      return Fail(E_INVALIDARG, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_TYPE,
                  "the Type of a barrier does not exist");
    }
    const bool transition = type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    if (transition && barrier.Transition.pResource == nullptr) {
      return Fail(E_INVALIDARG, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE,
                  "the resource of a transition barrier is null");
    }
    if (!IsWatched() || type == D3D12_RESOURCE_BARRIER_TYPE_ALIASING) continue;
    ID3D12Resource* resource = transition ? barrier.Transition.pResource : barrier.UAV.pResource;
    Ref<UsageRecord> record = DescribeBuffer(resource, device()).record;
    if (resource != nullptr && !record) continue;  // not of this device
    Watch([&](ListWatch& watch) { watch.Barrier(barrier, std::move(record)); });
  }
}

void CommandList::SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) noexcept {
  constexpr auto kInvalid = D3D12_MESSAGE_ID_SET_DESCRIPTOR_HEAP_INVALID;
  if (count != 0 && heaps == nullptr) {
    return Fail(E_INVALIDARG, kInvalid, "the array of descriptor heaps is null");
  }
  for (UINT i = 0; i < count; ++i) {
    if (heaps[i] == nullptr) return Fail(E_INVALIDARG, kInvalid, "a descriptor heap is null");
  }
  Watch([&](ListWatch& watch) { watch.SetHeaps(count, heaps); });
}

void CommandList::ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE view,
                                               ID3D12Resource* resource, const UINT values[4],
                                               UINT rectangle_count, const D3D12_RECT*) noexcept {
  BufferView described;
  BufferOf target = DescribeBuffer(resource, device());
  if (!target.memory || !AllowsUnorderedAccess(target.buffer) || values == nullptr) {
    return Fail(
        E_INVALIDARG, D3D12_MESSAGE_ID_UNKNOWN,
        "ClearUnorderedAccessViewUint needs values, and a buffer of this device with unordered access");
  }
  if (!registry_->Read(view, &described) || described.element_size == 0 ||
      !Fits(described.offset, described.size, target.buffer.width)) {
    return Fail(E_INVALIDARG, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE,
                "the view of ClearUnorderedAccessViewUint is none of the buffer");
  }
  if (rectangle_count != 0) return Unsupported("ClearUnorderedAccessViewUint with rectangles");
  Watch([&](ListWatch& watch) {
    watch.NextCommand();
    watch.Use(target.record, described.offset, described.size, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  });
  Record<ClearCommand>(CopyCommand::Side{std::move(target.memory), target.buffer.offset + described.offset},
                       described, values);
}

void CommandList::EndQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) noexcept {
  if (NumberOf(type) != D3D12_QUERY_TYPE_TIMESTAMP) return Unsupported("EndQuery, except of timestamps,");
  const auto ours = QueryFor<QueryHeap>(heap, kIidQueryHeap);
  if (!ours || !ours->IsOf(device()) || index >= ours->timestamps()->size()) {
    return Fail(E_INVALIDARG, D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS,
                "EndQuery needs a query heap of this device, and an index below its Count");
  }
  Record<TimestampCommand>(ours->timestamps(), index);
}

void CommandList::ResolveQueryData(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT first, UINT count,
                                   ID3D12Resource* to, UINT64 offset) noexcept {
  if (NumberOf(type) != D3D12_QUERY_TYPE_TIMESTAMP)
    return Unsupported("ResolveQueryData, except of timestamps,");
  const auto refuse = [&](const char* text) {
    Fail(E_INVALIDARG, D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS, text);
  };
  const auto ours = QueryFor<QueryHeap>(heap, kIidQueryHeap);
  BufferOf target = DescribeBuffer(to, device());
  if (!ours || !ours->IsOf(device()) || !target.memory || target.buffer.heap_type == D3D12_HEAP_TYPE_UPLOAD) {
    return refuse("ResolveQueryData needs a query heap and a buffer of this device, not in an upload heap");
  }
  if (!Fits(first, count, ours->timestamps()->size())) {
    return refuse("ResolveQueryData reads beyond the end of the query heap");
  }
  const uint64_t bytes = count * sizeof(uint64_t);
  if (offset % sizeof(uint64_t) != 0 || !Fits(offset, bytes, target.buffer.width)) {
    return refuse("ResolveQueryData needs an offset that is a multiple of 8, and room behind it");
  }
  Watch([&](ListWatch& watch) {
    watch.NextCommand();
    watch.Use(target.record, offset, bytes, D3D12_RESOURCE_STATE_COPY_DEST);
  });
  Record<ResolveCommand>(ours->timestamps(), first, count,
                         CopyCommand::Side{std::move(target.memory), target.buffer.offset + offset});
}

template <class Command, class... Arguments>
void CommandList::Record(Arguments&&... arguments) noexcept {
  const auto command = TryMake<Command>(std::forward<Arguments>(arguments)...);
  if (!command) {
    return Fail(E_OUTOFMEMORY, D3D12_MESSAGE_ID_UNKNOWN, "a command list had no memory for a command");
  }
  // Append says itself that there was no memory.
  if (const HRESULT hr = Append(command.get(), nullptr); hr == E_FAIL) {
    Fail(hr, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED, "a command was recorded into a list that is closed");
  }
}

void CommandList::Unsupported(const char* call) noexcept {
  char text[120];
  std::snprintf(text, sizeof(text), "%s is not supported: there are no shaders and no textures here", call);
  Fail(E_NOTIMPL, D3D12_MESSAGE_ID_UNKNOWN, text);
}

void CommandList::Fail(HRESULT error, D3D12_MESSAGE_ID id, const char* text) noexcept {
  if (SUCCEEDED(error_)) error_ = error;
  TellMistake(device(), D3D12_MESSAGE_CATEGORY_EXECUTION, id, text);
}

void* CommandList::FindInterface(REFIID iid) noexcept {
  if (iid == kIidHostCommandList) return static_cast<IHostCommandList*>(this);
  if (iid == kIidCommandListObject) return this;
  if (iid == __uuidof(ID3D12CommandList)) return static_cast<ID3D12CommandList*>(this);
  return DeviceChild::FindInterface(iid);
}

}  // namespace residue
