// The DirectML dance for tests: devices, buffers that the test can see, tensors in one line, operators in
// two. When a test ends every object must be dead.
#pragma once

#include <gtest/gtest.h>

#include <DirectML.h>
#include <wrl/client.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <residue_d3d12.h>
#include "com/com_object.h"
#include "core/data_type.h"
#include "d3d12/host_interfaces.h"
#include "directml/operator_schema.h"
#include "residue_win32.h"
#include "support/any_number.h"

namespace residue::testing {

using Microsoft::WRL::ComPtr;

inline constexpr HRESULT kRemoved = DXGI_ERROR_DEVICE_REMOVED;

// How many references an object has now.
template <class T>
ULONG CountReferences(T* object) {
  object->AddRef();
  return object->Release();
}

inline UINT64 ElementSizeOf(DML_TENSOR_DATA_TYPE type) { return SizeOf(static_cast<DataType>(type)); }

// Rule R55, computed anew.
inline UINT64 MinimumBytes(DML_TENSOR_DATA_TYPE type, const std::vector<UINT>& sizes,
                           const std::vector<UINT>& strides) {
  UINT64 last = 0;
  UINT64 packed = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    last += UINT64{sizes[i] - 1} * (strides.empty() ? packed : strides[i]);
    packed *= sizes[i];
  }
  return ((last + 1) * ElementSizeOf(type) + 3) / 4 * 4;
}

// A tensor description that owns what it points to. Fields may be changed after construction.
struct Tensor {
  Tensor(DML_TENSOR_DATA_TYPE type, std::vector<UINT> tensor_sizes, std::vector<UINT> tensor_strides = {},
         DML_TENSOR_FLAGS flags = DML_TENSOR_FLAG_NONE)
      : sizes(std::move(tensor_sizes)), strides(std::move(tensor_strides)) {
    buffer.DataType = type;
    buffer.Flags = flags;
    buffer.DimensionCount = static_cast<UINT>(sizes.size());
    buffer.TotalTensorSizeInBytes = MinimumBytes(type, sizes, strides);
  }
  const DML_TENSOR_DESC* get() {
    if (!raw_pointers) {
      buffer.Sizes = sizes.data();
      buffer.Strides = strides.empty() ? nullptr : strides.data();
    }
    desc = {DML_TENSOR_TYPE_BUFFER, &buffer};
    return &desc;
  }
  UINT64 bytes() const { return buffer.TotalTensorSizeInBytes; }

  std::vector<UINT> sizes;
  std::vector<UINT> strides;
  DML_BUFFER_TENSOR_DESC buffer{};
  DML_TENSOR_DESC desc{};
  bool raw_pointers = false;  // leave buffer.Sizes and buffer.Strides as the test set them
};

inline Tensor Float32(std::vector<UINT> sizes, std::vector<UINT> strides = {}) {
  return {DML_TENSOR_DATA_TYPE_FLOAT32, std::move(sizes), std::move(strides)};
}
inline Tensor Int32(std::vector<UINT> sizes, std::vector<UINT> strides = {}) {
  return {DML_TENSOR_DATA_TYPE_INT32, std::move(sizes), std::move(strides)};
}

// Collects debug strings while it lives.
class DebugStrings {
 public:
  DebugStrings() {
    ResidueSetDebugStringHandler(
        [](void* context, const char* text) {
          static_cast<DebugStrings*>(context)->texts.emplace_back(text);
        },
        this);
  }
  ~DebugStrings() { ResidueSetDebugStringHandler(nullptr, nullptr); }
  bool Contains(const std::string& part) const {
    for (const std::string& text : texts) {
      if (text.find(part) != std::string::npos) return true;
    }
    return false;
  }
  std::vector<std::string> texts;
};

// What an info queue has stored.
struct StoredMessage {
  D3D12_MESSAGE_SEVERITY severity = {};
  D3D12_MESSAGE_ID id = {};
  std::string text;
};
inline StoredMessage ReadMessage(ID3D12InfoQueue* queue, UINT64 index) {
  SIZE_T size = 0;
  EXPECT_EQ(queue->GetMessage(index, nullptr, &size), S_FALSE);
  std::vector<std::max_align_t> storage(size / sizeof(std::max_align_t) + 1);
  auto* message = reinterpret_cast<D3D12_MESSAGE*>(storage.data());
  EXPECT_EQ(queue->GetMessage(index, message, &size), S_OK);
  return {message->Severity, message->ID, message->pDescription};
}

