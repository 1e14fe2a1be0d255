// A removed device: nothing can be made, nothing is run, nobody waits, and the first reason stays.
#include <functional>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class RemovalTest : public DmlTest {
 protected:
  void Remove(HRESULT reason) { QueryFor<IHostDevice>(d3d_.Get(), kIidHostDevice)->Remove(reason); }
};

TEST_F(RemovalTest, TheFirstReasonStays) {
  Remove(DXGI_ERROR_DEVICE_HUNG);
  Remove(DXGI_ERROR_DEVICE_RESET);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_DEVICE_HUNG);
}

TEST_F(RemovalTest, NothingCanBeMade) {
  const D3D12_COMMAND_QUEUE_DESC queue = {};
  const D3D12_DESCRIPTOR_HEAP_DESC descriptors = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                                  D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  const D3D12_HEAP_DESC heap_desc = DefaultHeapDesc();
  const D3D12_RESOURCE_DESC buffer = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  const auto common = D3D12_RESOURCE_STATE_COMMON;
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  ASSERT_EQ(list_->Close(), S_OK);  // which frees the allocator
  const std::function<HRESULT(void**)> calls[] = {
      [&](void** out) { return d3d_->CreateCommandQueue(&queue, __uuidof(ID3D12CommandQueue), out); },
      [&](void** out) {
        return d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY, __uuidof(ID3D12CommandAllocator),
                                            out);
      },
      [&](void** out) {
        return d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator_.Get(), nullptr,
                                       __uuidof(ID3D12CommandList), out);
      },
      [&](void** out) {
        return d3d_->CreateDescriptorHeap(&descriptors, __uuidof(ID3D12DescriptorHeap), out);
      },
      [&](void** out) { return d3d_->CreateHeap(&heap_desc, __uuidof(ID3D12Heap), out); },
      [&](void** out) {
        return d3d_->CreateCommittedResource(&heap_desc.Properties, D3D12_HEAP_FLAG_NONE, &buffer, common,
                                             nullptr, __uuidof(ID3D12Resource), out);
      },
      [&](void** out) {
        return d3d_->CreatePlacedResource(heap.Get(), 0, &buffer, common, nullptr, __uuidof(ID3D12Resource),
                                          out);
      },
      [&](void** out) { return d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence), out); },
  };
  for (const auto& call : calls) EXPECT_EQ(call(nullptr), S_FALSE) << "would succeed so far";
  Remove(DXGI_ERROR_DEVICE_HUNG);
  for (size_t i = 0; i < std::size(calls); ++i) {
    void* none = this;
    EXPECT_EQ(calls[i](&none), DXGI_ERROR_DEVICE_REMOVED) << i;
    EXPECT_EQ(none, nullptr) << i;
    EXPECT_EQ(calls[i](nullptr), DXGI_ERROR_DEVICE_REMOVED) << i;
  }
}

TEST_F(RemovalTest, NothingIsRun) {
  const auto from = MakeBufferOf<uint32_t>({5});
  const auto to = MakeBuffer(4);
  list_->CopyResource(to.Get(), from.Get());
  ASSERT_EQ(list_->Close(), S_OK);
  Remove(DXGI_ERROR_DEVICE_HUNG);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  queue_.Reset();  // waits for whatever was submitted
  EXPECT_EQ(Read<uint32_t>(to.Get(), 1)[0], 0u);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_DEVICE_HUNG);
}

