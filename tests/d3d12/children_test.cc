// What all objects of a device have in common: private data, names, their device; and what each says of
// itself.
#include <string>
#include <vector>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

constexpr GUID kKey = {0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}};
// WKPDID_D3DDebugObjectNameW
constexpr GUID kNameKey = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};

class ChildrenTest : public DmlTest {
 protected:
  ComPtr<ID3D12Heap> MakeHeap() {
    const D3D12_HEAP_DESC desc = {
        65536,
        {D3D12_HEAP_TYPE_DEFAULT, D3D12_CPU_PAGE_PROPERTY_UNKNOWN, D3D12_MEMORY_POOL_UNKNOWN, 1, 1},
        0,
        D3D12_HEAP_FLAG_NONE};
    ComPtr<ID3D12Heap> heap;
    EXPECT_EQ(d3d_->CreateHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    return heap;
  }
  std::vector<ComPtr<ID3D12DeviceChild>> OneOfEach() {
    std::vector<ComPtr<ID3D12DeviceChild>> children;
    const auto heap = MakeHeap();
    const auto buffer = MakeBuffer(64);
    for (ID3D12DeviceChild* child :
         std::initializer_list<ID3D12DeviceChild*>{queue_.Get(), allocator_.Get(), list_.Get(), fence_.Get(),
                                                   descriptors_.Get(), heap.Get(), buffer.Get()}) {
      children.emplace_back(child);
    }
    return children;
  }
};

void ExpectPrivateBytes(ID3D12Object* object) {
  const uint32_t value = 0x12345678;
  uint32_t found = 0;
  UINT size = sizeof(found);
  EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), DXGI_ERROR_NOT_FOUND);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(object->SetPrivateData(kKey, sizeof(value), nullptr), E_INVALIDARG);
  EXPECT_EQ(object->SetPrivateData(kKey, sizeof(value), &value), S_OK);
  EXPECT_EQ(object->GetPrivateData(kKey, nullptr, &found), E_INVALIDARG);
  EXPECT_EQ(object->GetPrivateData(kKey, &size, nullptr), S_OK) << "how much room is needed?";
  EXPECT_EQ(size, sizeof(value));
  size = sizeof(value) - 1;
  EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), DXGI_ERROR_MORE_DATA);
  EXPECT_EQ(size, sizeof(value));
  EXPECT_EQ(found, 0u) << "nothing was written so far";
  EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), S_OK);
  EXPECT_EQ(found, value);
  EXPECT_EQ(object->SetPrivateData(kKey, 0, &value), S_OK) << "no bytes are data too";
  EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), S_OK);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(object->SetPrivateData(kKey, 0, nullptr), S_OK) << "nothing removes it";
  EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), DXGI_ERROR_NOT_FOUND);
}

void ExpectPrivateInterfaces(ID3D12Object* object, IUnknown* other) {
  const ULONG before = CountReferences(other);
  EXPECT_EQ(object->SetPrivateDataInterface(kKey, other), S_OK);
  EXPECT_EQ(CountReferences(other), before + 1);
  ComPtr<IUnknown> found;
  UINT size = sizeof(void*);
  EXPECT_EQ(object->GetPrivateData(kKey, &size, found.GetAddressOf()), S_OK);
  EXPECT_EQ(size, sizeof(void*));
  EXPECT_EQ(found.Get(), other);
  EXPECT_EQ(CountReferences(other), before + 2) << "the caller's own";
  EXPECT_EQ(object->SetPrivateDataInterface(kKey, nullptr), S_OK);
  found.Reset();
  EXPECT_EQ(CountReferences(other), before);
}

void ExpectNames(ID3D12Object* object) {
  EXPECT_EQ(object->SetName(nullptr), E_INVALIDARG);
  EXPECT_EQ(object->SetName(L"first"), S_OK);
  EXPECT_EQ(object->SetName(L"second one"), S_OK);
  WCHAR name[64] = {};
  UINT size = sizeof(name);
  EXPECT_EQ(object->GetPrivateData(kNameKey, &size, name), S_OK);
  EXPECT_EQ(std::wstring(name), L"second one");
}

