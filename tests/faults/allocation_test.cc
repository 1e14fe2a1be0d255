// The k-th allocation fails, for every k, in every call that makes something: E_OUTOFMEMORY (or, for methods
// that return nothing, a removed device), the result pointer null, nothing leaked, and the next try succeeds.
#include "d3d12/debug.h"
#include "faults/allocation_fixture.h"

namespace residue::testing {
namespace {

using failing_allocator::allocations_left;
using failing_allocator::failed;

TEST_F(AllocationFaultTest, R077_DirectMLFactories) {
  const auto op = MakeModulus(kFloor, Int32({4}));
  const auto compiled = Compile(op.Get());
  Tensor like = Int32({4});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  const DML_OPERATOR_DESC operator_desc = {kFloor, &desc};
  IDMLCompiledOperator* targets[] = {compiled.Get()};
  const DML_BINDING_TABLE_DESC table_desc = TableDesc(compiled.Get());

  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), result);
            }),
            2);
  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), result);
            }),
            1);
  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return dml_->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator),
                                           result);
            }),
            5);
  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return dml_->CreateOperatorInitializer(1, targets, __uuidof(IDMLOperatorInitializer), result);
            }),
            3);
  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return dml_->CreateCommandRecorder(__uuidof(IDMLCommandRecorder), result);
            }),
            1);
  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return dml_->CreateBindingTable(&table_desc, __uuidof(IDMLBindingTable), result);
            }),
            2);
}

TEST_F(AllocationFaultTest, R077_Graphs) {
  const auto op = MakeModulus(kFloor, Int32({4}));
  const int32_t divisor[] = {3, 3, 3, 3};
  const DML_OPERATOR_GRAPH_NODE_DESC node = {op.Get(), nullptr};
  const DML_CONSTANT_DATA_GRAPH_NODE_DESC constant = {divisor, 16, nullptr};
  const DML_GRAPH_NODE_DESC nodes[] = {{DML_GRAPH_NODE_TYPE_OPERATOR, &node},
                                       {DML_GRAPH_NODE_TYPE_OPERATOR, &node},
                                       {DML_GRAPH_NODE_TYPE_CONSTANT, &constant}};
  const DML_INPUT_GRAPH_EDGE_DESC in = {0, 0, 0, nullptr};
  const DML_INTERMEDIATE_GRAPH_EDGE_DESC middle[] = {
      {0, 0, 1, 0, nullptr}, {2, 0, 0, 1, nullptr}, {2, 0, 1, 1, nullptr}};
  const DML_OUTPUT_GRAPH_EDGE_DESC out[] = {{1, 0, 0, nullptr}, {1, 0, 1, nullptr}};
  const DML_GRAPH_EDGE_DESC ins[] = {{DML_GRAPH_EDGE_TYPE_INPUT, &in}};
  const DML_GRAPH_EDGE_DESC middles[] = {{DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &middle[0]},
                                         {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &middle[1]},
                                         {DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &middle[2]}};
  const DML_GRAPH_EDGE_DESC outs[] = {{DML_GRAPH_EDGE_TYPE_OUTPUT, &out[0]},
                                      {DML_GRAPH_EDGE_TYPE_OUTPUT, &out[1]}};
  const DML_GRAPH_DESC graph = {1, 2, 3, nodes, 1, ins, 2, outs, 3, middles};
  EXPECT_GE(ForEveryAllocationOf([&](void** result) {
              return dml_->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator),
                                        result);
            }),
            15);
}

TEST_F(AllocationFaultTest, R077_ObjectsAndResets) {
  const auto compiled = CompileModulus(kFloor, Int32({4}));
  const auto initializer = MakeInitializer({});
  const auto table = MakeTable(compiled.Get());
  const GUID key = {1, 2, 3, {}};
  const UINT64 value = 5;
  const auto nothing = [] {};
  EXPECT_GE(ForEveryAllocation([&] { return compiled->SetPrivateData(key, sizeof(value), &value); }, nothing),
            2);
  EXPECT_GE(
      ForEveryAllocation([&] { return initializer->SetPrivateDataInterface(key, fence_.Get()); }, nothing),
      1);
  EXPECT_GE(ForEveryAllocation([&] { return table->SetName(L"table"); }, nothing), 2);
  IDMLCompiledOperator* targets[] = {compiled.Get()};
  EXPECT_GE(ForEveryAllocation([&] { return initializer->Reset(1, targets); }, nothing), 3);
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  EXPECT_GE(ForEveryAllocation([&] { return table->Reset(&desc); }, nothing), 1);
}

