// Why something from outside was not accepted: a code and one sentence that names the field, both values and
// the constants in full. Costs nothing when all is well, and allocates nothing when it is not.
#pragma once

#include <cstdint>

namespace residue {

enum class RefusalCode : uint8_t { kNone, kInvalidArgument, kUnsupported, kOutOfMemory };

struct [[nodiscard]] Refusal {
  RefusalCode code = RefusalCode::kNone;
  char text[400];  // empty while all is well, without clearing every byte

  Refusal() noexcept { text[0] = 0; }
  bool ok() const noexcept { return code == RefusalCode::kNone; }
};

// Formats as printf does, cutting what is too long.
Refusal Refuse(RefusalCode code, const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));

// The same refusal with a word in front.
Refusal Prefixed(const char* prefix, const Refusal& refusal) noexcept;

}  // namespace residue
