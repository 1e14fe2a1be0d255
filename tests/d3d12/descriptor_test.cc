// Descriptor heaps, the views in them, and copies of those.
#include <array>
#include <climits>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

constexpr auto kViews = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;

class DescriptorTest : public DmlTest {
 protected:
  D3D12_CPU_DESCRIPTOR_HANDLE At(UINT index) {
    const UINT step = d3d_->GetDescriptorHandleIncrementSize(kViews);
    return {descriptors_->GetCPUDescriptorHandleForHeapStart().ptr + SIZE_T{index} * step};
  }
  static D3D12_UNORDERED_ACCESS_VIEW_DESC BufferView(DXGI_FORMAT format, UINT64 first, UINT count) {
    D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
    view.Format = format;
    view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    view.Buffer.FirstElement = first;
    view.Buffer.NumElements = count;
    return view;
  }
  void RecordClear(ID3D12Resource* buffer, D3D12_CPU_DESCRIPTOR_HANDLE view, const UINT (&values)[4]) {
    list_->ClearUnorderedAccessViewUint({view.ptr}, view, buffer, values, 0, nullptr);
  }
  // What Close says to a clear through this descriptor; the list is open again afterwards.
  HRESULT TryClear(ID3D12Resource* buffer, UINT index) {
    RecordClear(buffer, At(index), {1, 1, 1, 1});
    const HRESULT hr = list_->Close();
    EXPECT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
    return hr;
  }
  // One view per element of a buffer of four-byte elements, so that a clear shows which view it went through.
  void WriteViews(ID3D12Resource* buffer, UINT first_descriptor, UINT count) {
    for (UINT i = 0; i < count; ++i) {
      const auto view = BufferView(DXGI_FORMAT_R32_UINT, i, 1);
      d3d_->CreateUnorderedAccessView(buffer, nullptr, &view, At(first_descriptor + i));
    }
  }
};

struct FormatCase {
  DXGI_FORMAT format;
  size_t size;
};

class FormatTest : public DescriptorTest, public ::testing::WithParamInterface<FormatCase> {};

// Elements get the low bits of the values, bit for bit, whatever the format; their neighbours nothing.
TEST_P(FormatTest, ClearsAreAsWideAsTheElements) {
  constexpr size_t kBytes = 128;
  constexpr UINT kValues[4] = {0x84838281, 0x94939291, 0xA4A3A2A1, 0xB4B3B2B1};
  const size_t size = GetParam().size;
  const auto buffer = MakeBufferOf(std::vector<uint8_t>(kBytes, 0x55));
  const auto view = BufferView(GetParam().format, 1, 3);
  d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, At(0));
  RecordClear(buffer.Get(), At(0), kValues);
  ExecuteList();
  std::vector<uint8_t> expected(kBytes, 0x55);
  for (size_t element = 1; element < 4; ++element) {
    std::memcpy(expected.data() + element * size, kValues, size);
  }
  EXPECT_EQ(Read<uint8_t>(buffer.Get(), kBytes), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, FormatTest,
    ::testing::Values(FormatCase{DXGI_FORMAT_R32G32B32A32_UINT, 16}, FormatCase{DXGI_FORMAT_R32G32_UINT, 8},
                      FormatCase{DXGI_FORMAT_R32_TYPELESS, 4}, FormatCase{DXGI_FORMAT_R32_UINT, 4},
                      FormatCase{DXGI_FORMAT_R32_SINT, 4}, FormatCase{DXGI_FORMAT_R32_FLOAT, 4},
                      FormatCase{DXGI_FORMAT_R16_UINT, 2}, FormatCase{DXGI_FORMAT_R16_SINT, 2},
                      FormatCase{DXGI_FORMAT_R16_FLOAT, 2}, FormatCase{DXGI_FORMAT_R8_UINT, 1},
                      FormatCase{DXGI_FORMAT_R8_SINT, 1}));

