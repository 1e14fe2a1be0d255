// Timestamps: taken in order, when the work before them is done, and written where the program asks.
#include <thread>
#include <vector>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

constexpr auto kTimestamp = D3D12_QUERY_TYPE_TIMESTAMP;

class QueryTest : public DmlTest {
 protected:
  ComPtr<ID3D12QueryHeap> MakeHeap(UINT count, D3D12_QUERY_HEAP_TYPE type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP) {
    const D3D12_QUERY_HEAP_DESC desc = {type, count, 0};
    ComPtr<ID3D12QueryHeap> heap;
    EXPECT_EQ(d3d_->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    return heap;
  }
};

TEST_F(QueryTest, TimesGoForward) {
  const auto heap = MakeHeap(4);
  const auto readback = MakeBufferIn(D3D12_HEAP_TYPE_READBACK, 32);
  const auto from = MakeBuffer(1 << 20);
  const auto to = MakeBuffer(1 << 20);
  for (UINT i = 0; i < 4; ++i) {
    list_->EndQuery(heap.Get(), kTimestamp, i);
    list_->CopyResource(to.Get(), from.Get());
  }
  list_->ResolveQueryData(heap.Get(), kTimestamp, 1, 3, readback.Get(), 8);
  ExecuteList();
  const std::vector<UINT64> times = Read<UINT64>(readback.Get(), 4);
  EXPECT_EQ(times[0], 0u) << "what was not asked for";
  EXPECT_GT(times[1], 0u);
  EXPECT_GE(times[2], times[1]);
  EXPECT_GE(times[3], times[2]);
  UINT64 frequency = 0;
  ASSERT_EQ(queue_->GetTimestampFrequency(&frequency), S_OK);
  UINT64 gpu = 0;
  UINT64 cpu = 0;
  ASSERT_EQ(queue_->GetClockCalibration(&gpu, &cpu), S_OK);
  EXPECT_GE(gpu, times[3]) << "one clock";
  EXPECT_LT(gpu - times[1], frequency * 1000);
}

TEST_F(QueryTest, AHeapMayGoBeforeTheWork) {
  auto heap = MakeHeap(1);
  const auto readback = MakeBufferIn(D3D12_HEAP_TYPE_READBACK, 8);
  list_->EndQuery(heap.Get(), kTimestamp, 0);
  list_->ResolveQueryData(heap.Get(), kTimestamp, 0, 1, readback.Get(), 0);
  heap.Reset();
  ExecuteList();
  EXPECT_GT(Read<UINT64>(readback.Get(), 1)[0], 0u);
}

TEST_F(QueryTest, Refusals) {
  const auto heap = MakeHeap(4, D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP);
  const auto buffer = MakeBuffer(32);
  const auto upload = MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 32);
  const auto closes_with = [&](HRESULT expected, const std::function<void()>& record) {
    record();
    EXPECT_EQ(list_->Close(), expected);
    ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  };
  closes_with(E_INVALIDARG, [&] { list_->EndQuery(heap.Get(), kTimestamp, 4); });
  closes_with(E_INVALIDARG, [&] { list_->EndQuery(nullptr, kTimestamp, 0); });
  closes_with(E_NOTIMPL, [&] { list_->EndQuery(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0); });
  closes_with(E_NOTIMPL, [&] { list_->BeginQuery(heap.Get(), kTimestamp, 0); });
  const auto resolve = [&](ID3D12QueryHeap* from, UINT first, UINT count, ID3D12Resource* to, UINT64 offset) {
    return [=, this] { list_->ResolveQueryData(from, kTimestamp, first, count, to, offset); };
  };
  closes_with(S_OK, resolve(heap.Get(), 0, 4, buffer.Get(), 0));
  closes_with(E_INVALIDARG, resolve(nullptr, 0, 4, buffer.Get(), 0));
  closes_with(E_INVALIDARG, resolve(heap.Get(), 0, 4, nullptr, 0));
  closes_with(E_INVALIDARG, resolve(heap.Get(), 0, 4, upload.Get(), 0));
  closes_with(E_INVALIDARG, resolve(heap.Get(), 1, 4, buffer.Get(), 0));
  closes_with(E_INVALIDARG, resolve(heap.Get(), 0, UINT_MAX, buffer.Get(), 0));
  closes_with(E_INVALIDARG, resolve(heap.Get(), 0, 2, buffer.Get(), 4));
  closes_with(E_INVALIDARG, resolve(heap.Get(), 0, 4, buffer.Get(), 8));
  ComPtr<ID3D12QueryHeap> none;
  D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_OCCLUSION, 4, 0};
  EXPECT_EQ(d3d_->CreateQueryHeap(&desc, IID_PPV_ARGS(&none)), E_NOTIMPL);
  desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 0, 0};
  EXPECT_EQ(d3d_->CreateQueryHeap(&desc, IID_PPV_ARGS(&none)), E_INVALIDARG);
  for (const UINT many : {(1u << 20) + 1, UINT_MAX}) {
    desc.Count = many;
    EXPECT_EQ(d3d_->CreateQueryHeap(&desc, IID_PPV_ARGS(&none)), E_INVALIDARG);
  }
  EXPECT_EQ(d3d_->CreateQueryHeap(nullptr, IID_PPV_ARGS(&none)), E_INVALIDARG);
}

}  // namespace
}  // namespace residue::testing
