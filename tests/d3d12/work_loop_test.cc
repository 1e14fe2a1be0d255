// The queue's inner life: what happens to work and waits when nobody holds the queue any more.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cpu/backend/cpu_stream.h"
#include "d3d12/command_queue.h"
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
  void Encode(IDeviceStream&) noexcept override { act_(); }
  uint64_t Bytes() const noexcept override { return 0; }

 private:
  void* FindInterface(REFIID) noexcept override { return nullptr; }

  const std::function<void()> act_;
};

class WorkLoopTest : public DmlTest {
 protected:
  void Append(std::function<void()> act) {
    const auto list = QueryFor<IHostCommandList>(list_.Get(), kIidHostCommandList);
    EXPECT_EQ(list->Append(static_cast<IHostCommand*>(Make<Action>(std::move(act)).get()), nullptr), S_OK);
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
  ID3D12CommandQueue* last = queue_.Get();
  ULONG left = 9;
  Append([&] { left = last->Release(); });
  ASSERT_EQ(list_->Close(), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  ASSERT_EQ(queue_->Wait(gate.Get(), 1), S_OK);
  const std::ptrdiff_t threads = CountThreads();
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
  EXPECT_EQ(list->Append(static_cast<IHostCommand*>(command.get()), nullptr), E_FAIL);
  EXPECT_EQ(CountReferences(command.get()), 1u) << "it was not kept";
}

using Number = std::shared_ptr<FenceState>;

std::shared_ptr<RemovedReason> Healthy() { return std::make_shared<RemovedReason>(S_OK); }
Ref<IDeviceStream> ProcessorStream() { return Ref<IDeviceStream>::Share(CpuStream::Get()); }
Number MakeNumber() { return std::make_shared<FenceState>(0); }
WorkLoop::Item Wait(const Number& fence, uint64_t value) { return {{}, fence, {}, value}; }
WorkLoop::Item Signal(const Number& fence, uint64_t value) {
  return {{}, nullptr, FenceSignaller(fence), value};
}

// Notes when it is told to finish.
class NotedStream final : public ComObject<IDeviceStream> {
 public:
  void Copy(DevicePlace, DevicePlace, uint64_t) noexcept override {}
  void Fill(DevicePlace, uint64_t, const void*, uint32_t) noexcept override {}
  residue_status Run(IDeviceProgram*, const DevicePlace*, const DevicePlace*, DevicePlace) noexcept override {
    return RESIDUE_OK;
  }
  void Finish() noexcept override { notes += " finish"; }
  std::string notes;

 private:
  void* FindInterface(REFIID) noexcept override { return nullptr; }
};

WorkLoop::Item Work(std::function<void()> act, uint64_t bytes) {
  WorkLoop::Item item;
  item.work.push_back(Ref<IHostWork>::Adopt(Make<Action>(std::move(act)).Detach()));
  item.bytes = bytes;
  return item;
}

// Museum own-172: nothing that comes while somebody is at work is refused, long work neither.
TEST(WorkLoopWithoutThreadTest, WhoIsAtWorkRunsAllThatComes) {
  constexpr uint64_t kLong = 1 << 30;
  WorkLoop loop(ProcessorStream(), Healthy());
  const Number fence = MakeNumber();
  std::string done;
  const auto bring_more = [&] {
    EXPECT_EQ(loop.RunWithoutThread(Work([&] { done += " second"; }, kLong)), S_OK);
    EXPECT_EQ(loop.RunWithoutThread(Work([&] { done += " third"; }, 1)), S_OK);
    EXPECT_EQ(loop.RunWithoutThread(Signal(fence, 5)), S_OK);
    EXPECT_EQ(done, "") << "one after the other";
    done += " first";
  };
  EXPECT_EQ(loop.RunWithoutThread(Work(bring_more, kLong)), S_OK);
  EXPECT_EQ(done, " first second third");
  EXPECT_EQ(fence->value(), 5u);
  EXPECT_EQ(loop.RunWithoutThread(Wait(fence, 5)), S_OK);
  EXPECT_EQ(loop.RunWithoutThread(Wait(fence, 6)), E_OUTOFMEMORY) << "nobody here could end it";
}

// The same of work that was short enough to be done at once.
TEST(WorkLoopWithoutThreadTest, LongWorkBehindShort) {
  WorkLoop loop(ProcessorStream(), Healthy());
  std::string done;
  WorkLoop::Item item = Work(
      [&] {
        EXPECT_EQ(loop.RunWithoutThread(Work([&] { done += " second"; }, 1 << 30)), S_OK);
        done += " first";
      },
      1);
  EXPECT_TRUE(loop.TryHere(item));
  EXPECT_EQ(done, " first second");
}

// A fence is signalled, and waited for, only when the stream has done all that came before; and so it ends.
TEST(WorkLoopStreamTest, FencesComeAfterWhatWasEncodedBefore) {
  const auto stream = Make<NotedStream>();
  const Number fence = MakeNumber();
  WorkLoop loop(Ref<IDeviceStream>::Share(stream.get()), Healthy());
  const auto push_work = [&] {
    WorkLoop::Item item;
    item.work.push_back(Ref<IHostWork>::Adopt(Make<Action>([&] { stream->notes += " work"; }).Detach()));
    ASSERT_EQ(loop.Push(std::move(item)), S_OK);
  };
  push_work();
  push_work();
  ASSERT_EQ(loop.Push(Signal(fence, 1)), S_OK);
  push_work();
  ASSERT_EQ(loop.Push(Wait(fence, 1)), S_OK);
  push_work();
  loop.StopWithoutWaiting();
  loop.Run();
  EXPECT_EQ(stream->notes, " work work finish work finish work finish");
}

// A loop that runs, and waits for a fence before it signals another.
struct HeldUp {
  HeldUp() {
    EXPECT_EQ(loop.Push(Wait(fence, 1)), S_OK);
    EXPECT_EQ(loop.Push(Signal(behind, 7)), S_OK);
    thread = std::thread([this] { loop.Run(); });
  }
  const Number fence = MakeNumber();
  const Number behind = MakeNumber();
  const FenceSignaller other{fence};  // the test, which can end the wait
  WorkLoop loop{ProcessorStream(), Healthy()};
  std::thread thread;
};

TEST(WorkLoopStopTest, StopLeavesAWaitThatOthersCanEnd) {
  HeldUp held;
  EXPECT_FALSE(held.loop.Stop()) << "the test can still signal it";
  EXPECT_EQ(held.behind->value(), 0u);
  held.fence->Signal(1);
  held.thread.join();
  EXPECT_EQ(held.behind->value(), 7u) << "nothing was given up";
  EXPECT_TRUE(held.loop.Stop());
}

// What is behind such a wait never happens, whatever it would have signalled, and is dropped.
void ExpectGivenUp(const Number& fence, std::vector<WorkLoop::Item> items) {
  WorkLoop loop(ProcessorStream(), Healthy());
  const Number behind = MakeNumber();
  for (WorkLoop::Item& item : items) ASSERT_EQ(loop.Push(std::move(item)), S_OK);
  ASSERT_EQ(loop.Push(Signal(behind, 7)), S_OK);
  std::thread thread([&] { loop.Run(); });
  EXPECT_TRUE(loop.Stop());
  thread.join();
  EXPECT_EQ(fence->value(), 0u);
  EXPECT_EQ(fence->signallers(), 0);
  EXPECT_EQ(behind->value(), 0u);
  EXPECT_EQ(behind.use_count(), 1);
}

template <class... Items>
std::vector<WorkLoop::Item> List(Items... items) {
  std::vector<WorkLoop::Item> list;
  (list.push_back(std::move(items)), ...);
  return list;
}

TEST(WorkLoopStopTest, StopEndsAWaitThatNobodyCanEnd) {
  const Number fence = MakeNumber();
  ExpectGivenUp(fence, List(Wait(fence, 1)));
  ExpectGivenUp(fence, List(Wait(fence, 1), Wait(fence, 2)));
  ExpectGivenUp(fence, List(Wait(fence, 1), Signal(fence, 1)));
  ExpectGivenUp(fence, List(Wait(fence, 2), Signal(fence, 1), Signal(fence, 2), Wait(fence, 1)));
}

TEST(WorkLoopStopTest, QueuesThatWaitForTheSameDoNotKeepEachOtherWaiting) {
  const Number fence = MakeNumber();
  WorkLoop second(ProcessorStream(), Healthy());
  ASSERT_EQ(second.Push(Wait(fence, 1)), S_OK);
  std::thread thread([&] { second.Run(); });
  ExpectGivenUp(fence, List(Wait(fence, 1)));
  EXPECT_TRUE(second.Stop());
  thread.join();
}

// Between looking at the number and finding that nobody is left, the last one may have signalled and gone.
TEST(WorkLoopStopTest, TheLastSignalIsNotMissed) {
  for (int i = 0; i < 500; ++i) {
    WorkLoop loop(ProcessorStream(), Healthy());
    const Number fence = MakeNumber();
    const Number behind = MakeNumber();
    WorkLoop other(ProcessorStream(), Healthy());
    ASSERT_EQ(loop.Push(Wait(fence, 1)), S_OK);
    ASSERT_EQ(loop.Push(Signal(behind, 7)), S_OK);
    ASSERT_EQ(other.Push(Signal(fence, 1)), S_OK);
    std::thread thread([&] { loop.Run(); });
    std::thread other_thread([&] { other.Run(); });
    loop.Stop();
    EXPECT_TRUE(other.Stop());
    thread.join();
    other_thread.join();
    ASSERT_EQ(behind->value(), 7u) << "round " << i;
  }
}

TEST(WorkLoopStopTest, StopWithoutWaitingRunsWhatIsThere) {
  WorkLoop loop(ProcessorStream(), Healthy());
  const Number fence = MakeNumber();
  ASSERT_EQ(loop.Push(Signal(fence, 3)), S_OK);
  loop.StopWithoutWaiting();
  EXPECT_EQ(fence->value(), 0u);
  loop.Run();
  EXPECT_EQ(fence->value(), 3u);
  EXPECT_TRUE(loop.Stop());
}

// After a signal and a release, the work is done when the release returns.
TEST(WorkLoopStopTest, StopWaitsForWhatIsNotHeldUpAnyMore) {
  for (int i = 0; i < 500; ++i) {
    HeldUp held;
    std::this_thread::sleep_for(std::chrono::microseconds(i));  // mostly it sleeps by then, sometimes not
    held.fence->Signal(1);
    EXPECT_TRUE(held.loop.Stop()) << "round " << i;
    EXPECT_EQ(held.behind->value(), 7u);
    held.thread.join();
  }
}

TEST(FenceStateTest, WaitsEndWithoutTheNumber) {
  FenceState fence(4);
  EXPECT_TRUE(FenceWait(fence, 4).WaitFor(std::chrono::hours(1))) << "reached already";
  EXPECT_FALSE(FenceWait(fence, 5).WaitFor(std::chrono::milliseconds(1)));
  std::atomic<bool> given_up{false};
  EXPECT_TRUE(FenceWait(fence, 4).WaitUnless(given_up));
  bool reached = true;
  std::thread waiter([&] { reached = FenceWait(fence, 5).WaitUnless(given_up); });
  given_up.store(true);
  fence.WakeWaiters();  // once is enough, whether it waits already or not
  waiter.join();
  EXPECT_FALSE(reached);
  EXPECT_TRUE(FenceWait(fence, 4).WaitUnless(given_up)) << "the number counts first";
  EXPECT_EQ(fence.value(), 4u);
}

TEST(FenceStateTest, AReachedNumberStaysReached) {
  FenceState fence(0);
  FenceWait first(fence, 1);
  FenceWait second(fence, 2);
  FenceWait third(fence, 3);
  fence.Signal(2);
  fence.Signal(0);
  EXPECT_TRUE(first.IsReached());
  EXPECT_TRUE(second.IsReached());
  EXPECT_FALSE(third.IsReached());
  first.Wait();  // comes back
  fence.SignalRemoval();
  EXPECT_TRUE(third.IsReached());
  EXPECT_TRUE(FenceWait(fence, UINT64_MAX).IsReached());
}

TEST(FenceStateTest, SignallersAreCounted) {
  const Number fence = MakeNumber();
  EXPECT_EQ(fence->signallers(), 0);
  {
    FenceSignaller first(fence);
    FenceSignaller second(fence);
    EXPECT_EQ(fence->signallers(), 2);
    FenceSignaller moved(std::move(first));
    EXPECT_EQ(fence->signallers(), 2);
    second = std::move(moved);
    EXPECT_EQ(second.state(), fence);
  }
  EXPECT_EQ(fence->signallers(), 0);
}

}  // namespace
}  // namespace residue::testing
