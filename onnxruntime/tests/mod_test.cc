// Our Mod in place of the built-in one, and our own operators: values, shapes, graphs, threads, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

constexpr uint64_t kSeed = 20260901;

// Its library lies five folders below the description of its package.
TEST(ModTest, TheRuntimeIsTheRealOne) {
  const char* path = std::getenv("RESIDUE_ORT_RUNTIME");
  std::filesystem::path folder = path != nullptr ? path : RESIDUE_ORT_NEWEST;
  for (int i = 0; i < 5; ++i) folder = folder.parent_path();
  std::ifstream file(folder / "package.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find("\"version\": \"" + Runtime::At("").version() + "\""), std::string::npos)
      << Runtime::At("").version() << " is not that of " << folder;
}

// The 13 node tests of ONNX itself.
template <class T>
void CheckMixedSigns(int64_t fmod, const std::vector<T>& expected) {
  const std::vector<T> a = {T(-4), T(7), T(5), T(4), T(-7), T(8)};
  const std::vector<T> b = {T(2), T(-3), T(8), T(-2), T(3), T(5)};
  for (const int64_t opset : {10, 13, 17}) EXPECT_EQ(Mod(a, b, fmod, Use::kReplaced, opset), expected);
}

TEST(ModTest, OfficialMixedSignIntegers) {
  CheckMixedSigns<int64_t>(0, {0, -2, 5, 0, 2, 3});
  CheckMixedSigns<int32_t>(0, {0, -2, 5, 0, 2, 3});
  CheckMixedSigns<int16_t>(0, {0, -2, 5, 0, 2, 3});
  CheckMixedSigns<int8_t>(0, {0, -2, 5, 0, 2, 3});
  CheckMixedSigns<int64_t>(1, {0, 1, 5, 0, -1, 3});
}

template <class T>
void CheckUnsigned() {
  EXPECT_EQ((Mod<T>({4, 7, 5}, {2, 3, 8}, 0, Use::kReplaced)), (std::vector<T>{0, 1, 5}));
}
TEST(ModTest, OfficialUnsignedIntegers) {
  CheckUnsigned<uint8_t>();
  CheckUnsigned<uint16_t>();
  CheckUnsigned<uint32_t>();
  CheckUnsigned<uint64_t>();
}

template <class T>
void CheckMixedSignFloats() {
  const std::vector<T> a = {T(-4.3), T(7.2), T(5.0), T(4.3), T(-7.2), T(8.0)};
  const std::vector<T> b = {T(2.1), T(-3.4), T(8.0), T(-2.1), T(3.4), T(5.0)};
  std::vector<T> expected;
  for (size_t i = 0; i < a.size(); ++i) expected.push_back(std::fmod(a[i], b[i]));
  EXPECT_EQ(Mod(a, b, 1, Use::kReplaced), expected);
  EXPECT_EQ(Mod(a, b, 1, Use::kBuiltIn), expected);
}
TEST(ModTest, OfficialMixedSignFloats) {
  CheckMixedSignFloats<float>();
  CheckMixedSignFloats<double>();
  // The same in halves, as bits: -4.3, 7.2, 5, 4.3, -7.2, 8 and 2.1, -3.4, 8, -2.1, 3.4, 5.
  const std::vector<uint16_t> a = {0xC44D, 0x4733, 0x4500, 0x444D, 0xC733, 0x4800};
  const std::vector<uint16_t> b = {0x4033, 0xC2CD, 0x4800, 0xC033, 0x42CD, 0x4500};
  const auto run = [&](Use use) {
    const Session session(ModModel(ElementType::kFloat16, 1), {use, 1});
    return session
        .Run({Tensor::Of(ElementType::kFloat16, {6}, a), Tensor::Of(ElementType::kFloat16, {6}, b)})[0]
        .bytes;
  };
  EXPECT_EQ(run(Use::kReplaced), run(Use::kBuiltIn));
}

TEST(ModTest, OfficialBroadcast) {
  std::vector<int32_t> a(30);
  std::vector<int32_t> expected;
  for (int i = 0; i < 30; ++i) {
    a[static_cast<size_t>(i)] = i;
    expected.push_back(i % 7);
  }
  const Session session(ModModel(ElementType::kInt32, 0, 3, 1), {Use::kReplaced, 1});
  const Tensor y = session.Run({Tensor::Of(ElementType::kInt32, {3, 2, 5}, a),
                                Tensor::Of(ElementType::kInt32, {1}, std::vector<int32_t>{7})})[0];
  EXPECT_EQ(y.shape, (std::vector<int64_t>{3, 2, 5}));
  EXPECT_EQ(y.Values<int32_t>(), expected);
}

