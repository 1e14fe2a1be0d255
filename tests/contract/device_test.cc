// Contract, section 1: creating devices (R1-R20), and section 2: CheckFeatureSupport (R21-R30).
#include <thread>

#include "directml/feature_level.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

DML_FEATURE_LEVEL Level(UINT number) { return AnyNumber<DML_FEATURE_LEVEL>(number); }

TEST_F(ContractTest, R001_CreateDeviceOnAnyD3D12Device) {
  for (const auto level : {D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_11_0}) {
    ComPtr<ID3D12Device> d3d;
    ASSERT_EQ(CreateD3D12Device(level, &d3d), S_OK);
    ComPtr<IDMLDevice> device;
    EXPECT_EQ(DMLCreateDevice(d3d.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&device)), S_OK);
    EXPECT_EQ(CountReferences(device.Get()), 1u);
  }
}

TEST_F(ContractTest, R001_ForeignD3D12DevicesAreRefused) {
  const auto stranger = Ref<Stranger>::Adopt(new Stranger);
  void* device = this;
  EXPECT_EQ(DMLCreateDevice(stranger->As<ID3D12Device>(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice),
                            &device),
            DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(device, nullptr);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(DMLCreateDevice(stranger->As<ID3D12Device>(), DML_CREATE_DEVICE_FLAG_DEBUG, __uuidof(IDMLDevice),
                            &device),
            DXGI_ERROR_UNSUPPORTED);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("was not made by libresidue_d3d12"),
            std::string::npos);
}

TEST_F(ContractTest, R002_CreateDeviceIsCreateDevice1WithLevel1_0) {
  for (const auto flags : {0, 1, 2}) {
    for (const IID& iid :
         {__uuidof(IDMLDevice), __uuidof(IDMLDevice1), __uuidof(IDMLOperator), __uuidof(IUnknown)}) {
      for (ID3D12Device* parent : {d3d_.Get(), static_cast<ID3D12Device*>(nullptr)}) {
        ComPtr<IUnknown> first;
        ComPtr<IUnknown> second;
        const auto given = AnyNumber<DML_CREATE_DEVICE_FLAGS>(flags);
        DebugStrings strings;
        EXPECT_EQ(DMLCreateDevice(parent, given, iid, reinterpret_cast<void**>(first.GetAddressOf())),
                  DMLCreateDevice1(parent, given, DML_FEATURE_LEVEL_1_0, iid,
                                   reinterpret_cast<void**>(second.GetAddressOf())));
        EXPECT_EQ(first.Get() == nullptr, second.Get() == nullptr);
      }
    }
  }
}

TEST_F(ContractTest, R003_MinimumLevelAboveOursIsUnsupported) {
  for (const UINT level : {0x6401u, 0x6500u, 0x7000u, 0xFFFFFFFFu}) {
    void* device = this;
    EXPECT_EQ(DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, Level(level), __uuidof(IDMLDevice),
                               &device),
              DXGI_ERROR_UNSUPPORTED);
    EXPECT_EQ(device, nullptr);
  }
}

TEST_F(ContractTest, R004_MinimumLevelIsOnlyALowerBound) {
  ComPtr<IDMLDevice> device;
  ASSERT_EQ(
      DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_2_1, IID_PPV_ARGS(&device)),
      S_OK);
  Tensor a(DML_TENSOR_DATA_TYPE_INT64, {1, 1, 1, 1, 1, 1, 2, 3});
  Tensor b = a;
  Tensor out = a;
  EXPECT_EQ(TryCreate(kFloor, a, b, out, device.Get()), S_OK);
}

TEST_F(ContractTest, R005_EveryLevelUpToOursIsAccepted) {
  for (const FeatureLevel level : kAllFeatureLevels) {
    ComPtr<IDMLDevice> device;
    EXPECT_EQ(DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, Level(static_cast<UINT>(level)),
                               IID_PPV_ARGS(&device)),
              S_OK);
  }
  for (const UINT between : {0u, 0x2150u}) {  // observed: plain numbers
    ComPtr<IDMLDevice> device;
    EXPECT_EQ(
        DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, Level(between), IID_PPV_ARGS(&device)),
        S_OK);
  }
}

