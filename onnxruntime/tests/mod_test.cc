// Our Mod in place of the built-in one, and our own operators: values, shapes, graphs, threads, refusals.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

constexpr uint64_t kSeed = 20260901;

TEST(ModTest, TheRuntimeIsTheRealOne) { EXPECT_EQ(RuntimeVersion().substr(0, 5), "1.30."); }

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
  for (char& byte : bytes) byte = static_cast<char>(random());
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

// To the nearest bfloat16 of an exact or once rounded double, ties to even.
uint16_t ToBfloat16(double value) {
  if (std::isnan(value)) return 0x7FC0;
  const auto narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
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
      const double x = ToDouble(a[i]);
      const double z = ToDouble(b[i]);
      double r = std::fmod(x, z);
      if (fmod == 0 && !std::isnan(r)) {
        if (r != 0 && (r < 0) != (z < 0)) r += z;
        if (r == 0) r = std::copysign(0.0, z);
      }
      ASSERT_EQ(got[i], ToBfloat16(r)) << std::hex << a[i] << " mod " << b[i] << " fmod " << fmod;
    }
  }
}

// Shapes of up to ten dimensions against the definition, one element after the other.
TEST(ModTest, Broadcasting) {
  std::mt19937_64 random(kSeed + 2);
  const auto below = [&](uint64_t n) { return static_cast<size_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    const size_t rank = 1 + below(10);
    std::vector<int64_t> shape(rank);
    for (int64_t& size : shape) size = static_cast<int64_t>(1 + below(rank > 6 ? 2 : 4));
    if (round % 20 == 0) shape[below(rank)] = 0;
    const auto part_of = [&] {
      std::vector<int64_t> part(shape.begin() + static_cast<ptrdiff_t>(below(2) == 0 ? below(rank + 1) : 0),
                                shape.end());
      for (int64_t& size : part) {
        if (below(3) == 0) size = 1;
      }
      return part;
    };
    const std::vector<int64_t> shapes[2] = {part_of(), part_of()};
    std::vector<int32_t> values[2];
    for (int i = 0; i < 2; ++i) {
      int64_t count = 1;
      for (const int64_t size : shapes[i]) count *= size;
      for (int64_t k = 0; k < count; ++k) values[i].push_back(static_cast<int32_t>(below(2000)) - 1000);
    }
    const Session session(ModModel(ElementType::kInt32, 0, shapes[0].size(), shapes[1].size()),
                          {Use::kReplaced, 1});
    const Tensor y = session.Run({Tensor::Of(ElementType::kInt32, shapes[0], values[0]),
                                  Tensor::Of(ElementType::kInt32, shapes[1], values[1])})[0];
    const std::vector<int32_t> got = y.Values<int32_t>();
    for (size_t i = 0; i < got.size(); ++i) {
      int32_t operands[2];
      for (int k = 0; k < 2; ++k) {
        size_t rest = i;
        size_t index = 0;
        size_t step = 1;
        for (size_t d = 0; d < y.shape.size(); ++d) {
          const auto size = static_cast<size_t>(y.shape[y.shape.size() - 1 - d]);
          const size_t at = rest % size;
          rest /= size;
          if (d >= shapes[k].size()) continue;
          const auto own = static_cast<size_t>(shapes[k][shapes[k].size() - 1 - d]);
          index += own == 1 ? 0 : at * step;
          step *= own;
        }
        operands[k] = values[k][index];
      }
      int32_t expected = operands[1] == 0 ? 0 : operands[0] % operands[1];
      if (expected != 0 && (expected < 0) != (operands[1] < 0)) expected += operands[1];
      ASSERT_EQ(got[i], expected) << "round " << round << " element " << i;
    }
  }
}

TEST(ModTest, ScalarsAndNothing) {
  const Session scalars(ModModel(ElementType::kInt64, 0, 0, 0), {Use::kReplaced, 1});
  const Tensor y = scalars.Run({Tensor::Of(ElementType::kInt64, {}, std::vector<int64_t>{-7}),
                                Tensor::Of(ElementType::kInt64, {}, std::vector<int64_t>{3})})[0];
  EXPECT_TRUE(y.shape.empty());
  EXPECT_EQ(y.Values<int64_t>(), std::vector<int64_t>{2});
  const Session vectors(ModModel(ElementType::kFloat, 1), {Use::kReplaced, 1});
  const Tensor empty = {ElementType::kFloat, {0}, ""};
  EXPECT_EQ(vectors.Run({empty, empty})[0].shape, std::vector<int64_t>{0});
}

