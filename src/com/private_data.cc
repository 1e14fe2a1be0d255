#include "com/private_data.h"

#include <algorithm>
#include <cstring>
#include <cwchar>

namespace residue {
namespace {

// WKPDID_D3DDebugObjectNameW: a name is private data under this key.
constexpr GUID kNameKey = {0x4cca5fd8, 0x921f, 0x42c8, {0x85, 0x66, 0x70, 0xca, 0xf2, 0xa9, 0xb7, 0x41}};

}  // namespace

HRESULT PrivateData::Get(REFGUID key, UINT* size, void* data) noexcept {
  if (size == nullptr) return E_INVALIDARG;
  const std::scoped_lock lock(mutex_);
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  if (entry == entries_.end()) {
    *size = 0;
    return DXGI_ERROR_NOT_FOUND;
  }
  IUnknown* object = entry->object.get();
  const UINT needed = object != nullptr ? UINT{sizeof(void*)} : static_cast<UINT>(entry->bytes.size());
  const UINT room = *size;
  *size = needed;
  if (data == nullptr) return S_OK;
  if (room < needed) return DXGI_ERROR_MORE_DATA;
  if (object != nullptr) {
    object->AddRef();
    std::memcpy(data, &object, sizeof(void*));
  } else {
    std::copy(entry->bytes.begin(), entry->bytes.end(), static_cast<std::byte*>(data));
  }
  return S_OK;
}

HRESULT PrivateData::Set(REFGUID key, UINT size, const void* data) noexcept {
  if (data == nullptr && size != 0) return E_INVALIDARG;
  if (data == nullptr) {
    Erase(key);
    return S_OK;
  }
  try {
    const auto* bytes = static_cast<const std::byte*>(data);
    return Replace({key, std::vector<std::byte>(bytes, bytes + size), {}});
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

HRESULT PrivateData::SetInterface(REFGUID key, IUnknown* interface_pointer) noexcept {
  if (interface_pointer == nullptr) {
    Erase(key);
    return S_OK;
  }
  return Replace({key, {}, Ref<IUnknown>::Share(interface_pointer)});
}

HRESULT PrivateData::SetName(const WCHAR* name) noexcept {
  if (name == nullptr) return E_INVALIDARG;
  return Set(kNameKey, static_cast<UINT>((std::wcslen(name) + 1) * sizeof(WCHAR)), name);
}

// What is replaced is destroyed after the lock is gone: an interface's last Release may call us again.
HRESULT PrivateData::Replace(Entry entry) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto old =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == entry.key; });
  if (old != entries_.end()) {
    std::swap(*old, entry);
    return S_OK;
  }
  try {
    entries_.push_back(std::move(entry));
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

void PrivateData::Erase(REFGUID key) noexcept {
  Entry removed;
  const std::scoped_lock lock(mutex_);
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
  if (entry == entries_.end()) return;
  std::swap(*entry, removed);
  entries_.erase(entry);
}

}  // namespace residue
