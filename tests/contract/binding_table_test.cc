// Contract, section 8: binding tables (R116-R139).
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

TEST_F(ContractTest, R116_EmptyTables) {
  ComPtr<IDMLBindingTable> table;
  ASSERT_EQ(dml_->CreateBindingTable(nullptr, IID_PPV_ARGS(&table)), S_OK);
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  EXPECT_EQ(table->Reset(&desc), S_OK);
  const auto buffer = MakeBuffer(8);
  BindInputs(table.Get(), {buffer, buffer});
  EXPECT_FALSE(IsRemoved());

  const std::function<void(IDMLBindingTable*)> uses[] = {
      [](auto* t) { t->BindInputs(0, nullptr); }, [](auto* t) { t->BindOutputs(0, nullptr); },
      [](auto* t) { t->BindTemporaryResource(nullptr); }, [](auto* t) { t->BindPersistentResource(nullptr); },
      [this](auto* t) { Record(CompileModulus(kFloor, Int32({2})).Get(), t); }};
  for (const auto& use : uses) {
    EXPECT_TRUE(Removes([&] {
      ComPtr<IDMLBindingTable> empty;
      ASSERT_EQ(dml_->CreateBindingTable(nullptr, IID_PPV_ARGS(&empty)), S_OK);
      use(empty.Get());
    }));
  }
}

TEST_F(ContractTest, R117_DispatchableIsRequired) {
  DML_BINDING_TABLE_DESC desc = TableDesc(nullptr);
  void* table = this;
  EXPECT_EQ(dml_->CreateBindingTable(&desc, __uuidof(IDMLBindingTable), &table), E_INVALIDARG);
  EXPECT_EQ(table, nullptr);
}

TEST_F(ContractTest, R118_EnoughDescriptors) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  for (const UINT size : {0u, 1u, 2u}) {
    desc.SizeInDescriptors = size;
    void* table = this;
    EXPECT_EQ(dml_->CreateBindingTable(&desc, __uuidof(IDMLBindingTable), &table), E_INVALIDARG) << size;
  }
  for (const UINT size : {3u, 4u, 64u}) {
    desc.SizeInDescriptors = size;
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK) << size;
  }
}

TEST_F(ContractTest, R119_HandlesMustBeSet) {
  const auto initializer = MakeInitializer({});  // needs no descriptors at all
  DML_BINDING_TABLE_DESC desc = TableDesc(initializer.Get());
  desc.SizeInDescriptors = 0;
  ComPtr<IDMLBindingTable> table;
  EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
  desc.CPUDescriptorHandle.ptr = 0;
  EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), E_INVALIDARG);
  desc = TableDesc(initializer.Get());
  desc.GPUDescriptorHandle.ptr = 0;
  EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), E_INVALIDARG);
}

// A CPU needs no descriptors: whatever lies in the heap stays as it is.
TEST_F(ContractTest, R120_NoDescriptorBeyondTheRangeIsWritten) {
  const auto target = MakeBufferOf<uint32_t>({1, 1, 1, 1});
  D3D12_UNORDERED_ACCESS_VIEW_DESC view = {};
  view.Format = DXGI_FORMAT_R32_UINT;
  view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  view.Buffer.NumElements = 4;
  D3D12_CPU_DESCRIPTOR_HANDLE after = descriptors_->GetCPUDescriptorHandleForHeapStart();
  after.ptr += 3 * d3d_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  d3d_->CreateUnorderedAccessView(target.Get(), nullptr, &view, after);
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  desc.SizeInDescriptors = 3;
  ComPtr<IDMLBindingTable> table;
  ASSERT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
  const auto buffer = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  BindInputs(table.Get(), {buffer, buffer});
  BindOutputs(table.Get(), {out});
  const UINT values[4] = {9, 9, 9, 9};
  list_->ClearUnorderedAccessViewUint({after.ptr}, after, target.Get(), values, 0, nullptr);
  ExecuteList();
  EXPECT_EQ(Read<uint32_t>(target.Get(), 4), (std::vector<uint32_t>{9, 9, 9, 9}));
}

