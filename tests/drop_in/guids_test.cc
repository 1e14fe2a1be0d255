// A Windows program that has the headers define their identifiers, as most do, gets along with ours, which
// are the same.
#define INITGUID
#include <wsl/winadapter.h>

#include <directx/dxcore.h>
#include <gtest/gtest.h>

namespace {
const GUID kGraphics = DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS;
const GUID kCoreCompute = DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE;
}  // namespace

#include <residue_d3d12.h>

TEST(GuidsTest, AttributesAreThoseOfTheHeaders) {
  EXPECT_EQ(kGraphics, DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS);
  EXPECT_EQ(kCoreCompute, DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE);
}
