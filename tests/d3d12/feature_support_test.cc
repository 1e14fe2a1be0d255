// CheckFeatureSupport: unified memory, 64-bit addresses, no shaders; and a struct is written only by success.
#include <algorithm>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class FeatureSupportTest : public DmlTest {
 protected:
  template <class T>
  HRESULT Check(D3D12_FEATURE feature, T* data) {
    return d3d_->CheckFeatureSupport(feature, data, sizeof(T));
  }
  // Success, with every byte zero where rubbish was before.
  template <class T>
  void ExpectNothing(D3D12_FEATURE feature) {
    std::byte bytes[sizeof(T)];
    std::fill(std::begin(bytes), std::end(bytes), std::byte{1});
    EXPECT_EQ(d3d_->CheckFeatureSupport(feature, bytes, sizeof(T)), S_OK);
    const auto zeros = std::count(std::begin(bytes), std::end(bytes), std::byte{0});
    EXPECT_EQ(zeros, static_cast<ptrdiff_t>(sizeof(T))) << feature;
  }
};

TEST_F(FeatureSupportTest, Architecture) {
  D3D12_FEATURE_DATA_ARCHITECTURE old = {0, TRUE, FALSE, FALSE};
  ASSERT_EQ(Check(D3D12_FEATURE_ARCHITECTURE, &old), S_OK);
  EXPECT_EQ(old.TileBasedRenderer, FALSE);
  EXPECT_EQ(old.UMA, TRUE);
  EXPECT_EQ(old.CacheCoherentUMA, TRUE);
  D3D12_FEATURE_DATA_ARCHITECTURE1 now = {0, TRUE, FALSE, FALSE, TRUE};
  ASSERT_EQ(Check(D3D12_FEATURE_ARCHITECTURE1, &now), S_OK);
  EXPECT_EQ(now.TileBasedRenderer, FALSE);
  EXPECT_EQ(now.UMA, TRUE);
  EXPECT_EQ(now.CacheCoherentUMA, TRUE);
  EXPECT_EQ(now.IsolatedMMU, FALSE);
  old = {1, TRUE, FALSE, FALSE};
  now = {1, TRUE, FALSE, FALSE, TRUE};
  EXPECT_EQ(Check(D3D12_FEATURE_ARCHITECTURE, &old), E_INVALIDARG) << "there is one node";
  EXPECT_EQ(Check(D3D12_FEATURE_ARCHITECTURE1, &now), E_INVALIDARG);
  EXPECT_EQ(old.TileBasedRenderer, TRUE) << "failure writes nothing";
  EXPECT_EQ(now.TileBasedRenderer, TRUE);
}

TEST_F(FeatureSupportTest, FeatureLevels) {
  const D3D_FEATURE_LEVEL growing[] = {D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_11_0,
                                       D3D_FEATURE_LEVEL_12_2};
  D3D12_FEATURE_DATA_FEATURE_LEVELS levels = {3, growing, {}};
  EXPECT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, &levels), S_OK);
  EXPECT_EQ(levels.MaxSupportedFeatureLevel, D3D_FEATURE_LEVEL_11_0);
  levels = {1, growing, {}};
  EXPECT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, &levels), S_OK);
  EXPECT_EQ(levels.MaxSupportedFeatureLevel, D3D_FEATURE_LEVEL_1_0_CORE) << "only what was asked about";
  levels = {1, growing + 2, {}};
  EXPECT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, &levels), DXGI_ERROR_UNSUPPORTED);
  levels = {0, growing, {}};
  EXPECT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, &levels), E_INVALIDARG);
  levels = {1, nullptr, {}};
  EXPECT_EQ(Check(D3D12_FEATURE_FEATURE_LEVELS, &levels), E_INVALIDARG);
}

// The answer is the lower of what the program knows and what the device has.
TEST_F(FeatureSupportTest, ShadersAndRootSignatures) {
  D3D12_FEATURE_DATA_SHADER_MODEL model = {D3D_SHADER_MODEL_6_5};
  EXPECT_EQ(Check(D3D12_FEATURE_SHADER_MODEL, &model), S_OK);
  EXPECT_EQ(model.HighestShaderModel, D3D_SHADER_MODEL_5_1);
  EXPECT_EQ(Check(D3D12_FEATURE_SHADER_MODEL, &model), S_OK);
  EXPECT_EQ(model.HighestShaderModel, D3D_SHADER_MODEL_5_1);
  D3D12_FEATURE_DATA_ROOT_SIGNATURE signature = {D3D_ROOT_SIGNATURE_VERSION_1_1};
  EXPECT_EQ(Check(D3D12_FEATURE_ROOT_SIGNATURE, &signature), S_OK);
  EXPECT_EQ(signature.HighestVersion, D3D_ROOT_SIGNATURE_VERSION_1_0);
  EXPECT_EQ(Check(D3D12_FEATURE_ROOT_SIGNATURE, &signature), S_OK);
  EXPECT_EQ(signature.HighestVersion, D3D_ROOT_SIGNATURE_VERSION_1_0);
  for (const int32_t wrong : {0, 0x50, 0x52, 0x5f, 0x6a, -1}) {
    std::memcpy(&model, &wrong, sizeof(wrong));
    EXPECT_EQ(Check(D3D12_FEATURE_SHADER_MODEL, &model), E_INVALIDARG) << wrong;
  }
  for (const int32_t wrong : {0, 4, -1}) {
    std::memcpy(&signature, &wrong, sizeof(wrong));
    EXPECT_EQ(Check(D3D12_FEATURE_ROOT_SIGNATURE, &signature), E_INVALIDARG) << wrong;
  }
}

