// What needs shaders, textures or a driver is refused, and what is only state for them changes nothing.
#include <chrono>
#include <functional>
#include <vector>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class UnsupportedTest : public DmlTest {
 protected:
  // No pipeline can be made here; this one is never followed.
  ID3D12PipelineState* NoPipeline() { return reinterpret_cast<ID3D12PipelineState*>(fence_.Get()); }
  // Everything a list refuses.
  std::vector<std::function<void()>> UnsupportedCommands();
};

std::vector<std::function<void()>> UnsupportedTest::UnsupportedCommands() {
  constexpr auto kQuery = D3D12_QUERY_TYPE_OCCLUSION;
  return {
      [this] { list_->DrawInstanced(1, 1, 0, 0); },
      [this] { list_->DrawIndexedInstanced(1, 1, 0, 0, 0); },
      [this] { list_->Dispatch(1, 1, 1); },
      [this] { list_->CopyTextureRegion(nullptr, 0, 0, 0, nullptr, nullptr); },
      [this] { list_->CopyTiles(nullptr, nullptr, nullptr, nullptr, 0, D3D12_TILE_COPY_FLAG_NONE); },
      [this] { list_->ResolveSubresource(nullptr, 0, nullptr, 0, DXGI_FORMAT_R32_FLOAT); },
      [this] { list_->SetPipelineState(nullptr); },
      [this] { list_->ExecuteBundle(nullptr); },
      [this] { list_->SetComputeRootSignature(nullptr); },
      [this] { list_->SetGraphicsRootSignature(nullptr); },
      [this] { list_->SetComputeRootDescriptorTable(0, {}); },
      [this] { list_->SetGraphicsRootDescriptorTable(0, {}); },
      [this] { list_->SetComputeRoot32BitConstant(0, 0, 0); },
      [this] { list_->SetGraphicsRoot32BitConstant(0, 0, 0); },
      [this] { list_->SetComputeRoot32BitConstants(0, 0, nullptr, 0); },
      [this] { list_->SetGraphicsRoot32BitConstants(0, 0, nullptr, 0); },
      [this] { list_->SetComputeRootConstantBufferView(0, 0); },
      [this] { list_->SetGraphicsRootConstantBufferView(0, 0); },
      [this] { list_->SetComputeRootShaderResourceView(0, 0); },
      [this] { list_->SetGraphicsRootShaderResourceView(0, 0); },
      [this] { list_->SetComputeRootUnorderedAccessView(0, 0); },
      [this] { list_->SetGraphicsRootUnorderedAccessView(0, 0); },
      [this] { list_->IASetIndexBuffer(nullptr); },
      [this] { list_->IASetVertexBuffers(0, 0, nullptr); },
      [this] { list_->SOSetTargets(0, 0, nullptr); },
      [this] { list_->OMSetRenderTargets(0, nullptr, FALSE, nullptr); },
      [this] { list_->ClearDepthStencilView({}, D3D12_CLEAR_FLAG_DEPTH, 0, 0, 0, nullptr); },
      [this] { list_->ClearRenderTargetView({}, nullptr, 0, nullptr); },
      [this] { list_->ClearUnorderedAccessViewFloat({}, {}, nullptr, nullptr, 0, nullptr); },
      [this] { list_->BeginQuery(nullptr, kQuery, 0); },
      [this] { list_->EndQuery(nullptr, kQuery, 0); },
      [this] { list_->ResolveQueryData(nullptr, kQuery, 0, 0, nullptr, 0); },
      [this] { list_->SetPredication(nullptr, 0, D3D12_PREDICATION_OP_EQUAL_ZERO); },
      [this] { list_->ExecuteIndirect(nullptr, 0, nullptr, 0, nullptr, 0); },
      [this] { list_->ClearState(NoPipeline()); },
  };
}

