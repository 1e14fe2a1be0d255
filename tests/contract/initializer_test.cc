// Contract, section 7: operator initializers (R101-R115).
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

Tensor OwnedInt32(std::vector<UINT> sizes) {
  return {DML_TENSOR_DATA_TYPE_INT32, std::move(sizes), {}, DML_TENSOR_FLAG_OWNED_BY_DML};
}

TEST_F(ContractTest, R101_InitializerOfNothing) {
  ComPtr<IDMLOperatorInitializer> initializer;
  ASSERT_EQ(dml_->CreateOperatorInitializer(0, nullptr, IID_PPV_ARGS(&initializer)), S_OK);
  EXPECT_EQ(initializer->GetBindingProperties().RequiredDescriptorCount, 0u);
  const auto table = MakeTable(initializer.Get());
  Record(initializer.Get(), table.Get());
  ExecuteList();
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R102_WrongTargets) {
  const auto compiled = CompileModulus(kFloor, Float32({4}));
  ComPtr<IDMLOperatorInitializer> none;
  EXPECT_EQ(dml_->CreateOperatorInitializer(1, nullptr, IID_PPV_ARGS(&none)), E_INVALIDARG);
  IDMLCompiledOperator* with_null[] = {compiled.Get(), nullptr};
  EXPECT_EQ(dml_->CreateOperatorInitializer(2, with_null, IID_PPV_ARGS(&none)), E_INVALIDARG);
  IDMLCompiledOperator* twice[] = {compiled.Get(), compiled.Get()};
  EXPECT_EQ(dml_->CreateOperatorInitializer(2, twice, IID_PPV_ARGS(&none)), E_INVALIDARG);
  EXPECT_EQ(none.Get(), nullptr);
}

// The forms that ONNX Runtime, Chromium and PyDirectML use when there is nothing to bind.
TEST_F(ContractTest, R103_NothingToBind) {
  const auto bind_none = [](IDMLBindingTable* table) {
    const DML_BINDING_DESC none = {DML_BINDING_TYPE_NONE, nullptr};
    table->BindInputs(1, &none);
  };
  const auto bind_zero = [](IDMLBindingTable* table) { table->BindInputs(0, nullptr); };
  const auto bind_nothing = [](IDMLBindingTable*) {};
  const auto bind_nulls = [](IDMLBindingTable* table) {
    BindArrays(table, {{{nullptr, 0, 0}, {nullptr, 0, 0}}});
  };
  const std::function<void(IDMLBindingTable*)> forms[] = {bind_none, bind_zero, bind_nothing, bind_nulls};
  for (const auto& bind : forms) {
    const auto compiled = CompileModulus(kFloor, Float32({4}));
    const auto initializer = MakeInitializer({compiled.Get()});
    const auto table = MakeTable(initializer.Get());
    bind(table.Get());
    Record(initializer.Get(), table.Get());
    ExecuteList();
    EXPECT_FALSE(IsRemoved());
  }
}

