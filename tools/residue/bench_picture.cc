#include "bench_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "number.h"

namespace residue::tool {
namespace {

constexpr double kLeft = 250;
constexpr double kBarWidth = 460;  // of the longest bar
constexpr double kTop = 64;
constexpr double kRow = 22;
constexpr double kWidth = 860;

constexpr const char* kColour = "#1f6feb";

}  // namespace

std::string DrawBench(const std::vector<BenchRow>& rows, const std::string& subtitle) {
  double highest = 1;
  for (const BenchRow& row : rows)
    highest = std::max({highest, row.gigabytes_per_second, row.limit_gigabytes_per_second});
  const double scale = kBarWidth / highest;
  const double height = kTop + kRow * static_cast<double>(rows.size()) + 24;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\">Residue: GB/s and the limit of "
      "memory</text>\n"
      "<text x=\"16\" y=\"46\" fill=\"#555\">{2}; the black line is what moving the same bytes "
      "takes</text>\n",
      kWidth, height, subtitle);
  double y = kTop;
  for (const BenchRow& row : rows) {
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n"
        "<rect x=\"{:.1f}\" y=\"{}\" width=\"2\" height=\"{}\" fill=\"black\"/>\n"
        "<text x=\"{}\" y=\"{}\" fill=\"#333\">{:.1f} GB/s, {:.0f}%</text>\n",
        kLeft - 8, y + 14, fmt::format("{} {}", OperatorName(row.op), TypeText(row.type)), kLeft, y + 3,
        row.gigabytes_per_second * scale, kRow - 6, kColour,
        kLeft + row.limit_gigabytes_per_second * scale - 1, y + 1, kRow - 2, kLeft + kBarWidth + 12, y + 14,
        row.gigabytes_per_second, 100 * row.PartOfLimit());
    y += kRow;
  }
  return svg + "</svg>\n";
}

}  // namespace residue::tool