// A COM object that knows nothing but IUnknown, in the shape of whatever is asked for.
class Stranger final : public ComObject<IUnknown> {
 public:
  template <class T>
  T* As() {
    return reinterpret_cast<T*>(static_cast<IUnknown*>(this));
  }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }
};

// Sets an environment variable for as long as it lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

// Devices made from now on have the debug layer, or not.
inline void SetDebugLayer(bool on) {
  ComPtr<ID3D12Debug4> debug;
  ASSERT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
  on ? debug->EnableDebugLayer() : debug->DisableDebugLayer();
}

// Makes the backend of all devices, with a reference for the caller; null for the processor's.
inline IBackend* (*make_backend)() = nullptr;

inline bool ComputesOnTheProcessor() { return make_backend == nullptr; }

inline HRESULT CreateD3D12Device(D3D_FEATURE_LEVEL level, ComPtr<ID3D12Device>* device) {
  const HRESULT hr = D3D12CreateDevice(nullptr, level, IID_PPV_ARGS(device->ReleaseAndGetAddressOf()));
  if (FAILED(hr) || make_backend == nullptr) return hr;
  // A device that is there already has one, and keeps it.
  const auto backend = Ref<IBackend>::Adopt(make_backend());
  QueryFor<IHostDevice>(device->Get(), kIidHostDevice)->SetBackend(backend.get());
  return hr;
}

class DmlTest : public ::testing::Test {
 protected:
  static constexpr auto kFloor = DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR;
  static constexpr auto kTruncate = DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE;
  static constexpr auto kIdentity = DML_OPERATOR_ELEMENT_WISE_IDENTITY;
  static constexpr UINT kTables = 64;
  static constexpr UINT kTableDescriptors = 64;

