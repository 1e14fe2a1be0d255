// Headers of Windows programs that compat/ has, used as such programs do.
#include <Windows.h>

#include <WinSDKVer.h>
#include <atlbase.h>
#include <dxcore.h>
#include <dxgi1_6.h>
#include <gtest/gtest.h>
#include <wrl.h>

#include "com/com_object.h"

namespace residue::testing {
namespace {

TEST(CompatTest, PointersOfAtl) {
  {
    CComPtr<ID3D12Device> device;
    EXPECT_TRUE(!device);
    ASSERT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)), S_OK);
    CComPtr<ID3D12Device9> newer;
    ASSERT_EQ(device.QueryInterface(&newer), S_OK);
    EXPECT_TRUE(device.IsEqualObject(newer));
    CComPtr<ID3D12Device> other = device;
    CComPtr<ID3D12Device> moved = std::move(other);
    EXPECT_EQ(other.p, nullptr);  // NOLINT(bugprone-use-after-move)
    CComPtr<ID3D12Fence> fence;
    ASSERT_EQ(moved->CreateFence(3, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)), S_OK);
    EXPECT_FALSE(device.IsEqualObject(fence));
    EXPECT_EQ(fence->GetCompletedValue(), 3u);
    ID3D12Fence* raw = nullptr;
    ASSERT_EQ(fence.CopyTo(&raw), S_OK);
    fence.Attach(raw);
    fence = nullptr;
    EXPECT_TRUE(!fence);
  }
  EXPECT_EQ(LiveObjectCount(), 0);
}

TEST(CompatTest, PointersOfWrlAndEvents) {
  Microsoft::WRL::ComPtr<IDXGIFactory6> factory;
  ASSERT_EQ(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)), S_OK);
  HANDLE event = CreateEvent(nullptr, FALSE, TRUE, nullptr);
  EXPECT_EQ(WaitForSingleObject(event, INFINITE), DWORD{WAIT_OBJECT_0});
  CloseHandle(event);
}

}  // namespace
}  // namespace residue::testing
