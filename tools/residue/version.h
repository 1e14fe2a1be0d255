// residue --version: this command, this machine, and what both are made of.
#pragma once

#include <string>

namespace residue::tool {

std::string VersionText();
int PrintVersion();

}  // namespace residue::tool