  void SetUp() override {
    ASSERT_EQ(LiveObjectCount(), 0);
    ASSERT_EQ(CreateD3D12Device(D3D_FEATURE_LEVEL_11_0, &d3d_), S_OK);
    const D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                           0};
    ASSERT_EQ(d3d_->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue_)), S_OK);
    ASSERT_EQ(d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator_)), S_OK);
    ASSERT_EQ(d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator_.Get(), nullptr,
                                      IID_PPV_ARGS(&list_)),
              S_OK);
    ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence_)), S_OK);
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                             kTables * kTableDescriptors,
                                             D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    ASSERT_EQ(d3d_->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&descriptors_)), S_OK);
    SetHeaps();
    dml_ = MakeDevice();
    ASSERT_NE(dml_.Get(), nullptr);
    recorder_ = MakeRecorder(dml_.Get());
  }

  void TearDown() override {
    recorder_.Reset();
    dml_.Reset();
    descriptors_.Reset();
    fence_.Reset();
    list_.Reset();
    allocator_.Reset();
    queue_.Reset();
    d3d_.Reset();
    EXPECT_EQ(LiveObjectCount(), 0) << "objects were leaked";
  }

  // A list of a test's own, open, with the heap of the binding tables set.
  struct OwnList {
    ComPtr<ID3D12CommandAllocator> allocator;
    ComPtr<ID3D12GraphicsCommandList> list;
  };
  OwnList MakeList(D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_DIRECT) {
    OwnList own;
    EXPECT_EQ(d3d_->CreateCommandAllocator(type, IID_PPV_ARGS(&own.allocator)), S_OK);
    EXPECT_EQ(d3d_->CreateCommandList(0, type, own.allocator.Get(), nullptr, IID_PPV_ARGS(&own.list)), S_OK);
    SetHeaps(own.list.Get());
    return own;
  }

  ComPtr<IDMLDevice1> MakeDevice(DML_CREATE_DEVICE_FLAGS flags = DML_CREATE_DEVICE_FLAG_NONE) {
    ComPtr<IDMLDevice1> device;
    EXPECT_EQ(DMLCreateDevice(d3d_.Get(), flags, IID_PPV_ARGS(&device)), S_OK);
    return device;
  }
  static ComPtr<IDMLCommandRecorder> MakeRecorder(IDMLDevice* device) {
    ComPtr<IDMLCommandRecorder> recorder;
    EXPECT_EQ(device->CreateCommandRecorder(IID_PPV_ARGS(&recorder)), S_OK);
    return recorder;
  }

  // A buffer in memory that both sides see, so that tests read and write it with Map.
  ComPtr<ID3D12Resource> MakeBuffer(UINT64 bytes,
                                    D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) {
    return MakeBuffer(
        bytes, {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 1, 1},
        flags, D3D12_RESOURCE_STATE_COMMON);
  }
  ComPtr<ID3D12Resource> MakeBufferIn(D3D12_HEAP_TYPE type, UINT64 bytes) {
    const bool cpu = type == D3D12_HEAP_TYPE_UPLOAD || type == D3D12_HEAP_TYPE_READBACK;
    const auto state = type == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                       : type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                          : D3D12_RESOURCE_STATE_COMMON;
    return MakeBuffer(bytes, {type, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0},
                      cpu ? D3D12_RESOURCE_FLAG_NONE : D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, state);
  }
  ComPtr<ID3D12Resource> MakeBuffer(UINT64 bytes, const D3D12_HEAP_PROPERTIES& properties,
                                    D3D12_RESOURCE_FLAGS flags, D3D12_RESOURCE_STATES state) {
    const D3D12_RESOURCE_DESC desc = BufferDesc(bytes, flags);
    ComPtr<ID3D12Resource> buffer;
    EXPECT_EQ(d3d_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                            IID_PPV_ARGS(&buffer)),
              S_OK);
    return buffer;
  }
  static D3D12_RESOURCE_DESC BufferDesc(UINT64 bytes, D3D12_RESOURCE_FLAGS flags) {
    return {D3D12_RESOURCE_DIMENSION_BUFFER, 0,    bytes, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0},
            D3D12_TEXTURE_LAYOUT_ROW_MAJOR,  flags};
  }
  static D3D12_HEAP_DESC DefaultHeapDesc() {
    return {65536,
            {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0},
            0,
            D3D12_HEAP_FLAG_NONE};
  }
  template <class T>
  ComPtr<ID3D12Resource> MakeBufferOf(const std::vector<T>& values) {
    ComPtr<ID3D12Resource> buffer = MakeBuffer((values.size() * sizeof(T) + 3) / 4 * 4);
    Write(buffer.Get(), values);
    return buffer;
  }
  template <class T>
  static T* Data(ID3D12Resource* buffer) {
    void* data = nullptr;
    EXPECT_EQ(buffer->Map(0, nullptr, &data), S_OK);
    return static_cast<T*>(data);
  }
  template <class T>
  static void Write(ID3D12Resource* buffer, const std::vector<T>& values, UINT64 offset = 0) {
    std::memcpy(Data<std::byte>(buffer) + offset, values.data(), values.size() * sizeof(T));
  }
  template <class T>
  static std::vector<T> Read(ID3D12Resource* buffer, size_t count, UINT64 offset = 0) {
    std::vector<T> values(count);
    std::memcpy(values.data(), Data<std::byte>(buffer) + offset, count * sizeof(T));
    return values;
  }

  HRESULT TryCreate(DML_OPERATOR_TYPE type, Tensor& a, Tensor& b, Tensor& out, IDMLOperator** op,
                    IDMLDevice* device = nullptr) {
    const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {a.get(), b.get(), out.get()};
    const DML_OPERATOR_DESC operator_desc = {type, &desc};
    return (device == nullptr ? dml_.Get() : device)
        ->CreateOperator(&operator_desc, __uuidof(IDMLOperator), reinterpret_cast<void**>(op));
  }
  HRESULT TryCreate(DML_OPERATOR_TYPE type, Tensor& a, Tensor& b, Tensor& out, IDMLDevice* device = nullptr) {
    ComPtr<IDMLOperator> op;
    const HRESULT hr = TryCreate(type, a, b, out, &op, device);
    EXPECT_EQ(SUCCEEDED(hr), op.Get() != nullptr);
    return hr;
  }
  // A test that needs one tensor to be wrong leaves the others plain.
  HRESULT TryWithA(Tensor& a) {
    Tensor b = Plain(a);
    Tensor out = Plain(a);
    return TryCreate(kFloor, a, b, out);
  }
  HRESULT TryWithOutput(Tensor& out) {
    Tensor a = Plain(out);
    Tensor b = Plain(out);
    return TryCreate(kFloor, a, b, out);
  }
  static Tensor Plain(const Tensor& like) { return {like.buffer.DataType, like.sizes}; }

  ComPtr<IDMLOperator> MakeOperator(DML_OPERATOR_TYPE type, Tensor& a, Tensor& b, Tensor& out) {
    ComPtr<IDMLOperator> op;
    EXPECT_EQ(TryCreate(type, a, b, out, &op), S_OK);
    return op;
  }
  ComPtr<IDMLOperator> MakeModulus(DML_OPERATOR_TYPE type, Tensor like) {
    Tensor b = like;
    Tensor out = like;
    return MakeOperator(type, like, b, out);
  }
  HRESULT TryCreateIdentity(Tensor& in, Tensor& out, const DML_SCALE_BIAS* scale_bias, IDMLOperator** op,
                            IDMLDevice* device = nullptr) {
    const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {in.get(), out.get(), scale_bias};
    const DML_OPERATOR_DESC operator_desc = {kIdentity, &desc};
    return (device == nullptr ? dml_.Get() : device)
        ->CreateOperator(&operator_desc, __uuidof(IDMLOperator), reinterpret_cast<void**>(op));
  }
  ComPtr<IDMLCompiledOperator> Compile(IDMLOperator* op,
                                       DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE) {
    ComPtr<IDMLCompiledOperator> compiled;
    EXPECT_EQ(dml_->CompileOperator(op, flags, IID_PPV_ARGS(&compiled)), S_OK);
    return compiled;
  }
  ComPtr<IDMLCompiledOperator> CompileModulus(DML_OPERATOR_TYPE type, Tensor like,
                                              DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE) {
    return Compile(MakeModulus(type, like).Get(), flags);
  }
  ComPtr<IDMLOperatorInitializer> MakeInitializer(std::vector<IDMLCompiledOperator*> operators) {
    ComPtr<IDMLOperatorInitializer> initializer;
    EXPECT_EQ(dml_->CreateOperatorInitializer(static_cast<UINT>(operators.size()), operators.data(),
                                              IID_PPV_ARGS(&initializer)),
              S_OK);
    return initializer;
  }
  DML_BINDING_TABLE_DESC TableDesc(IDMLDispatchable* dispatchable) {
    return {dispatchable, descriptors_->GetCPUDescriptorHandleForHeapStart(),
            descriptors_->GetGPUDescriptorHandleForHeapStart(), kTableDescriptors};
  }
  // Each with descriptors of its own, so that several may be in one list.
  ComPtr<IDMLBindingTable> MakeTable(IDMLDispatchable* dispatchable) {
    DML_BINDING_TABLE_DESC desc = TableDesc(dispatchable);
    const UINT64 bytes = UINT64{next_table_++ % kTables * kTableDescriptors} *
                         d3d_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    desc.CPUDescriptorHandle.ptr += bytes;
    desc.GPUDescriptorHandle.ptr += bytes;
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
    return table;
  }

  // A binding of a whole buffer, or of part of it; a null buffer means none.
  struct Binding {
    Binding(ID3D12Resource* resource)
        : Binding(resource, 0, resource == nullptr ? 0 : resource->GetDesc().Width) {}
    Binding(const ComPtr<ID3D12Resource>& resource) : Binding(resource.Get()) {}
    Binding(ID3D12Resource* resource, UINT64 offset, UINT64 bytes) : buffer{resource, offset, bytes} {}
    DML_BUFFER_BINDING buffer;
  };
  static void BindInputs(IDMLBindingTable* table, std::vector<Binding> bindings) {
    std::vector<DML_BINDING_DESC> descs;
    for (const Binding& b : bindings) descs.push_back({DML_BINDING_TYPE_BUFFER, &b.buffer});
    table->BindInputs(static_cast<UINT>(descs.size()), descs.data());
  }
  static void BindOutputs(IDMLBindingTable* table, std::vector<Binding> bindings) {
    std::vector<DML_BINDING_DESC> descs;
    for (const Binding& b : bindings) descs.push_back({DML_BINDING_TYPE_BUFFER, &b.buffer});
    table->BindOutputs(static_cast<UINT>(descs.size()), descs.data());
  }
  static void BindTemporary(IDMLBindingTable* table, Binding binding) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &binding.buffer};
    table->BindTemporaryResource(&desc);
  }
  static void BindPersistent(IDMLBindingTable* table, Binding binding) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &binding.buffer};
    table->BindPersistentResource(&desc);
  }
  // An initializer's inputs: one array per target.
  static void BindArrays(IDMLBindingTable* table,
                         const std::vector<std::vector<DML_BUFFER_BINDING>>& targets) {
    std::vector<DML_BUFFER_ARRAY_BINDING> arrays;
    for (const auto& target : targets) arrays.push_back({static_cast<UINT>(target.size()), target.data()});
    std::vector<DML_BINDING_DESC> descs;
    for (const auto& array : arrays) descs.push_back({DML_BINDING_TYPE_BUFFER_ARRAY, &array});
    table->BindInputs(static_cast<UINT>(descs.size()), descs.data());
  }

  void Record(IDMLDispatchable* dispatchable, IDMLBindingTable* table) {
    recorder_->RecordDispatch(list_.Get(), dispatchable, table);
  }
  // Closes the list, runs it, waits, and opens it again.
  void ExecuteList() {
    ASSERT_EQ(list_->Close(), S_OK);
    SubmitAndWait();
    ASSERT_EQ(allocator_->Reset(), S_OK);
    ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
    SetHeaps();
  }
  // A list must know the heap of the binding tables that dispatches are recorded with.
  void SetHeaps() { SetHeaps(list_.Get()); }
  void SetHeaps(ID3D12GraphicsCommandList* list) {
    ID3D12DescriptorHeap* heaps[] = {descriptors_.Get()};
    list->SetDescriptorHeaps(1, heaps);
  }
  void Transition(ID3D12Resource* buffer, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {buffer, 0, before, after};
    list_->ResourceBarrier(1, &barrier);
  }
  void SubmitAndWait() {
    ID3D12CommandList* lists[] = {list_.Get()};
    queue_->ExecuteCommandLists(1, lists);
    Wait();
  }
  void Wait() {
    ASSERT_EQ(queue_->Signal(fence_.Get(), ++fence_value_), S_OK);
    ASSERT_EQ(fence_->SetEventOnCompletion(fence_value_, nullptr), S_OK);
  }
  // The usual initialization of operators without owned inputs.
  void Initialize(IDMLCompiledOperator* compiled) {
    const auto initializer = MakeInitializer({compiled});
    const auto table = MakeTable(initializer.Get());
    Record(initializer.Get(), table.Get());
    ExecuteList();
  }
  // Binds, records and runs an initialized operator, with as much temporary memory as it asks for.
  void Run(IDMLCompiledOperator* compiled, std::vector<Binding> inputs, std::vector<Binding> outputs) {
    const auto table = MakeTable(compiled);
    const UINT64 bytes = compiled->GetBindingProperties().TemporaryResourceSize;
    const ComPtr<ID3D12Resource> temporary =
        bytes == 0 ? nullptr : MakeBufferIn(D3D12_HEAP_TYPE_DEFAULT, bytes);
    if (bytes != 0) BindTemporary(table.Get(), temporary);
    BindInputs(table.Get(), std::move(inputs));
    BindOutputs(table.Get(), std::move(outputs));
    Record(compiled, table.Get());
    ExecuteList();
  }
  // The result of an operator on packed data, or on strided tensors if they are given.
  template <class T>
  std::vector<T> Compute(DML_OPERATOR_TYPE type, Tensor a, Tensor b, Tensor out, const std::vector<T>& a_data,
                         const std::vector<T>& b_data, DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE) {
    const auto compiled = Compile(MakeOperator(type, a, b, out).Get(), flags);
    const auto a_buffer = MakeBuffer(a.bytes());
    const auto b_buffer = MakeBuffer(b.bytes());
    const auto out_buffer = MakeBuffer(out.bytes());
    Write(a_buffer.Get(), a_data);
    Write(b_buffer.Get(), b_data);
    Initialize(compiled.Get());
    Run(compiled.Get(), {a_buffer, b_buffer}, {out_buffer});
    EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
    return Read<T>(out_buffer.Get(), out.bytes() / sizeof(T));
  }
  template <class T>
  std::vector<T> Compute(DML_OPERATOR_TYPE type, DML_TENSOR_DATA_TYPE data_type, const std::vector<T>& a,
                         const std::vector<T>& b) {
    const Tensor like(data_type, {static_cast<UINT>(a.size())});
    std::vector<T> result = Compute(type, like, like, like, a, b);
    result.resize(a.size());
    return result;
  }

  // What an emulated runtime of a level ("2_1") says to an operator of this type and rank.
  HRESULT TryAtLevel(const char* level, DML_OPERATOR_TYPE type, DML_TENSOR_DATA_TYPE data_type, UINT rank) {
    const Environment emulated("RESIDUE_DIRECTML_FEATURE_LEVEL", level);
    ComPtr<IDMLDevice> device;
    EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&device)), S_OK);
    Tensor like(data_type, std::vector<UINT>(rank, 2));
    // Room for any description: as many tensors as an operator may have, then zeros.
    const DML_TENSOR_DESC* fields[32] = {};
    const OperatorSchema* schema = FindOperatorSchema(type);
    for (uint32_t i = 0; i <= (schema == nullptr ? 0 : schema->input_count); ++i) fields[i] = like.get();
    const DML_OPERATOR_DESC desc = {type, fields};
    ComPtr<IDMLOperator> op;
    return device->CreateOperator(&desc, IID_PPV_ARGS(&op));
  }

  // op(op(a, b), b) of `words` 32-bit integers, with an identity of another shape in between, so that the
  // three nodes cannot be one walk over memory and temporary memory is needed.
  ComPtr<IDMLCompiledOperator> CompileChain(IDMLOperator* op, UINT words = 4) {
    Tensor shape(DML_TENSOR_DATA_TYPE_INT32, {2, words / 2});
    ComPtr<IDMLOperator> identity;
    EXPECT_EQ(TryCreateIdentity(shape, shape, nullptr, &identity), S_OK);
    const DML_OPERATOR_GRAPH_NODE_DESC node = {op, nullptr};
    const DML_OPERATOR_GRAPH_NODE_DESC copy = {identity.Get(), nullptr};
    const DML_GRAPH_NODE_DESC nodes[] = {{DML_GRAPH_NODE_TYPE_OPERATOR, &node},
                                         {DML_GRAPH_NODE_TYPE_OPERATOR, &node},
                                         {DML_GRAPH_NODE_TYPE_OPERATOR, &copy}};
    const DML_INPUT_GRAPH_EDGE_DESC in[] = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}, {1, 1, 1, nullptr}};
    const DML_INTERMEDIATE_GRAPH_EDGE_DESC middle[] = {{0, 0, 2, 0, nullptr}, {2, 0, 1, 0, nullptr}};
    const DML_OUTPUT_GRAPH_EDGE_DESC out = {1, 0, 0, nullptr};
    const DML_GRAPH_EDGE_DESC ins[] = {{DML_GRAPH_EDGE_TYPE_INPUT, &in[0]},
                                       {DML_GRAPH_EDGE_TYPE_INPUT, &in[1]},
                                       {DML_GRAPH_EDGE_TYPE_INPUT, &in[2]}};
    const DML_GRAPH_EDGE_DESC middles[] = {{DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &middle[0]},
                                           {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &middle[1]}};
    const DML_GRAPH_EDGE_DESC outs[] = {{DML_GRAPH_EDGE_TYPE_OUTPUT, &out}};
    const DML_GRAPH_DESC graph = {2, 1, 3, nodes, 3, ins, 1, outs, 2, middles};
    ComPtr<IDMLCompiledOperator> compiled;
    EXPECT_EQ(dml_->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK);
    return compiled;
  }

  bool IsRemoved() { return dml_->GetDeviceRemovedReason() != S_OK; }
  // After a test removed the device on purpose: a new one, so that more can be tried.
  void ReplaceDevice() {
    recorder_.Reset();
    dml_ = MakeDevice();
    recorder_ = MakeRecorder(dml_.Get());
  }
  // Runs `act` with a fresh device; says whether it removed it.
  bool Removes(const std::function<void()>& act) {
    ReplaceDevice();
    act();
    const HRESULT reason = dml_->GetDeviceRemovedReason();
    EXPECT_TRUE(reason == S_OK || reason == E_INVALIDARG) << std::hex << reason;
    ReplaceDevice();
    return reason != S_OK;
  }

  ComPtr<ID3D12Device> d3d_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Fence> fence_;
  ComPtr<ID3D12DescriptorHeap> descriptors_;
  ComPtr<IDMLDevice1> dml_;
  ComPtr<IDMLCommandRecorder> recorder_;
  UINT64 fence_value_ = 0;
  std::atomic<UINT> next_table_{0};
};

class ContractTest : public DmlTest {};

}  // namespace residue::testing
