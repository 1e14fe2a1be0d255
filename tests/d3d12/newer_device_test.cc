// ID3D12Device1 to ID3D12Device9: what is there works as the first version's does, and the rest is refused
// with a reason.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <dxgi1_6.h>
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class NewerDeviceTest : public DmlTest {
 protected:
  void SetUp() override {
    DmlTest::SetUp();
    ASSERT_EQ(d3d_.As(&device_), S_OK);
  }
  void TearDown() override {
    device_.Reset();
    DmlTest::TearDown();
  }
  ComPtr<ID3D12Fence> MakeFence() {
    ComPtr<ID3D12Fence> fence;
    EXPECT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    return fence;
  }
  static D3D12_RESOURCE_DESC1 BufferDesc1(UINT64 bytes) {
    return {D3D12_RESOURCE_DIMENSION_BUFFER,
            0,
            bytes,
            1,
            1,
            1,
            DXGI_FORMAT_UNKNOWN,
            {1, 0},
            D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
            D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS,
            {}};
  }
  ComPtr<ID3D12Device9> device_;
};

// An event that a test can look at.
class Event {
 public:
  Event() : descriptor_(eventfd(0, EFD_CLOEXEC)) {}
  ~Event() { close(descriptor_); }
  HANDLE handle() const { return reinterpret_cast<HANDLE>(static_cast<intptr_t>(descriptor_)); }
  bool IsSet() const {
    pollfd set = {descriptor_, POLLIN, 0};
    return poll(&set, 1, 0) == 1;
  }

 private:
  const int descriptor_;
};

TEST_F(NewerDeviceTest, IsEveryVersion) {
  for (const GUID& iid : {__uuidof(ID3D12Device1), __uuidof(ID3D12Device2), __uuidof(ID3D12Device3),
                          __uuidof(ID3D12Device4), __uuidof(ID3D12Device5), __uuidof(ID3D12Device6),
                          __uuidof(ID3D12Device7), __uuidof(ID3D12Device8), __uuidof(ID3D12Device9)}) {
    ComPtr<IUnknown> found;
    ASSERT_EQ(d3d_->QueryInterface(iid, reinterpret_cast<void**>(found.ReleaseAndGetAddressOf())), S_OK);
    EXPECT_EQ(found.Get(), static_cast<IUnknown*>(d3d_.Get()));
  }
}

TEST_F(NewerDeviceTest, EventsOfSeveralFences) {
  const auto first = MakeFence();
  const auto second = MakeFence();
  ID3D12Fence* fences[] = {first.Get(), second.Get()};
  const UINT64 values[] = {1, 2};
  const Event all, any;
  ASSERT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                       all.handle()),
            S_OK);
  ASSERT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY,
                                                       any.handle()),
            S_OK);
  second->Signal(1);
  EXPECT_FALSE(all.IsSet() || any.IsSet());
  second->Signal(2);
  EXPECT_TRUE(any.IsSet());
  EXPECT_FALSE(all.IsSet());
  first->Signal(1);
  EXPECT_TRUE(all.IsSet());
}

TEST_F(NewerDeviceTest, WaitsForSeveralFences) {
  for (const bool any : {false, true}) {
    const auto first = MakeFence();
    const auto second = MakeFence();
    ID3D12Fence* fences[] = {first.Get(), second.Get()};
    const UINT64 values[] = {1, 1};
    std::thread signaller([&] {
      first->Signal(1);
      if (!any) second->Signal(1);
    });
    EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(
                  fences, values, 2,
                  any ? D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY : D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr),
              S_OK);
    EXPECT_EQ(first->GetCompletedValue(), 1u);
    EXPECT_EQ(second->GetCompletedValue(), any ? 0u : 1u);
    signaller.join();
  }
}

// Museum own-173: a program without standard input, whose next descriptor is 0.
TEST_F(NewerDeviceTest, WaitsWhereDescriptor0IsFree) {
  const int input = dup(0);
  close(0);
  ID3D12Fence* fences[] = {fence_.Get()};
  const UINT64 values[] = {1};
  ASSERT_EQ(fence_->Signal(1), S_OK);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 1, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                       nullptr),
            S_OK);
  if (input >= 0) {
    dup2(input, 0);
    close(input);
  }
}

