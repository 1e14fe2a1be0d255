#include "bench.h"

#include <fmt/ranges.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "bench/arrays.h"
#include "bench/packed_problem.h"
#include "bench/traffic.h"
#include "bench_picture.h"
#include "choices.h"
#include "console.h"
#include "cpu/rows/row.h"
#include "failure.h"
#include "number.h"
#include "output.h"
#include "problem.h"
#include "residue/residue.h"
#include "statistics.h"

namespace residue::tool {
namespace {

using bench::Store;

constexpr size_t kUnit = 8192;

template <class Work>
double Seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The tensors of an operator and their sizes.
struct Case {
  Case(OperatorId op_, DataType type_, size_t bytes)
      : op(op_),
        type(type_),
        result(OutputType(op, type)),
        arrays(bench::MakeArrays(type, bench::DataSet::kTypical, bytes)),
        count(bytes / std::max(SizeOf(type), SizeOf(result))) {}

  size_t MovedBytes() const { return count * (InputCount(op) * SizeOf(type) + SizeOf(result)); }

  OperatorId op;
  DataType type;
  DataType result;
  bench::Arrays arrays;
  size_t count;
};

// The same bytes read and written, with next to nothing done to them, on as many threads. The loops want
// whole pairs of pages.
void MoveAll(const Case& c, uint32_t threads, Store store, tbb::task_arena* arena) {
  const size_t unit = kUnit / std::max(SizeOf(c.type), SizeOf(c.result));
  const size_t units = c.count / unit;
  const auto move = [&](uint32_t i) {
    const size_t begin = units * i / threads * unit;
    const size_t count = units * (i + 1) / threads * unit - begin;
    if (count == 0) return;
    std::vector<bench::Stream> inputs = {{c.arrays.a.get() + begin * SizeOf(c.type), SizeOf(c.type)}};
    if (InputCount(c.op) == 2) inputs.push_back({c.arrays.b.get() + begin * SizeOf(c.type), SizeOf(c.type)});
    bench::Move(inputs, {c.arrays.out.get() + begin * SizeOf(c.result), SizeOf(c.result)}, count, store);
  };
  if (threads == 1) return move(0);
  arena->execute([&] { tbb::parallel_for(0u, threads, move, tbb::static_partitioner()); });
}

void RunAll(const Case& c, const residue_options& how) {
  const bench::PackedProblem packed(c.op, c.type, c.result, c.count, DefaultParams(c.op));
  const void* inputs[] = {c.arrays.a.get(), c.arrays.b.get()};
  RunOrFail(packed.problem, inputs, c.arrays.out.get(), &how);
}

BenchRow Measure(OperatorId op, DataType type, size_t bytes, const BenchOptions& options) {
  const Case c(op, type, bytes);
  const residue_options how = {options.threads, 0, nullptr, nullptr};
  constexpr Store kStores[] = {Store::kPlain, Store::kStreaming, Store::kStreamingPages};
  std::vector<double> limits[std::size(kStores)];
  std::vector<double> ours;
  tbb::task_arena arena(static_cast<int>(options.threads));
  // The first round warms up.
  for (uint32_t i = 0; i <= options.repetitions && !IsInterrupted(); ++i) {
    for (size_t k = 0; k < std::size(kStores); ++k) {
      const double seconds = Seconds([&] { MoveAll(c, options.threads, kStores[k], &arena); });
      if (i > 0) limits[k].push_back(seconds);
    }
    const double seconds = Seconds([&] { RunAll(c, how); });
    if (i > 0) ours.push_back(seconds);
  }
  BenchRow row = {op, type};
  if (ours.empty()) return row;
  row.seconds = Summarize(ours);
  row.limit_seconds = Summarize(limits[0]).median;
  for (const auto& samples : limits)
    row.limit_seconds = std::min(row.limit_seconds, Summarize(samples).median);
  char kernel[64];
  FormatRowName({op, type}, FindRow({op, type}, BestTarget()).target, kernel, sizeof(kernel));
  row.kernel = kernel;
  const auto moved = static_cast<double>(c.MovedBytes());
  row.gigabytes_per_second = moved / row.seconds.median / 1e9;
  row.limit_gigabytes_per_second = moved / row.limit_seconds / 1e9;
  row.nanoseconds_per_element = row.seconds.median * 1e9 / static_cast<double>(c.count);
  return row;
}

void PrintTable(const std::vector<BenchRow>& rows, const BenchOptions& options) {
  fmt::print(
      "{} MiB, {} thread{}, median of {} interleaved repetitions; GB/s counts what is read and "
      "written\n",
      options.mebibytes, options.threads, options.threads == 1 ? "" : "s", options.repetitions);
  fmt::print("{}\n", Bold(fmt::format("{:<32} {:>8} {:>11} {:>10} {:>9} {:>9} {:>9}", "kernel", "GB/s",
                                      "of limit", "ns/element", "ms med", "ms min", "ms p95")));
  for (const BenchRow& row : rows) {
    fmt::print("{:<32} {:>8.2f} {:>10.0f}% {:>10.3f} {:>9.3f} {:>9.3f} {:>9.3f}\n", row.kernel,
               row.gigabytes_per_second, 100 * row.PartOfLimit(), row.nanoseconds_per_element,
               row.seconds.median * 1e3, row.seconds.min * 1e3, row.seconds.p95 * 1e3);
  }
}

void PrintCsv(const std::vector<BenchRow>& rows, const BenchOptions& options) {
  fmt::print(
      "kernel,mebibytes,threads,gigabytes_per_second,limit_gigabytes_per_second,nanoseconds_per_element,"
      "median_ms,min_ms,p95_ms\n");
  for (const BenchRow& row : rows) {
    fmt::print("{},{},{},{:.4f},{:.4f},{:.5f},{:.5f},{:.5f},{:.5f}\n", row.kernel, options.mebibytes,
               options.threads, row.gigabytes_per_second, row.limit_gigabytes_per_second,
               row.nanoseconds_per_element, row.seconds.median * 1e3, row.seconds.min * 1e3,
               row.seconds.p95 * 1e3);
  }
}

void PrintJson(const std::vector<BenchRow>& rows, const BenchOptions& options) {
  JsonOutput json;
  json.Begin();
  json.Text("version", residue_version());
  json.Number("mebibytes", options.mebibytes);
  json.Number("threads", uint64_t{options.threads});
  json.Number("repetitions", uint64_t{options.repetitions});
  json.Begin("kernels");
  for (const BenchRow& row : rows) {
    json.Begin(row.kernel);
    json.Number("gigabytes_per_second", row.gigabytes_per_second);
    json.Number("limit_gigabytes_per_second", row.limit_gigabytes_per_second);
    json.Number("nanoseconds_per_element", row.nanoseconds_per_element);
    json.Number("median_ms", row.seconds.median * 1e3);
    json.Number("min_ms", row.seconds.min * 1e3);
    json.Number("p95_ms", row.seconds.p95 * 1e3);
    json.End();
  }
  json.End();
  json.End();
}

// The file for a picture: opened before the long work, so that a wrong name is known at once, and left as it
// was, or was not, unless something is drawn.
class Picture {
 public:
  explicit Picture(const std::string& path)
      : path_(path),
        is_new_(std::filesystem::symlink_status(path, ignored_).type() ==
                std::filesystem::file_type::not_found),
        file_(path, std::ios::app) {
    if (!file_) Fail("'{}' cannot be written", path_);
  }
  ~Picture() {
    if (is_new_ && !drawn_) std::filesystem::remove(path_, ignored_);
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  void Draw(const std::string& text) {
    drawn_ = true;
    std::filesystem::resize_file(path_, 0, ignored_);  // pipes have nothing to cut
    file_ << text;
    file_.close();
    if (!file_) Fail("'{}' could not be written", path_);
  }

 private:
  std::error_code ignored_;
  const std::string path_;
  const bool is_new_;
  std::ofstream file_;
  bool drawn_ = false;
};

// What is chosen of operators and types, where one takes the other.
std::vector<std::pair<OperatorId, DataType>> Choose(const BenchOptions& options) {
  std::vector<OperatorId> ops;
  for (const std::string& name : options.ops) ops.push_back(ReadOperator(name));
  if (ops.empty()) ops = OperatorsOfOneType();
  std::vector<DataType> types;
  for (const std::string& name : options.types) types.push_back(ReadTypeName(name));
  if (types.empty()) types.assign(std::begin(kAllDataTypes), std::end(kAllDataTypes));
  std::vector<std::pair<OperatorId, DataType>> chosen;
  for (const OperatorId op : ops) {
    for (const DataType type : types) {
      if (Contains(InputTypes(op), type)) chosen.emplace_back(op, type);
    }
  }
  if (chosen.empty()) {
    Fail("{} does not take {}, but {}", OperatorName(ops.front()), TypeText(types.front()),
         fmt::join(TypeNames(InputTypes(ops.front())), ", "));
  }
  return chosen;
}

}  // namespace

int Bench(const BenchOptions& given) {
  CatchInterrupt();
  const std::vector<std::pair<OperatorId, DataType>> chosen = Choose(given);
  const size_t bytes = std::max<size_t>(static_cast<size_t>(given.mebibytes * 1048576) / kUnit, 1) * kUnit;
  BenchOptions options = given;
  options.mebibytes = static_cast<double>(bytes) / 1048576;
  std::optional<Picture> picture;
  if (!options.svg.empty()) picture.emplace(options.svg);
  std::vector<BenchRow> rows;
  {
    Progress progress("bench");
    for (const auto& [op, type] : chosen) {
      if (IsInterrupted()) return kExitInterrupted;
      progress.Update(static_cast<double>(rows.size()) / static_cast<double>(chosen.size()),
                      OperatorName(op));
      rows.push_back(Measure(op, type, bytes, options));
    }
  }
  if (IsInterrupted()) return kExitInterrupted;
  if (options.json) {
    PrintJson(rows, options);
  } else if (options.csv) {
    PrintCsv(rows, options);
  } else {
    PrintTable(rows, options);
  }
  if (picture) {
    picture->Draw(DrawBench(rows, fmt::format("{} MiB, {} thread{}", options.mebibytes, options.threads,
                                              options.threads == 1 ? "" : "s")));
  }
  return kExitOk;
}

}  // namespace residue::tool