// Fences say that it is over, so the application may touch its memory: what was submitted must not.
TEST_F(RemovalTest, WhatWaitedIsNotRun) {
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  const auto from = MakeBufferOf<uint32_t>({5});
  const auto to = MakeBuffer(4);
  list_->CopyResource(to.Get(), from.Get());
  ASSERT_EQ(list_->Close(), S_OK);
  ASSERT_EQ(queue_->Wait(gate.Get(), 1), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  Remove(DXGI_ERROR_DEVICE_HUNG);
  queue_.Reset();
  EXPECT_EQ(Read<uint32_t>(to.Get(), 1)[0], 0u);
}

// Nothing of one device happens to another.
TEST_F(RemovalTest, ObjectsOfAnotherDeviceAreRefused) {
  const D3D12_HEAP_DESC heap_desc = DefaultHeapDesc();
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const auto first_buffer = MakeBuffer(64);
  ASSERT_EQ(list_->Close(), S_OK);  // which frees the allocator
  Remove(DXGI_ERROR_DEVICE_HUNG);
  ComPtr<ID3D12Device> next;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&next)), S_OK);
  const D3D12_COMMAND_QUEUE_DESC desc = {};
  ComPtr<ID3D12CommandQueue> queue;
  ASSERT_EQ(next->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
  EXPECT_EQ(queue->Signal(fence_.Get(), 1), E_INVALIDARG);
  EXPECT_EQ(queue->Wait(fence_.Get(), 1), E_INVALIDARG);
  ComPtr<ID3D12Fence> own;
  ASSERT_EQ(next->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&own)), S_OK);
  EXPECT_EQ(queue->Signal(own.Get(), 1), S_OK);
  EXPECT_EQ(own->SetEventOnCompletion(1, nullptr), S_OK);
  const D3D12_RESOURCE_DESC buffer = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  EXPECT_EQ(next->CreatePlacedResource(heap.Get(), 0, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                       __uuidof(ID3D12Resource), nullptr),
            E_INVALIDARG);
  EXPECT_EQ(next->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator_.Get(), nullptr,
                                    __uuidof(ID3D12CommandList), nullptr),
            E_INVALIDARG);
  d3d_ = next;  // for the next buffer
  const auto next_buffer = MakeBuffer(64);
  ComPtr<ID3D12CommandAllocator> allocator;
  ASSERT_EQ(next->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)), S_OK);
  ComPtr<ID3D12GraphicsCommandList> list;
  ASSERT_EQ(next->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                                    IID_PPV_ARGS(&list)),
            S_OK);
  for (const auto& [to, from] :
       {std::pair(first_buffer, next_buffer), std::pair(next_buffer, first_buffer)}) {
    list->CopyResource(to.Get(), from.Get());
    EXPECT_EQ(list->Close(), E_INVALIDARG);
    ASSERT_EQ(list->Reset(allocator.Get(), nullptr), S_OK);
  }
  ID3D12CommandList* lists[] = {list_.Get()};
  queue->ExecuteCommandLists(1, lists);
  EXPECT_EQ(next->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL);
}

// Signals that were submitted before come to nothing: the largest number is for good.
TEST_F(RemovalTest, FencesKeepTheLargestNumber) {
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  EXPECT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence), nullptr), S_FALSE)
      << "a fence that is gone before its device";
  ASSERT_EQ(queue_->Wait(gate.Get(), 1), S_OK);
  ASSERT_EQ(queue_->Signal(fence_.Get(), 5), S_OK);
  Remove(DXGI_ERROR_DEVICE_HUNG);  // opens the gate, too
  queue_.Reset();
  EXPECT_EQ(gate->GetCompletedValue(), ~UINT64{0});
  EXPECT_EQ(fence_->GetCompletedValue(), ~UINT64{0});
}

TEST_F(RemovalTest, ListsThatAreNoneRemoveTheDevice) {
  ID3D12CommandList* lists[] = {nullptr};
  queue_->ExecuteCommandLists(0, lists);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
  queue_->ExecuteCommandLists(1, lists);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL);
}

// What is recorded into a closed list makes it useless until it is reset.
TEST_F(RemovalTest, RecordingIntoAClosedList) {
  const auto from = MakeBufferOf<uint32_t>({5});
  const auto to = MakeBuffer(4);
  ASSERT_EQ(list_->Close(), S_OK);
  list_->CopyResource(to.Get(), from.Get());
  ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  ExecuteList();
  EXPECT_EQ(Read<uint32_t>(to.Get(), 1)[0], 0u) << "the copy was not recorded";
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
  ASSERT_EQ(list_->Close(), S_OK);
  list_->CopyResource(to.Get(), from.Get());
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL);
}

TEST_F(RemovalTest, GenericCoresAndMissingResults) {
  ComPtr<ID3D12Device> device;
  EXPECT_EQ(D3D12CreateDevice(nullptr, AnyNumber<D3D_FEATURE_LEVEL>(0x100), IID_PPV_ARGS(&device)), S_OK);
  EXPECT_EQ(device.Get(), d3d_.Get());
  EXPECT_EQ(D3D12GetDebugInterface(__uuidof(ID3D12Debug), nullptr), E_INVALIDARG);
}

}  // namespace
}  // namespace residue::testing
