// Queues, fences, events, lists and allocators.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class QueueTest : public DmlTest {
 protected:
  ComPtr<ID3D12CommandQueue> MakeQueue() {
    const D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE,
                                           0};
    ComPtr<ID3D12CommandQueue> queue;
    EXPECT_EQ(d3d_->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
    return queue;
  }
  ComPtr<ID3D12Fence> MakeFence(UINT64 value = 0) {
    ComPtr<ID3D12Fence> fence;
    EXPECT_EQ(d3d_->CreateFence(value, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    return fence;
  }
};

TEST_F(QueueTest, FencesFromTheCpu) {
  const auto fence = MakeFence(5);
  EXPECT_EQ(fence->GetCompletedValue(), 5u);
  EXPECT_EQ(fence->Signal(9), S_OK);
  EXPECT_EQ(fence->GetCompletedValue(), 9u);
  EXPECT_EQ(fence->SetEventOnCompletion(9, nullptr), S_OK) << "reached already: returns at once";
}

TEST_F(QueueTest, QueueWaitsForAnotherThread) {
  const auto fence = MakeFence();
  ASSERT_EQ(queue_->Wait(fence.Get(), 1), S_OK);
  const auto from = MakeBufferOf<uint32_t>({1});
  const auto to = MakeBuffer(4);
  list_->CopyResource(to.Get(), from.Get());
  ASSERT_EQ(list_->Close(), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  ASSERT_EQ(queue_->Signal(fence_.Get(), 1), S_OK);
  EXPECT_EQ(fence_->GetCompletedValue(), 0u) << "the queue stands still";
  Write<uint32_t>(from.Get(), {2});  // seen, because the copy has not run
  std::thread other([&] { fence->Signal(1); });
  EXPECT_EQ(fence_->SetEventOnCompletion(1, nullptr), S_OK);
  other.join();
  EXPECT_EQ(Read<uint32_t>(to.Get(), 1)[0], 2u);
}

TEST_F(QueueTest, TwoQueuesTakeTurns) {
  const auto second = MakeQueue();
  const auto fence = MakeFence();
  for (UINT64 i = 0; i < 50; ++i) {
    ASSERT_EQ(queue_->Wait(fence.Get(), 2 * i), S_OK);
    ASSERT_EQ(queue_->Signal(fence.Get(), 2 * i + 1), S_OK);
    ASSERT_EQ(second->Wait(fence.Get(), 2 * i + 1), S_OK);
    ASSERT_EQ(second->Signal(fence.Get(), 2 * i + 2), S_OK);
  }
  EXPECT_EQ(fence->SetEventOnCompletion(100, nullptr), S_OK);
  EXPECT_EQ(fence->GetCompletedValue(), 100u);
}

TEST_F(QueueTest, EventsAreEventDescriptors) {
  const auto fence = MakeFence();
  const int descriptor = eventfd(0, EFD_CLOEXEC);
  ASSERT_EQ(fence->SetEventOnCompletion(3, reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor))),
            S_OK);
  pollfd wanted = {descriptor, POLLIN, 0};
  EXPECT_EQ(poll(&wanted, 1, 0), 0);
  fence->Signal(2);
  EXPECT_EQ(poll(&wanted, 1, 0), 0);
  fence->Signal(4);
  EXPECT_EQ(poll(&wanted, 1, 0), 1);
  close(descriptor);
  EXPECT_EQ(fence->SetEventOnCompletion(9, reinterpret_cast<HANDLE>(intptr_t{54321})), E_HANDLE);
}

TEST_F(QueueTest, ClosedEventsDoNotMatter) {
  const auto fence = MakeFence();
  HANDLE event = CreateEventW(nullptr, FALSE, FALSE, nullptr);
  ASSERT_EQ(fence->SetEventOnCompletion(1, event), S_OK);
  CloseHandle(event);
  EXPECT_EQ(fence->Signal(1), S_OK);
  HANDLE never = CreateEventW(nullptr, FALSE, FALSE, nullptr);
  EXPECT_EQ(fence->SetEventOnCompletion(100, never), S_OK) << "dies with the fence";
  CloseHandle(never);
}

