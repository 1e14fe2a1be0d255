// The provider and the built-in one on the models of examples/onnxruntime, by turns in one process.
//
//   onnxruntime_provider_table [MiB per tensor]
//   onnxruntime_provider_table functions
//
// Prints a Markdown table of nanoseconds per element on one thread: the median of all rounds. With
// `functions` it is of the functions of function_gains.def, each alone.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "session.h"
#include "sketch.h"

namespace residue::ort::testing {
namespace {

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// The file's numbers, again and again.
Tensor MakeInput(size_t count) {
  std::ifstream file(RESIDUE_ORT_MODELS "/numbers.f32", std::ios::binary);
  const std::string numbers(std::istreambuf_iterator<char>(file), {});
  Tensor tensor = {ElementType::kFloat, {static_cast<int64_t>(count)}, ""};
  while (tensor.bytes.size() < count * sizeof(float)) tensor.bytes += numbers;
  tensor.bytes.resize(count * sizeof(float));
  return tensor;
}

struct Row {
  const char* title;
  const char* model;
  std::vector<std::string> inputs;
  int optimization = 99;  // of ONNX Runtime: 99 for all, 1 for what is not special to its own kernels
};

void PrintTimes(const char* title, const SavedModel& model, const std::vector<Tensor>& inputs,
                int optimization, int rounds) {
  const auto count = static_cast<size_t>(inputs[0].shape[0]);
  Session::Settings settings;
  settings.optimization = optimization;
  settings.use = Use::kBuiltIn;
  const Session built_in(model, settings);
  settings.use = Use::kProvider;
  settings.provider_options = {{"claim", "all"}};
  const Session ours(model, settings);
  std::vector<double> times[2];
  for (int i = 0; i < rounds; ++i) {
    times[0].push_back(built_in.Time(inputs, 1));
    times[1].push_back(ours.Time(inputs, 1));
  }
  const double scale = 1e9 / static_cast<double>(count);
  std::printf("| %s | %zu | %.2f | %.2f | %.1fx |\n", title, count, Median(times[0]) * scale,
              Median(times[1]) * scale, Median(times[0]) / Median(times[1]));
  std::fflush(stdout);
}

void PrintRow(const Row& row, size_t count, int rounds) {
  PrintTimes(row.title, SavedModel::Example(row.model, row.inputs, {"y"}),
             std::vector<Tensor>(row.inputs.size(), MakeInput(count)), row.optimization, rounds);
}

void PrintFunction(const std::string& op, size_t count) {
  const float scale = 0.25f;
  std::string text = "y = " + op + "(a)";
  if (op == "PRelu") text = "y = PRelu(a, b)";
  if (op == "Mod") text = "y = Mod(a, b, fmod=1)";
  if (op == "DequantizeLinear") text = "y = DequantizeLinear(q, scale)";
  const Model model = Sketch(
      text,
      {{"a", ElementType::kFloat, Dimensions{"n"}},
       {"b", ElementType::kFloat, Dimensions{"n"}},
       {"q", ElementType::kUint8, Dimensions{"n"}}},
      {{"scale", ElementType::kFloat, {}, std::string(reinterpret_cast<const char*>(&scale), sizeof scale)}},
      20);
  std::vector<Tensor> inputs(model.inputs.size(), MakeInput(count));
  if (model.inputs[0].type == ElementType::kUint8)
    inputs[0] = {ElementType::kUint8, inputs[0].shape, inputs[0].bytes.substr(0, count)};
  PrintTimes(op.c_str(), model.Save(), inputs, 99, 21);
}

void PrintFunctions() {
  for (const size_t count : {size_t{1} << 16, size_t{1} << 22}) {
#define RESIDUE_GAIN(Name, tensors) PrintFunction(#Name, count);
#include "function_gains.def"
  }
}

void PrintModels(size_t mebibytes) {
  const size_t count = (mebibytes << 20) / sizeof(float);
  const Row rows[] = {{"chain of 2", "chain_2", {"a", "b"}},
                      {"chain of 5", "chain_5", {"a", "b"}},
                      {"chain of 10", "chain_10", {"a", "b"}},
                      {"gelu by erf, 5 nodes", "gelu_by_erf", {"a"}},
                      {"the same, not replaced by one node", "gelu_by_erf", {"a"}, 1},
                      {"Softplus", "softplus", {"a"}},
                      {"x * Sigmoid(x)", "x_times_sigmoid", {"a"}},
                      {"the same, not replaced by one node", "x_times_sigmoid", {"a"}, 1},
                      {"Exp", "exp", {"a"}},
                      {"Tanh", "tanh", {"a"}}};
  for (const Row& row : rows) PrintRow(row, count, 21);
  PrintRow({"chain of 3", "chain_3", {"a", "b"}}, 16, 20001);
}

}  // namespace

int Main(const std::string& what) {
  std::printf("ONNX Runtime %s\n\n", Runtime::At("").version().c_str());
  std::printf(
      "| one thread, float32 | elements | built-in, ns | residue | times as fast |\n|---|---|---|---|---|\n");
  if (what == "functions") {
    PrintFunctions();
  } else {
    PrintModels(static_cast<size_t>(std::stoul(what)));
  }
  return 0;
}

}  // namespace residue::ort::testing

int main(int argc, char** argv) { return residue::ort::testing::Main(argc > 1 ? argv[1] : "16"); }
