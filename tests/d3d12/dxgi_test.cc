// DXGI beyond what finding the adapter needs: no outputs, no windows, no swap chains.
#include "dxgi1_4.h"

#include <functional>

#include "d3d12/device.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class DxgiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory_)), S_OK);
    ASSERT_EQ(factory_->EnumAdapters1(0, &adapter_), S_OK);
  }
  void TearDown() override {
    adapter_.Reset();
    factory_.Reset();
    EXPECT_EQ(LiveObjectCount(), 0) << "objects were leaked";
  }

  ComPtr<IDXGIFactory4> factory_;
  ComPtr<IDXGIAdapter1> adapter_;
};

TEST_F(DxgiTest, Factories) {
  EXPECT_EQ(factory_->IsCurrent(), TRUE);
  EXPECT_EQ(factory_->GetCreationFlags(), 0u);
  EXPECT_EQ(factory_->IsWindowedStereoEnabled(), FALSE);
  constexpr UINT kDebug = 1;  // DXGI_CREATE_FACTORY_DEBUG
  ComPtr<IDXGIFactory4> with_flags;
  ASSERT_EQ(CreateDXGIFactory2(kDebug, IID_PPV_ARGS(&with_flags)), S_OK);
  EXPECT_EQ(with_flags->GetCreationFlags(), kDebug);
  void* none = this;
  EXPECT_EQ(factory_->GetParent(__uuidof(IUnknown), &none), E_NOINTERFACE) << "nothing is above it";
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(factory_->GetParent(__uuidof(IUnknown), nullptr), E_NOINTERFACE);
  none = this;
  EXPECT_EQ(CreateDXGIFactory2(0, __uuidof(IDXGIAdapter), &none), E_NOINTERFACE);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(CreateDXGIFactory1(__uuidof(IDXGIFactory4), nullptr), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(CreateDXGIFactory2(0, __uuidof(IDXGIFactory4), nullptr), DXGI_ERROR_INVALID_CALL);
}

TEST_F(DxgiTest, WrongAdapters) {
  LUID other = kHostAdapterLuid;
  ++other.LowPart;
  LUID another = kHostAdapterLuid;
  ++another.HighPart;
  for (const LUID& luid : {other, another}) {
    void* none = this;
    EXPECT_EQ(factory_->EnumAdapterByLuid(luid, __uuidof(IDXGIAdapter1), &none), DXGI_ERROR_NOT_FOUND);
    EXPECT_EQ(none, nullptr);
  }
  EXPECT_EQ(factory_->EnumAdapterByLuid(kHostAdapterLuid, __uuidof(IDXGIAdapter1), nullptr),
            DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(factory_->EnumWarpAdapter(__uuidof(IDXGIAdapter1), nullptr), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(factory_->EnumAdapters(0, nullptr), DXGI_ERROR_INVALID_CALL);
  EXPECT_EQ(factory_->EnumAdapters1(0, nullptr), DXGI_ERROR_INVALID_CALL);
}

TEST_F(DxgiTest, AdaptersDescribeThemselves) {
  DXGI_ADAPTER_DESC1 desc = {};
  ASSERT_EQ(adapter_->GetDesc1(&desc), S_OK);
  EXPECT_EQ(std::wstring(desc.Description), L"Residue CPU");
  EXPECT_EQ(desc.DedicatedVideoMemory, 0u);
  EXPECT_GT(desc.SharedSystemMemory, 0u);
  EXPECT_EQ(desc.AdapterLuid.LowPart, kHostAdapterLuid.LowPart);
  EXPECT_EQ(desc.AdapterLuid.HighPart, kHostAdapterLuid.HighPart);
  EXPECT_EQ(adapter_->GetDesc(nullptr), E_INVALIDARG);
  EXPECT_EQ(adapter_->GetDesc1(nullptr), E_INVALIDARG);
}

TEST_F(DxgiTest, AdaptersHaveNoOutputs) {
  auto* output = reinterpret_cast<IDXGIOutput*>(this);
  EXPECT_EQ(adapter_->EnumOutputs(0, &output), DXGI_ERROR_NOT_FOUND);
  EXPECT_EQ(output, nullptr);
  EXPECT_EQ(adapter_->EnumOutputs(0, nullptr), DXGI_ERROR_NOT_FOUND);
  LARGE_INTEGER version = {};
  EXPECT_EQ(adapter_->CheckInterfaceSupport(__uuidof(ID3D12Device), &version), DXGI_ERROR_UNSUPPORTED)
      << "a question about Direct3D 10 only";
}

TEST_F(DxgiTest, NoWindowsNoSwapChains) {
  DWORD cookie = 0;
  HWND window = {};
  LUID luid = {};
  IDXGISwapChain* chain = nullptr;
  IDXGISwapChain1* chain1 = nullptr;
  ComPtr<IDXGIAdapter> software;
  const std::function<HRESULT()> calls[] = {
      [&] { return factory_->MakeWindowAssociation(window, 0); },
      [&] { return factory_->GetWindowAssociation(&window); },
      [&] { return factory_->CreateSwapChain(nullptr, nullptr, &chain); },
      [&] { return factory_->CreateSoftwareAdapter(nullptr, &software); },
      [&] { return factory_->CreateSwapChainForHwnd(nullptr, window, nullptr, nullptr, nullptr, &chain1); },
      [&] { return factory_->CreateSwapChainForCoreWindow(nullptr, nullptr, nullptr, nullptr, &chain1); },
      [&] { return factory_->CreateSwapChainForComposition(nullptr, nullptr, nullptr, &chain1); },
      [&] { return factory_->GetSharedResourceAdapterLuid(nullptr, &luid); },
      [&] { return factory_->RegisterStereoStatusWindow(window, 0, &cookie); },
      [&] { return factory_->RegisterStereoStatusEvent(nullptr, &cookie); },
      [&] { return factory_->RegisterOcclusionStatusWindow(window, 0, &cookie); },
      [&] { return factory_->RegisterOcclusionStatusEvent(nullptr, &cookie); },
  };
  for (size_t i = 0; i < std::size(calls); ++i) EXPECT_EQ(calls[i](), DXGI_ERROR_UNSUPPORTED) << i;
  EXPECT_EQ(chain, nullptr);
  EXPECT_EQ(chain1, nullptr);
  EXPECT_EQ(software.Get(), nullptr);
  EXPECT_EQ(cookie, 0u) << "nothing was registered, so there is nothing to unregister";
  factory_->UnregisterStereoStatus(cookie);
  factory_->UnregisterOcclusionStatus(cookie);
  EXPECT_EQ(factory_->IsCurrent(), TRUE);
}

TEST_F(DxgiTest, PrivateData) {
  constexpr GUID kKey = {1, 2, 3, {4}};
  for (IDXGIObject* object : std::initializer_list<IDXGIObject*>{factory_.Get(), adapter_.Get()}) {
    const uint16_t value = 0x1234;
    uint16_t found = 0;
    UINT size = sizeof(found);
    EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), DXGI_ERROR_NOT_FOUND);
    EXPECT_EQ(object->SetPrivateData(kKey, sizeof(value), &value), S_OK);
    size = sizeof(found);
    EXPECT_EQ(object->GetPrivateData(kKey, &size, &found), S_OK);
    EXPECT_EQ(found, value);
    ComPtr<IDXGIFactory4> held;
    ASSERT_EQ(CreateDXGIFactory1(IID_PPV_ARGS(&held)), S_OK);
    EXPECT_EQ(object->SetPrivateDataInterface(kKey, held.Get()), S_OK) << "replaces the bytes";
    EXPECT_EQ(CountReferences(held.Get()), 2u);
    ComPtr<IUnknown> back;
    size = sizeof(void*);
    EXPECT_EQ(object->GetPrivateData(kKey, &size, back.GetAddressOf()), S_OK);
    EXPECT_EQ(back.Get(), static_cast<IUnknown*>(held.Get()));
  }
}

}  // namespace
}  // namespace residue::testing