TEST_F(ContractTest, R121_ResetDropsBindingsButNotRecordedWork) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  ASSERT_EQ(table->Reset(&desc), S_OK);
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1})) << "recorded before Reset";
  DML_BINDING_TABLE_DESC wrong = desc;
  wrong.SizeInDescriptors = 1;
  EXPECT_EQ(table->Reset(&wrong), E_INVALIDARG);
  wrong = desc;
  wrong.Dispatchable = nullptr;
  EXPECT_EQ(table->Reset(&wrong), E_INVALIDARG);
  EXPECT_FALSE(IsRemoved());
  Record(compiled.Get(), table.Get());
  EXPECT_TRUE(IsRemoved()) << "nothing is bound any more";
}

TEST_F(ContractTest, R122_BindingReplacesTheWholeSet) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto wrong = MakeBufferOf<int32_t>({1, 1});
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {wrong, wrong});
  BindOutputs(table.Get(), {wrong});
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
  for (const bool inputs : {true, false}) {
    EXPECT_TRUE(Removes([&] {
      const auto op = CompileModulus(kFloor, Int32({2}));
      const auto t = MakeTable(op.Get());
      BindInputs(t.Get(), {a, b});
      BindOutputs(t.Get(), {out});
      if (inputs) t->BindInputs(0, nullptr);
      if (!inputs) t->BindOutputs(0, nullptr);
      EXPECT_FALSE(IsRemoved()) << "unbinding is legal";
      Record(op.Get(), t.Get());
    }));
  }
}

TEST_F(ContractTest, R123_CountsMustMatch) {
  const auto buffer = MakeBuffer(8);
  const auto attempt = [&](UINT inputs, UINT outputs, bool null_array) {
    return Removes([&] {
      const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
      const DML_BUFFER_BINDING binding = {buffer.Get(), 0, 8};
      const std::vector<DML_BINDING_DESC> descs(8, {DML_BINDING_TYPE_BUFFER, &binding});
      if (inputs != 0) table->BindInputs(inputs, null_array ? nullptr : descs.data());
      if (outputs != 0) table->BindOutputs(outputs, null_array ? nullptr : descs.data());
    });
  };
  EXPECT_FALSE(attempt(2, 0, false));
  EXPECT_FALSE(attempt(0, 1, false));
  EXPECT_TRUE(attempt(1, 0, false));
  EXPECT_TRUE(attempt(3, 0, false));
  EXPECT_TRUE(attempt(0, 2, false));
  EXPECT_TRUE(attempt(2, 0, true));
  EXPECT_TRUE(attempt(0, 1, true));
}

TEST_F(ContractTest, R124_BindingTypes) {
  const auto buffer = MakeBuffer(8);
  const DML_BUFFER_BINDING binding = {buffer.Get(), 0, 8};
  const DML_BUFFER_BINDING null_buffer = {nullptr, 0, 0};
  const DML_BUFFER_ARRAY_BINDING array = {1, &binding};
  const auto attempt = [&](DML_BINDING_DESC desc) {
    const bool as_input = Removes([&] {
      const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
      const DML_BINDING_DESC descs[] = {desc, desc};
      table->BindInputs(2, descs);
    });
    const bool as_output = Removes([&] {
      const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
      table->BindOutputs(1, &desc);
    });
    EXPECT_EQ(as_input, as_output);
    return as_input;
  };
  EXPECT_FALSE(attempt({DML_BINDING_TYPE_BUFFER, &binding}));
  EXPECT_FALSE(attempt({DML_BINDING_TYPE_BUFFER, &null_buffer}));
  EXPECT_FALSE(attempt({DML_BINDING_TYPE_NONE, nullptr}));
  EXPECT_TRUE(attempt({DML_BINDING_TYPE_BUFFER_ARRAY, &array}));
  EXPECT_TRUE(attempt({DML_BINDING_TYPE_BUFFER, nullptr}));
  EXPECT_TRUE(attempt({AnyNumber<DML_BINDING_TYPE>(3), &binding}));
  EXPECT_TRUE(attempt({AnyNumber<DML_BINDING_TYPE>(-1), &binding}));
}

TEST_F(ContractTest, R125_AMissingTensorIsAnErrorOnlyWhenRecorded) {
  const auto buffer = MakeBuffer(8);
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({2}));
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {buffer, nullptr});
    BindOutputs(table.Get(), {buffer});
    EXPECT_FALSE(IsRemoved());
    Record(compiled.Get(), table.Get());
  }));
}

