// The Direct3D 12 subset: what works, works as documented; the rest is refused.
#include "d3d12/device.h"
#include "cpu/backend/cpu_backend.h"

#include <atomic>
#include <thread>

#include "dxgi1_4.h"
#include "support/dml_fixture.h"
#include "support/thread_pool.h"

namespace residue::testing {
namespace {

class HostDeviceTest : public DmlTest {};

TEST_F(HostDeviceTest, FeatureLevels) {
  for (const auto& [level, expected] :
       {std::pair(D3D_FEATURE_LEVEL_1_0_CORE, S_OK), std::pair(D3D_FEATURE_LEVEL_11_0, S_OK),
        std::pair(D3D_FEATURE_LEVEL_1_0_GENERIC, S_OK), std::pair(D3D_FEATURE_LEVEL_11_1, S_OK),
        std::pair(D3D_FEATURE_LEVEL_12_0, S_OK), std::pair(D3D_FEATURE_LEVEL_12_1, S_OK),
        std::pair(D3D_FEATURE_LEVEL_12_2, DXGI_ERROR_UNSUPPORTED),
        std::pair(D3D_FEATURE_LEVEL_9_1, E_INVALIDARG)}) {
    ComPtr<ID3D12Device> device;
    EXPECT_EQ(D3D12CreateDevice(nullptr, level, IID_PPV_ARGS(&device)), expected) << level;
    EXPECT_EQ(SUCCEEDED(expected), device.Get() != nullptr);
  }
  EXPECT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), nullptr), S_FALSE);
  EXPECT_EQ(D3D12CreateDevice(fence_.Get(), D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), nullptr),
            E_INVALIDARG);
}

TEST_F(HostDeviceTest, AdapterIsFoundThroughDxgi) {
  ComPtr<IDXGIFactory4> factory;
  ASSERT_EQ(CreateDXGIFactory1(IID_PPV_ARGS(&factory)), S_OK);
  ComPtr<IDXGIAdapter> adapter;
  ASSERT_EQ(factory->EnumAdapters(0, &adapter), S_OK);
  ComPtr<IDXGIAdapter> second;
  EXPECT_EQ(factory->EnumAdapters(1, &second), DXGI_ERROR_NOT_FOUND);
  DXGI_ADAPTER_DESC desc;
  ASSERT_EQ(adapter->GetDesc(&desc), S_OK);
  ComPtr<ID3D12Device> device;
  ASSERT_EQ(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)), S_OK);
  EXPECT_EQ(device->GetAdapterLuid().LowPart, desc.AdapterLuid.LowPart);
  ComPtr<IDXGIAdapter1> by_luid;
  EXPECT_EQ(factory->EnumAdapterByLuid(desc.AdapterLuid, IID_PPV_ARGS(&by_luid)), S_OK);
  DXGI_ADAPTER_DESC1 desc1;
  ASSERT_EQ(by_luid->GetDesc1(&desc1), S_OK);
  EXPECT_EQ(desc1.Flags, UINT{DXGI_ADAPTER_FLAG_NONE}) << "clients skip software adapters";
  ComPtr<IDXGIAdapter1> software;
  EXPECT_EQ(factory->EnumWarpAdapter(IID_PPV_ARGS(&software)), S_OK);
  ASSERT_EQ(software->GetDesc1(&desc1), S_OK);
  EXPECT_EQ(desc1.Flags, UINT{DXGI_ADAPTER_FLAG_SOFTWARE});
  ComPtr<IDXGIFactory4> parent;
  EXPECT_EQ(adapter->GetParent(IID_PPV_ARGS(&parent)), S_OK);
  EXPECT_EQ(parent.Get(), factory.Get());
}

TEST_F(HostDeviceTest, WhatNeedsShadersIsNotImplemented) {
  void* none = this;
  EXPECT_EQ(d3d_->CreateComputePipelineState(nullptr, __uuidof(ID3D12PipelineState), &none), E_NOTIMPL);
  EXPECT_EQ(none, nullptr);
  none = this;
  EXPECT_EQ(d3d_->CreateRootSignature(0, nullptr, 0, __uuidof(ID3D12RootSignature), &none), E_NOTIMPL);
  EXPECT_EQ(none, nullptr);
  list_->Dispatch(1, 1, 1);
  EXPECT_EQ(list_->Close(), E_NOTIMPL);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL) << "a failed list was executed";
}

TEST_F(HostDeviceTest, TexturesAreNotImplemented) {
  D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  const D3D12_HEAP_PROPERTIES heap = {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                      D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  void* none = this;
  EXPECT_EQ(d3d_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                          nullptr, __uuidof(ID3D12Resource), &none),
            E_NOTIMPL);
  EXPECT_EQ(none, nullptr);
}