TEST_F(QueueTest, Win32Events) {
  HANDLE automatic = CreateEvent(nullptr, FALSE, TRUE, nullptr);
  EXPECT_EQ(WaitForSingleObject(automatic, 0), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(WaitForSingleObject(automatic, 0), DWORD{WAIT_TIMEOUT}) << "a wait resets it";
  EXPECT_EQ(SetEvent(automatic), TRUE);
  EXPECT_EQ(SetEvent(automatic), TRUE);
  EXPECT_EQ(WaitForSingleObjectEx(automatic, INFINITE, FALSE), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(WaitForSingleObject(automatic, 1), DWORD{WAIT_TIMEOUT});
  HANDLE manual = CreateEventA(nullptr, TRUE, FALSE, nullptr);
  EXPECT_EQ(WaitForSingleObject(manual, 0), DWORD{WAIT_TIMEOUT});
  EXPECT_EQ(SetEvent(manual), TRUE);
  EXPECT_EQ(WaitForSingleObject(manual, 0), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(WaitForSingleObject(manual, 0), DWORD{WAIT_OBJECT_0}) << "stays set";
  EXPECT_EQ(ResetEvent(manual), TRUE);
  EXPECT_EQ(WaitForSingleObject(manual, 0), DWORD{WAIT_TIMEOUT});
  EXPECT_EQ(CloseHandle(automatic), TRUE);
  EXPECT_EQ(CloseHandle(manual), TRUE);
  EXPECT_EQ(CloseHandle(nullptr), FALSE);
  EXPECT_EQ(WaitForSingleObject(reinterpret_cast<HANDLE>(intptr_t{54321}), 0), DWORD{WAIT_FAILED});
}

// Submitted work is done, whether or not the application keeps the queue.
TEST_F(QueueTest, ReleasingABlockedQueueDoesNotCancelItsWork) {
  const auto fence = MakeFence();
  const auto reached = MakeFence();
  ComPtr<ID3D12CommandQueue> queue = MakeQueue();
  ASSERT_EQ(queue->Signal(reached.Get(), 1), S_OK);
  ASSERT_EQ(queue->Wait(fence.Get(), 1), S_OK);
  ASSERT_EQ(queue->Signal(reached.Get(), 2), S_OK);
  queue.Reset();
  EXPECT_EQ(reached->GetCompletedValue(), 1u);
  ASSERT_EQ(queue_->Signal(fence.Get(), 1), S_OK);
  EXPECT_EQ(reached->SetEventOnCompletion(2, nullptr), S_OK);
}

TEST_F(QueueTest, AWaitThatNobodyCanEndIsGivenUp) {
  ComPtr<ID3D12CommandQueue> queue = MakeQueue();
  ComPtr<ID3D12Fence> fence = MakeFence();
  ASSERT_EQ(queue->Wait(fence.Get(), 1), S_OK);
  ASSERT_EQ(queue->Wait(fence.Get(), 2), S_OK);
  ASSERT_EQ(queue->Signal(fence.Get(), 2), S_OK);
  fence.Reset();
  queue.Reset();  // must come back
}

TEST_F(QueueTest, StrayHandlesAreRefused) {
  const auto fence = MakeFence();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  close(pipe_ends[0]);  // a write would raise SIGPIPE
  for (const intptr_t handle :
       {intptr_t{1}, intptr_t{pipe_ends[1]}, intptr_t{0x7fff00000001}, intptr_t{-5}}) {
    EXPECT_EQ(fence->SetEventOnCompletion(0, reinterpret_cast<HANDLE>(handle)), E_HANDLE) << handle;
  }
  close(pipe_ends[1]);
  EXPECT_EQ(WaitForSingleObject(nullptr, 0), DWORD{WAIT_FAILED});
  EXPECT_EQ(SetEvent(nullptr), FALSE);
  EXPECT_EQ(ResetEvent(nullptr), FALSE);
}

TEST_F(QueueTest, AFullEventDoesNotBlockTheFence) {
  const auto fence = MakeFence();
  const int descriptor = eventfd(0, EFD_CLOEXEC);
  const uint64_t full = ~uint64_t{0} - 1;
  ASSERT_EQ(write(descriptor, &full, sizeof(full)), ssize_t{sizeof(full)});
  ASSERT_EQ(fence->SetEventOnCompletion(1, reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor))),
            S_OK);
  EXPECT_EQ(fence->Signal(1), S_OK);
  close(descriptor);
}

TEST_F(QueueTest, EventsClosedByOtherMeans) {
  HANDLE manual = CreateEvent(nullptr, TRUE, TRUE, nullptr);
  close(static_cast<int>(reinterpret_cast<intptr_t>(manual)));
  HANDLE automatic = CreateEvent(nullptr, FALSE, TRUE, nullptr);
  EXPECT_EQ(automatic, manual) << "the number is used again";
  EXPECT_EQ(WaitForSingleObject(automatic, 0), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(WaitForSingleObject(automatic, 0), DWORD{WAIT_TIMEOUT}) << "and resets itself";
  CloseHandle(automatic);
}

TEST_F(QueueTest, ReleasingABusyQueueFinishesItsWork) {
  const auto from = MakeBufferOf(std::vector<uint32_t>(1 << 20, 7));
  const auto to = MakeBuffer(4 << 20);
  for (int i = 0; i < 8; ++i) list_->CopyResource(to.Get(), from.Get());
  ASSERT_EQ(list_->Close(), S_OK);
  ComPtr<ID3D12CommandQueue> queue = MakeQueue();
  ID3D12CommandList* lists[] = {list_.Get()};
  queue->ExecuteCommandLists(1, lists);
  queue.Reset();
  EXPECT_EQ(Read<uint32_t>(to.Get(), 1 << 20), std::vector<uint32_t>(1 << 20, 7));
}

TEST_F(QueueTest, ListsAndAllocatorsKeepTheirStates) {
  EXPECT_EQ(allocator_->Reset(), E_FAIL) << "a list records into it";
  EXPECT_EQ(list_->Reset(allocator_.Get(), nullptr), E_FAIL) << "open already";
  ComPtr<ID3D12GraphicsCommandList> second;
  EXPECT_EQ(d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator_.Get(), nullptr,
                                    IID_PPV_ARGS(&second)),
            E_INVALIDARG)
      << "one list at a time";
  ASSERT_EQ(list_->Close(), S_OK);
  EXPECT_EQ(list_->Close(), E_FAIL);
  EXPECT_EQ(allocator_->Reset(), S_OK);
  EXPECT_EQ(list_->Reset(nullptr, nullptr), E_INVALIDARG);
  ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL) << "an open list";
}

