// The museum as the tests have it: a file.
#pragma once

#include <fstream>
#include <sstream>

#include "verification/museum.h"

namespace residue::testing {

inline rapidjson::Document LoadMuseum() {
  const std::ifstream file(RESIDUE_TEST_DATA "/bug-museum.json");
  std::ostringstream text;
  text << file.rdbuf();
  return ParseMuseum(text.str());
}

}  // namespace residue::testing
