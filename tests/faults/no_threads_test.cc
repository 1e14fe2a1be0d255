// A system that gives no threads: results are right all the same, and a command queue does its work in the
// calls that submit it. Only a wait that somebody else must end is refused. Runs under failing_threads.so.
#include <gtest/gtest.h>

#include <residue_d3d12.h>
#include <wrl/client.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "com/com_object.h"
#include "residue/residue.h"

namespace residue::testing {
namespace {

using Microsoft::WRL::ComPtr;

TEST(NoThreadsTest, LargeWorkIsDoneByTheCaller) {
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  const size_t count = 1 << 22;
  const std::vector<int32_t> a(count, -7);
  const std::vector<int32_t> b(count, 3);
  std::vector<int32_t> out(count);
  ASSERT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, a.data(), b.data(), out.data(), count),
            RESIDUE_OK);
  EXPECT_EQ(std::count(out.begin(), out.end(), 2), static_cast<ptrdiff_t>(count));
}

TEST(NoThreadsTest, CommandQueuesDoWithout) {
  {
    ComPtr<ID3D12Device> d3d;
    ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)), S_OK);
    const D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                           0};
    ComPtr<ID3D12CommandQueue> queue;
    ASSERT_EQ(d3d->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
    ComPtr<ID3D12CommandAllocator> allocator;
    ComPtr<ID3D12GraphicsCommandList> list;
    ASSERT_EQ(d3d->CreateCommandAllocator(desc.Type, IID_PPV_ARGS(&allocator)), S_OK);
    ASSERT_EQ(d3d->CreateCommandList(0, desc.Type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)), S_OK);
    constexpr UINT64 kBytes = 4 << 20;
    const D3D12_HEAP_PROPERTIES properties = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                              D3D12_MEMORY_POOL_L0, 1, 1};
    const D3D12_RESOURCE_DESC buffer = {D3D12_RESOURCE_DIMENSION_BUFFER,
                                        0,
                                        kBytes,
                                        1,
                                        1,
                                        1,
                                        DXGI_FORMAT_UNKNOWN,
                                        {1, 0},
                                        D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                        D3D12_RESOURCE_FLAG_NONE};
    ComPtr<ID3D12Resource> buffers[2];
    void* data[2];
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(d3d->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &buffer,
                                             D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&buffers[i])),
                S_OK);
      ASSERT_EQ(buffers[i]->Map(0, nullptr, &data[i]), S_OK);
    }
    static_cast<char*>(data[0])[kBytes - 1] = 5;
    list->CopyResource(buffers[1].Get(), buffers[0].Get());
    ASSERT_EQ(list->Close(), S_OK);
    ID3D12CommandList* lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    EXPECT_EQ(static_cast<char*>(data[1])[kBytes - 1], 5);
    ComPtr<ID3D12Fence> fence;
    ASSERT_EQ(d3d->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    EXPECT_EQ(queue->Signal(fence.Get(), 1), S_OK);
    EXPECT_EQ(fence->GetCompletedValue(), 1u);
    EXPECT_EQ(queue->Wait(fence.Get(), 2), E_OUTOFMEMORY);
    EXPECT_EQ(d3d->GetDeviceRemovedReason(), S_OK);
  }
  EXPECT_EQ(LiveObjectCount(), 0);
}

}  // namespace
}  // namespace residue::testing
