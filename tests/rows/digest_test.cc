// All functions give the results of every other machine.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "core/params.h"
#include "cpu/rows/row.h"
#include "support/tier.h"
#include "verification/function_digest.h"
#include "verification/row_run.h"

namespace residue::testing {
namespace {

uint64_t DigestOfFunction(OperatorId op, Target target) {
  constexpr uint64_t kBlock = uint64_t{1} << 14;
  const RowEntry entry = FindRow({op, DataType::kFloat32}, target);
  const Params params = DefaultParams(op);
  std::vector<float> numbers(kBlock);
  std::vector<float> results(kBlock);
  Row row{};
  row.in[0] = numbers.data();
  row.out = results.data();
  row.count = kBlock;
  row.params = params.bytes;
  uint64_t sum = 0;
  for (uint64_t begin = 0; begin < kDigestCount; begin += kBlock) {
    for (uint64_t i = 0; i < kBlock; ++i) numbers[i] = std::bit_cast<float>(DigestNumber(begin + i));
    entry.run(row);
    sum += DigestOf(numbers, results);
  }
  return sum;
}

// The best target, because a night computes more than this on the others.
TEST(DigestTest, AllFunctions) {
  const Target target = VectorTargets(DataType::kFloat32).front();
  uint64_t digest = 0;
  for (const OperatorId op : FunctionsOfOne()) {
    const uint64_t one = DigestOfFunction(op, target);
    std::printf("%-20s%016" PRIx64 "\n", OperatorName(op), one);
    digest = WithNextDigest(digest, one);
  }
  EXPECT_EQ(digest, kFunctionDigest)
      << TargetName(target)
      << "; `residue verify --digest` of a machine with the right one says which function differs";
}

}  // namespace
}  // namespace residue::testing
