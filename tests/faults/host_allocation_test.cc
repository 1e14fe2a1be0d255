// The k-th allocation fails, for every k, in the calls of Direct3D 12, DXGI and Win32 that make no child of a
// device: an error, nothing changed, no descriptor left open, and the next try succeeds.
#include <dirent.h>

#include <vector>

#include "d3d12/debug.h"
#include "d3d12/device.h"
#include "dxgi1_4.h"
#include "faults/allocation_fixture.h"

namespace residue::testing {
namespace {

using failing_allocator::allocations_left;
using failing_allocator::failed;

constexpr const char* kLongText = "a text that is too long for the short form of std::string";
constexpr const WCHAR* kLongWideText = L"a text that is too long for the short form of std::string";

class HostAllocationTest : public AllocationFaultTest {
 protected:
  // The descriptors that this process has open.
  static int CountDescriptors() {
    DIR* directory = opendir("/proc/self/fd");
    int count = 0;
    while (directory != nullptr && readdir(directory) != nullptr) ++count;
    if (directory != nullptr) closedir(directory);
    return count;
  }
};

TEST_F(HostAllocationTest, Dxgi) {
  ComPtr<IDXGIFactory4> factory;
  ASSERT_EQ(CreateDXGIFactory1(IID_PPV_ARGS(&factory)), S_OK);
  EXPECT_EQ(ForEveryAllocationOf([&](void** r) { return CreateDXGIFactory2(0, __uuidof(IDXGIFactory4), r); }),
            1);
  EXPECT_EQ(ForEveryAllocationOf(
                [&](void** r) { return factory->EnumAdapters(0, reinterpret_cast<IDXGIAdapter**>(r)); }),
            1);
  EXPECT_EQ(ForEveryAllocationOf(
                [&](void** r) { return factory->EnumAdapters1(0, reinterpret_cast<IDXGIAdapter1**>(r)); }),
            1);
  EXPECT_EQ(ForEveryAllocationOf([&](void** r) {
              return factory->EnumAdapterByLuid(kHostAdapterLuid, __uuidof(IDXGIAdapter1), r);
            }),
            1);
  EXPECT_EQ(
      ForEveryAllocationOf([&](void** r) { return factory->EnumWarpAdapter(__uuidof(IDXGIAdapter1), r); }),
      1);
  EXPECT_EQ(ForEveryAllocationOf([&](void** r) { return D3D12GetDebugInterface(__uuidof(ID3D12Debug), r); }),
            1);
}

TEST_F(HostAllocationTest, EventsOfFences) {
  HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  const int descriptors = CountDescriptors();
  EXPECT_EQ(
      ForEveryAllocation([&] { return fence_->SetEventOnCompletion(5, event); },
                         [&] { EXPECT_EQ(CountDescriptors(), descriptors) << "the duplicate is left"; }),
      2)
      << "the event, and its place";
  EXPECT_EQ(CountDescriptors(), descriptors + 1);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_TIMEOUT});
  ASSERT_EQ(fence_->Signal(5), S_OK);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(CountDescriptors(), descriptors);
  CloseHandle(event);
}

TEST_F(HostAllocationTest, Win32Events) {
  const int descriptors = CountDescriptors();
  HANDLE event = nullptr;
  const auto make = [&](BOOL manual) {
    return ForEveryAllocation(
        [&] {
          event = CreateEvent(nullptr, manual, FALSE, nullptr);
          return event != nullptr ? S_OK : E_OUTOFMEMORY;
        },
        [&] { EXPECT_EQ(CountDescriptors(), descriptors); });
  };
  EXPECT_EQ(make(FALSE), 0);
  EXPECT_EQ(CloseHandle(event), TRUE);
  EXPECT_EQ(make(TRUE), 1) << "that it is manual must be remembered";
  EXPECT_EQ(SetEvent(event), TRUE);
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(WaitForSingleObject(event, 0), DWORD{WAIT_OBJECT_0});
  EXPECT_EQ(CloseHandle(event), TRUE);
}

// A debug string may be lost, and nothing else.
TEST_F(HostAllocationTest, WideDebugStrings) {
  size_t heard = 0;  // a handler that allocates could itself fail
  ResidueSetDebugStringHandler(
      [](void* context, const char* text) { *static_cast<size_t*>(context) = std::strlen(text); }, &heard);
  EXPECT_GE(ForEveryAllocation(
                [&] {
                  OutputDebugStringW(kLongWideText);
                  return heard != 0 ? S_OK : E_OUTOFMEMORY;
                },
                [] {}),
            1);
  ResidueSetDebugStringHandler(nullptr, nullptr);
  EXPECT_EQ(heard, std::strlen(kLongText));
}

TEST_F(HostAllocationTest, SignalsAndWaitsOfQueues) {
  ComPtr<ID3D12Fence> gate;
  ASSERT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&gate)), S_OK);
  EXPECT_EQ(ForEveryAllocation([&] { return queue_->Wait(gate.Get(), 0); }, [] {}), 0) << "it is over";
  ASSERT_EQ(queue_->Wait(gate.Get(), 1), S_OK);  // the thread is there now, and is held up
  EXPECT_EQ(ForEveryAllocation([&] { return queue_->Wait(gate.Get(), 0); }, [] {}), 1);
  EXPECT_EQ(ForEveryAllocation([&] { return queue_->Signal(fence_.Get(), 8); },
                               [&] { EXPECT_EQ(fence_->GetCompletedValue(), 0u); }),
            1);
  ASSERT_EQ(gate->Signal(1), S_OK);
  EXPECT_EQ(fence_->SetEventOnCompletion(8, nullptr), S_OK);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

