// The options of the execution provider, and the runtimes that cannot have it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "provider_fixture.h"
#include "sketch.h"

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
  EXPECT_TRUE(is_claimed("Add", "all") && is_claimed("Mod", "all") && is_claimed("Mod", "mod") &&
              is_claimed("Mod", "gain"));
  EXPECT_FALSE(is_claimed("Add", "gain") || is_claimed("Add", "mod") || is_claimed("Add", "none") ||
               is_claimed("Mod", "none"));
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

// Where ONNX Runtime prints its warnings.
TEST_F(ProviderTest, TheTraceIsASummaryAndThenTheNodes) {
  const Model model =
      Sketch("a = Exp(x); b = Softmax(a); y = Neg(b)", {{"x", ElementType::kFloat, Dimensions{"n"}}}, {}, 13);
  const auto printed = [&](const char* claim, const char* trace) {
    Session::Settings settings = Provided(false);
    settings.provider_options = {{"claim", claim}, {"trace", trace}};
    settings.log_severity = 2;
    ::testing::internal::CaptureStderr();
    { const Session session(model, settings); }
    return ::testing::internal::GetCapturedStderr();
  };
  const auto expect_lines = [](const std::string& lines, const std::vector<const char*>& expected) {
    for (const char* line : expected) EXPECT_NE(lines.find(line), std::string::npos) << lines;
    size_t ours = 0;
    for (size_t at = lines.find("residue: "); at != std::string::npos; at = lines.find("residue: ", at + 1))
      ++ours;
    EXPECT_EQ(ours, expected.size()) << lines;
  };
  const char* summary = "residue: claims 2 of 3 nodes, in 2 parts; not claimed: 1 (is not in the list)";
  expect_lines(printed("all", "0"), {});
  expect_lines(printed("all", "1"), {summary});
  expect_lines(printed("all", "2"),
               {summary, "residue: Exp \"\" is claimed, in part 0", "residue: Neg \"\" is claimed, in part 1",
                "residue: Softmax \"\" is not claimed: is not in the list"});
  expect_lines(printed("gain", "1"),
               {"residue: claims 0 of 3 nodes, in 0 parts; not claimed: 2 (gains too little), 1 "
                "(is not in the list)"});
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
