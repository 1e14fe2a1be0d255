// Lists of objects that a program wants in memory. All of ours are.
#pragma once

#include <residue_d3d12.h>

namespace residue {

// The array must be one.
inline HRESULT CheckPageables(UINT count, ID3D12Pageable* const* objects) noexcept {
  if (count != 0 && objects == nullptr) return E_INVALIDARG;
  for (UINT i = 0; i < count; ++i) {
    if (objects[i] == nullptr) return E_INVALIDARG;
  }
  return S_OK;
}

}  // namespace residue