TEST_F(ContractTest, R006_DeviceHoldsOneReferenceOnItsParent) {
  const ULONG before = CountReferences(d3d_.Get());
  ComPtr<IDMLDevice1> device = MakeDevice();
  EXPECT_EQ(CountReferences(d3d_.Get()), before + 1);
  device.Reset();
  EXPECT_EQ(CountReferences(d3d_.Get()), before);
}

TEST_F(ContractTest, R007_MissingDebugLayerIsSaidSo) {
  const Environment missing("RESIDUE_DIRECTML_DEBUG_LAYER", "0");
  void* device = this;
  EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, __uuidof(IDMLDevice), &device),
            DXGI_ERROR_SDK_COMPONENT_MISSING);
  EXPECT_EQ(device, nullptr);
  EXPECT_NE(MakeDevice().Get(), nullptr);
  const Environment there("RESIDUE_DIRECTML_DEBUG_LAYER", "1");
  DebugStrings strings;
  EXPECT_NE(MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG).Get(), nullptr);
}

TEST_F(ContractTest, R008_DebugWorksWithoutTheD3D12DebugLayer) {
  DebugStrings strings;
  const auto device = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  EXPECT_EQ(device->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_TRUE(strings.Contains("[DIRECTML ERROR]: "));
}

TEST_F(ContractTest, R009_UnknownFlagsAreInvalid) {
  for (const UINT flags : {2u, 3u, 0x80000000u, 0xFFFFFFFFu}) {
    void* device = this;
    EXPECT_EQ(
        DMLCreateDevice(d3d_.Get(), AnyNumber<DML_CREATE_DEVICE_FLAGS>(flags), __uuidof(IDMLDevice), &device),
        E_INVALIDARG);
    EXPECT_EQ(device, nullptr);
  }
}

TEST_F(ContractTest, R010_NullParentIsInvalid) {
  void* device = this;
  EXPECT_EQ(DMLCreateDevice(nullptr, DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), &device),
            E_INVALIDARG);
  EXPECT_EQ(device, nullptr);
}

TEST_F(ContractTest, R011_InterfacesOfTheDevice) {
  DebugStrings strings;
  for (const UINT flags : {0u, 1u}) {
    for (const IID& iid :
         {__uuidof(IUnknown), __uuidof(IDMLObject), __uuidof(IDMLDevice), __uuidof(IDMLDevice1)}) {
      ComPtr<IUnknown> device;
      EXPECT_EQ(DMLCreateDevice(d3d_.Get(), AnyNumber<DML_CREATE_DEVICE_FLAGS>(flags), iid,
                                reinterpret_cast<void**>(device.GetAddressOf())),
                S_OK);
    }
    for (const IID& iid : {__uuidof(IDMLOperator), __uuidof(ID3D12Device), __uuidof(IDMLPageable), GUID{}}) {
      void* device = this;
      EXPECT_EQ(DMLCreateDevice(d3d_.Get(), AnyNumber<DML_CREATE_DEVICE_FLAGS>(flags), iid, &device),
                E_NOINTERFACE);
      EXPECT_EQ(device, nullptr);
    }
  }
  ComPtr<IDMLDebugDevice> debug;
  EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&debug)), S_OK);
}