// Methods without an HRESULT remove the device, with the reason.
TEST_F(AllocationFaultTest, R077_BindingAndRecording) {
  const auto buffer = MakeBuffer(16);
  const auto out = MakeBuffer(16);
  const DML_BUFFER_BINDING binding = {buffer.Get(), 0, 16};
  const DML_BUFFER_BINDING out_binding = {out.Get(), 0, 16};
  const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_BUFFER, &binding},
                                     {DML_BINDING_TYPE_BUFFER, &binding}};
  const DML_BINDING_DESC output = {DML_BINDING_TYPE_BUFFER, &out_binding};
  ComPtr<IDMLCompiledOperator> compiled;
  ComPtr<IDMLBindingTable> table;
  const auto prepare = [&](DML_EXECUTION_FLAGS flags) {
    table.Reset();
    compiled.Reset();
    ReplaceDevice();
    compiled = CompileModulus(kFloor, Int32({4}), flags);
    table = MakeTable(compiled.Get());
  };
  int failures = 0;
  for (const auto flags : {DML_EXECUTION_FLAG_NONE, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE}) {
    for (int step = 0; step < 3; ++step) {
      AddFigure(Figure::kFaultScenarios, 1);
      for (int k = 0;; ++k) {
        prepare(flags);
        if (step == 2) {
          table->BindInputs(2, inputs);
          table->BindOutputs(1, &output);
        }
        const int64_t before = LiveObjectCount();
        failed = false;
        allocations_left = k;
        if (step == 0) table->BindInputs(2, inputs);
        if (step == 1) table->BindOutputs(1, &output);
        if (step == 2) recorder_->RecordDispatch(list_.Get(), compiled.Get(), table.Get());
        allocations_left = -1;
        EXPECT_EQ(dml_->GetDeviceRemovedReason(), failed ? E_OUTOFMEMORY : S_OK);
        if (failed) {
          EXPECT_EQ(LiveObjectCount(), before);
        }
        list_->Close();
        ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
        if (!failed) break;
        ++failures;
        AddFigure(Figure::kFaults, 1);
      }
    }
  }
  EXPECT_GE(failures, 8);
  table.Reset();
  compiled.Reset();
}

// Volatile bindings are looked at when the list is executed.
TEST_F(AllocationFaultTest, R077_SubmittingVolatileBindings) {
  AddFigure(Figure::kFaultScenarios, 1);
  int failures = 0;
  for (bool done = false; !done; ++failures) {
    auto compiled = CompileModulus(kFloor, Int32({4}), DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
    Initialize(compiled.Get());
    auto a = MakeBufferOf<int32_t>({7, -7, 8, -8});
    auto b = MakeBufferOf<int32_t>({3, 3, -3, -3});
    auto out = MakeBuffer(16);
    auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {a, b});
    BindOutputs(table.Get(), {out});
    Record(compiled.Get(), table.Get());
    ASSERT_EQ(list_->Close(), S_OK);
    ID3D12CommandList* lists[] = {list_.Get()};
    failed = false;
    allocations_left = failures;
    queue_->ExecuteCommandLists(1, lists);
    allocations_left = -1;
    done = !failed;
    EXPECT_EQ(dml_->GetDeviceRemovedReason(), failed ? E_OUTOFMEMORY : S_OK) << "allocation " << failures;
    if (done) {
      Wait();
      EXPECT_EQ(Read<int32_t>(out.Get(), 4), (std::vector<int32_t>{1, 2, -1, -2}));
    }
    table.Reset();
    compiled.Reset();
    a.Reset();
    b.Reset();
    out.Reset();
    DmlTest::TearDown();
    fence_value_ = 0;
    DmlTest::SetUp();
  }
  AddFigure(Figure::kFaults, static_cast<uint64_t>(failures - 1));
  EXPECT_GE(failures - 1, 3) << "the work, its bindings, its place in the queue";
}

TEST_F(AllocationFaultTest, DirectX12Factories) {
  ComPtr<ID3D12CommandAllocator> allocator;
  ASSERT_EQ(d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)), S_OK);
  const D3D12_COMMAND_QUEUE_DESC queue = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                          0};
  const D3D12_DESCRIPTOR_HEAP_DESC descriptors = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 4,
                                                  D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
  const D3D12_HEAP_PROPERTIES properties = {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                            D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  const D3D12_HEAP_DESC heap = {65536, properties, 0, D3D12_HEAP_FLAG_NONE};
  const D3D12_RESOURCE_DESC buffer = BufferDesc(64, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) {
              SetDebugLayerEnabled(true);  // another device than the fixture's
              const HRESULT hr =
                  D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), r);
              SetDebugLayerEnabled(false);
              return hr;
            }),
            2);
  EXPECT_GE(ForEveryAllocationOf(
                [&](void** r) { return d3d_->CreateCommandQueue(&queue, __uuidof(ID3D12CommandQueue), r); }),
            2);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) {
              return d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY,
                                                  __uuidof(ID3D12CommandAllocator), r);
            }),
            1);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) {
              return d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                                             __uuidof(ID3D12CommandList), r);
            }),
            1);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) {
              return d3d_->CreateDescriptorHeap(&descriptors, __uuidof(ID3D12DescriptorHeap), r);
            }),
            2);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) { return d3d_->CreateHeap(&heap, __uuidof(ID3D12Heap), r); }),
            2);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) {
              return d3d_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &buffer,
                                                   D3D12_RESOURCE_STATE_COMMON, nullptr,
                                                   __uuidof(ID3D12Resource), r);
            }),
            2);
  EXPECT_GE(ForEveryAllocationOf([&](void** r) {
              return d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence), r);
            }),
            2);
}

// Recording remembers the failure until Close; submitting removes the Direct3D 12 device.
TEST_F(AllocationFaultTest, DirectX12CommandsAndSubmission) {
  const auto from = MakeBuffer(16);
  const auto to = MakeBuffer(16);
  const int recorded = ForEveryAllocation(
      [&] {
        list_->CopyResource(to.Get(), from.Get());
        const long armed = allocations_left;
        allocations_left = -1;
        const HRESULT hr = list_->Close();
        allocations_left = armed;
        return hr;
      },
      [&] { ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK); });
  EXPECT_GE(recorded, 2);
  // The list is closed now, with one copy in it.
  failed = false;
  allocations_left = 0;
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  allocations_left = -1;
  EXPECT_TRUE(failed);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), E_OUTOFMEMORY);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_OUTOFMEMORY);
}

}  // namespace
}  // namespace residue::testing
