// Events and debug strings for programs written to Win32; see compat/residue_win32.h.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <string>

#include <residue_win32.h>
#include "d3d12/debug.h"
#include "d3d12/event_descriptor.h"

namespace residue {
namespace {

// -1 for a handle that is no event.
int FindEvent(HANDLE event) noexcept {
  const int descriptor = ToDescriptor(event);
  return descriptor >= 0 && IsEventDescriptor(descriptor) ? descriptor : -1;
}

// Is there something to read (POLLIN), or room to write (POLLOUT)? Neither read nor write may block.
bool IsReady(int descriptor, short what) noexcept {
  pollfd wanted = {descriptor, what, 0};
  return poll(&wanted, 1, 0) == 1 && (wanted.revents & what) != 0;
}

// Which events stay set once set. An eventfd cannot say so itself.
class ManualEvents {
 public:
  bool Add(int descriptor) noexcept {
    try {
      const std::scoped_lock lock(mutex_);
      descriptors_.insert(descriptor);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }
  void Remove(int descriptor) noexcept {
    const std::scoped_lock lock(mutex_);
    descriptors_.erase(descriptor);
  }
  bool Contains(int descriptor) noexcept {
    const std::scoped_lock lock(mutex_);
    return descriptors_.count(descriptor) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<int> descriptors_;
};

// Never destroyed: a global of the program may close its event after everything here would be gone.
ManualEvents& TheManualEvents() noexcept {
  alignas(ManualEvents) static std::byte storage[sizeof(ManualEvents)];
  static ManualEvents* const events = new (storage) ManualEvents;
  return *events;
}

enum class Taken { kYes, kNo, kFailed };

// Resets an event that is set. The descriptor may be a program's own, whose reads block, so nobody else may
// be faster between looking and reading.
Taken TakeEvent(int descriptor) noexcept {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (!IsReady(descriptor, POLLIN)) return Taken::kNo;
  uint64_t count;
  const bool taken = read(descriptor, &count, sizeof(count)) == ssize_t{sizeof(count)};
  // EAGAIN if the program itself was faster, with a read of its own.
  return taken ? Taken::kYes : errno == EAGAIN ? Taken::kNo : Taken::kFailed;
}

HANDLE CreateEventDescriptor(bool manual_reset, bool initially_set) noexcept {
  int descriptor = eventfd(initially_set ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor == 0) {  // a null handle would mean failure
    descriptor = fcntl(0, F_DUPFD_CLOEXEC, 1);
    close(0);
  }
  if (descriptor < 0) return nullptr;
  // The number may have been that of a manual event which was closed by other means.
  TheManualEvents().Remove(descriptor);
  if (manual_reset && !TheManualEvents().Add(descriptor)) {
    close(descriptor);
    return nullptr;
  }
  return reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor));
}

using Clock = std::chrono::steady_clock;

int MillisecondsLeft(DWORD milliseconds, Clock::time_point start) noexcept {
  if (milliseconds == INFINITE) return -1;
  const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
  if (passed >= milliseconds) return 0;
  const int64_t left = milliseconds - passed;
  return left > INT_MAX ? INT_MAX : static_cast<int>(left);
}

}  // namespace
}  // namespace residue

using namespace residue;  // NOLINT(google-build-using-namespace): the functions below are its Win32 face

HANDLE ResidueCreateEvent(BOOL manual_reset, BOOL initially_set) noexcept {
  return CreateEventDescriptor(manual_reset != 0, initially_set != 0);
}

BOOL ResidueSetEvent(HANDLE event) noexcept {
  const int descriptor = FindEvent(event);
  if (descriptor < 0) return FALSE;
  const uint64_t one = 1;
  if (IsReady(descriptor, POLLIN)) return TRUE;  // set already
  return write(descriptor, &one, sizeof(one)) == ssize_t{sizeof(one)} ? TRUE : FALSE;
}

BOOL ResidueResetEvent(HANDLE event) noexcept {
  const int descriptor = FindEvent(event);
  if (descriptor < 0) return FALSE;
  return TakeEvent(descriptor) != Taken::kFailed ? TRUE : FALSE;
}

DWORD ResidueWaitForEvent(HANDLE event, DWORD milliseconds) noexcept {
  const int descriptor = FindEvent(event);
  if (descriptor < 0) return WAIT_FAILED;
  const bool manual = TheManualEvents().Contains(descriptor);
  const auto start = Clock::now();
  for (;;) {
    pollfd wanted = {descriptor, POLLIN, 0};
    const int ready = poll(&wanted, 1, MillisecondsLeft(milliseconds, start));
    if (ready < 0 && errno != EINTR) return WAIT_FAILED;
    if (ready > 0 && (wanted.revents & POLLIN) == 0) return WAIT_FAILED;
    if (ready > 0 && manual) return WAIT_OBJECT_0;
    if (ready > 0) {
      const Taken taken = TakeEvent(descriptor);
      if (taken == Taken::kYes) return WAIT_OBJECT_0;
      if (taken == Taken::kFailed) return WAIT_FAILED;
    }
    if (MillisecondsLeft(milliseconds, start) == 0) return WAIT_TIMEOUT;
  }
}

BOOL ResidueCloseEvent(HANDLE event) noexcept {
  const int descriptor = FindEvent(event);
  if (descriptor < 0) return FALSE;
  TheManualEvents().Remove(descriptor);
  return close(descriptor) == 0 ? TRUE : FALSE;
}

void ResidueOutputDebugString(const char* text) noexcept {
  if (text != nullptr && IsDebugStringWanted()) WriteDebugString(text);
}

void ResidueOutputWideDebugString(const WCHAR* text) noexcept {
  if (text == nullptr || !IsDebugStringWanted()) return;
  try {
    std::string narrow;
    for (; *text != 0; ++text) narrow += *text < 0x80 ? static_cast<char>(*text) : '?';
    WriteDebugString(narrow.c_str());
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): a debug string may be lost
  }
}
