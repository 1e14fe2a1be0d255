#include "core/status.h"

#include <cinttypes>
#include <cstdio>

namespace residue {

const char* StatusText(StatusCode code) noexcept {
  switch (code) {
#define RESIDUE_STATUS(Name, C_NAME, value, text) \
  case StatusCode::k##Name:                       \
    return text;
#include "core/statuses.def"
  }
  return "unknown status";
}

namespace {

const char* RelationText(Relation relation) noexcept {
  switch (relation) {
    case Relation::kAtLeast:
      return "at least ";
    case Relation::kAtMost:
    case Relation::kUnsignedAtMost:
      return "at most ";
    case Relation::kEqualTo:
    case Relation::kNone:
      break;
  }
  return "";
}

}  // namespace

size_t FormatStatus(const Status& status, char* text, size_t size) noexcept {
  char place[64] = "";
  if (status.field != nullptr) {
    if (status.index >= 0) {
      std::snprintf(place, sizeof(place), "%s[%d]", status.field, status.index);
    } else {
      std::snprintf(place, sizeof(place), "%s", status.field);
    }
  }
  char provided[24];
  std::snprintf(provided, sizeof(provided),
                status.relation == Relation::kUnsignedAtMost ? "%" PRIu64 : "%" PRId64, status.provided);
  const char* sentence = StatusText(status.code);
  const int length =
      status.field == nullptr ? std::snprintf(text, size, "%s", sentence)
      : status.relation == Relation::kNone
          ? std::snprintf(text, size, "%s: %s", place, sentence)
          : std::snprintf(text, size, "%s: %s was provided, but %s%" PRId64 " was expected: %s", place,
                          provided, RelationText(status.relation), status.expected, sentence);
  return length < 0 ? 0 : static_cast<size_t>(length);
}

}  // namespace residue
