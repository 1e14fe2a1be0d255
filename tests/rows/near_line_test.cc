// Curves that lie next to a line, and powers that are operations: numbers whose results are ties of the line,
// among zeros, infinities and ordinary numbers of the same vector, on every target, against the reference.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/row_run.h"
#include "support/tier.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Numbers {
 public:
  explicit Numbers(uint64_t seed) : random_(seed) {}

  std::vector<float> Make(size_t count) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = random_.OneIn(2) ? -Magnitude() : Magnitude();
    return numbers;
  }

 private:
  float Magnitude() {
    constexpr float kSpecial[] = {0, kInfinity, std::numeric_limits<float>::quiet_NaN(), 1, 2, 0.5f};
    const auto odd = [&](uint64_t most) { return static_cast<float>(2 * random_.Below(most) + 1); };
    switch (random_.Below(8)) {
      case 0:
        return kSpecial[random_.Below(std::size(kSpecial))];
      case 1:
        return static_cast<float>(random_.Below(4096)) / 64;
      case 2:
        return odd(2000) * 0x1p-25f;
      case 3:
        return odd(5000) + 4096;
      case 4:
        return odd(1 << 12) * static_cast<float>(std::ldexp(1.0, -static_cast<int>(random_.Below(40))));
      case 5:
        return 30 + static_cast<float>(random_.Below(6000)) * 0.01f;
      default:  // up to four times the smallest normal number
        return std::bit_cast<float>(static_cast<uint32_t>(random_.Below(uint64_t{1} << 25)));
    }
  }

  Random random_;
};

std::vector<Params> SomeParams(OperatorId op) {
  std::vector<Params> params = {DefaultParams(op)};
  if (ParamsBytes(op) == 0) return params;
  for (const float x : {0.5f, 1.5f, 0.3f, -0.75f, 3.0f}) {
    for (const float y : {1.0f, 0.5f, -1.25f}) {
      const float both[] = {x, y};
      Params one = DefaultParams(op);
      std::memcpy(one.bytes, both, ParamsBytes(op));
      params.push_back(one);
      if (ParamsBytes(op) == sizeof(float)) break;
    }
  }
  return params;
}

void Compare(RowKey key, const Params& params, const std::vector<float> (&in)[2]) {
  const size_t count = in[0].size();
  // Halves are made of the same numbers, larger, so that many are subnormal halves.
  std::vector<Float16> halves[2];
  Row row = {};
  for (size_t k = 0; k < InputCount(key.op); ++k) {
    row.in[k] = in[k].data();
    if (key.type != DataType::kFloat16) continue;
    for (const float x : in[k]) halves[k].push_back(DoubleToHalf(static_cast<double>(x) * (k == 0 ? 16 : 1)));
    row.in[k] = halves[k].data();
  }
  row.count = count;
  row.params = params.bytes;
  std::vector<std::byte> expected(count * SizeOf(key.result));
  row.out = expected.data();
  reference::FindRow(key)(row);
  for (const Target target : VectorTargets(key.type)) {
    std::vector<std::byte> got(expected.size());
    row.out = got.data();
    FindRow(key, target).run(row);
    for (size_t i = 0; i < count; ++i) {
      const size_t at = i * SizeOf(key.result);
      ASSERT_EQ(std::memcmp(&got[at], &expected[at], SizeOf(key.result)), 0)
          << OperatorName(key.op) << '.' << ShortName(key.type) << " on " << TargetName(target) << " of "
          << in[0][i] << (InputCount(key.op) > 1 ? " and " + std::to_string(in[1][i]) : "")
          << " seed=" << Seed();
    }
  }
}

