#include "cpu/rows/row.h"

#include <algorithm>
#include <cstdio>

#include "cpu/rows/dispatch.h"
#include "cpu/rows/reference.h"

namespace residue {
namespace {

RowCode FindInTarget(RowKey key, Target target) noexcept {
  if (target == Target::kReference) return {reference::FindRow(key)};
  for (auto* find :
       {&FindFp16Row, &FindFloatRow, &FindFunctionRow, &FindNarrowIntegerRow, &FindWideIntegerRow}) {
    if (const RowCode found = find(key, target); found.run != nullptr) return found;
  }
  return {};
}

RowEntry SearchRow(RowKey key, Target max) noexcept {
  if (!Gives(key.op, key.type, key.result)) return {};
  for (const Target target : SupportedTargets()) {
    if (target > max) continue;
    if (const RowCode found = FindInTarget(key, target); found.run != nullptr) return {found, target};
  }
  return {{reference::FindRow(key)}, Target::kReference};
}

}  // namespace

BestRows::BestRows() noexcept {
  for (const OperatorId op : kAllOperators) {
    if (!IsToldByOneType(op)) continue;
    for (const DataType type : kAllDataTypes) {
      const RowKey key(op, type);
      const RowEntry row = SearchRow(key, BestTarget());
      if (row.run == nullptr) continue;
      whole_[static_cast<size_t>(op)][static_cast<size_t>(type)] = row;
      SmallRow& small = small_[static_cast<size_t>(op)][static_cast<size_t>(type)];
      small.run = row.run;
      small.inputs = static_cast<uint8_t>(InputCount(op));
      small.params_bytes = static_cast<uint8_t>(ParamsBytes(op));
      small.input_bytes = static_cast<uint8_t>(SizeOf(type));
      small.result_bytes = static_cast<uint8_t>(SizeOf(key.result));
      small.widest_bytes = std::max(small.input_bytes, small.result_bytes);
      small.result = static_cast<uint8_t>(key.result);
    }
  }
}

RowEntry FindRow(RowKey key, Target max) noexcept {
  const bool is_kept =
      max == BestTarget() && IsToldByOneType(key.op) && key.result == OutputType(key.op, key.type);
  return is_kept ? GetBestRows().Whole(key) : SearchRow(key, max);
}

size_t FormatRowName(RowKey key, Target target, char* text, size_t size) noexcept {
  const bool uniform = IsUniform(key.op) && key.result == key.type;
  const int length =
      std::snprintf(text, size, "%s.%s%s%s@%s", OperatorName(key.op), ShortName(key.type), uniform ? "" : ".",
                    uniform ? "" : ShortName(key.result), TargetName(target));
  return static_cast<size_t>(std::max(length, 0));
}

}  // namespace residue