std::string RandomBytes(std::mt19937_64& random, size_t count) {
  std::string bytes(count, '\0');
  for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
    const uint64_t drawn = random();
    std::memcpy(bytes.data() + i, &drawn, std::min(count - i, sizeof(drawn)));
  }
  return bytes;
}

TEST(ModTest, TheSameBitsAsLibresidue) {
  constexpr size_t kCount = 1'000'000;
  std::mt19937_64 random(kSeed);
  for (const TypeCase& type : kTypeCases) {
    const size_t bytes = kCount * SizeOf(type.onnx);
    const Tensor a = {type.onnx, {kCount}, RandomBytes(random, bytes)};
    const Tensor b = {type.onnx, {kCount}, RandomBytes(random, bytes)};
    for (const int64_t fmod : {0, 1}) {
      std::string expected(bytes, '\0');
      ASSERT_EQ(residue_run_packed(fmod == 0 ? RESIDUE_MODULUS_FLOOR : RESIDUE_MODULUS_TRUNCATE, type.type,
                                   a.bytes.data(), b.bytes.data(), expected.data(), kCount),
                RESIDUE_OK);
      for (const int threads : {1, 2}) {
        const Session session(ModModel(type.onnx, fmod), {Use::kReplaced, threads});
        EXPECT_EQ(session.Run({a, b})[0].bytes, expected)
            << type.name << " fmod " << fmod << " threads " << threads;
      }
    }
  }
}

double ToDouble(uint16_t bfloat16) {
  const uint32_t bits = static_cast<uint32_t>(bfloat16) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The bfloat16 nearest to value + rest, where rest is below half a unit of value in the last place; ties to
// even. One rounding of the exact sum, by comparing it with what lies half-way between two neighbours.
uint16_t ToBfloat16(double value, double rest) {
  if (std::isnan(value)) return 0x7FC0;
  const double magnitude = std::abs(value);
  const double rest_of_magnitude = std::signbit(value) ? -rest : rest;
  uint16_t below = 0;
  for (int bit = 14; bit >= 0; --bit) {
    const auto candidate = static_cast<uint16_t>(below | 1u << bit);
    if (candidate <= 0x7F80 && ToDouble(candidate) <= magnitude) below = candidate;
  }
  uint16_t nearest = below;
  if (below < 0x7F7F) {
    const double half_way = (ToDouble(below) + ToDouble(static_cast<uint16_t>(below + 1))) / 2;
    const bool is_tie = magnitude == half_way && rest_of_magnitude == 0;
    const bool is_above = magnitude > half_way || (magnitude == half_way && rest_of_magnitude > 0);
    if (is_above || (is_tie && below % 2 == 1)) ++nearest;
  }
  return static_cast<uint16_t>(nearest | (std::signbit(value) ? 0x8000 : 0));
}

// Python's or C's remainder of two bfloat16 numbers, rounded once.
uint16_t Bfloat16Remainder(uint16_t a, uint16_t b, int64_t fmod) {
  const double divisor = ToDouble(b);
  const double remainder = std::fmod(ToDouble(a), divisor);
  if (fmod == 1 || std::isnan(remainder)) return ToBfloat16(remainder, 0);
  if (remainder == 0) return ToBfloat16(std::copysign(0.0, divisor), 0);
  if ((remainder < 0) == (divisor < 0)) return ToBfloat16(remainder, 0);
  if (std::isinf(divisor)) return ToBfloat16(divisor, 0);
  // |divisor| is the larger, so this is the sum's error, exactly.
  const double sum = divisor + remainder;
  return ToBfloat16(sum, remainder - (sum - divisor));
}

TEST(ModTest, Bfloat16IsExact) {
  constexpr size_t kCount = 1'000'000;
  std::mt19937_64 random(kSeed + 1);
  std::vector<uint16_t> a(kCount);
  std::vector<uint16_t> b(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    a[i] = static_cast<uint16_t>(random());
    b[i] = static_cast<uint16_t>(random());
  }
  for (const int64_t fmod : {0, 1}) {
    const Session session(ModModel(ElementType::kBfloat16, fmod), {Use::kReplaced, 1});
    const Tensor y = session.Run({Tensor::Of(ElementType::kBfloat16, {kCount}, a),
                                  Tensor::Of(ElementType::kBfloat16, {kCount}, b)})[0];
    const std::vector<uint16_t> got = y.Values<uint16_t>();
    for (size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(got[i], Bfloat16Remainder(a[i], b[i], fmod))
          << std::hex << a[i] << " mod " << b[i] << " fmod " << fmod;
    }
  }
}

}  // namespace
}  // namespace residue::ort::testing
