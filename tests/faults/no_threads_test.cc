// A system that gives no threads: results are right all the same, and a command queue, which is a thread, is
// refused. Runs under failing_threads.so.
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

TEST(NoThreadsTest, CommandQueuesAreRefused) {
  {
    ComPtr<ID3D12Device> d3d;
    ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)), S_OK);
    const D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                           0};
    ComPtr<ID3D12CommandQueue> queue;
    EXPECT_EQ(d3d->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), E_OUTOFMEMORY);
    EXPECT_EQ(queue.Get(), nullptr);
    EXPECT_EQ(d3d->GetDeviceRemovedReason(), S_OK);
  }
  EXPECT_EQ(LiveObjectCount(), 0);
}

}  // namespace
}  // namespace residue::testing
