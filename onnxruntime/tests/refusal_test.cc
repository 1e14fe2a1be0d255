// What is refused: models and inputs that make no sense, each with words that say why.
#include <gtest/gtest.h>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

std::string Refusal(const Model& model, const std::vector<Tensor>& inputs) {
  const WithoutLeakChecks unchecked(Runtime::At("").leaks_kernel_errors());
  try {
    const Session session(model, {Use::kReplaced, 1});
    (void)session.Run(inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(RefusalTest, NamesBothSidesAndTheFix) {
  const auto ones = [](std::vector<int64_t> shape, size_t count) {
    return Tensor::Of(ElementType::kInt32, std::move(shape), std::vector<int32_t>(count, 1));
  };
  EXPECT_NE(Refusal(ModModel(ElementType::kInt32, 0, 2, 1), {ones({2, 3}, 6), ones({4}, 4)})
                .find("shapes [2,3] and [4] do not broadcast: sizes must be equal or 1"),
            std::string::npos);
  EXPECT_NE(Refusal(ModModel(ElementType::kInt32, 2), {ones({1}, 1), ones({1}, 1)})
                .find("fmod is 2, but must be 0 or 1"),
            std::string::npos);
}

TEST(RefusalTest, AttributesOfAnotherType) {
  for (const AttributeValue& fmod : {AttributeValue{1.0f}, AttributeValue{std::string("1")}}) {
    Model model = ModModel(ElementType::kInt32, 0);
    model.nodes[0].attributes = {{"fmod", fmod}};
    const Tensor one = Tensor::Of(ElementType::kInt32, {1}, std::vector<int32_t>{1});
    EXPECT_NE(Refusal(model, {one, one}), "");
  }
}

TEST(RefusalTest, WhatIsNotTwoTensorsOfOneNumberType) {
  const auto refused = [](ElementType a, ElementType b, std::vector<std::string> inputs) {
    Model model = ModModel(a, 0);
    model.inputs[1].type = b;
    model.nodes[0].inputs = std::move(inputs);
    try {
      const Session session(model, {Use::kReplaced, 1});
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  constexpr ElementType kString{8};
  constexpr ElementType kBool{9};
  EXPECT_FALSE(refused(ElementType::kInt32, ElementType::kInt32, {"a", "b"}));
  EXPECT_TRUE(refused(ElementType::kInt32, ElementType::kInt64, {"a", "b"}));
  EXPECT_TRUE(refused(kString, kString, {"a", "b"}));
  EXPECT_TRUE(refused(kBool, kBool, {"a", "b"}));
  EXPECT_TRUE(refused(ElementType::kInt32, ElementType::kInt32, {"a"}));
  EXPECT_TRUE(refused(ElementType::kInt32, ElementType::kInt32, {"a", ""}));
  EXPECT_TRUE(refused(ElementType::kInt32, ElementType::kInt32, {"a", "b", "b"}));
}

// Shapes that cannot be are found when they are inferred; ONNX Runtime drops that, so running says it.
TEST(RefusalTest, ShapesThatAreKnownNotToBroadcast) {
  Model model = ModModel(ElementType::kInt32, 0);
  model.inputs[0].dimensions = Dimensions{"2"};
  model.inputs[1].dimensions = Dimensions{"3"};
  EXPECT_NE(Refusal(model, {Tensor::Of(ElementType::kInt32, {2}, std::vector<int32_t>{1, 2}),
                            Tensor::Of(ElementType::kInt32, {3}, std::vector<int32_t>{1, 2, 3})})
                .find("shapes [2] and [3] do not broadcast"),
            std::string::npos);
}

}  // namespace
}  // namespace residue::ort::testing