TEST_F(UnsupportedTest, CloseReportsWhatAListCannotDo) {
  const auto commands = UnsupportedCommands();
  for (size_t i = 0; i < commands.size(); ++i) {
    commands[i]();
    EXPECT_EQ(list_->Close(), E_NOTIMPL) << "command " << i;
    ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  }
  EXPECT_EQ(list_->Close(), S_OK) << "a reset forgets the error";
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(UnsupportedTest, TheFirstErrorOfARecordingStays) {
  list_->CopyResource(nullptr, nullptr);
  list_->Dispatch(1, 1, 1);
  EXPECT_EQ(list_->Close(), E_INVALIDARG);
  ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  list_->Dispatch(1, 1, 1);
  list_->CopyResource(nullptr, nullptr);
  EXPECT_EQ(list_->Close(), E_NOTIMPL);
}

// Clients that share code with a GPU set it; the work recorded around it is done all the same.
TEST_F(UnsupportedTest, StateAndMarkersAreHarmless) {
  const auto from = MakeBufferOf<uint32_t>({1, 2, 3, 4});
  const auto to = MakeBuffer(16);
  const D3D12_VIEWPORT viewport = {};
  const D3D12_RECT rectangle = {};
  const FLOAT blend[4] = {};
  list_->BeginEvent(0, "copy", 5);
  list_->SetMarker(0, "here", 5);
  list_->DiscardResource(from.Get(), nullptr);
  list_->ClearState(nullptr);
  list_->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  list_->RSSetViewports(1, &viewport);
  list_->RSSetScissorRects(1, &rectangle);
  list_->OMSetBlendFactor(blend);
  list_->OMSetStencilRef(1);
  list_->CopyResource(to.Get(), from.Get());
  list_->EndEvent();
  ExecuteList();
  EXPECT_EQ(Read<uint32_t>(to.Get(), 4), (std::vector<uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(UnsupportedTest, BarriersAndHeapsMustBeWellFormed) {
  const auto buffer = MakeBuffer(16);
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {buffer.Get(), 0, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST};
  ID3D12DescriptorHeap* heaps[] = {descriptors_.Get(), nullptr};
  const auto closed = [&](const std::function<void()>& act) {
    act();
    const HRESULT hr = list_->Close();
    EXPECT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
    return hr;
  };
  EXPECT_EQ(closed([&] { list_->ResourceBarrier(1, &barrier); }), S_OK);
  EXPECT_EQ(closed([&] { list_->ResourceBarrier(0, nullptr); }), S_OK);
  EXPECT_EQ(closed([&] { list_->SetDescriptorHeaps(1, heaps); }), S_OK);
  EXPECT_EQ(closed([&] { list_->SetDescriptorHeaps(0, nullptr); }), S_OK);
  EXPECT_EQ(closed([&] { list_->SetDescriptorHeaps(2, heaps); }), E_INVALIDARG);
  barrier.Transition.pResource = nullptr;
  EXPECT_EQ(closed([&] { list_->ResourceBarrier(1, &barrier); }), E_INVALIDARG);
  for (const auto& [type, expected] :
       {std::pair(3, E_INVALIDARG), std::pair(static_cast<int>(D3D12_RESOURCE_BARRIER_TYPE_UAV), S_OK)}) {
    barrier = {};
    barrier.Type = AnyNumber<D3D12_RESOURCE_BARRIER_TYPE>(type);
    EXPECT_EQ(closed([&] { list_->ResourceBarrier(1, &barrier); }), expected) << type;
  }
}

TEST_F(UnsupportedTest, QueueMarkersAndTilesAreHarmless) {
  queue_->BeginEvent(0, "frame", 6);
  queue_->SetMarker(0, "here", 5);
  queue_->UpdateTileMappings(nullptr, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr, nullptr,
                             D3D12_TILE_MAPPING_FLAG_NONE);
  queue_->CopyTileMappings(nullptr, nullptr, nullptr, nullptr, nullptr, D3D12_TILE_MAPPING_FLAG_NONE);
  queue_->EndEvent();
  Wait();
  EXPECT_EQ(fence_->GetCompletedValue(), fence_value_) << "the queue goes on";
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

UINT64 Now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<UINT64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// One clock for both sides, in the unit that the frequency says.
TEST_F(UnsupportedTest, QueueClocks) {
  UINT64 frequency = 0;
  ASSERT_EQ(queue_->GetTimestampFrequency(&frequency), S_OK);
  EXPECT_EQ(frequency, 1'000'000'000u);
  UINT64 gpu = 0;
  UINT64 cpu = 0;
  const UINT64 before = Now();
  ASSERT_EQ(queue_->GetClockCalibration(&gpu, &cpu), S_OK);
  const UINT64 after = Now();
  EXPECT_EQ(gpu, cpu);
  EXPECT_LE(before, cpu);
  EXPECT_LE(cpu, after);
  EXPECT_EQ(queue_->GetTimestampFrequency(nullptr), E_INVALIDARG);
  gpu = cpu = 5;
  EXPECT_EQ(queue_->GetClockCalibration(nullptr, &cpu), E_INVALIDARG);
  EXPECT_EQ(queue_->GetClockCalibration(&gpu, nullptr), E_INVALIDARG);
  EXPECT_EQ(gpu, 5u);
  EXPECT_EQ(cpu, 5u);
}

TEST_F(UnsupportedTest, WhatTheDeviceCannotMake) {
  const auto desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  const std::function<HRESULT(void**)> calls[] = {
      [&](void** out) {
        return d3d_->CreateGraphicsPipelineState(nullptr, __uuidof(ID3D12PipelineState), out);
      },
      [&](void** out) {
        return d3d_->CreateComputePipelineState(nullptr, __uuidof(ID3D12PipelineState), out);
      },
      [&](void** out) {
        return d3d_->CreateRootSignature(0, nullptr, 0, __uuidof(ID3D12RootSignature), out);
      },
      [&](void** out) {
        return d3d_->CreateReservedResource(&desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            __uuidof(ID3D12Resource), out);
      },
      [&](void** out) { return d3d_->CreateSharedHandle(fence_.Get(), nullptr, 0, L"fence", out); },
      [&](void** out) { return d3d_->OpenSharedHandle(nullptr, __uuidof(ID3D12Fence), out); },
      [&](void** out) { return d3d_->OpenSharedHandleByName(L"fence", 0, out); },
      [&](void** out) {
        const D3D12_QUERY_HEAP_DESC queries = {D3D12_QUERY_HEAP_TYPE_OCCLUSION, 1, 0};
        return d3d_->CreateQueryHeap(&queries, __uuidof(ID3D12QueryHeap), out);
      },
      [&](void** out) {
        return d3d_->CreateCommandSignature(nullptr, nullptr, __uuidof(ID3D12CommandSignature), out);
      },
  };
  const int64_t objects = LiveObjectCount();
  for (size_t i = 0; i < std::size(calls); ++i) {
    void* none = this;
    EXPECT_EQ(calls[i](&none), E_NOTIMPL) << i;
    EXPECT_EQ(none, nullptr) << i;
    EXPECT_EQ(calls[i](nullptr), E_NOTIMPL) << i;
  }
  EXPECT_EQ(LiveObjectCount(), objects);
}

TEST_F(UnsupportedTest, NothingHasTiles) {
  const auto buffer = MakeBuffer(64);
  UINT tiles = 9;
  UINT tilings = 9;
  d3d_->GetResourceTiling(buffer.Get(), &tiles, nullptr, nullptr, &tilings, 0, nullptr);
  EXPECT_EQ(tiles, 0u);
  EXPECT_EQ(tilings, 0u);
  d3d_->GetResourceTiling(buffer.Get(), nullptr, nullptr, nullptr, nullptr, 0, nullptr);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

}  // namespace
}  // namespace residue::testing
