// Every call of ours into ONNX Runtime fails, one after the other: the user is told, or gets the right result
// all the same, and nothing is leaked.
#include <gtest/gtest.h>

#include "failing_table.h"
#include "mod_model.h"

namespace residue::ort::testing {
namespace {

constexpr int kMostCalls = 1000;

struct Outcome {
  int refusals = 0;
  int results = 0;
};

// Makes a session and runs it, again and again, until there is no further call that could fail.
Outcome FailEachCall(const Model& model, const std::vector<Tensor>& inputs, const Tensor& expected) {
  Session::Settings settings;
  settings.threads = 2;
  settings.base = FailingBase();
  Outcome outcome;
  for (int call = 1;; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    EXPECT_LT(call, kMostCalls) << "it fails even where nothing does";
    if (call == kMostCalls) break;
    FailCall(call);
    try {
      const std::vector<Tensor> results = Session(model, settings).Run(inputs);
      EXPECT_EQ(results[0].shape, expected.shape);
      EXPECT_EQ(results[0].bytes, expected.bytes);
      if (!HasFailed()) break;
      ++outcome.results;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(kInjectedFailure), std::string::npos) << error.what();
      ++outcome.refusals;
    }
  }
  FailCall(0);
  return outcome;
}

// Twice, because the first time makes what the second time finds.
TEST(FailureTest, OfEachCall) {
  const std::vector<int32_t> a(1 << 20, -7);
  const Tensor x = Tensor::Of(ElementType::kInt32, {1 << 20}, a);
  const Tensor y = Tensor::Of(ElementType::kInt32, {1}, std::vector<int32_t>{4});
  const Tensor expected = Tensor::Of(ElementType::kInt32, {1 << 20}, std::vector<int32_t>(a.size(), 1));
  const Outcome first = FailEachCall(ModModel(ElementType::kInt32, 0), {x, y}, expected);
  const Outcome second = FailEachCall(ModModel(ElementType::kInt32, 0), {x, y}, expected);
  EXPECT_GE(first.refusals, 15) << "making the operators";
  EXPECT_GE(second.refusals, 16) << "registering, making the kernel, and what it asks for";
  EXPECT_GE(second.results, 14) << "inferring the shape, and the pool";
}

TEST(FailureTest, OfEachCallForBfloat16) {
  const Tensor x = Tensor::Of(ElementType::kBfloat16, {2}, std::vector<uint16_t>{0x40B0, 0xC0B0});
  const Tensor y = Tensor::Of(ElementType::kBfloat16, {1}, std::vector<uint16_t>{0x4000});
  const Tensor expected = Tensor::Of(ElementType::kBfloat16, {2}, std::vector<uint16_t>{0x3FC0, 0x3F00});
  const Outcome outcome = FailEachCall(ModModel(ElementType::kBfloat16, 0), {x, y}, expected);
  EXPECT_GE(outcome.refusals, 16);
}

}  // namespace
}  // namespace residue::ort::testing
