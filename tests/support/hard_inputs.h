// Numbers whose results lie so near a tie that float64 cannot decide (tests/data/hard_inputs.csv), and pairs
// of such (tests/data/hard_pairs.csv).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace residue::testing {

struct HardInputs {
  std::vector<float> inputs[2];  // the second is empty for functions of one number
  std::vector<uint32_t> results;
};

// By the names of functions. Lines have a name, that many inputs, and the result.
inline std::map<std::string, HardInputs> ReadHardInputs(const std::string& name, size_t inputs) {
  std::map<std::string, HardInputs> functions;
  std::ifstream file(RESIDUE_TEST_DATA "/" + name);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string function, cell;
    std::getline(cells, function, ',');
    const auto next = [&] {
      std::getline(cells, cell, ',');
      return static_cast<uint32_t>(std::stoul(cell, nullptr, 16));
    };
    HardInputs& hard = functions[function];
    for (size_t k = 0; k < inputs; ++k) hard.inputs[k].push_back(std::bit_cast<float>(next()));
    hard.results.push_back(next());
  }
  return functions;
}

}  // namespace residue::testing