TEST_F(ContractTest, R103_OneArrayPerTarget) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto try_form = [&](const std::function<void(IDMLBindingTable*, ID3D12Resource*)>& bind) {
    return Removes([&] {
      const auto first = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      const auto second = Compile(MakeOperator(kFloor, plain, plain, plain).Get());
      const auto initializer = MakeInitializer({first.Get(), second.Get()});
      const auto table = MakeTable(initializer.Get());
      const auto source = MakeBuffer(8);
      bind(table.Get(), source.Get());
    });
  };
  EXPECT_FALSE(try_form([](auto* table, auto* source) {
    BindArrays(table, {{{nullptr, 0, 0}, {source, 0, 8}}, {{nullptr, 0, 0}, {nullptr, 0, 0}}});
  }));
  EXPECT_TRUE(try_form([](auto* table, auto* source) {
    BindArrays(table, {{{nullptr, 0, 0}, {source, 0, 8}}});
  })) << "one array for two targets";
  EXPECT_TRUE(try_form([](auto* table, auto* source) {
    BindArrays(table, {{{source, 0, 8}}, {{nullptr, 0, 0}, {nullptr, 0, 0}}});
  })) << "one buffer for two inputs";
  EXPECT_TRUE(try_form([](auto* table, auto*) {
    const DML_BUFFER_ARRAY_BINDING array = {2, nullptr};
    const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER_ARRAY, &array},
                                      {DML_BINDING_TYPE_NONE, nullptr}};
    table->BindInputs(2, descs);
  })) << "an array that is not there";
  EXPECT_TRUE(try_form([](auto* table, auto*) {
    const DML_BINDING_DESC descs[] = {{AnyNumber<DML_BINDING_TYPE>(9), nullptr},
                                      {DML_BINDING_TYPE_NONE, nullptr}};
    table->BindInputs(2, descs);
  })) << "no such type";
  EXPECT_TRUE(try_form([](auto* table, auto* source) {
    const DML_BUFFER_BINDING buffer = {source, 0, 8};
    const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER, &buffer}, {DML_BINDING_TYPE_NONE, nullptr}};
    table->BindInputs(2, descs);
  })) << "a buffer instead of an array";
}

TEST_F(ContractTest, R104_OwnedMeansBoundToTheInitializer) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  EXPECT_TRUE(Removes([&] {
    const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
    const auto initializer = MakeInitializer({compiled.Get()});
    const auto table = MakeTable(initializer.Get());
    const auto persistent = MakeBuffer(256);
    BindOutputs(table.Get(), {persistent});
    EXPECT_FALSE(IsRemoved());
    Record(initializer.Get(), table.Get());
  })) << "owned, but not bound";
  EXPECT_TRUE(Removes([&] {
    const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
    const auto table = MakeTable(MakeInitializer({compiled.Get()}).Get());
    const auto source = MakeBuffer(8);
    BindArrays(table.Get(), {{{source.Get(), 0, 8}, {source.Get(), 0, 8}}});
  })) << "bound, but not owned";
}

TEST_F(ContractTest, R105_OwnedInputsAreNotBoundAtExecution) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto bind = [&](const DML_BINDING_DESC& second) {
    return Removes([&] {
      const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      const auto table = MakeTable(compiled.Get());
      const auto a = MakeBuffer(8);
      const DML_BUFFER_BINDING first = {a.Get(), 0, 8};
      const DML_BINDING_DESC descs[] = {{DML_BINDING_TYPE_BUFFER, &first}, second};
      table->BindInputs(2, descs);
    });
  };
  const auto buffer = MakeBuffer(8);
  const DML_BUFFER_BINDING bound = {buffer.Get(), 0, 8};
  const DML_BUFFER_BINDING null = {nullptr, 0, 0};
  EXPECT_TRUE(bind({DML_BINDING_TYPE_BUFFER, &bound}));
  EXPECT_FALSE(bind({DML_BINDING_TYPE_NONE, nullptr}));
  EXPECT_FALSE(bind({DML_BINDING_TYPE_BUFFER, &null}));
}

TEST_F(ContractTest, R106_OwnedDataLivesInThePersistentResource) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto compiled = Compile(MakeOperator(kFloor, owned, owned, plain).Get());
  const auto persistent = MakeBuffer(compiled->GetBindingProperties().PersistentResourceSize);
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto init_table = MakeTable(initializer.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, -3});
  BindArrays(init_table.Get(), {{{a.Get(), 0, 8}, {b.Get(), 0, 8}}});
  BindOutputs(init_table.Get(), {persistent});
  Record(initializer.Get(), init_table.Get());
  ExecuteList();
  Write<int32_t>(a.Get(), {0, 0});
  Write<int32_t>(b.Get(), {0, 0});

  const auto out = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  const DML_BINDING_DESC none[] = {{DML_BINDING_TYPE_NONE, nullptr}, {DML_BINDING_TYPE_NONE, nullptr}};
  table->BindInputs(2, none);
  BindPersistent(table.Get(), persistent);
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, -2}));
}

