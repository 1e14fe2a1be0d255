#include "directml/refusal.h"

#include <cstdarg>
#include <cstdio>

namespace residue {

Refusal Refuse(RefusalCode code, const char* format, ...) noexcept {
  Refusal refusal;
  refusal.code = code;
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is just above
  std::vsnprintf(refusal.text, sizeof(refusal.text), format, arguments);
  va_end(arguments);
  return refusal;
}

Refusal Prefixed(const char* prefix, const Refusal& refusal) noexcept {
  return Refuse(refusal.code, "%s: %s", prefix, refusal.text);
}

}  // namespace residue
