// What newer versions of Direct3D 12 and DXGI added and nothing here can do: each call clears its result,
// gives its error, and says in the info queue why.
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <dxgi1_6.h>
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class NewerRefusalTest : public DmlTest {
 protected:
  void SetUp() override {
    SetDebugLayer(true);
    DmlTest::SetUp();
    SetDebugLayer(false);
    ASSERT_EQ(d3d_.As(&device_), S_OK);
    ASSERT_EQ(d3d_.As(&messages_), S_OK);
  }
  void TearDown() override {
    messages_.Reset();
    device_.Reset();
    DmlTest::TearDown();
  }
  // Nobody can make one; this one is never followed.
  ID3D12ProtectedResourceSession* NoSession() {
    return reinterpret_cast<ID3D12ProtectedResourceSession*>(fence_.Get());
  }

  ComPtr<ID3D12Device9> device_;
  ComPtr<ID3D12InfoQueue> messages_;
};

TEST_F(NewerRefusalTest, EveryCallSaysWhyThereIsNothing) {
  const GUID iid = __uuidof(IUnknown);
  void* made = nullptr;
  const D3D12_RESOURCE_DESC buffer = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  const D3D12_HEAP_DESC heap = DefaultHeapDesc();
  constexpr auto kCommon = D3D12_RESOURCE_STATE_COMMON;
  struct Refusal {
    const char* call;
    const char* reason;
    std::function<HRESULT()> run;
  };
  const Refusal refusals[] = {
      {"CreatePipelineLibrary", "shaders",
       [&] { return device_->CreatePipelineLibrary(nullptr, 0, iid, &made); }},
      {"CreatePipelineState", "shaders", [&] { return device_->CreatePipelineState(nullptr, iid, &made); }},
      {"OpenExistingHeapFromAddress", "shared",
       [&] { return device_->OpenExistingHeapFromAddress(nullptr, iid, &made); }},
      {"OpenExistingHeapFromFileMapping", "shared",
       [&] { return device_->OpenExistingHeapFromFileMapping(nullptr, iid, &made); }},
      {"CreateCommittedResource1", "protected",
       [&] {
         return device_->CreateCommittedResource1(&heap.Properties, D3D12_HEAP_FLAG_NONE, &buffer, kCommon,
                                                  nullptr, NoSession(), iid, &made);
       }},
      {"CreateHeap1", "protected", [&] { return device_->CreateHeap1(&heap, NoSession(), iid, &made); }},
      {"CreateReservedResource1", "tiled",
       [&] { return device_->CreateReservedResource1(&buffer, kCommon, nullptr, nullptr, iid, &made); }},
      {"CreateProtectedResourceSession", "protected",
       [&] { return device_->CreateProtectedResourceSession(nullptr, iid, &made); }},
      {"CreateMetaCommand", "meta",
       [&] { return device_->CreateMetaCommand(iid, 0, nullptr, 0, iid, &made); }},
      {"CreateLifetimeTracker", "tracked",
       [&] { return device_->CreateLifetimeTracker(nullptr, iid, &made); }},
      {"CreateStateObject", "shaders", [&] { return device_->CreateStateObject(nullptr, iid, &made); }},
      {"AddToStateObject", "shaders",
       [&] { return device_->AddToStateObject(nullptr, nullptr, iid, &made); }},
      {"CreateProtectedResourceSession1", "protected",
       [&] { return device_->CreateProtectedResourceSession1(nullptr, iid, &made); }},
      {"CreateShaderCacheSession", "shaders",
       [&] { return device_->CreateShaderCacheSession(nullptr, iid, &made); }},
  };
  for (const auto& [call, reason, run] : refusals) {
    SCOPED_TRACE(call);
    messages_->ClearStoredMessages();
    made = this;
    EXPECT_EQ(run(), E_NOTIMPL);
    EXPECT_EQ(made, nullptr);
    ASSERT_EQ(messages_->GetNumStoredMessages(), 1u);
    const std::string text = ReadMessage(messages_.Get(), 0).text;
    EXPECT_EQ(text.find(std::string(call) + " "), 0u) << text;
    EXPECT_NE(text.find(reason), std::string::npos) << text;
  }
}

