// Heaps and buffers: what is refused, and what they say of themselves.
#include <climits>

#include "d3d12/heap.h"
#include "support/dml_fixture.h"

// AddressSanitizer's, where the program is built with it.
extern "C" __attribute__((weak)) int __asan_address_is_poisoned(const volatile void* address);

namespace residue::testing {
namespace {

constexpr D3D12_HEAP_PROPERTIES kDefault = {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                            D3D12_MEMORY_POOL_UNKNOWN, 1, 1};
constexpr D3D12_HEAP_PROPERTIES kCustom = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE,
                                           D3D12_MEMORY_POOL_L0, 1, 1};

class ResourceTest : public DmlTest {
 protected:
  HRESULT TryHeap(UINT64 bytes, const D3D12_HEAP_PROPERTIES& properties, UINT64 alignment = 0) {
    const D3D12_HEAP_DESC desc = {bytes, properties, alignment, D3D12_HEAP_FLAG_NONE};
    return d3d_->CreateHeap(&desc, __uuidof(ID3D12Heap), nullptr);
  }
  HRESULT TryBuffer(D3D12_HEAP_TYPE type, D3D12_RESOURCE_FLAGS flags, D3D12_RESOURCE_STATES state,
                    const D3D12_CLEAR_VALUE* clear = nullptr) {
    const D3D12_HEAP_PROPERTIES properties = {type, D3D12_CPU_PAGE_PROPERTY_UNKNOWN,
                                              D3D12_MEMORY_POOL_UNKNOWN, 0, 0};
    const D3D12_RESOURCE_DESC desc = BufferDesc(64, flags);
    return d3d_->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, clear,
                                         __uuidof(ID3D12Resource), nullptr);
  }
};

TEST_F(ResourceTest, HeapProperties) {
  EXPECT_EQ(TryHeap(65536, kDefault), S_FALSE);
  EXPECT_EQ(TryHeap(65536, kCustom), S_FALSE);
  EXPECT_EQ(TryHeap(0, kDefault), E_INVALIDARG);
  for (const int type : {0, 7}) {
    D3D12_HEAP_PROPERTIES unknown = kDefault;
    unknown.Type = AnyNumber<D3D12_HEAP_TYPE>(type);
    EXPECT_EQ(TryHeap(65536, unknown), E_INVALIDARG) << type;
  }
  std::vector<D3D12_HEAP_PROPERTIES> wrong(4, kDefault);
  wrong[0].CreationNodeMask = 2;
  wrong[1].VisibleNodeMask = 2;
  wrong[2].CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
  wrong[3].MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
  wrong.resize(7, kCustom);
  wrong[4].CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_UNKNOWN;
  wrong[5].MemoryPoolPreference = D3D12_MEMORY_POOL_UNKNOWN;
  wrong[6].MemoryPoolPreference = D3D12_MEMORY_POOL_L1;  // which unified memory has not
  for (size_t i = 0; i < wrong.size(); ++i) EXPECT_EQ(TryHeap(65536, wrong[i]), E_INVALIDARG) << i;
  void* none = this;
  EXPECT_EQ(d3d_->CreateHeap(nullptr, __uuidof(ID3D12Heap), &none), E_INVALIDARG);
  EXPECT_EQ(none, nullptr);
}

