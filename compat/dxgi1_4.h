// The part of DXGI that finds an adapter: factories and adapters up to IDXGIFactory4, with the binary
// interface of the original. Our only adapter is the CPU. Displays and swap chains do not exist; asking for
// one returns DXGI_ERROR_UNSUPPORTED. Implemented by libresidue_d3d12.
#ifndef RESIDUE_COMPAT_DXGI1_4_H_
#define RESIDUE_COMPAT_DXGI1_4_H_

#include <wsl/winadapter.h>

#include <directx/dxgicommon.h>
#include <directx/dxgiformat.h>

enum DXGI_ADAPTER_FLAG : UINT {
  DXGI_ADAPTER_FLAG_NONE = 0,
  DXGI_ADAPTER_FLAG_REMOTE = 1,
  DXGI_ADAPTER_FLAG_SOFTWARE = 2
};

struct DXGI_ADAPTER_DESC {
  WCHAR Description[128];
  UINT VendorId;
  UINT DeviceId;
  UINT SubSysId;
  UINT Revision;
  SIZE_T DedicatedVideoMemory;
  SIZE_T DedicatedSystemMemory;
  SIZE_T SharedSystemMemory;
  LUID AdapterLuid;
};

struct DXGI_ADAPTER_DESC1 : DXGI_ADAPTER_DESC {
  UINT Flags;
};

enum DXGI_GRAPHICS_PREEMPTION_GRANULARITY : UINT { DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY = 0 };
enum DXGI_COMPUTE_PREEMPTION_GRANULARITY : UINT { DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY = 0 };

struct DXGI_ADAPTER_DESC2 : DXGI_ADAPTER_DESC1 {
  DXGI_GRAPHICS_PREEMPTION_GRANULARITY GraphicsPreemptionGranularity;
  DXGI_COMPUTE_PREEMPTION_GRANULARITY ComputePreemptionGranularity;
};

enum DXGI_MEMORY_SEGMENT_GROUP : UINT {
  DXGI_MEMORY_SEGMENT_GROUP_LOCAL = 0,
  DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL = 1
};

struct DXGI_QUERY_VIDEO_MEMORY_INFO {
  UINT64 Budget;
  UINT64 CurrentUsage;
  UINT64 AvailableForReservation;
  UINT64 CurrentReservation;
};

struct IDXGIOutput;
struct IDXGISwapChain;
struct IDXGISwapChain1;
struct DXGI_SWAP_CHAIN_DESC;
struct DXGI_SWAP_CHAIN_DESC1;
struct DXGI_SWAP_CHAIN_FULLSCREEN_DESC;
typedef void* HMODULE;

struct IDXGIObject : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID key, UINT size, const void* data) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID key, const IUnknown* object) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID key, UINT* size, void* data) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetParent(REFIID iid, void** parent) = 0;
};

struct IDXGIAdapter : IDXGIObject {
  virtual HRESULT STDMETHODCALLTYPE EnumOutputs(UINT index, IDXGIOutput** output) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetDesc(DXGI_ADAPTER_DESC* desc) = 0;
  virtual HRESULT STDMETHODCALLTYPE CheckInterfaceSupport(REFGUID name, LARGE_INTEGER* version) = 0;
};

struct IDXGIAdapter1 : IDXGIAdapter {
  virtual HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_ADAPTER_DESC1* desc) = 0;
};

struct IDXGIAdapter2 : IDXGIAdapter1 {
  virtual HRESULT STDMETHODCALLTYPE GetDesc2(DXGI_ADAPTER_DESC2* desc) = 0;
};

struct IDXGIAdapter3 : IDXGIAdapter2 {
  virtual HRESULT STDMETHODCALLTYPE RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE event,
                                                                                         DWORD* cookie) = 0;
  virtual void STDMETHODCALLTYPE UnregisterHardwareContentProtectionTeardownStatus(DWORD cookie) = 0;
  virtual HRESULT STDMETHODCALLTYPE QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                         DXGI_QUERY_VIDEO_MEMORY_INFO* info) = 0;
  virtual HRESULT STDMETHODCALLTYPE SetVideoMemoryReservation(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                              UINT64 bytes) = 0;
  virtual HRESULT STDMETHODCALLTYPE RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE event,
                                                                                     DWORD* cookie) = 0;
  virtual void STDMETHODCALLTYPE UnregisterVideoMemoryBudgetChangeNotification(DWORD cookie) = 0;
};

struct IDXGIFactory : IDXGIObject {
  virtual HRESULT STDMETHODCALLTYPE EnumAdapters(UINT index, IDXGIAdapter** adapter) = 0;
  virtual HRESULT STDMETHODCALLTYPE MakeWindowAssociation(HWND window, UINT flags) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetWindowAssociation(HWND* window) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateSwapChain(IUnknown* device, DXGI_SWAP_CHAIN_DESC* desc,
                                                    IDXGISwapChain** chain) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateSoftwareAdapter(HMODULE module, IDXGIAdapter** adapter) = 0;
};

