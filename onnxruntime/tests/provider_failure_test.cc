// Every call of the provider into ONNX Runtime fails, one after the other: the user is told, or gets the
// right result all the same, and nothing is leaked.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "failing_table.h"
#include "provider_fixture.h"

namespace residue::ort::testing {
namespace {

constexpr int kMostCalls = 1000;

// Attributes of all kinds, an initializer, a constant Mod, two outputs, and a node that is not claimed.
Model EveryKindOfNode() {
  Model model;
  model.opset = 20;
  model.inputs = {{"x", ElementType::kFloat, std::nullopt}, {"i", ElementType::kInt32, std::nullopt}};
  const float two = 2;
  model.initializers = {
      {"two", ElementType::kFloat, {}, std::string(reinterpret_cast<const char*>(&two), 4)}};
  model.nodes = {
      {.op = "LeakyRelu", .inputs = {"x"}, .outputs = {"a"}, .domain = "", .attributes = {{"alpha", 0.5f}}},
      {.op = "Gelu",
       .inputs = {"a"},
       .outputs = {"b"},
       .domain = "",
       .attributes = {{"approximate", "none"}}},
      {.op = "Softmax", .inputs = {"b"}, .outputs = {"c"}, .domain = "", .attributes = {}},
      {.op = "Mul", .inputs = {"c", "two"}, .outputs = {"y"}, .domain = "", .attributes = {}},
      {.op = "Mod",
       .inputs = {"i", "i"},
       .outputs = {"z"},
       .domain = "",
       .attributes = {{"fmod", int64_t{1}}}}};
  for (const char* name : {"b", "y"}) model.outputs.push_back({name, ElementType::kFloat, std::nullopt});
  model.outputs.push_back({"z", ElementType::kInt32, std::nullopt});
  return model;
}

TEST_F(ProviderTest, EachCallMayFail) {
  const int64_t count = 1 << 18;  // enough for threads
  const std::vector<Tensor> inputs = {
      Tensor::Of(ElementType::kFloat, {count}, std::vector<float>(count, -1.5f)),
      Tensor::Of(ElementType::kInt32, {count}, std::vector<int32_t>(count, 7))};
  Session::Settings settings = Provided(false);
  settings.threads = 2;
  settings.provider_options = {{"trace", "1"}};
  const Model model = EveryKindOfNode();
  const std::vector<Tensor> expected = Session(model, settings).Run(inputs);
  void* library = dlopen(RESIDUE_ORT_FAILING_PROVIDER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  reinterpret_cast<void (*)(const ApiBase*)>(dlsym(library, "UseBase"))(FailingBase());
  int refusals = 0;
  int results = 0;
  for (int call = 1; call < kMostCalls; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    FailCall(call);
    try {
      UseProviderLibrary(RESIDUE_ORT_FAILING_PROVIDER);
      const std::vector<Tensor> got = Session(model, settings).Run(inputs);
      for (size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i].bytes == expected[i].bytes) << "output " << i;
      if (!HasFailed()) break;
      ++results;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(kInjectedFailure), std::string::npos) << error.what();
      ++refusals;
    }
  }
  EXPECT_FALSE(HasFailed()) << "it fails even where nothing does";
  FailCall(0);
  UseProviderLibrary(RESIDUE_ORT_LIBRARY);
  EXPECT_GE(refusals, 30) << "the factory, its options, what compiles and what runs";
  EXPECT_GE(results, 30) << "what is not claimed is the built-in provider's; attributes, the trace, the pool";
}

}  // namespace
}  // namespace residue::ort::testing
