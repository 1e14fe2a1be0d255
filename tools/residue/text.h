// Small letters, for comparing what people write.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace residue::tool {

inline std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace residue::tool
