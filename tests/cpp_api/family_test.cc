// Every operator by its C++ function, with an output, as a value and as a node of a graph, against the C
// interface.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/operator_id.h"
#include "residue/residue.hpp"

namespace residue::testing {
namespace {

constexpr size_t kCount = 100;

// A type that the operator takes.
template <OperatorId kOp>
using ElementOf =
    std::conditional_t<Contains(InputTypes(kOp), DataType::kFloat32), float,
                       std::conditional_t<Contains(InputTypes(kOp), DataType::kInt32), int32_t, uint8_t>>;

template <class T>
std::vector<T> MakeElements(int begin, int step) {
  std::vector<T> elements;
  for (int i = 0; i < static_cast<int>(kCount); ++i) {
    elements.push_back(static_cast<T>(begin + step * i) / static_cast<T>(std::is_integral_v<T> ? 1 : 4));
  }
  return elements;
}

template <class TOut>
std::vector<TOut> RunC(OperatorId op, const std::vector<residue_type>& types,
                       const std::vector<const void*>& inputs, const void* params) {
  residue_operand operands[kMostInputs + 1] = {};
  for (size_t k = 0; k < types.size(); ++k) {
    operands[k].type = types[k];
    operands[k].strides[0] = static_cast<int64_t>(SizeOf(static_cast<DataType>(types[k])));
  }
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = static_cast<residue_operator>(op);
  problem.rank = 1;
  problem.sizes[0] = kCount;
  problem.operand_count = static_cast<uint32_t>(types.size());
  problem.operands = operands;
  problem.params_size = static_cast<uint32_t>(ParamsBytes(op));
  problem.params = problem.params_size != 0 ? params : nullptr;
  std::vector<TOut> out(kCount);
  EXPECT_EQ(residue_run(&problem, inputs.data(), out.data(), nullptr), RESIDUE_OK) << OperatorName(op);
  return out;
}

template <class T>
void ExpectBits(const std::vector<T>& got, const std::vector<T>& expected, OperatorId op, const char* way) {
  ASSERT_EQ(got.size(), expected.size()) << OperatorName(op) << " " << way;
  EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)), 0)
      << OperatorName(op) << " " << way;
}

// `call` is given all inputs and maybe an output; `node` a graph and its tensors.
template <class TOut, class Call, class Node, class... T>
void Check(OperatorId op, const Params& params, const Call& call, const Node& node,
           const std::vector<T>&... in) {
  const std::vector<TOut> expected =
      RunC<TOut>(op, {kTypeOf<T>..., kTypeOf<TOut>}, {in.data()...}, params.bytes);
  std::vector<TOut> out(kCount);
  EXPECT_TRUE(call(in..., out)) << OperatorName(op);
  ExpectBits(out, expected, op, "with an output");
  ExpectBits(call(in...), expected, op, "as a value");
  Graph graph;
  const std::tuple tensors{graph.template Input<T>({kCount})...};  // in this order
  const auto result = std::apply([&](const auto&... x) { return node(graph, x...); }, tensors);
  graph.Output(result);
  ASSERT_TRUE(graph.Compile()) << OperatorName(op);
  std::vector<TOut> computed(kCount);
  ASSERT_TRUE(graph.Run({in...}, {computed})) << OperatorName(op);
  ExpectBits(computed, expected, op, "in a graph");
}

// An operator of one type, whose params, if it has some, are what follows the inputs.
template <OperatorId kOp, class Call, class Node>
void CheckUniform(const Params& params, const Call& call, const Node& node) {
  using T = ElementOf<kOp>;
  using TOut = std::conditional_t<IsUniform(kOp), T, uint8_t>;
  const std::vector<T> a = MakeElements<T>(3, 5);
  const std::vector<T> b = MakeElements<T>(1, 2);
  if constexpr (InputCount(kOp) == 1) {
    Check<TOut>(kOp, params, call, node, a);
  } else {
    Check<TOut>(kOp, params, call, node, a, b);
  }
}

