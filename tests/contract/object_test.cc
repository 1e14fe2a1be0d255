// Contract, section 3: IDMLObject, lifetimes and threads (R31-R44).
#include <cwchar>
#include <thread>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

constexpr GUID kKey = {0x11112222, 0x3333, 0x4444, {1, 2, 3, 4, 5, 6, 7, 8}};
constexpr GUID kOtherKey = {0x11112222, 0x3333, 0x4444, {1, 2, 3, 4, 5, 6, 7, 9}};
constexpr GUID kNameKey = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};

TEST_F(ContractTest, R031_PrivateDataIsCopiedAndReplaced) {
  int value = 41;
  ASSERT_EQ(dml_->SetPrivateData(kKey, sizeof(value), &value), S_OK);
  value = 42;
  int read = 0;
  UINT size = sizeof(read);
  ASSERT_EQ(dml_->GetPrivateData(kKey, &size, &read), S_OK);
  EXPECT_EQ(read, 41);
  ASSERT_EQ(dml_->SetPrivateData(kKey, sizeof(value), &value), S_OK);
  ASSERT_EQ(dml_->GetPrivateData(kKey, &size, &read), S_OK);
  EXPECT_EQ(read, 42);
  size = sizeof(read);
  EXPECT_EQ(dml_->GetPrivateData(kOtherKey, &size, &read), DXGI_ERROR_NOT_FOUND) << "keys are kept apart";
}

