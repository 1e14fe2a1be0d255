// Numbers whose results lie so near a tie that float64 cannot decide (tests/data/hard_inputs.csv), and some
// that earlier versions misrounded: on every target, at every place of a vector.
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cpu/rows/row.h"
#include "verification/row_run.h"

namespace residue::testing {
namespace {

struct Hard {
  std::vector<float> inputs;
  std::vector<uint32_t> results;
};

std::map<std::string, Hard> ReadFile() {
  std::map<std::string, Hard> functions;
  std::ifstream file(RESIDUE_TEST_DATA "/hard_inputs.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string name, input, result;
    std::getline(cells, name, ',');
    std::getline(cells, input, ',');
    std::getline(cells, result, ',');
    functions[name].inputs.push_back(
        std::bit_cast<float>(static_cast<uint32_t>(std::stoul(input, nullptr, 16))));
    functions[name].results.push_back(static_cast<uint32_t>(std::stoul(result, nullptr, 16)));
  }
  return functions;
}

TEST(HardInputTest, OnEveryTarget) {
  const std::map<std::string, Hard> functions = ReadFile();
  EXPECT_EQ(functions.size(), 23u);
  std::vector<Target> targets = VectorTargets(DataType::kFloat32);
  targets.push_back(Target::kReference);
  for (const OperatorId op : kAllOperators) {
    const auto found = functions.find(OperatorName(op));
    if (found == functions.end()) continue;
    const auto& [inputs, results] = found->second;
    for (const Target target : targets) {
      const size_t most = target == Target::kReference ? 1 : 9;
      for (size_t before = 0; before < most; ++before) {
        std::vector<float> in(before, 1.0f);
        in.insert(in.end(), inputs.begin(), inputs.end());
        std::vector<float> out(in.size());
        Row row{};
        row.in[0] = in.data();
        row.out = out.data();
        row.count = in.size();
        row.params = DefaultParams(op).bytes;
        FindRow({op, DataType::kFloat32}, target).run(row);
        for (size_t i = 0; i < inputs.size(); ++i) {
          ASSERT_EQ(std::bit_cast<uint32_t>(out[before + i]), results[i])
              << OperatorName(op) << " of " << std::hexfloat << inputs[i] << " on " << TargetName(target);
        }
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
