// The Direct3D 12 headers in the one order that works on Linux: IUnknown first, the interface identifiers
// last. Include it before anything that includes d3d12.h or uses __uuidof.
#ifndef RESIDUE_COMPAT_D3D12_H_
#define RESIDUE_COMPAT_D3D12_H_

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/dxcore.h>
#include <dxguids/dxguids.h>

#ifndef DXGI_ERROR_SDK_COMPONENT_MISSING  // not in every version of the headers
#define DXGI_ERROR_SDK_COMPONENT_MISSING static_cast<HRESULT>(0x887A002DL)
#endif

#endif  // RESIDUE_COMPAT_D3D12_H_
