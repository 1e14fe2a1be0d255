// The Direct3D 12 headers in the one order that works on Linux: IUnknown first, the interface identifiers
// last.
#pragma once

#include <wsl/winadapter.h>

#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/dxcore.h>
#include <dxguids/dxguids.h>

#ifndef DXGI_ERROR_SDK_COMPONENT_MISSING  // not in every version of the headers
#define DXGI_ERROR_SDK_COMPONENT_MISSING static_cast<HRESULT>(0x887A002DL)
#endif
