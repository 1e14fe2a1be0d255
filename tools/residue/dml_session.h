// DirectML as a program uses it: a device, a queue, buffers, and operators that are compiled, initialized,
// bound and dispatched. Every failure is one line, with what DirectML's debug layer has to say.
#pragma once

#include <residue_d3d12.h>

#include <DirectML.h>
#include <wrl/client.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "model.h"

namespace residue::tool {

using Microsoft::WRL::ComPtr;
using Buffers = std::map<std::string, ComPtr<ID3D12Resource>>;  // by the resource's name

// What DirectML says while this lives. Any thread may be the one that hears it.
class DebugMessages {
 public:
  explicit DebugMessages(bool echo);  // to standard error, as they come
  ~DebugMessages();
  DebugMessages(const DebugMessages&) = delete;
  DebugMessages& operator=(const DebugMessages&) = delete;
  // Of the last error, without what comes before it in the line; empty if there was none.
  std::string LastError() const;

 private:
  void Hear(const char* text);

  const bool echo_;
  mutable std::mutex mutex_;
  std::string last_error_;
};

class DmlSession {
 public:
  // With `debug`, DirectML's messages go to standard error as they come.
  DmlSession(bool debug, DML_FEATURE_LEVEL minimum_level);
  ComPtr<ID3D12Resource> MakeBuffer(const Resource& resource);
  std::vector<std::byte> Read(ID3D12Resource* buffer);

  struct Operator {
    const Dispatchable* dispatchable;
    ComPtr<IDMLCompiledOperator> compiled;
    ComPtr<ID3D12DescriptorHeap> descriptors;
    ComPtr<IDMLBindingTable> table;
    ComPtr<ID3D12Resource> persistent;
  };
  Operator Compile(const Dispatchable& dispatchable);
  void Initialize(Operator* op, const Model& model, const Buffers& buffers);
  void Bind(Operator* op, const Bindings& bindings, const Model& model, const Buffers& buffers);
  void Dispatch(const Operator& op, uint32_t repeat);

 private:
  void Check(HRESULT result, const std::string& doing);
  ComPtr<ID3D12Resource> MakeBuffer(uint64_t bytes);
  void SetTable(Operator* op, IDMLDispatchable* dispatchable, uint32_t descriptor_count);
  void ExecuteAndWait(const std::string& doing);

  DebugMessages messages_;
  ComPtr<ID3D12Device> d3d_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Fence> fence_;
  uint64_t fence_value_ = 0;
  ComPtr<IDMLDevice1> dml_;
  ComPtr<IDMLCommandRecorder> recorder_;
};

// "Residue CPU"
std::string AdapterName();

}  // namespace residue::tool
