// Rows: the whole interface of the arithmetic. A row is a number of elements that lie packed, or one element
// for all; one function for each operator, type and target computes it. A row knows nothing of layouts,
// tensors, threads or errors.
#pragma once

#include <algorithm>
#include <bit>
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
  // The type of the results may be left out of operators that leave no choice of it.
  constexpr RowKey(OperatorId op_, DataType type_) noexcept : RowKey(op_, type_, OutputType(op_, type_)) {}
  constexpr RowKey(OperatorId op_, DataType type_, DataType result_) noexcept
      : op(op_), type(type_), result(result_) {}

  OperatorId op;
  DataType type;    // of the first input
  DataType result;  // of the results
};

// What it takes is between the functions of one target (src/cpu/rows/chain-inl.h).
using StageFn = void (*)();

// The functions of one target for one key.
struct RowCode {
  RowFn run = nullptr;      // nullptr if the operator does not take the type
  StageFn stage = nullptr;  // the row as part of a chain, and
  RowFn chain = nullptr;    // what runs such a chain (src/cpu/rows/chain.h); nullptr if it cannot be in one
  // The stage before another that has one of these: its NaN may be any, because the next makes it the quiet
  // one.
  StageFn raw_stage = nullptr;
  // In whole turns of a chain, what the processor raises are its exceptions (src/cpu/rows/exception_flags.h).
  bool watched = false;
  bool light = false;  // its loop is all that it has of its own (src/cpu/rows/light_row-inl.h)
};

struct RowEntry : RowCode {
  Target target = Target::kReference;
};

// The fastest row no better than `max` that this machine can run. Never fails for a type that the operator
// takes.
RowEntry FindRow(RowKey key, Target max) noexcept;

// What a small call must know of its row. Apart from RowEntry and of a size that is a power of two, so that
// its address is cheap to compute.
struct alignas(16) SmallRow {
  RowFn run = nullptr;
  uint8_t inputs = 0;
  uint8_t params_bytes = 0;
  uint8_t input_bytes = 0;   // of an element; 0 if inputs differ in type, or if there is no such row
  uint8_t result_bytes = 0;  // the same of results
  uint8_t widest_bytes = 0;  // of the two
  uint8_t result = 0;        // a DataType
};
static_assert(std::has_single_bit(sizeof(SmallRow)));

// Every row of the best target whose inputs have one type and leave no choice of the results', found once:
// small calls ask each time. Numbers that are no operator or no type have what is kept for number 0, which is
// nobody's.
class BestRows {
 public:
  BestRows() noexcept;
  const SmallRow& Small(RowKey key) const noexcept { return At(small_, key); }
  const RowEntry& Whole(RowKey key) const noexcept { return At(whole_, key); }

 private:
  static constexpr auto kOperators = static_cast<uint32_t>(*std::ranges::max_element(kAllOperators)) + 1;
  static constexpr auto kTypes = static_cast<uint32_t>(*std::ranges::max_element(kAllDataTypes)) + 1;

  template <typename T>
  static const T& At(const T (&table)[kOperators][kTypes], RowKey key) noexcept {
    const auto op = static_cast<uint32_t>(key.op);
    const auto type = static_cast<uint32_t>(key.type);
    return op < kOperators && type < kTypes ? table[op][type] : table[0][0];
  }

  SmallRow small_[kOperators][kTypes];
  RowEntry whole_[kOperators][kTypes];
};

inline const BestRows& GetBestRows() noexcept {
  static const BestRows best;
  return best;
}

inline const SmallRow& FindSmallRow(RowKey key) noexcept { return GetBestRows().Small(key); }

// Writes "modulus_floor.f32@AVX3", or "cast.f32.u8@AVX3", and a zero, cut to `size` bytes; returns the full
// length.
size_t FormatRowName(RowKey key, Target target, char* text, size_t size) noexcept;

}  // namespace residue