TEST_F(ResourceTest, HeapAlignments) {
  constexpr UINT64 kLarge = D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;
  for (const UINT64 alignment : {UINT64{1}, UINT64{4096}, UINT64{65537}, 2 * kLarge}) {
    EXPECT_EQ(TryHeap(65536, kDefault, alignment), E_INVALIDARG) << alignment;
  }
  for (const auto& [asked, said] : {std::pair<UINT64, UINT64>(0, 65536), {65536, 65536}, {kLarge, kLarge}}) {
    const D3D12_HEAP_DESC desc = {65536, kDefault, asked, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
    ComPtr<ID3D12Heap> heap;
    ASSERT_EQ(d3d_->CreateHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    EXPECT_EQ(heap->GetDesc().Alignment, said);
    EXPECT_EQ(heap->GetDesc().Flags, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
  }
}

TEST_F(ResourceTest, MoreThanTheAddressSpaceIsOutOfMemory) {
  EXPECT_EQ(TryHeap(kMostBufferBytes + 1, kDefault), E_OUTOFMEMORY);
  EXPECT_EQ(TryHeap(~UINT64{0}, kDefault), E_OUTOFMEMORY);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(ResourceTest, StatesAndFlagsOfCpuHeaps) {
  const auto plain = D3D12_RESOURCE_FLAG_NONE;
  const auto unordered = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const auto written = D3D12_RESOURCE_STATE_COPY_DEST;
  const auto read = D3D12_RESOURCE_STATE_GENERIC_READ;
  EXPECT_EQ(TryBuffer(D3D12_HEAP_TYPE_READBACK, plain, written), S_FALSE);
  EXPECT_EQ(TryBuffer(D3D12_HEAP_TYPE_READBACK, plain, read), E_INVALIDARG) << "fixed state";
  EXPECT_EQ(TryBuffer(D3D12_HEAP_TYPE_READBACK, unordered, written), E_INVALIDARG);
  EXPECT_EQ(TryBuffer(D3D12_HEAP_TYPE_UPLOAD, plain, read), S_FALSE);
  EXPECT_EQ(TryBuffer(D3D12_HEAP_TYPE_UPLOAD, plain, written), E_INVALIDARG);
  const D3D12_CLEAR_VALUE clear = {};
  EXPECT_EQ(TryBuffer(D3D12_HEAP_TYPE_DEFAULT, plain, D3D12_RESOURCE_STATE_COMMON, &clear), E_INVALIDARG)
      << "for textures only";
}

TEST_F(ResourceTest, HeapsWithoutBuffers) {
  D3D12_HEAP_DESC heap_desc = DefaultHeapDesc();
  heap_desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES;
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  EXPECT_EQ(d3d_->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                       __uuidof(ID3D12Resource), nullptr),
            E_INVALIDARG);
  EXPECT_EQ(
      d3d_->CreateCommittedResource(&kDefault, D3D12_HEAP_FLAG_DENY_BUFFERS, &desc,
                                    D3D12_RESOURCE_STATE_COMMON, nullptr, __uuidof(ID3D12Resource), nullptr),
      E_INVALIDARG);
}

TEST_F(ResourceTest, OtherDimensions) {
  for (const auto& [dimension, expected] :
       {std::pair(D3D12_RESOURCE_DIMENSION_TEXTURE1D, E_NOTIMPL),
        std::pair(D3D12_RESOURCE_DIMENSION_TEXTURE2D, E_NOTIMPL),
        std::pair(D3D12_RESOURCE_DIMENSION_TEXTURE3D, E_NOTIMPL),
        std::pair(D3D12_RESOURCE_DIMENSION_UNKNOWN, E_INVALIDARG),
        std::pair(AnyNumber<D3D12_RESOURCE_DIMENSION>(7), E_INVALIDARG)}) {
    D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
    desc.Dimension = dimension;
    void* none = this;
    EXPECT_EQ(
        d3d_->CreateCommittedResource(&kDefault, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON,
                                      nullptr, __uuidof(ID3D12Resource), &none),
        expected)
        << dimension;
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(d3d_->GetResourceAllocationInfo(0, 1, &desc).SizeInBytes, ~UINT64{0}) << dimension;
  }
}

TEST_F(ResourceTest, MissingDescriptions) {
  const D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  const auto committed = [&](const D3D12_HEAP_PROPERTIES* properties, const D3D12_RESOURCE_DESC* of) {
    void* none = this;
    EXPECT_EQ(d3d_->CreateCommittedResource(properties, D3D12_HEAP_FLAG_NONE, of, D3D12_RESOURCE_STATE_COMMON,
                                            nullptr, __uuidof(ID3D12Resource), &none),
              E_INVALIDARG);
    EXPECT_EQ(none, nullptr);
  };
  committed(nullptr, &desc);
  committed(&kDefault, nullptr);
  void* none = this;
  EXPECT_EQ(d3d_->CreatePlacedResource(nullptr, 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                       __uuidof(ID3D12Resource), &none),
            E_INVALIDARG);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(d3d_->GetResourceAllocationInfo(0, 1, nullptr).SizeInBytes, ~UINT64{0});
  EXPECT_EQ(d3d_->GetResourceAllocationInfo(0, 0, nullptr).SizeInBytes, 0u);
}

// A buffer is one row without a format; each field that says otherwise is wrong alone.
TEST_F(ResourceTest, EveryFieldOfADescriptionCounts) {
  const D3D12_RESOURCE_DESC good = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  std::vector<D3D12_RESOURCE_DESC> wrong(10, good);
  wrong[0].DepthOrArraySize = 2;
  wrong[1].MipLevels = 0;
  wrong[2].SampleDesc.Count = 2;
  wrong[3].SampleDesc.Quality = 1;
  wrong[4].Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
  wrong[5].Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  wrong[6].Flags = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
  wrong[7].Flags = D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS;
  wrong[8].Height = 0;
  wrong[9].Width = kMostBufferBytes + 1;
  for (size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_EQ(
        d3d_->CreateCommittedResource(&kDefault, D3D12_HEAP_FLAG_NONE, &wrong[i], D3D12_RESOURCE_STATE_COMMON,
                                      nullptr, __uuidof(ID3D12Resource), nullptr),
        E_INVALIDARG)
        << i;
  }
  D3D12_RESOURCE_DESC aligned = good;
  aligned.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  EXPECT_EQ(
      d3d_->CreateCommittedResource(&kDefault, D3D12_HEAP_FLAG_NONE, &aligned, D3D12_RESOURCE_STATE_COMMON,
                                    nullptr, __uuidof(ID3D12Resource), nullptr),
      S_FALSE);
}

TEST_F(ResourceTest, PlacedBuffersFollowTheirHeapsRules) {
  const D3D12_HEAP_DESC heap_desc = {
      65536,
      {D3D12_HEAP_TYPE_UPLOAD, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 0, 0},
      0,
      D3D12_HEAP_FLAG_NONE};
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const auto place = [&](const D3D12_RESOURCE_DESC* desc, UINT64 offset, D3D12_RESOURCE_STATES state) {
    return d3d_->CreatePlacedResource(heap.Get(), offset, desc, state, nullptr, __uuidof(ID3D12Resource),
                                      nullptr);
  };
  const D3D12_RESOURCE_DESC buffer = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  D3D12_RESOURCE_DESC texture = buffer;
  texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  EXPECT_EQ(place(&buffer, 0, D3D12_RESOURCE_STATE_GENERIC_READ), S_FALSE);
  EXPECT_EQ(place(&buffer, 0, D3D12_RESOURCE_STATE_COMMON), E_INVALIDARG) << "fixed state";
  EXPECT_EQ(place(&buffer, 131072, D3D12_RESOURCE_STATE_GENERIC_READ), E_INVALIDARG) << "behind the end";
  EXPECT_EQ(place(&texture, 0, D3D12_RESOURCE_STATE_GENERIC_READ), E_NOTIMPL);
  EXPECT_EQ(place(nullptr, 0, D3D12_RESOURCE_STATE_GENERIC_READ), E_INVALIDARG);
}

// Memory is always visible; unmapping it says only that the CPU is done.
TEST_F(ResourceTest, WhatWasMappedStays) {
  const auto buffer = MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 16);
  const D3D12_RANGE all = {0, 16};
  void* data = nullptr;
  ASSERT_EQ(buffer->Map(0, &all, &data), S_OK);
  std::memcpy(data, "0123456789abcdef", 16);
  buffer->Unmap(0, &all);
  void* again = nullptr;
  ASSERT_EQ(buffer->Map(0, nullptr, &again), S_OK);
  EXPECT_EQ(again, data);
  EXPECT_EQ(std::memcmp(again, "0123456789abcdef", 16), 0);
  buffer->Unmap(0, nullptr);
}

TEST_F(ResourceTest, WhatLiesAroundABufferIsForbidden) {
  if (__asan_address_is_poisoned == nullptr) GTEST_SKIP() << "only AddressSanitizer knows";
  for (const UINT64 width : {UINT64{1}, UINT64{100}, UINT64{4096}, UINT64{65536}}) {
    const ComPtr<ID3D12Resource> buffer = MakeBuffer(width);
    const auto* bytes = Data<std::byte>(buffer.Get());
    EXPECT_EQ(__asan_address_is_poisoned(bytes), 0) << width;
    EXPECT_EQ(__asan_address_is_poisoned(bytes + width - 1), 0) << width;
    EXPECT_NE(__asan_address_is_poisoned(bytes + width), 0) << width;
    EXPECT_NE(__asan_address_is_poisoned(bytes + width + 4000), 0) << width;
  }
}

TEST_F(ResourceTest, BuffersSayWhereTheyAre) {
  const D3D12_RESOURCE_DESC desc = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  ComPtr<ID3D12Resource> committed;
  ASSERT_EQ(d3d_->CreateCommittedResource(&kCustom, D3D12_HEAP_FLAG_CREATE_NOT_ZEROED, &desc,
                                          D3D12_RESOURCE_STATE_COMMON, nullptr, IID_PPV_ARGS(&committed)),
            S_OK);
  D3D12_HEAP_PROPERTIES properties = {};
  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
  EXPECT_EQ(committed->GetHeapProperties(&properties, &flags), S_OK);
  EXPECT_EQ(std::memcmp(&properties, &kCustom, sizeof(properties)), 0);
  EXPECT_EQ(flags, D3D12_HEAP_FLAG_CREATE_NOT_ZEROED);
  EXPECT_EQ(committed->GetHeapProperties(nullptr, nullptr), S_OK) << "both are optional";
  const D3D12_HEAP_DESC heap_desc = {65536, kDefault, 0, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  ComPtr<ID3D12Resource> placed;
  ASSERT_EQ(d3d_->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                       IID_PPV_ARGS(&placed)),
            S_OK);
  EXPECT_EQ(placed->GetHeapProperties(&properties, &flags), S_OK);
  EXPECT_EQ(std::memcmp(&properties, &kDefault, sizeof(properties)), 0) << "those of its heap";
  EXPECT_EQ(flags, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS);
}

TEST_F(ResourceTest, CustomHeapsWithoutCpuAccessAreNotMapped) {
  D3D12_HEAP_PROPERTIES hidden = kCustom;
  hidden.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
  const auto buffer = MakeBuffer(64, hidden, D3D12_RESOURCE_FLAG_NONE, D3D12_RESOURCE_STATE_COMMON);
  void* data = this;
  EXPECT_EQ(buffer->Map(0, nullptr, &data), E_INVALIDARG);
  EXPECT_EQ(data, nullptr);
}

TEST_F(ResourceTest, SubresourcesAreForTextures) {
  const auto buffer = MakeBufferOf(std::vector<uint32_t>(4, 7));
  uint32_t outside[4] = {1, 2, 3, 4};
  EXPECT_EQ(buffer->WriteToSubresource(0, nullptr, outside, 16, 16), E_NOTIMPL);
  EXPECT_EQ(Read<uint32_t>(buffer.Get(), 4), std::vector<uint32_t>(4, 7));
  EXPECT_EQ(buffer->ReadFromSubresource(outside, 16, 16, 0, nullptr), E_NOTIMPL);
  EXPECT_EQ(outside[0], 1u);
}

TEST_F(ResourceTest, FootprintsOfWhatIsNoBuffer) {
  D3D12_RESOURCE_DESC texture = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  texture.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  const D3D12_RESOURCE_DESC buffer = BufferDesc(64, D3D12_RESOURCE_FLAG_NONE);
  const auto expect_none = [&](const D3D12_RESOURCE_DESC* desc, UINT first, UINT count) {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layouts[2] = {};
    UINT rows[2] = {};
    UINT64 row_sizes[2] = {};
    UINT64 total = 0;
    d3d_->GetCopyableFootprints(desc, first, count, 0, layouts, rows, row_sizes, &total);
    for (UINT i = 0; i < count; ++i) {
      EXPECT_EQ(layouts[i].Offset, ~UINT64{0});
      EXPECT_EQ(rows[i], UINT_MAX);
      EXPECT_EQ(row_sizes[i], ~UINT64{0});
    }
    EXPECT_EQ(total, ~UINT64{0}) << "Direct3D 12's way to say that something is wrong";
  };
  expect_none(&texture, 0, 1);
  expect_none(nullptr, 0, 1);
  expect_none(&buffer, 1, 1);
  expect_none(&buffer, 0, 2);
  d3d_->GetCopyableFootprints(&buffer, 0, 1, 0, nullptr, nullptr, nullptr, nullptr);
}

TEST_F(ResourceTest, ResidencyOfNothing) {
  ID3D12Pageable* objects[] = {fence_.Get(), nullptr};
  EXPECT_EQ(d3d_->MakeResident(2, objects), E_INVALIDARG);
  EXPECT_EQ(d3d_->Evict(2, objects), E_INVALIDARG);
  EXPECT_EQ(d3d_->MakeResident(1, objects), S_OK);
  EXPECT_EQ(d3d_->MakeResident(0, nullptr), S_OK);
}

}  // namespace
}  // namespace residue::testing
