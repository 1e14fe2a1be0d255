// Microsoft::WRL::ComPtr, from the DirectX headers, after what it needs on Linux.
#ifndef RESIDUE_COMPAT_WRL_H_
#define RESIDUE_COMPAT_WRL_H_

#include <residue_d3d12.h>

#include <wrl/client.h>

#endif  // RESIDUE_COMPAT_WRL_H_
