// What an application hangs on an object: data and interfaces by GUID, and a name. Thread-safe, as D3D12 and
// DirectML promise.
#pragma once

#include <wsl/winadapter.h>

#include <cstddef>
#include <mutex>
#include <vector>

#include "com/com_object.h"

namespace residue {

class PrivateData {
 public:
  HRESULT Get(REFGUID key, UINT* size, void* data) noexcept;
  HRESULT Set(REFGUID key, UINT size, const void* data) noexcept;
  HRESULT SetInterface(REFGUID key, IUnknown* interface_pointer) noexcept;
  HRESULT SetName(const WCHAR* name) noexcept;

 private:
  struct Entry {
    GUID key{};
    std::vector<std::byte> bytes;
    Ref<IUnknown> object;  // set for interfaces; bytes is empty then
  };
  HRESULT Replace(Entry entry) noexcept;
  void Erase(REFGUID key) noexcept;

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace residue
