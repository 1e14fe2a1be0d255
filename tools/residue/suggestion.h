// "Did you mean": what somebody may have wanted to write.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace residue::tool {

// "; did you mean 'floor'?" if one of the names is near to what was given, `otherwise` if none is.
std::string Suggestion(std::string_view given, std::span<const std::string> names,
                       std::string_view otherwise = {});

}  // namespace residue::tool
