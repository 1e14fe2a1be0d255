// Reference counting and QueryInterface for every COM object of ours.
//
// A class derives from ComObject<Interfaces...> and answers FindInterface. It starts life with one reference,
// which its maker hands over with MoveToCaller. LiveObjectCount lets tests prove that everything died.
#pragma once

#include <wsl/winadapter.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

namespace residue {

inline std::atomic<int64_t> live_object_count{0};
inline int64_t LiveObjectCount() noexcept { return live_object_count.load(); }

template <class... Interfaces>
class ComObject : public Interfaces... {
 public:
  ComObject(const ComObject&) = delete;
  ComObject& operator=(const ComObject&) = delete;

  ULONG STDMETHODCALLTYPE AddRef() noexcept override {
    return references_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  ULONG STDMETHODCALLTYPE Release() noexcept override {
    const ULONG left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (left == 0) delete this;
    return left;
  }

  // For whoever knows the object without holding it: false if its end has begun.
  bool TryAddRef() noexcept {
    ULONG count = references_.load(std::memory_order_relaxed);
    while (count != 0) {
      if (references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, void** object) noexcept override {
    if (object == nullptr) return E_POINTER;
    *object = FindInterface(iid);
    if (*object == nullptr) return E_NOINTERFACE;
    AddRef();
    return S_OK;
  }

 protected:
  ComObject() noexcept { live_object_count.fetch_add(1, std::memory_order_relaxed); }
  virtual ~ComObject() { live_object_count.fetch_sub(1, std::memory_order_relaxed); }

  // The interface as a pointer, or nullptr; takes no reference.
  virtual void* FindInterface(REFIID iid) noexcept = 0;

 private:
  std::atomic<ULONG> references_{1};
};

// The first of the interfaces that has this identifier, as a pointer into `self`.
template <class... Interfaces, class Self>
void* MatchInterface(REFIID iid, Self* self) noexcept {
  void* found = nullptr;
  (void)((iid == __uuidof(Interfaces) && (found = static_cast<Interfaces*>(self), true)) || ...);
  return found;
}

// A counted pointer for our own members; it never takes a reference by accident.
template <class T>
class Ref {
 public:
  Ref() noexcept = default;
  Ref(const Ref& other) noexcept : Ref(Share(other.object_)) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDelete): the analyzer does not follow the count
    if (object_ != nullptr) object_->Release();
  }

  // Takes over a reference that the caller owns.
  static Ref Adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  // Adds a reference.
  static Ref Share(T* object) noexcept {
    if (object != nullptr) object->AddRef();
    return Adopt(object);
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  T* Detach() noexcept { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

// An interface of any COM object, or an empty reference.
template <class T>
Ref<T> QueryFor(IUnknown* object, REFIID iid) noexcept {
  void* found = nullptr;
  if (object == nullptr || FAILED(object->QueryInterface(iid, &found))) return {};
  return Ref<T>::Adopt(static_cast<T*>(found));
}

// May throw bad_alloc.
template <class T, class... Arguments>
Ref<T> Make(Arguments&&... arguments) {
  return Ref<T>::Adopt(new T(std::forward<Arguments>(arguments)...));
}

// new that answers with an empty reference when memory is short, whether operator new or the constructor says
// so.
template <class T, class... Arguments>
Ref<T> TryMake(Arguments&&... arguments) noexcept {
  try {
    return Make<T>(std::forward<Arguments>(arguments)...);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

// The end of every Create call: the new object's interface goes to the caller, or the reason why not.
template <class T>
HRESULT MoveToCaller(Ref<T> object, REFIID iid, void** result) noexcept {
  if (!object) return E_OUTOFMEMORY;
  return object->QueryInterface(iid, result);
}

}  // namespace residue
