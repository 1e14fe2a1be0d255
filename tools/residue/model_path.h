// Where a model's files may lie: a model is not trusted, and must not name any file of this machine.
#pragma once

#include <filesystem>

#include "json.h"

namespace residue::tool {

// The folder with the path behind it that the model gives. Refused if that is outside the folder, links
// followed; `option` is what names another folder. An empty folder is the current one.
std::filesystem::path PathInside(const std::filesystem::path& folder, const Json& place, const char* option);

}  // namespace residue::tool