TEST_F(NewerDeviceTest, WrongListsOfFences) {
  ID3D12Fence* fences[] = {fence_.Get(), nullptr};
  const UINT64 values[] = {0, 0};
  constexpr auto kAll = D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL;
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 1, kAll, nullptr), S_OK);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 2, kAll, nullptr), E_INVALIDARG);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 0, kAll, nullptr), E_INVALIDARG);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(nullptr, values, 1, kAll, nullptr), E_INVALIDARG);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, nullptr, 1, kAll, nullptr), E_INVALIDARG);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(
                fences, values, 1, AnyNumber<D3D12_MULTIPLE_FENCE_WAIT_FLAGS>(7), nullptr),
            E_INVALIDARG);
  EXPECT_EQ(device_->SetEventOnMultipleFenceCompletion(fences, values, 1, kAll,
                                                       reinterpret_cast<HANDLE>(intptr_t{1})),
            E_HANDLE);
}

TEST_F(NewerDeviceTest, ListsThatAreClosedFromTheBeginning) {
  ComPtr<ID3D12GraphicsCommandList> list;
  ASSERT_EQ(device_->CreateCommandList1(0, D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_FLAG_NONE,
                                        IID_PPV_ARGS(&list)),
            S_OK);
  EXPECT_EQ(list->Close(), E_FAIL);
  ASSERT_EQ(list_->Close(), S_OK);
  ASSERT_EQ(list->Reset(allocator_.Get(), nullptr), S_OK);
  EXPECT_EQ(list->Close(), S_OK);
  ComPtr<ID3D12GraphicsCommandList> none;
  EXPECT_EQ(device_->CreateCommandList1(0, D3D12_COMMAND_LIST_TYPE_BUNDLE, D3D12_COMMAND_LIST_FLAG_NONE,
                                        IID_PPV_ARGS(&none)),
            E_NOTIMPL);
  EXPECT_EQ(device_->CreateCommandList1(2, D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_FLAG_NONE,
                                        IID_PPV_ARGS(&none)),
            E_INVALIDARG);
}

TEST_F(NewerDeviceTest, ResourcesOfNewerDescriptions) {
  const D3D12_HEAP_PROPERTIES properties = {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                            D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  D3D12_RESOURCE_DESC1 desc = BufferDesc1(64);
  ComPtr<ID3D12Resource> buffer;
  ASSERT_EQ(
      device_->CreateCommittedResource2(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                        nullptr, nullptr, IID_PPV_ARGS(&buffer)),
      S_OK);
  EXPECT_EQ(buffer->GetDesc().Width, 64u);
  const D3D12_HEAP_DESC heap_desc = DefaultHeapDesc();
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(device_->CreateHeap1(&heap_desc, nullptr, IID_PPV_ARGS(&heap)), S_OK);
  ComPtr<ID3D12Resource> placed;
  ASSERT_EQ(device_->CreatePlacedResource1(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&placed)),
            S_OK);
  D3D12_RESOURCE_ALLOCATION_INFO1 parts[2];
  const D3D12_RESOURCE_DESC1 two[] = {desc, BufferDesc1(100000)};
  const D3D12_RESOURCE_ALLOCATION_INFO all = device_->GetResourceAllocationInfo2(0, 2, two, parts);
  EXPECT_EQ(all.SizeInBytes, 65536u * 3);
  EXPECT_EQ(parts[0].Offset, 0u);
  EXPECT_EQ(parts[0].SizeInBytes, 65536u);
  EXPECT_EQ(parts[1].Offset, 65536u);
  EXPECT_EQ(parts[1].SizeInBytes, 131072u);
  UINT64 total = 0;
  device_->GetCopyableFootprints1(&desc, 0, 1, 0, nullptr, nullptr, nullptr, &total);
  EXPECT_EQ(total, 64u);
  desc.SamplerFeedbackMipRegion.Width = 4;
  ComPtr<ID3D12Resource> none;
  EXPECT_EQ(
      device_->CreateCommittedResource2(&properties, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                        nullptr, nullptr, IID_PPV_ARGS(&none)),
      E_INVALIDARG);
}

TEST_F(NewerDeviceTest, Residency) {
  const auto buffer = MakeBuffer(64);
  ID3D12Pageable* objects[] = {buffer.Get(), nullptr};
  const D3D12_RESIDENCY_PRIORITY priorities[] = {D3D12_RESIDENCY_PRIORITY_HIGH, D3D12_RESIDENCY_PRIORITY_LOW};
  EXPECT_EQ(device_->SetResidencyPriority(1, objects, priorities), S_OK);
  EXPECT_EQ(device_->SetResidencyPriority(1, objects, nullptr), E_INVALIDARG);
  EXPECT_EQ(device_->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 1, objects, fence_.Get(), 5), S_OK);
  EXPECT_EQ(fence_->GetCompletedValue(), 5u);
  EXPECT_EQ(device_->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 2, objects, fence_.Get(), 6),
            E_INVALIDARG);
  EXPECT_EQ(device_->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_NONE, 1, objects, nullptr, 6), E_INVALIDARG);
}

TEST_F(NewerDeviceTest, CanBeRemoved) {
  device_->RemoveDevice();
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_DEVICE_REMOVED);
}

