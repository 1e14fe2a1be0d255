// The results of residue bench, and their picture.
#pragma once

#include <string>
#include <vector>

#include "core/data_type.h"
#include "core/operator_id.h"
#include "statistics.h"

namespace residue::tool {

struct BenchRow {
  OperatorId op;
  DataType type;
  std::string kernel = {};
  Summary seconds = {};
  double limit_seconds = 0;  // of the same bytes moved, by the best of three loops
  double gigabytes_per_second = 0;
  double limit_gigabytes_per_second = 0;
  double nanoseconds_per_element = 0;

  double PartOfLimit() const { return seconds.median > 0 ? limit_seconds / seconds.median : 0; }
};

// SVG: a bar for each row, and where memory ends.
std::string DrawBench(const std::vector<BenchRow>& rows, const std::string& subtitle);

}  // namespace residue::tool