TEST_F(NewerRefusalTest, WhatThereIsNoneOfIsCountedAsNone) {
  const GUID unknown = __uuidof(IUnknown);
  EXPECT_EQ(device_->EnumerateMetaCommands(nullptr, nullptr), E_INVALIDARG);
  UINT bytes = 0;
  UINT count = 9;
  constexpr auto kCreation = D3D12_META_COMMAND_PARAMETER_STAGE_CREATION;
  EXPECT_EQ(device_->EnumerateMetaCommandParameters(unknown, kCreation, &bytes, &count, nullptr),
            E_INVALIDARG);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(device_->EnumerateMetaCommandParameters(unknown, kCreation, nullptr, nullptr, nullptr),
            E_INVALIDARG);
  D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO info = {1, 2, 3};
  device_->GetRaytracingAccelerationStructurePrebuildInfo(nullptr, &info);
  EXPECT_EQ(info.ResultDataMaxSizeInBytes, 0u);
  EXPECT_EQ(info.ScratchDataSizeInBytes, 0u);
  EXPECT_EQ(info.UpdateScratchDataSizeInBytes, 0u);
  device_->GetRaytracingAccelerationStructurePrebuildInfo(nullptr, nullptr);
  EXPECT_EQ(device_->CheckDriverMatchingIdentifier(D3D12_SERIALIZED_DATA_RAYTRACING_ACCELERATION_STRUCTURE,
                                                   nullptr),
            D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE);
  device_->CreateSamplerFeedbackUnorderedAccessView(nullptr, nullptr, {});
  constexpr auto kMode = D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED;
  constexpr auto kAction = D3D12_MEASUREMENTS_ACTION_KEEP_ALL;
  const auto event = reinterpret_cast<HANDLE>(intptr_t{1});
  EXPECT_EQ(device_->SetBackgroundProcessingMode(kMode, kAction, event, nullptr), E_NOTIMPL);
}

TEST_F(NewerRefusalTest, WithoutASessionNewCallsAreTheFirstOnes) {
  const D3D12_HEAP_DESC heap = DefaultHeapDesc();
  const D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  ComPtr<ID3D12Resource> buffer;
  ASSERT_EQ(
      device_->CreateCommittedResource1(&heap.Properties, D3D12_HEAP_FLAG_NONE, &desc,
                                        D3D12_RESOURCE_STATE_COMMON, nullptr, nullptr, IID_PPV_ARGS(&buffer)),
      S_OK);
  EXPECT_EQ(buffer->GetDesc().Width, 64u);
  D3D12_RESOURCE_ALLOCATION_INFO1 part = {};
  EXPECT_EQ(device_->GetResourceAllocationInfo1(0, 1, &desc, &part).SizeInBytes, 65536u);
  EXPECT_EQ(part.SizeInBytes, 65536u);
  D3D12_RESOURCE_DESC1 feedback = {};
  feedback.SamplerFeedbackMipRegion.Width = 4;
  EXPECT_EQ(device_->GetResourceAllocationInfo2(0, 1, &feedback, nullptr).SizeInBytes, UINT64_MAX);
  const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_COMPUTE, 0,
                                               D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  ComPtr<ID3D12CommandQueue> queue;
  ASSERT_EQ(device_->CreateCommandQueue1(&queue_desc, __uuidof(IUnknown), IID_PPV_ARGS(&queue)), S_OK);
  EXPECT_EQ(queue->GetDesc().Type, D3D12_COMMAND_LIST_TYPE_COMPUTE);
}

// What an adapter would have to tell later, it never has to.
TEST(NewerDxgiTest, NothingIsNotified) {
  ComPtr<IDXGIFactory6> factory;
  ASSERT_EQ(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)), S_OK);
  ComPtr<IDXGIAdapter4> adapter;
  ASSERT_EQ(factory->EnumAdapterByGpuPreference(0, DXGI_GPU_PREFERENCE_UNSPECIFIED, IID_PPV_ARGS(&adapter)),
            S_OK);
  DWORD cookie = 0;
  EXPECT_EQ(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(nullptr, &cookie),
            DXGI_ERROR_UNSUPPORTED);
  adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
  EXPECT_EQ(adapter->RegisterHardwareContentProtectionTeardownStatusEvent(nullptr, &cookie),
            DXGI_ERROR_UNSUPPORTED);
  adapter->UnregisterHardwareContentProtectionTeardownStatus(cookie);
  DXGI_ADAPTER_DESC1 first = {};
  ASSERT_EQ(adapter->GetDesc1(&first), S_OK);
  DXGI_ADAPTER_DESC2 second = {};
  ASSERT_EQ(adapter->GetDesc2(&second), S_OK);
  EXPECT_EQ(std::memcmp(&first.AdapterLuid, &second.AdapterLuid, sizeof(LUID)), 0);
  EXPECT_EQ(second.GraphicsPreemptionGranularity, DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY);
  EXPECT_TRUE(FAILED(adapter->GetDesc2(nullptr)));
  DXGI_QUERY_VIDEO_MEMORY_INFO memory = {};
  EXPECT_EQ(adapter->QueryVideoMemoryInfo(0, AnyNumber<DXGI_MEMORY_SEGMENT_GROUP>(2), &memory), E_INVALIDARG);
}

}  // namespace
}  // namespace residue::testing
