#include <wsl/winadapter.h>

#include "run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "console.h"
#include "directml/feature_level.h"
#include "dml_session.h"
#include "failure.h"
#include "model_reader.h"
#include "npy.h"
#include "number.h"
#include "replace_file.h"
#include "statistics.h"
#include "text.h"
#include "verification/values.h"
#include "version.h"

namespace residue::tool {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// As DxDispatch prints them, six digits, except 8-bit integers, which are numbers here.
template <class T>
std::string Element(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return fmt::format("{:g}", HalfToFloat(value));
  } else if constexpr (std::floating_point<T>) {
    return fmt::format("{:g}", value);
  } else {
    return fmt::format("{:d}", value);
  }
}

template <class T>
void PrintElements(const std::string& name, const std::byte* bytes, size_t count, bool verbose) {
  fmt::print("Resource '{}':{}", name, verbose ? "\n" : "");
  const size_t width = std::to_string(count).size();
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    if (verbose) {
      const auto bits = static_cast<uint64_t>(residue::testing::ToBits(value));
      fmt::print("[{:{}}] {} (0x{:0{}X})\n", i, width, Element(value), bits, 2 * sizeof(T));
    } else {
      fmt::print("{}{}", i == 0 ? " " : ", ", Element(value));
    }
  }
  fmt::print("\n");
}

class Runner {
 public:
  Runner(const Model& model, const RunOptions& options)
      : model_(model),
        options_(options),
        session_(options.debug, static_cast<DML_FEATURE_LEVEL>(ParseLevel(options.feature_level))) {}

  void Run() {
    fmt::print("Running on '{}'\n", AdapterName());
    for (const Resource& resource : model_.resources) buffers_[resource.name] = session_.MakeBuffer(resource);
    for (const Dispatchable& dispatchable : model_.dispatchables) {
      operators_.push_back(session_.Compile(dispatchable));
      const auto begin = Clock::now();
      session_.Initialize(&operators_.back(), model_, buffers_);
      if (options_.verbosity >= 1)
        fmt::print("Initialize '{}': {:.4f} ms\n", dispatchable.name, MillisecondsSince(begin));
    }
    for (const Command& command : model_.commands) {
      // What comes after an interrupted dispatch would show results that are none.
      if (IsInterrupted()) return;
      if (options_.print_commands) fmt::print("Command: {}\n", command.text);
      std::visit([this](const auto& action) { Do(action); }, command.action);
    }
  }

