// What claim=gain claims, and what it leaves: each rule has models, and what ONNX Runtime itself makes of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "provider_fixture.h"
#include "random_tensor.h"
#include "sketch.h"

namespace residue::ort::testing {
namespace {

template <class T>
Initializer Constant(std::string name, ElementType type, std::vector<int64_t> shape, T value) {
  size_t count = 1;
  for (const int64_t dimension : shape) count *= static_cast<size_t>(dimension);
  const Tensor tensor = Tensor::Of(type, std::move(shape), std::vector<T>(count, value));
  return {std::move(name), type, tensor.shape, tensor.bytes};
}

Initializer Number(std::string name, float value) {
  return Constant(std::move(name), ElementType::kFloat, {}, value);
}

// A model of float32: x and z are sequences of vectors, i and j images, n a list of numbers.
Model MakeModel(const std::string& text, int64_t opset = 18) {
  constexpr auto kFloat = ElementType::kFloat;
  const std::vector<TensorSpec> inputs = {{"x", kFloat, Dimensions{"batch", "words", "64"}},
                                          {"z", kFloat, Dimensions{"batch", "words", "64"}},
                                          {"square", kFloat, Dimensions{"64", "64"}},
                                          {"i", kFloat, Dimensions{"1", "16", "64", "64"}},
                                          {"j", kFloat, Dimensions{"1", "16", "64", "64"}},
                                          {"n", kFloat, Dimensions{"count"}},
                                          {"few", kFloat, Dimensions{"1", "100"}},
                                          {"shape", ElementType::kInt64, Dimensions{"count"}},
                                          {"q1", ElementType::kUint8, Dimensions{"64", "64"}},
                                          {"q2", ElementType::kUint8, Dimensions{"64", "64"}}};
  const std::vector<Initializer> initializers = {Number("half", 0.5f),
                                                 Number("one", 1),
                                                 Number("two", 2),
                                                 Number("three", 3),
                                                 Number("six", 6),
                                                 Number("none", 0),
                                                 Number("little", 1e-5f),
                                                 Number("root", 1.41421356f),
                                                 Number("tanh_a", 0.044715f),
                                                 Number("tanh_b", 0.7978845608f),
                                                 Number("scale", 0.25f),
                                                 Constant<float>("vector", kFloat, {64}, 0.75f),
                                                 Constant<float>("weights", kFloat, {16, 16, 3, 3}, 0.125f),
                                                 Constant<float>("matrix", kFloat, {64, 64}, 0.125f),
                                                 Constant<uint8_t>("zero", ElementType::kUint8, {}, 0),
                                                 Constant<int8_t>("codes", ElementType::kInt8, {64, 64}, 3),
                                                 Constant<int8_t>("signed_zero", ElementType::kInt8, {}, 0),
                                                 Constant<int64_t>("last", ElementType::kInt64, {1}, -1),
                                                 Constant<int64_t>("eight", ElementType::kInt64, {1}, 8)};
  return Sketch(text, inputs, initializers, opset);
}

// What ONNX Runtime makes of a model itself: the bytes of the optimized one.
std::string Optimized(const Model& model, int level) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "residue_optimized.onnx").string();
  Session::Settings settings;
  settings.use = Use::kBuiltIn;
  settings.optimization = level;
  settings.optimized_model = path;
  { const Session session(model, settings); }
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(path);
  return bytes;
}

using Operators = std::multiset<std::string>;

struct Trace {
  Operators claimed;
  std::map<std::string, Operators> left;  // by why
};