TEST_F(HostDeviceTest, WrongResourceDescriptions) {
  const D3D12_HEAP_PROPERTIES good_heap = {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                           D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  const auto attempt = [&](D3D12_HEAP_PROPERTIES heap, D3D12_RESOURCE_DESC desc,
                           D3D12_RESOURCE_STATES state) {
    return d3d_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                         __uuidof(ID3D12Resource), nullptr);
  };
  const D3D12_RESOURCE_DESC good = BufferDesc(64, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  const auto common = D3D12_RESOURCE_STATE_COMMON;
  EXPECT_EQ(attempt(good_heap, good, common), S_FALSE);
  EXPECT_EQ(attempt(good_heap, BufferDesc(0, D3D12_RESOURCE_FLAG_NONE), common), E_INVALIDARG);
  EXPECT_EQ(attempt(good_heap, BufferDesc(UINT64{1} << 60, D3D12_RESOURCE_FLAG_NONE), common), E_INVALIDARG);
  EXPECT_EQ(attempt(good_heap, BufferDesc(~UINT64{0}, D3D12_RESOURCE_FLAG_NONE), common), E_INVALIDARG);
  D3D12_RESOURCE_DESC bad = good;
  bad.Height = 2;
  EXPECT_EQ(attempt(good_heap, bad, common), E_INVALIDARG);
  bad = good;
  bad.Format = DXGI_FORMAT_R32_FLOAT;
  EXPECT_EQ(attempt(good_heap, bad, common), E_INVALIDARG);
  bad = good;
  bad.Alignment = 4096;
  EXPECT_EQ(attempt(good_heap, bad, common), E_INVALIDARG);
  D3D12_HEAP_PROPERTIES heap = good_heap;
  heap.Type = D3D12_HEAP_TYPE_CUSTOM;
  EXPECT_EQ(attempt(heap, good, common), E_INVALIDARG) << "custom heaps must say what they are";
  heap = good_heap;
  heap.Type = D3D12_HEAP_TYPE_UPLOAD;
  EXPECT_EQ(attempt(heap, good, D3D12_RESOURCE_STATE_GENERIC_READ), E_INVALIDARG)
      << "no unordered access there";
  EXPECT_EQ(attempt(heap, BufferDesc(64, D3D12_RESOURCE_FLAG_NONE), common), E_INVALIDARG) << "fixed state";
  EXPECT_EQ(attempt(heap, BufferDesc(64, D3D12_RESOURCE_FLAG_NONE), D3D12_RESOURCE_STATE_GENERIC_READ),
            S_FALSE);
}

TEST_F(HostDeviceTest, BuffersAreZeroedAlignedAndMapped) {
  const auto buffer = MakeBuffer(100000);
  EXPECT_EQ(buffer->GetGPUVirtualAddress() % 65536, 0u);
  EXPECT_EQ(Read<uint8_t>(buffer.Get(), 100000), std::vector<uint8_t>(100000));
  void* data = this;
  EXPECT_EQ(buffer->Map(1, nullptr, &data), E_INVALIDARG);
  EXPECT_EQ(data, nullptr);
  const D3D12_RANGE beyond = {0, 100001};
  EXPECT_EQ(buffer->Map(0, &beyond, &data), E_INVALIDARG);
  const D3D12_RANGE empty = {5, 5};
  EXPECT_EQ(buffer->Map(0, &empty, &data), S_OK);
  EXPECT_EQ(reinterpret_cast<UINT64>(data), buffer->GetGPUVirtualAddress());
  EXPECT_EQ(buffer->Map(0, nullptr, nullptr), S_OK);
  EXPECT_EQ(MakeBufferIn(D3D12_HEAP_TYPE_DEFAULT, 64)->Map(0, nullptr, &data), E_INVALIDARG)
      << "the GPU's own";
}

TEST_F(HostDeviceTest, PlacedResources) {
  const D3D12_HEAP_DESC heap_desc = {
      196608,
      {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0},
      0,
      D3D12_HEAP_FLAG_NONE};
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  EXPECT_EQ(heap->GetDesc().SizeInBytes, 196608u);
  const auto place = [&](UINT64 offset, UINT64 width, ComPtr<ID3D12Resource>* resource) {
    const D3D12_RESOURCE_DESC desc = BufferDesc(width, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    return d3d_->CreatePlacedResource(heap.Get(), offset, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                      IID_PPV_ARGS(resource->ReleaseAndGetAddressOf()));
  };
  ComPtr<ID3D12Resource> first;
  ComPtr<ID3D12Resource> second;
  ASSERT_EQ(place(0, 65536, &first), S_OK);
  ASSERT_EQ(place(65536, 131072, &second), S_OK);
  EXPECT_EQ(second->GetGPUVirtualAddress(), first->GetGPUVirtualAddress() + 65536);
  EXPECT_EQ(place(65536, 131073, &second), E_INVALIDARG);
  EXPECT_EQ(place(256, 64, &second), E_INVALIDARG);
  EXPECT_EQ(place(~UINT64{65535}, 65536, &second), E_INVALIDARG) << "the sum wraps";
}

TEST_F(HostDeviceTest, Footprints) {
  const D3D12_RESOURCE_DESC desc = BufferDesc(1000, D3D12_RESOURCE_FLAG_NONE);
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
  UINT rows = 0;
  UINT64 row_size = 0;
  UINT64 total = 0;
  d3d_->GetCopyableFootprints(&desc, 0, 1, 512, &layout, &rows, &row_size, &total);
  EXPECT_EQ(layout.Offset, 512u);
  EXPECT_EQ(layout.Footprint.Width, 1000u);
  EXPECT_EQ(layout.Footprint.RowPitch, 1024u);
  EXPECT_EQ(rows, 1u);
  EXPECT_EQ(row_size, 1000u);
  EXPECT_EQ(total, 1000u);
  const D3D12_RESOURCE_ALLOCATION_INFO info = d3d_->GetResourceAllocationInfo(0, 1, &desc);
  EXPECT_EQ(info.SizeInBytes, 65536u);
  EXPECT_EQ(info.Alignment, 65536u);
}

TEST_F(HostDeviceTest, SizesThatDoNotFitSayso) {
  const D3D12_RESOURCE_DESC huge[] = {BufferDesc(0x3FFFFFFFFFFFFFFF, D3D12_RESOURCE_FLAG_NONE),
                                      BufferDesc(0xC000000000000000, D3D12_RESOURCE_FLAG_NONE)};
  EXPECT_EQ(d3d_->GetResourceAllocationInfo(0, 2, huge).SizeInBytes, ~UINT64{0});
  const D3D12_RESOURCE_DESC beyond = BufferDesc((UINT64{1} << 32) + 16, D3D12_RESOURCE_FLAG_NONE);
  UINT64 total = 0;
  d3d_->GetCopyableFootprints(&beyond, 0, 1, 0, nullptr, nullptr, nullptr, &total);
  EXPECT_EQ(total, ~UINT64{0}) << "a footprint's width has 32 bits";
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
  const D3D12_RESOURCE_DESC last = BufferDesc((UINT64{1} << 32) - 256, D3D12_RESOURCE_FLAG_NONE);
  d3d_->GetCopyableFootprints(&last, 0, 1, 0, &layout, nullptr, nullptr, &total);
  EXPECT_EQ(layout.Footprint.RowPitch, 0xFFFFFF00u);
  EXPECT_EQ(total, 0xFFFFFF00u);
  const D3D12_RESOURCE_DESC next = BufferDesc((UINT64{1} << 32) - 255, D3D12_RESOURCE_FLAG_NONE);
  d3d_->GetCopyableFootprints(&next, 0, 1, 0, &layout, nullptr, nullptr, &total);
  EXPECT_EQ(layout.Offset, ~UINT64{0}) << "nor more has its pitch";
  EXPECT_EQ(total, ~UINT64{0});
}

TEST_F(HostDeviceTest, OneDeviceAtATime) {
  ComPtr<ID3D12Device> again;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&again)), S_OK);
  EXPECT_EQ(again.Get(), d3d_.Get());
  const auto host = QueryFor<IHostDevice>(d3d_.Get(), kIidHostDevice);
  host->Remove(DXGI_ERROR_DEVICE_HUNG);
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(again.ReleaseAndGetAddressOf())),
            S_OK);
  EXPECT_NE(again.Get(), d3d_.Get()) << "a removed device is not handed out again";
  EXPECT_EQ(again->GetDeviceRemovedReason(), S_OK);
}

