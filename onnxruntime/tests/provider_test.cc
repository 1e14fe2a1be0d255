// The execution provider on unmodified models: what it claims, what it computes, and what it leaves to
// others.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/half.h"
#include "provider_abi.h"
#include "residue/residue.h"
#include "session.h"

namespace residue::ort::testing {
namespace {

class ProviderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Runtime::At("").base()->GetApi(kProviderApiVersion) == nullptr)
      GTEST_SKIP() << "ONNX Runtime " << Runtime::At("").version() << " has no providers of others";
  }

  static Session::Settings Provided(bool everything = true) {
    Session::Settings settings;
    settings.use = Use::kProvider;
    settings.optimization = 0;
    // Whatever is not claimed is then an error.
    if (everything) settings.entries = {{"session.disable_cpu_ep_fallback", "1"}};
    return settings;
  }
  static Session::Settings BuiltIn() {
    Session::Settings settings;
    settings.use = Use::kBuiltIn;
    settings.optimization = 0;
    return settings;
  }
};

// A model of one node, whose shapes are not known before it runs.
Model OneNode(const Node& node, const std::vector<ElementType>& inputs, ElementType output, int64_t opset) {
  Model model;
  model.opset = opset;
  Node named = node;
  for (size_t i = 0; i < inputs.size(); ++i) {
    named.inputs.push_back("in" + std::to_string(i));
    model.inputs.push_back({named.inputs.back(), inputs[i], std::nullopt});
  }
  named.outputs = {"out"};
  model.outputs = {{"out", output, std::nullopt}};
  model.nodes = {named};
  return model;
}

std::string RandomBytes(ElementType type, size_t count, std::mt19937_64& random) {
  std::string bytes;
  const auto add = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  std::uniform_real_distribution<double> number(-3, 3);
  for (size_t i = 0; i < count; ++i) {
    switch (type) {
      case ElementType::kFloat:
        add(static_cast<float>(number(random)));
        break;
      case ElementType::kDouble:
        add(number(random));
        break;
      case ElementType::kFloat16:
        add(DoubleToHalf(number(random)).bits);
        break;
      case ElementType::kBool:
        add(static_cast<uint8_t>(random() & 1));
        break;
      default: {
        const uint64_t bits = (random() % 100) + 1;
        bytes.append(reinterpret_cast<const char*>(&bits), SizeOf(type));
      }
    }
  }
  return bytes;
}

Tensor RandomTensor(ElementType type, const std::vector<int64_t>& shape, std::mt19937_64& random) {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  return {type, shape, RandomBytes(type, count, random)};
}

bool IsNan(ElementType type, const char* element) {
  if (type == ElementType::kFloat16) {
    uint16_t bits;
    std::memcpy(&bits, element, sizeof(bits));
    return (bits & 0x7FFF) > 0x7C00;
  }
  if (type == ElementType::kFloat) {
    float value;
    std::memcpy(&value, element, sizeof(value));
    return std::isnan(value);
  }
  double value;
  std::memcpy(&value, element, sizeof(value));
  return type == ElementType::kDouble && std::isnan(value);
}

// Equal bits, except that any NaN is any other: the built-in provider's have the processor's signs.
::testing::AssertionResult AreSame(const Tensor& a, const Tensor& b) {
  if (a.type != b.type || a.shape != b.shape || a.bytes.size() != b.bytes.size())
    return ::testing::AssertionFailure() << "another type or shape";
  const size_t size = SizeOf(a.type);
  for (size_t i = 0; i < a.bytes.size(); i += size) {
    const char* x = a.bytes.data() + i;
    const char* y = b.bytes.data() + i;
    if (std::memcmp(x, y, size) == 0) continue;
    if (size != 1 && IsNan(a.type, x) && IsNan(b.type, y)) continue;
    return ::testing::AssertionFailure() << "element " << i / size << " differs";
  }
  return ::testing::AssertionSuccess();
}

constexpr ElementType kTested[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kFloat16,
                                   ElementType::kInt32, ElementType::kInt64,  ElementType::kUint8,
                                   ElementType::kBool};

