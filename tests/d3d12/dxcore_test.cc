// DXCore: the one adapter is found by what it can do, tells its properties, and makes devices.
#include <cstring>
#include <vector>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class DxcoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(LiveObjectCount(), 0);
    ASSERT_EQ(DXCoreCreateAdapterFactory(__uuidof(IDXCoreAdapterFactory),
                                         reinterpret_cast<void**>(factory_.ReleaseAndGetAddressOf())),
              S_OK);
    ASSERT_EQ(List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE})
                  ->GetAdapter(0, __uuidof(IDXCoreAdapter),
                               reinterpret_cast<void**>(adapter_.ReleaseAndGetAddressOf())),
              S_OK);
  }
  void TearDown() override {
    adapter_.Reset();
    factory_.Reset();
    EXPECT_EQ(LiveObjectCount(), 0) << "objects were leaked";
  }
  ComPtr<IDXCoreAdapterList> List(const std::vector<GUID>& attributes) {
    ComPtr<IDXCoreAdapterList> list;
    EXPECT_EQ(factory_->CreateAdapterList(static_cast<uint32_t>(attributes.size()), attributes.data(),
                                          __uuidof(IDXCoreAdapterList),
                                          reinterpret_cast<void**>(list.ReleaseAndGetAddressOf())),
              S_OK);
    return list;
  }
  template <class T>
  T Get(DXCoreAdapterProperty property) {
    size_t size = 0;
    EXPECT_TRUE(adapter_->IsPropertySupported(property));
    EXPECT_EQ(adapter_->GetPropertySize(property, &size), S_OK);
    EXPECT_EQ(size, sizeof(T));
    T value;
    std::memset(&value, 0xA5, sizeof(value));
    EXPECT_EQ(adapter_->GetProperty(property, sizeof(value), &value), S_OK);
    EXPECT_EQ(adapter_->GetProperty(property, sizeof(value) - 1, &value), E_INVALIDARG);
    return value;
  }
  ComPtr<IDXCoreAdapterFactory> factory_;
  ComPtr<IDXCoreAdapter> adapter_;
};

TEST_F(DxcoreTest, AdaptersAreFoundByAttributes) {
  EXPECT_EQ(List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE})->GetAdapterCount(), 1u);
  EXPECT_EQ(List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML})->GetAdapterCount(), 1u);
  EXPECT_EQ(List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML, DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE})
                ->GetAdapterCount(),
            1u);
  EXPECT_EQ(List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS})->GetAdapterCount(), 0u);
  const GUID unknown = {1, 2, 3, {4, 5, 6, 7, 8, 9, 10, 11}};
  EXPECT_EQ(List({unknown})->GetAdapterCount(), 0u);
  EXPECT_TRUE(adapter_->IsAttributeSupported(DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML));
  EXPECT_FALSE(adapter_->IsAttributeSupported(DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS));
  void* none = this;
  EXPECT_EQ(factory_->CreateAdapterList(0, nullptr, __uuidof(IDXCoreAdapterList), &none), E_INVALIDARG);
  EXPECT_EQ(none, nullptr);
}

TEST_F(DxcoreTest, Lists) {
  const auto list = List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML});
  const DXCoreAdapterPreference preferences[] = {DXCoreAdapterPreference::Hardware,
                                                 DXCoreAdapterPreference::HighPerformance};
  EXPECT_EQ(list->Sort(2, preferences), S_OK);
  EXPECT_EQ(list->Sort(1, nullptr), E_INVALIDARG);
  EXPECT_TRUE(list->IsAdapterPreferenceSupported(preferences[1]));
  EXPECT_FALSE(list->IsStale());
  void* none = this;
  EXPECT_EQ(list->GetAdapter(1, __uuidof(IDXCoreAdapter), &none), E_INVALIDARG);
  EXPECT_EQ(none, nullptr);
  ComPtr<IDXCoreAdapterFactory> factory;
  EXPECT_EQ(list->GetFactory(__uuidof(IDXCoreAdapterFactory),
                             reinterpret_cast<void**>(factory.ReleaseAndGetAddressOf())),
            S_OK);
  EXPECT_EQ(factory.Get(), factory_.Get());
}