TEST_F(FeatureSupportTest, Addresses) {
  D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT addresses = {};
  ASSERT_EQ(Check(D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, &addresses), S_OK);
  EXPECT_EQ(addresses.MaxGPUVirtualAddressBitsPerResource, 46u) << "as long as a buffer may be";
  EXPECT_EQ(addresses.MaxGPUVirtualAddressBitsPerProcess, 47u);
  EXPECT_EQ(MakeBuffer(64)->GetGPUVirtualAddress() >> addresses.MaxGPUVirtualAddressBitsPerProcess, 0u);
}

TEST_F(FeatureSupportTest, Options) {
  D3D12_FEATURE_DATA_D3D12_OPTIONS options;
  std::memset(&options, 1, sizeof(options));
  ASSERT_EQ(Check(D3D12_FEATURE_D3D12_OPTIONS, &options), S_OK);
  EXPECT_EQ(options.ResourceBindingTier, D3D12_RESOURCE_BINDING_TIER_1);
  EXPECT_EQ(options.ResourceHeapTier, D3D12_RESOURCE_HEAP_TIER_1);
  EXPECT_EQ(options.TiledResourcesTier, D3D12_TILED_RESOURCES_TIER_NOT_SUPPORTED);
  EXPECT_EQ(options.DoublePrecisionFloatShaderOps, FALSE);
  EXPECT_EQ(options.MinPrecisionSupport, D3D12_SHADER_MIN_PRECISION_SUPPORT_NONE);
  EXPECT_EQ(options.MaxGPUVirtualAddressBitsPerResource, 46u);
  EXPECT_EQ(options.CrossAdapterRowMajorTextureSupported, FALSE);
  ExpectNothing<D3D12_FEATURE_DATA_D3D12_OPTIONS1>(D3D12_FEATURE_D3D12_OPTIONS1);
  ExpectNothing<D3D12_FEATURE_DATA_D3D12_OPTIONS3>(D3D12_FEATURE_D3D12_OPTIONS3);
  ExpectNothing<D3D12_FEATURE_DATA_D3D12_OPTIONS4>(D3D12_FEATURE_D3D12_OPTIONS4);
}

// A struct of another version of Direct3D 12 is neither read nor written.
TEST_F(FeatureSupportTest, WrongSizes) {
  for (const D3D12_FEATURE feature :
       {D3D12_FEATURE_ARCHITECTURE, D3D12_FEATURE_ARCHITECTURE1, D3D12_FEATURE_FEATURE_LEVELS,
        D3D12_FEATURE_SHADER_MODEL, D3D12_FEATURE_ROOT_SIGNATURE, D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT,
        D3D12_FEATURE_D3D12_OPTIONS, D3D12_FEATURE_D3D12_OPTIONS1, D3D12_FEATURE_D3D12_OPTIONS3,
        D3D12_FEATURE_D3D12_OPTIONS4}) {
    std::byte bytes[128] = {};
    EXPECT_EQ(d3d_->CheckFeatureSupport(feature, bytes, 127), E_INVALIDARG) << feature;
    EXPECT_EQ(std::count(std::begin(bytes), std::end(bytes), std::byte{0}), 128) << feature;
  }
}

TEST_F(FeatureSupportTest, TheDeviceItself) {
  EXPECT_EQ(d3d_->GetNodeCount(), 1u);
  EXPECT_EQ(d3d_->SetStablePowerState(TRUE), S_OK);
  EXPECT_EQ(d3d_->SetStablePowerState(FALSE), S_OK);
  const D3D12_HEAP_PROPERTIES hidden = d3d_->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_DEFAULT);
  EXPECT_EQ(hidden.Type, D3D12_HEAP_TYPE_CUSTOM);
  EXPECT_EQ(hidden.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE);
  EXPECT_EQ(hidden.MemoryPoolPreference, D3D12_MEMORY_POOL_L0);
  for (const auto type : {D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK}) {
    const D3D12_HEAP_PROPERTIES seen = d3d_->GetCustomHeapProperties(0, type);
    EXPECT_EQ(seen.Type, D3D12_HEAP_TYPE_CUSTOM);
    EXPECT_EQ(seen.CPUPageProperty, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK) << "coherent";
    EXPECT_EQ(seen.MemoryPoolPreference, D3D12_MEMORY_POOL_L0);
  }
}

}  // namespace
}  // namespace residue::testing