TEST(NearLineTest, FunctionsOfOneNumber) {
  Numbers numbers(Seed() + 95);
  const size_t count = ByTier(400, 2000, 20'000);
  for (const OperatorId op : kAllOperators) {
    for (const DataType type : {DataType::kFloat16, DataType::kFloat32}) {
      if (!Gives(op, type, type) || !IsFunction(op, type) || InputCount(op) != 1) continue;
      for (const Params& params : SomeParams(op)) {
        const std::vector<float> in[2] = {numbers.Make(count), {}};
        ASSERT_NO_FATAL_FAILURE(Compare({op, type, type}, params, in))
            << "params begin with " << ReadParams<AlphaParams>(params.bytes).alpha;
      }
    }
  }
}

// Of one exponent, which makes some powers operations, and of several.
TEST(NearLineTest, Powers) {
  Numbers numbers(Seed() + 96);
  Random random(Seed() + 97);
  const size_t count = ByTier(1000, 5000, 100'000);
  constexpr float kExponents[] = {2,  3, 1, 0.5f,  -1,   0,       -0.0f,     1.5f,       -2,           4,
                                  -3, 5, 7, -0.5f, 2.5f, 0x1p24f, kInfinity, -kInfinity, 0x1.000002p1f};
  for (const DataType type : {DataType::kFloat16, DataType::kFloat32}) {
    for (const DataType result : {DataType::kFloat16, DataType::kFloat32}) {
      if (!Gives(OperatorId::kPow, type, result)) continue;
      for (const float exponent : kExponents) {
        std::vector<float> in[2] = {numbers.Make(count), std::vector<float>(count, exponent)};
        ASSERT_NO_FATAL_FAILURE(Compare({OperatorId::kPow, type, result}, {}, in)) << exponent;
        for (float& y : in[1]) y = kExponents[random.Below(std::size(kExponents))];
        ASSERT_NO_FATAL_FAILURE(Compare({OperatorId::kPow, type, result}, {}, in));
      }
    }
  }
}

// Found by a search near ties: the terms of the binomial series that are left out, exponents of many digits.
TEST(NearLineTest, SearchedPowers) {
  constexpr float kFound[][4] = {
      {0x1.001edep+0f, -0x1.2dc07ep-6f, 0, 0x1.fffedcp-1f},
      {0x1.003f94p+0f, 0x1.ddddep-5f, 0, 0x1.0003b6p+0f},
      {0x1.ffaeb2p-1f, -0x1.34dbb4p-4f, 0, 0x1.000312p+0f},
      {0x1.ff80ep-1f, 0x1.f32c06p-11f, 0, 0x1.ffffep-1f},
      {0x1p-141f, 0x1.105726p+0f, 0x1.057262p-27f, 0x1p-149f},
      {0x1p+85f, -0x1.c3c3c4p+0f, 0x1.e1e1e2p-27f, 0x1p-149f},
      {0x1.fffd8ap-1f, 0x1.a289fap-1f, -0x1.7a8c42p-27f, 0x1.fffdfep-1f},
      {0x1.000208p+0f, 0x1.c5e892p-1f, 0x1.a7bd86p-26f, 0x1.0001ccp+0f},
  };
  for (const auto& [x, y, z, power] : kFound) {
    for (const OperatorId op : {OperatorId::kPow, OperatorId::kPowOfSum}) {
      if (op == OperatorId::kPow && z != 0) continue;
      for (const Target target : VectorTargets(DataType::kFloat32)) {
        float got = 0;
        const Row row = {{&x, &y, &z}, &got, 1, nullptr, 0, false, false};
        FindRow({op, DataType::kFloat32, DataType::kFloat32}, target).run(row);
        EXPECT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(power))
            << OperatorName(op) << " on " << TargetName(target) << " of " << x << ", " << y << ", " << z;
      }
    }
  }
}

// Powers of what is next to a power of 2, and sums of exponents with few and many digits.
TEST(NearLineTest, PowersNearPowersOfTwo) {
  Random random(Seed() + 98);
  const size_t count = ByTier(3000, 30'000, 1'000'000);
  std::vector<float> in[3];
  for (std::vector<float>& operand : in) operand.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const auto steps = static_cast<double>(random.Between(-1024, 1024) * (random.OneIn(2) ? 1 : 16));
    in[0][i] = static_cast<float>(std::ldexp(1 + steps * 0x1p-23, static_cast<int>(random.Between(-20, 20))));
    // So that the first term of the series is a tie, or nearly.
    const double tie = 0x1p-24 * static_cast<double>(2 * random.Between(-64, 64) + 1);
    const double exponent =
        random.OneIn(3) ? static_cast<double>(random.Between(-12, 12)) / 4 : tie / (steps * 0x1p-23);
    in[1][i] = std::isfinite(exponent) ? static_cast<float>(exponent) : 1.0f;
    const auto rest = static_cast<float>(exponent - static_cast<double>(in[1][i]));
    in[2][i] = random.OneIn(2) && std::isfinite(rest) ? rest : 0;
  }
  for (const OperatorId op : {OperatorId::kPow, OperatorId::kPowOfSum}) {
    Row row = {{in[0].data(), in[1].data(), in[2].data()}, nullptr, count, nullptr, 0, false, false};
    const RowKey key = {op, DataType::kFloat32, DataType::kFloat32};
    std::vector<float> expected(count);
    row.out = expected.data();
    reference::FindRow(key)(row);
    for (const Target target : VectorTargets(DataType::kFloat32)) {
      std::vector<float> got(count);
      row.out = got.data();
      FindRow(key, target).run(row);
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(std::memcmp(&got[i], &expected[i], sizeof(float)), 0)
            << OperatorName(op) << " on " << TargetName(target) << " of " << in[0][i] << ", " << in[1][i]
            << ", " << in[2][i] << " seed=" << Seed();
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
