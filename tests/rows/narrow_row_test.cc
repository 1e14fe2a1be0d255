// Operators whose results have another type than their operands: every row of every target against the
// reference's, at every length, with one operand for all, and not a byte beyond the results.
#include <gtest/gtest.h>

#include <vector>

#include "cpu/rows/reference.h"
#include "support/tier.h"
#include "verification/row_run.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

constexpr size_t kMostElements = 300;

template <class T>
void CheckRow(OperatorId op, Target target, const std::vector<T>& a, const std::vector<T>& b, size_t count,
              uint8_t single) {
  const size_t bytes = count * SizeOf(OutputType(op, kDataTypeOf<T>));
  constexpr auto kCanary = std::byte{0xa5};
  std::vector<std::byte> expected(bytes + 64, kCanary);
  std::vector<std::byte> got = expected;
  const Params params = DefaultParams(op);
  Row row = {{a.data(), b.data()}, expected.data(), count, params.bytes, single, false, false};
  reference::FindRow({op, kDataTypeOf<T>})(row);
  row.out = got.data();
  FindRow({op, kDataTypeOf<T>}, target).run(row);
  ASSERT_EQ(got, expected) << OperatorName(op) << " " << ShortName(kDataTypeOf<T>) << "@"
                           << TargetName(target) << " count=" << count << " single=" << int{single}
                           << "  (repeat with RESIDUE_SEED=" << Seed() << ")";
}

TEST(NarrowRowTest, EveryLengthOnEveryTarget) {
  int checked = 0;
  for (const OperatorId op : kAllOperators) {
    for (const DataType type : kAllDataTypes) {
      if (!Contains(InputTypes(op), type) || StaysIn(type, op)) continue;
      VisitType(type, [&]<class T>(T) {
        PairGenerator<T> generator(Seed());
        std::vector<T> a(kMostElements);
        std::vector<T> b(kMostElements);
        for (const Target target : VectorTargets(type)) {
          for (size_t count = 1; count <= kMostElements; ++count) {
            for (size_t i = 0; i < kMostElements; ++i) generator.Next(&a[i], &b[i]);
            for (uint8_t single = 0; single < 4; ++single) CheckRow(op, target, a, b, count, single);
            ++checked;
          }
        }
      });
    }
  }
  if (checked == 0) GTEST_SKIP() << "no operator of the list has another type of results";
}

}  // namespace
}  // namespace residue::testing