TEST_F(NewerDeviceTest, MetaCommandsAndModes) {
  UINT count = 9;
  EXPECT_EQ(device_->EnumerateMetaCommands(&count, nullptr), S_OK);
  EXPECT_EQ(count, 0u);
  BOOL further = TRUE;
  EXPECT_EQ(device_->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_DISABLE_BACKGROUND_WORK,
                                                 D3D12_MEASUREMENTS_ACTION_KEEP_ALL, nullptr, &further),
            S_OK);
  EXPECT_FALSE(further);
}

class RefusalTest : public NewerDeviceTest {
 protected:
  void SetUp() override {
    SetDebugLayer(true);
    NewerDeviceTest::SetUp();
    SetDebugLayer(false);
  }
};

TEST_F(RefusalTest, SaysWhy) {
  ComPtr<ID3D12InfoQueue1> queue;
  ASSERT_EQ(d3d_.As(&queue), S_OK);
  std::vector<std::string> texts;
  DWORD cookie = 0;
  ASSERT_EQ(queue->RegisterMessageCallback(
                [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR text,
                   void* context) { static_cast<std::vector<std::string>*>(context)->emplace_back(text); },
                D3D12_MESSAGE_CALLBACK_FLAG_NONE, &texts, &cookie),
            S_OK);
  EXPECT_NE(cookie, 0u);
  void* none = this;
  EXPECT_EQ(device_->CreateStateObject(nullptr, __uuidof(IUnknown), &none), E_NOTIMPL);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(d3d_->CreateRootSignature(0, nullptr, 0, __uuidof(IUnknown), &none), E_NOTIMPL);
  EXPECT_EQ(device_->CreatePipelineLibrary(nullptr, 0, __uuidof(IUnknown), &none), E_NOTIMPL);
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_EQ(texts[0], "CreateStateObject is not supported: there are no shaders and no pipelines here.");
  ASSERT_EQ(queue->UnregisterMessageCallback(cookie), S_OK);
  EXPECT_EQ(queue->UnregisterMessageCallback(cookie), E_INVALIDARG);
  EXPECT_EQ(device_->ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED,
                                        D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR),
            E_NOTIMPL);
  EXPECT_EQ(texts.size(), 3u);
  EXPECT_EQ(queue->RegisterMessageCallback(nullptr, D3D12_MESSAGE_CALLBACK_FLAG_NONE, nullptr, &cookie),
            E_INVALIDARG);
}

// Every call that makes something says why it does not. Who is told may call the device.
TEST_F(RefusalTest, CreationsSayWhy) {
  ComPtr<ID3D12InfoQueue1> queue;
  ASSERT_EQ(d3d_.As(&queue), S_OK);
  DWORD cookie = 0;
  const auto make_another = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                               void* context) {
    ComPtr<ID3D12Fence> fence;
    EXPECT_EQ(
        static_cast<ID3D12Device*>(context)->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)),
        S_OK);
  };
  ASSERT_EQ(
      queue->RegisterMessageCallback(make_another, D3D12_MESSAGE_CALLBACK_FLAG_NONE, d3d_.Get(), &cookie),
      S_OK);
  void* none = nullptr;
  const D3D12_HEAP_PROPERTIES upload = {D3D12_HEAP_TYPE_UPLOAD, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                        D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  const D3D12_HEAP_PROPERTIES wrong = {D3D12_HEAP_TYPE_UPLOAD, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
                                       D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  const auto committed = [&](const D3D12_HEAP_PROPERTIES& properties, const D3D12_RESOURCE_DESC& desc,
                             D3D12_RESOURCE_STATES state) {
    return d3d_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                         __uuidof(ID3D12Resource), &none);
  };
  const D3D12_RESOURCE_DESC plain = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  D3D12_RESOURCE_DESC texture = plain;
  texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  const std::pair<const char*, std::function<HRESULT()>> refusals[] = {
      {"no heap", [&] { return committed(wrong, plain, D3D12_RESOURCE_STATE_GENERIC_READ); }},
      {"Width", [&] { return committed(upload, BufferDesc(0, D3D12_RESOURCE_FLAG_NONE), {}); }},
      {"textures", [&] { return committed(upload, texture, D3D12_RESOURCE_STATE_GENERIC_READ); }},
      {"GENERIC_READ", [&] { return committed(upload, plain, D3D12_RESOURCE_STATE_COPY_DEST); }},
      {"UNORDERED_ACCESS",
       [&] {
         return committed(upload, BufferDesc(64, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS),
                          D3D12_RESOURCE_STATE_GENERIC_READ);
       }},
      {"heap is null", [&] { return d3d_->CreateHeap(nullptr, __uuidof(ID3D12Heap), &none); }},
      {"needs a heap",
       [&] {
         return d3d_->CreatePlacedResource(nullptr, 0, &plain, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           __uuidof(ID3D12Resource), &none);
       }},
      {"descriptor heap",
       [&] { return d3d_->CreateDescriptorHeap(nullptr, __uuidof(ID3D12DescriptorHeap), &none); }},
      {"command queue",
       [&] { return d3d_->CreateCommandQueue(nullptr, __uuidof(ID3D12CommandQueue), &none); }},
      {"allocator",
       [&] {
         return d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, nullptr, nullptr,
                                        __uuidof(ID3D12CommandList), &none);
       }},
      {"bundles",
       [&] {
         return d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_BUNDLE, nullptr, nullptr,
                                        __uuidof(ID3D12CommandList), &none);
       }},
      {"fences", [&] { return d3d_->CreateFence(0, D3D12_FENCE_FLAG_SHARED, __uuidof(ID3D12Fence), &none); }},
      {"query heap", [&] { return d3d_->CreateQueryHeap(nullptr, __uuidof(ID3D12QueryHeap), &none); }},
      {"while it is open", [&] { return list_->Reset(allocator_.Get(), nullptr); }},
  };
  for (const auto& [text, refuse] : refusals) {
    queue->ClearStoredMessages();
    EXPECT_TRUE(FAILED(refuse())) << text;
    ASSERT_EQ(queue->GetNumStoredMessages(), 1u) << text;
    const std::string told = ReadMessage(queue.Get(), 0).text;
    EXPECT_NE(told.find(text), std::string::npos) << told;
  }
}