// The message says which one it is.
TEST_F(ContractTest, R125_MissingTemporaryAndPersistentResources) {
  Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {4}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  Tensor plain = Int32({4});
  const auto a = MakeBuffer(16);
  const auto b = MakeBuffer(16);
  const auto out = MakeBuffer(16);
  for (const bool temporary : {true, false}) {
    DebugStrings strings;
    recorder_.Reset();
    dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
    recorder_ = MakeRecorder(dml_.Get());
    const auto compiled = temporary ? CompileChain(MakeModulus(kFloor, plain).Get())
                                    : Compile(MakeOperator(kFloor, plain, owned, plain).Get());
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {a, temporary ? Binding(b) : Binding(nullptr, 0, 0)});
    BindOutputs(table.Get(), {out});
    ASSERT_FALSE(IsRemoved());
    Record(compiled.Get(), table.Get());
    EXPECT_TRUE(IsRemoved());
    EXPECT_TRUE(strings.Contains(temporary ? "the temporary resource is required, but not bound"
                                           : "the persistent resource is required, but not bound"));
  }
  ReplaceDevice();
}

TEST_F(ContractTest, R126_OnlyBuffers) {
  // Our Direct3D 12 makes no textures; a resource that is not ours is the nearest thing to one.
  class Foreign final : public ComObject<ID3D12Resource> {
   public:
    HRESULT GetPrivateData(REFGUID, UINT*, void*) override { return E_NOTIMPL; }
    HRESULT SetPrivateData(REFGUID, UINT, const void*) override { return E_NOTIMPL; }
    HRESULT SetPrivateDataInterface(REFGUID, const IUnknown*) override { return E_NOTIMPL; }
    HRESULT SetName(LPCWSTR) override { return E_NOTIMPL; }
    HRESULT GetDevice(REFIID, void**) override { return E_NOTIMPL; }
    HRESULT Map(UINT, const D3D12_RANGE*, void**) override { return E_NOTIMPL; }
    void Unmap(UINT, const D3D12_RANGE*) override {}
    D3D12_RESOURCE_DESC GetDesc() override { return {}; }
    D3D12_GPU_VIRTUAL_ADDRESS GetGPUVirtualAddress() override { return 0; }
    HRESULT WriteToSubresource(UINT, const D3D12_BOX*, const void*, UINT, UINT) override { return E_NOTIMPL; }
    HRESULT ReadFromSubresource(void*, UINT, UINT, UINT, const D3D12_BOX*) override { return E_NOTIMPL; }
    HRESULT GetHeapProperties(D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS*) override { return E_NOTIMPL; }

   private:
    void* FindInterface(REFIID iid) noexcept override {
      return MatchInterface<ID3D12Resource, IUnknown>(iid, this);
    }
  };
  const auto foreign = Ref<Foreign>::Adopt(new Foreign);
  EXPECT_TRUE(Removes([&] {
    const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
    BindOutputs(table.Get(), {{foreign.get(), 0, 8}});
  }));
}

// Whether binding this part of a 1024-byte buffer as the 8-byte output removes the device.
#define BINDING_REMOVES(offset, bytes)                                      \
  Removes([&] {                                                             \
    const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get()); \
    BindOutputs(table.Get(), {{buffer.Get(), (offset), (bytes)}});          \
  })

TEST_F(ContractTest, R127_RangesMustLieInTheResource) {
  const auto buffer = MakeBuffer(1024);
  EXPECT_FALSE(BINDING_REMOVES(0, 1024));
  EXPECT_FALSE(BINDING_REMOVES(1008, 16));
  EXPECT_TRUE(BINDING_REMOVES(0, 1025));
  EXPECT_TRUE(BINDING_REMOVES(1024, 8));
  EXPECT_TRUE(BINDING_REMOVES(1008, 17));
  EXPECT_TRUE(BINDING_REMOVES(~UINT64{15}, 32)) << "the sum wraps";
  EXPECT_TRUE(BINDING_REMOVES(16, ~UINT64{0}));
}

TEST_F(ContractTest, R128_BindingsMustHoldTheTensor) {
  const auto buffer = MakeBuffer(1024);
  EXPECT_TRUE(BINDING_REMOVES(0, 0));
  EXPECT_TRUE(BINDING_REMOVES(0, 4));
  EXPECT_TRUE(BINDING_REMOVES(0, 7));
  EXPECT_FALSE(BINDING_REMOVES(0, 8));
  EXPECT_FALSE(BINDING_REMOVES(0, 1000));
}

