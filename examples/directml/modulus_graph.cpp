// A graph in the style of DirectMLX: write an expression, get one compiled operator.
//
// The small Graph class below does what DirectMLX's does, with the two operators of this example: every
// expression is a node or a graph input, and Compile turns the whole into a DML_GRAPH_DESC. The expression:
// from a count of seconds, which may be negative and beyond what a double holds, to the second of the day and
// of the half day.
#include <residue_d3d12.h>

#include <DirectML.h>
#include <wrl/client.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

using Microsoft::WRL::ComPtr;

namespace {

void Check(HRESULT result) {
  if (FAILED(result)) throw std::runtime_error("a call failed");
}

// What an expression is: a graph input or the result of a node.
struct Expression {
  bool is_input;
  UINT index;
};

// All tensors of this example have the same shape and type.
class Graph {
 public:
  Graph(IDMLDevice1* device, DML_TENSOR_DATA_TYPE type, UINT count) : device_(device), count_(count) {
    buffer_.DataType = type;
    buffer_.DimensionCount = 1;
    buffer_.Sizes = &count_;
    buffer_.TotalTensorSizeInBytes = UINT64{count} * sizeof(int64_t);
  }

  Expression Input() { return {true, inputs_++}; }
  Expression ModulusFloor(Expression a, Expression b) {
    return Add(DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, a, b);
  }
  Expression ModulusTruncate(Expression a, Expression b) {
    return Add(DML_OPERATOR_ELEMENT_WISE_MODULUS_TRUNCATE, a, b);
  }

  ComPtr<IDMLCompiledOperator> Compile(const std::vector<Expression>& outputs) {
    std::vector<DML_OUTPUT_GRAPH_EDGE_DESC> output_edges;
    for (UINT i = 0; i < outputs.size(); ++i) output_edges.push_back({outputs[i].index, 0, i, nullptr});
    std::vector<DML_OPERATOR_GRAPH_NODE_DESC> nodes;
    for (const auto& op : operators_) nodes.push_back({op.Get(), nullptr});
    std::vector<DML_GRAPH_NODE_DESC> node_descs;
    for (const auto& node : nodes) node_descs.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &node});
    std::vector<DML_GRAPH_EDGE_DESC> ins;
    for (const auto& edge : input_edges_) ins.push_back({DML_GRAPH_EDGE_TYPE_INPUT, &edge});
    std::vector<DML_GRAPH_EDGE_DESC> betweens;
    for (const auto& edge : intermediate_edges_)
      betweens.push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &edge});
    std::vector<DML_GRAPH_EDGE_DESC> outs;
    for (const auto& edge : output_edges) outs.push_back({DML_GRAPH_EDGE_TYPE_OUTPUT, &edge});
    const DML_GRAPH_DESC desc = {inputs_,
                                 static_cast<UINT>(outputs.size()),
                                 static_cast<UINT>(node_descs.size()),
                                 node_descs.data(),
                                 static_cast<UINT>(ins.size()),
                                 ins.data(),
                                 static_cast<UINT>(outs.size()),
                                 outs.data(),
                                 static_cast<UINT>(betweens.size()),
                                 betweens.data()};
    ComPtr<IDMLCompiledOperator> compiled;
    Check(device_->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
    return compiled;
  }

 private:
  Expression Add(DML_OPERATOR_TYPE type, Expression a, Expression b) {
    const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer_};
    const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {&tensor, &tensor, &tensor};
    const DML_OPERATOR_DESC operator_desc = {type, &desc};
    ComPtr<IDMLOperator> op;
    Check(device_->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)));
    const auto node = static_cast<UINT>(operators_.size());
    operators_.push_back(op);
    Connect(a, node, 0);
    Connect(b, node, 1);
    return {false, node};
  }
  void Connect(Expression from, UINT node, UINT input) {
    if (from.is_input) {
      input_edges_.push_back({from.index, node, input, nullptr});
    } else {
      intermediate_edges_.push_back({from.index, 0, node, input, nullptr});
    }
  }

  IDMLDevice1* device_;
  UINT count_;
  DML_BUFFER_TENSOR_DESC buffer_ = {};
  UINT inputs_ = 0;
  std::vector<ComPtr<IDMLOperator>> operators_;
  std::deque<DML_INPUT_GRAPH_EDGE_DESC> input_edges_;
  std::deque<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediate_edges_;
};

// On this adapter the CPU and the device share their memory, so that no copies are needed.
ComPtr<ID3D12Resource> MakeSharedBuffer(ID3D12Device* device, UINT64 bytes) {
  D3D12_HEAP_PROPERTIES heap = device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_READBACK);
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  ComPtr<ID3D12Resource> buffer;
  Check(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                        nullptr, IID_PPV_ARGS(&buffer)));
  return buffer;
}

int64_t* Data(ID3D12Resource* buffer) {
  void* data = nullptr;
  Check(buffer->Map(0, nullptr, &data));
  return static_cast<int64_t*>(data);
}

}  // namespace

