// Float pairs against MPFR, a library that shares nothing with us: fmod in exact arithmetic and, for FLOOR,
// an addition rounded by MPFR itself to the type's precision and exponent range.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <limits>
#include <vector>

#include "oracle/oracle.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr size_t kBlock = 4096;
constexpr uint64_t kShards = 4;

template <class T>
class MpfrModulus {
 public:
  MpfrModulus() {
    mpfr_set_emin(std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits + 1);
    mpfr_set_emax(std::numeric_limits<T>::max_exponent);
    for (mpfr_ptr x : {a_, b_, r_}) mpfr_init2(x, std::numeric_limits<T>::digits);
  }
  ~MpfrModulus() {
    for (mpfr_ptr x : {a_, b_, r_}) mpfr_clear(x);
  }
  MpfrModulus(const MpfrModulus&) = delete;
  MpfrModulus& operator=(const MpfrModulus&) = delete;

  T Evaluate(OperatorId op, T a, T b) {
    Set(a_, a);
    Set(b_, b);
    int inexact = mpfr_fmod(r_, a_, b_, MPFR_RNDN);
    EXPECT_EQ(inexact, 0);
    if (mpfr_nan_p(r_) != 0) return std::numeric_limits<T>::quiet_NaN();
    if (op == OperatorId::kModulusFloor) {
      if (mpfr_zero_p(r_) != 0) return std::copysign(T{0}, b);
      if (mpfr_signbit(r_) != mpfr_signbit(b_)) {
        inexact = mpfr_add(r_, r_, b_, MPFR_RNDN);
        mpfr_subnormalize(r_, inexact, MPFR_RNDN);
      }
    }
    if (mpfr_zero_p(r_) != 0) return std::copysign(T{0}, a);
    return Get();
  }

 private:
  static void Set(mpfr_ptr x, float value) { mpfr_set_flt(x, value, MPFR_RNDN); }
  static void Set(mpfr_ptr x, double value) { mpfr_set_d(x, value, MPFR_RNDN); }
  T Get() const {
    if constexpr (std::is_same_v<T, float>) return mpfr_get_flt(r_, MPFR_RNDN);
    return static_cast<T>(mpfr_get_d(r_, MPFR_RNDN));
  }

  mpfr_t a_;
  mpfr_t b_;
  mpfr_t r_;
};

template <class T>
class MpfrTest : public ::testing::Test {
 protected:
  void RunShard(uint64_t shard) {
    const uint64_t pairs = (std::is_same_v<T, float> ? ByTier(200'000, 10'000'000, 1'000'000'000)
                                                     : ByTier(100'000, 10'000'000, 100'000'000)) /
                           kShards;
    PairGenerator<T> generator(Seed() * kShards + shard + 1000);
    MpfrModulus<T> mpfr;
    const std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
    std::vector<T> a(kBlock);
    std::vector<T> b(kBlock);
    std::vector<T> expected(kBlock);
    std::vector<T> out(kBlock);
    for (uint64_t block = 0; block * kBlock < pairs; ++block) {
      generator.Fill(a, b);
      // The operators alternate, so that `pairs` counts evaluations.
      const OperatorId op = oracle::kOperators[block % std::size(oracle::kOperators)];
      for (size_t i = 0; i < kBlock; ++i) expected[i] = mpfr.Evaluate(op, a[i], b[i]);
      for (const Target target : {targets.front(), targets[block / 2 % targets.size()]}) {
        ASSERT_NO_FATAL_FAILURE(
            RunOwnRow(op, Form::kVectorVector, target, a.data(), b.data(), out.data(), kBlock));
        ASSERT_TRUE(SameBits(op, Form::kVectorVector, target, a.data(), b.data(), expected.data(), out.data(),
                             kBlock));
      }
    }
  }
};
using MpfrTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MpfrTest, MpfrTypes, TypeNames);

TYPED_TEST(MpfrTest, Shard0) { this->RunShard(0); }
TYPED_TEST(MpfrTest, Shard1) { this->RunShard(1); }
TYPED_TEST(MpfrTest, Shard2) { this->RunShard(2); }
TYPED_TEST(MpfrTest, Shard3) { this->RunShard(3); }

}  // namespace
}  // namespace residue::testing
