// Hello, modulus: the whole DirectML dance on a machine without a GPU.
//
// DirectML does not compute by itself. It checks and compiles operators, and records them into Direct3D 12
// command lists; a Direct3D 12 queue runs those. Here both are Residue's: libdirectml and libresidue_d3d12.
// The code is what one would write on Windows.
#include <residue_d3d12.h>  // the Direct3D 12 headers, in the order that works on Linux

#include <DirectML.h>
#include <wrl/client.h>  // ComPtr

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

using Microsoft::WRL::ComPtr;

namespace {

// Every Direct3D 12 and DirectML call that can fail reports it by its result.
void Check(HRESULT result) {
  if (FAILED(result)) throw std::runtime_error("a call failed");
}

// A buffer in one of three kinds of memory: UPLOAD is written by the CPU, DEFAULT belongs to the device,
// READBACK is read by the CPU.
ComPtr<ID3D12Resource> MakeBuffer(ID3D12Device* device, D3D12_HEAP_TYPE type, UINT64 bytes) {
  const D3D12_HEAP_PROPERTIES heap = {type, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
  if (type == D3D12_HEAP_TYPE_UPLOAD) state = D3D12_RESOURCE_STATE_GENERIC_READ;
  if (type == D3D12_HEAP_TYPE_READBACK) state = D3D12_RESOURCE_STATE_COPY_DEST;
  // DirectML reads and writes through unordered access views.
  if (type == D3D12_HEAP_TYPE_DEFAULT) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  ComPtr<ID3D12Resource> buffer;
  Check(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                        IID_PPV_ARGS(&buffer)));
  return buffer;
}

// Says that a buffer, which one command leaves in one state, is wanted in another by the next.
void Transition(ID3D12GraphicsCommandList* list, ID3D12Resource* buffer, D3D12_RESOURCE_STATES before,
                D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {buffer, 0, before, after};
  list->ResourceBarrier(1, &barrier);
}

}  // namespace