struct IDXGIFactory1 : IDXGIFactory {
  virtual HRESULT STDMETHODCALLTYPE EnumAdapters1(UINT index, IDXGIAdapter1** adapter) = 0;
  virtual BOOL STDMETHODCALLTYPE IsCurrent() = 0;
};

struct IDXGIFactory2 : IDXGIFactory1 {
  virtual BOOL STDMETHODCALLTYPE IsWindowedStereoEnabled() = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateSwapChainForHwnd(IUnknown* device, HWND window,
                                                           const DXGI_SWAP_CHAIN_DESC1* desc,
                                                           const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* fullscreen,
                                                           IDXGIOutput* output, IDXGISwapChain1** chain) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateSwapChainForCoreWindow(IUnknown* device, IUnknown* window,
                                                                 const DXGI_SWAP_CHAIN_DESC1* desc,
                                                                 IDXGIOutput* output,
                                                                 IDXGISwapChain1** chain) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetSharedResourceAdapterLuid(HANDLE resource, LUID* luid) = 0;
  virtual HRESULT STDMETHODCALLTYPE RegisterStereoStatusWindow(HWND window, UINT message, DWORD* cookie) = 0;
  virtual HRESULT STDMETHODCALLTYPE RegisterStereoStatusEvent(HANDLE event, DWORD* cookie) = 0;
  virtual void STDMETHODCALLTYPE UnregisterStereoStatus(DWORD cookie) = 0;
  virtual HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusWindow(HWND window, UINT message,
                                                                  DWORD* cookie) = 0;
  virtual HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusEvent(HANDLE event, DWORD* cookie) = 0;
  virtual void STDMETHODCALLTYPE UnregisterOcclusionStatus(DWORD cookie) = 0;
  virtual HRESULT STDMETHODCALLTYPE CreateSwapChainForComposition(IUnknown* device,
                                                                  const DXGI_SWAP_CHAIN_DESC1* desc,
                                                                  IDXGIOutput* output,
                                                                  IDXGISwapChain1** chain) = 0;
};

struct IDXGIFactory3 : IDXGIFactory2 {
  virtual UINT STDMETHODCALLTYPE GetCreationFlags() = 0;
};

struct IDXGIFactory4 : IDXGIFactory3 {
  virtual HRESULT STDMETHODCALLTYPE EnumAdapterByLuid(LUID luid, REFIID iid, void** adapter) = 0;
  virtual HRESULT STDMETHODCALLTYPE EnumWarpAdapter(REFIID iid, void** adapter) = 0;
};

__CRT_UUID_DECL(IDXGIObject, 0xaec22fb8, 0x76f3, 0x4639, 0x9b, 0xe0, 0x28, 0xeb, 0x43, 0xa6, 0x7a, 0x2e)
__CRT_UUID_DECL(IDXGIAdapter, 0x2411e7e1, 0x12ac, 0x4ccf, 0xbd, 0x14, 0x97, 0x98, 0xe8, 0x53, 0x4d, 0xc0)
__CRT_UUID_DECL(IDXGIAdapter1, 0x29038f61, 0x3839, 0x4626, 0x91, 0xfd, 0x08, 0x68, 0x79, 0x01, 0x1a, 0x05)
__CRT_UUID_DECL(IDXGIAdapter2, 0x0aa1ae0a, 0xfa0e, 0x4b84, 0x86, 0x44, 0xe0, 0x5f, 0xf8, 0xe5, 0xac, 0xb5)
__CRT_UUID_DECL(IDXGIAdapter3, 0x645967a4, 0x1392, 0x4310, 0xa7, 0x98, 0x80, 0x53, 0xce, 0x3e, 0x93, 0xfd)
__CRT_UUID_DECL(IDXGIFactory, 0x7b7166ec, 0x21c7, 0x44ae, 0xb2, 0x1a, 0xc9, 0xae, 0x32, 0x1a, 0xe3, 0x69)
__CRT_UUID_DECL(IDXGIFactory1, 0x770aae78, 0xf26f, 0x4dba, 0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87)
__CRT_UUID_DECL(IDXGIFactory2, 0x50c83a1c, 0xe072, 0x4c48, 0x87, 0xb0, 0x36, 0x30, 0xfa, 0x36, 0xa6, 0xd0)
__CRT_UUID_DECL(IDXGIFactory3, 0x25483823, 0xcd46, 0x4c7d, 0x86, 0xca, 0x47, 0xaa, 0x95, 0xb8, 0x37, 0xbd)
__CRT_UUID_DECL(IDXGIFactory4, 0x1bc6ea02, 0xef36, 0x464f, 0xbf, 0x0c, 0x21, 0xca, 0x39, 0xe5, 0x16, 0x8a)

extern "C" __attribute__((visibility("default"))) HRESULT CreateDXGIFactory1(REFIID iid,
                                                                             void** factory) noexcept;
extern "C" __attribute__((visibility("default"))) HRESULT CreateDXGIFactory2(UINT flags, REFIID iid,
                                                                             void** factory) noexcept;

#endif  // RESIDUE_COMPAT_DXGI1_4_H_
