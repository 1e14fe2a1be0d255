// The part of wil that DirectML samples use, for Linux: failed HRESULTs become exceptions.
#ifndef RESIDUE_COMPAT_WIL_RESULT_H_
#define RESIDUE_COMPAT_WIL_RESULT_H_

// Samples include wil first and Direct3D headers later; on Linux the interface identifiers must come before
// the first use of __uuidof, so they come from here.
#include <residue_d3d12.h>
#include <residue_win32.h>

#include <cstdio>
#include <stdexcept>

namespace wil {

class ResultException : public std::runtime_error {
 public:
  ResultException(HRESULT result, const char* text) : std::runtime_error(text), result_(result) {}
  HRESULT GetErrorCode() const noexcept { return result_; }

 private:
  HRESULT result_;
};

inline void ThrowIfFailed(HRESULT result, const char* expression, const char* file, int line) {
  if (SUCCEEDED(result)) return;
  char text[512];
  std::snprintf(text, sizeof(text), "%s:%d: %s returned 0x%08X", file, line, expression,
                static_cast<unsigned>(result));
  throw ResultException(result, text);
}

}  // namespace wil

#define THROW_IF_FAILED(expression) ::wil::ThrowIfFailed((expression), #expression, __FILE__, __LINE__)
#define THROW_HR(result) ::wil::ThrowIfFailed((result), #result, __FILE__, __LINE__)
#define THROW_IF_NULL_ALLOC(pointer) \
  ::wil::ThrowIfFailed((pointer) == nullptr ? E_OUTOFMEMORY : S_OK, #pointer, __FILE__, __LINE__)
#define THROW_LAST_ERROR_IF_NULL(handle) \
  ::wil::ThrowIfFailed((handle) == nullptr ? E_FAIL : S_OK, #handle, __FILE__, __LINE__)
#define RETURN_IF_FAILED(expression)                   \
  do {                                                 \
    const HRESULT residue_result = (expression);       \
    if (FAILED(residue_result)) return residue_result; \
  } while (false)

#endif  // RESIDUE_COMPAT_WIL_RESULT_H_
