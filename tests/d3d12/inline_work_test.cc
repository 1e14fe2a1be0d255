// Short work of an idle queue runs inside ExecuteCommandLists, without a thread; long work, and what is
// behind it, does not. Forked children have queues that work.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "support/dml_fixture.h"
#include "support/thread_pool.h"

namespace residue::testing {
namespace {

// Threads that are started in a forked child.
#if defined(RESIDUE_TEST_EMULATED)
constexpr bool kForkedChildrenHaveThreads = false;
#else
constexpr bool kForkedChildrenHaveThreads = !kUnderThreadSanitizer;
#endif

constexpr UINT64 kLong = 1 << 20;

class InlineWorkTest : public DmlTest {
 protected:
  static std::ptrdiff_t CountThreads() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  }
  void Copy(UINT64 bytes, const ComPtr<ID3D12Resource>& from, const ComPtr<ID3D12Resource>& to) {
    list_->CopyBufferRegion(to.Get(), 0, from.Get(), 0, bytes);
  }
  void Submit() {
    ASSERT_EQ(list_->Close(), S_OK);
    ID3D12CommandList* lists[] = {list_.Get()};
    queue_->ExecuteCommandLists(1, lists);
  }
};

TEST_F(InlineWorkTest, ShortWorkIsDoneAtOnce) {
  const std::ptrdiff_t before = CountThreads();
  const auto from = MakeBufferOf<UINT>({1, 2, 3, 4});
  const auto to = MakeBuffer(16);
  Copy(16, from, to);
  Submit();
  EXPECT_EQ(Read<UINT>(to.Get(), 4), (std::vector<UINT>{1, 2, 3, 4})) << "without a wait";
  ASSERT_EQ(queue_->Signal(fence_.Get(), 1), S_OK);
  EXPECT_EQ(fence_->GetCompletedValue(), 1u);
  ASSERT_EQ(queue_->Wait(fence_.Get(), 1), S_OK) << "which is over";
  EXPECT_EQ(CountThreads(), before);
}

TEST_F(InlineWorkTest, WhatIsBehindAWaitWaits) {
  const std::ptrdiff_t before = CountThreads();
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  const auto from = MakeBufferOf<UINT>({1});
  const auto to = MakeBuffer(4);
  ASSERT_EQ(queue_->Wait(gate.Get(), 1), S_OK);
  EXPECT_GT(CountThreads(), before);  // a sanitizer may have started one of its own
  Copy(4, from, to);
  Submit();
  ASSERT_EQ(queue_->Signal(fence_.Get(), 1), S_OK);
  EXPECT_EQ(Read<UINT>(to.Get(), 1)[0], 0u);
  EXPECT_EQ(fence_->GetCompletedValue(), 0u);
  ASSERT_EQ(gate->Signal(1), S_OK);
  ASSERT_EQ(fence_->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_EQ(Read<UINT>(to.Get(), 1)[0], 1u);
}

TEST_F(InlineWorkTest, LongWorkIsForTheThread) {
  const std::ptrdiff_t before = CountThreads();
  const auto from = MakeBuffer(kLong);
  const auto to = MakeBuffer(kLong);
  Copy(kLong, from, to);
  Submit();
  EXPECT_GT(CountThreads(), before);  // a sanitizer may have started one of its own
  Wait();
}

// Many threads submit to one queue: every copy is done once, whoever does it, and signals come in order.
TEST_F(InlineWorkTest, ManyThreadsOneQueue) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 200;
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto [allocator, list] = MakeList();
      ComPtr<ID3D12Fence> fence;
      d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence));
      const bool is_long = t % 4 == 3;
      const UINT64 bytes = is_long ? kLong : 64;
      const auto from = MakeBuffer(bytes);
      const auto to = MakeBuffer(bytes);
      list->CopyResource(to.Get(), from.Get());
      list->Close();
      for (int round = 1; round <= (is_long ? kRounds / 20 : kRounds); ++round) {
        Data<int>(from.Get())[0] = round;
        ID3D12CommandList* lists[] = {list.Get()};
        queue_->ExecuteCommandLists(1, lists);
        queue_->Signal(fence.Get(), static_cast<UINT64>(round));
        fence->SetEventOnCompletion(static_cast<UINT64>(round), nullptr);
        if (Data<int>(to.Get())[0] != round) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The queue's thread is the parent's; the child gets one of its own when it needs it.
TEST_F(InlineWorkTest, AForkedChildComputes) {
  if (!kForkedChildrenHaveThreads) GTEST_SKIP() << "ThreadSanitizer and qemu 7.2 do not allow it";
  const auto from = MakeBuffer(kLong);
  const auto to = MakeBuffer(kLong);
  Copy(kLong, from, to);
  ExecuteList();  // the thread is there now
  const auto small_from = MakeBufferOf<UINT>({7});
  const auto small_to = MakeBuffer(4);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    Data<UINT>(from.Get())[kLong / 4 - 1] = 5;
    Copy(kLong, from, to);
    ExecuteList();
    Copy(4, small_from, small_to);
    ExecuteList();
    const bool right = Read<UINT>(to.Get(), 1, kLong - 4)[0] == 5 && Read<UINT>(small_to.Get(), 1)[0] == 7;
    queue_.Reset();  // does not wait for a thread that is not there
    _exit(right && !HasFailure() ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  Copy(4, small_from, small_to);
  ExecuteList();
  EXPECT_EQ(Read<UINT>(small_to.Get(), 1)[0], 7u) << "the parent's goes on";
}

// Museum own-171: threads of the parent wait for fences; in the child they are gone, with the stacks that
// their waits lie on.
TEST_F(InlineWorkTest, AForkedChildHasFencesWithoutWaiters) {
  if (!kForkedChildrenHaveThreads) GTEST_SKIP() << "ThreadSanitizer and qemu 7.2 do not allow it";
  ComPtr<ID3D12Fence> fences[2];
  std::vector<std::thread> waiters;
  for (ComPtr<ID3D12Fence>& fence : fences) {
    ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    waiters.emplace_back([&fence] { fence->SetEventOnCompletion(1, nullptr); });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that they wait; right without, too
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    fences[0].Reset();
    // New threads get the stacks of those that are gone.
    std::vector<std::thread> others;
    for (int i = 0; i < 4; ++i) {
      others.emplace_back([] {
        volatile char stack[4096];
        for (volatile char& byte : stack) byte = 0x55;
      });
    }
    for (std::thread& other : others) other.join();
    const bool right = fences[1]->Signal(1) == S_OK && fences[1]->GetCompletedValue() == 1 &&
                       fences[1]->SetEventOnCompletion(1, nullptr) == S_OK;
    fences[1].Reset();
    _exit(right ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  for (ComPtr<ID3D12Fence>& fence : fences) EXPECT_EQ(fence->Signal(1), S_OK);
  for (std::thread& waiter : waiters) waiter.join();
}

}  // namespace
}  // namespace residue::testing
