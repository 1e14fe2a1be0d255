// Any operands on every target against the judge: all forms, tiles, short rows and exceptions, in memory of
// exactly the right size.
#include <fuzzer/FuzzedDataProvider.h>

#include <memory>
#include <vector>

#include "fuzz/require.h"
#include "kernels/reference.h"
#include "verification/kernel_run.h"
#include "verification/random.h"

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

template <class T>
void Report(OperatorId op, Form form, Target target, size_t i, T a, T b, T expected, T got) {
  std::fprintf(stderr, "%s\n", DescribeDifference(op, form, target, i, a, b, expected, got, 0).c_str());
  __builtin_trap();
}

template <class T>
void CheckForm(OperatorId op, Form form, const std::vector<T>& a, const std::vector<T>& b, size_t step,
               bool in_place) {
  const size_t count = form == Form::kStrided ? (a.size() + step - 1) / step : a.size();
  std::vector<T> expected = a;
  Exceptions exceptions = kNoException;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = form == Form::kStrided ? i * step : i;
    const T x = a[form == Form::kScalarVector ? 0 : at];
    const T y = b[form == Form::kVectorScalar ? 0 : at];
    expected[at] = reference::Evaluate(op, x, y);
    exceptions |= reference::Examine(x, y);
  }
  const auto stride = static_cast<ptrdiff_t>(step * sizeof(T));
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    const Kernel kernel = FindKernel({op, kDataTypeOf<T>, form}, target);
    // Between the elements of a strided output lies what was there before.
    std::vector<T> out = a;
    const T* dividend = in_place && form != Form::kScalarVector ? out.data() : a.data();
    Tile tile = MakeTile(form, dividend, b.data(), out.data(), count);
    if (form == Form::kStrided) tile.column_stride = {stride, stride, stride};
    if (kernel.examine != nullptr) FUZZ_REQUIRE(kernel.examine(tile) == exceptions);
    kernel.run(tile);
    const size_t i = FirstDifference(expected.data(), out.data(), expected.size());
    if (i < expected.size()) Report(op, form, target, i, a[i], b[i], expected[i], out[i]);
    if (kernel.run_short == nullptr || form == Form::kStrided) continue;
    out = a;
    const ShortRow row = {
        tile.a, tile.b, tile.out, count, form == Form::kScalarVector, form == Form::kVectorScalar};
    FUZZ_REQUIRE(kernel.run_short(row) == exceptions);
    const size_t k = FirstDifference(expected.data(), out.data(), expected.size());
    if (k < expected.size()) Report(op, form, target, k, a[k], b[k], expected[k], out[k]);
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
  const size_t count = data.ConsumeIntegralInRange<int>(0, 15) != 15
                           ? data.ConsumeIntegralInRange<size_t>(1, 20)
                           : data.ConsumeIntegralInRange<size_t>(1, kMostColumns);
  const size_t step = data.ConsumeIntegralInRange<size_t>(1, 4);
  const bool in_place = data.ConsumeBool();
  VisitType(type, [&]<class T>(T) {
    const std::vector<T> a = MakeValues<T>(data, count);
    const std::vector<T> b = MakeValues<T>(data, count);
    CheckForm(op, form, a, b, step, in_place);
  });
  return 0;
}