// A callback may ask to hear what filters keep out.
TEST_F(RefusalTest, CallbacksThatIgnoreFilters) {
  ComPtr<ID3D12InfoQueue1> queue;
  ASSERT_EQ(d3d_.As(&queue), S_OK);
  D3D12_MESSAGE_SEVERITY severity = D3D12_MESSAGE_SEVERITY_ERROR;
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = &severity;
  ASSERT_EQ(queue->PushStorageFilter(&filter), S_OK);
  int counts[2] = {};
  const auto count = [](D3D12_MESSAGE_CATEGORY, D3D12_MESSAGE_SEVERITY, D3D12_MESSAGE_ID, LPCSTR,
                        void* context) { ++*static_cast<int*>(context); };
  DWORD cookies[2];
  ASSERT_EQ(queue->RegisterMessageCallback(count, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &counts[0], &cookies[0]),
            S_OK);
  ASSERT_EQ(
      queue->RegisterMessageCallback(count, D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS, &counts[1], &cookies[1]),
      S_OK);
  queue->AddApplicationMessage(severity, "text");
  EXPECT_EQ(counts[0], 0);
  EXPECT_EQ(counts[1], 1);
}

TEST(DxgiSixTest, AdaptersByPreference) {
  ComPtr<IDXGIFactory6> factory;
  ASSERT_EQ(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)), S_OK);
  ComPtr<IDXGIAdapter4> adapter;
  ASSERT_EQ(
      factory->EnumAdapterByGpuPreference(0, DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE, IID_PPV_ARGS(&adapter)),
      S_OK);
  DXGI_ADAPTER_DESC3 desc;
  ASSERT_EQ(adapter->GetDesc3(&desc), S_OK);
  EXPECT_EQ(desc.Flags, DXGI_ADAPTER_FLAG3_NONE);
  EXPECT_EQ(std::wstring(desc.Description), L"Residue CPU");
  DXGI_QUERY_VIDEO_MEMORY_INFO memory;
  ASSERT_EQ(adapter->QueryVideoMemoryInfo(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &memory), S_OK);
  EXPECT_GT(memory.Budget, memory.CurrentUsage);
  EXPECT_GT(memory.CurrentUsage, 0u);
  EXPECT_EQ(adapter->QueryVideoMemoryInfo(1, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &memory), E_INVALIDARG);
  EXPECT_EQ(adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, 1),
            DXGI_ERROR_UNSUPPORTED);
  ComPtr<IDXGIAdapter4> none;
  EXPECT_EQ(factory->EnumAdapterByGpuPreference(1, DXGI_GPU_PREFERENCE_UNSPECIFIED, IID_PPV_ARGS(&none)),
            DXGI_ERROR_NOT_FOUND);
  BOOL tearing = TRUE;
  EXPECT_EQ(factory->CheckFeatureSupport(DXGI_FEATURE_PRESENT_ALLOW_TEARING, &tearing, sizeof(tearing)),
            S_OK);
  EXPECT_FALSE(tearing);
}

}  // namespace
}  // namespace residue::testing