// A description that is wrong, or is none, leaves a null view, whatever was there before.
TEST_F(DescriptorTest, WrongViewsCannotBeClearedThrough) {
  const auto buffer = MakeBuffer(64);
  const auto good = BufferView(DXGI_FORMAT_R32_UINT, 0, 16);
  std::vector<D3D12_UNORDERED_ACCESS_VIEW_DESC> wrong(6, good);
  wrong[0].Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  wrong[1].Format = DXGI_FORMAT_UNKNOWN;
  wrong[2].Buffer.StructureByteStride = 4;
  wrong[3].ViewDimension = D3D12_UAV_DIMENSION_TEXTURE2D;
  wrong[4].Buffer.FirstElement = 1;
  wrong[5].Buffer.FirstElement = UINT64{1} << 62;  // times four wraps to zero
  const auto write = [&](ID3D12Resource* resource, const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc) {
    d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &good, At(3));
    EXPECT_EQ(TryClear(buffer.Get(), 3), S_OK);
    d3d_->CreateUnorderedAccessView(resource, nullptr, desc, At(3));
  };
  for (size_t i = 0; i < wrong.size(); ++i) {
    write(buffer.Get(), &wrong[i]);
    EXPECT_EQ(TryClear(buffer.Get(), 3), E_INVALIDARG) << i;
  }
  write(buffer.Get(), nullptr);
  EXPECT_EQ(TryClear(buffer.Get(), 3), E_INVALIDARG) << "no description";
  write(nullptr, &good);
  EXPECT_EQ(TryClear(buffer.Get(), 3), E_INVALIDARG) << "a null view";
}

// Only shaders write through views, and they write only where the buffer allows it.
TEST_F(DescriptorTest, BuffersWithoutUnorderedAccessCannotBeCleared) {
  const auto allowed = MakeBuffer(64);
  const auto good = BufferView(DXGI_FORMAT_R32_UINT, 0, 16);
  const ComPtr<ID3D12Resource> denied[] = {MakeBuffer(64, D3D12_RESOURCE_FLAG_NONE),
                                           MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 64),
                                           MakeBufferIn(D3D12_HEAP_TYPE_READBACK, 64)};
  for (const auto& buffer : denied) {
    d3d_->CreateUnorderedAccessView(allowed.Get(), nullptr, &good, At(0));
    EXPECT_EQ(TryClear(allowed.Get(), 0), S_OK);
    EXPECT_EQ(TryClear(buffer.Get(), 0), E_INVALIDARG) << "another's view";
    d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &good, At(0));
    EXPECT_EQ(TryClear(allowed.Get(), 0), E_INVALIDARG) << "its own, which is null";
  }
}

TEST_F(DescriptorTest, WrongClears) {
  const auto buffer = MakeBuffer(64);
  const auto view = BufferView(DXGI_FORMAT_R32_UINT, 0, 16);
  d3d_->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, At(0));
  const auto clear = [&](ID3D12Resource* resource, const UINT* values, UINT rectangles) {
    const D3D12_RECT rectangle = {0, 0, 1, 1};
    list_->ClearUnorderedAccessViewUint({At(0).ptr}, At(0), resource, values, rectangles, &rectangle);
    const HRESULT hr = list_->Close();
    EXPECT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
    return hr;
  };
  const UINT values[4] = {};
  EXPECT_EQ(clear(buffer.Get(), values, 0), S_OK);
  EXPECT_EQ(clear(nullptr, values, 0), E_INVALIDARG);
  EXPECT_EQ(clear(buffer.Get(), nullptr, 0), E_INVALIDARG);
  EXPECT_EQ(clear(buffer.Get(), values, 1), E_NOTIMPL) << "rectangles are for textures";
}

// Both sides are the concatenation of their ranges, however these are cut.
TEST_F(DescriptorTest, CopiesOfRanges) {
  const auto buffer = MakeBufferOf(std::vector<uint32_t>(6));
  WriteViews(buffer.Get(), 0, 6);
  // In order: 4 5, none, 0 1 2 3.
  const D3D12_CPU_DESCRIPTOR_HANDLE from[] = {At(4), At(0), At(0)};
  const UINT from_sizes[] = {2, 0, 4};
  const D3D12_CPU_DESCRIPTOR_HANDLE to[] = {At(20), At(30), At(40)};
  const UINT to_sizes[] = {3, 1, 2};
  d3d_->CopyDescriptors(3, to, to_sizes, 3, from, from_sizes, kViews);
  const std::array<UINT, 6> places = {20, 21, 22, 30, 40, 41};
  for (UINT i = 0; i < places.size(); ++i) RecordClear(buffer.Get(), At(places[i]), {i + 1, 0, 0, 0});
  ExecuteList();
  EXPECT_EQ(Read<uint32_t>(buffer.Get(), 6), (std::vector<uint32_t>{3, 4, 5, 6, 1, 2}));
  for (const UINT beside : {19u, 23u, 29u, 31u, 39u, 42u}) {
    EXPECT_EQ(TryClear(buffer.Get(), beside), E_INVALIDARG) << "nothing was written to " << beside;
  }
}

