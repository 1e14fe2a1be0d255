// The execution provider on unmodified models of one node: what it claims, and what it computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "model.h"
#include "provider_fixture.h"
#include "random_tensor.h"
#include "residue/residue.h"

namespace residue::ort::testing {
namespace {

constexpr ElementType kTested[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kFloat16,
                                   ElementType::kInt32, ElementType::kInt64,  ElementType::kUint8,
                                   ElementType::kBool};

// Operators whose results ONNX defines exactly, with how many inputs; the built-in provider is right about
// them on usual numbers.
const std::map<std::string, size_t> kExact = {
    {"Add", 2},        {"Sub", 2},         {"Mul", 2},        {"Div", 2},
    {"Max", 3},        {"Min", 2},         {"Sum", 3},        {"Mean", 4},
    {"Abs", 1},        {"Neg", 1},         {"Sqrt", 1},       {"Floor", 1},
    {"Ceil", 1},       {"Round", 1},       {"Relu", 1},       {"Clip", 3},
    {"Reciprocal", 1}, {"Equal", 2},       {"Greater", 2},    {"GreaterOrEqual", 2},
    {"Less", 2},       {"LessOrEqual", 2}, {"IsNaN", 1},      {"IsInf", 1},
    {"And", 2},        {"Or", 2},          {"Xor", 2},        {"Not", 1},
    {"Identity", 1},   {"Mod", 2},         {"BitwiseAnd", 2}, {"BitwiseOr", 2},
    {"BitwiseXor", 2}, {"BitwiseNot", 1},  {"LeakyRelu", 1},  {"ThresholdedRelu", 1},
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
#if defined(__aarch64__)
      // The built-in provider estimates reciprocals there, and rounds alpha to a half first.
      if (op == "Reciprocal" || (op == "LeakyRelu" && type == ElementType::kFloat16)) continue;
#endif
      EXPECT_EQ(Difference(ours[0], theirs[0]), "") << op << " of type " << static_cast<int>(type);
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

int64_t FindNewestOpset() {
  for (int64_t opset = 20;; ++opset) {
    Session::Settings settings;
    settings.use = Use::kBuiltIn;
    try {
      const Session session(
          OneNode({.op = "Identity", .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                  {ElementType::kFloat}, ElementType::kFloat, opset + 1),
          settings);
    } catch (const Error&) {
      return opset;
    }
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
  if (FindNewestOpset() >= 24) {
    const Node flat{
        .op = "Swish", .inputs = {}, .outputs = {}, .domain = "", .attributes = {{"alpha", 0.0f}}};
    const std::vector<float> swish =
        Session(OneNode(flat, {ElementType::kFloat}, ElementType::kFloat, 24), Provided())
            .Run({input})[0]
            .Values<float>();
    EXPECT_TRUE(std::isnan(swish[0]) && std::isnan(swish[1]) && swish[2] == 0);
  }
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

Tensor Floats(std::vector<int64_t> shape, const std::vector<float>& values) {
  return Tensor::Of(ElementType::kFloat, std::move(shape), values);
}

// Bounds are single elements, and what is left out is the largest number, which matters to infinities.
TEST_F(ProviderTest, BoundsOfClip) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  const auto run = [&](std::vector<std::string> names, const std::vector<Tensor>& inputs) {
    Model model =
        OneNode({.op = "Clip", .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                std::vector<ElementType>(inputs.size(), ElementType::kFloat), ElementType::kFloat, 13);
    model.nodes[0].inputs = std::move(names);
    return Session(model, Provided()).Run(inputs)[0];
  };
  const Tensor ends = Floats({2}, {-infinity, infinity});
  EXPECT_EQ(run({"in0"}, {ends}).Values<float>(), (std::vector<float>{-largest, largest}));
  EXPECT_EQ(run({"in0", "in1"}, {ends, Floats({}, {0})}).Values<float>(), (std::vector<float>{0, largest}));
  EXPECT_EQ(run({"in0", "", "in1"}, {ends, Floats({}, {6})}).Values<float>(),
            (std::vector<float>{-largest, 6}));
  const Tensor scalar = run({"in0", "in1"}, {Floats({}, {5}), Floats({1}, {7})});
  EXPECT_EQ(scalar.shape, std::vector<int64_t>());
  EXPECT_EQ(scalar.Values<float>(), std::vector<float>{7});
  EXPECT_THROW(run({"in0", "in1"}, {Floats({3}, {1, 2, 3}), Floats({3}, {1, 2, 3})}), Error);
}

// What ONNX does not define, or defines in another way, is somebody else's.
TEST_F(ProviderTest, OddAttributesAreNotClaimed) {
  const auto is_claimed = [&](const char* op, ElementType type, size_t inputs, const char* name,
                              const AttributeValue& value) {
    const Node node{.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {{name, value}}};
    try {
      const Session session(OneNode(node, std::vector<ElementType>(inputs, type), type, 13), Provided());
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  EXPECT_TRUE(is_claimed("Mod", ElementType::kInt32, 2, "fmod", int64_t{1}));
  EXPECT_FALSE(is_claimed("Mod", ElementType::kInt32, 2, "fmod", int64_t{2}));
  EXPECT_FALSE(is_claimed("Mod", ElementType::kInt32, 2, "fmod", 1.0f));
  EXPECT_TRUE(is_claimed("BitShift", ElementType::kUint32, 2, "direction", std::string("RIGHT")));
  EXPECT_FALSE(is_claimed("BitShift", ElementType::kUint32, 2, "direction", std::string("UP")));
  EXPECT_FALSE(is_claimed("BitShift", ElementType::kUint32, 2, "direction", std::string(1000, 'R')));
  EXPECT_TRUE(is_claimed("Celu", ElementType::kFloat, 1, "alpha", 2.0f));
  EXPECT_FALSE(is_claimed("Celu", ElementType::kFloat, 1, "alpha", 0.0f));
}

// One constant scale for all: claimed, with the built-in provider's bits. One for each channel: left to it.
TEST_F(ProviderTest, QuantizedByOneScale) {
  std::mt19937_64 random(4);
  const auto bytes_of = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const auto make = [&](const char* op, ElementType from, ElementType to, const Initializer& zero) {
    Model model =
        OneNode({.op = op, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}}, {from}, to, 19);
    model.nodes[0].inputs = {"in0", "scale"};
    model.inputs[0].dimensions = Dimensions{"a", "b"};
    model.initializers = {{"scale", ElementType::kFloat, {1}, bytes_of(0.0371f)}};
    if (!zero.name.empty()) {
      model.nodes[0].inputs.push_back(zero.name);
      model.initializers.push_back(zero);
    }
    return model;
  };
  const Initializer none = {};
  const Initializer of_bytes = {"zero", ElementType::kUint8, {}, bytes_of(uint8_t{113})};
  const Initializer of_signed = {"zero", ElementType::kInt8, {1}, bytes_of(int8_t{-7})};
  const std::pair<Model, Tensor> cases[] = {
      {make("QuantizeLinear", ElementType::kFloat, ElementType::kUint8, none),
       RandomTensor(ElementType::kFloat, {40, 30}, random)},
      {make("QuantizeLinear", ElementType::kFloat, ElementType::kUint8, of_bytes),
       RandomTensor(ElementType::kFloat, {40, 30}, random)},
      {make("QuantizeLinear", ElementType::kFloat, ElementType::kInt8, of_signed),
       RandomTensor(ElementType::kFloat, {40, 30}, random)},
      {make("DequantizeLinear", ElementType::kInt32, ElementType::kFloat, none),
       RandomTensor(ElementType::kInt32, {40, 30}, random)},
      {make("DequantizeLinear", ElementType::kUint8, ElementType::kFloat, of_bytes),
       RandomTensor(ElementType::kUint8, {40, 30}, random)}};
  for (const auto& [model, input] : cases) {
    const Tensor got = Session(model, Provided()).Run({input})[0];
    EXPECT_EQ(Difference(got, Session(model, BuiltIn()).Run({input})[0]), "") << model.nodes[0].op;
  }
  Model channels = cases[0].first;
  channels.initializers[0].shape = {30};
  channels.initializers[0].bytes = RandomBytes(ElementType::kUint32, 30, random);  // subnormal, above 0
  EXPECT_THROW(Session(channels, Provided()), Error);
  Model zeros = cases[1].first;
  zeros.initializers[1].shape = {30};
  zeros.initializers[1].bytes = std::string(30, '\3');
  EXPECT_THROW(Session(zeros, Provided()), Error) << "zero points for each channel";
}

// Infinities that nobody looks for are not found.
TEST_F(ProviderTest, NoInfinityIsAskedFor) {
  const Model model =
      OneNode({.op = "IsInf",
               .inputs = {},
               .outputs = {},
               .domain = "",
               .attributes = {{"detect_negative", int64_t{0}}, {"detect_positive", int64_t{0}}}},
              {ElementType::kFloat}, ElementType::kBool, 13);
  std::mt19937_64 random(5);
  const Tensor input = RandomTensor(ElementType::kFloat, {4000}, random);
  const Tensor got = Session(model, Provided()).Run({input})[0];
  EXPECT_EQ(got.bytes, std::string(4000, '\0'));
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

struct Listed {
  std::string name;
  int64_t first;
  std::string recipe;
};

// A node of this operator and type, as its recipe has it.
Model MakeListed(const Listed& listed, ElementType type, int64_t opset) {
  Node node{.op = listed.name, .inputs = {}, .outputs = {}, .domain = "", .attributes = {}};
  size_t count = listed.recipe == "kBinary" || listed.recipe == "kMod" || listed.recipe == "kBitShift" ||
                         listed.recipe == "kVariadic" || listed.recipe == "kMean"
                     ? 2
                     : 1;
  if (listed.recipe == "kQuestion" && listed.name != "IsNaN") count = 2;
  if (listed.recipe == "kLogical" && listed.name != "Not") count = 2;
  if (listed.recipe == "kWhere") count = 3;
  if (listed.recipe == "kMod") node.attributes = {{"fmod", int64_t{1}}};
  if (listed.recipe == "kBitShift") node.attributes = {{"direction", std::string("LEFT")}};
  if (listed.recipe == "kCast") node.attributes = {{"to", static_cast<int64_t>(ElementType::kInt32)}};
  if (listed.recipe == "kClip" && opset < 11) node.attributes = {{"min", -1.0f}, {"max", 1.0f}};
  ElementType output = type;
  if (listed.recipe == "kQuestion" || listed.recipe == "kIsInf") output = ElementType::kBool;
  if (listed.recipe == "kCast") output = ElementType::kInt32;
  if (listed.recipe == "kQuantization")
    output = type == ElementType::kFloat ? ElementType::kUint8 : ElementType::kFloat;
  Model model = OneNode(node, std::vector<ElementType>(count, type), output, opset);
  if (listed.recipe == "kWhere") model.inputs[0].type = ElementType::kBool;
  if (listed.recipe == "kQuantization") {
    const float scale = 0.25f;
    model.initializers = {{"scale",
                           ElementType::kFloat,
                           {},
                           std::string(reinterpret_cast<const char*>(&scale), sizeof(scale))}};
    model.nodes[0].inputs.push_back("scale");
  }
  return model;
}

// Everything in the list, from the opset it says to the newest that this ONNX Runtime takes: claimed for some
// type, and the same results all along.
TEST_F(ProviderTest, EveryOperatorIsClaimedInEveryOpset) {
  const std::vector<Listed> list = {
#define RESIDUE_ONNX(Name, first, recipe, Op, note) {#Name, first, #recipe},
#include "onnx_operators.def"
  };
  const int64_t newest = FindNewestOpset();
  EXPECT_GE(newest, 23);
  for (const Listed& listed : list) {
    // Mod is as old as opset 10; the list says how old our custom operator is.
    bool claimed = false;
    const int64_t first = std::max<int64_t>(listed.name == "Mod" ? 10 : 7, listed.first);
    for (const ElementType type :
         {ElementType::kFloat, ElementType::kBool, ElementType::kUint32, ElementType::kUint8}) {
      // ONNX Runtime takes it apart, in some opsets.
      if (listed.name == "PRelu" && type != ElementType::kFloat) continue;
      std::optional<std::string> result;
      for (int64_t opset = first; opset <= newest; ++opset) {
        const Model model = MakeListed(listed, type, opset);
        std::mt19937_64 random(5);
        std::vector<Tensor> inputs;
        for (const TensorSpec& input : model.inputs)
          inputs.push_back(RandomTensor(input.type, {3, 7}, random));
        try {
          const std::string got = Session(model, Provided()).Run(inputs)[0].bytes;
          EXPECT_TRUE(!result || listed.name == "Clip" || *result == got)
              << listed.name << ", opset " << opset;
          result = got;
        } catch (const Error& error) {
          // Only a type that the operator does not have, or did not have yet.
          EXPECT_FALSE(result.has_value()) << listed.name << ", opset " << opset << ": " << error.what();
        }
      }
      claimed = claimed || result.has_value();
    }
    EXPECT_TRUE(claimed || first > newest) << listed.name;
  }
}

// ONNX Runtime computes nodes of constants before it asks providers.
TEST_F(ProviderTest, ConstantsDoNotCrashWhileLoading) {
  Model model;
  model.opset = 13;
  const int32_t least = std::numeric_limits<int32_t>::min();
  const int32_t minus = -1;
  const auto bytes_of = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  model.initializers = {{"a", ElementType::kInt32, {1}, bytes_of(least)},
                        {"b", ElementType::kInt32, {1}, bytes_of(minus)}};
  model.inputs = {{"x", ElementType::kInt32, std::nullopt}};
  model.nodes = {{.op = "Mod", .inputs = {"a", "b"}, .outputs = {"t"}, .domain = "", .attributes = {}},
                 {.op = "Add", .inputs = {"t", "x"}, .outputs = {"y"}, .domain = "", .attributes = {}}};
  model.outputs = {{"y", ElementType::kInt32, std::nullopt}};
  if (Runtime::At("").base()->GetApi(kProviderOperatorsApiVersion) == nullptr)
    GTEST_SKIP() << "custom operators of providers came with 1.24";
  Session::Settings settings = Provided(false);
  settings.optimization = 99;
  for (const Use use : {Use::kProvider, Use::kBoth}) {
    settings.use = use;
    const Tensor got = Session(model, settings).Run({Tensor::Of<int32_t>(ElementType::kInt32, {1}, {7})})[0];
    EXPECT_EQ(got.Values<int32_t>()[0], 7);
  }
}

}  // namespace
}  // namespace residue::ort::testing