TEST_F(DxcoreTest, Properties) {
  size_t size = 0;
  ASSERT_EQ(adapter_->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size), S_OK);
  std::string name(size, '?');
  ASSERT_EQ(adapter_->GetProperty(DXCoreAdapterProperty::DriverDescription, size, name.data()), S_OK);
  EXPECT_STREQ(name.c_str(), "Residue CPU");
  EXPECT_TRUE(Get<bool>(DXCoreAdapterProperty::IsHardware));
  EXPECT_TRUE(Get<bool>(DXCoreAdapterProperty::IsIntegrated));
  EXPECT_FALSE(Get<bool>(DXCoreAdapterProperty::IsDetachable));
  EXPECT_EQ(Get<uint64_t>(DXCoreAdapterProperty::DedicatedAdapterMemory), 0u);
  EXPECT_GT(Get<uint64_t>(DXCoreAdapterProperty::SharedSystemMemory), 1u << 20);
  EXPECT_EQ(Get<DXCoreHardwareID>(DXCoreAdapterProperty::HardwareID).vendorID, 0u);
  EXPECT_EQ(Get<DXCoreHardwareIDParts>(DXCoreAdapterProperty::HardwareIDParts).vendorID, 0u);
  EXPECT_EQ(Get<uint64_t>(DXCoreAdapterProperty::DriverVersion), uint64_t{1} << 48);
  EXPECT_EQ(Get<uint64_t>(DXCoreAdapterProperty::KmdModelVersion), 0u);
  EXPECT_EQ(Get<uint64_t>(DXCoreAdapterProperty::DedicatedSystemMemory), 0u);
  EXPECT_EQ(Get<uint16_t>(DXCoreAdapterProperty::ComputePreemptionGranularity), 0u);
  EXPECT_EQ(Get<uint16_t>(DXCoreAdapterProperty::GraphicsPreemptionGranularity), 0u);
  EXPECT_TRUE(Get<bool>(DXCoreAdapterProperty::AcgCompatible));
  const auto unknown = static_cast<DXCoreAdapterProperty>(1000);
  EXPECT_FALSE(adapter_->IsPropertySupported(unknown));
  EXPECT_EQ(adapter_->GetPropertySize(unknown, &size), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(adapter_->GetProperty(unknown, size, name.data()), DXGI_ERROR_INVALID_CALL);
  const auto luid = Get<LUID>(DXCoreAdapterProperty::InstanceLuid);
  ComPtr<IDXCoreAdapter> same;
  EXPECT_EQ(factory_->GetAdapterByLuid(luid, __uuidof(IDXCoreAdapter),
                                       reinterpret_cast<void**>(same.ReleaseAndGetAddressOf())),
            S_OK);
  void* none = this;
  EXPECT_EQ(factory_->GetAdapterByLuid({1, 2}, __uuidof(IDXCoreAdapter), &none), DXGI_ERROR_NOT_FOUND);
}

TEST_F(DxcoreTest, MemoryBudgets) {
  const DXCoreAdapterMemoryBudgetNodeSegmentGroup local = {0, DXCoreSegmentGroup::Local};
  DXCoreAdapterMemoryBudget budget = {};
  ASSERT_EQ(adapter_->QueryState(DXCoreAdapterState::AdapterMemoryBudget, sizeof(local), &local,
                                 sizeof(budget), &budget),
            S_OK);
  EXPECT_GT(budget.budget, budget.currentUsage);
  EXPECT_GT(budget.currentUsage, 0u);
  EXPECT_EQ(
      adapter_->QueryState(DXCoreAdapterState::AdapterMemoryBudget, 0, nullptr, sizeof(budget), &budget),
      E_INVALIDARG);
  bool updating = true;
  EXPECT_EQ(adapter_->QueryState(DXCoreAdapterState::IsDriverUpdateInProgress, 0, nullptr, 1, &updating),
            S_OK);
  EXPECT_FALSE(updating);
}