TEST_F(ContractTest, R031_PrivateDataIsThreadSafe) {
  std::vector<std::thread> threads;
  for (UINT t = 0; t < 8; ++t) {
    threads.emplace_back([this, t] {
      for (UINT i = 0; i < 200; ++i) {
        const UINT64 value = t;
        dml_->SetPrivateData(i % 2 == 0 ? kKey : kOtherKey, sizeof(value), &value);
        UINT64 read = 99;
        UINT size = sizeof(read);
        if (dml_->GetPrivateData(kKey, &size, &read) == S_OK) {
          EXPECT_LT(read, 8u);
        }
        dml_->SetName(L"device");
        if (i % 16 == 0) dml_->SetPrivateData(kKey, 0, nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ContractTest, R032_NullDataDeletes) {
  const int value = 1;
  ASSERT_EQ(dml_->SetPrivateData(kKey, sizeof(value), &value), S_OK);
  EXPECT_EQ(dml_->SetPrivateData(kKey, 4, nullptr), E_INVALIDARG);
  UINT size = 0;
  EXPECT_EQ(dml_->GetPrivateData(kKey, &size, nullptr), S_OK);
  EXPECT_EQ(dml_->SetPrivateData(kKey, 0, nullptr), S_OK);
  EXPECT_EQ(dml_->GetPrivateData(kKey, &size, nullptr), DXGI_ERROR_NOT_FOUND);
}

TEST_F(ContractTest, R033_SizeOfPrivateData) {
  const char text[] = "seven!";
  ASSERT_EQ(dml_->SetPrivateData(kKey, sizeof(text), text), S_OK);
  UINT size = 0;
  EXPECT_EQ(dml_->GetPrivateData(kKey, &size, nullptr), S_OK);
  EXPECT_EQ(size, 7u);
  EXPECT_EQ(dml_->GetPrivateData(kKey, nullptr, nullptr), E_INVALIDARG);
}

TEST_F(ContractTest, R034_TooSmallABuffer) {
  const UINT64 value = 5;
  ASSERT_EQ(dml_->SetPrivateData(kKey, sizeof(value), &value), S_OK);
  UINT64 read = 77;
  UINT size = 7;
  EXPECT_EQ(dml_->GetPrivateData(kKey, &size, &read), DXGI_ERROR_MORE_DATA);
  EXPECT_EQ(size, 8u);
  EXPECT_EQ(read, 77u);
}

TEST_F(ContractTest, R035_NoSuchPrivateData) {
  UINT size = 8;
  UINT64 read = 77;
  EXPECT_EQ(dml_->GetPrivateData(kKey, &size, &read), DXGI_ERROR_NOT_FOUND);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(read, 77u);
}

TEST_F(ContractTest, R036_PrivateInterfacesAreCounted) {
  const auto op = MakeModulus(kFloor, Float32({4}));
  const ULONG before = CountReferences(fence_.Get());
  ASSERT_EQ(op->SetPrivateDataInterface(kKey, fence_.Get()), S_OK);
  EXPECT_EQ(CountReferences(fence_.Get()), before + 1);
  {
    ComPtr<ID3D12Fence> read;
    UINT size = sizeof(void*);
    ASSERT_EQ(op->GetPrivateData(kKey, &size, read.GetAddressOf()), S_OK);
    EXPECT_EQ(size, sizeof(void*));
    EXPECT_EQ(read.Get(), fence_.Get());
    EXPECT_EQ(CountReferences(fence_.Get()), before + 2);
  }
  ASSERT_EQ(op->SetPrivateDataInterface(kKey, fence_.Get()), S_OK);
  EXPECT_EQ(CountReferences(fence_.Get()), before + 1) << "replaced by itself";
  ASSERT_EQ(op->SetPrivateDataInterface(kKey, nullptr), S_OK);
  EXPECT_EQ(CountReferences(fence_.Get()), before) << "null deletes";
  ASSERT_EQ(op->SetPrivateDataInterface(kKey, fence_.Get()), S_OK);
  const int value = 0;
  ASSERT_EQ(op->SetPrivateData(kKey, sizeof(value), &value), S_OK);
  EXPECT_EQ(CountReferences(fence_.Get()), before) << "replaced by data";
  {
    const auto dying = MakeModulus(kFloor, Float32({4}));
    ASSERT_EQ(dying->SetPrivateDataInterface(kKey, fence_.Get()), S_OK);
    EXPECT_EQ(CountReferences(fence_.Get()), before + 1);
  }
  EXPECT_EQ(CountReferences(fence_.Get()), before) << "died with the object";
}

TEST_F(ContractTest, R037_NameIsPrivateDataUnderItsKey) {
  const auto op = MakeModulus(kFloor, Float32({4}));
  const WCHAR name[] = L"wr\u00e9ath \u4e2d";
  ASSERT_EQ(op->SetName(name), S_OK);
  WCHAR read[16] = {};
  UINT size = sizeof(read);
  ASSERT_EQ(op->GetPrivateData(kNameKey, &size, read), S_OK);
  EXPECT_EQ(size, sizeof(name));
  EXPECT_EQ(std::wcscmp(read, name), 0);
}

// R38 and R39 from both sides: what is held, and what is not.
TEST_F(ContractTest, R038_StrongReferencesInsideDirectML) {
  ComPtr<IDMLDevice1> device = MakeDevice();
  Tensor a = Float32({4});
  Tensor b = a;
  Tensor out = a;
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(TryCreate(kFloor, a, b, out, &op, device.Get()), S_OK);
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(device->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK);
  EXPECT_EQ(CountReferences(op.Get()), 2u) << "by the compiled operator";
  IDMLCompiledOperator* targets[] = {compiled.Get()};
  ComPtr<IDMLOperatorInitializer> initializer;
  ASSERT_EQ(device->CreateOperatorInitializer(1, targets, IID_PPV_ARGS(&initializer)), S_OK);
  EXPECT_EQ(CountReferences(compiled.Get()), 2u) << "by the initializer";
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  ComPtr<IDMLBindingTable> table;
  ASSERT_EQ(device->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
  EXPECT_EQ(CountReferences(compiled.Get()), 3u) << "by the binding table";
  // Any order of release: the table is last and keeps everything.
  device.Reset();
  op.Reset();
  compiled.Reset();
  initializer.Reset();
  ComPtr<IDMLDevice> again;
  EXPECT_EQ(table->GetDevice(IID_PPV_ARGS(&again)), S_OK);
}

TEST_F(ContractTest, R039_NotHeldByTablesAndRecorders) {
  const auto compiled = CompileModulus(kFloor, Float32({4}));
  const auto a = MakeBuffer(16);
  const auto b = MakeBuffer(16);
  const auto out = MakeBuffer(16);
  Initialize(compiled.Get());
  const ULONG heap = CountReferences(descriptors_.Get());
  const auto table = MakeTable(compiled.Get());
  EXPECT_EQ(CountReferences(descriptors_.Get()), heap);
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  for (ID3D12Resource* resource : {a.Get(), b.Get(), out.Get()}) EXPECT_EQ(CountReferences(resource), 1u);
  const ULONG list = CountReferences(list_.Get());
  const ULONG dispatchable = CountReferences(compiled.Get());
  Record(compiled.Get(), table.Get());
  EXPECT_EQ(CountReferences(list_.Get()), list);
  EXPECT_EQ(CountReferences(compiled.Get()), dispatchable);
  EXPECT_EQ(CountReferences(table.Get()), 1u);
  ExecuteList();
}

// Undefined in the contract; ours is safe and even right.
TEST_F(ContractTest, R040_EarlyReleaseIsSafe) {
  ComPtr<IDMLCompiledOperator> compiled = CompileModulus(kFloor, Int32({4}));
  Initialize(compiled.Get());
  ComPtr<ID3D12Resource> a = MakeBufferOf<int32_t>({-7, 7, -8, 8});
  ComPtr<ID3D12Resource> b = MakeBufferOf<int32_t>({3, 3, 3, -3});
  const auto out = MakeBuffer(16);
  ComPtr<IDMLBindingTable> table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  table.Reset();
  compiled.Reset();
  a.Reset();
  b.Reset();
  recorder_.Reset();
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(out.Get(), 4), (std::vector<int32_t>{2, 1, 1, -1}));
}

TEST_F(ContractTest, R041_CompiledOperatorsAndRecordersAreThreadSafe) {
  const auto compiled = CompileModulus(kFloor, Int32({64}));
  Initialize(compiled.Get());
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const auto [allocator, list] = MakeList();
      ComPtr<ID3D12Fence> fence;
      d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence));
      const auto a = MakeBufferOf(std::vector<int32_t>(64, -100 - t));
      const auto b = MakeBufferOf(std::vector<int32_t>(64, 7));
      const auto out = MakeBuffer(256);
      const auto table = MakeTable(compiled.Get());
      for (UINT64 i = 1; i <= 20; ++i) {
        BindInputs(table.Get(), {a, b});
        BindOutputs(table.Get(), {out});
        recorder_->RecordDispatch(list.Get(), compiled.Get(), table.Get());
        list->Close();
        ID3D12CommandList* lists[] = {list.Get()};
        queue_->ExecuteCommandLists(1, lists);
        queue_->Signal(fence.Get(), i);
        fence->SetEventOnCompletion(i, nullptr);
        allocator->Reset();
        list->Reset(allocator.Get(), nullptr);
        SetHeaps(list.Get());
        const int32_t expected = ((-100 - t) % 7 + 7) % 7;
        wrong += Read<int32_t>(out.Get(), 64) != std::vector<int32_t>(64, expected);
        wrong += compiled->GetBindingProperties().RequiredDescriptorCount != 3;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R042_TablesShareNoHiddenState) {
  const auto compiled = CompileModulus(kFloor, Float32({4}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const auto buffer = MakeBuffer(16);
      const auto out = MakeBuffer(16);
      const auto table = MakeTable(compiled.Get());
      for (int i = 0; i < 100; ++i) {
        BindInputs(table.Get(), {buffer, buffer});
        BindOutputs(table.Get(), {out});
        const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
        table->Reset(&desc);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R043_DescriptionsAreReadDuringTheCallOnly) {
  ComPtr<IDMLOperator> op;
  {
    auto a = std::make_unique<Tensor>(DML_TENSOR_DATA_TYPE_INT32, std::vector<UINT>{2, 2},
                                      std::vector<UINT>{2, 1});
    auto b = std::make_unique<Tensor>(*a);
    auto out = std::make_unique<Tensor>(*a);
    ASSERT_EQ(TryCreate(kFloor, *a, *b, *out, &op), S_OK);
    a->sizes = {0, 0};
    a->strides = {9, 9};
  }
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<int32_t>({-7, 7, -8, 8});
  const auto y = MakeBufferOf<int32_t>({3, 3, 3, 3});
  const auto out = MakeBuffer(16);
  Run(compiled.Get(), {x, y}, {out});
  EXPECT_EQ(Read<int32_t>(out.Get(), 4), (std::vector<int32_t>{2, 1, 1, 2}));
}

TEST_F(ContractTest, R044_QueryInterfaceObeysCom) {
  const auto op = MakeModulus(kFloor, Float32({4}));
  const auto compiled = Compile(op.Get());
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto table = MakeTable(compiled.Get());
  const std::pair<IUnknown*, std::vector<IID>> objects[] = {
      {dml_.Get(), {__uuidof(IDMLObject), __uuidof(IDMLDevice), __uuidof(IDMLDevice1)}},
      {op.Get(), {__uuidof(IDMLObject), __uuidof(IDMLDeviceChild), __uuidof(IDMLOperator)}},
      {compiled.Get(),
       {__uuidof(IDMLObject), __uuidof(IDMLDeviceChild), __uuidof(IDMLPageable), __uuidof(IDMLDispatchable),
        __uuidof(IDMLCompiledOperator)}},
      {initializer.Get(),
       {__uuidof(IDMLObject), __uuidof(IDMLDeviceChild), __uuidof(IDMLPageable), __uuidof(IDMLDispatchable),
        __uuidof(IDMLOperatorInitializer)}},
      {table.Get(), {__uuidof(IDMLObject), __uuidof(IDMLDeviceChild), __uuidof(IDMLBindingTable)}},
      {recorder_.Get(), {__uuidof(IDMLObject), __uuidof(IDMLDeviceChild), __uuidof(IDMLCommandRecorder)}},
  };
  for (const auto& [object, interfaces] : objects) {
    ComPtr<IUnknown> identity;
    ASSERT_EQ(object->QueryInterface(__uuidof(IUnknown), reinterpret_cast<void**>(identity.GetAddressOf())),
              S_OK);
    for (const IID& iid : interfaces) {
      ComPtr<IUnknown> face;
      ASSERT_EQ(object->QueryInterface(iid, reinterpret_cast<void**>(face.GetAddressOf())), S_OK);
      ComPtr<IUnknown> back;
      ASSERT_EQ(face->QueryInterface(__uuidof(IUnknown), reinterpret_cast<void**>(back.GetAddressOf())),
                S_OK);
      EXPECT_EQ(back.Get(), identity.Get()) << "one identity for all interfaces";
    }
    void* none = this;
    EXPECT_EQ(object->QueryInterface(kKey, &none), E_NOINTERFACE);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(object->QueryInterface(__uuidof(IUnknown), nullptr), E_POINTER);
  }
}

}  // namespace
}  // namespace residue::testing