int main() {
  const std::vector<int64_t> seconds = {0, 45000, -1, 86399, -9007199254740993};
  const auto count = static_cast<UINT>(seconds.size());
  const UINT64 bytes = count * sizeof(int64_t);

  ComPtr<ID3D12Device> d3d;
  Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)));
  ComPtr<IDMLDevice1> dml;
  Check(DMLCreateDevice1(d3d.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_6_0, IID_PPV_ARGS(&dml)));

  // Two outputs from one graph: the second of the day, and of the half day. The first also feeds the second.
  Graph graph(dml.Get(), DML_TENSOR_DATA_TYPE_INT64, count);
  const Expression time = graph.Input();
  const Expression day = graph.Input();
  const Expression half_day = graph.Input();
  const Expression of_day = graph.ModulusFloor(time, day);
  const Expression of_half_day = graph.ModulusTruncate(of_day, half_day);
  const auto compiled = graph.Compile({of_day, of_half_day});

  const ComPtr<ID3D12Resource> in[] = {MakeSharedBuffer(d3d.Get(), bytes), MakeSharedBuffer(d3d.Get(), bytes),
                                       MakeSharedBuffer(d3d.Get(), bytes)};
  const ComPtr<ID3D12Resource> out[] = {MakeSharedBuffer(d3d.Get(), bytes),
                                        MakeSharedBuffer(d3d.Get(), bytes)};
  std::memcpy(Data(in[0].Get()), seconds.data(), bytes);
  for (UINT i = 0; i < count; ++i) {
    Data(in[1].Get())[i] = 86400;
    Data(in[2].Get())[i] = 43200;
  }

  // Initialize and execute in one command list.
  IDMLCompiledOperator* to_initialize[] = {compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  Check(dml->CreateOperatorInitializer(1, to_initialize, IID_PPV_ARGS(&initializer)));
  const DML_BINDING_PROPERTIES properties = compiled->GetBindingProperties();
  const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                                properties.RequiredDescriptorCount,
                                                D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
  ComPtr<ID3D12DescriptorHeap> descriptors;
  Check(d3d->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&descriptors)));
  DML_BINDING_TABLE_DESC table_desc = {initializer.Get(), descriptors->GetCPUDescriptorHandleForHeapStart(),
                                       descriptors->GetGPUDescriptorHandleForHeapStart(),
                                       heap_desc.NumDescriptors};
  ComPtr<IDMLBindingTable> table;
  Check(dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)));
  ComPtr<IDMLCommandRecorder> recorder;
  Check(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_COMPUTE, 0,
                                               D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  ComPtr<ID3D12CommandQueue> queue;
  Check(d3d->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
  ComPtr<ID3D12CommandAllocator> allocator;
  Check(d3d->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COMPUTE, IID_PPV_ARGS(&allocator)));
  ComPtr<ID3D12GraphicsCommandList> list;
  Check(d3d->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, allocator.Get(), nullptr,
                               IID_PPV_ARGS(&list)));
  ID3D12DescriptorHeap* heaps[] = {descriptors.Get()};
  list->SetDescriptorHeaps(1, heaps);
  recorder->RecordDispatch(list.Get(), initializer.Get(), table.Get());

  table_desc.Dispatchable = compiled.Get();
  Check(table->Reset(&table_desc));
  std::vector<DML_BUFFER_BINDING> bindings;
  for (const auto& buffer : in) bindings.push_back({buffer.Get(), 0, bytes});
  for (const auto& buffer : out) bindings.push_back({buffer.Get(), 0, bytes});
  std::vector<DML_BINDING_DESC> descs;
  for (const auto& binding : bindings) descs.push_back({DML_BINDING_TYPE_BUFFER, &binding});
  table->BindInputs(3, descs.data());
  table->BindOutputs(2, descs.data() + 3);
  ComPtr<ID3D12Resource> temporary;
  if (properties.TemporaryResourceSize != 0) {  // for intermediates that are not outputs; none here
    temporary = MakeSharedBuffer(d3d.Get(), properties.TemporaryResourceSize);
    const DML_BUFFER_BINDING binding = {temporary.Get(), 0, properties.TemporaryResourceSize};
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &binding};
    table->BindTemporaryResource(&desc);
  }
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());

  Check(list->Close());
  ID3D12CommandList* lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
  ComPtr<ID3D12Fence> fence;
  Check(d3d->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
  Check(queue->Signal(fence.Get(), 1));
  Check(fence->SetEventOnCompletion(1, nullptr));
  Check(dml->GetDeviceRemovedReason());

  for (UINT i = 0; i < count; ++i) {
    std::printf("second %17lld: %5lld of the day, %5lld of the half day\n",
                static_cast<long long>(seconds[i]), static_cast<long long>(Data(out[0].Get())[i]),
                static_cast<long long>(Data(out[1].Get())[i]));
  }
}
