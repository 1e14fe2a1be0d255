// A program of DirectML and Direct3D 12 calls in any order, with objects of any age, of another device or
// missing, wrong ranges and wrong handles, and no care for lifetimes, with the debug layer's strict checks
// and without. Nothing crashes or hangs, errors leave nothing behind, and when everything is released
// everything is dead.
#include <residue_d3d12.h>

#include <fuzzer/FuzzedDataProvider.h>

#include <DirectML.h>
#include <wrl/client.h>

#include <array>
#include <memory>
#include <vector>

#include "com/com_object.h"
#include "directml/tensor_desc.h"
#include "fuzz/fuzz_tensor.h"
#include "fuzz/require.h"
#include "residue_win32.h"

using Microsoft::WRL::ComPtr;

namespace residue::testing {
namespace {

constexpr int kMostSteps = 64;
constexpr UINT kDescriptors = 16;

// Objects of one kind; a program refers to them by number, and finds null where there is none.
template <class T>
class Pool {
 public:
  void Put(FuzzedDataProvider& data, ComPtr<T> object) { places_[Place(data)] = std::move(object); }
  T* Pick(FuzzedDataProvider& data) { return places_[Place(data)].Get(); }
  void Drop(FuzzedDataProvider& data) { places_[Place(data)].Reset(); }

 private:
  static size_t Place(FuzzedDataProvider& data) { return data.ConsumeIntegralInRange<size_t>(0, 3); }
  std::array<ComPtr<T>, 4> places_;
};

// Direct3D 12 for many programs: threads are dear.
struct Host {
  explicit Host(bool watched) {
    ComPtr<ID3D12Debug4> debug;
    FUZZ_REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)) == S_OK);
    watched ? debug->EnableDebugLayer() : debug->DisableDebugLayer();
    FUZZ_REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);
    const D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                           0};
    FUZZ_REQUIRE(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)) == S_OK);
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, kDescriptors,
                                             D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    FUZZ_REQUIRE(device->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&descriptors)) == S_OK);
    FUZZ_REQUIRE(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)) == S_OK);
  }
  // Everything that was submitted has run and is forgotten.
  void Drain() {
    FUZZ_REQUIRE(queue->Signal(fence.Get(), ++fence_value) == S_OK);
    FUZZ_REQUIRE(fence->SetEventOnCompletion(fence_value, nullptr) == S_OK);
  }
  ComPtr<ID3D12Device> device;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12DescriptorHeap> descriptors;
  ComPtr<ID3D12Fence> fence;
  UINT64 fence_value = 0;
};

