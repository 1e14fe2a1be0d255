#include "directml_chain.h"

#include <DirectML.h>
#include <residue_d3d12.h>
#include <wrl/client.h>

#include <cstdlib>
#include <vector>

namespace residue::bench {
namespace {

using Microsoft::WRL::ComPtr;

void Check(HRESULT result) {
  if (FAILED(result)) std::abort();
}

class CompiledChain final : public DirectmlChain {
 public:
  CompiledChain(std::span<const residue_scale_bias> nodes, size_t bytes, size_t dispatches) {
    Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d_)));
    Check(DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_4_1,
                           IID_PPV_ARGS(&dml_)));
    const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_COMPUTE, 0,
                                                 D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    Check(d3d_->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue_)));
    Check(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence_)));
    Check(d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COMPUTE, IID_PPV_ARGS(&allocator_)));
    Check(d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, allocator_.Get(), nullptr,
                                  IID_PPV_ARGS(&list_)));
    for (ComPtr<ID3D12Resource>& buffer : buffers_) buffer = MakeBuffer(bytes);
    Compile(nodes, bytes);
    Record(bytes, dispatches);
  }

  std::byte* input() override { return Data(buffers_[0].Get()); }
  std::byte* output() override { return Data(buffers_[1].Get()); }

  void Run() override {
    ID3D12CommandList* lists[] = {list_.Get()};
    queue_->ExecuteCommandLists(1, lists);
    Check(queue_->Signal(fence_.Get(), ++fence_value_));
    Check(fence_->SetEventOnCompletion(fence_value_, nullptr));
  }

 private:
  ComPtr<ID3D12Resource> MakeBuffer(UINT64 bytes) {
    const D3D12_HEAP_PROPERTIES heap = d3d_->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_READBACK);
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = bytes;
    desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    ComPtr<ID3D12Resource> buffer;
    Check(d3d_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                        nullptr, IID_PPV_ARGS(&buffer)));
    return buffer;
  }

  static std::byte* Data(ID3D12Resource* buffer) {
    void* data = nullptr;
    Check(buffer->Map(0, nullptr, &data));
    return static_cast<std::byte*>(data);
  }

  void Compile(std::span<const residue_scale_bias> nodes, size_t bytes) {
    const UINT count = static_cast<UINT>(bytes / sizeof(float));
    const DML_BUFFER_TENSOR_DESC buffer = {
        DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 1, &count, nullptr, bytes, 0};
    const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const UINT node_count = static_cast<UINT>(nodes.size());
    std::vector<ComPtr<IDMLOperator>> operators(node_count);
    std::vector<DML_OPERATOR_GRAPH_NODE_DESC> operator_nodes(node_count);
    std::vector<DML_GRAPH_NODE_DESC> graph_nodes(node_count);
    std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> steps(node_count);
    std::vector<DML_GRAPH_EDGE_DESC> between;
    for (UINT i = 0; i < node_count; ++i) {
      const DML_SCALE_BIAS scale_bias = {nodes[i].scale, nodes[i].bias};
      const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {&tensor, &tensor, &scale_bias};
      const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc};
      Check(dml_->CreateOperator(&operator_desc, IID_PPV_ARGS(&operators[i])));
      operator_nodes[i] = {operators[i].Get(), nullptr};
      graph_nodes[i] = {DML_GRAPH_NODE_TYPE_OPERATOR, &operator_nodes[i]};
      if (i == 0) continue;
      steps[i] = {i - 1, 0, i, 0, nullptr};
      between.push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &steps[i]});
    }
    const DML_INPUT_GRAPH_EDGE_DESC first = {0, 0, 0, nullptr};
    const DML_OUTPUT_GRAPH_EDGE_DESC last = {node_count - 1, 0, 0, nullptr};
    const DML_GRAPH_EDGE_DESC in = {DML_GRAPH_EDGE_TYPE_INPUT, &first};
    const DML_GRAPH_EDGE_DESC out = {DML_GRAPH_EDGE_TYPE_OUTPUT, &last};
    const DML_GRAPH_DESC graph = {1,
                                  1,
                                  node_count,
                                  graph_nodes.data(),
                                  1,
                                  &in,
                                  1,
                                  &out,
                                  static_cast<UINT>(between.size()),
                                  between.data()};
    Check(dml_->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled_)));
    // A chain is one walk, which needs no memory in between.
    if (compiled_->GetBindingProperties().TemporaryResourceSize != 0) std::abort();
  }

  // The initializer, then the dispatches; the list stays closed and is executed again and again.
  void Record(size_t bytes, size_t dispatches) {
    IDMLCompiledOperator* targets[] = {compiled_.Get()};
    Check(dml_->CreateOperatorInitializer(1, targets, IID_PPV_ARGS(&initializer_)));
    const UINT descriptors = compiled_->GetBindingProperties().RequiredDescriptorCount +
                             initializer_->GetBindingProperties().RequiredDescriptorCount;
    const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, descriptors,
                                                  D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    Check(d3d_->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap_)));
    DML_BINDING_TABLE_DESC table_desc = {initializer_.Get(), heap_->GetCPUDescriptorHandleForHeapStart(),
                                         heap_->GetGPUDescriptorHandleForHeapStart(), descriptors};
    Check(dml_->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table_)));
    Check(dml_->CreateCommandRecorder(IID_PPV_ARGS(&recorder_)));
    recorder_->RecordDispatch(list_.Get(), initializer_.Get(), table_.Get());
    Check(list_->Close());
    Run();
    Check(list_->Reset(allocator_.Get(), nullptr));
    table_desc.Dispatchable = compiled_.Get();
    Check(table_->Reset(&table_desc));
    const DML_BUFFER_BINDING bindings[] = {{buffers_[0].Get(), 0, bytes}, {buffers_[1].Get(), 0, bytes}};
    const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER, &bindings[0]},
                                      {DML_BINDING_TYPE_BUFFER, &bindings[1]}};
    table_->BindInputs(1, &descs[0]);
    table_->BindOutputs(1, &descs[1]);
    for (size_t i = 0; i < dispatches; ++i) {
      recorder_->RecordDispatch(list_.Get(), compiled_.Get(), table_.Get());
    }
    Check(list_->Close());
    Check(dml_->GetDeviceRemovedReason());
  }

  ComPtr<ID3D12Device> d3d_;
  ComPtr<IDMLDevice1> dml_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12Fence> fence_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Resource> buffers_[2];
  ComPtr<IDMLCompiledOperator> compiled_;
  ComPtr<IDMLOperatorInitializer> initializer_;
  ComPtr<ID3D12DescriptorHeap> heap_;
  ComPtr<IDMLBindingTable> table_;
  ComPtr<IDMLCommandRecorder> recorder_;
  UINT64 fence_value_ = 0;
};

}  // namespace

std::unique_ptr<DirectmlChain> MakeDirectmlChain(std::span<const residue_scale_bias> nodes, size_t bytes,
                                                 size_t dispatches) {
  return std::make_unique<CompiledChain>(nodes, bytes, dispatches);
}

}  // namespace residue::bench