// The names are those of the list, so that none is left out.
TEST(CppFamilyTest, OperatorsWithoutParams) {
#define RESIDUE_MIXED_OP(...)
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, results, Parameters, exceptions) \
  if constexpr (std::is_same_v<Parameters, NoParams>) {                                       \
    CheckUniform<OperatorId::k##Name>(                                                        \
        {}, [](auto&&... x) { return residue::Name(std::forward<decltype(x)>(x)...); },       \
        [](Graph& graph, const auto&... x) { return graph.Name(x...); });                     \
  }
#include "core/ops.def"
}

#define RESIDUE_CALL(Name, ...)                                                \
  [&](const auto& x, auto&&... out) {                                          \
    return residue::Name(x, __VA_ARGS__, std::forward<decltype(out)>(out)...); \
  }
#define RESIDUE_NODE(Name, ...) [&](Graph& graph, const auto& x) { return graph.Name(x, __VA_ARGS__); }

TEST(CppFamilyTest, OperatorsWithParams) {
  CheckUniform<OperatorId::kScaleBias>(Params::Of(ScaleBiasParams{0.5f, 3.0f}),
                                       RESIDUE_CALL(ScaleBias, 0.5f, 3.0f),
                                       RESIDUE_NODE(ScaleBias, 0.5f, 3.0f));
  CheckUniform<OperatorId::kLeakyRelu>(Params::Of(AlphaParams{0.25f}), RESIDUE_CALL(LeakyRelu, 0.25f),
                                       RESIDUE_NODE(LeakyRelu, 0.25f));
  CheckUniform<OperatorId::kThresholdedRelu>(Params::Of(AlphaParams{7.0f}),
                                             RESIDUE_CALL(ThresholdedRelu, 7.0f),
                                             RESIDUE_NODE(ThresholdedRelu, 7.0f));
  CheckUniform<OperatorId::kHardSwish>(Params::Of(AlphaBetaParams{0.125f, 0.5f}),
                                       RESIDUE_CALL(HardSwish, 0.125f, 0.5f),
                                       RESIDUE_NODE(HardSwish, 0.125f, 0.5f));
  CheckUniform<OperatorId::kShrink>(Params::Of(ShrinkParams{1.5f, 9.0f}), RESIDUE_CALL(Shrink, 1.5f, 9.0f),
                                    RESIDUE_NODE(Shrink, 1.5f, 9.0f));
  CheckUniform<OperatorId::kRound>(Params::Of(RoundParams{RoundParams::kHalvesAwayFromZero}),
                                   RESIDUE_CALL(Round, Rounding::kHalvesAwayFromZero),
                                   RESIDUE_NODE(Round, Rounding::kHalvesAwayFromZero));
  CheckUniform<OperatorId::kIsInfinity>(Params::Of(InfinityParams{InfinityParams::kNegative}),
                                        RESIDUE_CALL(IsInfinity, Infinity::kNegative),
                                        RESIDUE_NODE(IsInfinity, Infinity::kNegative));
  const auto bits = [](float x) { return uint64_t{std::bit_cast<uint32_t>(x)}; };
  const Params bounds = Params::Of(BoundsParams{bits(10.0f), bits(50.0f)});
  CheckUniform<OperatorId::kClip>(bounds, RESIDUE_CALL(Clip, 10.0f, 50.0f), RESIDUE_NODE(Clip, 10.0f, 50.0f));
  CheckUniform<OperatorId::kClipGrad>(
      bounds,
      [](const auto& a, const auto& b, auto&&... out) {
        return ClipGrad(a, b, 10.0f, 50.0f, std::forward<decltype(out)>(out)...);
      },
      [](Graph& graph, const auto& a, const auto& b) { return graph.ClipGrad(a, b, 10.0f, 50.0f); });
}