TEST_F(ContractTest, R107_OutputsOfAnInitializerArePersistentResources) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto attempt = [&](bool bind_output, UINT64 bytes) {
    return Removes([&] {
      const auto first = Compile(MakeOperator(kFloor, plain, plain, plain).Get());
      const auto second = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      const auto initializer = MakeInitializer({first.Get(), second.Get()});
      const auto table = MakeTable(initializer.Get());
      const auto source = MakeBuffer(8);
      const auto persistent = MakeBuffer(bytes);
      const DML_BUFFER_BINDING buffers[] = {{nullptr, 0, 0}, {source.Get(), 0, 8}};
      const DML_BUFFER_ARRAY_BINDING array = {2, buffers};
      const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_NONE, nullptr},
                                         {DML_BINDING_TYPE_BUFFER_ARRAY, &array}};
      table->BindInputs(2, inputs);
      const DML_BUFFER_BINDING output = {persistent.Get(), 0, bytes};
      const DML_BINDING_DESC outputs[] = {{DML_BINDING_TYPE_NONE, nullptr},
                                          {DML_BINDING_TYPE_BUFFER, &output}};
      if (bind_output) table->BindOutputs(2, outputs);
      Record(initializer.Get(), table.Get());
      ASSERT_EQ(list_->Close(), S_OK);
      if (!IsRemoved()) SubmitAndWait();
      ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
    });
  };
  EXPECT_FALSE(attempt(true, 8));
  EXPECT_TRUE(attempt(true, 4)) << "too small";
  EXPECT_TRUE(attempt(false, 8)) << "needed, but not bound";
}

TEST_F(ContractTest, R108_InitializersHaveNoPersistentMemory) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
  EXPECT_EQ(MakeInitializer({compiled.Get()})->GetBindingProperties().PersistentResourceSize, 0u);
  EXPECT_EQ(MakeInitializer({})->GetBindingProperties().PersistentResourceSize, 0u);
}

TEST_F(ContractTest, R109_ResetRetargets) {
  const auto first = CompileModulus(kFloor, Int32({2}));
  const auto second = CompileModulus(kFloor, Int32({2}));
  const auto initializer = MakeInitializer({first.Get()});
  IDMLCompiledOperator* targets[] = {second.Get()};
  EXPECT_EQ(initializer->Reset(1, nullptr), E_INVALIDARG);
  IDMLCompiledOperator* null[] = {nullptr};
  EXPECT_EQ(initializer->Reset(1, null), E_INVALIDARG);
  EXPECT_EQ(CountReferences(first.Get()), 2u) << "a failed Reset changes nothing";
  ASSERT_EQ(initializer->Reset(1, targets), S_OK);
  EXPECT_EQ(CountReferences(first.Get()), 1u);
  EXPECT_EQ(CountReferences(second.Get()), 2u);
  const auto table = MakeTable(initializer.Get());
  Record(initializer.Get(), table.Get());
  ExecuteList();
  const auto buffer = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  Run(second.Get(), {buffer, buffer}, {out});
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(initializer->Reset(0, nullptr), S_OK);
  EXPECT_EQ(CountReferences(second.Get()), 1u);
}

TEST_F(ContractTest, R110_InitializedWhenExecutedNotWhenRecorded) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto init_table = MakeTable(initializer.Get());
  Record(initializer.Get(), init_table.Get());  // recorded in list_, which does not run

  const auto [allocator, other] = MakeList();
  const auto buffer = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {buffer, buffer});
  BindOutputs(table.Get(), {out});
  recorder_->RecordDispatch(other.Get(), compiled.Get(), table.Get());
  EXPECT_FALSE(IsRemoved());
  ASSERT_EQ(other->Close(), S_OK);
  ID3D12CommandList* lists[] = {other.Get()};
  queue_->ExecuteCommandLists(1, lists);
  Wait();
  EXPECT_TRUE(IsRemoved());
}

