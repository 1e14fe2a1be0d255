// The options of the execution provider, and the runtimes that cannot have it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "provider_fixture.h"

namespace residue::ort::testing {
namespace {

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
  const std::string very_long(100, 'x');
  const std::pair<const char*, const char*> wrong[] = {{"claim", "some"},
                                                       {"threads", "many"},
                                                       {"threads", "5000"},
                                                       {"trace", "yes"},
                                                       {"claim", very_long.c_str()}};
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

// One line for each node, where ONNX Runtime prints its warnings.
TEST_F(ProviderTest, TheTraceTellsOfEveryNode) {
  Model model;
  model.opset = 13;
  model.inputs = {{"x", ElementType::kFloat, Dimensions{"n"}}};
  model.nodes = {{.op = "Exp", .inputs = {"x"}, .outputs = {"a"}, .domain = "", .attributes = {}},
                 {.op = "Softmax", .inputs = {"a"}, .outputs = {"b"}, .domain = "", .attributes = {}},
                 {.op = "Neg", .inputs = {"b"}, .outputs = {"y"}, .domain = "", .attributes = {}}};
  model.outputs = {{"y", ElementType::kFloat, Dimensions{"n"}}};
  const auto printed = [&](const char* trace) {
    Session::Settings settings = Provided(false);
    settings.provider_options = {{"trace", trace}};
    settings.log_severity = 2;
    ::testing::internal::CaptureStderr();
    const Session session(model, settings);
    return ::testing::internal::GetCapturedStderr();
  };
  const std::string lines = printed("1");
  for (const char* line :
       {"residue: Exp \"\" is claimed, in part 0", "residue: Neg \"\" is claimed, in part 1",
        "residue: Softmax \"\" is not claimed: is not in the list"}) {
    EXPECT_NE(lines.find(line), std::string::npos) << lines;
  }
  EXPECT_EQ(printed("0").find("residue:"), std::string::npos);
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
