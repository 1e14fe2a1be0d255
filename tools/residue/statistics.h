// What many measurements of one thing say.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace residue::tool {

struct Summary {
  double average = 0;
  double min = 0;
  double median = 0;
  double p95 = 0;
  double max = 0;
};

// At least one sample.
inline Summary Summarize(std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto at = [&](double part) {
    return samples[static_cast<size_t>(part * static_cast<double>(samples.size() - 1) + 0.5)];
  };
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return {sum / static_cast<double>(samples.size()), samples.front(), at(0.5), at(0.95), samples.back()};
}

}  // namespace residue::tool
