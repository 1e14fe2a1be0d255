// Running one row of an operator on plain arrays through the engine's tiles, and saying exactly what went
// wrong when it did.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cpu/engine/job.h"
#include "cpu/engine/plan.h"
#include "cpu/rows/row.h"
#include "verification/values.h"

namespace residue::testing {

// How the columns of a tile lie in memory. The first three promise a packed output; kStrided promises
// nothing.
enum class Form : int32_t { kVectorVector, kVectorScalar, kScalarVector, kStrided };
inline constexpr Form kAllForms[] = {Form::kVectorVector, Form::kVectorScalar, Form::kScalarVector,
                                     Form::kStrided};

inline const char* FormName(Form form) {
  switch (form) {
    case Form::kVectorVector:
      return "vv";
    case Form::kVectorScalar:
      return "vs";
    case Form::kScalarVector:
      return "sv";
    case Form::kStrided:
      return "strided";
  }
  return "unknown";
}

// AVX3_SPR has rows for halves only; for other types it is AVX3.
inline Target TargetOfRows(Target target, DataType type) {
  return target == Target::kAvx3Spr && type != DataType::kFloat16 ? Target::kAvx3 : target;
}

// The targets worth testing: every supported one that has rows of its own for the type, except the
// reference, which is what the others are compared with. With RESIDUE_TEST_TARGETS=two, where a run is slow,
// the best and the best of those without masks: they touch memory in all the ways that there are.
inline std::vector<Target> VectorTargets(DataType type) {
  std::vector<Target> targets;
  for (const Target target : SupportedTargets()) {
    if (target != Target::kReference && TargetOfRows(target, type) == target) targets.push_back(target);
  }
  const char* asked = std::getenv("RESIDUE_TEST_TARGETS");
  if (asked == nullptr || std::string_view(asked) != "two" || targets.size() < 3) return targets;
  const auto unmasked = std::ranges::find(targets, Target::kAvx2);
  return {targets.front(), unmasked == targets.end() || unmasked == targets.begin() ? targets[1] : *unmasked};
}

// Whether an operator takes elements of a type and gives such elements.
inline bool StaysIn(DataType type, OperatorId op) { return Contains(InputTypes(op), type) && IsUniform(op); }

// The operators that do. Of those that share all except their arithmetic, two, others for each type:
// tests/rows/every_row_test.cc tries them all.
inline std::vector<OperatorId> OperatorsOf(DataType type) {
  std::vector<OperatorId> operators;
  std::vector<OperatorId> light;
  for (const OperatorId op : kAllOperators) {
    if (StaysIn(type, op)) (FindRow({op, type}, BestTarget()).light ? light : operators).push_back(op);
  }
  for (size_t n = 0; n < 2 && !light.empty(); ++n) {
    operators.push_back(light[(static_cast<size_t>(type) * 5 + n * 7) % light.size()]);
  }
  return operators;
}

struct Steps3 {
  ptrdiff_t a;
  ptrdiff_t b;
  ptrdiff_t out;
};

// Rows and columns of elements on the memory of two inputs and an output; strides in bytes. Operators of one
// input do not look at b.
struct TestTile {
  const std::byte* a;
  const std::byte* b;
  std::byte* out;
  size_t rows;
  size_t columns;
  Steps3 row_stride;
  Steps3 column_stride;
  Params params{};
  bool stream = false;
};

// A one-row tile in the given form; the scalar forms read the first element of their operand.
template <class T>
TestTile MakeTile(Form form, const T* a, const T* b, T* out, size_t count) {
  constexpr auto kSize = static_cast<ptrdiff_t>(sizeof(T));
  TestTile tile{};
  tile.a = reinterpret_cast<const std::byte*>(a);
  tile.b = reinterpret_cast<const std::byte*>(b);
  tile.out = reinterpret_cast<std::byte*>(out);
  tile.rows = 1;
  tile.columns = count;
  tile.column_stride = {form == Form::kScalarVector ? 0 : kSize, form == Form::kVectorScalar ? 0 : kSize,
                        kSize};
  return tile;
}

// Computes exactly this tile: rows are rows and columns are columns, nothing is sorted or merged. Returns the
// exceptions, if they are asked for.
inline Exceptions RunTile(OperatorId op, DataType type, Target target, const TestTile& given,
                          bool detect = false) {
  const uint32_t output = InputCount(op);
  Layout layout;
  layout.element_count = given.rows * given.columns;
  layout.loop_count = 2;
  layout.operand_count = output + 1;
  layout.first_written = output;
  layout.loops[0].size = given.columns;
  layout.loops[1].size = given.rows;
  Addresses addresses;
  const auto set = [&](uint32_t k, const std::byte* address, ptrdiff_t column, ptrdiff_t row, DataType of) {
    addresses[k] = const_cast<std::byte*>(address);
    layout.loops[0].stride[k] = column;
    layout.loops[1].stride[k] = row;
    layout.origin[k] = 0;
    layout.element_size[k] = static_cast<uint8_t>(SizeOf(of));
  };
  set(kOperandA, given.a, given.column_stride.a, given.row_stride.a, type);
  if (output > 1) set(kOperandB, given.b, given.column_stride.b, given.row_stride.b, type);
  set(output, given.out, given.column_stride.out, given.row_stride.out, OutputType(op, type));
  RowCall call{};
  call.run = FindRow({op, type}, target).run;
  call.input_count = static_cast<uint8_t>(output);
  call.in = {0, 1, 2};
  call.out = static_cast<ValueId>(output);
  call.params = ParamsBytes(op) == 0 ? Params{} : given.params;
  Pass pass;
  pass.layout = &layout;
  pass.rows = {&call, 1};
  pass.target = target;
  CompletePass(&pass);
  const Tile tile = {given.rows, given.columns, {}};
  const RunOptions options = {given.stream, detect};
  const Exceptions found = pass.reach == Reach::kDirect ? RunDirectTile(pass, addresses, options, tile)
                                                        : BlockRunner(pass, addresses, options).Run(tile);
  if (given.stream) FlushStreams();
  return found;
}

// Elements in the given form. Those of kStrided have a gap behind each, in all operands.
template <class T>
Exceptions RunForm(OperatorId op, Form form, Target target, const Params& params, const T* a, const T* b,
                   T* out, size_t count, bool detect = false) {
  if (form != Form::kStrided) {
    TestTile tile = MakeTile(form, a, b, out, count);
    tile.params = params;
    return RunTile(op, kDataTypeOf<T>, target, tile, detect);
  }
  thread_local std::vector<T> spread[3];
  for (std::vector<T>& one : spread) one.resize(std::max(one.size(), 2 * count));
  for (size_t i = 0; i < count; ++i) {
    spread[0][2 * i] = a[i];
    if (InputCount(op) > 1) spread[1][2 * i] = b[i];
  }
  std::vector<T>& to = spread[out == a ? 0 : out == b ? 1 : 2];
  TestTile tile = MakeTile(form, spread[0].data(), spread[1].data(), to.data(), count);
  tile.column_stride = {2 * tile.column_stride.a, 2 * tile.column_stride.b, 2 * tile.column_stride.out};
  tile.params = params;
  const Exceptions found = RunTile(op, kDataTypeOf<T>, target, tile, detect);
  for (size_t i = 0; i < count; ++i) out[i] = to[2 * i];
  return found;
}

// A row on its own, with no engine around it.
inline Exceptions RunPlainRow(OperatorId op, DataType type, Target target, const std::byte* a,
                              const std::byte* b, std::byte* out, size_t count, bool one_a, bool one_b) {
  const Params params = DefaultParams(op);
  const auto single = static_cast<uint8_t>((one_a ? 1 : 0) | (one_b ? 2 : 0));
  return FindRow({op, type}, target).run({{a, b}, out, count, params.bytes, single, false, true});
}

template <class T>
std::string Describe(T value) {
  char text[96];
  const auto bits = static_cast<uint64_t>(ToBits(value));
  if constexpr (std::is_same_v<T, Float16>) {
    std::snprintf(text, sizeof(text), "0x%04" PRIx64 " (%.9g)", bits,
                  static_cast<double>(HalfToFloat(value)));
  } else if constexpr (std::floating_point<T>) {
    std::snprintf(text, sizeof(text), "0x%" PRIx64 " (%.17g)", bits, static_cast<double>(value));
  } else if constexpr (std::is_signed_v<T>) {
    std::snprintf(text, sizeof(text), "0x%" PRIx64 " (%" PRId64 ")", bits, static_cast<int64_t>(value));
  } else {
    std::snprintf(text, sizeof(text), "0x%" PRIx64 " (%" PRIu64 ")", bits, static_cast<uint64_t>(value));
  }
  return text;
}

// "modulus_floor.f32@AVX3 vs index 3: a=... b=... expected=... got=... seed=1"
template <class T>
std::string DescribeDifference(OperatorId op, Form form, Target target, size_t index, T a, T b, T expected,
                               T got, uint64_t seed) {
  char name[64];
  FormatRowName({op, kDataTypeOf<T>}, target, name, sizeof(name));
  return std::string(name) + " " + FormName(form) + " index " + std::to_string(index) + ": a=" + Describe(a) +
         " b=" + Describe(b) + " expected=" + Describe(expected) + " got=" + Describe(got) +
         " seed=" + std::to_string(seed);
}

template <class T>
size_t FirstDifference(const T* expected, const T* got, size_t count) {
  if (std::memcmp(expected, got, count * sizeof(T)) == 0) return count;
  for (size_t i = 0; i < count; ++i) {
    if (ToBits(expected[i]) != ToBits(got[i])) return i;
  }
  return count;
}

}  // namespace residue::testing
