// Contract, section 10: errors, device removal, the debug layer (R155-R164).
#include <functional>
#include <utility>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

TEST_F(ContractTest, R155_MisuseOfVoidMethodsRemovesTheDevice) {
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
  recorder_->RecordDispatch(nullptr, nullptr, nullptr);
  EXPECT_NE(dml_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(ContractTest, R156_RemovalByBindingIsVisibleAtOnce) {
  const auto table = MakeTable(CompileModulus(kFloor, Int32({2})).Get());
  table->BindInputs(1, nullptr);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
}

TEST_F(ContractTest, R157_AfterRemovalEverythingIsANoOp) {
  const auto op = MakeModulus(kFloor, Int32({2}));
  const auto compiled = Compile(op.Get());
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto table = MakeTable(compiled.Get());
  const auto buffer = MakeBufferOf<int32_t>({5, 5});
  const auto sentinel = MakeBufferOf<int32_t>({77, 77});
  Initialize(compiled.Get());
  BindInputs(table.Get(), {buffer, buffer});
  BindOutputs(table.Get(), {sentinel});
  Record(compiled.Get(), table.Get());  // sound work, which must not run any more
  recorder_->RecordDispatch(nullptr, nullptr, nullptr);
  ASSERT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);

  Tensor like = Int32({2});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  const DML_OPERATOR_DESC operator_desc = {kFloor, &desc};
  IDMLCompiledOperator* targets[] = {compiled.Get()};
  IDMLPageable* pageables[] = {compiled.Get()};
  const DML_BINDING_TABLE_DESC table_desc = TableDesc(compiled.Get());
  UINT type = 1;
  BOOL answer = 77;
  UINT size = 77;
  const auto removed = [&](const char* what, const std::function<HRESULT(void**)>& call) {
    void* result = this;
    EXPECT_EQ(call(&result), kRemoved) << what;
    EXPECT_EQ(result, nullptr) << what;
  };
  removed("CreateOperator",
          [&](void** r) { return dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), r); });
  removed("CompileOperator", [&](void** r) {
    return dml_->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), r);
  });
  removed("CreateOperatorInitializer", [&](void** r) {
    return dml_->CreateOperatorInitializer(1, targets, __uuidof(IDMLOperatorInitializer), r);
  });
  removed("CreateCommandRecorder",
          [&](void** r) { return dml_->CreateCommandRecorder(__uuidof(IDMLCommandRecorder), r); });
  removed("CreateBindingTable",
          [&](void** r) { return dml_->CreateBindingTable(&table_desc, __uuidof(IDMLBindingTable), r); });
  removed("GetParentDevice", [&](void** r) { return dml_->GetParentDevice(__uuidof(ID3D12Device), r); });
  removed("GetDevice", [&](void** r) { return op->GetDevice(__uuidof(IDMLDevice), r); });
  removed("CompileGraph", [&](void** r) {
    const DML_GRAPH_DESC graph = {};
    return dml_->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), r);
  });
  EXPECT_EQ(dml_->CheckFeatureSupport(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, 4, &type, 4, &answer), kRemoved);
  EXPECT_EQ(answer, 77u);
  EXPECT_EQ(dml_->Evict(1, pageables), kRemoved);
  EXPECT_EQ(dml_->MakeResident(1, pageables), kRemoved);
  EXPECT_EQ(initializer->Reset(0, nullptr), kRemoved);
  EXPECT_EQ(table->Reset(&table_desc), kRemoved);
  EXPECT_EQ(op->SetName(L"name"), kRemoved);
  EXPECT_EQ(op->SetPrivateData(GUID{}, 4, &type), kRemoved);
  EXPECT_EQ(op->SetPrivateDataInterface(GUID{}, nullptr), kRemoved);
  EXPECT_EQ(op->GetPrivateData(GUID{}, &size, nullptr), kRemoved);
  EXPECT_EQ(compiled->GetBindingProperties().RequiredDescriptorCount, 0u);
  EXPECT_EQ(initializer->GetBindingProperties().RequiredDescriptorCount, 0u);
  BindInputs(table.Get(), {buffer, buffer});
  BindOutputs(table.Get(), {buffer});
  Record(compiled.Get(), table.Get());
  table->BindTemporaryResource(nullptr);
  table->BindPersistentResource(nullptr);
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(sentinel.Get(), 2), (std::vector<int32_t>{77, 77}));
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
  // Reference counting goes on.
  ComPtr<IUnknown> unknown;
  EXPECT_EQ(op->QueryInterface(__uuidof(IDMLOperator), reinterpret_cast<void**>(unknown.GetAddressOf())),
            S_OK);
}

