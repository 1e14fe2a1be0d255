#include "suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "text.h"

namespace residue::tool {
namespace {

// How many letters must be added, taken away or changed, or two neighbours exchanged, to make one of the
// other.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last;
  std::vector<size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last[b.size()];
}

}  // namespace

std::string Suggestion(std::string_view given, std::span<const std::string> names,
                       std::string_view otherwise) {
  // Longer than any name, and not worth the time.
  if (given.size() > 100) return std::string(otherwise);
  const std::string lower = Lower(given);
  std::string_view best;
  // A third of the letters may be wrong; of two letters, none.
  size_t least = given.size() / 3 + 1;
  for (const std::string& name : names) {
    const size_t distance = Distance(lower, Lower(name));
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best.empty() ? std::string(otherwise) : fmt::format("; did you mean '{}'?", best);
}

}  // namespace residue::tool