TEST_F(HostDeviceTest, RemovalEndsEverything) {
  const auto host = QueryFor<IHostDevice>(d3d_.Get(), kIidHostDevice);
  std::thread waiting([&] { fence_->SetEventOnCompletion(5, nullptr); });
  host->Remove(DXGI_ERROR_DEVICE_HUNG);
  waiting.join();
  EXPECT_EQ(fence_->GetCompletedValue(), ~UINT64{0});
  EXPECT_EQ(fence_->Signal(7), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(queue_->Signal(fence_.Get(), 7), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(queue_->Wait(fence_.Get(), 7), DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(fence_->GetCompletedValue(), ~UINT64{0});
  void* none = this;
  EXPECT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence), &none),
            DXGI_ERROR_DEVICE_REMOVED);
  EXPECT_EQ(none, nullptr);
}

TEST_F(HostDeviceTest, DescriptorHeapsHaveALimit) {
  const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1'000'001,
                                           D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
  EXPECT_EQ(d3d_->CreateDescriptorHeap(&desc, __uuidof(ID3D12DescriptorHeap), nullptr), E_INVALIDARG);
}

// The caller's struct changes while we look at it: what was checked must be what is used.
TEST_F(HostDeviceTest, DescriptionsThatChangeMeanwhile) {
  const D3D12_HEAP_PROPERTIES heap = {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                      D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
  D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  std::atomic_ref<UINT64> width(desc.Width);
  std::atomic<bool> done{false};
  std::thread changing([&] {
    for (UINT64 i = 0; !done.load(); ++i)
      width.store(i % 2 == 0 ? 64 : UINT64{1} << 30, std::memory_order_relaxed);
  });
  if (!kUnderThreadSanitizer) {  // the race is the caller's
    for (int i = 0; i < 2000; ++i) {
      ComPtr<ID3D12Resource> buffer;
      ASSERT_EQ(d3d_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                              nullptr, IID_PPV_ARGS(&buffer)),
                S_OK);
      // Untouched memory costs nothing; the last byte of what the resource says it has must exist.
      *reinterpret_cast<volatile char*>(buffer->GetGPUVirtualAddress() + buffer->GetDesc().Width - 1) = 1;
    }
  }
  done.store(true);
  changing.join();
}