int main() {
  const std::vector<int32_t> a = {7, -7, 7, -7, INT32_MIN, 5};
  const std::vector<int32_t> b = {3, 3, -3, -3, -1, 0};
  const UINT64 bytes = a.size() * sizeof(int32_t);

  // 1. Direct3D 12: a device, a queue that runs commands, and a list to record them into.
  ComPtr<ID3D12Device> d3d;
  Check(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)));
  const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0,
                                               D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  ComPtr<ID3D12CommandQueue> queue;
  Check(d3d->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
  ComPtr<ID3D12CommandAllocator> allocator;
  Check(d3d->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)));
  ComPtr<ID3D12GraphicsCommandList> list;
  Check(d3d->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                               IID_PPV_ARGS(&list)));

  // 2. DirectML on top of it.
  ComPtr<IDMLDevice> dml;
  Check(DMLCreateDevice(d3d.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)));

  // 3. The operator: Python's % on three one-dimensional tensors of 32-bit integers.
  const UINT sizes[] = {static_cast<UINT>(a.size())};
  DML_BUFFER_TENSOR_DESC buffer_desc = {};
  buffer_desc.DataType = DML_TENSOR_DATA_TYPE_INT32;
  buffer_desc.DimensionCount = 1;
  buffer_desc.Sizes = sizes;
  buffer_desc.TotalTensorSizeInBytes = bytes;
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer_desc};
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC modulus = {&tensor, &tensor, &tensor};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, &modulus};
  ComPtr<IDMLOperator> op;
  Check(dml->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)));

  // 4. Compiled, it can run; first it wants to be initialized.
  ComPtr<IDMLCompiledOperator> compiled;
  Check(dml->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)));
  IDMLCompiledOperator* to_initialize[] = {compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  Check(dml->CreateOperatorInitializer(1, to_initialize, IID_PPV_ARGS(&initializer)));

  // 5. A binding table says which buffers a dispatch uses. It needs room in a descriptor heap.
  D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {};
  heap_desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  heap_desc.NumDescriptors = compiled->GetBindingProperties().RequiredDescriptorCount;
  heap_desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  ComPtr<ID3D12DescriptorHeap> descriptors;
  Check(d3d->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&descriptors)));
  DML_BINDING_TABLE_DESC table_desc = {initializer.Get(), descriptors->GetCPUDescriptorHandleForHeapStart(),
                                       descriptors->GetGPUDescriptorHandleForHeapStart(),
                                       heap_desc.NumDescriptors};
  ComPtr<IDMLBindingTable> table;
  Check(dml->CreateBindingTable(&table_desc, IID_PPV_ARGS(&table)));
  ID3D12DescriptorHeap* heaps[] = {descriptors.Get()};
  list->SetDescriptorHeaps(1, heaps);  // a list must know the heap before it records dispatches
  ComPtr<IDMLCommandRecorder> recorder;
  Check(dml->CreateCommandRecorder(IID_PPV_ARGS(&recorder)));
  recorder->RecordDispatch(list.Get(), initializer.Get(),
                           table.Get());  // nothing to bind for this initializer

  // 6. Inputs go from the CPU through an upload buffer to the device.
  const auto upload = MakeBuffer(d3d.Get(), D3D12_HEAP_TYPE_UPLOAD, 2 * bytes);
  const auto a_buffer = MakeBuffer(d3d.Get(), D3D12_HEAP_TYPE_DEFAULT, bytes);
  const auto b_buffer = MakeBuffer(d3d.Get(), D3D12_HEAP_TYPE_DEFAULT, bytes);
  const auto out_buffer = MakeBuffer(d3d.Get(), D3D12_HEAP_TYPE_DEFAULT, bytes);
  const auto readback = MakeBuffer(d3d.Get(), D3D12_HEAP_TYPE_READBACK, bytes);
  void* mapped = nullptr;
  Check(upload->Map(0, nullptr, &mapped));
  std::memcpy(mapped, a.data(), bytes);
  std::memcpy(static_cast<char*>(mapped) + bytes, b.data(), bytes);
  upload->Unmap(0, nullptr);
  list->CopyBufferRegion(a_buffer.Get(), 0, upload.Get(), 0, bytes);
  list->CopyBufferRegion(b_buffer.Get(), 0, upload.Get(), bytes, bytes);
  Transition(list.Get(), a_buffer.Get(), D3D12_RESOURCE_STATE_COPY_DEST,
             D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  Transition(list.Get(), b_buffer.Get(), D3D12_RESOURCE_STATE_COPY_DEST,
             D3D12_RESOURCE_STATE_UNORDERED_ACCESS);

  // 7. The same table, now for the operator itself: bind, record, and copy the result to where the CPU can
  // read.
  table_desc.Dispatchable = compiled.Get();
  Check(table->Reset(&table_desc));
  const DML_BUFFER_BINDING a_binding = {a_buffer.Get(), 0, bytes};
  const DML_BUFFER_BINDING b_binding = {b_buffer.Get(), 0, bytes};
  const DML_BUFFER_BINDING out_binding = {out_buffer.Get(), 0, bytes};
  const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_BUFFER, &a_binding},
                                     {DML_BINDING_TYPE_BUFFER, &b_binding}};
  const DML_BINDING_DESC output = {DML_BINDING_TYPE_BUFFER, &out_binding};
  table->BindInputs(2, inputs);
  table->BindOutputs(1, &output);
  recorder->RecordDispatch(list.Get(), compiled.Get(), table.Get());
  Transition(list.Get(), out_buffer.Get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
             D3D12_RESOURCE_STATE_COPY_SOURCE);
  list->CopyResource(readback.Get(), out_buffer.Get());

  // 8. Nothing has run yet. Close the list, submit it, and wait for the fence behind it.
  Check(list->Close());
  ID3D12CommandList* lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
  ComPtr<ID3D12Fence> fence;
  Check(d3d->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
  Check(queue->Signal(fence.Get(), 1));
  Check(fence->SetEventOnCompletion(1, nullptr));  // a null event waits
  Check(dml->GetDeviceRemovedReason());            // binding and recording report their errors here

  std::vector<int32_t> result(a.size());
  Check(readback->Map(0, nullptr, &mapped));
  std::memcpy(result.data(), mapped, bytes);
  readback->Unmap(0, nullptr);
  for (size_t i = 0; i < a.size(); ++i) std::printf("%11d mod %2d = %2d\n", a[i], b[i], result[i]);
}
