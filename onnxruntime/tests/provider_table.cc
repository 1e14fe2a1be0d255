// The provider and the built-in one on the same models, by turns in one process.
//
//   onnxruntime_provider_table [MiB per tensor]
//
// Prints a Markdown table of nanoseconds per element on one thread: the median of all rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "session.h"

namespace residue::ort::testing {
namespace {

Node MakeNode(const char* op, std::vector<std::string> inputs, std::string output) {
  return {
      .op = op, .inputs = std::move(inputs), .outputs = {std::move(output)}, .domain = "", .attributes = {}};
}

Model MakeModel(std::vector<Node> nodes, bool binary, int64_t opset = 20) {
  Model model;
  model.opset = opset;
  model.inputs = {{"A", ElementType::kFloat, Dimensions{"n"}}};
  if (binary) model.inputs.push_back({"B", ElementType::kFloat, Dimensions{"n"}});
  model.outputs = {{nodes.back().outputs[0], ElementType::kFloat, Dimensions{"n"}}};
  model.nodes = std::move(nodes);
  return model;
}

// Add, Mul, Max and Sub of what came before and the second input.
Model Chain(size_t length) {
  const char* const ops[] = {"Add", "Mul", "Max", "Sub"};
  std::vector<Node> nodes;
  std::string last = "A";
  for (size_t i = 0; i < length; ++i) {
    nodes.push_back(MakeNode(ops[i % 4], {last, "B"}, "t" + std::to_string(i)));
    last = nodes.back().outputs[0];
  }
  return MakeModel(std::move(nodes), true);
}

Initializer Number(const char* name, float value) {
  return {name, ElementType::kFloat, {}, std::string(reinterpret_cast<const char*>(&value), sizeof(value))};
}

Model GeluByErf() {
  Model model = MakeModel(
      {MakeNode("Div", {"A", "root"}, "a"), MakeNode("Erf", {"a"}, "b"), MakeNode("Add", {"b", "one"}, "c"),
       MakeNode("Mul", {"A", "c"}, "d"), MakeNode("Mul", {"d", "half"}, "e")},
      false);
  model.initializers = {Number("root", 1.41421356f), Number("one", 1), Number("half", 0.5f)};
  return model;
}

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void PrintRow(const std::string& name, const Model& model, size_t count, int rounds) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> number(0.5f, 1.5f);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    std::vector<float> values(count);
    for (float& value : values) value = number(random);
    inputs.push_back(Tensor::Of(ElementType::kFloat, {static_cast<int64_t>(count)}, values));
  }
  Session::Settings settings;
  settings.use = Use::kBuiltIn;
  const Session built_in(model, settings);
  settings.use = Use::kProvider;
  const Session ours(model, settings);
  std::vector<double> times[2];
  for (int i = 0; i < rounds; ++i) {
    times[0].push_back(built_in.Time(inputs, 1));
    times[1].push_back(ours.Time(inputs, 1));
  }
  const double scale = 1e9 / static_cast<double>(count);
  std::printf("| %s | %zu | %.2f | %.2f | %.1fx |\n", name.c_str(), count, Median(times[0]) * scale,
              Median(times[1]) * scale, Median(times[0]) / Median(times[1]));
  std::fflush(stdout);
}

}  // namespace

int Main(size_t mebibytes) {
  const size_t count = (mebibytes << 20) / sizeof(float);
  std::printf("ONNX Runtime %s\n\n", Runtime::At("").version().c_str());
  std::printf(
      "| one thread, float32 | elements | built-in, ns | residue | times as fast |\n|---|---|---|---|---|\n");
  for (const size_t length : {size_t{2}, size_t{5}, size_t{10}})
    PrintRow("chain of " + std::to_string(length), Chain(length), count, 21);
  PrintRow("gelu by erf, 5 nodes", GeluByErf(), count, 21);
  PrintRow("Softplus", MakeModel({MakeNode("Softplus", {"A"}, "y")}, false), count, 21);
  PrintRow("x * Sigmoid(x)",
           MakeModel({MakeNode("Sigmoid", {"A"}, "s"), MakeNode("Mul", {"A", "s"}, "y")}, false), count, 21);
  PrintRow("Exp", MakeModel({MakeNode("Exp", {"A"}, "y")}, false), count, 21);
  PrintRow("Tanh", MakeModel({MakeNode("Tanh", {"A"}, "y")}, false), count, 21);
  PrintRow("chain of 3", Chain(3), 16, 20001);
  return 0;
}

}  // namespace residue::ort::testing

int main(int argc, char** argv) {
  return residue::ort::testing::Main(argc > 1 ? static_cast<size_t>(std::atol(argv[1])) : 16);
}