TEST_F(HostDeviceTest, FeatureSupport) {
  D3D12_FEATURE_DATA_ARCHITECTURE architecture = {};
  ASSERT_EQ(d3d_->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof(architecture)), S_OK);
  EXPECT_EQ(architecture.UMA, TRUE);
  const D3D_FEATURE_LEVEL asked[] = {D3D_FEATURE_LEVEL_12_2, D3D_FEATURE_LEVEL_11_0,
                                     D3D_FEATURE_LEVEL_1_0_CORE};
  D3D12_FEATURE_DATA_FEATURE_LEVELS levels = {3, asked, {}};
  ASSERT_EQ(d3d_->CheckFeatureSupport(D3D12_FEATURE_FEATURE_LEVELS, &levels, sizeof(levels)), S_OK);
  EXPECT_EQ(levels.MaxSupportedFeatureLevel, D3D_FEATURE_LEVEL_11_0);
  D3D12_FEATURE_DATA_D3D12_OPTIONS4 options = {};
  options.Native16BitShaderOpsSupported = TRUE;
  ASSERT_EQ(d3d_->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS4, &options, sizeof(options)), S_OK);
  EXPECT_EQ(options.Native16BitShaderOpsSupported, FALSE);
  EXPECT_EQ(d3d_->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, 3), E_INVALIDARG);
  EXPECT_EQ(d3d_->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, nullptr, sizeof(architecture)),
            E_INVALIDARG);
  EXPECT_EQ(d3d_->CheckFeatureSupport(AnyNumber<D3D12_FEATURE>(999), &options, 4), E_INVALIDARG);
}

TEST_F(HostDeviceTest, ViewsAndClears) {
  const auto buffer = MakeBufferOf(std::vector<uint32_t>(8, 7));
  D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
  view.Format = DXGI_FORMAT_R32_UINT;
  view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  view.Buffer.FirstElement = 2;
  view.Buffer.NumElements = 3;
  const D3D12_CPU_DESCRIPTOR_HANDLE start = descriptors_->GetCPUDescriptorHandleForHeapStart();
  const UINT step = d3d_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, start);
  const D3D12_CPU_DESCRIPTOR_HANDLE copy = {start.ptr + 5 * step};
  d3d_->CopyDescriptorsSimple(1, copy, start, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  const UINT values[4] = {9, 0, 0, 0};
  list_->ClearUnorderedAccessViewUint({copy.ptr}, copy, buffer.Get(), values, 0, nullptr);
  ExecuteList();
  EXPECT_EQ(Read<uint32_t>(buffer.Get(), 8), (std::vector<uint32_t>{7, 7, 9, 9, 9, 7, 7, 7}));
  // Handles from nowhere, unaligned ones and views that reach too far are not followed.
  for (const SIZE_T ptr :
       {SIZE_T{0}, SIZE_T{8}, start.ptr + 1, start.ptr + kTables * kTableDescriptors * step, ~SIZE_T{0}}) {
    d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, {ptr});
    list_->ClearUnorderedAccessViewUint({ptr}, {ptr}, buffer.Get(), values, 0, nullptr);
    EXPECT_EQ(list_->Close(), E_INVALIDARG);
    ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  }
  const auto other = MakeBuffer(16);
  list_->ClearUnorderedAccessViewUint({start.ptr}, start, other.Get(), values, 0, nullptr);
  EXPECT_EQ(list_->Close(), E_INVALIDARG) << "the view reaches beyond this resource";
  ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  view.Buffer.NumElements = 7;
  d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, start);
  list_->ClearUnorderedAccessViewUint({start.ptr}, start, buffer.Get(), values, 0, nullptr);
  EXPECT_EQ(list_->Close(), E_INVALIDARG);
  ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
}

