// Functions against MPFR, which shares nothing with us: the rows of every target, and what decides where they
// are in doubt, on numbers of all sizes, with params, at ties and beside them.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/half.h"
#include "cpu/rows/row.h"
#include "support/tier.h"
#include "verification/function_pairs.h"
#include "verification/random.h"
#include "verification/row_run.h"

namespace residue::testing {
namespace {

constexpr mpfr_prec_t kDigits = 700;  // so that a tie is not taken for what lies beside it

class Number {
 public:
  explicit Number(double value = 0, mpfr_prec_t digits = kDigits) {
    mpfr_init2(value_, digits);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  operator mpfr_ptr() { return value_; }  // NOLINT(google-explicit-constructor): it is what MPFR takes

 private:
  mpfr_t value_;
};

struct Inputs {
  double x;
  double y;  // the second input, if there is one
  float params[2];
};

// Limits are not reached by numbers, however many digits it would take to see that: a product with a limit
// may be a tie, and then it matters on which side the number was.
void StayWithin(mpfr_ptr z, mpfr_srcptr x) {
  if (mpfr_number_p(x) == 0 || mpfr_number_p(z) == 0) return;
  if (mpfr_cmp_si(z, -1) == 0) mpfr_nextabove(z);
  if (mpfr_cmp_si(z, 1) == 0) mpfr_nextbelow(z);
}
void SetExpm1(mpfr_ptr z, mpfr_srcptr x) {
  const bool below = mpfr_sgn(x) < 0;
  Number e;
  mpfr_expm1(e, x, MPFR_RNDN);
  if (below) StayWithin(e, x);
  mpfr_set(z, e, MPFR_RNDN);
}

// The exact value, in as many digits as the number has.
void SetExact(OperatorId op, const Inputs& in, mpfr_ptr z) {
  Number x(in.x);
  Number y(in.y);
  Number p(static_cast<double>(in.params[0]));
  Number q(static_cast<double>(in.params[1]));
  const auto softplus = [&](mpfr_ptr t) {
    const bool above = mpfr_sgn(t) > 0;
    Number e;
    if (above) mpfr_neg(e, t, MPFR_RNDN);
    mpfr_exp(e, above ? static_cast<mpfr_ptr>(e) : t, MPFR_RNDN);
    mpfr_log1p(e, e, MPFR_RNDN);
    if (above) mpfr_add(e, e, t, MPFR_RNDN);
    if (above && mpfr_number_p(t) != 0 && mpfr_equal_p(e, t) != 0) mpfr_nextabove(e);
    mpfr_set(z, e, MPFR_RNDN);
  };
  switch (op) {
#define RESIDUE_C_FUNCTION(Name, function) \
  case OperatorId::k##Name:                \
    mpfr_##function(z, x, MPFR_RNDN);      \
    return;
#define RESIDUE_C_FUNCTION_OF_TWO(Name, function) \
  case OperatorId::k##Name:                       \
    mpfr_##function(z, x, y, MPFR_RNDN);          \
    return;
#include "verification/c_functions.def"
    case OperatorId::kSigmoid:
    case OperatorId::kSwish: {
      Number t;
      mpfr_mul(t, x, p, MPFR_RNDN);
      mpfr_neg(t, op == OperatorId::kSigmoid ? static_cast<mpfr_ptr>(x) : static_cast<mpfr_ptr>(t),
               MPFR_RNDN);
      mpfr_exp(t, t, MPFR_RNDN);
      mpfr_add_ui(t, t, 1, MPFR_RNDN);
      mpfr_set_d(z, op == OperatorId::kSigmoid ? 1 : in.x, MPFR_RNDN);
      mpfr_div(z, z, t, MPFR_RNDN);
      return;
    }
    case OperatorId::kSoftplus:
      mpfr_mul(x, x, p, MPFR_RNDN);
      softplus(x);
      mpfr_div(z, z, p, MPFR_RNDN);
      return;
    case OperatorId::kParametricSoftplus:
      mpfr_mul(x, x, q, MPFR_RNDN);
      softplus(x);
      mpfr_mul(z, z, p, MPFR_RNDN);
      return;
    case OperatorId::kSoftsign:
      mpfr_abs(z, x, MPFR_RNDN);
      mpfr_add_ui(z, z, 1, MPFR_RNDN);
      mpfr_div(z, x, z, MPFR_RNDN);
      return;
    case OperatorId::kElu:
      SetExpm1(z, x);
      mpfr_mul(z, z, p, MPFR_RNDN);
      if (in.x >= 0) mpfr_set(z, x, MPFR_RNDN);
      return;
    case OperatorId::kCelu:
      mpfr_div(z, x, p, MPFR_RNDN);
      SetExpm1(z, z);
      mpfr_mul(z, z, p, MPFR_RNDN);
      if (mpfr_nan_p(z) == 0 && mpfr_sgn(z) >= 0) mpfr_set_zero(z, 1);
      if (in.x > 0) mpfr_add(z, z, x, MPFR_RNDN);
      return;
    case OperatorId::kScaledElu:
      SetExpm1(z, x);
      mpfr_mul(z, z, p, MPFR_RNDN);
      if (in.x > 0) mpfr_set(z, x, MPFR_RNDN);
      mpfr_mul(z, z, q, MPFR_RNDN);
      return;
    case OperatorId::kScaledTanh:
      mpfr_mul(z, x, q, MPFR_RNDN);
      mpfr_tanh(z, z, MPFR_RNDN);
      StayWithin(z, x);
      mpfr_mul(z, z, p, MPFR_RNDN);
      return;
    case OperatorId::kGelu:
      mpfr_set_ui(z, 2, MPFR_RNDN);
      mpfr_sqrt(z, z, MPFR_RNDN);
      mpfr_div(z, x, z, MPFR_RNDN);
      mpfr_neg(z, z, MPFR_RNDN);
      mpfr_erfc(z, z, MPFR_RNDN);
      mpfr_mul(z, z, x, MPFR_RNDN);
      mpfr_div_2ui(z, z, 1, MPFR_RNDN);
      return;
    default:
      ADD_FAILURE() << OperatorName(op);
  }
}

// Rounded to nearest by MPFR, to the precision and the exponents of the type.
template <class R>
R RoundExact(mpfr_ptr z) {
  constexpr bool kHalf = std::is_same_v<R, Float16>;
  Number rounded(0, kHalf ? 11 : 24);
  const int direction = mpfr_set(rounded, z, MPFR_RNDN);
  mpfr_set_emin(kHalf ? -23 : -148);
  mpfr_set_emax(kHalf ? 16 : 128);
  const int checked = mpfr_check_range(rounded, direction, MPFR_RNDN);
  mpfr_subnormalize(rounded, checked, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  const double value = mpfr_get_d(rounded, MPFR_RNDN);
  if constexpr (kHalf) {
    return DoubleToHalf(value);
  } else {
    return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
  }
}

template <class T>
double ToDouble(T x) {
  if constexpr (std::is_same_v<T, Float16>) {
    return static_cast<double>(HalfToFloat(x));
  } else {
    return static_cast<double>(x);
  }
}

// Any bits, numbers of usual sizes, small integers and halves of them, and numbers near 1.
template <class T>
T Sample(Random* random) {
  const uint64_t bits = random->Next();
  const double unit = static_cast<double>(static_cast<int64_t>(random->Next())) * 0x1p-63;
  double value = 0;
  switch (random->Below(6)) {
    case 0:
      return std::bit_cast<T>(static_cast<std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>(bits));
    case 1:
      value = unit * 2;
      break;
    case 2:
      value = unit * 100;
      break;
    case 3:
      value = static_cast<double>(static_cast<int64_t>(bits % 129) - 64) / 2;
      break;
    case 4:
      value = std::ldexp(unit, -static_cast<int>(bits % 150));
      break;
    default:
      value = 1 + std::ldexp(unit, -static_cast<int>(bits % 25));
  }
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(value);
  } else {
    return static_cast<float>(value);
  }
}

template <class T, class R>
void CheckFunction(OperatorId op, uint64_t rounds) {
  const RowKey key = {op, kDataTypeOf<T>, kDataTypeOf<R>};
  Random random(Seed() + static_cast<uint64_t>(op) * 10 + sizeof(T) + sizeof(R));
  constexpr size_t kCount = 200;
  for (uint64_t round = 0; round < rounds; ++round) {
    Params params = DefaultParams(op);
    float given[2];
    std::memcpy(given, params.bytes, sizeof(given));
    if (ParamsBytes(op) != 0 && round % 2 != 0) {
      // Params that mean something; the others are for the vectors and for every_row_test.
      for (float& one : given) one = std::fabs(Sample<float>(&random));
      for (float& one : given) one = std::isfinite(one) && one > 0x1p-60f && one < 0x1p60f ? one : 1.25f;
      std::memcpy(params.bytes, given, ParamsBytes(op));
    }
    std::vector<T> x(kCount);
    std::vector<T> y(kCount);
    std::vector<R> expected(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      x[i] = Sample<T>(&random);
      y[i] = Sample<T>(&random);
      if constexpr (std::is_same_v<T, float>) {
        if (InputCount(op) == 2 && random.OneIn(2)) {
          const FunctionPair pair = PairFor(op, &random);
          x[i] = pair.x;
          y[i] = pair.y;
        }
      }
      // At infinities some functions have limits where their formulas have none.
      if (std::isinf(ToDouble(x[i])) && InputCount(op) == 1) x[i] = T{};
      Number exact;
      SetExact(op, {ToDouble(x[i]), ToDouble(y[i]), {given[0], given[1]}}, exact);
      expected[i] = RoundExact<R>(exact);
    }
    std::vector<Target> targets = VectorTargets(key.type);
    targets.push_back(Target::kReference);
    for (const Target target : targets) {
      std::vector<R> got(kCount);
      Row row{};
      row.in[0] = x.data();
      row.in[1] = y.data();
      row.out = got.data();
      row.count = kCount;
      row.params = params.bytes;
      FindRow(key, target).run(row);
      for (size_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(std::memcmp(&got[i], &expected[i], sizeof(R)), 0)
            << OperatorName(op) << " of " << ToDouble(x[i]) << " and " << ToDouble(y[i]) << " with "
            << given[0] << ", " << given[1] << " is " << ToDouble(expected[i]) << ", but "
            << TargetName(target) << " gave " << ToDouble(got[i]) << "  (repeat with RESIDUE_SEED=" << Seed()
            << ")";
      }
    }
  }
}

class FunctionTest : public ::testing::TestWithParam<OperatorId> {};

TEST_P(FunctionTest, AgainstMpfr) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  const uint64_t rounds = ByTier(4, 10, 5000);
  ASSERT_NO_FATAL_FAILURE((CheckFunction<float, float>(GetParam(), rounds)));
  ASSERT_NO_FATAL_FAILURE((CheckFunction<Float16, Float16>(GetParam(), rounds)));
  if (Gives(GetParam(), DataType::kFloat32, DataType::kFloat16)) {
    ASSERT_NO_FATAL_FAILURE((CheckFunction<float, Float16>(GetParam(), rounds)));
  }
}

std::vector<OperatorId> Functions() {
  std::vector<OperatorId> functions = {OperatorId::kPow};
#define RESIDUE_OP(...)
#define RESIDUE_FUNCTION(Name, ...) functions.push_back(OperatorId::k##Name);
#include "core/ops.def"
  return functions;
}
INSTANTIATE_TEST_SUITE_P(, FunctionTest, ::testing::ValuesIn(Functions()),
                         [](const auto& one) { return std::string(OperatorName(one.param)); });

}  // namespace
}  // namespace residue::testing
