// Writing files so that nobody finds half of one.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

namespace residue::tool {

// What `write` puts into the file becomes the file at `path` when it is whole. After Ctrl-C the old one
// stays, and the answer is false. Fails if it cannot be written.
bool ReplaceFile(const std::string& path, const std::function<void(std::FILE*)>& write);

}  // namespace residue::tool
