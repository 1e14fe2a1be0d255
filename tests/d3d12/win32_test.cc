// The Win32 face: handles that are not events, events that many wait for, and where debug strings go.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "d3d12/event_descriptor.h"
#include "d3d12/fence.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

HANDLE ToHandle(int descriptor) { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor)); }

// A null handle means failure, so descriptor 0, which a program without standard input has to give, will not
// do.
TEST(Win32Test, EventsAreNeverNull) {
  const int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  close(STDIN_FILENO);
  HANDLE event = CreateEvent(nullptr, TRUE, TRUE, nullptr);
  EXPECT_NE(event, nullptr);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_OBJECT_0}) << "set from the beginning";
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_OBJECT_0}) << "and stays so";
  EXPECT_EQ(ResetEvent(event), TRUE);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_TIMEOUT});
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), -1) << "0 is as free as it was";
  const auto descriptor = static_cast<int>(reinterpret_cast<intptr_t>(event));
  EXPECT_EQ(fcntl(descriptor, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(CloseHandle(event), TRUE);
  if (saved >= 0) {
    EXPECT_EQ(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved);
  }
}

// poll says that a directory can be read, and read says that it cannot.
TEST(Win32Test, OtherDescriptorsAreNoEvents) {
  const int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(directory, 0);
  EXPECT_EQ(WaitForSingleObject(ToHandle(directory), 0), DWORD{WAIT_FAILED});
  EXPECT_EQ(WaitForSingleObject(ToHandle(directory), INFINITE), DWORD{WAIT_FAILED});
  EXPECT_EQ(ResetEvent(ToHandle(directory)), FALSE);
  EXPECT_EQ(CloseHandle(ToHandle(directory)), FALSE) << "not ours to close";
  EXPECT_EQ(close(directory), 0);
  EXPECT_EQ(CloseHandle(ToHandle(directory)), FALSE) << "closed already";
  EXPECT_EQ(SetEvent(ToHandle(directory)), FALSE);
  EXPECT_EQ(ResetEvent(ToHandle(directory)), FALSE);
  EXPECT_EQ(CloseHandle(reinterpret_cast<HANDLE>(intptr_t{0x7fff00000001})), FALSE);
}

// A stray handle takes nothing out of a pipe and puts nothing into it.
TEST(Win32Test, PipesAreNoEvents) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "abc", 3), 3);
  errno = EAGAIN;  // left over from anything
  EXPECT_EQ(WaitForSingleObject(ToHandle(ends[0]), 0), DWORD{WAIT_FAILED});
  EXPECT_EQ(ResetEvent(ToHandle(ends[0])), FALSE);
  EXPECT_EQ(SetEvent(ToHandle(ends[1])), FALSE);
  char text[16];
  EXPECT_EQ(read(ends[0], text, sizeof(text)), 3);
  EXPECT_EQ(close(ends[0]) + close(ends[1]), 0);
}

// A program may bring an eventfd of its own, whose reads block.
TEST(Win32Test, WaitsForABlockingEventEndInTime) {
  const int descriptor = eventfd(0, 0);
  ASSERT_GT(descriptor, 0);
  HANDLE event = ToHandle(descriptor);
  for (int i = 0; i < 500; ++i) {
    DWORD results[2];
    std::thread first([&] { results[0] = WaitForSingleObject(event, 1); });
    std::thread second([&] { results[1] = WaitForSingleObject(event, 1); });
    EXPECT_EQ(SetEvent(event), TRUE);
    first.join();
    second.join();
    EXPECT_EQ(ResetEvent(event), TRUE);
    ASSERT_TRUE(results[0] != WAIT_OBJECT_0 || results[1] != WAIT_OBJECT_0) << "one write wakes one";
  }
  EXPECT_EQ(CloseHandle(event), TRUE);
}

struct EventOfTheProgram {
  ~EventOfTheProgram() { CloseHandle(event); }
  HANDLE event = nullptr;
};

// What is known of events outlives the program's globals.
TEST(Win32Test, GlobalsMayCloseTheirEvents) {
  const auto end_with_an_event = [] {
    static EventOfTheProgram global;
    global.event = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    std::exit(0);
  };
  EXPECT_EXIT(end_with_an_event(), ::testing::ExitedWithCode(0), "");
}