Trace Read(const Model& model) {
  Session::Settings settings;
  settings.use = Use::kProvider;
  settings.provider_options = {{"trace", "2"}};
  settings.log_severity = 2;
  ::testing::internal::CaptureStderr();
  { const Session session(model, settings); }
  const std::string lines = ::testing::internal::GetCapturedStderr();
  Trace trace;
  const std::regex pattern(R"re(residue: (\w+) "[^"]*" is (claimed|not claimed: ([^\n\x1b]*)))re");
  for (std::sregex_iterator at(lines.begin(), lines.end(), pattern), end; at != end; ++at) {
    if ((*at)[3].matched) {
      trace.left[(*at)[3]].insert((*at)[1]);
    } else {
      trace.claimed.insert((*at)[1]);
    }
  }
  return trace;
}

struct Fusion {
  const char* path;     // of built_in_fusions.def
  const char* becomes;  // the operator of the optimized model
  Operators left;       // because of this path or one with the same name
  const char* model;
  int64_t opset = 18;
};

const std::vector<Fusion>& Fusions() {
  static const auto* fusions = new std::vector<Fusion>{
      {"Conv Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Clip!",
       "FusedConv",
       {"Relu"},
       "c = Conv(i, weights); y = Relu(c)"},
      {"Conv Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Clip!",
       "FusedConv",
       {"Sigmoid"},
       "c = Conv(i, weights); y = Sigmoid(c)"},
      {"Conv Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Clip!",
       "FusedConv",
       {"Tanh"},
       "c = Conv(i, weights); y = Tanh(c)"},
      {"Conv Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Clip!",
       "FusedConv",
       {"LeakyRelu"},
       "c = Conv(i, weights); y = LeakyRelu(c)"},
      {"Conv Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Clip!",
       "FusedConv",
       {"HardSigmoid"},
       "c = Conv(i, weights); y = HardSigmoid(c)"},
      {"Conv Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Clip!",
       "FusedConv",
       {"Clip"},
       "c = Conv(i, weights); y = Clip(c, none, six)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Relu"},
       "g = Gemm(square, matrix); y = Relu(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Sigmoid"},
       "g = Gemm(square, matrix); y = Sigmoid(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Tanh"},
       "g = Gemm(square, matrix); y = Tanh(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"LeakyRelu"},
       "g = Gemm(square, matrix); y = LeakyRelu(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"HardSigmoid"},
       "g = Gemm(square, matrix); y = HardSigmoid(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Elu"},
       "g = Gemm(square, matrix); y = Elu(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Selu"},
       "g = Gemm(square, matrix); y = Selu(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Softplus"},
       "g = Gemm(square, matrix); y = Softplus(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"Softsign"},
       "g = Gemm(square, matrix); y = Softsign(g)"},
      {"Gemm Relu!|Sigmoid!|Tanh!|LeakyRelu!|HardSigmoid!|Elu!|Selu!|Softplus!|Softsign!|ThresholdedRelu!",
       "FusedGemm",
       {"ThresholdedRelu"},
       "g = Gemm(square, matrix); y = ThresholdedRelu(g)"},
      {"Sigmoid Mul", "QuickGelu", {"Mul", "Sigmoid"}, "s = Sigmoid(x); y = Mul(x, s)"},
      {"Div|Mul Erf Add Mul Mul?",
       "Gelu",
       {"Div", "Erf", "Add", "Mul", "Mul"},
       "d = Div(x, root); e = Erf(d); a = Add(e, one); m = Mul(x, a); y = Mul(m, half)"},
      {"Add Div|Mul Erf Add Mul Mul?",
       "BiasGelu",
       {"Add"},
       "b = Add(x, vector); d = Div(b, root); e = Erf(d); a = Add(e, one); m = Mul(b, a); y = Mul(m, half)"},
      {"Add Gelu", "BiasGelu", {"Add", "Gelu"}, "b = Add(x, vector); y = Gelu(b)", 20},
      {"ReduceMean Sub Pow|Mul ReduceMean Add Sqrt Div Mul Add",
       "LayerNormalization",
       {"Sub", "Pow", "Add", "Sqrt", "Div", "Mul", "Add"},
       "m = ReduceMean(x, axes=[-1]); d = Sub(x, m); p = Pow(d, two); v = ReduceMean(p, axes=[-1]); e = "
       "Add(v, little); s = Sqrt(e); q = Div(d, s); g = Mul(q, vector); y = Add(g, vector)",
       13},
      {"Pow|Mul ReduceMean Add Sqrt Div Mul",
       "SimplifiedLayerNormalization",
       {"Pow", "Add", "Sqrt", "Div", "Mul"},
       "p = Pow(x, two); v = ReduceMean(p, last); e = Add(v, little); s = Sqrt(e); q = Div(x, s); y = Mul(q, "
       "vector)"},
      {"Add ReduceMean Sub",
       "SkipLayerNormalization",
       {"Add"},
       "b = Add(x, z); m = ReduceMean(b, axes=[-1]); d = Sub(b, m); p = Pow(d, two); v = ReduceMean(p, "
       "axes=[-1]); e = Add(v, little); s = Sqrt(e); q = Div(d, s); g = Mul(q, vector); y = Add(g, vector)",
       13},
      {"Add LayerNormalization",
       "SkipLayerNormalization",
       {"Add"},
       "b = Add(x, z); y = LayerNormalization(b, vector, vector)"},
      {"Add Add LayerNormalization",
       "SkipLayerNormalization",
       {"Add", "Add"},
       "a = Add(x, vector); b = Add(a, z); y = LayerNormalization(b, vector, vector)"},
      {"Mul$|Div$ MatMul", "FusedMatMul", {"Mul"}, "m = Mul(x, half); y = MatMul(m, square)"},
      {"Mul$|Div$ MatMul", "FusedMatMul", {"Div"}, "m = Div(x, two); y = MatMul(m, square)"},
      {"MatMul Mul$!|Div$!", "FusedMatMul", {"Mul"}, "m = MatMul(x, square); y = Mul(m, half)"},
      {"MatMul Mul$!|Div$!", "FusedMatMul", {"Div"}, "m = MatMul(x, square); y = Div(m, two)"},
      {"MatMulInteger Cast Mul Add?",
       "DynamicQuantizeMatMul",
       {"Cast", "Mul", "Mul", "Add"},
       "b, s, o = DynamicQuantizeLinear(x); w = MatMulInteger(b, codes, o); c = Cast(w, to=1); k = Mul(s, "
       "scale); m = Mul(c, k); y = Add(m, vector)"},
      {"DynamicQuantizeLinear Mul",
       "DynamicQuantizeMatMul",
       {"Cast", "Mul", "Mul"},
       "b, s, o = DynamicQuantizeLinear(x); w = MatMulInteger(b, codes, o); c = Cast(w, to=1); k = Mul(s, "
       "scale); y = Mul(c, k)"},
      {"DequantizeLinear *& QuantizeLinear",
       "QLinearAdd",
       {"Add", "DequantizeLinear", "DequantizeLinear", "QuantizeLinear"},
       "d = DequantizeLinear(q1, scale, zero); e = DequantizeLinear(q2, scale, zero); a = Add(d, e); y = "
       "QuantizeLinear(a, scale, zero)"},
      {"DequantizeLinear MatMul&|Gemm&",
       "MatMulIntegerToFloat",
       {"DequantizeLinear", "DequantizeLinear"},
       "d = DequantizeLinear(q1, scale, zero); e = DequantizeLinear(q2, scale, zero); y = MatMul(d, e)"},
      {"DequantizeLinear MatMul&|Gemm&",
       "QGemm",
       {"DequantizeLinear", "DequantizeLinear"},
       "d = DequantizeLinear(q1, scale, zero); e = DequantizeLinear(codes, scale, signed_zero); y = Gemm(d, "
       "e)"},
  };
  return *fusions;
}