TEST_F(QueueTest, WrongCopiesAreReportedByClose) {
  const auto small = MakeBuffer(16);
  const auto large = MakeBuffer(64);
  const auto upload = MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 16);
  const auto readback = MakeBufferIn(D3D12_HEAP_TYPE_READBACK, 16);
  const std::function<void()> wrong[] = {
      [&] { list_->CopyResource(small.Get(), large.Get()); },
      [&] { list_->CopyResource(small.Get(), nullptr); },
      [&] { list_->CopyBufferRegion(small.Get(), 8, large.Get(), 0, 16); },
      [&] { list_->CopyBufferRegion(large.Get(), 0, small.Get(), 8, 16); },
      [&] { list_->CopyBufferRegion(large.Get(), ~UINT64{0}, small.Get(), 0, 16); },
      [&] { list_->CopyBufferRegion(large.Get(), 0, small.Get(), 0, ~UINT64{0}); },
      [&] { list_->CopyResource(upload.Get(), small.Get()); },
      [&] { list_->CopyResource(small.Get(), readback.Get()); },
      [&] { list_->ResourceBarrier(1, nullptr); },
      [&] { list_->SetDescriptorHeaps(1, nullptr); },
  };
  for (const auto& act : wrong) {
    act();
    EXPECT_EQ(list_->Close(), E_INVALIDARG);
    ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  }
}

TEST_F(QueueTest, ManyThreadsSubmitToOneQueue) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (UINT t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      ComPtr<ID3D12CommandAllocator> allocator;
      ComPtr<ID3D12GraphicsCommandList> list;
      d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator));
      d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr,
                              IID_PPV_ARGS(&list));
      const auto from = MakeBufferOf<uint32_t>({t});
      const auto to = MakeBuffer(4);
      const auto fence = MakeFence();
      list->CopyResource(to.Get(), from.Get());
      list->Close();
      ID3D12CommandList* lists[] = {list.Get()};
      for (UINT64 i = 1; i <= 50; ++i) {
        queue_->ExecuteCommandLists(1, lists);
        queue_->Signal(fence.Get(), i);
        HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
        fence->SetEventOnCompletion(i, event);
        WaitForSingleObject(event, INFINITE);
        CloseHandle(event);
        wrong += fence->GetCompletedValue() != i;
      }
      wrong += Read<uint32_t>(to.Get(), 1)[0] != t;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace residue::testing
