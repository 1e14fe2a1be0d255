// The helpers of the DirectX headers, after what they need on Linux.
#ifndef RESIDUE_COMPAT_D3DX12_H_
#define RESIDUE_COMPAT_D3DX12_H_

#include <residue_d3d12.h>

#include <directx/d3dx12.h>

#endif  // RESIDUE_COMPAT_D3DX12_H_
