// Where a model's files may lie: a model is not trusted, and must not name any file of this machine.
#pragma once

#include <filesystem>
#include <initializer_list>

#include "json.h"

namespace residue::tool {

// The path that the model gives, in the first of the folders that has such a file, or else in the last that
// may have it. Refused if it is outside all of them, links followed; `option` is what names the first. An
// empty folder is the current one.
std::filesystem::path PathInside(std::initializer_list<std::filesystem::path> folders, const Json& place,
                                 const char* option);

}  // namespace residue::tool
