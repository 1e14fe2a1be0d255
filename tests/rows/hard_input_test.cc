// Numbers whose results lie so near a tie that float64 cannot decide (tests/data/hard_inputs.csv), pairs of
// such (tests/data/hard_pairs.csv), and some that earlier versions misrounded: on every target, at every
// place of a vector.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "cpu/rows/row.h"
#include "support/hard_inputs.h"
#include "verification/row_run.h"

namespace residue::testing {
namespace {

// Ones, then the inputs.
std::vector<float> Behind(size_t before, const std::vector<float>& inputs) {
  std::vector<float> moved(before, 1.0f);
  moved.insert(moved.end(), inputs.begin(), inputs.end());
  return moved;
}

void Check(OperatorId op, const HardInputs& hard, Target target, size_t before) {
  const std::vector<float> x = Behind(before, hard.inputs[0]);
  const std::vector<float> y = Behind(before, hard.inputs[1]);
  std::vector<float> out(x.size());
  Row row{};
  row.in[0] = x.data();
  row.in[1] = y.data();
  row.out = out.data();
  row.count = x.size();
  row.params = DefaultParams(op).bytes;
  FindRow({op, DataType::kFloat32}, target).run(row);
  for (size_t i = 0; i < hard.results.size(); ++i) {
    ASSERT_EQ(std::bit_cast<uint32_t>(out[before + i]), hard.results[i])
        << OperatorName(op) << " of input " << i << ", " << std::hexfloat << hard.inputs[0][i] << ", on "
        << TargetName(target);
  }
}

void CheckAll(const std::map<std::string, HardInputs>& functions) {
  std::vector<Target> targets = VectorTargets(DataType::kFloat32);
  targets.push_back(Target::kReference);
  for (const OperatorId op : kAllOperators) {
    const auto found = functions.find(OperatorName(op));
    if (found == functions.end()) continue;
    for (const Target target : targets) {
      const size_t places = target == Target::kReference ? 1 : 9;
      for (size_t before = 0; before < places; ++before) {
        ASSERT_NO_FATAL_FAILURE(Check(op, found->second, target, before));
      }
    }
  }
}

TEST(HardInputTest, OnEveryTarget) {
  const std::map<std::string, HardInputs> functions = ReadHardInputs("hard_inputs.csv", 1);
  EXPECT_EQ(functions.size(), 23u);
  CheckAll(functions);
}

TEST(HardInputTest, PairsOnEveryTarget) {
  const std::map<std::string, HardInputs> functions = ReadHardInputs("hard_pairs.csv", 2);
  EXPECT_EQ(functions.size(), 2u);
  CheckAll(functions);
}

}  // namespace
}  // namespace residue::testing