TEST_F(ContractTest, R158_TheFirstReasonStays) {
  const auto host = QueryFor<IHostDevice>(d3d_.Get(), kIidHostDevice);
  ASSERT_TRUE(host);
  recorder_->RecordDispatch(nullptr, nullptr, nullptr);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
  host->Remove(DXGI_ERROR_DEVICE_HUNG);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
}

TEST_F(ContractTest, R159_RemovalIsPermanentAndOfOneDevice) {
  recorder_->RecordDispatch(nullptr, nullptr, nullptr);
  EXPECT_TRUE(IsRemoved());
  EXPECT_EQ(d3d_->GetDeviceRemovedReason(), S_OK);
  ReplaceDevice();
  const std::vector<int32_t> a = {-7, 7};
  const std::vector<int32_t> b = {3, 3};
  EXPECT_EQ(Compute(kFloor, DML_TENSOR_DATA_TYPE_INT32, a, b), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R160_RemovalOfTheParentRemovesTheDevice) {
  const auto host = QueryFor<IHostDevice>(d3d_.Get(), kIidHostDevice);
  host->Remove(DXGI_ERROR_DEVICE_HUNG);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), DXGI_ERROR_DEVICE_HUNG);
  void* none = this;
  EXPECT_EQ(dml_->CreateCommandRecorder(__uuidof(IDMLCommandRecorder), &none), kRemoved);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), &none), kRemoved);
}

TEST_F(ContractTest, R161_BadArgumentsOfOtherMethodsRemoveNothing) {
  ComPtr<IUnknown> none;
  void** to = reinterpret_cast<void**>(none.GetAddressOf());
  EXPECT_EQ(dml_->CreateOperator(nullptr, __uuidof(IDMLOperator), to), E_INVALIDARG);
  EXPECT_EQ(dml_->CompileOperator(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), to),
            E_INVALIDARG);
  EXPECT_EQ(dml_->CreateOperatorInitializer(1, nullptr, __uuidof(IDMLOperatorInitializer), to), E_INVALIDARG);
  EXPECT_EQ(dml_->Evict(1, nullptr), E_INVALIDARG);
  EXPECT_EQ(dml_->CompileGraph(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), to),
            E_INVALIDARG);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(ContractTest, R162_MessagesGoToTheInfoQueue) {
  ComPtr<ID3D12Debug4> debug;
  ASSERT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
  debug->EnableDebugLayer();
  ComPtr<ID3D12Device> d3d;
  ASSERT_EQ(CreateD3D12Device(D3D_FEATURE_LEVEL_11_0, &d3d), S_OK);
  debug->DisableDebugLayer();
  ComPtr<ID3D12InfoQueue> queue;
  ASSERT_EQ(d3d.As(&queue), S_OK);
  DebugStrings strings;
  ComPtr<IDMLDevice> device;
  ASSERT_EQ(DMLCreateDevice(d3d.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&device)), S_OK);
  EXPECT_EQ(queue->GetNumStoredMessages(), 0u);
  EXPECT_EQ(device->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  ASSERT_EQ(queue->GetNumStoredMessages(), 1u);
  EXPECT_TRUE(strings.texts.empty());
  const StoredMessage message = ReadMessage(queue.Get(), 0);
  EXPECT_EQ(message.severity, D3D12_MESSAGE_SEVERITY_ERROR);
  EXPECT_EQ(message.id, D3D12_MESSAGE_ID_STRING_FROM_APPLICATION);
  EXPECT_NE(message.text.find("DML_OPERATOR_DESC is null"), std::string::npos);
}

