// Which calls take the short way, without a plan: what it computes is checked with all other ways elsewhere.
#include "exec/short_row.h"

#include <gtest/gtest.h>

#include <array>

namespace residue::testing {
namespace {

constexpr ptrdiff_t kPacked = sizeof(int32_t);

class ShortRowTest : public ::testing::Test {
 protected:
  bool Takes(Addresses at, OperandStrides stride, uint64_t count, OperatorId op = OperatorId::kModulusFloor,
             DataType type = DataType::kInt32) {
    Exceptions exceptions = kNoException;
    return RunShortRow(op, type, at, stride, count, &exceptions);
  }

  const std::byte* a() const { return reinterpret_cast<const std::byte*>(a_.data()); }
  const std::byte* b() const { return reinterpret_cast<const std::byte*>(b_.data()); }
  std::byte* out() { return reinterpret_cast<std::byte*>(out_.data()); }

  static constexpr size_t kMost = kMostShortRowBytes / sizeof(int32_t);
  std::array<int32_t, kMost + 1> a_ = {-7, -7, -7};
  std::array<int32_t, kMost + 1> b_ = {4, 4, 4};
  std::array<int32_t, kMost + 1> out_ = {};
};

TEST_F(ShortRowTest, FewPackedElements) {
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_EQ(out_[2], 1);
  EXPECT_EQ(out_[3], 0);
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 1));
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, kMost));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, kMost + 1));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 0));
}

TEST_F(ShortRowTest, OneAgainstAFew) {
  EXPECT_TRUE(Takes({a(), b(), out()}, {0, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), b(), out()}, {kPacked, 0, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), b(), out()}, {0, 0, kPacked}, 3));
  EXPECT_EQ(out_[2], 1);
}

TEST_F(ShortRowTest, OtherStridesNeedAPlan) {
  EXPECT_FALSE(Takes({a(), b(), out()}, {1, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, 2 * kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, 0}, 3));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, -kPacked}, 3));
}

TEST_F(ShortRowTest, InPlaceButNotAcross) {
  EXPECT_TRUE(Takes({out(), b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), out(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({out(), b(), out()}, {0, kPacked, kPacked}, 3)) << "the first result would be read";
  EXPECT_FALSE(Takes({out() + 4, b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), out() + 8, out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({a(), out() + 12, out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_TRUE(Takes({out(), b(), out() + 12}, {kPacked, kPacked, kPacked}, 3));
}

TEST_F(ShortRowTest, WhatAPlanMustRefuse) {
  EXPECT_FALSE(Takes({nullptr, b(), out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), nullptr, out()}, {kPacked, kPacked, kPacked}, 3));
  EXPECT_FALSE(Takes({a(), b(), nullptr}, {kPacked, kPacked, kPacked}, 3));
  const auto* last = reinterpret_cast<const std::byte*>(UINTPTR_MAX - 3);
  EXPECT_FALSE(Takes({last, b(), out()}, {kPacked, kPacked, kPacked}, 3)) << "beyond the end of memory";
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3, OperatorId::kIdentity));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3, static_cast<OperatorId>(77)));
  EXPECT_FALSE(Takes({a(), b(), out()}, {kPacked, kPacked, kPacked}, 3, OperatorId::kModulusFloor,
                     static_cast<DataType>(77)));
}

}  // namespace
}  // namespace residue::testing
