// ID3D12Device::CheckFeatureSupport: an adapter with unified memory, 64-bit addresses and no shaders.
#include <algorithm>
#include <cstring>

#include "core/enumeration.h"
#include "d3d12/device.h"
#include "d3d12/heap.h"

namespace residue {
namespace {

// Calls answer with the caller's struct if the size is that of T.
template <class T, class Answer>
HRESULT Reply(void* data, UINT size, const Answer& answer) noexcept {
  if (size != sizeof(T)) return E_INVALIDARG;
  T value;
  std::memcpy(&value, data, sizeof(T));
  const HRESULT hr = answer(&value);
  if (SUCCEEDED(hr)) std::memcpy(data, &value, sizeof(T));
  return hr;
}

HRESULT BestRequestedLevel(D3D12_FEATURE_DATA_FEATURE_LEVELS* levels) noexcept {
  if (levels->NumFeatureLevels == 0 || levels->pFeatureLevelsRequested == nullptr) return E_INVALIDARG;
  bool found = false;
  for (UINT i = 0; i < levels->NumFeatureLevels; ++i) {
    const int32_t number = NumberOf(levels->pFeatureLevelsRequested[i]);
    if (!IsSupportedLevel(number)) continue;
    const auto level = static_cast<D3D_FEATURE_LEVEL>(number);
    levels->MaxSupportedFeatureLevel = found ? std::max(levels->MaxSupportedFeatureLevel, level) : level;
    found = true;
  }
  return found ? S_OK : DXGI_ERROR_UNSUPPORTED;
}

// What a program knows beyond ours is lowered to ours; versions that do not exist are refused, as by a
// Direct3D 12 that is older than the program.
HRESULT LowerShaderModel(D3D12_FEATURE_DATA_SHADER_MODEL* model) noexcept {
  const int32_t asked = NumberOf(model->HighestShaderModel);
  const bool known = asked == D3D_SHADER_MODEL_5_1 || (asked >= D3D_SHADER_MODEL_6_0 && asked <= 0x69);
  if (!known) return E_INVALIDARG;
  model->HighestShaderModel = D3D_SHADER_MODEL_5_1;
  return S_OK;
}

HRESULT LowerRootSignature(D3D12_FEATURE_DATA_ROOT_SIGNATURE* signature) noexcept {
  const int32_t asked = NumberOf(signature->HighestVersion);
  if (asked < D3D_ROOT_SIGNATURE_VERSION_1_0 || asked > 3) return E_INVALIDARG;  // 3 is 1_2
  signature->HighestVersion = D3D_ROOT_SIGNATURE_VERSION_1_0;
  return S_OK;
}

// Everything a struct can offer is absent, except what was asked about and must be repeated.
template <class T>
HRESULT ReplyNothing(void* data, UINT size) noexcept {
  return Reply<T>(data, size, [](T* value) {
    *value = {};
    return S_OK;
  });
}

}  // namespace

HRESULT Device::CheckFeatureSupport(D3D12_FEATURE feature, void* data, UINT size) noexcept {
  if (data == nullptr) return E_INVALIDARG;
  switch (NumberOf(feature)) {
    case D3D12_FEATURE_ARCHITECTURE:
      return Reply<D3D12_FEATURE_DATA_ARCHITECTURE>(data, size, [](auto* value) {
        if (value->NodeIndex != 0) return E_INVALIDARG;
        *value = {0, FALSE, TRUE, TRUE};
        return S_OK;
      });
    case D3D12_FEATURE_ARCHITECTURE1:
      return Reply<D3D12_FEATURE_DATA_ARCHITECTURE1>(data, size, [](auto* value) {
        if (value->NodeIndex != 0) return E_INVALIDARG;
        *value = {0, FALSE, TRUE, TRUE, FALSE};
        return S_OK;
      });
    case D3D12_FEATURE_FEATURE_LEVELS:
      return Reply<D3D12_FEATURE_DATA_FEATURE_LEVELS>(data, size, BestRequestedLevel);
    case D3D12_FEATURE_SHADER_MODEL:
      return Reply<D3D12_FEATURE_DATA_SHADER_MODEL>(data, size, LowerShaderModel);
    case D3D12_FEATURE_ROOT_SIGNATURE:
      return Reply<D3D12_FEATURE_DATA_ROOT_SIGNATURE>(data, size, LowerRootSignature);
    case D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT:
      return Reply<D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT>(data, size, [](auto* value) {
        *value = {kBufferAddressBits, 47};
        return S_OK;
      });
    case D3D12_FEATURE_D3D12_OPTIONS:
      return Reply<D3D12_FEATURE_DATA_D3D12_OPTIONS>(data, size, [](auto* value) {
        *value = {};
        value->ResourceBindingTier = D3D12_RESOURCE_BINDING_TIER_1;  // the lowest there is
        value->ResourceHeapTier = D3D12_RESOURCE_HEAP_TIER_1;
        value->MaxGPUVirtualAddressBitsPerResource = kBufferAddressBits;
        return S_OK;
      });
    case D3D12_FEATURE_D3D12_OPTIONS1:
      return ReplyNothing<D3D12_FEATURE_DATA_D3D12_OPTIONS1>(data, size);
    case D3D12_FEATURE_D3D12_OPTIONS3:
      return ReplyNothing<D3D12_FEATURE_DATA_D3D12_OPTIONS3>(data, size);
    case D3D12_FEATURE_D3D12_OPTIONS4:
      return ReplyNothing<D3D12_FEATURE_DATA_D3D12_OPTIONS4>(data, size);
    default:
      return E_INVALIDARG;  // as an older Direct3D 12 answers about features it does not know
  }
}

}  // namespace residue