TEST(CppFamilyTest, InputsOfDifferentTypes) {
  const std::vector<float> numbers = MakeElements<float>(-90, 7);
  const std::vector<float> others = MakeElements<float>(1, 3);
  const std::vector<uint8_t> bytes = MakeElements<uint8_t>(0, 11);
  std::vector<uint8_t> conditions = bytes;
  for (size_t i = 0; i < kCount; i += 3) conditions[i] = 0;
  const auto if_call = [](auto&&... x) { return If(std::forward<decltype(x)>(x)...); };
  const auto if_node = [](Graph& graph, const auto&... x) { return graph.If(x...); };
  Check<float>(OperatorId::kIf, {}, if_call, if_node, conditions, numbers, others);
  const auto quantize = [](auto&&... x) { return QuantizeLinear(std::forward<decltype(x)>(x)...); };
  const auto quantize_node = [](Graph& graph, const auto&... x) { return graph.QuantizeLinear(x...); };
  Check<uint8_t>(OperatorId::kQuantizeLinear, {}, quantize, quantize_node, numbers, others, bytes);
  const auto dequantize = [](auto&&... x) { return DequantizeLinear(std::forward<decltype(x)>(x)...); };
  const auto dequantize_node = [](Graph& graph, const auto&... x) { return graph.DequantizeLinear(x...); };
  Check<float>(OperatorId::kDequantizeLinear, {}, dequantize, dequantize_node, bytes, others, conditions);
}

TEST(CppFamilyTest, Cast) {
  const std::vector<float> numbers = MakeElements<float>(-90, 7);
  const auto node = [](Graph& graph, const auto& a) { return graph.Cast<int16_t>(a); };
  const auto call = [](const auto& a, auto&&... out) {
    if constexpr (sizeof...(out) == 0) {
      return residue::Cast<int16_t>(a);
    } else {
      return residue::Cast(a, out...);
    }
  };
  Check<int16_t>(OperatorId::kCast, {}, call, node, numbers);
}

TEST(CppFamilyTest, NumbersAmongOthers) {
  const std::vector<uint8_t> conditions = {0, 1, 7};
  EXPECT_EQ(If(conditions, 1.5f, std::vector<float>{10, 20, 30}), (std::vector<float>{10, 1.5f, 1.5f}));
  EXPECT_EQ(If(conditions, 2.0, 3.0), (std::vector<double>{3, 2, 2}));
  EXPECT_EQ(If(1, 2.5f, 3.5f), 2.5f);
  EXPECT_EQ(Cast<uint8_t>(300.7f), 255);
  EXPECT_EQ(QuantizeLinear(std::vector<float>{1.0f, 2.5f}, 0.5f, uint8_t{10}),
            (std::vector<uint8_t>{12, 15}));
  EXPECT_EQ(DequantizeLinear(std::vector<uint8_t>{12, 15}, 0.5f, uint8_t{10}),
            (std::vector<float>{1.0f, 2.5f}));
  Graph graph;
  const auto x = graph.Input<uint8_t>({3});
  graph.Output(graph.If(x, 1.0f, -1.0f));
  ASSERT_TRUE(graph.Compile());
  std::vector<float> signs(3);
  ASSERT_TRUE(graph.Run({conditions}, {signs}));
  EXPECT_EQ(signs, (std::vector<float>{-1, 1, 1}));
}

template <class Call>
std::string WhyRefused(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "not refused";
}

// A number is no value of the type, or a parameter none of the operator: never a result that looks right.
TEST(CppFamilyTest, NumbersThatAreRefused) {
  EXPECT_EQ(
      WhyRefused([] { return If(256, 1.0f, 2.0f); }),
      "residue: a.value: 256 was provided, but at most 255 was expected: the number is not a value of the "
      "element type: pass one that is");
  EXPECT_EQ(
      WhyRefused([] { return If(-1, 1.0f, 2.0f); }),
      "residue: a.value: -1 was provided, but at least 0 was expected: the number is not a value of the "
      "element type: pass one that is");
  EXPECT_NE(WhyRefused([] { return DequantizeLinear(uint8_t{5}, 2.0f, 300); }), "not refused");
  EXPECT_NE(WhyRefused([] { return ScaleBias(5, 2.0f, std::numeric_limits<float>::infinity()); }),
            "not refused");
  EXPECT_NE(WhyRefused([] { return Round(1.5f, static_cast<Rounding>(9)); }), "not refused");
  EXPECT_EQ(ScaleBias(5.0f, 2.0f, 1.0f), 11.0f);
  static_assert(
      !noexcept(v2::detail::Evaluate<RESIDUE_SCALE_BIAS>(static_cast<const void*>(nullptr), 0, 1.0f)));
}

}  // namespace
}  // namespace residue::testing
