// The part of wil that DirectML samples use, for Linux: a handle that closes itself.
#ifndef RESIDUE_COMPAT_WIL_RESOURCE_H_
#define RESIDUE_COMPAT_WIL_RESOURCE_H_

#include <residue_win32.h>
#include <wil/result.h>  // the real header brings it too

#include <utility>

namespace wil {

class unique_handle {
 public:
  unique_handle() noexcept = default;
  explicit unique_handle(HANDLE handle) noexcept : handle_(handle) {}
  unique_handle(unique_handle&& other) noexcept : handle_(other.release()) {}
  unique_handle& operator=(unique_handle&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~unique_handle() { reset(); }

  HANDLE get() const noexcept { return handle_; }
  HANDLE release() noexcept { return std::exchange(handle_, nullptr); }
  void reset(HANDLE handle = nullptr) noexcept {
    if (handle_ != nullptr) CloseHandle(handle_);
    handle_ = handle;
  }
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  friend bool operator==(const unique_handle& handle, std::nullptr_t) noexcept {
    return handle.handle_ == nullptr;
  }
  friend bool operator!=(const unique_handle& handle, std::nullptr_t) noexcept {
    return handle.handle_ != nullptr;
  }

 private:
  HANDLE handle_ = nullptr;
};

}  // namespace wil

#endif  // RESIDUE_COMPAT_WIL_RESOURCE_H_