// Programs bind the elements alone. That is warned of if the resource has the bytes up to the next multiple
// of 4, and computes the same; otherwise they are missing.
TEST_F(ContractTest, R128_ElementsAloneAreWarnedOf) {
  for (const UINT count : {1u, 2u, 3u, 5u}) {
    const UINT rounded = (count + 3) / 4 * 4;
    const std::vector<uint8_t> a(rounded, 200);
    const std::vector<uint8_t> b(rounded, 7);
    const Tensor like(DML_TENSOR_DATA_TYPE_UINT8, {count});
    const auto compiled = CompileModulus(kFloor, like);
    Initialize(compiled.Get());
    const auto a_buffer = MakeBufferOf(a);
    const auto b_buffer = MakeBufferOf(b);
    const auto out = MakeBuffer(rounded);
    Run(compiled.Get(), {{a_buffer.Get(), 0, count}, {b_buffer.Get(), 0, count}}, {{out.Get(), 0, count}});
    ASSERT_FALSE(IsRemoved()) << count;
    EXPECT_EQ(Read<uint8_t>(out.Get(), count), std::vector<uint8_t>(count, 200 % 7));
    const auto bind = [&](ID3D12Resource* buffer, UINT64 bytes) {
      return Removes([&] {
        const auto table = MakeTable(CompileModulus(kFloor, like).Get());
        BindOutputs(table.Get(), {{buffer, 0, bytes}});
      });
    };
    EXPECT_FALSE(bind(out.Get(), count));
    EXPECT_TRUE(bind(out.Get(), count - 1)) << "elements are missing";
    EXPECT_TRUE(bind(MakeBuffer(count).Get(), count)) << "the resource ends with the elements";
  }
  // A tensor that says that it is longer is as long as it says.
  const auto buffer = MakeBuffer(64);
  EXPECT_TRUE(Removes([&] {
    Tensor longer(DML_TENSOR_DATA_TYPE_UINT8, {2});
    longer.buffer.TotalTensorSizeInBytes = 16;
    const auto table = MakeTable(CompileModulus(kFloor, longer).Get());
    BindOutputs(table.Get(), {{buffer.Get(), 0, 2}});
  }));
}

// The decision of section 15: accepted, with a warning.
TEST_F(ContractTest, R129_OddBindingSizesAreWarnedOf) {
  const auto buffer = MakeBuffer(1024);
  EXPECT_FALSE(BINDING_REMOVES(0, 9));
  DebugStrings strings;
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
  BindOutputs(table.Get(), {{buffer.Get(), 0, 9}});
  EXPECT_TRUE(strings.Contains("[DIRECTML WARNING]: the SizeInBytes of output 0 is 9"));
  BindInputs(table.Get(), {{buffer.Get(), 16, 11}, {buffer.Get(), 16, 16}});
  EXPECT_TRUE(strings.Contains("[DIRECTML WARNING]: the SizeInBytes of input 0 is 11"));
}

TEST_F(ContractTest, R130_OffsetsAreAligned) {
  const auto buffer = MakeBuffer(1024);
  for (const UINT64 offset : {16u, 32u, 48u, 512u}) EXPECT_FALSE(BINDING_REMOVES(offset, 16)) << offset;
  for (const UINT64 offset : {1u, 4u, 8u, 15u, 17u, 24u}) EXPECT_TRUE(BINDING_REMOVES(offset, 16)) << offset;
  for (const UINT64 offset : {16u, 64u, 256u}) {
    EXPECT_EQ(Removes([&] {
                Tensor out = Int32({2});
                out.buffer.GuaranteedBaseOffsetAlignment = 64;
                Tensor in = Int32({2});
                const auto table = MakeTable(Compile(MakeOperator(kFloor, in, in, out).Get()).Get());
                BindOutputs(table.Get(), {{buffer.Get(), offset, 16}});
              }),
              offset == 16)
        << offset;
  }
}

TEST_F(ContractTest, R130_OffsetsOfInputsAreAligned) {
  const auto buffer = MakeBuffer(1024);
  for (const UINT64 offset : {16u, 24u, 32u, 64u}) {
    EXPECT_EQ(Removes([&] {
                Tensor a = Int32({2});
                a.buffer.GuaranteedBaseOffsetAlignment = 32;
                Tensor plain = Int32({2});
                const auto table = MakeTable(Compile(MakeOperator(kFloor, a, plain, plain).Get()).Get());
                BindInputs(table.Get(), {{buffer.Get(), offset, 16}, {buffer.Get(), 0, 16}});
              }),
              offset % 32 != 0)
        << offset;
  }
}

