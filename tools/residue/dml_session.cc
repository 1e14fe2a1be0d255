#include "dml_session.h"

#include <dxgi1_4.h>
#include <residue_win32.h>

#include <cstdio>
#include <cstring>

#include "core/checked_math.h"
#include "failure.h"

namespace residue::tool {
namespace {

std::string HresultText(HRESULT result) {
  switch (result) {
    case E_INVALIDARG:
      return "E_INVALIDARG";
    case E_OUTOFMEMORY:
      return "E_OUTOFMEMORY";
    case DXGI_ERROR_UNSUPPORTED:
      return "DXGI_ERROR_UNSUPPORTED";
    default:
      return fmt::format("HRESULT 0x{:08X}", static_cast<uint32_t>(result));
  }
}

DML_BUFFER_BINDING MakeBinding(const BindingSource& source, const Model& model, const Buffers& buffers) {
  const Resource& resource = *model.FindResource(source.resource);
  uint64_t element_bytes = source.element_bytes;
  if (element_bytes == 0) element_bytes = resource.type ? SizeOf(*resource.type) : 1;
  uint64_t offset = 0;
  if (!CheckedMultiply(source.element_offset, element_bytes, &offset) || offset > resource.bytes)
    Fail("resource '{}': the binding begins outside of its {} bytes", resource.name, resource.bytes);
  // As DxDispatch: to the end, whatever elementCount says.
  return {buffers.at(source.resource).Get(), offset, resource.bytes - offset};
}

constexpr DML_BUFFER_BINDING kNoBuffer = {};

}  // namespace

std::string AdapterName() {
  ComPtr<IDXGIFactory4> factory;
  ComPtr<IDXGIAdapter1> adapter;
  DXGI_ADAPTER_DESC1 desc = {};
  if (FAILED(CreateDXGIFactory1(IID_PPV_ARGS(&factory))) || FAILED(factory->EnumAdapters1(0, &adapter)) ||
      FAILED(adapter->GetDesc1(&desc))) {
    return "unknown";
  }
  std::string name;
  for (const WCHAR* c = desc.Description; *c != 0; ++c) name += static_cast<char>(*c);
  return name;
}

DebugMessages::DebugMessages(bool echo) : echo_(echo) {
  ResidueSetDebugStringHandler(
      [](void* context, const char* text) {
        try {
          static_cast<DebugMessages*>(context)->Hear(text);
        } catch (...) {  // NOLINT(bugprone-empty-catch): for want of memory the reason stays unsaid
        }
      },
      this);
}

DebugMessages::~DebugMessages() { ResidueSetDebugStringHandler(nullptr, nullptr); }

void DebugMessages::Hear(const char* text) {
  std::string_view line = text;
  while (line.ends_with('\n')) line.remove_suffix(1);
  if (echo_) std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  constexpr std::string_view kMark = "ERROR]: ";
  const size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return;
  const std::scoped_lock lock(mutex_);
  last_error_ = line.substr(mark + kMark.size());
}

std::string DebugMessages::LastError() const {
  const std::scoped_lock lock(mutex_);
  return last_error_;
}

DmlSession::DmlSession(bool debug, DML_FEATURE_LEVEL minimum_level) : messages_(debug) {
  Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d_)),
        "creating the Direct3D 12 device");
  const D3D12_COMMAND_QUEUE_DESC queue = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                          0};
  Check(d3d_->CreateCommandQueue(&queue, IID_PPV_ARGS(&queue_)), "creating the queue");
  Check(d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator_)),
        "creating the command allocator");
  Check(d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator_.Get(), nullptr,
                                IID_PPV_ARGS(&list_)),
        "creating the command list");
  Check(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence_)), "creating the fence");
  // Always with messages, so that failures can say why.
  Check(DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, minimum_level, IID_PPV_ARGS(&dml_)),
        "creating the DirectML device");
  Check(dml_->CreateCommandRecorder(IID_PPV_ARGS(&recorder_)), "creating the command recorder");
}

void DmlSession::Check(HRESULT result, const std::string& doing) {
  if (SUCCEEDED(result)) return;
  const std::string why = messages_.LastError();
  Fail("{}: {}{}", doing, HresultText(result), why.empty() ? "" : ": " + why);
}