TEST_F(ContractTest, R012_NullResultPointers) {
  EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), nullptr), S_OK);
  EXPECT_EQ(DMLCreateDevice(nullptr, DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), nullptr),
            E_INVALIDARG);
  EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLOperator), nullptr),
            E_NOINTERFACE);

  Tensor like = Float32({4});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  const DML_OPERATOR_DESC operator_desc = {kFloor, &desc};
  EXPECT_EQ(dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), nullptr), S_FALSE);
  EXPECT_EQ(dml_->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  EXPECT_EQ(dml_->CreateOperator(&operator_desc, __uuidof(IDMLDevice), nullptr), E_NOINTERFACE);
  const auto op = MakeModulus(kFloor, like);
  EXPECT_EQ(dml_->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
            S_FALSE);
  EXPECT_EQ(dml_->CompileOperator(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG);

  EXPECT_EQ(dml_->CreateOperatorInitializer(0, nullptr, __uuidof(IDMLOperatorInitializer), nullptr),
            E_POINTER);
  EXPECT_EQ(dml_->CreateCommandRecorder(__uuidof(IDMLCommandRecorder), nullptr), E_POINTER);
  EXPECT_EQ(dml_->CreateBindingTable(nullptr, __uuidof(IDMLBindingTable), nullptr), E_POINTER);
  EXPECT_EQ(op->GetDevice(__uuidof(IDMLDevice), nullptr), E_POINTER);
  EXPECT_EQ(dml_->GetParentDevice(__uuidof(ID3D12Device), nullptr), E_POINTER);
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(ContractTest, R013_EveryCallMakesADeviceOfItsOwn) {
  const auto other = MakeDevice();
  EXPECT_NE(other.Get(), dml_.Get());
  recorder_->RecordDispatch(nullptr, nullptr, nullptr);
  EXPECT_TRUE(IsRemoved());
  EXPECT_EQ(other->GetDeviceRemovedReason(), S_OK);
}

TEST_F(ContractTest, R014_DeviceMethodsAreFreeThreaded) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        Tensor a = Float32({1, 2, 3, 4});
        Tensor b = a;
        Tensor out = a;
        ComPtr<IDMLOperator> op;
        ComPtr<IDMLCompiledOperator> compiled;
        ComPtr<IDMLOperatorInitializer> initializer;
        ComPtr<IDMLCommandRecorder> recorder;
        ComPtr<IDMLBindingTable> table;
        failures += TryCreate(kFloor, a, b, out, &op) != S_OK;
        failures += dml_->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)) != S_OK;
        IDMLCompiledOperator* targets[] = {compiled.Get()};
        failures += dml_->CreateOperatorInitializer(1, targets, IID_PPV_ARGS(&initializer)) != S_OK;
        failures += dml_->CreateCommandRecorder(IID_PPV_ARGS(&recorder)) != S_OK;
        const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
        failures += dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)) != S_OK;
        failures += dml_->GetDeviceRemovedReason() != S_OK;
        failures += dml_->SetPrivateData(GUID{1, 2, 3, {}}, sizeof(i), &i) != S_OK;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
}

TEST_F(ContractTest, R015_ParentDeviceIsTheOneGiven) {
  const ULONG before = CountReferences(d3d_.Get());
  ComPtr<ID3D12Device> parent;
  ASSERT_EQ(dml_->GetParentDevice(IID_PPV_ARGS(&parent)), S_OK);
  EXPECT_EQ(parent.Get(), d3d_.Get());
  EXPECT_EQ(CountReferences(d3d_.Get()), before + 1);
  void* wrong = this;
  EXPECT_EQ(dml_->GetParentDevice(__uuidof(IDMLDevice), &wrong), E_NOINTERFACE);
  EXPECT_EQ(wrong, nullptr);
}

TEST_F(ContractTest, R016_ChildrenKeepTheDeviceAlive) {
  ComPtr<IDMLDevice1> device = MakeDevice();
  ComPtr<IDMLCommandRecorder> recorder = MakeRecorder(device.Get());
  IDMLDevice1* raw = device.Get();
  device.Reset();
  ComPtr<IDMLDevice1> again;
  ASSERT_EQ(recorder->GetDevice(IID_PPV_ARGS(&again)), S_OK);
  EXPECT_EQ(again.Get(), raw);
  EXPECT_EQ(again->GetDeviceRemovedReason(), S_OK);
}