TEST_F(ContractTest, R111_InitializeAndExecuteInOneList) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
  const auto persistent = MakeBuffer(8);
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, -3});
  const auto out = MakeBuffer(8);
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto table = MakeTable(initializer.Get());
  BindArrays(table.Get(), {{{nullptr, 0, 0}, {b.Get(), 0, 8}}});
  BindOutputs(table.Get(), {persistent});
  Record(initializer.Get(), table.Get());
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  list_->ResourceBarrier(1, &barrier);
  const auto next = MakeTable(compiled.Get());
  BindInputs(next.Get(), {a, nullptr});
  BindPersistent(next.Get(), persistent);
  BindOutputs(next.Get(), {out});
  Record(compiled.Get(), next.Get());
  ExecuteList();
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, -2}));
}

TEST_F(ContractTest, R112_ExecutingWithoutInitialization) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  const auto buffer = MakeBuffer(8);
  const auto out = MakeBufferOf<int32_t>({5, 5});
  Run(compiled.Get(), {buffer, buffer}, {out});
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{5, 5}));
}

TEST_F(ContractTest, R112_TheSwitchThatAllowsIt) {
  const Environment allow("RESIDUE_DIRECTML_REQUIRE_INITIALIZATION", "0");
  ReplaceDevice();
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  Run(compiled.Get(), {a, b}, {out});
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R113_InitializingTwiceIsAccepted) {
  DebugStrings strings;
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
  const auto persistent = MakeBuffer(8);
  for (const int32_t divisor : {3, 5}) {
    const auto initializer = MakeInitializer({compiled.Get()});
    const auto table = MakeTable(initializer.Get());
    const auto b = MakeBufferOf<int32_t>({divisor, divisor});
    BindArrays(table.Get(), {{{nullptr, 0, 0}, {b.Get(), 0, 8}}});
    BindOutputs(table.Get(), {persistent});
    Record(initializer.Get(), table.Get());
    ExecuteList();
  }
  EXPECT_FALSE(IsRemoved());
  EXPECT_TRUE(strings.Contains("[DIRECTML WARNING]: a compiled operator was initialized again"));
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto out = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, nullptr});
  BindPersistent(table.Get(), persistent);
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{3, 2})) << "the last initialization counts";
}

TEST_F(ContractTest, R114_InitializationWritesOnlyThePersistentRange) {
  Tensor owned = OwnedInt32({2});
  Tensor plain = Int32({2});
  const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
  const auto persistent = MakeBuffer(1024);
  std::memset(Data<char>(persistent.Get()), 0x5A, 1024);
  const auto b = MakeBufferOf<int32_t>({3, 5});
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto table = MakeTable(initializer.Get());
  BindArrays(table.Get(), {{{nullptr, 0, 0}, {b.Get(), 0, 8}}});
  BindOutputs(table.Get(), {{persistent.Get(), 256, 512}});
  Record(initializer.Get(), table.Get());
  ExecuteList();
  const auto bytes = Read<uint8_t>(persistent.Get(), 1024);
  for (size_t i = 0; i < 1024; ++i) {
    if (i < 256 || i >= 264) {
      ASSERT_EQ(bytes[i], 0x5A) << i;
    }
  }
  EXPECT_EQ(Read<int32_t>(b.Get(), 2), (std::vector<int32_t>{3, 5}));
}

TEST_F(ContractTest, R115_HeapsOfOwnedInputs) {
  for (const auto type :
       {D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_CUSTOM, D3D12_HEAP_TYPE_READBACK}) {
    const bool removed = Removes([&] {
      Tensor owned = OwnedInt32({2});
      Tensor plain = Int32({2});
      const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      const auto table = MakeTable(MakeInitializer({compiled.Get()}).Get());
      const auto source = type == D3D12_HEAP_TYPE_CUSTOM ? MakeBuffer(8) : MakeBufferIn(type, 8);
      BindArrays(table.Get(), {{{nullptr, 0, 0}, {source.Get(), 0, 8}}});
    });
    EXPECT_EQ(removed, type == D3D12_HEAP_TYPE_READBACK) << type;
  }
}

}  // namespace
}  // namespace residue::testing