TEST_F(ContractTest, R162_WithoutItTheyGoToTheDebugStringSink) {
  DebugStrings strings;
  const auto device = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  ASSERT_EQ(strings.texts.size(), 1u) << "one warning";
  EXPECT_EQ(strings.texts[0].rfind("[DIRECTML WARNING]: the Direct3D 12 debug layer is off", 0), 0u);
  strings.texts.clear();
  device->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr);
  ASSERT_EQ(strings.texts.size(), 1u);
  EXPECT_EQ(strings.texts[0].rfind("[DIRECTML ERROR]: ", 0), 0u);
  strings.texts.clear();
  dml_->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr);
  EXPECT_TRUE(strings.texts.empty()) << "only devices with the debug flag speak";
}

TEST_F(ContractTest, R163_MessagesNameFieldsAndBothValues) {
  DebugStrings strings;
  const auto device = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  const auto said = [&](Tensor a, Tensor b, Tensor out, std::vector<std::string> parts) {
    strings.texts.clear();
    EXPECT_EQ(TryCreate(kFloor, a, b, out, device.Get()), E_INVALIDARG);
    ASSERT_EQ(strings.texts.size(), 1u);
    parts.push_back("DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR: ");
    for (const std::string& part : parts) {
      EXPECT_NE(strings.texts[0].find(part), std::string::npos) << strings.texts[0] << " lacks " << part;
    }
  };
  const Tensor f = Float32({3, 4});
  said(f, f, Int32({3, 4}),
       {"DataType", "'Output'", "'A'", "DML_TENSOR_DATA_TYPE_INT32", "DML_TENSOR_DATA_TYPE_FLOAT32"});
  said(f, Float32({3, 5}), f, {"Sizes[1]", "'B'", "5", "'A'", "4"});
  said(f, Float32({3, 4, 1}), f, {"DimensionCount", "'B'", "3", "2"});
  Tensor small = f;
  small.buffer.TotalTensorSizeInBytes = 47;
  said(small, f, f, {"TotalTensorSizeInBytes", "'A'", "47", "48"});
  Tensor crooked = f;
  crooked.buffer.GuaranteedBaseOffsetAlignment = 8;
  said(f, crooked, f, {"GuaranteedBaseOffsetAlignment", "'B'", "8", "16"});
  said(f, f, Float32({3, 4}, {0, 1}), {"Strides[0] of tensor 'Output' is 0"});
  said(Tensor(DML_TENSOR_DATA_TYPE_FLOAT64, {4}), Tensor(DML_TENSOR_DATA_TYPE_FLOAT64, {4}),
       Tensor(DML_TENSOR_DATA_TYPE_FLOAT64, {4}), {"DML_TENSOR_DATA_TYPE_FLOAT64", "0x6400"});
}

TEST_F(ContractTest, R163_MessagesOfQueries) {
  DebugStrings strings;
  const auto device = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {DML_TENSOR_DATA_TYPE_FLOAT32};
  DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT answer = {};
  const auto said = [&](const void* from, UINT from_size, void* to, UINT to_size, const char* text) {
    strings.texts.clear();
    EXPECT_EQ(device->CheckFeatureSupport(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, from_size, from, to_size, to),
              E_INVALIDARG);
    EXPECT_TRUE(strings.Contains(text))
        << (strings.texts.empty() ? "nothing" : strings.texts[0]) << " lacks " << text;
  };
  said(nullptr, 4, &answer, 4, "the query is null with 4 bytes, but must have 4");
  said(&query, 5, &answer, 4, "the query is set with 5 bytes, but must have 4");
  said(&query, 4, nullptr, 4, "the place for the answer is null with 4 bytes, but must have 4");
  said(&query, 4, &answer, 3, "the place for the answer is set with 3 bytes, but must have 4");
}