// Our own operators, in a graph with those of others, and more than one of ours.
TEST(ModTest, MixedGraphs) {
  Model model;
  model.nodes = {
      {"Add", {"a", "b"}, {"sum"}, "", {}},
      {"ModulusFloor", {"sum", "b"}, {"floor"}, "residue", {}},
      {"ModulusTruncate", {"sum", "b"}, {"truncate"}, "residue", {}},
      {"Mul", {"floor", "truncate"}, {"product"}, "", {}},
      {"Mod", {"product", "b"}, {"y"}, "", {{"fmod", 1}}},
  };
  model.inputs = {{"a", ElementType::kInt64, {"n"}}, {"b", ElementType::kInt64, {"1"}}};
  model.outputs = {{"y", ElementType::kInt64, {"n"}}, {"floor", ElementType::kInt64, {"n"}}};
  for (const Use use : {Use::kLibrary, Use::kReplaced}) {
    const Session session(model, {use, 1});
    const std::vector<Tensor> results =
        session.Run({Tensor::Of(ElementType::kInt64, {4}, std::vector<int64_t>{-20, -1, 5, 100}),
                     Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{7})});
    // Sums -13, 6, 12, 107: floored 1, 6, 5, 2; truncated -6, 6, 5, 2; products -6, 36, 25, 4.
    EXPECT_EQ(results[1].Values<int64_t>(), (std::vector<int64_t>{1, 6, 5, 2}));
    EXPECT_EQ(results[0].Values<int64_t>(), (std::vector<int64_t>{-6, 1, 4, 4}));
  }
}

TEST(ModTest, ManyRunsAndSessionsAtOnce) {
  const Session shared(ModModel(ElementType::kFloat, 0), {Use::kReplaced, 2});
  std::vector<float> a(300'000);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i) - 150'000.0f;
  const Tensor left = Tensor::Of(ElementType::kFloat, {static_cast<int64_t>(a.size())}, a);
  const Tensor right = Tensor::Of(ElementType::kFloat, {1}, std::vector<float>{7.25f});
  const std::string expected = shared.Run({left, right})[0].bytes;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        if (t % 2 == 0) {
          wrong += shared.Run({left, right})[0].bytes != expected;
        } else {
          const Session own(ModModel(ElementType::kFloat, 0), {Use::kReplaced, 1});
          wrong += own.Run({left, right})[0].bytes != expected;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ModTest, SessionsWithoutUsAreLeftAlone) {
  const Session replaced(ModModel(ElementType::kInt64, 1), {Use::kReplaced, 1});
  EXPECT_EQ((Mod<int64_t>({(int64_t{1} << 53) + 1}, {10}, 1, Use::kBuiltIn)), std::vector<int64_t>{2});
  EXPECT_EQ((Mod<int64_t>({(int64_t{1} << 53) + 1}, {10}, 1, Use::kLibrary)), std::vector<int64_t>{2});
}

std::string Refusal(const Model& model, const std::vector<Tensor>& inputs) {
  try {
    const Session session(model, {Use::kReplaced, 1});
    (void)session.Run(inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ModTest, RefusalsNameBothSidesAndTheFix) {
  const auto ones = [](std::vector<int64_t> shape, size_t count) {
    return Tensor::Of(ElementType::kInt32, std::move(shape), std::vector<int32_t>(count, 1));
  };
  EXPECT_NE(Refusal(ModModel(ElementType::kInt32, 0, 2, 1), {ones({2, 3}, 6), ones({4}, 4)})
                .find("A has shape [2,3] and B [4], which do not broadcast: sizes must be equal or 1"),
            std::string::npos);
  EXPECT_NE(Refusal(ModModel(ElementType::kInt32, 2), {ones({1}, 1), ones({1}, 1)})
                .find("fmod is 2, but must be 0 or 1"),
            std::string::npos);
}

TEST(ModTest, AnOldRuntimeIsRefused) {
  EXPECT_EQ(RegisterWithOldRuntime(), "residue needs ONNX Runtime 1.17 or newer, and this is 1.0.0");
}

}  // namespace
}  // namespace residue::ort::testing