TEST_F(ContractTest, R017_ChildrenOfAnotherDeviceAreRefused) {
  const auto other = MakeDevice();
  const auto op = MakeModulus(kFloor, Float32({4}));
  const auto compiled = Compile(op.Get());
  ComPtr<IUnknown> result;
  const auto to = reinterpret_cast<void**>(result.GetAddressOf());
  EXPECT_EQ(other->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), to),
            E_INVALIDARG);
  IDMLCompiledOperator* targets[] = {compiled.Get()};
  EXPECT_EQ(other->CreateOperatorInitializer(1, targets, __uuidof(IDMLOperatorInitializer), to),
            E_INVALIDARG);
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  EXPECT_EQ(other->CreateBindingTable(&desc, __uuidof(IDMLBindingTable), to), E_INVALIDARG);
  IDMLPageable* pageables[] = {compiled.Get()};
  EXPECT_EQ(other->Evict(1, pageables), E_INVALIDARG);
  EXPECT_EQ(other->GetDeviceRemovedReason(), S_OK);

  const auto table = MakeTable(compiled.Get());
  const auto buffer = MakeBuffer(16);
  const auto out = MakeBuffer(16);
  BindInputs(table.Get(), {buffer, buffer});
  BindOutputs(table.Get(), {out});
  const auto recorder = MakeRecorder(other.Get());
  recorder->RecordDispatch(list_.Get(), compiled.Get(), table.Get());
  EXPECT_EQ(other->GetDeviceRemovedReason(), E_INVALIDARG) << "the device of the object that was called";
  EXPECT_FALSE(IsRemoved());

  // A foreign table with a dispatchable of the recorder's own device.
  ComPtr<IDMLDevice1> third = MakeDevice();
  std::swap(dml_, third);
  const auto own = CompileModulus(kFloor, Float32({4}));
  std::swap(dml_, third);
  const auto third_recorder = MakeRecorder(third.Get());
  third_recorder->RecordDispatch(list_.Get(), own.Get(), table.Get());
  EXPECT_EQ(third->GetDeviceRemovedReason(), E_INVALIDARG);
  EXPECT_FALSE(IsRemoved());
}

// The same of what belongs to another Direct3D 12 device, though our memory could be reached from all.
TEST_F(ContractTest, R017_ResourcesAndListsOfAnotherDirect3DDeviceAreRefused) {
  const auto foreign = MakeBuffer(16);
  const auto foreign_list = list_;
  ComPtr<ID3D12Debug4> debug;
  ASSERT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
  debug->EnableDebugLayer();
  ComPtr<ID3D12Device> other;
  EXPECT_EQ(CreateD3D12Device(D3D_FEATURE_LEVEL_11_0, &other), S_OK);
  debug->DisableDebugLayer();
  ASSERT_NE(other.Get(), d3d_.Get());
  const auto before = d3d_;
  const auto dml_before = dml_;
  d3d_ = other;
  for (const bool list_is_foreign : {false, true}) {
    dml_ = MakeDevice();
    const auto compiled = CompileModulus(kFloor, Float32({4}));
    const auto table = MakeTable(compiled.Get());
    const auto own = MakeBuffer(16);
    BindInputs(table.Get(), {own, own});
    EXPECT_FALSE(IsRemoved());
    if (list_is_foreign) {
      BindOutputs(table.Get(), {own});
      MakeRecorder(dml_.Get())->RecordDispatch(foreign_list.Get(), compiled.Get(), table.Get());
    } else {
      BindOutputs(table.Get(), {foreign});
    }
    EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
  }
  dml_ = dml_before;
  d3d_ = before;
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R018_Device1FromLevel2_1) {
  ComPtr<IDMLDevice1> device1;
  EXPECT_EQ(dml_.As(&device1), S_OK);
  const Environment old("RESIDUE_DIRECTML_FEATURE_LEVEL", "2_0");
  void* none = this;
  EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice1), &none),
            E_NOINTERFACE);
  EXPECT_EQ(none, nullptr);
  ComPtr<IDMLDevice> device;
  ASSERT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&device)), S_OK);
  EXPECT_EQ(device->QueryInterface(__uuidof(IDMLDevice1), &none), E_NOINTERFACE);
}

