// Every pair there is, of the types small enough: 8 bits always, 16 bits and half as the tier allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "oracle/oracle.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
class ExhaustiveByteTest : public ::testing::Test {};
using ByteTypes = ::testing::Types<int8_t, uint8_t>;
TYPED_TEST_SUITE(ExhaustiveByteTest, ByteTypes, TypeNames);

TYPED_TEST(ExhaustiveByteTest, AllPairsAllFormsAllTargets) {
  using T = TypeParam;
  std::vector<T> all(256);
  for (size_t i = 0; i < 256; ++i) all[i] = FromBits<T>(i);
  std::vector<T> scalar(256);
  std::vector<T> expected(256);
  std::vector<T> out(256);
  for (const Target target : SupportedTargets()) {
    for (const OperatorId op : oracle::kOperators) {
      for (const T value : all) {
        std::fill(scalar.begin(), scalar.end(), value);
        for (size_t i = 0; i < 256; ++i) expected[i] = oracle::Modulus(all[i], value).Get(op);
        for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kStrided}) {
          ASSERT_NO_FATAL_FAILURE(RunOwnRow(op, form, target, all.data(), scalar.data(), out.data(), 256));
          ASSERT_TRUE(
              SameBits(op, form, target, all.data(), scalar.data(), expected.data(), out.data(), 256));
        }
        for (size_t i = 0; i < 256; ++i) expected[i] = oracle::Modulus(value, all[i]).Get(op);
        ASSERT_NO_FATAL_FAILURE(
            RunOwnRow(op, Form::kScalarVector, target, scalar.data(), all.data(), out.data(), 256));
        ASSERT_TRUE(SameBits(op, Form::kScalarVector, target, scalar.data(), all.data(), expected.data(),
                             out.data(), 256));
      }
    }
  }
}

// 16 bits: row by row, one dividend against all 65,536 divisors. Two parts, so that two cores share the work.
//   quick: 64 rows spread over the range, every target
//   full: every fourth row on the best target, every 32nd on the others
//   nightly: all 2^32 pairs on every target
template <class T>
class ExhaustiveWordTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kCount = 65536;

  void RunPart(uint32_t part) {
    const std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
    const auto step = static_cast<uint32_t>(ByTier(1024, 4, 1));
    const auto others_every = static_cast<uint32_t>(ByTier(1, 8, 1));
    for (uint32_t i = 0; i < kCount; ++i) b_[i] = FromBits<T>(i);
    uint64_t pairs = 0;
    for (uint32_t row = part; row * step < kCount; row += 2) {
      // Every dividend, or one of every `step`, as a hash has it.
      const uint32_t hash = row * 0x9E3779B9u >> 16;
      const T dividend = FromBits<T>(row * step + hash % step);
      std::fill(a_.begin(), a_.end(), dividend);
      for (uint32_t i = 0; i < kCount; ++i) {
        const auto result = oracle::Modulus(dividend, b_[i]);
        floor_[i] = result.floor;
        truncate_[i] = result.truncate;
      }
      for (size_t t = 0; t < targets.size(); ++t) {
        if (t != 0 && hash / step % others_every != 0) continue;
        for (const OperatorId op : oracle::kOperators) {
          const auto& expected = op == OperatorId::kModulusFloor ? floor_ : truncate_;
          ASSERT_NO_FATAL_FAILURE(
              RunOwnRow(op, Form::kVectorVector, targets[t], a_.data(), b_.data(), out_.data(), kCount));
          ASSERT_TRUE(SameBits(op, Form::kVectorVector, targets[t], a_.data(), b_.data(), expected.data(),
                               out_.data(), kCount));
          pairs += kCount;
        }
      }
    }
    this->RecordProperty("pairs", std::to_string(pairs));
  }

  std::vector<T> a_ = std::vector<T>(kCount);
  std::vector<T> b_ = std::vector<T>(kCount);
  std::vector<T> floor_ = std::vector<T>(kCount);
  std::vector<T> truncate_ = std::vector<T>(kCount);
  std::vector<T> out_ = std::vector<T>(kCount);
};
using WordTypes = ::testing::Types<Float16, int16_t, uint16_t>;
TYPED_TEST_SUITE(ExhaustiveWordTest, WordTypes, TypeNames);

TYPED_TEST(ExhaustiveWordTest, EvenRows) { this->RunPart(0); }
TYPED_TEST(ExhaustiveWordTest, OddRows) { this->RunPart(1); }

// All divisors of 16 bits as invariant ones.
TYPED_TEST(ExhaustiveWordTest, EveryDivisorAsScalar) {
  using T = TypeParam;
  constexpr size_t kDividends = 257;
  const auto step = static_cast<uint32_t>(ByTier(64, 3, 1));
  PairGenerator<T> generator(Seed() + 3);
  std::vector<T> a(kDividends);
  std::vector<T> unused(kDividends);
  std::vector<T> expected(kDividends);
  std::vector<T> out(kDividends);
  generator.Fill(a, unused);
  const std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
  for (uint32_t bits = 0; bits < 65536; bits += step) {
    const T divisor = FromBits<T>(bits);
    const Target target = targets[bits / step % targets.size()];
    for (const OperatorId op : oracle::kOperators) {
      for (size_t i = 0; i < kDividends; ++i) expected[i] = oracle::Modulus(a[i], divisor).Get(op);
      ASSERT_NO_FATAL_FAILURE(
          RunOwnRow(op, Form::kVectorScalar, target, a.data(), &divisor, out.data(), kDividends));
      ASSERT_TRUE(SameBits(op, Form::kVectorScalar, target, a.data(), &divisor, expected.data(), out.data(),
                           kDividends));
    }
  }
}

}  // namespace
}  // namespace residue::testing
