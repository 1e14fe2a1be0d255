// Before and after: the built-in Mod and ours, in the same models, run by turns in one process.
//
//   onnxruntime_table [MiB per tensor]
//
// Prints a Markdown table of what each says to the cases that the built-in one gets wrong, and of nanoseconds
// per element on one thread and on two. What kills a process is tried in a child.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

// What a child prints, or the signal that killed it.
std::string InChild(const std::function<std::string()>& answer) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = answer();
    } catch (const Error&) {
      text = "refused";
    }
    if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  char text[256] = "";
  const ssize_t length = read(ends[0], text, sizeof(text) - 1);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return std::string("crashes (") + strsignal(WTERMSIG(status)) + ")";
  return std::string(text, static_cast<size_t>(std::max<ssize_t>(length, 0)));
}

template <class T>
std::string ToText(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
    return text;
  } else {
    return std::to_string(value);
  }
}

void PrintCase(const char* name, const char* exact, const std::function<std::string(Use)>& answer) {
  const auto in_child = [&](Use use) { return InChild([&] { return answer(use); }); };
  std::printf("| %s | %s | %s | %s |\n", name, exact, in_child(Use::kBuiltIn).c_str(),
              in_child(Use::kReplaced).c_str());
}

template <class T>
void PrintCase(const char* name, T a, T b, int64_t fmod, const char* exact) {
  PrintCase(name, exact, [&](Use use) { return ToText(Mod<T>({a}, {b}, fmod, use)[0]); });
}

template <class T>
void PrintConstantCase(const char* name, T a, T b, const char* exact) {
  PrintCase(name, exact, [&](Use use) {
    return ToText(Session(ConstantModel(a, b), {use, 1}).Run({})[0].template Values<T>()[0]);
  });
}

void PrintCases() {
  std::printf("| case | exact | built-in | residue |\n|---|---|---|---|\n");
  PrintCase<int32_t>("int32: MIN mod -1", INT32_MIN, -1, 0, "0");
  PrintCase<int64_t>("int64: MIN mod -1", INT64_MIN, -1, 0, "0");
  PrintConstantCase<int32_t>("int32: MIN mod -1 of constants, while loading", INT32_MIN, -1, "0");
  PrintCase<int64_t>("int64: (2^53 + 1) mod 10, fmod=1", (int64_t{1} << 53) + 1, 10, 1, "3");
  PrintCase<int64_t>("int64: MAX mod 1000, fmod=1", INT64_MAX, 1000, 1, "807");
  PrintCase<uint64_t>("uint64: MAX mod 1000, fmod=1", UINT64_MAX, 1000, 1, "615");
  PrintCase<int32_t>("int32: 5 mod 0", 5, 0, 0, "0 by our rule");
  PrintCase<float>("float: -7.5 mod 2, fmod=0", -7.5f, 2.0f, 0, "0.5");
  std::printf("\n");
}

Tensor RandomTensor(const TypeCase& type, size_t count, double largest, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(1, largest);
  Tensor tensor = {type.onnx, {static_cast<int64_t>(count)}, std::string(count * SizeOf(type.onnx), '\0')};
  const auto fill = [&]<class T>(T) {
    auto* elements = reinterpret_cast<T*>(tensor.bytes.data());
    for (size_t i = 0; i < count; ++i) {
      const double value = uniform(random);
      elements[i] = static_cast<T>(std::is_signed_v<T> && (random() & 1) != 0 ? -value : value);
    }
  };
  switch (type.onnx) {
    case ElementType::kFloat:
      fill(float{});
      break;
    case ElementType::kDouble:
      fill(double{});
      break;
    case ElementType::kInt64:
      fill(int64_t{});
      break;
    case ElementType::kUint8:
      fill(uint8_t{});
      break;
    default:
      fill(int32_t{});
      break;
  }
  return tensor;
}

void PrintTimes(size_t mebibytes) {
  std::printf(
      "| ns per element, %zu MiB | built-in, 1 thread | residue | times faster | built-in, 2 threads | "
      "residue |\n"
      "|---|---|---|---|---|---|\n",
      mebibytes);
  for (const TypeCase& type : kTypeCases) {
    const bool shown = type.onnx == ElementType::kFloat || type.onnx == ElementType::kDouble ||
                       type.onnx == ElementType::kInt32 || type.onnx == ElementType::kInt64 ||
                       type.onnx == ElementType::kUint8;
    if (!shown) continue;
    const size_t count = (mebibytes << 20) / SizeOf(type.onnx);
    const double largest = SizeOf(type.onnx) == 1 ? 127 : 1000;
    const std::vector<Tensor> inputs = {RandomTensor(type, count, largest, 1),
                                        RandomTensor(type, count, largest / 10, 2)};
    const bool is_float = type.onnx == ElementType::kFloat || type.onnx == ElementType::kDouble;
    double times[2][2];
    for (int threads = 1; threads <= 2; ++threads) {
      const Model model = ModModel(type.onnx, is_float ? 1 : 0);
      const Session built_in(model, {Use::kBuiltIn, threads});
      const Session ours(model, {Use::kReplaced, threads});
      double best[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
      for (int round = 0; round < 5; ++round) {
        best[0] = std::min(best[0], built_in.Time(inputs, 1));
        best[1] = std::min(best[1], ours.Time(inputs, 3));
      }
      for (int i = 0; i < 2; ++i) times[threads - 1][i] = best[i] * 1e9 / static_cast<double>(count);
    }
    std::printf("| %s %s | %.2f | %.2f | %.1fx | %.2f | %.2f |\n", type.name, is_float ? "fmod=1" : "fmod=0",
                times[0][0], times[0][1], times[0][0] / times[0][1], times[1][0], times[1][1]);
  }
}

}  // namespace
}  // namespace residue::ort::testing

int main(int count, char** arguments) {
  const size_t mebibytes = count > 1 ? static_cast<size_t>(std::strtoul(arguments[1], nullptr, 10)) : 16;
  // Before ONNX Runtime has threads that a child would not have.
  residue::ort::testing::PrintCases();
  std::printf("ONNX Runtime %s\n\n", residue::ort::testing::Runtime::At("").version().c_str());
  residue::ort::testing::PrintTimes(std::max<size_t>(mebibytes, 1));
}
