// Any operands on every target against the reference: all forms, tiles, rows and exceptions, in memory of
// exactly the right size.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <vector>

#include "cpu/rows/reference.h"
#include "fuzz/require.h"
#include "verification/random.h"
#include "verification/row_run.h"

namespace residue::testing {
namespace {

constexpr size_t kMostColumns = 150;

// Raw bits, or edges chosen by one byte each, which reach their pairs much sooner.
template <class T>
std::vector<T> MakeValues(FuzzedDataProvider& data, size_t count) {
  static const std::vector<T> edges = EdgeValues<T>();
  const bool raw = data.ConsumeBool();
  const std::vector<uint8_t> bytes = data.ConsumeBytes<uint8_t>(raw ? count * sizeof(T) : count);
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    if (raw) {
      for (size_t k = 0; k < sizeof(T) && !bytes.empty(); ++k) {
        bits = bits << 8 | bytes[(i * sizeof(T) + k) % bytes.size()];
      }
      values[i] = FromBits<T>(bits);
    } else {
      values[i] = bytes.empty() ? edges[i % edges.size()] : edges[bytes[i % bytes.size()] * i % edges.size()];
    }
  }
  values.shrink_to_fit();
  return values;
}

// What a tile has to say of where its elements lie; steps are counted in elements.
struct Shape {
  Form form;
  size_t rows;
  size_t columns;
  size_t step;

  size_t At(size_t row, size_t column) const { return (row * columns + column) * step; }
  size_t AtA(size_t row, size_t column) const { return form == Form::kScalarVector ? row : At(row, column); }
  size_t AtB(size_t row, size_t column) const { return form == Form::kVectorScalar ? row : At(row, column); }
};

enum class Alias { kNone, kA, kB };

template <class T>
TestTile PlaceTile(const Shape& shape, const T* a, const T* b, T* out) {
  TestTile tile = MakeTile(shape.form, a, b, out, shape.columns);
  const auto bytes = [](size_t elements) { return static_cast<ptrdiff_t>(elements * sizeof(T)); };
  tile.rows = shape.rows;
  if (shape.form == Form::kStrided)
    tile.column_stride = {bytes(shape.step), bytes(shape.step), bytes(shape.step)};
  tile.row_stride = {bytes(shape.AtA(1, 0)), bytes(shape.AtB(1, 0)), bytes(shape.At(1, 0))};
  return tile;
}

template <class T>
void RequireSame(OperatorId op, const Shape& shape, Target target, const std::vector<T>& a,
                 const std::vector<T>& b, const std::vector<T>& expected, const std::vector<T>& got) {
  const size_t i = FirstDifference(expected.data(), got.data(), expected.size());
  if (i == expected.size()) return;
  const size_t row = i / shape.step / shape.columns;
  const size_t column = i / shape.step % shape.columns;
  std::fprintf(stderr, "%s\n",
               DescribeDifference(op, shape.form, target, i, a[shape.AtA(row, column)],
                                  b[shape.AtB(row, column)], expected[i], got[i], 0)
                   .c_str());
  __builtin_trap();
}

template <class T>
void CheckForm(OperatorId op, const Shape& shape, const std::vector<T>& a, const std::vector<T>& b,
               Alias alias, bool stream) {
  // Between the elements of a strided output lies what was there before.
  const std::vector<T>& before = alias == Alias::kB ? b : a;
  std::vector<T> expected = before;
  Exceptions exceptions = kNoException;
  for (size_t row = 0; row < shape.rows; ++row) {
    for (size_t column = 0; column < shape.columns; ++column) {
      const T x = a[shape.AtA(row, column)];
      const T y = b[shape.AtB(row, column)];
      expected[shape.At(row, column)] = reference::Evaluate(op, x, y);
      exceptions |= reference::Detect(op, x, y);
    }
  }
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    std::vector<T> out = before;
    TestTile tile = PlaceTile(shape, alias == Alias::kA ? out.data() : a.data(),
                              alias == Alias::kB ? out.data() : b.data(), out.data());
    tile.params = DefaultParams(op);
    tile.stream = stream && alias == Alias::kNone;
    for (const bool detect : {false, true}) {
      std::copy(before.begin(), before.end(), out.begin());
      const Exceptions found = RunTile(op, kDataTypeOf<T>, target, tile, detect);
      if (detect) FUZZ_REQUIRE(found == exceptions);
      RequireSame(op, shape, target, a, b, expected, out);
    }
    if (shape.form == Form::kStrided || shape.rows != 1) continue;
    std::copy(before.begin(), before.end(), out.begin());
    FUZZ_REQUIRE(RunPlainRow(op, kDataTypeOf<T>, target, tile.a, tile.b, tile.out, shape.columns,
                             shape.form == Form::kScalarVector,
                             shape.form == Form::kVectorScalar) == exceptions);
    RequireSame(op, shape, target, a, b, expected, out);
  }
}

}  // namespace
}  // namespace residue::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace residue;
  using namespace residue::testing;
  FuzzedDataProvider data(bytes, size);
  const OperatorId op = data.PickValueInArray(kAllOperators);
  const Form form = data.PickValueInArray(kAllForms);
  const DataType type = data.PickValueInArray(kAllDataTypes);
  if (!StaysIn(type, op)) return 0;
  const size_t count = data.ConsumeIntegralInRange<int>(0, 15) != 15
                           ? data.ConsumeIntegralInRange<size_t>(1, 20)
                           : data.ConsumeIntegralInRange<size_t>(1, kMostColumns);
  const size_t step = data.ConsumeIntegralInRange<size_t>(1, 4);
  Alias alias = data.ConsumeBool() ? Alias::kA : Alias::kNone;
  if (alias == Alias::kA && data.ConsumeBool()) alias = Alias::kB;
  const bool stream = data.ConsumeBool();
  Shape shape = {form, data.ConsumeIntegralInRange<size_t>(1, 3), 0, form == Form::kStrided ? step : 1};
  const size_t elements = (count + shape.step - 1) / shape.step;
  shape.rows = std::min(shape.rows, elements);
  shape.columns = elements / shape.rows;
  // An operand with one element in a row has not the output's strides.
  if ((alias == Alias::kA && form == Form::kScalarVector) ||
      (alias == Alias::kB && form == Form::kVectorScalar))
    alias = Alias::kNone;
  VisitType(type, [&]<class T>(T) {
    const std::vector<T> a = MakeValues<T>(data, count);
    const std::vector<T> b = MakeValues<T>(data, count);
    CheckForm(op, shape, a, b, alias, stream);
  });
  return 0;
}