TEST_F(ContractTest, R019_DebugDeviceOnlyWithTheFlag) {
  void* none = this;
  EXPECT_EQ(dml_->QueryInterface(__uuidof(IDMLDebugDevice), &none), E_NOINTERFACE);
  EXPECT_EQ(none, nullptr);
  DebugStrings strings;
  ComPtr<IDMLDebugDevice> debug;
  EXPECT_EQ(MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG).As(&debug), S_OK);
}

TEST_F(ContractTest, R020_MuteStopsMessages) {
  DebugStrings strings;
  const auto device = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  ComPtr<IDMLDebugDevice> debug;
  ASSERT_EQ(device.As(&debug), S_OK);
  const auto fail = [&] { device->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr); };
  strings.texts.clear();
  fail();
  EXPECT_EQ(strings.texts.size(), 1u);
  debug->SetMuteDebugOutput(TRUE);
  fail();
  EXPECT_EQ(strings.texts.size(), 1u);
  debug->SetMuteDebugOutput(FALSE);
  fail();
  EXPECT_EQ(strings.texts.size(), 2u);
  MakeRecorder(device.Get())->RecordDispatch(nullptr, nullptr, nullptr);
  EXPECT_NE(device->GetDeviceRemovedReason(), S_OK);
  debug->SetMuteDebugOutput(TRUE);  // a removed device takes no more orders
}

TEST_F(ContractTest, R021_UnknownFeatures) {
  UINT query = 1;
  UINT answer = 77;
  for (const UINT feature : {2u, 100u, 0xFFFFFFFFu}) {
    EXPECT_EQ(dml_->CheckFeatureSupport(AnyNumber<DML_FEATURE>(feature), sizeof(query), &query,
                                        sizeof(answer), &answer),
              DXGI_ERROR_UNSUPPORTED);
  }
  EXPECT_EQ(answer, 77u);
}

TEST_F(ContractTest, R022_WrongSizesAndNulls) {
  UINT64 query[2] = {};
  query[0] = DML_TENSOR_DATA_TYPE_FLOAT32;
  UINT64 answer = 77;
  const auto type = DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT;
  EXPECT_EQ(dml_->CheckFeatureSupport(type, 8, query, 4, &answer), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(type, 0, query, 4, &answer), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(type, 4, query, 8, &answer), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(type, 4, query, 4, nullptr), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(type, 4, nullptr, 4, &answer), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(type, 0, nullptr, 4, &answer), E_INVALIDARG);
  const auto levels = DML_FEATURE_FEATURE_LEVELS;
  EXPECT_EQ(dml_->CheckFeatureSupport(levels, 8, query, 4, &answer), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(levels, 16, query, 8, &answer), E_INVALIDARG);
  EXPECT_EQ(dml_->CheckFeatureSupport(levels, 16, nullptr, 4, &answer), E_INVALIDARG);
  EXPECT_EQ(answer, 77u);
}

HRESULT AskType(IDMLDevice* device, UINT type, BOOL* answer) {
  return device->CheckFeatureSupport(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, sizeof(type), &type,
                                     sizeof(*answer), answer);
}

TEST_F(ContractTest, R023_TypeSupport) {
  for (UINT type = DML_TENSOR_DATA_TYPE_FLOAT32; type <= DML_TENSOR_DATA_TYPE_INT64; ++type) {
    BOOL answer = FALSE;
    EXPECT_EQ(AskType(dml_.Get(), type, &answer), S_OK);
    EXPECT_EQ(answer, TRUE) << type;
  }
  for (const UINT type : {DML_TENSOR_DATA_TYPE_UINT4, DML_TENSOR_DATA_TYPE_INT4}) {
    BOOL answer = TRUE;
    EXPECT_EQ(AskType(dml_.Get(), type, &answer), S_OK);
    EXPECT_EQ(answer, FALSE) << type;
  }
}