// In memory that both sides see.
ComPtr<ID3D12Resource> DmlSession::MakeBuffer(uint64_t bytes) {
  const D3D12_HEAP_PROPERTIES heap = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                      D3D12_MEMORY_POOL_L0, 1, 1};
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  ComPtr<ID3D12Resource> buffer;
  Check(d3d_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                      nullptr, IID_PPV_ARGS(&buffer)),
        fmt::format("creating a buffer of {} bytes", bytes));
  return buffer;
}

ComPtr<ID3D12Resource> DmlSession::MakeBuffer(const Resource& resource) {
  ComPtr<ID3D12Resource> buffer = MakeBuffer(resource.bytes);
  void* mapped = nullptr;
  Check(buffer->Map(0, nullptr, &mapped), fmt::format("mapping '{}'", resource.name));
  std::memcpy(static_cast<std::byte*>(mapped) + resource.initial_offset, resource.initial_values.data(),
              resource.initial_values.size());
  buffer->Unmap(0, nullptr);
  return buffer;
}

std::vector<std::byte> DmlSession::Read(ID3D12Resource* buffer) {
  void* mapped = nullptr;
  Check(buffer->Map(0, nullptr, &mapped), "reading a buffer");
  const auto* begin = static_cast<const std::byte*>(mapped);
  std::vector<std::byte> bytes(begin, begin + buffer->GetDesc().Width);
  buffer->Unmap(0, nullptr);
  return bytes;
}

DmlSession::Operator DmlSession::Compile(const Dispatchable& dispatchable) {
  const std::string doing = fmt::format("dispatchable '{}'", dispatchable.name);
  const OperatorDesc desc(dispatchable);
  Operator made = {&dispatchable, {}, {}, {}, {}};
  ComPtr<IDMLOperator> op;
  Check(dml_->CreateOperator(desc.get(), IID_PPV_ARGS(&op)), doing);
  if (dispatchable.as_graph) {
    const uint32_t count = dispatchable.schema->input_count;
    DML_OPERATOR_GRAPH_NODE_DESC node = {op.Get(), nullptr};
    const DML_GRAPH_NODE_DESC nodes[] = {{DML_GRAPH_NODE_TYPE_OPERATOR, &node}};
    DML_INPUT_GRAPH_EDGE_DESC inputs[kMostTensorInputs] = {};
    DML_GRAPH_EDGE_DESC input_edges[kMostTensorInputs] = {};
    for (uint32_t i = 0; i < count; ++i) {
      if (dispatchable.tensors[i].sizes.empty()) Fail("{}: a graph of it needs all of its tensors", doing);
      inputs[i] = {i, 0, i, nullptr};
      input_edges[i] = {DML_GRAPH_EDGE_TYPE_INPUT, &inputs[i]};
    }
    const DML_OUTPUT_GRAPH_EDGE_DESC output = {0, 0, 0, nullptr};
    const DML_GRAPH_EDGE_DESC output_edges[] = {{DML_GRAPH_EDGE_TYPE_OUTPUT, &output}};
    const DML_GRAPH_DESC graph = {count, 1, 1, nodes, count, input_edges, 1, output_edges, 0, nullptr};
    Check(dml_->CompileGraph(&graph, dispatchable.flags, IID_PPV_ARGS(&made.compiled)), doing);
  } else {
    Check(dml_->CompileOperator(op.Get(), dispatchable.flags, IID_PPV_ARGS(&made.compiled)), doing);
  }
  return made;
}

void DmlSession::SetTable(Operator* op, IDMLDispatchable* dispatchable, uint32_t descriptor_count) {
  D3D12_DESCRIPTOR_HEAP_DESC heap = {};
  heap.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  heap.NumDescriptors = std::max(descriptor_count, 1u);
  heap.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  Check(d3d_->CreateDescriptorHeap(&heap, IID_PPV_ARGS(op->descriptors.ReleaseAndGetAddressOf())),
        "creating the descriptor heap");
  const DML_BINDING_TABLE_DESC desc = {dispatchable, op->descriptors->GetCPUDescriptorHandleForHeapStart(),
                                       op->descriptors->GetGPUDescriptorHandleForHeapStart(),
                                       heap.NumDescriptors};
  Check(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(op->table.ReleaseAndGetAddressOf())),
        "creating the binding table");
  ID3D12DescriptorHeap* heaps[] = {op->descriptors.Get()};
  list_->SetDescriptorHeaps(1, heaps);
}

