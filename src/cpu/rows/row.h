// Rows: the whole interface of the arithmetic. A row is a number of elements that lie packed, or one element
// for all; one function for each operator, type and target computes it. A row knows nothing of layouts,
// tensors, threads or errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/data_type.h"
#include "core/exceptions.h"
#include "core/operator_id.h"
#include "cpu/rows/target.h"

namespace residue {

// At least one element. The output may be an input exactly (the same addresses and the same element size),
// and must not overlap one in any other way. No address needs alignment.
struct Row {
  const void* in[kMostInputs];
  void* out;
  size_t count;
  const void* params;
  uint8_t single;  // bit i: in[i] is one element for all
  bool stream;     // the output is larger than the caches and lies apart from the inputs
  bool detect;     // the exceptions are asked for
};

// Computes the row and says which exceptions its elements had, if that was asked.
using RowFn = Exceptions (*)(const Row& row) noexcept;

struct RowKey {
  OperatorId op;
  DataType type;  // of the inputs
};

// What it takes is between the functions of one target (src/cpu/rows/chain-inl.h).
using StageFn = void (*)();

// The functions of one target for one key.
struct RowCode {
  RowFn run = nullptr;      // nullptr if the operator does not take the type
  StageFn stage = nullptr;  // the row as part of a chain, and
  RowFn chain = nullptr;    // what runs such a chain (src/cpu/rows/chain.h); nullptr if it cannot be in one
};

struct RowEntry : RowCode {
  Target target = Target::kReference;
};

// The fastest row no better than `max` that this machine can run. Never fails for a type that the operator
// takes.
RowEntry FindRow(RowKey key, Target max) noexcept;

// Every row of the best target, found once, with what a small call must know of it: such calls ask each time.
class BestRows {
 public:
  struct Entry {
    RowEntry row;
    uint8_t inputs = 0;
    uint8_t params_bytes = 0;
    uint8_t element_bytes = 0;  // of inputs and results; 0 if they differ, or if there is no such row
  };

  BestRows() noexcept;
  // Numbers that are no operator or no type have the entry of number 0, which is nobody's.
  const Entry& At(RowKey key) const noexcept {
    const auto op = static_cast<uint32_t>(key.op);
    const auto type = static_cast<uint32_t>(key.type);
    return op < kOperators && type < kTypes ? rows_[op][type] : rows_[0][0];
  }

 private:
  static constexpr auto kOperators = static_cast<uint32_t>(*std::ranges::max_element(kAllOperators)) + 1;
  static constexpr auto kTypes = static_cast<uint32_t>(*std::ranges::max_element(kAllDataTypes)) + 1;
  Entry rows_[kOperators][kTypes];
};

inline const BestRows::Entry& FindBestRow(RowKey key) noexcept {
  static const BestRows best;
  return best.At(key);
}

// Writes "modulus_floor.f32@AVX3" and a zero, cut to `size` bytes; returns the full length.
size_t FormatRowName(RowKey key, Target target, char* text, size_t size) noexcept;

}  // namespace residue