// ExecuteCommandLists returns nothing: it removes the device, and none of the work is done.
TEST_F(HostAllocationTest, Submission) {
  AddFigure(Figure::kFaultScenarios, 1);
  int failures = 0;
  for (bool done = false; !done;) {
    ComPtr<ID3D12Resource> from = MakeBufferOf<uint32_t>({5});
    ComPtr<ID3D12Resource> to = MakeBuffer(4);
    list_->CopyResource(to.Get(), from.Get());
    ASSERT_EQ(list_->Close(), S_OK);
    ID3D12CommandList* lists[] = {list_.Get()};
    const int64_t before = LiveObjectCount();
    failed = false;
    allocations_left = failures;
    queue_->ExecuteCommandLists(1, lists);
    allocations_left = -1;
    done = !failed;
    if (done) Wait();
    EXPECT_EQ(d3d_->GetDeviceRemovedReason(), done ? S_OK : E_OUTOFMEMORY);
    EXPECT_EQ(Read<uint32_t>(to.Get(), 1)[0], done ? 5u : 0u);
    if (done) break;
    EXPECT_EQ(LiveObjectCount(), before);
    EXPECT_EQ(fence_->GetCompletedValue(), ~UINT64{0}) << "nobody waits for what will not happen";
    ++failures;
    AddFigure(Figure::kFaults, 1);
    from.Reset();
    to.Reset();
    DmlTest::TearDown();
    fence_value_ = 0;
    DmlTest::SetUp();  // a device that was removed is not handed out again
  }
  EXPECT_EQ(failures, 1) << "the list of its work: it is done at once";
}

class InfoQueueAllocationTest : public HostAllocationTest {
 protected:
  void SetUp() override {
    HostAllocationTest::SetUp();
    const Ref<Device> device = TryMake<Device>(/*with_info_queue=*/true);
    ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&messages_)), S_OK);
  }
  void TearDown() override {
    messages_.Reset();
    HostAllocationTest::TearDown();
  }

  ComPtr<ID3D12InfoQueue> messages_;
};

// More messages than one block of a deque holds, so that every kind of growth fails once.
TEST_F(InfoQueueAllocationTest, Messages) {
  int failures = 0;
  for (UINT64 i = 0; i < 100; ++i) {
    failures += ForEveryAllocation(
        [&] { return messages_->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, kLongText); },
        [&] {
          EXPECT_EQ(messages_->GetNumStoredMessages(), i);
          EXPECT_EQ(messages_->GetNumMessagesAllowedByStorageFilter(), i);
        });
    ASSERT_EQ(messages_->GetNumStoredMessages(), i + 1);
  }
  EXPECT_GT(failures, 100) << "a text each, and blocks";
}

TEST_F(InfoQueueAllocationTest, FilterStack) {
  D3D12_MESSAGE_SEVERITY info = D3D12_MESSAGE_SEVERITY_INFO;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &info;
  UINT size = 0;
  const auto unchanged = [&] { EXPECT_EQ(messages_->GetStorageFilterStackSize(), size); };
  EXPECT_EQ(ForEveryAllocation([&] { return messages_->PushEmptyStorageFilter(); }, unchanged), 1);
  size = 1;
  EXPECT_EQ(ForEveryAllocation([&] { return messages_->AddStorageFilterEntries(&filter); }, unchanged), 1);
  EXPECT_EQ(ForEveryAllocation([&] { return messages_->PushCopyOfStorageFilter(); }, unchanged), 2)
      << "the list, and the stack";
  size = 2;
  EXPECT_EQ(messages_->AddApplicationMessage(info, "denied by the copy"), S_OK);
  messages_->PopStorageFilter();
  EXPECT_EQ(messages_->AddApplicationMessage(info, "denied by the first"), S_OK);
  EXPECT_EQ(messages_->GetNumStoredMessages(), 0u);
}

TEST_F(InfoQueueAllocationTest, AFailedPushLeavesTheFilterStack) {
  D3D12_MESSAGE_SEVERITY info = D3D12_MESSAGE_SEVERITY_INFO;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &info;
  EXPECT_EQ(ForEveryAllocation([&] { return messages_->PushStorageFilter(&filter); },
                               [&] { EXPECT_EQ(messages_->GetStorageFilterStackSize(), 0u); }),
            2)
      << "the list, and the stack";
}

TEST_F(InfoQueueAllocationTest, FailedEntriesLeaveTheFilter) {
  D3D12_MESSAGE_SEVERITY info = D3D12_MESSAGE_SEVERITY_INFO;
  D3D12_MESSAGE_SEVERITY error = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.AllowList.NumSeverities = 1;
  filter.AllowList.pSeverityList = &error;
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &info;
  UINT64 said = 0;
  ASSERT_EQ(messages_->PushEmptyStorageFilter(), S_OK);
  EXPECT_EQ(ForEveryAllocation(
                [&] { return messages_->AddStorageFilterEntries(&filter); },
                [&] {
                  EXPECT_EQ(messages_->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_WARNING, "x"), S_OK);
                  EXPECT_EQ(messages_->GetNumStoredMessages(), ++said);
                }),
            2);
}

}  // namespace
}  // namespace residue::testing