TEST_F(ContractTest, R163_MessagesOfBindingAndRecording) {
  const auto buffer = MakeBuffer(1024);
  const auto said = [&](const char* part, const std::function<void()>& act) {
    DebugStrings strings;
    dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
    recorder_ = MakeRecorder(dml_.Get());
    strings.texts.clear();
    act();
    EXPECT_TRUE(IsRemoved());
    EXPECT_TRUE(strings.Contains(part))
        << (strings.texts.empty() ? "nothing" : strings.texts[0]) << " lacks " << part;
  };
  const auto table = [&] { return MakeTable(CompileModulus(kFloor, Int32({8})).Get()); };
  said("1 inputs were bound, but there are 2", [&] { BindInputs(table().Get(), {buffer}); });
  said("the SizeInBytes of output 0 is 16, but must be at least 32", [&] {
    BindOutputs(table().Get(), {{buffer.Get(), 0, 16}});
  });
  said("the Offset of output 0 is 8, but must be a multiple of 16", [&] {
    BindOutputs(table().Get(), {{buffer.Get(), 8, 32}});
  });
  said("output 0 binds 32 bytes at offset 1008, but the resource has 1024 bytes", [&] {
    BindOutputs(table().Get(), {{buffer.Get(), 1008, 32}});
  });
  said("input 0, bytes 0 to 32, and output 0, bytes 16 to 48 of one resource overlap", [&] {
    const auto t = table();
    BindInputs(t.Get(), {{buffer.Get(), 0, 32}, {buffer.Get(), 512, 32}});
    BindOutputs(t.Get(), {{buffer.Get(), 16, 32}});
  });
  said("input 1 is required, but not bound", [&] {
    const auto compiled = CompileModulus(kFloor, Int32({8}));
    const auto t = MakeTable(compiled.Get());
    BindInputs(t.Get(), {buffer, nullptr});
    Record(compiled.Get(), t.Get());
  });
  said("the command list is null", [&] {
    const auto compiled = CompileModulus(kFloor, Int32({8}));
    recorder_->RecordDispatch(nullptr, compiled.Get(), MakeTable(compiled.Get()).Get());
  });
  said("the binding table is null, but must be of this device",
       [&] { recorder_->RecordDispatch(list_.Get(), CompileModulus(kFloor, Int32({8})).Get(), nullptr); });
  said("executed before its IDMLOperatorInitializer", [&] {
    const auto compiled = CompileModulus(kFloor, Int32({8}));
    const auto out = MakeBuffer(32);
    Run(compiled.Get(), {buffer, buffer}, {out});
  });
}

// The obvious thing to do in a handler is to ask the device why.
TEST_F(ContractTest, R162_HandlersMayCallTheDevice) {
  struct Asking {
    IDMLDevice* device = nullptr;
    HRESULT reason = S_OK;
  } asking;
  dml_ = MakeDevice();
  ResidueSetDebugStringHandler(
      [](void* context, const char*) {
        auto* self = static_cast<Asking*>(context);
        if (self->device != nullptr) self->reason = self->device->GetDeviceRemovedReason();
      },
      &asking);
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  asking.device = dml_.Get();
  recorder_->RecordDispatch(nullptr, nullptr, nullptr);
  ResidueSetDebugStringHandler(nullptr, nullptr);
  EXPECT_EQ(asking.reason, E_INVALIDARG);
}