void DmlSession::Initialize(Operator* op, const Model& model, const Buffers& buffers) {
  const std::string doing = fmt::format("initializing '{}'", op->dispatchable->name);
  IDMLCompiledOperator* compiled[] = {op->compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  Check(dml_->CreateOperatorInitializer(1, compiled, IID_PPV_ARGS(&initializer)), doing);
  SetTable(op, initializer.Get(), initializer->GetBindingProperties().RequiredDescriptorCount);
  // Inputs that DirectML owns are bound now, and kept in the persistent resource.
  std::vector<DML_BUFFER_BINDING> owned(op->dispatchable->schema->input_count, kNoBuffer);
  bool any = false;
  for (uint32_t i = 0; i < owned.size(); ++i) {
    if (op->dispatchable->tensors[i].flags == DML_TENSOR_FLAG_NONE) continue;
    const auto source = op->dispatchable->initial_bindings.find(op->dispatchable->BindPoint(i));
    if (source == op->dispatchable->initial_bindings.end()) {
      Fail("{}: {} is OWNED_BY_DML, so the dispatchable needs a binding for it", doing,
           op->dispatchable->BindPoint(i));
    }
    owned[i] = MakeBinding(source->second, model, buffers);
    any = true;
  }
  const DML_BUFFER_ARRAY_BINDING array = {static_cast<UINT>(owned.size()), owned.data()};
  const DML_BINDING_DESC inputs = {DML_BINDING_TYPE_BUFFER_ARRAY, &array};
  if (any) op->table->BindInputs(1, &inputs);
  if (const uint64_t bytes = op->compiled->GetBindingProperties().PersistentResourceSize; bytes > 0) {
    op->persistent = MakeBuffer(bytes);
    const DML_BUFFER_BINDING binding = {op->persistent.Get(), 0, bytes};
    const DML_BINDING_DESC output = {DML_BINDING_TYPE_BUFFER, &binding};
    op->table->BindOutputs(1, &output);
  }
  recorder_->RecordDispatch(list_.Get(), initializer.Get(), op->table.Get());
  ExecuteAndWait(doing);
}

void DmlSession::Bind(Operator* op, const Bindings& bindings, const Model& model, const Buffers& buffers) {
  SetTable(op, op->compiled.Get(), op->compiled->GetBindingProperties().RequiredDescriptorCount);
  const uint32_t input_count = op->dispatchable->schema->input_count;
  DML_BUFFER_BINDING places[kMostTensors] = {};
  DML_BINDING_DESC descs[kMostTensors] = {};
  for (uint32_t i = 0; i <= input_count; ++i) {
    const TensorSpec& tensor = op->dispatchable->tensors[i];
    if (tensor.flags != DML_TENSOR_FLAG_NONE || tensor.sizes.empty()) {
      descs[i] = {DML_BINDING_TYPE_NONE, nullptr};
    } else {
      places[i] = MakeBinding(bindings.at(op->dispatchable->BindPoint(i)), model, buffers);
      descs[i] = {DML_BINDING_TYPE_BUFFER, &places[i]};
    }
  }
  op->table->BindInputs(input_count, descs);
  op->table->BindOutputs(1, &descs[input_count]);
  if (op->persistent != nullptr) {
    const DML_BUFFER_BINDING binding = {op->persistent.Get(), 0, op->persistent->GetDesc().Width};
    const DML_BINDING_DESC persistent = {DML_BINDING_TYPE_BUFFER, &binding};
    op->table->BindPersistentResource(&persistent);
  }
  Check(dml_->GetDeviceRemovedReason(), fmt::format("binding '{}'", op->dispatchable->name));
}

void DmlSession::Dispatch(const Operator& op, uint32_t repeat) {
  for (uint32_t i = 0; i < repeat; ++i) {
    recorder_->RecordDispatch(list_.Get(), op.compiled.Get(), op.table.Get());
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    list_->ResourceBarrier(1, &barrier);
  }
  ExecuteAndWait(fmt::format("dispatching '{}'", op.dispatchable->name));
}

void DmlSession::ExecuteAndWait(const std::string& doing) {
  Check(list_->Close(), doing);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  Check(queue_->Signal(fence_.Get(), ++fence_value_), doing);
  Check(fence_->SetEventOnCompletion(fence_value_, nullptr), doing);
  Check(dml_->GetDeviceRemovedReason(), doing);
  Check(allocator_->Reset(), doing);
  Check(list_->Reset(allocator_.Get(), nullptr), doing);
}

}  // namespace residue::tool
