// Errors are values: a code, the field it is about, and the two numbers that disagree. A Status is a few
// words, allocates nothing, and becomes text only when somebody asks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace residue {

enum class StatusCode : int32_t {
#define RESIDUE_STATUS(Name, C_NAME, value, text) k##Name = (value),
#include "core/statuses.def"
};

// kUnsignedAtMost: the bits of `provided` are a uint64_t. kNone: the field is no number.
enum class Relation : int8_t { kEqualTo, kAtLeast, kAtMost, kUnsignedAtMost, kNone };

struct Status {
  StatusCode code = StatusCode::kOk;
  const char* field = nullptr;  // static string, e.g. "sizes"; nullptr when no field is to blame
  int32_t index = -1;           // the field's element, or -1
  int64_t provided = 0;
  Relation relation = Relation::kEqualTo;
  int64_t expected = 0;

  constexpr bool ok() const noexcept { return code == StatusCode::kOk; }
};

// What the code means, in one static sentence; never nullptr.
const char* StatusText(StatusCode code) noexcept;

// Writes e.g. "out_strides[0]: 0 was provided, but at least 4 was expected: ..." and a final zero into
// text, cutting it to `size` bytes. Returns the full length without the zero, as snprintf does.
size_t FormatStatus(const Status& status, char* text, size_t size) noexcept;

}  // namespace residue
