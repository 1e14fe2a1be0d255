// DXGI up to IDXGIFactory6 and IDXGIAdapter4; see dxgi1_4.h.
#ifndef RESIDUE_COMPAT_DXGI1_6_H_
#define RESIDUE_COMPAT_DXGI1_6_H_

#include "dxgi1_4.h"

enum DXGI_FEATURE : UINT { DXGI_FEATURE_PRESENT_ALLOW_TEARING = 0 };

enum DXGI_GPU_PREFERENCE : UINT {
  DXGI_GPU_PREFERENCE_UNSPECIFIED = 0,
  DXGI_GPU_PREFERENCE_MINIMUM_POWER = 1,
  DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE = 2
};

enum DXGI_ADAPTER_FLAG3 : UINT {
  DXGI_ADAPTER_FLAG3_NONE = 0,
  DXGI_ADAPTER_FLAG3_REMOTE = 1,
  DXGI_ADAPTER_FLAG3_SOFTWARE = 2
};

struct DXGI_ADAPTER_DESC3 : DXGI_ADAPTER_DESC {
  DXGI_ADAPTER_FLAG3 Flags;
  DXGI_GRAPHICS_PREEMPTION_GRANULARITY GraphicsPreemptionGranularity;
  DXGI_COMPUTE_PREEMPTION_GRANULARITY ComputePreemptionGranularity;
};

struct IDXGIAdapter4 : IDXGIAdapter3 {
  virtual HRESULT STDMETHODCALLTYPE GetDesc3(DXGI_ADAPTER_DESC3* desc) = 0;
};

struct IDXGIFactory5 : IDXGIFactory4 {
  virtual HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DXGI_FEATURE feature, void* data, UINT size) = 0;
};

struct IDXGIFactory6 : IDXGIFactory5 {
  virtual HRESULT STDMETHODCALLTYPE EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE preference,
                                                               REFIID iid, void** adapter) = 0;
};

__CRT_UUID_DECL(IDXGIAdapter4, 0x3c8d99d1, 0x4fbf, 0x4181, 0xa8, 0x2c, 0xaf, 0x66, 0xbf, 0x7b, 0xd2, 0x4e)
__CRT_UUID_DECL(IDXGIFactory5, 0x7632e1f5, 0xee65, 0x4dca, 0x87, 0xfd, 0x84, 0xcd, 0x75, 0xf8, 0x83, 0x8d)
__CRT_UUID_DECL(IDXGIFactory6, 0xc1b6694f, 0xff09, 0x44a9, 0xb0, 0x3c, 0x77, 0x90, 0x0a, 0x0a, 0x1d, 0x17)

#endif  // RESIDUE_COMPAT_DXGI1_6_H_
