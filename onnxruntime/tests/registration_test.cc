// How the library gets into a session, and what happens when it comes twice, or goes.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

constexpr int64_t kAboveDouble = (int64_t{1} << 53) + 1;

int64_t Remainder(Use use) { return Mod<int64_t>({kAboveDouble}, {10}, 1, use)[0]; }

TEST(RegistrationTest, TheEnvironmentVariableReplacesMod) {
  ASSERT_EQ(setenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD", "1", 1), 0);
  EXPECT_EQ(Remainder(Use::kLibrary), 3);
  ASSERT_EQ(setenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD", "0", 1), 0);
  EXPECT_EQ(Remainder(Use::kLibrary), 2) << "0 is no";
  ASSERT_EQ(unsetenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD"), 0);
  EXPECT_EQ(Remainder(Use::kLibrary), 2);
}

TEST(RegistrationTest, ClosingTheLibraryLeavesSessionsAlone) {
  const Session before(ModModel(ElementType::kInt64, 1), {Use::kReplaced, 1});
  for (int i = 0; i < 10; ++i) {
    void* library = dlopen(RESIDUE_ORT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr);
    ASSERT_EQ(dlclose(library), 0);
  }
  const Tensor a = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{kAboveDouble});
  const Tensor b = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{10});
  EXPECT_EQ(before.Run({a, b})[0].Values<int64_t>()[0], 3);
  EXPECT_EQ(Remainder(Use::kReplaced), 3);
}

TEST(RegistrationTest, ManySessionsOneAfterTheOther) {
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(Remainder(i % 2 == 0 ? Use::kReplaced : Use::kBuiltIn), i % 2 == 0 ? 3 : 2);
}

TEST(RegistrationTest, AnOldRuntimeIsRefused) {
  try {
    const Session session(ModModel(ElementType::kInt64, 1), {Use::kLibrary, 1, RESIDUE_ORT_TOO_OLD});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "residue needs ONNX Runtime 1.17 or newer, and this is 1.16.3");
  }
}

TEST(RegistrationTest, TwoRuntimesInOneProcess) {
  const Tensor a = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{kAboveDouble});
  const Tensor b = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{10});
  const Session newest(ModModel(ElementType::kInt64, 1), {Use::kReplaced, 2, RESIDUE_ORT_NEWEST});
  const Session oldest(ModModel(ElementType::kInt64, 1), {Use::kReplaced, 2, RESIDUE_ORT_OLDEST});
  for (const Session* session : {&newest, &oldest, &newest})
    EXPECT_EQ(session->Run({a, b})[0].Values<int64_t>()[0], 3);
}

TEST(RegistrationTest, TheSameOptionsTwice) {
  const Tensor a = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{kAboveDouble});
  const Tensor b = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{10});
  const auto remainder = [&](Use use) {
    return Session(ModModel(ElementType::kInt64, 1), {use, 1, "", 2}).Run({a, b})[0].Values<int64_t>()[0];
  };
  EXPECT_EQ(remainder(Use::kLibrary), 2);
  EXPECT_EQ(remainder(Use::kReplaced), 3);
  ASSERT_EQ(setenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD", "1", 1), 0);
  EXPECT_EQ(remainder(Use::kReplaced), 3) << "the variable and the entry point";
  ASSERT_EQ(unsetenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD"), 0);
}

TEST(RegistrationTest, NoOptionsAreRefused) {
  const Runtime& runtime = Runtime::At("");
  for (const char* name : {"RegisterCustomOps", "RegisterResidueMod"})
    EXPECT_THROW(runtime.Check(FindEntryPoint(name)(nullptr, runtime.base())), Error);
}

}  // namespace
}  // namespace residue::ort::testing