TEST_F(ContractTest, R024_UnknownTypes) {
  for (const UINT type : {0u, 14u, 0xFFFFFFFFu}) {
    BOOL answer = 77;
    EXPECT_EQ(AskType(dml_.Get(), type, &answer), E_INVALIDARG) << type;
    EXPECT_EQ(answer, 77u);
  }
}

HRESULT AskLevels(IDMLDevice* device, std::vector<UINT> levels, UINT* answer) {
  const DML_FEATURE_QUERY_FEATURE_LEVELS query = {static_cast<UINT>(levels.size()),
                                                  reinterpret_cast<const DML_FEATURE_LEVEL*>(levels.data())};
  return device->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof(query), &query, sizeof(*answer),
                                     answer);
}

TEST_F(ContractTest, R025_HighestRequestedLevel) {
  UINT answer = 0;
  EXPECT_EQ(AskLevels(dml_.Get(), {0x1000, 0x5000, 0x2100}, &answer), S_OK);
  EXPECT_EQ(answer, 0x5000u);
  EXPECT_EQ(AskLevels(dml_.Get(), {0x6400, 0x1000}, &answer), S_OK);
  EXPECT_EQ(answer, 0x6400u);
  EXPECT_EQ(AskLevels(dml_.Get(), {0x1000}, &answer), S_OK);
  EXPECT_EQ(answer, 0x1000u);
}

TEST_F(ContractTest, R026_NoRequestedLevels) {
  UINT answer = 77;
  EXPECT_EQ(AskLevels(dml_.Get(), {}, &answer), E_INVALIDARG);
  DML_FEATURE_QUERY_FEATURE_LEVELS query = {3, nullptr};
  EXPECT_EQ(
      dml_->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof(query), &query, sizeof(answer), &answer),
      E_INVALIDARG);
  EXPECT_EQ(answer, 77u);
}

TEST_F(ContractTest, R027_UnknownLevelsAreIgnored) {
  UINT answer = 0;
  EXPECT_EQ(AskLevels(dml_.Get(), {0x9900, 0x2100, 0x2150, 0xFFFFFFFF, 0}, &answer), S_OK);
  EXPECT_EQ(answer, 0x2100u);
}

TEST_F(ContractTest, R028_NoLevelSupported) {
  UINT answer = 77;
  EXPECT_EQ(AskLevels(dml_.Get(), {0x7000, 0x9900}, &answer), DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(answer, 77u);
}

TEST_F(ContractTest, R029_Level1_0DoesNotKnowTheLevelQuery) {
  const Environment old("RESIDUE_DIRECTML_FEATURE_LEVEL", "1_0");
  ComPtr<IDMLDevice> device;
  ASSERT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&device)), S_OK);
  UINT answer = 77;
  EXPECT_EQ(AskLevels(device.Get(), {0x1000}, &answer), DXGI_ERROR_UNSUPPORTED);
  EXPECT_EQ(answer, 77u);
}

TEST_F(ContractTest, R030_OperatorsMayRefuseASupportedType) {
  BOOL answer = FALSE;
  ASSERT_EQ(AskType(dml_.Get(), DML_TENSOR_DATA_TYPE_FLOAT64, &answer), S_OK);
  EXPECT_EQ(answer, TRUE) << "the identity operator takes it";
  Tensor a(DML_TENSOR_DATA_TYPE_FLOAT64, {4});
  EXPECT_EQ(TryWithA(a), E_INVALIDARG) << "the modulus operators do not";
}

}  // namespace
}  // namespace residue::testing