 private:
  void Do(const DispatchCommand& command) {
    DmlSession::Operator& op = operators_[command.dispatchable];
    std::vector<double> samples;
    const auto begin = Clock::now();
    for (uint32_t i = 0; !IsInterrupted(); ++i) {
      const bool by_time = options_.milliseconds_to_run.has_value();
      if (i > 0 &&
          (by_time ? MillisecondsSince(begin) >= *options_.milliseconds_to_run : i >= options_.iterations))
        break;
      const auto iteration = Clock::now();
      session_.Bind(&op, command.bindings, model_, buffers_);
      const auto dispatch = Clock::now();
      const uint32_t count = Repeat(op);
      samples.push_back(MillisecondsSince(dispatch) / count);
      const double rest = options_.interval_milliseconds - MillisecondsSince(iteration);
      // In short steps, so that Ctrl-C is heard.
      for (double left = rest; left > 0 && !IsInterrupted(); left -= 50)
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(std::min(left, 50.0)));
    }
    if (!samples.empty()) Report(op.dispatchable->name, samples);
  }

  // The dispatches of one iteration, in lists that memory has room for; says how many, for Ctrl-C ends it.
  uint32_t Repeat(const DmlSession::Operator& op) {
    constexpr uint32_t kMostInOneList = 10'000;
    uint32_t done = 0;
    do {
      const uint32_t piece = std::min(options_.repeat - done, kMostInOneList);
      session_.Dispatch(op, piece);
      done += piece;
    } while (done < options_.repeat && !IsInterrupted());
    return done;
  }

  void Report(const std::string& name, const std::vector<double>& samples) const {
    // At least one sample is hot.
    const auto cold_count =
        static_cast<ptrdiff_t>(std::min<size_t>(options_.warmup_samples, samples.size() - 1));
    const std::vector<double> cold(samples.begin(), samples.begin() + cold_count);
    const std::vector<double> hot(samples.begin() + cold_count, samples.end());
    if (options_.verbosity == 0) {
      fmt::print("Dispatch '{}': {} iterations, {:.4f} ms median (CPU)\n", name, samples.size(),
                 Summarize(hot).median);
      return;
    }
    fmt::print("Dispatch '{}': {} iterations\n", name, samples.size());
    const auto print = [](const char* kind, const std::vector<double>& part) {
      if (part.empty()) return;
      const Summary summary = Summarize(part);
      fmt::print(
          "CPU Timings {:<7}: {} samples, {:.4f} ms average, {:.4f} ms min, {:.4f} ms median, {:.4f} ms "
          "max\n",
          kind, part.size(), summary.average, summary.min, summary.median, summary.max);
    };
    print("(Cold)", cold);
    print("(Hot)", hot);
    if (options_.verbosity >= 2) {
      fmt::print("The timings of each iteration: \n");
      for (size_t i = 0; i < samples.size(); ++i)
        fmt::print("iteration {}: {:.4f} ms (CPU)\n", i, samples[i]);
    }
  }

  std::vector<std::byte> ReadValues(const Resource& resource) {
    std::vector<std::byte> bytes = session_.Read(buffers_.at(resource.name).Get());
    bytes.resize(resource.value_bytes);
    return bytes;
  }

  void Do(const PrintCommand& command) {
    const Resource& resource = model_.resources[command.resource];
    const std::vector<std::byte> bytes = ReadValues(resource);
    // Mixed values have no type to print them in; their bytes do.
    VisitType(resource.type.value_or(DataType::kUint8), [&]<class T>(T) {
      PrintElements<T>(resource.name, bytes.data(), bytes.size() / sizeof(T), command.verbose);
    });
  }

  void Do(const WriteFileCommand& command) {
    const Resource& resource = model_.resources[command.resource];
    const std::vector<std::byte> bytes = ReadValues(resource);
    const std::string extension = Lower(std::filesystem::path(command.path).extension().string());
    if (extension == ".png" || extension == ".jpg")
      Fail("writing '{}': images are not supported; use .npy or raw numbers", command.path);
    std::string header;
    if (extension == ".npy") {
      const DataType type = resource.type.value_or(DataType::kUint8);
      std::vector<uint64_t> shape(command.dimensions.begin(), command.dimensions.end());
      if (shape.empty()) shape = {bytes.size() / SizeOf(type)};
      const uint64_t needed = BytesOf(type, shape).value_or(UINT64_MAX);
      if (needed != bytes.size() || shape.size() > 64) {
        Fail("writing '{}': {} dimensions need {} bytes, but the resource has {}", command.path, shape.size(),
             needed, bytes.size());
      }
      header = NpyHeader(type, shape);
    }
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(command.path).parent_path(), ignored);
    const bool is_written = ReplaceFile(command.path, [&](std::FILE* file) {
      std::fwrite(header.data(), 1, header.size(), file);
      std::fwrite(bytes.data(), 1, bytes.size(), file);
    });
    if (is_written) fmt::print("Resource '{}' written to '{}'\n", resource.name, command.path);
  }

  const Model& model_;
  const RunOptions& options_;
  DmlSession session_;
  Buffers buffers_;
  std::vector<DmlSession::Operator> operators_;
};

}  // namespace

uint32_t ParseLevel(const std::string& text) {
  std::string name = text;
  std::ranges::replace(name, '.', '_');
  FeatureLevel level{};
  if (!ParseFeatureLevel(name, &level))
    Fail("the feature level is '{}', but must be one from 1.0 to 6.4", text);
  return static_cast<uint32_t>(level);
}

int RunModel(const RunOptions& options) {
  if (options.show_dependencies) return PrintVersion();
  if (options.show_adapters) {
    fmt::print("{}\n", AdapterName());
    return kExitOk;
  }
  if (options.model.empty()) Fail("a model is missing; see residue run --help");
  if (AdapterName().find(options.adapter) == std::string::npos)
    Fail("there is no adapter whose name has '{}'; there is '{}'", options.adapter, AdapterName());
  const Model model = LoadModel(options.model, options.input_path, options.output_path);
  CatchInterrupt();
  Runner(model, options).Run();
  return IsInterrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace residue::tool