TEST_F(ChildrenTest, PrivateDataAndNames) {
  const auto other = MakeBuffer(4);
  ExpectPrivateBytes(d3d_.Get());
  ExpectPrivateInterfaces(d3d_.Get(), other.Get());
  ExpectNames(d3d_.Get());
  const auto children = OneOfEach();
  for (size_t i = 0; i < children.size(); ++i) {
    SCOPED_TRACE("child " + std::to_string(i));
    ExpectPrivateBytes(children[i].Get());
    ExpectPrivateInterfaces(children[i].Get(), other.Get());
    ExpectNames(children[i].Get());
  }
}

// What an object holds goes with it.
TEST_F(ChildrenTest, PrivateInterfacesDieWithTheirObject) {
  const ULONG before = CountReferences(fence_.Get());
  ComPtr<ID3D12Heap> heap = MakeHeap();
  ASSERT_EQ(heap->SetPrivateDataInterface(kKey, fence_.Get()), S_OK);
  EXPECT_EQ(CountReferences(fence_.Get()), before + 1);
  heap.Reset();
  EXPECT_EQ(CountReferences(fence_.Get()), before);
}

TEST_F(ChildrenTest, ChildrenKnowTheirDevice) {
  const auto children = OneOfEach();
  const ULONG before = CountReferences(d3d_.Get());
  for (const auto& child : children) {
    ComPtr<ID3D12Device> device;
    EXPECT_EQ(child->GetDevice(IID_PPV_ARGS(&device)), S_OK);
    EXPECT_EQ(device.Get(), d3d_.Get());
    EXPECT_EQ(CountReferences(d3d_.Get()), before + 1);
    void* none = this;
    EXPECT_EQ(child->GetDevice(__uuidof(ID3D12Fence), &none), E_NOINTERFACE);
    EXPECT_EQ(none, nullptr);
  }
}

// Lists and their allocators cannot be evicted; the rest can.
TEST_F(ChildrenTest, Pageables) {
  const auto children = OneOfEach();
  for (const auto& child : children) {
    ComPtr<ID3D12Pageable> pageable;
    const bool is_list = child.Get() == static_cast<ID3D12DeviceChild*>(list_.Get());
    EXPECT_EQ(child.As(&pageable), is_list ? E_NOINTERFACE : S_OK);
    ComPtr<ID3D12Object> object;
    EXPECT_EQ(child.As(&object), S_OK);
    ComPtr<IDMLDevice> foreign;
    EXPECT_EQ(child.As(&foreign), E_NOINTERFACE);
  }
}

TEST_F(ChildrenTest, QueuesDescribeThemselves) {
  for (const D3D12_COMMAND_LIST_TYPE type :
       {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY}) {
    const D3D12_COMMAND_QUEUE_DESC desc = {type, D3D12_COMMAND_QUEUE_PRIORITY_HIGH,
                                           D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT, 1};
    ComPtr<ID3D12CommandQueue> queue;
    ASSERT_EQ(d3d_->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)), S_OK);
    const D3D12_COMMAND_QUEUE_DESC said = queue->GetDesc();
    EXPECT_EQ(said.Type, type);
    EXPECT_EQ(said.Priority, INT{D3D12_COMMAND_QUEUE_PRIORITY_HIGH});
    EXPECT_EQ(said.Flags, D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT);
    EXPECT_EQ(said.NodeMask, 1u);
  }
}

TEST_F(ChildrenTest, WrongQueues) {
  const D3D12_COMMAND_QUEUE_DESC good = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  D3D12_COMMAND_QUEUE_DESC bundle = good;
  bundle.Type = D3D12_COMMAND_LIST_TYPE_BUNDLE;
  D3D12_COMMAND_QUEUE_DESC video = good;
  video.Type = D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE;
  D3D12_COMMAND_QUEUE_DESC second_node = good;
  second_node.NodeMask = 2;
  EXPECT_EQ(d3d_->CreateCommandQueue(&good, __uuidof(ID3D12CommandQueue), nullptr), S_FALSE);
  for (const D3D12_COMMAND_QUEUE_DESC* desc :
       std::initializer_list<const D3D12_COMMAND_QUEUE_DESC*>{&bundle, &video, &second_node, nullptr}) {
    void* none = this;
    EXPECT_EQ(d3d_->CreateCommandQueue(desc, __uuidof(ID3D12CommandQueue), &none), E_INVALIDARG);
    EXPECT_EQ(none, nullptr);
  }
}