// Operators whose results ONNX defines exactly, with how many inputs; the built-in provider is right about
// them on usual numbers.
const std::map<std::string, size_t> kExact = {{"Add", 2},
                                              {"Sub", 2},
                                              {"Mul", 2},
                                              {"Div", 2},
                                              {"Max", 3},
                                              {"Min", 2},
                                              {"Sum", 3},
                                              {"Abs", 1},
                                              {"Neg", 1},
                                              {"Sqrt", 1},
                                              {"Floor", 1},
                                              {"Ceil", 1},
                                              {"Round", 1},
                                              {"Relu", 1},
                                              {"Clip", 3},
                                              {"Reciprocal", 1},
                                              {"Equal", 2},
                                              {"Greater", 2},
                                              {"GreaterOrEqual", 2},
                                              {"Less", 2},
                                              {"LessOrEqual", 2},
                                              {"IsNaN", 1},
                                              {"IsInf", 1},
                                              {"And", 2},
                                              {"Or", 2},
                                              {"Xor", 2},
                                              {"Not", 1},
                                              {"Identity", 1},
                                              {"Mod", 2},
                                              {"BitwiseAnd", 2},
                                              {"BitwiseOr", 2},
                                              {"BitwiseXor", 2},
                                              {"BitwiseNot", 1},
                                              {"LeakyRelu", 1},
                                              {"ThresholdedRelu", 1},
                                              {"PRelu", 2}};

bool IsQuestion(const std::string& op) {
  return op == "Equal" || op.starts_with("Greater") || op.starts_with("Less") || op == "IsNaN" ||
         op == "IsInf";
}

// Claimed for some type at least; where both providers have it, equal bit for bit.
TEST_F(ProviderTest, ExactOperatorsAreTheBuiltInOnes) {
  std::mt19937_64 random(1);
  for (const auto& [op, count] : kExact) {
    int claimed = 0;
    for (const ElementType type : kTested) {
      const bool is_float =
          type == ElementType::kFloat || type == ElementType::kDouble || type == ElementType::kFloat16;
      Node node{.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}};
      if (op == "Mod" && is_float) node.attributes = {{"fmod", int64_t{1}}};
      const Model model = OneNode(node, std::vector<ElementType>(count, type),
                                  IsQuestion(op) ? ElementType::kBool : type, 20);
      std::vector<Tensor> inputs;
      for (size_t i = 0; i < count; ++i)
        inputs.push_back(RandomTensor(
            type, op == "Clip" && i > 0 ? std::vector<int64_t>{} : std::vector<int64_t>{5, 300}, random));
      std::vector<Tensor> ours;
      std::vector<Tensor> theirs;
      try {
        ours = Session(model, Provided()).Run(inputs);
        ++claimed;
        theirs = Session(model, BuiltIn()).Run(inputs);
      } catch (const Error&) {
        continue;  // a type that ONNX or one of both does not have
      }
      EXPECT_TRUE(AreSame(ours[0], theirs[0])) << op << " of type " << static_cast<int>(type);
    }
    EXPECT_GT(claimed, 0) << op;
  }
}

struct Function {
  residue_operator op;
  int64_t opset;
};

const std::map<std::string, Function> kFunctions = {
    {"Exp", {RESIDUE_EXP, 13}},           {"Log", {RESIDUE_LOG, 13}},
    {"Sin", {RESIDUE_SIN, 13}},           {"Cos", {RESIDUE_COS, 13}},
    {"Tan", {RESIDUE_TAN, 13}},           {"Asin", {RESIDUE_ASIN, 13}},
    {"Acos", {RESIDUE_ACOS, 13}},         {"Atan", {RESIDUE_ATAN, 13}},
    {"Sinh", {RESIDUE_SINH, 13}},         {"Cosh", {RESIDUE_COSH, 13}},
    {"Tanh", {RESIDUE_TANH, 13}},         {"Asinh", {RESIDUE_ASINH, 13}},
    {"Acosh", {RESIDUE_ACOSH, 13}},       {"Atanh", {RESIDUE_ATANH, 13}},
    {"Erf", {RESIDUE_ERF, 13}},           {"Sigmoid", {RESIDUE_SIGMOID, 13}},
    {"Softplus", {RESIDUE_SOFTPLUS, 13}}, {"Softsign", {RESIDUE_SOFTSIGN, 13}},
    {"Elu", {RESIDUE_ELU, 13}},           {"Celu", {RESIDUE_CELU, 13}},
    {"Selu", {RESIDUE_SCALED_ELU, 13}},   {"Gelu", {RESIDUE_GELU, 20}}};