TEST_F(ContractTest, R131_HeapTypes) {
  for (const auto type :
       {D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_TYPE_CUSTOM, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK}) {
    const auto buffer = type == D3D12_HEAP_TYPE_CUSTOM ? MakeBuffer(64) : MakeBufferIn(type, 64);
    const bool wrong = type == D3D12_HEAP_TYPE_UPLOAD || type == D3D12_HEAP_TYPE_READBACK;
    EXPECT_EQ(BINDING_REMOVES(0, 8), wrong) << type;
    DebugStrings strings;
    dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
    BindInputs(MakeTable(CompileModulus(kFloor, Int32({2})).Get()).Get(), {buffer, buffer});
    EXPECT_EQ(IsRemoved(), wrong) << type;
    EXPECT_EQ(strings.Contains("in a D3D12_HEAP_TYPE_UPLOAD heap"), type == D3D12_HEAP_TYPE_UPLOAD);
    EXPECT_EQ(strings.Contains("in a D3D12_HEAP_TYPE_READBACK heap"), type == D3D12_HEAP_TYPE_READBACK);
    ReplaceDevice();
  }
}

TEST_F(ContractTest, R132_BuffersNeedUnorderedAccess) {
  const auto buffer = MakeBuffer(64, D3D12_RESOURCE_FLAG_NONE);
  EXPECT_TRUE(BINDING_REMOVES(0, 8));
  const auto good = MakeBuffer(64);
  for (const bool first : {true, false}) {
    EXPECT_TRUE(Removes([&] {
      const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
      BindInputs(table.Get(), {first ? buffer : good, first ? good : buffer});
    })) << "inputs too";
  }
}

TEST_F(ContractTest, R133_TemporaryResources) {
  const auto attempt = [&](const std::function<void(IDMLBindingTable*, UINT64)>& bind) {
    return Removes([&] {
      const auto compiled = CompileChain(MakeModulus(kFloor, Int32({4})).Get());
      const auto table = MakeTable(compiled.Get());
      bind(table.Get(), compiled->GetBindingProperties().TemporaryResourceSize);
    });
  };
  const auto buffer = MakeBuffer(1024);
  const auto upload = MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 1024);
  const DML_BINDING_DESC none = {DML_BINDING_TYPE_NONE, nullptr};
  EXPECT_FALSE(attempt([&](auto* t, UINT64 size) { BindTemporary(t, {buffer.Get(), 0, size}); }));
  EXPECT_FALSE(attempt([&](auto* t, UINT64 size) { BindTemporary(t, {buffer.Get(), 256, size}); }));
  EXPECT_TRUE(attempt([&](auto* t, UINT64 size) { BindTemporary(t, {buffer.Get(), 0, size - 1}); }));
  EXPECT_TRUE(attempt([&](auto* t, UINT64 size) { BindTemporary(t, {buffer.Get(), 16, size}); }));
  EXPECT_TRUE(attempt([&](auto* t, UINT64 size) { BindTemporary(t, {upload.Get(), 0, size}); }));
  EXPECT_TRUE(attempt([&](auto* t, UINT64) { t->BindTemporaryResource(nullptr); }));
  EXPECT_TRUE(attempt([&](auto* t, UINT64) { t->BindTemporaryResource(&none); }));
  // None needed: null and NONE are right.
  EXPECT_FALSE(Removes([&] {
    const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
    table->BindTemporaryResource(nullptr);
    table->BindTemporaryResource(&none);
  }));
}

TEST_F(ContractTest, R134_InitializersTakeNoTemporaryResource) {
  const auto buffer = MakeBuffer(256);
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({2}));
    BindTemporary(MakeTable(MakeInitializer({compiled.Get()}).Get()).Get(), buffer);
  }));
  EXPECT_FALSE(Removes([&] {
    BindTemporary(MakeTable(CompileModulus(kFloor, Int32({2})).Get()).Get(), buffer);
  })) << "an operator ignores it";
  DebugStrings strings;
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  BindTemporary(MakeTable(CompileModulus(kFloor, Int32({2})).Get()).Get(), buffer);
  EXPECT_TRUE(
      strings.Contains("[DIRECTML WARNING]: a temporary resource was bound, but the operator needs none"));
}