class Program {
 public:
  Program(Host& host, FuzzedDataProvider& data) : host_(host), data_(data) {
    for (size_t i = 0; i < dml_.size(); ++i) {
      FUZZ_REQUIRE(DMLCreateDevice(host.device.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml_[i])) ==
                   S_OK);
      FUZZ_REQUIRE(dml_[i]->CreateCommandRecorder(IID_PPV_ARGS(&recorders_[i])) == S_OK);
    }
    FUZZ_REQUIRE(host.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&waited_)) == S_OK);
    MakeBuffer();
    MakeList();
  }
  // Whatever the queue waits for happens now.
  ~Program() { waited_->Signal(UINT64_MAX); }

  void Run() {
    for (int step = 0; step < kMostSteps && data_.remaining_bytes() > 0; ++step) Step();
  }

 private:
  void Step() {
    switch (data_.ConsumeIntegralInRange<int>(0, 34)) {
      case 0:
      case 1:
        return MakeOperator();
      case 2:
      case 3:
        return Compile();
      case 4:
        return CompileGraph();
      case 5:
        return MakeInitializer();
      case 6:
        return ResetInitializer();
      case 7:
      case 8:
        return MakeTable();
      case 9:
        return ResetTable();
      case 10:
      case 11:
        return BindInputs();
      case 12:
      case 13:
        return BindOutputs();
      case 14:
        return BindOne();
      case 15:
      case 16:
        return Record();
      case 17:
        return Execute();
      case 18:
        return ReopenList();
      case 19:
        return MakeBuffer();
      case 20:
        return Touch();
      case 21:
        return Drop();
      case 22:
        return Copy();
      case 23:
        return SetPrivateData();
      case 24:
        return Queries();
      case 25:
        return Fences();
      case 26:
        return Residency();
      case 27:
        return MakeList();
      case 28:
        return Barriers();
      case 29:
        return SetHeaps();
      case 30:
        return Timestamps();
      case 31:
        return Adapters();
      default:
        return Dispatch();
    }
  }

  IDMLDevice1* Device() { return dml_[data_.ConsumeIntegralInRange<int>(0, 7) == 7 ? 1 : 0].Get(); }
  IDMLCommandRecorder* Recorder() {
    return recorders_[data_.ConsumeIntegralInRange<int>(0, 15) == 15 ? 1 : 0].Get();
  }

  void MakeOperator() {
    const FuzzShape shape(data_);
    const FuzzTensor a(data_, shape);
    const FuzzTensor b(data_, shape);
    const FuzzTensor out(data_, shape);
    const void* fields[3] = {a.get(), b.get(), out.get()};
    constexpr DML_OPERATOR_TYPE kTypes[] = {
        DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE,
        DML_OPERATOR_ELEMENT_WISE_IDENTITY,      DML_OPERATOR_ELEMENT_WISE_ADD,
        DML_OPERATOR_ELEMENT_WISE_DIVIDE,        DML_OPERATOR_ELEMENT_WISE_LOGICAL_EQUALS,
        DML_OPERATOR_ELEMENT_WISE_BIT_XOR,       DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU};
    const DML_OPERATOR_TYPE type = data_.PickValueInArray(kTypes);
    if (type == DML_OPERATOR_ELEMENT_WISE_IDENTITY) fields[2] = nullptr;
    const DML_OPERATOR_DESC desc = {type, fields};
    ComPtr<IDMLOperator> op;
    const HRESULT hr = Device()->CreateOperator(&desc, IID_PPV_ARGS(&op));
    FUZZ_REQUIRE(SUCCEEDED(hr) == (op != nullptr));
    if (op != nullptr) operators_.Put(data_, op);
  }

  DML_EXECUTION_FLAGS Flags() {
    constexpr int32_t kFlags[] = {0, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE,
                                  DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION,
                                  DML_EXECUTION_FLAG_DISABLE_META_COMMANDS, 0x40};
    return AnyNumber<DML_EXECUTION_FLAGS>(data_.PickValueInArray(kFlags));
  }

  void Keep(HRESULT hr, ComPtr<IDMLCompiledOperator> compiled) {
    FUZZ_REQUIRE(SUCCEEDED(hr) == (compiled != nullptr));
    if (compiled != nullptr) compiled_.Put(data_, compiled);
  }

  void Compile() {
    ComPtr<IDMLCompiledOperator> compiled;
    const HRESULT hr = Device()->CompileOperator(operators_.Pick(data_), Flags(), IID_PPV_ARGS(&compiled));
    Keep(hr, compiled);
  }

  void CompileGraph() {
    const auto count = [&] { return data_.ConsumeIntegralInRange<UINT>(0, 5); };
    const auto index = [&] {
      return data_.ConsumeIntegralInRange<int>(0, 31) == 31 ? data_.ConsumeIntegral<UINT>()
                                                            : data_.ConsumeIntegralInRange<UINT>(0, 3);
    };
    const uint32_t constant[8] = {3, 5, 0, 7, 1, 2, 9, 4};
    std::vector<DML_OPERATOR_GRAPH_NODE_DESC> operators(count());
    const UINT64 constant_size = data_.ConsumeIntegralInRange<int>(0, 15) == 15
                                     ? UINT64_MAX - data_.ConsumeIntegralInRange<UINT64>(0, UINT64{1} << 62)
                                     : data_.ConsumeIntegralInRange<UINT64>(0, 32);
    const DML_CONSTANT_DATA_GRAPH_NODE_DESC data = {constant, constant_size, nullptr};
    std::vector<DML_GRAPH_NODE_DESC> nodes;
    for (auto& node : operators) {
      node = {operators_.Pick(data_), nullptr};
      nodes.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &node});
    }
    if (data_.ConsumeBool()) nodes.push_back({DML_GRAPH_NODE_TYPE_CONSTANT, &data});
    if (data_.ConsumeIntegralInRange<int>(0, 15) == 15)
      nodes.push_back({AnyNumber<DML_GRAPH_NODE_TYPE>(9), nullptr});
    std::vector<DML_INPUT_GRAPH_EDGE_DESC> ins(count());
    std::vector<DML_OUTPUT_GRAPH_EDGE_DESC> outs(count());
    std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> middles(count());
    std::vector<DML_GRAPH_EDGE_DESC> in_edges, out_edges, middle_edges;
    for (auto& edge : ins) {
      edge = {index(), index(), index(), nullptr};
      in_edges.push_back({DML_GRAPH_EDGE_TYPE_INPUT, &edge});
    }
    for (auto& edge : outs) {
      edge = {index(), index(), index(), nullptr};
      out_edges.push_back({DML_GRAPH_EDGE_TYPE_OUTPUT, &edge});
    }
    for (auto& edge : middles) {
      edge = {index(), index(), index(), index(), nullptr};
      middle_edges.push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &edge});
    }
    const auto size = [](const auto& v) { return static_cast<UINT>(v.size()); };
    const DML_GRAPH_DESC graph = {
        index(),         index(),         size(nodes),      nodes.data(),       size(in_edges),
        in_edges.data(), size(out_edges), out_edges.data(), size(middle_edges), middle_edges.data()};
    ComPtr<IDMLCompiledOperator> compiled;
    const HRESULT hr = Device()->CompileGraph(&graph, Flags(), IID_PPV_ARGS(&compiled));
    Keep(hr, compiled);
  }

  std::vector<IDMLCompiledOperator*> SomeCompiled() {
    std::vector<IDMLCompiledOperator*> chosen(data_.ConsumeIntegralInRange<size_t>(0, 3));
    for (auto& one : chosen) one = compiled_.Pick(data_);
    return chosen;
  }
  void MakeInitializer() {
    const auto targets = SomeCompiled();
    ComPtr<IDMLOperatorInitializer> initializer;
    const HRESULT hr = Device()->CreateOperatorInitializer(static_cast<UINT>(targets.size()), targets.data(),
                                                           IID_PPV_ARGS(&initializer));
    FUZZ_REQUIRE(SUCCEEDED(hr) == (initializer != nullptr));
    if (initializer != nullptr) initializers_.Put(data_, initializer);
  }
  void ResetInitializer() {
    IDMLOperatorInitializer* initializer = initializers_.Pick(data_);
    if (initializer == nullptr) return;
    const auto targets = SomeCompiled();
    initializer->Reset(static_cast<UINT>(targets.size()), targets.data());
  }

  IDMLDispatchable* Dispatchable() {
    if (data_.ConsumeBool()) return compiled_.Pick(data_);
    return initializers_.Pick(data_);
  }
  DML_BINDING_TABLE_DESC TableDesc() {
    DML_BINDING_TABLE_DESC desc = {Dispatchable(), host_.descriptors->GetCPUDescriptorHandleForHeapStart(),
                                   host_.descriptors->GetGPUDescriptorHandleForHeapStart(), kDescriptors};
    switch (data_.ConsumeIntegralInRange<int>(0, 15)) {
      case 0:
        desc.SizeInDescriptors = data_.ConsumeIntegral<UINT>();
        break;
      case 1:
        desc.CPUDescriptorHandle.ptr += data_.ConsumeIntegralInRange<size_t>(0, 2000);
        break;
      case 2:
        desc.GPUDescriptorHandle.ptr = data_.ConsumeIntegral<UINT64>();
        break;
      case 3:
        desc.CPUDescriptorHandle.ptr = 0;
        break;
      default:
        break;
    }
    return desc;
  }
  void MakeTable() {
    const DML_BINDING_TABLE_DESC desc = TableDesc();
    ComPtr<IDMLBindingTable> table;
    const HRESULT hr = Device()->CreateBindingTable(&desc, IID_PPV_ARGS(&table));
    FUZZ_REQUIRE(SUCCEEDED(hr) == (table != nullptr));
    if (table != nullptr) tables_.Put(data_, table);
  }
  void ResetTable() {
    IDMLBindingTable* table = tables_.Pick(data_);
    if (table == nullptr) return;
    const DML_BINDING_TABLE_DESC desc = TableDesc();
    table->Reset(data_.ConsumeBool() ? &desc : nullptr);
  }

  // Mostly a whole buffer.
  DML_BUFFER_BINDING Binding() {
    ID3D12Resource* buffer = buffers_.Pick(data_);
    DML_BUFFER_BINDING binding = {buffer, 0, buffer == nullptr ? 0 : buffer->GetDesc().Width};
    switch (data_.ConsumeIntegralInRange<int>(0, 15)) {
      case 0:
        binding.Offset = data_.ConsumeIntegral<UINT64>();
        break;
      case 1:
        binding.SizeInBytes = data_.ConsumeIntegral<UINT64>();
        break;
      case 2:
        binding.Offset = 16 * data_.ConsumeIntegralInRange<UINT64>(0, 64);
        binding.SizeInBytes -= std::min(binding.SizeInBytes, binding.Offset);
        break;
      case 3:
        binding.Offset = 16 * data_.ConsumeIntegralInRange<UINT64>(0, 64);
        break;
      default:
        break;
    }
    return binding;
  }
  // Bindings of every kind; `use` sees them while they live. False if one lies outside its buffer.
  template <class Use>
  bool WithBindings(const Use& use) {
    const size_t count = data_.ConsumeIntegralInRange<size_t>(0, 4);
    std::vector<DML_BUFFER_BINDING> bindings(2 * count);
    std::vector<DML_BUFFER_ARRAY_BINDING> arrays(count);
    std::vector<DML_BINDING_DESC> descs(count);
    for (DML_BUFFER_BINDING& binding : bindings) binding = Binding();
    for (size_t i = 0; i < count; ++i) {
      arrays[i] = {data_.ConsumeIntegralInRange<UINT>(0, 2), &bindings[2 * i]};
      switch (data_.ConsumeIntegralInRange<int>(0, 9)) {
        case 0:
          descs[i] = {DML_BINDING_TYPE_NONE, nullptr};
          break;
        case 1:
        case 2:
          descs[i] = {DML_BINDING_TYPE_BUFFER_ARRAY, &arrays[i]};
          break;
        case 3:
          descs[i] = {AnyNumber<DML_BINDING_TYPE>(77), &bindings[2 * i]};
          break;
        default:
          descs[i] = {DML_BINDING_TYPE_BUFFER, &bindings[2 * i]};
          break;
      }
    }
    use(static_cast<UINT>(count), descs.data());
    bool in_range = true;
    for (size_t i = 0; i < count; ++i) {
      if (NumberOf(descs[i].Type) == DML_BINDING_TYPE_BUFFER) in_range &= IsInRange(bindings[2 * i]);
    }
    return in_range;
  }
  static bool IsInRange(const DML_BUFFER_BINDING& binding) {
    if (binding.Buffer == nullptr) return true;
    const UINT64 width = binding.Buffer->GetDesc().Width;
    return binding.Offset <= width && binding.SizeInBytes <= width - binding.Offset;
  }
  static void RequireRemoved(IDMLBindingTable* table) {
    ComPtr<IDMLDevice> device;
    FUZZ_REQUIRE(table->GetDevice(IID_PPV_ARGS(&device)) == DXGI_ERROR_DEVICE_REMOVED);
  }
  void BindInputs() {
    IDMLBindingTable* table = tables_.Pick(data_);
    if (table == nullptr) return;
    if (!WithBindings([&](UINT count, const DML_BINDING_DESC* descs) { table->BindInputs(count, descs); })) {
      RequireRemoved(table);
    }
  }
  void BindOutputs() {
    IDMLBindingTable* table = tables_.Pick(data_);
    if (table == nullptr) return;
    if (!WithBindings([&](UINT count, const DML_BINDING_DESC* descs) { table->BindOutputs(count, descs); })) {
      RequireRemoved(table);
    }
  }
  void BindOne() {
    IDMLBindingTable* table = tables_.Pick(data_);
    if (table == nullptr) return;
    const bool temporary = data_.ConsumeBool();
    WithBindings([&](UINT count, const DML_BINDING_DESC* descs) {
      const DML_BINDING_DESC* desc = count == 0 ? nullptr : descs;
      temporary ? table->BindTemporaryResource(desc) : table->BindPersistentResource(desc);
    });
  }
  // What a sound program does, each step with the mistakes that the bytes put in; steps by themselves would
  // hardly ever meet in this order.
  void Dispatch() {
    const FuzzShape shape(data_);
    const FuzzTensor a(data_, shape);
    const FuzzTensor b(data_, shape);
    const FuzzTensor out(data_, shape);
    const void* fields[3] = {a.get(), b.get(), out.get()};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, fields};
    IDMLDevice1* device = dml_[0].Get();
    ComPtr<IDMLOperator> op;
    ComPtr<IDMLCompiledOperator> compiled;
    ComPtr<IDMLOperatorInitializer> initializer;
    if (FAILED(device->CreateOperator(&desc, IID_PPV_ARGS(&op)))) return;
    if (FAILED(device->CompileOperator(op.Get(), Flags(), IID_PPV_ARGS(&compiled)))) return;
    IDMLCompiledOperator* targets[] = {compiled.Get()};
    if (FAILED(device->CreateOperatorInitializer(1, targets, IID_PPV_ARGS(&initializer)))) return;
    for (IDMLDispatchable* dispatchable : {static_cast<IDMLDispatchable*>(initializer.Get()),
                                           static_cast<IDMLDispatchable*>(compiled.Get())}) {
      const DML_BINDING_TABLE_DESC table_desc = {
          dispatchable, host_.descriptors->GetCPUDescriptorHandleForHeapStart(),
          host_.descriptors->GetGPUDescriptorHandleForHeapStart(), kDescriptors};
      ComPtr<IDMLBindingTable> table;
      if (FAILED(device->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)))) return;
      if (dispatchable == static_cast<IDMLDispatchable*>(compiled.Get())) {
        const DML_BUFFER_BINDING bindings[] = {Binding(), Binding(), Binding()};
        const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_BUFFER, &bindings[0]},
                                           {DML_BINDING_TYPE_BUFFER, &bindings[1]}};
        const DML_BINDING_DESC output = {DML_BINDING_TYPE_BUFFER, &bindings[2]};
        table->BindInputs(2, inputs);
        table->BindOutputs(1, &output);
        if (!IsInRange(bindings[0]) || !IsInRange(bindings[1]) || !IsInRange(bindings[2])) {
          RequireRemoved(table.Get());
        }
      }
      recorders_[0]->RecordDispatch(lists_.Pick(data_), dispatchable, table.Get());
      tables_.Put(data_, table);
    }
    compiled_.Put(data_, compiled);
    Execute();
  }
  void Record() { Recorder()->RecordDispatch(lists_.Pick(data_), Dispatchable(), tables_.Pick(data_)); }

  void MakeList() {
    ComPtr<ID3D12CommandAllocator> allocator;
    FUZZ_REQUIRE(host_.device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT,
                                                      IID_PPV_ARGS(&allocator)) == S_OK ||
                 IsRemoved());
    ComPtr<ID3D12GraphicsCommandList> list;
    host_.device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                                    IID_PPV_ARGS(&list));
    allocators_.Put(data_, allocator);
    lists_.Put(data_, list);
  }
  void ReopenList() {
    ID3D12GraphicsCommandList* list = lists_.Pick(data_);
    ID3D12CommandAllocator* allocator = allocators_.Pick(data_);
    if (allocator != nullptr && data_.ConsumeBool()) allocator->Reset();
    if (list != nullptr) list->Reset(allocator, nullptr);
  }
  void Execute() {
    ID3D12GraphicsCommandList* list = lists_.Pick(data_);
    if (list != nullptr && data_.ConsumeBool()) list->Close();
    ID3D12CommandList* lists[] = {list, lists_.Pick(data_)};
    host_.queue->ExecuteCommandLists(data_.ConsumeIntegralInRange<UINT>(0, 2), lists);
  }

  void MakeBuffer() {
    constexpr UINT64 kWidths[] = {4, 16, 64, 4096, 65536};
    D3D12_RESOURCE_DESC desc = {D3D12_RESOURCE_DIMENSION_BUFFER,
                                0,
                                data_.PickValueInArray(kWidths),
                                1,
                                1,
                                1,
                                DXGI_FORMAT_UNKNOWN,
                                {1, 0},
                                D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS};
    if (data_.ConsumeIntegralInRange<int>(0, 15) == 15) desc.Width = data_.ConsumeIntegral<UINT64>() >> 20;
    if (data_.ConsumeIntegralInRange<int>(0, 7) == 7) desc.Flags = D3D12_RESOURCE_FLAG_NONE;
    const D3D12_HEAP_PROPERTIES properties = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                              D3D12_MEMORY_POOL_L0, 1, 1};
    ComPtr<ID3D12Resource> buffer;
    const HRESULT hr =
        host_.device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc,
                                              D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&buffer));
    FUZZ_REQUIRE(SUCCEEDED(hr) == (buffer != nullptr));
    if (buffer != nullptr) buffers_.Put(data_, buffer);
  }
  // The program writes what nothing that runs can be reading.
  void Touch() {
    ID3D12Resource* buffer = buffers_.Pick(data_);
    if (buffer == nullptr || IsRemoved()) return;
    waited_->Signal(UINT64_MAX);
    host_.Drain();
    void* bytes = nullptr;
    FUZZ_REQUIRE(buffer->Map(0, nullptr, &bytes) == S_OK);
    std::memset(bytes, data_.ConsumeIntegral<uint8_t>(), std::min<UINT64>(buffer->GetDesc().Width, 256));
    buffer->Unmap(0, nullptr);
  }
  void Copy() {
    ID3D12GraphicsCommandList* list = lists_.Pick(data_);
    if (list == nullptr) return;
    ID3D12Resource* to = buffers_.Pick(data_);
    ID3D12Resource* from = buffers_.Pick(data_);
    const auto offset = [&] {
      return data_.ConsumeIntegralInRange<int>(0, 7) == 7 ? data_.ConsumeIntegral<UINT64>()
                                                          : data_.ConsumeIntegralInRange<UINT64>(0, 64);
    };
    if (data_.ConsumeBool()) {
      list->CopyResource(to, from);
    } else {
      list->CopyBufferRegion(to, offset(), from, offset(), offset());
    }
  }

  void Barriers() {
    ID3D12GraphicsCommandList* list = lists_.Pick(data_);
    if (list == nullptr) return;
    constexpr int32_t kStates[] = {0, 0x8, 0x400, 0x800, 0xAC3, 0x40000000};
    const auto state = [&] { return AnyNumber<D3D12_RESOURCE_STATES>(data_.PickValueInArray(kStates)); };
    std::array<D3D12_RESOURCE_BARRIER, 3> barriers = {};
    for (D3D12_RESOURCE_BARRIER& barrier : barriers) {
      barrier.Type = AnyNumber<D3D12_RESOURCE_BARRIER_TYPE>(data_.ConsumeIntegralInRange<int32_t>(0, 3));
      barrier.Flags = AnyNumber<D3D12_RESOURCE_BARRIER_FLAGS>(data_.ConsumeIntegralInRange<int32_t>(0, 2));
      ID3D12Resource* buffer = buffers_.Pick(data_);
      if (NumberOf(barrier.Type) == D3D12_RESOURCE_BARRIER_TYPE_UAV) {
        barrier.UAV.pResource = buffer;
      } else {
        barrier.Transition = {buffer, 0, state(), state()};
      }
      // An aliasing barrier names two resources where a transition has one and numbers.
      if (NumberOf(barrier.Type) == D3D12_RESOURCE_BARRIER_TYPE_ALIASING)
        barrier.Aliasing = {buffer, nullptr};
    }
    list->ResourceBarrier(data_.ConsumeIntegralInRange<UINT>(0, 3), barriers.data());
  }

  void SetHeaps() {
    ID3D12GraphicsCommandList* list = lists_.Pick(data_);
    if (list == nullptr) return;
    ID3D12DescriptorHeap* heaps[] = {host_.descriptors.Get(),
                                     data_.ConsumeBool() ? host_.descriptors.Get() : nullptr};
    list->SetDescriptorHeaps(data_.ConsumeIntegralInRange<UINT>(0, 2), heaps);
  }

  void Timestamps() {
    if (data_.ConsumeBool()) {
      const D3D12_QUERY_HEAP_DESC desc = {
          AnyNumber<D3D12_QUERY_HEAP_TYPE>(data_.ConsumeIntegralInRange<int32_t>(0, 6)),
          data_.ConsumeIntegralInRange<UINT>(0, 9), data_.ConsumeIntegralInRange<UINT>(0, 2)};
      ComPtr<ID3D12QueryHeap> heap;
      const HRESULT hr = host_.device->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap));
      FUZZ_REQUIRE(SUCCEEDED(hr) == (heap != nullptr));
      queries_.Put(data_, heap);
    }
    ID3D12GraphicsCommandList* list = lists_.Pick(data_);
    if (list == nullptr) return;
    const auto type = AnyNumber<D3D12_QUERY_TYPE>(data_.ConsumeIntegralInRange<int32_t>(1, 3));
    const auto number = [&] { return data_.ConsumeIntegralInRange<UINT>(0, 10); };
    if (data_.ConsumeBool()) {
      list->EndQuery(queries_.Pick(data_), type, number());
    } else {
      list->ResolveQueryData(queries_.Pick(data_), type, number(), number(), buffers_.Pick(data_),
                             4 * number());
    }
  }

  void Adapters() {
    ComPtr<IDXCoreAdapterFactory> factory;
    FUZZ_REQUIRE(DXCoreCreateAdapterFactory(__uuidof(IDXCoreAdapterFactory),
                                            reinterpret_cast<void**>(factory.GetAddressOf())) == S_OK);
    GUID attributes[] = {DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML,
                         DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML};
    if (data_.ConsumeBool()) attributes[1].Data1 = data_.ConsumeIntegral<uint32_t>();
    ComPtr<IDXCoreAdapterList> list;
    const HRESULT hr = factory->CreateAdapterList(data_.ConsumeIntegralInRange<uint32_t>(0, 2), attributes,
                                                  __uuidof(IDXCoreAdapterList),
                                                  reinterpret_cast<void**>(list.GetAddressOf()));
    FUZZ_REQUIRE(SUCCEEDED(hr) == (list != nullptr));
    ComPtr<IDXCoreAdapter> adapter;
    if (list == nullptr ||
        FAILED(list->GetAdapter(data_.ConsumeIntegralInRange<uint32_t>(0, 1), __uuidof(IDXCoreAdapter),
                                reinterpret_cast<void**>(adapter.GetAddressOf())))) {
      return;
    }
    const auto property = static_cast<DXCoreAdapterProperty>(data_.ConsumeIntegralInRange<uint32_t>(0, 20));
    std::vector<uint8_t> room(data_.ConsumeIntegralInRange<size_t>(0, 40));
    size_t size = 0;
    const bool has = SUCCEEDED(adapter->GetPropertySize(property, &size));
    const HRESULT got =
        adapter->GetProperty(property, room.size(), room.empty() ? static_cast<void*>(&size) : room.data());
    FUZZ_REQUIRE(SUCCEEDED(got) == (has && room.size() >= size));
    D3D12CreateDevice(adapter.Get(),
                      AnyNumber<D3D_FEATURE_LEVEL>(data_.ConsumeIntegralInRange<int32_t>(0, 0xd000)),
                      __uuidof(ID3D12Device), nullptr);
  }

  void Drop() {
    switch (data_.ConsumeIntegralInRange<int>(0, 7)) {
      case 0:
        return operators_.Drop(data_);
      case 1:
        return compiled_.Drop(data_);
      case 2:
        return initializers_.Drop(data_);
      case 3:
        return tables_.Drop(data_);
      case 4:
        return buffers_.Drop(data_);
      case 5:
        return lists_.Drop(data_);
      case 6:
        return allocators_.Drop(data_);
      case 7:
        return queries_.Drop(data_);
    }
  }

  void SetPrivateData() {
    IDMLCompiledOperator* compiled = compiled_.Pick(data_);
    if (compiled == nullptr) return;
    const GUID key = {data_.ConsumeIntegralInRange<uint32_t>(0, 2), 0, 0, {}};
    std::vector<uint8_t> bytes = data_.ConsumeBytes<uint8_t>(data_.ConsumeIntegralInRange<size_t>(0, 20));
    bytes.reserve(1);  // no bytes are still somewhere; nullptr has a meaning of its own
    switch (data_.ConsumeIntegralInRange<int>(0, 3)) {
      case 0:
        // As many bytes as a pointer has are a pointer when they come back, and then there is one to release.
        if (bytes.size() == sizeof(void*)) break;
        compiled->SetPrivateData(key, static_cast<UINT>(bytes.size()), bytes.data());
        break;
      case 1:
        compiled->SetPrivateData(key, static_cast<UINT>(bytes.size()), nullptr);
        break;
      case 2:
        compiled->SetPrivateDataInterface(key, buffers_.Pick(data_));
        break;
      case 3: {
        auto size = static_cast<UINT>(bytes.size());
        std::vector<uint8_t> room(bytes.size());
        // nullptr, which a vector without elements has too, asks for the size only.
        void* to = data_.ConsumeBool() ? room.data() : nullptr;
        const HRESULT hr = compiled->GetPrivateData(key, &size, to);
        if (hr == S_OK && to != nullptr && size == sizeof(void*)) {
          ComPtr<IUnknown> found;
          std::memcpy(found.GetAddressOf(), to, sizeof(void*));
        }
        break;
      }
    }
  }

  void Queries() {
    std::vector<uint8_t> query = data_.ConsumeBytes<uint8_t>(data_.ConsumeIntegralInRange<size_t>(0, 24));
    const DML_FEATURE_LEVEL levels[] = {DML_FEATURE_LEVEL_1_0, AnyNumber<DML_FEATURE_LEVEL>(77),
                                        DML_FEATURE_LEVEL_6_0};
    if (DML_FEATURE_QUERY_FEATURE_LEVELS asked; query.size() == sizeof(asked)) {
      // Its pointer is not for the bytes to choose, nor how many it points at.
      std::memcpy(&asked, query.data(), sizeof(asked));
      asked.RequestedFeatureLevelCount %= std::size(levels) + 1;
      asked.RequestedFeatureLevels = levels;
      std::memcpy(query.data(), &asked, sizeof(asked));
    }
    std::vector<uint8_t> answer(data_.ConsumeIntegralInRange<size_t>(0, 24));
    Device()->CheckFeatureSupport(AnyNumber<DML_FEATURE>(data_.ConsumeIntegralInRange<int32_t>(-1, 3)),
                                  static_cast<UINT>(query.size()), query.data(),
                                  static_cast<UINT>(answer.size()), answer.data());
    GUID iid = __uuidof(IDMLObject);
    if (data_.ConsumeBool()) iid.Data1 = data_.ConsumeIntegral<uint32_t>();
    if (IDMLOperator* op = operators_.Pick(data_); op != nullptr) {
      ComPtr<IUnknown> found;
      const HRESULT hr = op->QueryInterface(iid, reinterpret_cast<void**>(found.GetAddressOf()));
      FUZZ_REQUIRE(SUCCEEDED(hr) == (found != nullptr));
      ComPtr<IDMLDevice> parent;
      const HRESULT owner = op->GetDevice(IID_PPV_ARGS(&parent));
      FUZZ_REQUIRE(SUCCEEDED(owner) == (parent != nullptr));
      FUZZ_REQUIRE(owner == S_OK || owner == DXGI_ERROR_DEVICE_REMOVED);
    }
    if (IDMLDispatchable* dispatchable = Dispatchable(); dispatchable != nullptr)
      dispatchable->GetBindingProperties();
  }

  void Fences() {
    const UINT64 value = data_.ConsumeIntegralInRange<UINT64>(0, 3);
    if (data_.ConsumeBool()) {
      host_.queue->Wait(waited_.Get(), value);
    } else {
      waited_->Signal(value);
    }
  }

  void Residency() {
    IDMLPageable* objects[] = {compiled_.Pick(data_), initializers_.Pick(data_)};
    const UINT count = data_.ConsumeIntegralInRange<UINT>(0, 2);
    data_.ConsumeBool() ? Device()->Evict(count, objects) : Device()->MakeResident(count, objects);
  }

  bool IsRemoved() { return host_.device->GetDeviceRemovedReason() != S_OK; }

  Host& host_;
  FuzzedDataProvider& data_;
  std::array<ComPtr<IDMLDevice1>, 2> dml_;
  std::array<ComPtr<IDMLCommandRecorder>, 2> recorders_;
  ComPtr<ID3D12Fence> waited_;
  Pool<IDMLOperator> operators_;
  Pool<IDMLCompiledOperator> compiled_;
  Pool<IDMLOperatorInitializer> initializers_;
  Pool<IDMLBindingTable> tables_;
  Pool<ID3D12Resource> buffers_;
  Pool<ID3D12GraphicsCommandList> lists_;
  Pool<ID3D12CommandAllocator> allocators_;
  Pool<ID3D12QueryHeap> queries_;
};

}  // namespace
}  // namespace residue::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace residue;
  using namespace residue::testing;
  static std::unique_ptr<Host> hosts[2];
  FuzzedDataProvider data(bytes, size);
  const bool watched = data.ConsumeBool();
  std::unique_ptr<Host>& host = hosts[watched ? 1 : 0];
  if (host == nullptr) host = std::make_unique<Host>(watched);
  const int64_t living = LiveObjectCount();
  {
    Program program(*host, data);
    program.Run();
  }
  // What removed the device has had its effect; the next program gets another.
  if (host->device->GetDeviceRemovedReason() != S_OK) {
    hosts[0].reset();
    hosts[1].reset();
    FUZZ_REQUIRE(LiveObjectCount() == 0);
  } else {
    host->Drain();
    FUZZ_REQUIRE(LiveObjectCount() == living);
  }
  return 0;
}
