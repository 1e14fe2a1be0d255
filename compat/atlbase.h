// ATL's CComPtr, for Linux: a pointer that counts references, as small as DirectML programs need it.
#ifndef RESIDUE_COMPAT_ATLBASE_H_
#define RESIDUE_COMPAT_ATLBASE_H_

#include <residue_d3d12.h>
#include <residue_win32.h>

#include <cstddef>
#include <utility>

template <class T>
class CComPtr {
 public:
  CComPtr() noexcept = default;
  CComPtr(std::nullptr_t) noexcept {}
  CComPtr(int) noexcept {}  // as ATL's, for CComPtr<T> object = 0
  CComPtr(T* object) noexcept : p(object) {
    if (p != nullptr) p->AddRef();
  }
  CComPtr(const CComPtr& other) noexcept : CComPtr(other.p) {}
  CComPtr(CComPtr&& other) noexcept : p(other.Detach()) {}
  CComPtr& operator=(CComPtr other) noexcept {
    std::swap(p, other.p);
    return *this;
  }
  ~CComPtr() { Release(); }

  void Release() noexcept {
    if (T* old = Detach(); old != nullptr) old->Release();
  }
  T* Detach() noexcept { return std::exchange(p, nullptr); }
  // Takes over a reference.
  void Attach(T* object) noexcept {
    Release();
    p = object;
  }
  template <class Other>
  HRESULT QueryInterface(Other** other) const noexcept {
    return p->QueryInterface(__uuidof(Other), reinterpret_cast<void**>(other));
  }
  HRESULT CopyTo(T** other) const noexcept {
    if (other == nullptr) return E_POINTER;
    if ((*other = p) != nullptr) p->AddRef();
    return S_OK;
  }
  bool IsEqualObject(IUnknown* other) const noexcept {
    CComPtr<IUnknown> mine, theirs;
    if (p != nullptr) p->QueryInterface(__uuidof(IUnknown), reinterpret_cast<void**>(&mine));
    if (other != nullptr) other->QueryInterface(__uuidof(IUnknown), reinterpret_cast<void**>(&theirs));
    return mine.p == theirs.p;
  }

  operator T*() const noexcept { return p; }
  T& operator*() const noexcept { return *p; }
  T* operator->() const noexcept { return p; }
  // For a call that returns an object: it must hold none.
  T** operator&() noexcept { return &p; }
  bool operator!() const noexcept { return p == nullptr; }

  T* p = nullptr;  // NOLINT: ATL's name
};

#endif  // RESIDUE_COMPAT_ATLBASE_H_
