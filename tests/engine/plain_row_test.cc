// Which calls take the plain way, without a plan: what it computes is checked with all other ways elsewhere.
#include "cpu/engine/plain_row.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace residue::testing {
namespace {

constexpr int64_t kPacked = sizeof(int32_t);

class PlainRowTest : public ::testing::Test {
 protected:
  struct Operands {
    const std::byte* a;
    const std::byte* b;
    std::byte* out;
  };

  bool Takes(Operands at, std::array<int64_t, 3> strides, uint64_t count,
             OperatorId op = OperatorId::kModulusFloor, DataType type = DataType::kInt32) {
    Exceptions exceptions = kNoException;
    const void* const in[] = {at.a, at.b};
    return RunPlainRow<2>(FindSmallRow({op, type}), nullptr, in, strides.data(), at.out, strides[2], count,
                          &exceptions);
  }

  const std::byte* a() const { return reinterpret_cast<const std::byte*>(a_.data()); }
  const std::byte* b() const { return reinterpret_cast<const std::byte*>(b_.data()); }
  std::byte* out() { return reinterpret_cast<std::byte*>(out_.data()); }

  static constexpr size_t kMost = kMostDetectedRowBytes / sizeof(int32_t);
  std::array<int32_t, kMost + 1> a_ = {-7, -7, -7};
  std::array<int32_t, kMost + 1> b_ = {4, 4, 4};
  std::array<int32_t, kMost + 1> out_ = {};
};

TEST_F(PlainRowTest, PackedElements) {
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_EQ(out_[2], 1);
  EXPECT_EQ(out_[3], 0);
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 1));
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, kMost));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, kMost + 1));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 0));
  // Without exceptions to look for, up to where sharing begins.
  std::vector<int32_t> large(kSmallestSharedBytes / sizeof(int32_t), 5);
  const void* const in[] = {large.data(), large.data()};
  const int64_t strides[] = {kPacked, kPacked, kPacked};
  const auto takes = [&](uint64_t count) {
    return RunPlainRow<2>(FindSmallRow({OperatorId::kModulusFloor, DataType::kInt32}), nullptr, in, strides,
                          large.data(), strides[2], count, nullptr);
  };
  EXPECT_TRUE(takes(large.size() - 1));
  EXPECT_FALSE(takes(large.size()));
}

TEST_F(PlainRowTest, OneAgainstARow) {
  EXPECT_TRUE(Takes({a(), b(), out()}, {0, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, 0, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), b(), out()}, {0, 0, kPacked}, 3));
  EXPECT_EQ(out_[2], 1);
}

TEST_F(PlainRowTest, OperatorsOfOneInput) {
  EXPECT_TRUE(Takes({a(), nullptr, out()}, {kPacked, 1, kPacked}, 3, OperatorId::kIdentity));
  EXPECT_EQ(out_[2], -7);
  EXPECT_FALSE(Takes({nullptr, nullptr, out()}, {kPacked, 1, kPacked}, 3, OperatorId::kIdentity));
  EXPECT_FALSE(Takes({a(), nullptr, out()}, {kPacked, 1, 2 * kPacked}, 3, OperatorId::kIdentity));
}

// Results may be narrower than what they are made of.
TEST_F(PlainRowTest, ResultsOfAnotherType) {
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, 1}, 3, OperatorId::kLessThan));
  EXPECT_EQ(std::memcmp(out(), "\1\1\1\0", 4), 0);
  EXPECT_TRUE(Takes({a(), b(), out()}, {0, kPacked, 1}, 3, OperatorId::kGreaterThan));
  EXPECT_EQ(std::memcmp(out(), "\0\0\0\0", 4), 0);
  EXPECT_TRUE(Takes({a(), nullptr, out()}, {kPacked, 1, 1}, 3, OperatorId::kBitCount));
  EXPECT_EQ(std::memcmp(out(), "\36\36\36\0", 4), 0);
  EXPECT_TRUE(Takes({a(), nullptr, out()}, {8, 1, 1}, 1, OperatorId::kIsNan, DataType::kFloat64));
  for (const int64_t stride : {int64_t{0}, int64_t{2}, kPacked}) {
    EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, stride}, 3, OperatorId::kLessThan));
  }
  EXPECT_FALSE(Takes({a(), b(), out()}, {1, kPacked, 1}, 3, OperatorId::kLessThan));
  EXPECT_FALSE(Takes({out(), b(), out()}, {kPacked, kPacked, 1}, 3, OperatorId::kLessThan))
      << "what is still to be read would be overwritten";
  EXPECT_FALSE(Takes({out() + 2, b(), out()}, {kPacked, kPacked, 1}, 3, OperatorId::kLessThan));
  EXPECT_TRUE(Takes({out(), b(), out() + 12}, {kPacked, kPacked, 1}, 3, OperatorId::kLessThan));
  // What has several types, or leaves a choice, needs a plan.
  for (const OperatorId op : {OperatorId::kIf, OperatorId::kCast, OperatorId::kSequence})
    EXPECT_FALSE(Takes({a(), b(), out()}, {1, 1, 1}, 3, op, DataType::kUint8)) << OperatorName(op);
}

TEST_F(PlainRowTest, OtherStridesNeedAPlan) {
  EXPECT_FALSE(Takes({a(), b(), out()}, {1, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, 2 * kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, 0}, 3));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, -kPacked}, 3));
}

TEST_F(PlainRowTest, InPlaceButNotAcross) {
  EXPECT_TRUE(Takes({out(), b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), out(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({out(), b(), out()}, {0, kPacked, kPacked}, 3)) << "the first result would be read";
  EXPECT_FALSE(Takes({out() + 4, b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), out() + 8, out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), out() + 12, out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({out(), b(), out() + 12}, {kPacked, kPacked, kPacked}, 3));
}

TEST_F(PlainRowTest, WhatAPlanMustRefuse) {
  EXPECT_FALSE(Takes({nullptr, b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), nullptr, out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), b(), nullptr}, {kPacked, kPacked, kPacked}, 3));
  const auto* last = reinterpret_cast<const std::byte*>(UINTPTR_MAX - 3);
  EXPECT_FALSE(Takes({last, b(), out()}, {kPacked, kPacked, kPacked}, 3)) << "beyond the end of memory";
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3, OperatorId::kRecip))
      << "not for integers";
  for (const int32_t number : {0, 77, -1, INT32_MIN, INT32_MAX}) {
    EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3, static_cast<OperatorId>(number)));
    EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3, OperatorId::kModulusFloor,
                       static_cast<DataType>(number)));
  }
}

TEST_F(PlainRowTest, NoMoreInputsThanTheCallHas) {
  const void* const in[] = {a()};
  const int64_t strides[] = {kPacked};
  EXPECT_FALSE(RunPlainRow<1>(FindSmallRow({OperatorId::kModulusFloor, DataType::kInt32}), nullptr, in,
                              strides, out(), kPacked, 3, nullptr));
}

}  // namespace
}  // namespace residue::testing