TEST_F(ChildrenTest, WrongAllocatorsAndLists) {
  void* none = nullptr;
  for (const auto type : {D3D12_COMMAND_LIST_TYPE_NONE, D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE}) {
    none = this;
    EXPECT_EQ(d3d_->CreateCommandAllocator(type, __uuidof(ID3D12CommandAllocator), &none), E_INVALIDARG);
    EXPECT_EQ(none, nullptr);
  }
  ComPtr<ID3D12CommandAllocator> copying;
  ASSERT_EQ(d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY, IID_PPV_ARGS(&copying)), S_OK);
  auto* const state = reinterpret_cast<ID3D12PipelineState*>(fence_.Get());  // is not followed
  const auto create = [&](UINT node_mask, D3D12_COMMAND_LIST_TYPE type, ID3D12PipelineState* with) {
    none = this;
    const HRESULT hr = d3d_->CreateCommandList(node_mask, type, copying.Get(), with,
                                               __uuidof(ID3D12GraphicsCommandList), &none);
    EXPECT_EQ(none, nullptr);
    return hr;
  };
  EXPECT_EQ(create(2, D3D12_COMMAND_LIST_TYPE_COPY, nullptr), E_INVALIDARG) << "there is one node";
  EXPECT_EQ(create(0, D3D12_COMMAND_LIST_TYPE_COPY, state), E_INVALIDARG) << "no pipelines";
  EXPECT_EQ(create(0, D3D12_COMMAND_LIST_TYPE_BUNDLE, nullptr), E_NOTIMPL);
  EXPECT_EQ(create(0, D3D12_COMMAND_LIST_TYPE_DIRECT, nullptr), E_INVALIDARG) << "of another type";
  // None of these has kept the allocator.
  ComPtr<ID3D12GraphicsCommandList> list;
  ASSERT_EQ(
      d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COPY, copying.Get(), nullptr, IID_PPV_ARGS(&list)),
      S_OK);
  EXPECT_EQ(list->GetType(), D3D12_COMMAND_LIST_TYPE_COPY);
  ASSERT_EQ(list->Close(), S_OK);
  EXPECT_EQ(list->Reset(copying.Get(), state), E_INVALIDARG);
  EXPECT_EQ(copying->Reset(), S_OK) << "the failed reset has not kept it";
  list.Reset();
}

// A list that is released while it records leaves its allocator free.
TEST_F(ChildrenTest, AnOpenListsEndFreesItsAllocator) {
  EXPECT_EQ(allocator_->Reset(), E_FAIL);
  list_.Reset();
  EXPECT_EQ(allocator_->Reset(), S_OK);
}

TEST_F(ChildrenTest, ListsOfAnotherTypeAreNotExecuted) {
  ComPtr<ID3D12CommandAllocator> allocator;
  ASSERT_EQ(d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COPY, IID_PPV_ARGS(&allocator)), S_OK);
  ComPtr<ID3D12GraphicsCommandList> list;
  ASSERT_EQ(
      d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COPY, allocator.Get(), nullptr, IID_PPV_ARGS(&list)),
      S_OK);
  ASSERT_EQ(list->Close(), S_OK);
  ID3D12CommandList* lists[] = {list.Get()};
  queue_->ExecuteCommandLists(1, nullptr);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK) << "no lists, no harm";
  queue_->ExecuteCommandLists(1, lists);
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), DXGI_ERROR_INVALID_CALL);
}

TEST_F(ChildrenTest, SharedFencesNeedADriver) {
  void* none = this;
  EXPECT_EQ(d3d_->CreateFence(0, D3D12_FENCE_FLAG_SHARED, __uuidof(ID3D12Fence), &none), E_NOTIMPL);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(queue_->Signal(nullptr, 1), E_INVALIDARG);
  EXPECT_EQ(queue_->Wait(nullptr, 1), E_INVALIDARG);
}

}  // namespace
}  // namespace residue::testing