// Or to give up what it was doing: a table that is reset while it is bound or recorded.
TEST_F(ContractTest, R162_HandlersMayResetTheTable) {
  struct Resetting {
    IDMLBindingTable* table = nullptr;
    int calls = 0;
  } resetting;
  ResidueSetDebugStringHandler(
      [](void* context, const char*) {
        auto* self = static_cast<Resetting*>(context);
        if (IDMLBindingTable* table = std::exchange(self->table, nullptr)) {
          ++self->calls;
          EXPECT_EQ(table->Reset(nullptr), S_OK);
        }
      },
      &resetting);
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  const auto x = MakeBuffer(64);
  const auto with_table = [&](const auto& use) {
    // Only the table holds what it was made for.
    const auto table = MakeTable(CompileModulus(kFloor, Int32({4})).Get());
    resetting.table = table.Get();
    use(table.Get());
    EXPECT_EQ(resetting.table, nullptr) << "there was a warning";
    EXPECT_FALSE(IsRemoved());
  };
  with_table([&](IDMLBindingTable* table) { BindInputs(table, {{x.Get(), 0, 17}, {x.Get(), 32, 17}}); });
  with_table([&](IDMLBindingTable* table) { BindOutputs(table, {{x.Get(), 0, 17}}); });
  with_table([&](IDMLBindingTable* table) { BindTemporary(table, {x.Get(), 0, 64}); });

  EXPECT_EQ(resetting.calls, 3);
  ResidueSetDebugStringHandler(nullptr, nullptr);
}

// The same while work is made of what is bound: in place with other strides, which is worth a warning.
TEST_F(ContractTest, R162_HandlersMayTakeBackWhatIsRecorded) {
  std::function<void()> act;
  ResidueSetDebugStringHandler(
      [](void* context, const char*) {
        if (const auto once = std::exchange(*static_cast<std::function<void()>*>(context), nullptr)) once();
      },
      &act);
  const auto divisor = MakeBufferOf<int32_t>({10, 10, 10, 10});
  ComPtr<IDMLBindingTable> table;
  const std::function<void()> actions[] = {
      [&] { EXPECT_EQ(table->Reset(nullptr), S_OK); }, [&] { table->BindInputs(0, nullptr); },
      [&] { list_->Reset(allocator_.Get(), nullptr); },  // refused while it records
  };
  const auto try_one = [&](DML_EXECUTION_FLAGS flags, const std::function<void()>& action, int dispatches) {
    dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
    recorder_ = MakeRecorder(dml_.Get());
    Tensor transposed = Int32({2, 2}, {1, 2});
    Tensor plain = Int32({2, 2});
    const auto compiled = Compile(MakeOperator(kFloor, transposed, plain, plain).Get(), flags);
    Initialize(compiled.Get());
    const auto x = MakeBufferOf<int32_t>({1, 12, 23, 34});
    table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {x, divisor});
    BindOutputs(table.Get(), {x});
    act = action;
    for (int i = 0; i < dispatches; ++i) Record(compiled.Get(), table.Get());
    ASSERT_EQ(list_->Close(), S_OK);
    SubmitAndWait();
    EXPECT_EQ(act, nullptr) << "there was a warning";
    // Further dispatches miss what was taken back, and remove the device.
    if (dispatches == 1) {
      EXPECT_EQ(Read<int32_t>(x.Get(), 4), (std::vector<int32_t>{1, 3, 2, 4}));
    }
    table.Reset();
    list_->Close();  // the action may have opened it
    ASSERT_EQ(allocator_->Reset(), S_OK);
    ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  };
  for (const DML_EXECUTION_FLAGS flags : {DML_EXECUTION_FLAG_NONE, DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE}) {
    for (const auto& action : actions) {
      for (const int dispatches : {1, 4}) try_one(flags, action, dispatches);
    }
  }
  ResidueSetDebugStringHandler(nullptr, nullptr);
}

