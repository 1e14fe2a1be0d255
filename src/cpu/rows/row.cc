#include "cpu/rows/row.h"

#include <algorithm>
#include <cstdio>

#include "cpu/rows/dispatch.h"
#include "cpu/rows/reference.h"

namespace residue {
namespace {

RowFn FindInTarget(RowKey key, Target target) noexcept {
  if (target == Target::kReference) return reference::FindRow(key);
  for (auto* find : {&FindFp16Row, &FindFloatRow, &FindNarrowIntegerRow, &FindWideIntegerRow}) {
    if (const RowFn found = find(key, target); found != nullptr) return found;
  }
  return nullptr;
}

RowEntry SearchRow(RowKey key, Target max) noexcept {
  if (!Contains(InputTypes(key.op), key.type)) return {nullptr, Target::kReference};
  for (const Target target : SupportedTargets()) {
    if (target > max) continue;
    if (const RowFn found = FindInTarget(key, target); found != nullptr) return {found, target};
  }
  return {reference::FindRow(key), Target::kReference};
}

// The rows of the best target, found once: small calls look them up every time.
class BestRows {
 public:
  BestRows() noexcept {
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) At({op, type}) = SearchRow({op, type}, BestTarget());
    }
  }

  RowEntry& At(RowKey key) noexcept {
    return rows_[static_cast<size_t>(key.op)][static_cast<size_t>(key.type)];
  }

 private:
  static constexpr auto kOperators = static_cast<size_t>(*std::ranges::max_element(kAllOperators)) + 1;
  static constexpr auto kTypes = static_cast<size_t>(*std::ranges::max_element(kAllDataTypes)) + 1;
  RowEntry rows_[kOperators][kTypes] = {};
};

}  // namespace

const RowEntry& FindBestRow(RowKey key) noexcept {
  static BestRows best;
  return best.At(key);
}

RowEntry FindRow(RowKey key, Target max) noexcept {
  return max == BestTarget() ? FindBestRow(key) : SearchRow(key, max);
}

size_t FormatRowName(RowKey key, Target target, char* text, size_t size) noexcept {
  const int length =
      std::snprintf(text, size, "%s.%s@%s", OperatorName(key.op), ShortName(key.type), TargetName(target));
  return static_cast<size_t>(std::max(length, 0));
}

}  // namespace residue
