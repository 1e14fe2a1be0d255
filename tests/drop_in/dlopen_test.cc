// The drop-in libraries as a loader sees them: found by name, used by function pointer, unloaded again.
#include <DirectML.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <residue_d3d12.h>
#include <wrl/client.h>

namespace {

using Microsoft::WRL::ComPtr;

// The names a program might look for; only the first two exist. What libresidue exports is found as well,
// because this library needs it.
TEST(DlopenTest, OnlyTheTwoFunctions) {
  void* library = dlopen(RESIDUE_DIRECTML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "DMLCreateDevice"), nullptr);
  EXPECT_NE(dlsym(library, "DMLCreateDevice1"), nullptr);
  for (const char* name :
       {"DMLCalcBufferTensorSize", "D3D12CreateDevice",
        "_ZN7residue15CreateDmlDeviceEP12ID3D12Device23DML_CREATE_DEVICE_FLAGS17DML_FEATURE_LEVELRK5_"
        "GUIDPPv"}) {
    EXPECT_EQ(dlsym(library, name), nullptr) << name;
  }
  EXPECT_EQ(dlclose(library), 0);
}

TEST(DlopenTest, DevicesWorkThroughFunctionPointers) {
  void* d3d12 = dlopen(RESIDUE_D3D12_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void* directml = dlopen(RESIDUE_DIRECTML_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(d3d12, nullptr) << dlerror();
  ASSERT_NE(directml, nullptr) << dlerror();
  const auto create_d3d = reinterpret_cast<decltype(&D3D12CreateDevice)>(dlsym(d3d12, "D3D12CreateDevice"));
  const auto create_dml = reinterpret_cast<decltype(&DMLCreateDevice1)>(dlsym(directml, "DMLCreateDevice1"));
  ASSERT_NE(create_d3d, nullptr);
  ASSERT_NE(create_dml, nullptr);
  {
    ComPtr<ID3D12Device> d3d;
    ASSERT_EQ(create_d3d(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)), S_OK);
    ComPtr<IDMLDevice1> dml;
    ASSERT_EQ(create_dml(d3d.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_6_4, IID_PPV_ARGS(&dml)),
              S_OK);
    EXPECT_EQ(dml->GetDeviceRemovedReason(), S_OK);
  }
  EXPECT_EQ(dlclose(directml), 0);
  EXPECT_EQ(dlclose(d3d12), 0);
}

}  // namespace
