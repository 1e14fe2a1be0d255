// All that libdirectml knows of our Direct3D 12 objects. Each is found by QueryInterface under an identifier
// of our own, so an object of another Direct3D 12 implementation is recognised as foreign and never guessed
// at.
//
// Memory and recorded work have reference counts apart from the application's objects: DirectML must not
// count as a user of a resource, yet must stay safe when the application releases one too early.
#pragma once

#include <cstdint>

#include <residue_d3d12.h>
#include "backend/backend.h"

namespace residue {

struct HostBuffer {
  IDeviceMemory* memory = nullptr;  // with a reference for the caller
  uint64_t offset = 0;              // of the buffer's first byte in that memory
  uint64_t width = 0;
  D3D12_HEAP_TYPE heap_type = D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE;
  const ID3D12Device* device = nullptr;  // only to tell devices apart
  IUnknown* record = nullptr;  // of the debug layer, with a reference for the caller; null without it
};

// Upload and readback heaps have no such buffers.
inline bool AllowsUnorderedAccess(const HostBuffer& buffer) noexcept {
  return (buffer.flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0;
}

struct IHostResource : IUnknown {
  virtual void Describe(HostBuffer* buffer) noexcept = 0;
};

// Something the queue's thread will have done.
struct IHostWork : IUnknown {
  virtual void Encode(IDeviceStream& stream) noexcept = 0;
  // About how many bytes it reads and writes: what is short need not wait for another thread.
  virtual uint64_t Bytes() const noexcept = 0;
};

// Something recorded in a command list. Submit is called on the thread of ExecuteCommandLists, each time the
// list is executed; it returns what to run with a reference for the caller, or nullptr for nothing.
struct IHostCommand : IUnknown {
  virtual IHostWork* Submit() noexcept = 0;
};

// What a dispatch does, for the debug layer.
struct HostUse {
  IUnknown* record;
  uint64_t offset;  // in the buffer
  uint64_t size;
  bool written;
};
struct HostDispatch {
  const HostUse* uses;
  size_t use_count;
  D3D12_GPU_DESCRIPTOR_HANDLE descriptors;
  uint32_t descriptor_count;
  uint64_t table;  // a number of the binding table alone, and another one after its Reset
};

struct IHostCommandList : IUnknown {
  virtual bool IsRecording() noexcept = 0;
  virtual const ID3D12Device* Owner() const noexcept = 0;  // only to tell devices apart
  // Whether the debug layer wants to know what a dispatch does.
  virtual bool IsWatched() const noexcept = 0;
  // The dispatch may be null.
  virtual HRESULT Append(IHostCommand* command, const HostDispatch* dispatch) noexcept = 0;
};

// What an info queue says of a message beside its text.
struct HostMessage {
  D3D12_MESSAGE_CATEGORY category;
  D3D12_MESSAGE_SEVERITY severity;
  D3D12_MESSAGE_ID id;
};

struct IHostDevice : IUnknown {
  // Whether it has the debug layer, and so an info queue.
  virtual bool IsWatched() const noexcept = 0;
  // To the info queue, if the device has one.
  virtual void Tell(const HostMessage& message, const char* text) noexcept = 0;
  // The sink for texts that have no info queue to go to.
  virtual void WriteDebugString(const char* text) noexcept = 0;
  // Are these descriptors that a binding table can be made of? The debug layer tells if not.
  virtual void CheckDescriptors(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                                uint32_t count) noexcept = 0;
  // From now on GetDeviceRemovedReason answers with this; the first reason stays.
  virtual void Remove(HRESULT reason) noexcept = 0;
  // What the device computes with, with a reference for the caller.
  virtual IBackend* GetBackend() noexcept = 0;
  // Another one, instead of the processor. E_FAIL once anybody has asked for what there was.
  virtual HRESULT SetBackend(IBackend* backend) noexcept = 0;
};

inline constexpr GUID kIidHostResource = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x32}};
inline constexpr GUID kIidHostCommandList = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x35}};
inline constexpr GUID kIidHostDevice = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x36}};

}  // namespace residue