TEST_F(ContractTest, R135_PersistentResources) {
  Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {2}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  Tensor plain = Int32({2});
  const auto attempt = [&](const std::function<void(IDMLBindingTable*)>& bind) {
    return Removes([&] {
      const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      bind(MakeTable(compiled.Get()).Get());
    });
  };
  const auto buffer = MakeBuffer(1024);
  const DML_BINDING_DESC none = {DML_BINDING_TYPE_NONE, nullptr};
  EXPECT_FALSE(attempt([&](auto* t) { BindPersistent(t, buffer); }));
  EXPECT_TRUE(attempt([&](auto* t) { BindPersistent(t, {buffer.Get(), 128, 64}); }));
  EXPECT_TRUE(attempt([&](auto* t) { BindPersistent(t, {buffer.Get(), 0, 7}); }));
  EXPECT_TRUE(attempt([&](auto* t) { t->BindPersistentResource(nullptr); }));
  EXPECT_TRUE(attempt([&](auto* t) { t->BindPersistentResource(&none); }));
  const auto to_initializer = [&](const std::function<void(IDMLBindingTable*)>& bind) {
    return Removes([&] {
      const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      bind(MakeTable(MakeInitializer({compiled.Get()}).Get()).Get());
    });
  };
  EXPECT_FALSE(to_initializer([&](auto* t) { t->BindPersistentResource(nullptr); }));
  EXPECT_FALSE(to_initializer([&](auto* t) { t->BindPersistentResource(&none); }));
  EXPECT_TRUE(to_initializer([&](auto* t) { BindPersistent(t, buffer); }));
}

TEST_F(ContractTest, R136_ExecutionDoesNotWritePersistentMemory) {
  Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {2}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  Tensor plain = Int32({2});
  const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
  const auto persistent = MakeBuffer(64);
  const auto b = MakeBufferOf<int32_t>({3, 5});
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto init_table = MakeTable(initializer.Get());
  BindArrays(init_table.Get(), {{{nullptr, 0, 0}, {b.Get(), 0, 8}}});
  BindOutputs(init_table.Get(), {persistent});
  Record(initializer.Get(), init_table.Get());
  ExecuteList();
  const auto before = Read<uint8_t>(persistent.Get(), 64);
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto out = MakeBuffer(8);
  for (int i = 0; i < 3; ++i) {
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {a, nullptr});
    BindPersistent(table.Get(), persistent);
    BindOutputs(table.Get(), {out});
    Record(compiled.Get(), table.Get());
    ExecuteList();
  }
  EXPECT_EQ(Read<uint8_t>(persistent.Get(), 64), before);
}

TEST_F(ContractTest, R137_TemporaryContentsMeanNothing) {
  const auto compiled = CompileChain(MakeModulus(kFloor, Int32({4})).Get());
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7, -8, 100});
  const auto b = MakeBufferOf<int32_t>({3, -3, 5, 7});
  const auto out = MakeBuffer(16);
  const UINT64 size = compiled->GetBindingProperties().TemporaryResourceSize;
  const auto temporary = MakeBuffer(size);
  for (const int garbage : {0x00, 0x5A, 0xFF}) {
    std::memset(Data<char>(temporary.Get()), garbage, size);
    const auto table = MakeTable(compiled.Get());
    BindTemporary(table.Get(), temporary);
    BindInputs(table.Get(), {a, b});
    BindOutputs(table.Get(), {out});
    Record(compiled.Get(), table.Get());
    ExecuteList();
    EXPECT_EQ(Read<int32_t>(out.Get(), 4), (std::vector<int32_t>{2, -2, 2, 2}));
  }
}

TEST_F(ContractTest, R138_BindingsHoldNoReferences) {
  const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
  const auto a = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  BindInputs(table.Get(), {a, a});
  BindOutputs(table.Get(), {out});
  EXPECT_EQ(CountReferences(a.Get()), 1u);
  EXPECT_EQ(CountReferences(out.Get()), 1u);
}

// Rebinding is safe at once: what was recorded keeps its own buffers.
TEST_F(ContractTest, R139_RebindingAfterRecording) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto c = MakeBufferOf<int32_t>({5, 5});
  const auto first = MakeBuffer(8);
  const auto second = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {first});
  Record(compiled.Get(), table.Get());
  BindInputs(table.Get(), {a, c});
  BindOutputs(table.Get(), {second});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(first.Get(), 2), (std::vector<int32_t>{2, 1}));
  EXPECT_EQ(Read<int32_t>(second.Get(), 2), (std::vector<int32_t>{3, 2}));
}

}  // namespace
}  // namespace residue::testing
