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

}  // namespace
}  // namespace residue::ort::testing