struct Row {
  const char* name;
  const char* path;
};
constexpr Row kRows[] = {
#define RESIDUE_FUSION(name, path) {name, path},
#include "built_in_fusions.def"
};

// For each row of the list a model of what ONNX Runtime does make one node of.
TEST_F(ProviderTest, WhatOnnxRuntimeFusesIsLeft) {
  std::set<std::string> seen;
  // Older ones lack some, and what is left alone does not depend on them.
  const bool fuses_all = Runtime::At("").base()->GetApi(kProviderBranchesApiVersion) != nullptr;
  for (const Fusion& fusion : Fusions()) {
    SCOPED_TRACE(fusion.model);
    const auto* row = std::ranges::find(kRows, std::string_view(fusion.path), &Row::path);
    ASSERT_NE(row, std::end(kRows)) << fusion.path;
    seen.insert(fusion.path);
    const Model model = MakeModel(fusion.model, fusion.opset);
    EXPECT_TRUE(!fuses_all || Optimized(model, 2).find(fusion.becomes) != std::string::npos);
    const Trace trace = Read(model);
    EXPECT_EQ(trace.claimed, Operators());
    const auto left = trace.left.find(std::string("becomes a part of ") + row->name);
    ASSERT_NE(left, trace.left.end());
    EXPECT_EQ(left->second, fusion.left);
  }
  // A Relu is dropped, and nothing new made.
  const Model relu = MakeModel("r = Relu(x); y = QuantizeLinear(r, scale, zero)");
  seen.insert("Relu QuantizeLinear");
  EXPECT_EQ(Optimized(relu, 2).find("Relu"), std::string::npos);
  EXPECT_TRUE(Read(relu).left.contains("becomes a part of QuantizeLinear"));
  for (const Row& row : kRows) EXPECT_TRUE(seen.contains(row.path)) << row.path << " has no model";
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Between convolutions, what keeps their order of numbers is left, and the rest is claimed.
TEST_F(ProviderTest, TheOrderOfConvolutionsIsKept) {
  const std::string between =
      "a = Conv(i, weights); b = Conv(j, weights); s = Add(a, b); r = Relu(s); t = Mul(r, a); y = Conv(t, "
      "weights)";
  const Trace kept = Read(MakeModel(between));
  EXPECT_EQ(kept.claimed, Operators());
  EXPECT_EQ(kept.left.at("keeps the order of convolutions"), (Operators{"Add", "Mul", "Relu"}));
  // A number for all elements makes ONNX Runtime reorder them, before the Add and after the Div.
  const std::string chain =
      "a = Conv(i, weights); b = Add(a, three); c = Clip(b, none, six); d = Mul(a, c); e = Div(d, six); "
      "y = Conv(e, weights)";
  EXPECT_EQ(Read(MakeModel(chain)).claimed, (Operators{"Add", "Clip", "Div", "Mul"}));
#if defined(__x86_64__)
  constexpr int kAll = 99;
  EXPECT_EQ(Count(Optimized(MakeModel(between), kAll), "ReorderOutput"),
            Count(Optimized(MakeModel("y = Conv(i, weights)"), kAll), "ReorderOutput"));
  EXPECT_GT(Count(Optimized(MakeModel(chain), kAll), "ReorderOutput"),
            Count(Optimized(MakeModel("y = Conv(i, weights)"), kAll), "ReorderOutput"));
#endif
}

TEST_F(ProviderTest, WhatSavesPassesIsClaimed) {
  const auto claimed = [](const char* text) { return Read(MakeModel(text)).claimed; };
  // A pass less.
  EXPECT_EQ(claimed("a = Mul(n, two); y = Add(a, one)"), (Operators{"Add", "Mul"}));
  // None less, because what is between is read too.
  EXPECT_EQ(claimed("y = Mul(n, two)"), Operators());
  EXPECT_EQ(claimed("a = Mul(n, two); y = Add(a, one); m = ReduceMean(a, last)"), Operators());
  // Few elements.
  EXPECT_EQ(claimed("a = Mul(few, two); b = Add(a, one); y = Div(b, three)"), Operators());
  // Integers, which are shapes.
  EXPECT_EQ(claimed("a = Mul(shape, eight); b = Add(a, eight); y = Sub(b, eight)"), Operators());
  // Functions that are faster here, alone; and slower ones, unless much is saved around them.
  EXPECT_EQ(claimed("y = Softplus(n)"), Operators{"Softplus"});
  EXPECT_EQ(claimed("a = Mul(n, two); y = Tanh(a)"), Operators());
  EXPECT_EQ(claimed("a = Mul(n, two); b = Tanh(a); c = Add(b, one); d = Mul(c, half); y = Neg(d)"),
            (Operators{"Add", "Mul", "Mul", "Neg", "Tanh"}));
}

// The rules choose nodes; what they compute is the same.
TEST_F(ProviderTest, ClaimsHaveTheSameBits) {
  const Model model =
      MakeModel("a = Add(n, three); b = Clip(a, none, six); c = Mul(n, b); d = Div(c, six); y = Softplus(d)");
  std::mt19937_64 random(6);
  const Tensor input = RandomTensor(ElementType::kFloat, {10'000}, random);
  Session::Settings settings = Provided();
  const Tensor all = Session(model, settings).Run({input})[0];
  settings.provider_options = {};
  EXPECT_TRUE(Session(model, settings).Run({input})[0].bytes == all.bytes);
}

}  // namespace
}  // namespace residue::ort::testing