TEST_F(HostDeviceTest, Residency) {
  const auto buffer = MakeBuffer(64);
  ID3D12Pageable* objects[] = {buffer.Get()};
  EXPECT_EQ(d3d_->Evict(1, objects), S_OK);
  EXPECT_EQ(d3d_->MakeResident(1, objects), S_OK);
  EXPECT_EQ(d3d_->Evict(1, nullptr), E_INVALIDARG);
}

TEST_F(HostDeviceTest, InfoQueueStoresFiltersAndForgets) {
  Ref<Device> device = TryMake<Device>(true);
  ComPtr<ID3D12InfoQueue> queue;
  ASSERT_EQ(device->QueryInterface(IID_PPV_ARGS(&queue)), S_OK);
  ComPtr<ID3D12Device> back;
  EXPECT_EQ(queue.As(&back), S_OK) << "one object, two faces";
  EXPECT_EQ(queue->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_ERROR, "one"), S_OK);
  D3D12_MESSAGE_SEVERITY denied[] = {D3D12_MESSAGE_SEVERITY_INFO};
  D3D12_INFO_QUEUE_FILTER filter = {};
  filter.DenyList.NumSeverities = 1;
  filter.DenyList.pSeverityList = denied;
  EXPECT_EQ(queue->PushStorageFilter(&filter), S_OK);
  EXPECT_EQ(queue->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "noise"), S_OK);
  EXPECT_EQ(queue->GetNumStoredMessages(), 1u);
  EXPECT_EQ(queue->GetNumMessagesDeniedByStorageFilter(), 1u);
  queue->PopStorageFilter();
  EXPECT_EQ(queue->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_INFO, "two"), S_OK);
  EXPECT_EQ(queue->GetNumStoredMessages(), 2u);
  EXPECT_EQ(queue->SetMessageCountLimit(1), S_OK);
  EXPECT_EQ(queue->GetNumStoredMessages(), 1u);
  EXPECT_EQ(queue->GetNumMessagesDiscardedByMessageCountLimit(), 1u);
  SIZE_T size = 0;
  EXPECT_EQ(queue->GetMessage(0, nullptr, &size), S_FALSE);
  EXPECT_EQ(size, sizeof(D3D12_MESSAGE) + 4);
  EXPECT_EQ(queue->GetMessage(1, nullptr, &size), E_INVALIDARG);
  queue->ClearStoredMessages();
  EXPECT_EQ(queue->GetNumStoredMessages(), 0u);
}

// Whatever a device has made is its backend's.
TEST(DeviceBackendTest, IsSetBeforeItIsUsedOrNotAtAll) {
  ComPtr<ID3D12Device> device;
  ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)), S_OK);
  const auto host = QueryFor<IHostDevice>(device.Get(), kIidHostDevice);
  const auto first = Make<CpuBackend>();
  EXPECT_EQ(host->SetBackend(nullptr), E_INVALIDARG);
  EXPECT_EQ(host->SetBackend(Make<CpuBackend>().get()), S_OK);
  EXPECT_EQ(host->SetBackend(first.get()), S_OK);
  EXPECT_EQ(CountReferences(first.get()), 2u);
  EXPECT_EQ(Ref<IBackend>::Adopt(host->GetBackend()).get(), first.get());
  EXPECT_EQ(host->SetBackend(Make<CpuBackend>().get()), E_FAIL);
  EXPECT_EQ(Ref<IBackend>::Adopt(host->GetBackend()).get(), first.get());
}

}  // namespace
}  // namespace residue::testing