// Wrong places for answers and states that nobody has.
TEST_F(DxcoreTest, WrongQuestions) {
  constexpr auto kBudget = DXCoreAdapterState::AdapterMemoryBudget;
  constexpr auto kUpdate = DXCoreAdapterState::IsDriverUpdateInProgress;
  const DXCoreAdapterMemoryBudgetNodeSegmentGroup second_node = {1, DXCoreSegmentGroup::Local};
  const DXCoreAdapterMemoryBudgetNodeSegmentGroup elsewhere = {0, DXCoreSegmentGroup::NonLocal};
  DXCoreAdapterMemoryBudget budget = {1, 1, 1, 1};
  const auto query = [&](DXCoreAdapterState state, const auto& input, size_t size, void* data) {
    return adapter_->QueryState(state, sizeof(input), &input, size, data);
  };
  EXPECT_EQ(query(kBudget, second_node, sizeof(budget), &budget), E_INVALIDARG);
  EXPECT_EQ(query(kBudget, elsewhere, sizeof(budget) - 1, &budget), E_INVALIDARG);
  EXPECT_EQ(query(kBudget, elsewhere, sizeof(budget), nullptr), E_POINTER);
  EXPECT_EQ(query(kUpdate, elsewhere, 0, &budget), E_INVALIDARG);
  const auto unknown = static_cast<DXCoreAdapterState>(1000);
  EXPECT_EQ(query(unknown, elsewhere, sizeof(budget), &budget), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(budget.budget, 1u);
  EXPECT_EQ(query(kBudget, elsewhere, sizeof(budget), &budget), S_OK);
  EXPECT_EQ(budget.budget, 0u) << "all memory is the host's";
  EXPECT_TRUE(adapter_->IsQueryStateSupported(kBudget));
  EXPECT_FALSE(adapter_->IsQueryStateSupported(unknown));
  EXPECT_FALSE(adapter_->IsSetStateSupported(kUpdate));
  EXPECT_EQ(adapter_->SetState(kUpdate, 0, nullptr, 0, nullptr), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(adapter_->GetProperty(DXCoreAdapterProperty::IsHardware, 1, nullptr), E_POINTER);
  EXPECT_EQ(adapter_->GetPropertySize(DXCoreAdapterProperty::IsHardware, nullptr), E_POINTER);
  EXPECT_EQ(factory_->GetAdapterByLuid({}, __uuidof(IDXCoreAdapter), nullptr), E_POINTER);
  EXPECT_EQ(factory_->CreateAdapterList(1, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE,
                                        __uuidof(IDXCoreAdapterList), nullptr),
            E_POINTER);
  EXPECT_EQ(
      List({DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE})->GetAdapter(0, __uuidof(IDXCoreAdapter), nullptr),
      E_POINTER);
  EXPECT_EQ(DXCoreCreateAdapterFactory(__uuidof(IDXCoreAdapterFactory), nullptr), E_POINTER);
}

TEST_F(DxcoreTest, TheAdapterStays) {
  constexpr auto kStale = DXCoreNotificationType::AdapterListStale;
  EXPECT_TRUE(adapter_->IsValid());
  EXPECT_FALSE(factory_->IsNotificationTypeSupported(kStale));
  uint32_t cookie = 9;
  const auto never = [](DXCoreNotificationType, IUnknown*, void*) {};
  EXPECT_EQ(factory_->RegisterEventNotification(adapter_.Get(), kStale, never, nullptr, &cookie),
            DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(cookie, 0u);
  EXPECT_EQ(factory_->RegisterEventNotification(adapter_.Get(), kStale, never, nullptr, nullptr),
            DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(factory_->UnregisterEventNotification(cookie), E_INVALIDARG);
  ComPtr<IDXCoreAdapterFactory> factory;
  EXPECT_EQ(adapter_->GetFactory(__uuidof(IDXCoreAdapterFactory),
                                 reinterpret_cast<void**>(factory.ReleaseAndGetAddressOf())),
            S_OK);
  EXPECT_EQ(factory.Get(), factory_.Get());
}

TEST_F(DxcoreTest, MakesDevicesOfEveryVersion) {
  ComPtr<ID3D12Device9> device;
  ASSERT_EQ(D3D12CreateDevice(adapter_.Get(), D3D_FEATURE_LEVEL_1_0_CORE, IID_PPV_ARGS(&device)), S_OK);
  EXPECT_EQ(D3D12CreateDevice(adapter_.Get(), D3D_FEATURE_LEVEL_1_0_GENERIC, __uuidof(ID3D12Device), nullptr),
            S_FALSE);
  EXPECT_EQ(D3D12CreateDevice(factory_.Get(), D3D_FEATURE_LEVEL_11_0, __uuidof(ID3D12Device), nullptr),
            E_INVALIDARG);
}

}  // namespace
}  // namespace residue::testing
