// What others make of a mod b. Each says what it would give, in words where that is not a number.
#pragma once

#include <string>
#include <vector>

#include "core/operator_id.h"

namespace residue::tool {

struct Opinion {
  std::string who;
  std::string answer;
};

template <class T>
std::vector<Opinion> AskOthers(OperatorId op, T a, T b);

}  // namespace residue::tool