TEST_F(ProviderTest, FunctionsAreLibresidues) {
  std::mt19937_64 random(2);
  const Tensor input = RandomTensor(ElementType::kFloat, {7, 11, 13}, random);
  for (const auto& [op, function] : kFunctions) {
    const Model model = OneNode({.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                                {ElementType::kFloat}, ElementType::kFloat, function.opset);
    const Tensor got = Session(model, Provided()).Run({input})[0];
    std::string expected(input.bytes.size(), '\0');
    ASSERT_EQ(residue_run_packed(function.op, RESIDUE_FLOAT32, input.bytes.data(), nullptr, expected.data(),
                                 expected.size() / 4),
              RESIDUE_OK);
    EXPECT_TRUE(got.bytes == expected) << op;
  }
}

// Where libresidue's definitions are others than ONNX's, the provider follows ONNX.
TEST_F(ProviderTest, OnnxsFormulasAtInfinities) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor input = Tensor::Of<float>(ElementType::kFloat, {3}, {-infinity, infinity, 0.0f});
  const auto run = [&](const char* op, int64_t opset) {
    const Model model = OneNode({.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                                {ElementType::kFloat}, ElementType::kFloat, opset);
    return Session(model, Provided()).Run({input})[0].Values<float>();
  };
  const std::vector<float> softsign = run("Softsign", 13);
  EXPECT_TRUE(std::isnan(softsign[0]) && std::isnan(softsign[1]) && softsign[2] == 0);
  const std::vector<float> gelu = run("Gelu", 20);
  EXPECT_TRUE(std::isnan(gelu[0]) && gelu[1] == infinity && gelu[2] == 0);
  // The upper bound wins.
  const Model clip = OneNode({.op = "Clip", .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                             std::vector<ElementType>(3, ElementType::kFloat), ElementType::kFloat, 13);
  const std::vector<float> clipped = Session(clip, Provided())
                                         .Run({Tensor::Of<float>(ElementType::kFloat, {1}, {5}),
                                               Tensor::Of<float>(ElementType::kFloat, {}, {7}),
                                               Tensor::Of<float>(ElementType::kFloat, {}, {3})})[0]
                                         .Values<float>();
  EXPECT_EQ(clipped[0], 3);
}

// The pairs of integers that crash the built-in provider, in an unmodified model.
TEST_F(ProviderTest, ModulusAndDivisionDoNotCrash) {
  for (const char* op : {"Mod", "Div"}) {
    const Model model = OneNode({.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                                std::vector<ElementType>(2, ElementType::kInt32), ElementType::kInt32, 13);
    const int32_t least = std::numeric_limits<int32_t>::min();
    const std::vector<int32_t> got = Session(model, Provided())
                                         .Run({Tensor::Of<int32_t>(ElementType::kInt32, {3}, {least, 5, 7}),
                                               Tensor::Of<int32_t>(ElementType::kInt32, {3}, {-1, 0, -3})})[0]
                                         .Values<int32_t>();
    EXPECT_EQ(got, std::string(op) == "Mod" ? (std::vector<int32_t>{0, 0, -2})
                                            : (std::vector<int32_t>{least, 0, -2}));
  }
}

struct RandomModel {
  Model model;
  std::vector<Tensor> inputs;
};

// Nodes of float32 that read what came before, of shapes that broadcast; every third model has a node that is
// not claimed in its middle.
RandomModel MakeRandomModel(uint64_t seed) {
  std::mt19937_64 random(seed);
  RandomModel made;
  made.model.opset = 20;
  const std::vector<int64_t> full = {static_cast<int64_t>(1 + random() % 4),
                                     static_cast<int64_t>(1 + random() % 5),
                                     static_cast<int64_t>(1 + random() % 40)};
  std::vector<std::string> values;
  for (int i = 0; i < 3; ++i) {
    std::vector<int64_t> shape = full;
    for (int64_t& size : shape) {
      if (i > 0 && random() % 3 == 0) size = 1;
    }
    values.push_back("x" + std::to_string(i));
    made.model.inputs.push_back({values.back(), ElementType::kFloat, std::nullopt});
    made.inputs.push_back(RandomTensor(ElementType::kFloat, shape, random));
  }
  const char* const unary[] = {"Exp", "Tanh", "Sigmoid", "Abs",  "Neg", "Floor",
                               "Erf", "Sin",  "Relu",    "Sqrt", "Gelu"};
  const char* const binary[] = {"Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu"};
  const size_t count = 2 + random() % 39;
  for (size_t n = 0; n < count; ++n) {
    const std::string out = "y" + std::to_string(n);
    const auto any = [&] { return values[random() % values.size()]; };
    Node node;
    if (seed % 3 == 0 && n == count / 2) {
      node = {.op = "Softmax", .inputs = {any()}, .outputs = {out}, .domain = "", .attributes = {}};
    } else if (random() % 2 == 0) {
      node = {.op = unary[random() % std::size(unary)],
              .inputs = {any()},
              .outputs = {out},
              .domain = "",
              .attributes = {}};
    } else {
      const std::string op = binary[random() % std::size(binary)];
      // A slope must not be larger than what it is for.
      node = {.op = op,
              .inputs = {any(), op == "PRelu" ? std::string("x2") : any()},
              .outputs = {out},
              .domain = "",
              .attributes = {}};
      if (op == "PRelu") node.inputs[0] = "x0";
    }
    made.model.nodes.push_back(node);
    values.push_back(out);
  }
  for (const size_t n : {count - 1, count / 2}) {
    const std::string name = "y" + std::to_string(n);
    if (made.model.outputs.empty() || made.model.outputs[0].name != name)
      made.model.outputs.push_back({name, ElementType::kFloat, std::nullopt});
  }
  return made;
}

// Each node as a model of its own.
std::map<std::string, Tensor> RunNodeByNode(const RandomModel& made, const Session::Settings& settings) {
  std::map<std::string, Tensor> known;
  for (size_t i = 0; i < made.inputs.size(); ++i) known[made.model.inputs[i].name] = made.inputs[i];
  for (const Node& node : made.model.nodes) {
    Node alone = node;
    std::vector<Tensor> inputs;
    for (const std::string& name : node.inputs) inputs.push_back(known.at(name));
    alone.inputs.clear();
    const Model model = OneNode(alone, std::vector<ElementType>(inputs.size(), ElementType::kFloat),
                                ElementType::kFloat, made.model.opset);
    known[node.outputs[0]] = Session(model, settings).Run(inputs)[0];
  }
  return known;
}

TEST_F(ProviderTest, RandomGraphsAreTheirNodes) {
  const char* tier = std::getenv("RESIDUE_TIER");
  const uint64_t count = tier == nullptr || std::string(tier) == "quick" ? 40
                         : std::string(tier) == "full"                   ? 150
                                                                         : 1000;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    const RandomModel made = MakeRandomModel(seed);
    Session::Settings settings = Provided(false);
    settings.threads = seed % 2 == 0 ? 2 : 1;
    const std::vector<Tensor> got = Session(made.model, settings).Run(made.inputs);
    const std::map<std::string, Tensor> expected = RunNodeByNode(made, Provided(false));
    for (size_t i = 0; i < got.size(); ++i) {
      const Tensor& wanted = expected.at(made.model.outputs[i].name);
      ASSERT_TRUE(got[i].bytes == wanted.bytes && got[i].shape == wanted.shape)
          << "seed " << seed << ", " << made.model.outputs[i].name;
    }
  }
}

// One session, shapes that change: scalars, nothing at all, more dimensions than a run can have.
TEST_F(ProviderTest, ShapesMayChangeFromRunToRun) {
  Model model;
  model.opset = 13;
  model.inputs = {{"a", ElementType::kFloat, std::nullopt}, {"b", ElementType::kFloat, std::nullopt}};
  model.nodes = {{.op = "Mul", .inputs = {"a", "b"}, .outputs = {"t"}, .domain = "", .attributes = {}},
                 {.op = "Add", .inputs = {"t", "a"}, .outputs = {"y"}, .domain = "", .attributes = {}}};
  model.outputs = {{"y", ElementType::kFloat, std::nullopt}};
  const Session session(model, Provided());
  const Session built_in(model, BuiltIn());
  std::mt19937_64 random(3);
  const std::vector<std::vector<int64_t>> shapes[] = {
      {{}, {}},
      {{1}, {3}},
      {{4, 1}, {1, 5}},
      {{0}, {1}},
      {{2, 0, 3}, {3}},
      {{7}, {}},
      {{1, 1}, {1}},
      {{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}},
      {{3, 4, 5}, {4, 1}},
      {{100'000}, {100'000}}};
  for (int round = 0; round < 3; ++round) {
    for (const auto& pair : shapes) {
      const std::vector<Tensor> inputs = {RandomTensor(ElementType::kFloat, pair[0], random),
                                          RandomTensor(ElementType::kFloat, pair[1], random)};
      const Tensor got = session.Run(inputs)[0];
      const Tensor expected = built_in.Run(inputs)[0];
      EXPECT_TRUE(AreSame(got, expected)) << pair[0].size() << " dimensions";
    }
  }
  EXPECT_THROW(session.Run({RandomTensor(ElementType::kFloat, {3}, random),
                            RandomTensor(ElementType::kFloat, {4}, random)}),
               Error);
}

// One session, more shapes than are kept, from several threads.
TEST_F(ProviderTest, ManyThreadsAtOnce) {
  const RandomModel made = MakeRandomModel(1);
  Session::Settings settings = Provided(false);
  settings.threads = 2;
  const Session session(made.model, settings);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (int64_t n = 1; n <= 25; ++n) {
        std::vector<Tensor> inputs;
        for (size_t i = 0; i < made.inputs.size(); ++i)
          inputs.push_back(RandomTensor(ElementType::kFloat, {n * 100}, random));
        const std::vector<Tensor> first = session.Run(inputs);
        const std::vector<Tensor> second = session.Run(inputs);
        for (size_t i = 0; i < first.size(); ++i) wrong += first[i].bytes != second[i].bytes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(ProviderTest, OptionsSayWhatIsClaimed) {
  const auto model_of = [](const char* op) {
    return OneNode({.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                   std::vector<ElementType>(2, ElementType::kInt32), ElementType::kInt32, 13);
  };
  const auto is_claimed = [&](const char* op, const char* claim) {
    Session::Settings settings = Provided();
    settings.provider_options = {{"claim", claim}, {"threads", "1"}, {"trace", "0"}};
    try {
      const Session session(model_of(op), settings);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  EXPECT_TRUE(is_claimed("Add", "all") && is_claimed("Mod", "all") && is_claimed("Mod", "mod"));
  EXPECT_FALSE(is_claimed("Add", "mod") || is_claimed("Add", "none") || is_claimed("Mod", "none"));
  const std::pair<const char*, const char*> wrong[] = {
      {"claim", "some"}, {"threads", "many"}, {"threads", "5000"}, {"trace", "yes"}};
  for (const auto& [key, value] : wrong) {
    Session::Settings settings = Provided();
    settings.provider_options = {{key, value}};
    try {
      const Session session(model_of("Add"), settings);
      ADD_FAILURE() << key << "=" << value << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("the option ") + key + " is \"" + value + "\""),
                std::string::npos)
          << error.what();
    }
  }
}

// A status, not a crash, and no factory.
TEST(ProviderRefusalTest, OlderRuntimesAreToldWhy) {
  const Runtime& oldest = Runtime::At(RESIDUE_ORT_OLDEST);
  using Create = Status* (*)(const char*, const ApiBase*, const Logger*, EpFactory**, size_t, size_t*);
  const auto create =
      reinterpret_cast<Create>(reinterpret_cast<AnyFunction>(FindEntryPoint("CreateEpFactories")));
  EpFactory* factory = nullptr;
  size_t count = 7;
  Status* status = create("residue", oldest.base(), nullptr, &factory, 1, &count);
  ASSERT_NE(status, nullptr);
  EXPECT_NE(std::string(oldest.api().Message(status)).find("needs ONNX Runtime 1.23 or newer"),
            std::string::npos);
  oldest.api().Release(status);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(factory, nullptr);
}

}  // namespace
}  // namespace residue::ort::testing
