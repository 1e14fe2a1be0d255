// What the built-in Mod does wrong, shown on it, and done right by ours in an unmodified model. What kills a
// process is tried in a process of its own.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <csignal>
#include <limits>

#include "mod_model.h"

// Under AddressSanitizer a process that ONNX Runtime kills should die of what it did.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "handle_sigfpe=0";
}

namespace residue::ort::testing {
namespace {

class DefectsDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

template <class T>
void RunMinByMinusOne(Use use) {
  const T result = Mod<T>({std::numeric_limits<T>::min()}, {T{-1}}, 0, use)[0];
  std::exit(result == 0 ? 0 : 1);
}

TEST_F(DefectsDeathTest, BuiltInDiesOfMinByMinusOne) {
  EXPECT_EXIT(RunMinByMinusOne<int32_t>(Use::kBuiltIn), ::testing::KilledBySignal(SIGFPE), "");
  EXPECT_EXIT(RunMinByMinusOne<int64_t>(Use::kBuiltIn), ::testing::KilledBySignal(SIGFPE), "");
}

TEST_F(DefectsDeathTest, BuiltInDiesWhileLoadingConstants) {
  EXPECT_EXIT(Session(ConstantModel<int32_t>(INT32_MIN, -1), {Use::kBuiltIn, 1}),
              ::testing::KilledBySignal(SIGFPE), "");
}

TEST(DefectsTest, MinByMinusOneIsZero) {
  EXPECT_EQ((Mod<int8_t>({INT8_MIN}, {-1}, 0, Use::kReplaced)), std::vector<int8_t>{0});
  EXPECT_EQ((Mod<int16_t>({INT16_MIN}, {-1}, 0, Use::kReplaced)), std::vector<int16_t>{0});
  EXPECT_EQ((Mod<int32_t>({INT32_MIN}, {-1}, 0, Use::kReplaced)), std::vector<int32_t>{0});
  EXPECT_EQ((Mod<int64_t>({INT64_MIN}, {-1}, 1, Use::kReplaced)), std::vector<int64_t>{0});
  const Session session(ConstantModel<int32_t>(INT32_MIN, -1), {Use::kReplaced, 1});
  EXPECT_EQ(session.Run({})[0].Values<int32_t>(), std::vector<int32_t>{0});
}

TEST(DefectsTest, LargeIntegersAreNotRounded) {
  const std::vector<int64_t> a = {(int64_t{1} << 53) + 1, INT64_MAX};
  const std::vector<int64_t> b = {10, 1000};
  EXPECT_EQ(Mod(a, b, 1, Use::kBuiltIn), (std::vector<int64_t>{2, 808}));
  EXPECT_EQ(Mod(a, b, 1, Use::kReplaced), (std::vector<int64_t>{3, 807}));
  EXPECT_EQ((Mod<uint64_t>({UINT64_MAX}, {1000}, 1, Use::kBuiltIn)), std::vector<uint64_t>{616});
  EXPECT_EQ((Mod<uint64_t>({UINT64_MAX}, {1000}, 1, Use::kReplaced)), std::vector<uint64_t>{615});
}

TEST(DefectsTest, FloatsRoundDownAsPythonDoes) {
  EXPECT_THROW((Mod<float>({-7.5f}, {2.0f}, 0, Use::kBuiltIn)), Error);
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> a = {-7.5f, 7.5f, -1.0f, 1.0f, 4.0f, -4.0f, -0.0f};
  const std::vector<float> b = {2.0f, -2.0f, infinity, infinity, -2.0f, 2.0f, 3.0f};
  const std::vector<float> y = Mod(a, b, 0, Use::kReplaced);
  EXPECT_EQ(y, (std::vector<float>{0.5f, -0.5f, infinity, 1.0f, -0.0f, 0.0f, 0.0f}));
  EXPECT_TRUE(std::signbit(y[4]));
  EXPECT_FALSE(std::signbit(y[5]));
  EXPECT_FALSE(std::signbit(y[6]));
  EXPECT_TRUE(std::isnan(Mod<float>({infinity}, {2.0f}, 0, Use::kReplaced)[0]));
  EXPECT_TRUE(std::isnan(Mod<float>({1.0f}, {0.0f}, 0, Use::kReplaced)[0]));
}

// Older ones died of these as well; since then it gives no result.
void RunByZero() {
  try {
    (void)Mod<int32_t>({5}, {0}, 0, Use::kBuiltIn);
  } catch (const Error&) {
    std::exit(0);
  }
  std::exit(1);
}
bool DiedOrRefused(int status) {
  return ::testing::KilledBySignal(SIGFPE)(status) || ::testing::ExitedWithCode(0)(status);
}
TEST_F(DefectsDeathTest, BuiltInHasNoRemainderByZero) { EXPECT_EXIT(RunByZero(), DiedOrRefused, ""); }

TEST(DefectsTest, IntegerZeroDivisorsGiveZero) {
  EXPECT_EQ((Mod<int32_t>({5, -5}, {0, 3}, 0, Use::kReplaced)), (std::vector<int32_t>{0, 1}));
  EXPECT_EQ((Mod<uint8_t>({5}, {0}, 1, Use::kReplaced)), std::vector<uint8_t>{0});
}

}  // namespace
}  // namespace residue::ort::testing