// All who wait see that it is set; only one gets it, and the others wait on. Some wait without sleeping, so
// that they meet between seeing and taking.
TEST(Win32Test, AnAutomaticEventWakesOneWaiter) {
  constexpr int kWaiters = 6;
  constexpr int kRounds = 3000;
  HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  std::atomic<bool> stop{false};
  std::atomic<int> woken{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> waiters;
  for (int i = 0; i < kWaiters; ++i) {
    waiters.emplace_back([&, time = i % 2 == 0 ? DWORD{0} : DWORD{INFINITE}] {
      bool last = false;
      while (!last) {
        const DWORD result = WaitForSingleObject(event, time);
        wrong += result != WAIT_OBJECT_0 && !(result == WAIT_TIMEOUT && time == 0);
        if (result != WAIT_OBJECT_0) continue;
        last = stop.load();
        ++woken;
      }
    });
  }
  const auto wake_one = [&](int expected) {
    EXPECT_EQ(SetEvent(event), TRUE);
    while (woken.load() < expected) std::this_thread::yield();
    EXPECT_EQ(woken.load(), expected);
  };
  for (int i = 1; i <= kRounds; ++i) wake_one(i);
  stop.store(true);
  for (int i = 1; i <= kWaiters; ++i) wake_one(kRounds + i);
  for (std::thread& waiter : waiters) waiter.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_TIMEOUT}) << "nothing is left";
  EXPECT_EQ(ResetEvent(event), TRUE) << "nothing to reset is no error";
  CloseHandle(event);
}

// As few descriptors as are open now, while it lives.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    const int next = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);  // the lowest that is free
    close(next);
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none = {static_cast<rlim_t>(next), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

// Not through ID3D12Fence: a sanitizer that sees an object for the first time needs descriptors itself.
TEST(Win32Test, ASystemOutOfDescriptors) {
  FenceState fence(0);
  HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  std::shared_ptr<FenceEvent> made;
  {
    const NoMoreDescriptors full;
    EXPECT_EQ(CreateEvent(nullptr, FALSE, FALSE, nullptr), nullptr);
    EXPECT_EQ(CreateEvent(nullptr, TRUE, TRUE, nullptr), nullptr);
    EXPECT_EQ(FenceEvent::Make(ToDescriptor(event), 1, &made), E_OUTOFMEMORY)
        << "there is no duplicate to keep";
  }
  fence.Signal(1);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_TIMEOUT}) << "what failed has no effect";
  ASSERT_EQ(FenceEvent::Make(ToDescriptor(event), 1, &made), S_OK);
  EXPECT_EQ(fence.AddEvent(1, made), S_OK);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_OBJECT_0});
  CloseHandle(event);
}

TEST(Win32Test, DebugStringsGoToTheHandler) {
  DebugStrings strings;
  OutputDebugStringA("narrow");
  OutputDebugStringW(L"wide \u00e4\u20ac.");
  OutputDebugStringW(L"");
  OutputDebugStringA(nullptr);
  OutputDebugStringW(nullptr);
  EXPECT_EQ(strings.texts, (std::vector<std::string>{"narrow", "wide ??.", ""}));
}

TEST(Win32Test, WithoutAHandlerTheyNeedTheEnvironmentVariable) {
  ::testing::internal::CaptureStderr();
  OutputDebugStringA("dropped\n");
  OutputDebugStringW(L"dropped\n");
  {
    const Environment wanted("RESIDUE_DEBUG_STRINGS", "1");
    OutputDebugStringA("narrow\n");
    OutputDebugStringW(L"wide\n");
    DebugStrings strings;
    OutputDebugStringA("handled\n");
    EXPECT_EQ(strings.texts, (std::vector<std::string>{"handled\n"}));
  }
  OutputDebugStringA("dropped\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "narrow\nwide\n");
}

// Devices made with the debug flag speak without being asked for it.
TEST(Win32Test, TheDevicesOwnStringsGoToStandardErrorWithoutAHandler) {
  ComPtr<ID3D12Device> device;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)), S_OK);
  const auto host = QueryFor<IHostDevice>(device.Get(), kIidHostDevice);
  ::testing::internal::CaptureStderr();
  host->WriteDebugString("a message\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "a message\n");
}

// A handler may call what writes debug strings.
TEST(Win32Test, HandlersMayWriteDebugStrings) {
  struct Depth {
    int calls = 0;
  } depth;
  ResidueSetDebugStringHandler(
      [](void* context, const char*) {
        if (++static_cast<Depth*>(context)->calls < 3) OutputDebugStringA("again");
      },
      &depth);
  OutputDebugStringA("first");
  ResidueSetDebugStringHandler(nullptr, nullptr);
  OutputDebugStringA("unheard");
  EXPECT_EQ(depth.calls, 3);
}

}  // namespace
}  // namespace residue::testing
