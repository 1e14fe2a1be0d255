// What DirectML costs around the arithmetic: one dispatch of one element, bound, recorded, executed and
// waited for, and its parts. Run it without arguments.
#include <DirectML.h>
#include <benchmark/benchmark.h>
#include <residue/residue.h>
#include <residue_d3d12.h>
#include <wrl/client.h>

#include <cstdlib>
#include <memory>

namespace {

using Microsoft::WRL::ComPtr;

void Check(HRESULT result) {
  if (FAILED(result)) std::abort();
}

// Everything a dispatch of one float needs.
struct OneElement {
  OneElement() {
    Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)));
    const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0,
                                                 D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    Check(d3d->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
    Check(d3d->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)));
    Check(d3d->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                                 IID_PPV_ARGS(&list)));
    Check(d3d->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
    Check(DMLCreateDevice(d3d.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));
    const UINT one = 1;
    const DML_BUFFER_TENSOR_DESC buffer = {
        DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, &one, nullptr, 4, 0};
    const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {&tensor, &tensor, &tensor};
    const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, &desc};
    ComPtr<IDMLOperator> op;
    Check(dml->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)));
    Check(dml->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
    const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 8,
                                                  D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    Check(d3d->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&descriptors)));
    Check(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
    for (ComPtr<ID3D12Resource>& resource : buffers) {
      const D3D12_HEAP_PROPERTIES properties = d3d->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_READBACK);
      D3D12_RESOURCE_DESC resource_desc = {};
      resource_desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
      resource_desc.Width = 16;
      resource_desc.Height = resource_desc.DepthOrArraySize = resource_desc.MipLevels = 1;
      resource_desc.SampleDesc.Count = 1;
      resource_desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
      resource_desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
      Check(d3d->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &resource_desc,
                                         D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&resource)));
    }
    IDMLCompiledOperator* targets[] = {compiled.Get()};
    ComPtr<IDMLOperatorInitializer> initializer;
    Check(dml->CreateOperatorInitializer(1, targets, IID_PPV_ARGS(&initializer)));
    DML_BINDING_TABLE_DESC table_desc = {initializer.Get(), descriptors->GetCPUDescriptorHandleForHeapStart(),
                                         descriptors->GetGPUDescriptorHandleForHeapStart(), 8};
    Check(dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)));
    recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());
    table_desc.Dispatchable = compiled.Get();
    Check(table->Reset(&table_desc));
    Bind();
    ExecuteAndWait();
  }

  void Bind() {
    const DML_BUFFER_BINDING bindings[] = {
        {buffers[0].Get(), 0, 16}, {buffers[1].Get(), 0, 16}, {buffers[2].Get(), 0, 16}};
    const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER, &bindings[0]},
                                      {DML_BINDING_TYPE_BUFFER, &bindings[1]},
                                      {DML_BINDING_TYPE_BUFFER, &bindings[2]}};
    table->BindInputs(2, descs);
    table->BindOutputs(1, &descs[2]);
  }
  void Record() { recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get()); }
  void ExecuteAndWait() {
    Check(list->Close());
    Submit();
    Wait();
    Reopen();
  }
  void Submit() {
    ID3D12CommandList* lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
  }
  void Wait() {
    Check(queue->Signal(fence.Get(), ++fence_value));
    Check(fence->SetEventOnCompletion(fence_value, nullptr));
  }
  void Reopen() {
    Check(allocator->Reset());
    Check(list->Reset(allocator.Get(), nullptr));
  }

  ComPtr<ID3D12Device> d3d;
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12Fence> fence;
  ComPtr<ID3D12DescriptorHeap> descriptors;
  ComPtr<IDMLDevice> dml;
  ComPtr<IDMLCompiledOperator> compiled;
  ComPtr<IDMLBindingTable> table;
  ComPtr<IDMLCommandRecorder> recorder;
  ComPtr<ID3D12Resource> buffers[3];
  UINT64 fence_value = 0;
};

// The whole round trip: bind, record, close, execute, wait for the fence.
void RoundTrip(benchmark::State& state) {
  OneElement one;
  for (auto _ : state) {
    one.Bind();
    one.Record();
    one.ExecuteAndWait();
  }
}
BENCHMARK(RoundTrip);

// The same by several threads on one queue, each with a list and a fence of its own.
void SharedQueue(benchmark::State& state) {
  static std::unique_ptr<OneElement> first;
  if (state.thread_index() == 0) first = std::make_unique<OneElement>();
  std::unique_ptr<OneElement> mine;
  for (auto _ : state) {
    if (mine == nullptr) {
      state.PauseTiming();
      mine = std::make_unique<OneElement>();
      mine->queue = first->queue;
      state.ResumeTiming();
    }
    mine->Bind();
    mine->Record();
    mine->ExecuteAndWait();
  }
}
BENCHMARK(SharedQueue)->Threads(8)->UseRealTime();

void BindOnly(benchmark::State& state) {
  OneElement one;
  for (auto _ : state) one.Bind();
}
BENCHMARK(BindOnly);

// A hundred dispatches in one list: the thread switch is shared, as in a real program.
void HundredDispatches(benchmark::State& state) {
  OneElement one;
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) one.Record();
    one.ExecuteAndWait();
  }
  state.SetItemsProcessed(state.iterations() * 100);
}
BENCHMARK(HundredDispatches);

// An empty list and a fence: what the queue costs without DirectML.
void EmptyRoundTrip(benchmark::State& state) {
  OneElement one;
  for (auto _ : state) one.ExecuteAndWait();
}
BENCHMARK(EmptyRoundTrip);

// The same element through the C interface.
void DirectCall(benchmark::State& state) {
  const float a = 7.5f;
  const float b = 2.0f;
  float out = 0;
  for (auto _ : state) {
    residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, &a, &b, &out, 1);
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(DirectCall);

}  // namespace

BENCHMARK_MAIN();