TEST_F(DescriptorTest, RangesWithoutSizesAreOneLong) {
  const auto buffer = MakeBufferOf(std::vector<uint32_t>(2));
  WriteViews(buffer.Get(), 0, 2);
  const D3D12_CPU_DESCRIPTOR_HANDLE from[] = {At(1), At(0)};
  const D3D12_CPU_DESCRIPTOR_HANDLE to[] = {At(20), At(30)};
  d3d_->CopyDescriptors(2, to, nullptr, 2, from, nullptr, kViews);
  RecordClear(buffer.Get(), At(20), {7, 0, 0, 0});
  RecordClear(buffer.Get(), At(30), {8, 0, 0, 0});
  ExecuteList();
  EXPECT_EQ(Read<uint32_t>(buffer.Get(), 2), (std::vector<uint32_t>{8, 7}));
  EXPECT_EQ(TryClear(buffer.Get(), 21), E_INVALIDARG);
}

// The shorter side ends a copy, and missing lists are none.
TEST_F(DescriptorTest, CopiesThatRunOut) {
  const auto buffer = MakeBufferOf(std::vector<uint32_t>(2));
  WriteViews(buffer.Get(), 0, 2);
  const D3D12_CPU_DESCRIPTOR_HANDLE from = At(0);
  const D3D12_CPU_DESCRIPTOR_HANDLE to = At(20);
  const UINT two = 2;
  const UINT five = 5;
  d3d_->CopyDescriptors(1, nullptr, &five, 1, &from, &two, kViews);
  d3d_->CopyDescriptors(1, &to, &five, 1, nullptr, &two, kViews);
  d3d_->CopyDescriptors(0, &to, &five, 1, &from, &two, kViews);
  d3d_->CopyDescriptors(1, &to, &five, 0, &from, &two, kViews);
  EXPECT_EQ(TryClear(buffer.Get(), 20), E_INVALIDARG);
  d3d_->CopyDescriptors(1, &to, &five, 1, &from, &two, kViews);
  EXPECT_EQ(TryClear(buffer.Get(), 20), S_OK);
  EXPECT_EQ(TryClear(buffer.Get(), 21), S_OK);
  EXPECT_EQ(TryClear(buffer.Get(), 22), E_INVALIDARG);
  // Of five, only the heap's last two exist.
  d3d_->CopyDescriptorsSimple(5, At(62), At(0), kViews);
  EXPECT_EQ(TryClear(buffer.Get(), 62), S_OK);
  EXPECT_EQ(TryClear(buffer.Get(), 63), S_OK);
  d3d_->CopyDescriptorsSimple(1, At(40), {~SIZE_T{0} - 7}, kViews);
  EXPECT_EQ(TryClear(buffer.Get(), 40), E_INVALIDARG);
}

// However many are asked for: a handle that is none ends the copy.
TEST_F(DescriptorTest, CopiesOfNothingEnd) {
  const auto buffer = MakeBufferOf(std::vector<uint32_t>(1));
  WriteViews(buffer.Get(), 0, 1);
  const D3D12_CPU_DESCRIPTOR_HANDLE from[] = {{8}, At(0)};
  const D3D12_CPU_DESCRIPTOR_HANDLE to[] = {At(20), At(30)};
  const UINT sizes[] = {UINT_MAX, 1};
  d3d_->CopyDescriptors(2, to, sizes, 2, from, sizes, kViews);
  d3d_->CopyDescriptorsSimple(UINT_MAX, At(20), {8}, kViews);
  const UINT ones[] = {1, 1};
  d3d_->CopyDescriptors(2, to, ones, 2, from, ones, kViews);
  EXPECT_EQ(TryClear(buffer.Get(), 30), E_INVALIDARG) << "what follows a wrong handle is not copied";
}

