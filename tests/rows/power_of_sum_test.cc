// x^(y + z) where z is mostly 0, as DirectML's exponents of 32 bits have it: on every target, in pieces with
// and without another z, from one element and in place, against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/row_run.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

constexpr size_t kCount = 600;  // three pieces

struct Sums {
  explicit Sums(uint64_t seed) : random(seed) {
    for (size_t i = 0; i < kCount; ++i) {
      const auto whole = static_cast<int64_t>(random.Below(129)) - 64;
      x[i] = static_cast<float>(static_cast<int64_t>(random.Below(400)) - 200) / 64;
      y[i] = static_cast<float>(random.Below(4) == 0 ? whole * 40'000 : whole);
      z[i] = random.Below(2) == 0 ? 0.0f : -0.0f;
    }
    for (const size_t i : {size_t{300}, size_t{301}}) {  // in the second piece alone
      x[i] = -1;
      y[i] = 0x1p25f;
      z[i] = static_cast<float>(i - 300);
    }
  }

  Random random;
  std::vector<float> x = std::vector<float>(kCount);
  std::vector<float> y = std::vector<float>(kCount);
  std::vector<float> z = std::vector<float>(kCount);
};

Row MakeRow(const Sums& sums, uint8_t single, void* out, size_t count) {
  Row row = {};
  row.in[0] = sums.x.data();
  row.in[1] = sums.y.data();
  row.in[2] = sums.z.data();
  row.out = out;
  row.count = count;
  row.single = single;
  return row;
}

TEST(PowerOfSumTest, EveryTarget) {
  const Sums sums(Seed() + 90);
  for (const DataType result : {DataType::kFloat32, DataType::kFloat16}) {
    const RowKey key(OperatorId::kPowOfSum, DataType::kFloat32, result);
    for (uint8_t single = 0; single < 8; ++single) {
      for (const size_t count : {size_t{1}, size_t{255}, size_t{257}, kCount}) {
        std::vector<std::byte> expected(count * SizeOf(result));
        reference::FindRow(key)(MakeRow(sums, single, expected.data(), count));
        for (const Target target : VectorTargets(DataType::kFloat32)) {
          std::vector<std::byte> got(expected.size());
          FindRow(key, target).run(MakeRow(sums, single, got.data(), count));
          ASSERT_EQ(std::memcmp(got.data(), expected.data(), got.size()), 0)
              << TargetName(target) << ", " << count << " elements, single " << int{single} << ", "
              << ShortName(result) << " seed=" << Seed();
        }
      }
    }
  }
}

TEST(PowerOfSumTest, InPlaceOfAnyInput) {
  const Sums given(Seed() + 91);
  const RowKey key(OperatorId::kPowOfSum, DataType::kFloat32, DataType::kFloat32);
  std::vector<float> expected(kCount);
  reference::FindRow(key)(MakeRow(given, 0, expected.data(), kCount));
  for (const Target target : VectorTargets(DataType::kFloat32)) {
    for (std::vector<float> Sums::*const input : {&Sums::x, &Sums::y, &Sums::z}) {
      Sums sums = given;
      FindRow(key, target).run(MakeRow(sums, 0, (sums.*input).data(), kCount));
      ASSERT_EQ(std::memcmp((sums.*input).data(), expected.data(), kCount * sizeof(float)), 0)
          << TargetName(target) << " seed=" << Seed();
    }
  }
}

}  // namespace
}  // namespace residue::testing
