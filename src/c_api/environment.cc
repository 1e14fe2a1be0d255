// What the environment has wrong. The library never prints; a program that wants to tell its user asks here.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <string_view>

#include "core/status.h"
#include "cpu/rows/target.h"
#include "residue/residue.h"

namespace residue {
namespace {

constexpr size_t kShownBytes = 32;

// Text of unknown origin made fit for any terminal or log: its beginning, in printable ASCII.
class Shown {
 public:
  explicit Shown(std::string_view text) noexcept {
    for (const char c : text.substr(0, kShownBytes)) {
      const auto byte = static_cast<unsigned char>(c);
      const bool printable = byte >= 0x20 && byte < 0x7F;
      length_ += static_cast<size_t>(
          std::snprintf(text_ + length_, sizeof(text_) - length_, printable ? "%c" : "\\x%02x", byte));
    }
    if (text.size() > kShownBytes) std::snprintf(text_ + length_, sizeof(text_) - length_, "...");
  }

  const char* text() const noexcept { return text_; }

 private:
  char text_[4 * kShownBytes + 4] = "";
  size_t length_ = 0;
};

}  // namespace
}  // namespace residue

residue_status residue_check_environment(char* text, size_t size) noexcept {
  using namespace residue;  // NOLINT(google-build-using-namespace): this is its C face
  if (text == nullptr && size != 0) return RESIDUE_NULL_POINTER;
  size = std::min<size_t>(size, INT_MAX);  // what snprintf can be told
  if (size != 0) *text = 0;
  const std::string_view unknown = UnknownMaxTarget();
  if (unknown.empty()) return RESIDUE_OK;
  char names[128];
  FormatTargetNames(names, sizeof(names));
  std::snprintf(text, size, "%s: '%s' was provided, but one of %s was expected; it is ignored",
                kMaxTargetVariable, Shown(unknown).text(), names);
  return RESIDUE_INVALID_TARGET;
}
