// Divisors where float rows change their ways: subnormal ones, the binades above them whose remainders
// may be subnormal, and the largest, whose reciprocals are. Every target, dividends of all kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "oracle/oracle.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr size_t kBlock = 1 << 12;

template <class T>
class BorderTest : public ::testing::Test {
 protected:
  using F = reference::FloatBits<T>;
  static constexpr uint64_t kFields = F::kInfinity / F::kHidden;
  static constexpr uint64_t kBorderFields = F::kFraction + 6;
  static constexpr uint64_t kTopFields = 4;

  uint64_t Sign() { return random_.OneIn(2) ? uint64_t{F::kSign} : 0; }

  // A magnitude of the field, now and then with all bits of its fraction equal.
  uint64_t Magnitude(uint64_t field) {
    const uint64_t fraction = random_.OneIn(8) ? (random_.OneIn(2) ? ~uint64_t{0} : 0) : random_.Next();
    return field * F::kHidden | (fraction & (F::kHidden - 1u));
  }

  uint64_t Divisor() {
    const uint64_t field = random_.OneIn(4) ? kFields - 1 - random_.Below(kTopFields)
                                            : std::min<uint64_t>(random_.Below(kBorderFields), kFields - 1);
    return Magnitude(field) >> (field == 0 ? random_.Below(F::kFraction) : 0);
  }

  uint64_t Dividend(uint64_t divisor) {
    const uint64_t field = divisor / F::kHidden;
    switch (random_.Below(6)) {
      case 0:  // any size
        return Magnitude(random_.Below(kFields));
      case 1:  // the largest quotients
        return Magnitude(kFields - 1);
      case 2:  // subnormal
        return Magnitude(0) >> random_.Below(F::kFraction);
      case 3:  // next to the divisor and its half
        return divisor / 2 * (1 + random_.Below(2)) + random_.Below(5);
      case 4:  // the neighbouring binades
        return Magnitude(std::min(field + random_.Below(4), kFields - 1));
      default:  // quotients about as large as the fast path takes
        return Magnitude(std::min(field + random_.Below(60), kFields - 1));
    }
  }

  void Check(Form form, Target target) {
    for (const OperatorId op : oracle::kOperators) {
      for (size_t i = 0; i < kBlock; ++i) {
        expected_[i] = oracle::Modulus(a_[i], b_[form == Form::kVectorScalar ? 0 : i]).Get(op);
      }
      ASSERT_NO_FATAL_FAILURE(RunOwnRow(op, form, target, a_.data(), b_.data(), out_.data(), kBlock));
      ASSERT_TRUE(SameBits(op, form, target, a_.data(), b_.data(), expected_.data(), out_.data(), kBlock));
    }
  }

  Random random_{Seed() + 4000};
  std::vector<T> a_ = std::vector<T>(kBlock);
  std::vector<T> b_ = std::vector<T>(kBlock);
  std::vector<T> expected_ = std::vector<T>(kBlock);
  std::vector<T> out_ = std::vector<T>(kBlock);
};
using FloatTypes = ::testing::Types<Float16, float, double>;
TYPED_TEST_SUITE(BorderTest, FloatTypes, TypeNames);

// A block of one divisor each is as good for two vectors as for one, and the only way to a vector of which
// all lanes are of one kind.
TYPED_TEST(BorderTest, EveryTarget) {
  using T = TypeParam;
  const std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
  const uint64_t blocks = ByTier(60, 1'000, 30'000);
  for (uint64_t block = 0; block < blocks; ++block) {
    const uint64_t shared = this->Divisor();
    for (size_t i = 0; i < kBlock; ++i) {
      const uint64_t divisor = block % 4 == 0 ? shared : this->Divisor();
      this->b_[i] = FromBits<T>(divisor | this->Sign());
      this->a_[i] = FromBits<T>(this->Dividend(divisor) | this->Sign());
    }
    for (const Target target : targets) {
      ASSERT_NO_FATAL_FAILURE(this->Check(Form::kVectorVector, target));
      if (block % 4 == 0) {
        ASSERT_NO_FATAL_FAILURE(this->Check(Form::kVectorScalar, target));
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