// Warnings go where errors go, with a severity of their own.
TEST_F(ContractTest, R162_WarningsInTheInfoQueue) {
  SetDebugLayer(true);
  ComPtr<ID3D12Device> d3d;
  ASSERT_EQ(CreateD3D12Device(D3D_FEATURE_LEVEL_11_0, &d3d), S_OK);
  SetDebugLayer(false);
  ComPtr<ID3D12InfoQueue> queue;
  ASSERT_EQ(d3d.As(&queue), S_OK);
  std::swap(d3d_, d3d);
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  const auto table = MakeTable(CompileModulus(kFloor, Int32({4})).Get());
  const auto unneeded = MakeBuffer(64);
  queue->ClearStoredMessages();
  BindTemporary(table.Get(), unneeded);
  EXPECT_FALSE(IsRemoved());
  ASSERT_EQ(queue->GetNumStoredMessages(), 1u);
  EXPECT_EQ(ReadMessage(queue.Get(), 0).severity, D3D12_MESSAGE_SEVERITY_WARNING);
  std::swap(d3d_, d3d);
}

TEST_F(ContractTest, R163_MessagesTellNullFromOthers) {
  DebugStrings strings;
  const auto stranger = Ref<Stranger>::Adopt(new Stranger);
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  DML_FEATURE_LEVEL level = DML_FEATURE_LEVEL_1_0;
  DML_FEATURE_QUERY_FEATURE_LEVELS levels = {0, &level};
  DML_FEATURE_DATA_FEATURE_LEVELS answer = {};
  EXPECT_EQ(
      dml_->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof(levels), &levels, sizeof(answer), &answer),
      E_INVALIDARG);
  EXPECT_TRUE(strings.Contains("RequestedFeatureLevelCount is 0 and RequestedFeatureLevels is set"));
  const auto compiled = CompileModulus(kFloor, Int32({4}));
  const auto table = MakeTable(compiled.Get());
  recorder_->RecordDispatch(stranger->As<ID3D12CommandList>(), compiled.Get(), table.Get());
  EXPECT_TRUE(IsRemoved());
  EXPECT_TRUE(strings.Contains("the command list is another object"));
}

// A temporary resource that nobody needs is looked at all the same.
TEST_F(ContractTest, R163_BindingsThatNobodyNeeds) {
  const auto bind = [&](const DML_BINDING_DESC& binding) {
    return Removes(
        [&] { MakeTable(CompileModulus(kFloor, Int32({4})).Get())->BindTemporaryResource(&binding); });
  };
  const DML_BUFFER_BINDING none = {};
  EXPECT_FALSE(bind({DML_BINDING_TYPE_BUFFER, &none}));
  EXPECT_FALSE(bind({DML_BINDING_TYPE_NONE, nullptr}));
  EXPECT_TRUE(bind({DML_BINDING_TYPE_BUFFER, nullptr}));
  EXPECT_TRUE(bind({AnyNumber<DML_BINDING_TYPE>(9), &none}));
  const DML_BUFFER_ARRAY_BINDING array = {1, &none};
  EXPECT_FALSE(bind({DML_BINDING_TYPE_BUFFER_ARRAY, &array})) << "it is ignored, with a warning";
}

TEST_F(ContractTest, R164_EvictAndMakeResident) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  const auto initializer = MakeInitializer({compiled.Get()});
  IDMLPageable* both[] = {compiled.Get(), initializer.Get()};
  EXPECT_EQ(dml_->MakeResident(2, both), S_OK);
  EXPECT_EQ(dml_->Evict(2, both), S_OK);
  EXPECT_EQ(dml_->Evict(2, both), S_OK);
  EXPECT_EQ(dml_->Evict(0, nullptr), S_OK);
  EXPECT_EQ(dml_->MakeResident(0, nullptr), S_OK);
  EXPECT_EQ(dml_->Evict(1, nullptr), E_INVALIDARG);
  IDMLPageable* with_null[] = {compiled.Get(), nullptr};
  EXPECT_EQ(dml_->Evict(2, with_null), E_INVALIDARG);
  EXPECT_EQ(dml_->MakeResident(2, with_null), E_INVALIDARG);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  Run(compiled.Get(), {a, b}, {out});
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1})) << "eviction does not matter to a CPU";
}

}  // namespace
}  // namespace residue::testing