// Nothing here reads these views, and descriptors keep what they had.
TEST_F(DescriptorTest, OtherViewsAreHarmless) {
  const auto buffer = MakeBuffer(256);
  WriteViews(buffer.Get(), 0, 5);
  const D3D12_CONSTANT_BUFFER_VIEW_DESC constants = {buffer->GetGPUVirtualAddress(), 256};
  const D3D12_SAMPLER_DESC sampler = {};
  d3d_->CreateConstantBufferView(&constants, At(0));
  d3d_->CreateShaderResourceView(buffer.Get(), nullptr, At(1));
  d3d_->CreateRenderTargetView(nullptr, nullptr, At(2));
  d3d_->CreateDepthStencilView(nullptr, nullptr, At(3));
  d3d_->CreateSampler(&sampler, At(4));
  d3d_->CreateConstantBufferView(nullptr, {8});
  for (UINT i = 0; i < 5; ++i) EXPECT_EQ(TryClear(buffer.Get(), i), S_OK) << i;
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(DescriptorTest, HeapsDescribeThemselves) {
  const D3D12_DESCRIPTOR_HEAP_DESC said = descriptors_->GetDesc();
  EXPECT_EQ(said.Type, kViews);
  EXPECT_EQ(said.NumDescriptors, kTables * kTableDescriptors);
  EXPECT_EQ(said.Flags, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE);
  EXPECT_EQ(said.NodeMask, 0u);
  EXPECT_NE(descriptors_->GetGPUDescriptorHandleForHeapStart().ptr, 0u);
  const D3D12_DESCRIPTOR_HEAP_DESC hidden = {kViews, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 1};
  ComPtr<ID3D12DescriptorHeap> heap;
  ASSERT_EQ(d3d_->CreateDescriptorHeap(&hidden, IID_PPV_ARGS(&heap)), S_OK);
  EXPECT_EQ(heap->GetGPUDescriptorHandleForHeapStart().ptr, 0u) << "shaders do not see it";
  EXPECT_NE(heap->GetCPUDescriptorHandleForHeapStart().ptr, 0u);
}

TEST_F(DescriptorTest, WrongHeaps) {
  const auto attempt = [&](D3D12_DESCRIPTOR_HEAP_TYPE type, UINT count, D3D12_DESCRIPTOR_HEAP_FLAGS flags,
                           UINT node_mask) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {type, count, flags, node_mask};
    return d3d_->CreateDescriptorHeap(&desc, __uuidof(ID3D12DescriptorHeap), nullptr);
  };
  const auto none = D3D12_DESCRIPTOR_HEAP_FLAG_NONE;
  const auto visible = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  EXPECT_EQ(attempt(kViews, 1'000'000, visible, 1), S_FALSE);
  EXPECT_EQ(attempt(kViews, 0, none, 0), E_INVALIDARG);
  EXPECT_EQ(attempt(kViews, 1, none, 2), E_INVALIDARG);
  EXPECT_EQ(attempt(AnyNumber<D3D12_DESCRIPTOR_HEAP_TYPE>(7), 1, none, 0), E_INVALIDARG);
  EXPECT_EQ(attempt(D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES, 1, none, 0), E_INVALIDARG);
  EXPECT_EQ(attempt(D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, 1, visible, 0), S_FALSE);
  for (const auto type : {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, D3D12_DESCRIPTOR_HEAP_TYPE_DSV}) {
    EXPECT_EQ(attempt(type, 1, none, 0), S_FALSE);
    EXPECT_EQ(attempt(type, 1, visible, 0), E_INVALIDARG) << "shaders cannot see these";
  }
  void* cleared = this;
  EXPECT_EQ(d3d_->CreateDescriptorHeap(nullptr, __uuidof(ID3D12DescriptorHeap), &cleared), E_INVALIDARG);
  EXPECT_EQ(cleared, nullptr);
}

}  // namespace
}  // namespace residue::testing
