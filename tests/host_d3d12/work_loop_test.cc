// The queue's inner life: what happens to work and waits when nobody holds the queue any more.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <thread>

#include "host_d3d12/command_queue.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

// A command that does what the test says, on the queue's thread.
class Action final : public ComObject<IHostCommand, IHostWork> {
 public:
  explicit Action(std::function<void()> act) : act_(std::move(act)) {}
  IHostWork* Submit() noexcept override {
    if (!act_) return nullptr;
    AddRef();
    return this;
  }
  void Run() noexcept override { act_(); }

 private:
  void* FindInterface(REFIID) noexcept override { return nullptr; }

  const std::function<void()> act_;
};

class WorkLoopTest : public DmlTest {
 protected:
  void Append(std::function<void()> act) {
    const auto list = QueryFor<IHostCommandList>(list_.Get(), kIidHostCommandList);
    EXPECT_EQ(list->Append(static_cast<IHostCommand*>(Make<Action>(std::move(act)).get())), S_OK);
  }
};

std::ptrdiff_t CountThreads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// The last reference may be dropped by something that runs on the queue's own thread, which cannot wait for
// itself; what was submitted behind it is done all the same.
TEST_F(WorkLoopTest, AQueueMayDieOnItsOwnThread) {
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  const std::ptrdiff_t threads = CountThreads();
  ID3D12CommandQueue* last = queue_.Get();
  ULONG left = 9;
  Append([&] { left = last->Release(); });
  ASSERT_EQ(list_->Close(), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  ASSERT_EQ(queue_->Wait(gate.Get(), 1), S_OK);
  queue_->ExecuteCommandLists(1, lists);
  ASSERT_EQ(queue_->Signal(fence_.Get(), 1), S_OK);
  EXPECT_EQ(CountReferences(last), 1u);
  queue_.Detach();  // the command has it now
  list_.Reset();
  ASSERT_EQ(gate->Signal(1), S_OK);
  ASSERT_EQ(fence_->SetEventOnCompletion(1, nullptr), S_OK);
  EXPECT_EQ(left, 0u);
  // Nobody joins the thread, so it must find its end alone.
  for (int i = 0; i < 10'000 && CountThreads() >= threads; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LT(CountThreads(), threads);
}

TEST_F(WorkLoopTest, CommandsMayHaveNothingToDo) {
  Append(nullptr);
  bool ran = false;
  Append([&] { ran = true; });
  ExecuteList();
  EXPECT_TRUE(ran);
}

TEST_F(WorkLoopTest, ClosedListsTakeNoCommands) {
  ASSERT_EQ(list_->Close(), S_OK);
  const auto list = QueryFor<IHostCommandList>(list_.Get(), kIidHostCommandList);
  EXPECT_FALSE(list->IsRecording());
  const auto command = Make<Action>(nullptr);
  EXPECT_EQ(list->Append(static_cast<IHostCommand*>(command.get())), E_FAIL);
  EXPECT_EQ(CountReferences(command.get()), 1u) << "it was not kept";
}

// The thread holds the fence twice while it waits for it: in the item and as what it waits for.
void AwaitWaiting(const std::weak_ptr<FenceState>& fence, long others) {
  while (fence.use_count() != others + 2) std::this_thread::yield();
}

TEST(WorkLoopStopTest, StopLeavesAWaitThatOthersCanEnd) {
  WorkLoop loop;
  auto fence = std::make_shared<FenceState>(0);
  auto behind = std::make_shared<FenceState>(0);
  ASSERT_EQ(loop.Push({{}, fence, 1, true}), S_OK);
  ASSERT_EQ(loop.Push({{}, behind, 7, false}), S_OK);
  std::thread thread([&] { loop.Run(); });
  AwaitWaiting(fence, 1);
  EXPECT_FALSE(loop.Stop()) << "the test can still signal it";
  EXPECT_EQ(behind->value(), 0u);
  fence->Signal(1);
  thread.join();
  EXPECT_EQ(behind->value(), 7u) << "nothing was given up";
  EXPECT_TRUE(loop.Stop());
}

TEST(WorkLoopStopTest, StopEndsAWaitThatNobodyCanEnd) {
  WorkLoop loop;
  auto fence = std::make_shared<FenceState>(0);
  auto behind = std::make_shared<FenceState>(0);
  ASSERT_EQ(loop.Push({{}, fence, 1, true}), S_OK);
  ASSERT_EQ(loop.Push({{}, behind, 7, false}), S_OK);
  std::thread thread([&] { loop.Run(); });
  const std::weak_ptr<FenceState> watched = fence;
  AwaitWaiting(watched, 1);
  fence.reset();
  EXPECT_TRUE(loop.Stop()) << "wakes it, though it would wait for long";
  thread.join();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(behind->value(), 0u) << "what is behind such a wait never happens";
  EXPECT_EQ(behind.use_count(), 1) << "and is dropped";
}

TEST(WorkLoopStopTest, StopWithoutWaitingRunsWhatIsThere) {
  WorkLoop loop;
  auto fence = std::make_shared<FenceState>(0);
  ASSERT_EQ(loop.Push({{}, fence, 3, false}), S_OK);
  loop.StopWithoutWaiting();
  EXPECT_EQ(fence->value(), 0u);
  loop.Run();
  EXPECT_EQ(fence->value(), 3u);
  EXPECT_TRUE(loop.Stop());
}

TEST(FenceStateTest, WaitsAreWokenWithoutTheNumber) {
  FenceState fence(4);
  EXPECT_TRUE(fence.WaitFor(4, std::chrono::hours(1))) << "reached already";
  EXPECT_FALSE(fence.WaitFor(5, std::chrono::milliseconds(1)));
  std::atomic<bool> done{false};
  bool reached = true;
  std::thread waiter([&] {
    reached = fence.WaitFor(5, std::chrono::hours(1));
    done.store(true);
  });
  // Only who waits already is woken.
  while (!done.load()) {
    fence.WakeWaiters();
    std::this_thread::yield();
  }
  waiter.join();
  EXPECT_FALSE(reached);
  EXPECT_EQ(fence.value(), 4u);
}

}  // namespace
}  // namespace residue::testing
