// Contract, section 14: modulus numerics, through the whole API (R193-R210). The rows' own tests go
// further.
#include <cmath>
#include <limits>

#include "cpu/rows/reference.h"
#include "support/dml_fixture.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Bit for bit, where any NaN equals any other.
void ExpectSame(const std::vector<float>& got, const std::vector<float>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << i;
    } else {
      EXPECT_EQ(ToBits(got[i]), ToBits(expected[i])) << i << ": " << got[i] << " instead of " << expected[i];
    }
  }
}

TEST_F(ContractTest, R193_SignsOfBothOperators) {
  const std::vector<float> a = {7, -7, 7, -7};
  const std::vector<float> b = {3, 3, -3, -3};
  ExpectSame(Compute(kTruncate, DML_TENSOR_DATA_TYPE_FLOAT32, a, b), {1, -1, 1, -1});
  ExpectSame(Compute(kFloor, DML_TENSOR_DATA_TYPE_FLOAT32, a, b), {1, 2, -2, -1});
}

// Where the documented formula and the documented languages disagree, the languages win.
TEST_F(ContractTest, R194_InfiniteDivisors) {
  const std::vector<float> a = {5, -5, 5, -5};
  const std::vector<float> b = {kInfinity, kInfinity, -kInfinity, -kInfinity};
  ExpectSame(Compute(kTruncate, DML_TENSOR_DATA_TYPE_FLOAT32, a, b), {5, -5, 5, -5});
  ExpectSame(Compute(kFloor, DML_TENSOR_DATA_TYPE_FLOAT32, a, b), {5, kInfinity, -kInfinity, -5});
}

// A full divisor where the quotient is an exact integer is the defect of GPUs with inexact division.
TEST_F(ContractTest, R198_ExactIntegerQuotients) {
  std::vector<float> a;
  std::vector<float> b;
  for (int q = -50; q <= 50; ++q) {
    for (const float divisor : {3.f, 7.f, 0.1f, 0.7f, 10.f, 49.f}) {
      const float product = static_cast<float>(q) * divisor;
      if (static_cast<double>(product) != static_cast<double>(q) * static_cast<double>(divisor)) continue;
      a.push_back(product);
      b.push_back(divisor);
    }
  }
  for (const float r : Compute(kFloor, DML_TENSOR_DATA_TYPE_FLOAT32, a, b)) EXPECT_EQ(r, 0.f);
}

// The grid of quarters that TensorFlow's DirectML plugin tests, against the C library's exact fmod.
TEST_F(ContractTest, R200_QuarterValuedData) {
  std::vector<float> a;
  std::vector<float> b;
  for (int i = -40; i <= 40; ++i) {
    for (int j = -20; j <= 20; ++j) {
      a.push_back(static_cast<float>(i) / 4);
      b.push_back(static_cast<float>(j) / 4);
    }
  }
  const auto floored = Compute(kFloor, DML_TENSOR_DATA_TYPE_FLOAT32, a, b);
  const auto truncated = Compute(kTruncate, DML_TENSOR_DATA_TYPE_FLOAT32, a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    const float r = std::fmod(a[i], b[i]);
    if (b[i] == 0) {
      EXPECT_TRUE(std::isnan(floored[i]) && std::isnan(truncated[i]));
      continue;
    }
    EXPECT_EQ(ToBits(truncated[i]), ToBits(r));
    const float up = r != 0 && (r < 0) != (b[i] < 0) ? r + b[i] : std::copysign(r, b[i]);
    EXPECT_EQ(ToBits(floored[i]), ToBits(up)) << a[i] << " " << b[i];
  }
}

TEST_F(ContractTest, R201_Int64IsNotCastToInt32) {
  const std::vector<int64_t> a = {(int64_t{1} << 53) + 1, INT64_MAX, INT64_MIN, -(int64_t{1} << 40) - 3};
  const std::vector<int64_t> b = {10, int64_t{1} << 33, 7, int64_t{1} << 20};
  EXPECT_EQ(Compute(kTruncate, DML_TENSOR_DATA_TYPE_INT64, a, b),
            (std::vector<int64_t>{3, (int64_t{1} << 33) - 1, INT64_MIN % 7, -3}));
}

TEST_F(ContractTest, R203_HalfRemainders) {
  // (-4.3, 2.1) and (7.2, -3.4) as halves; the remainders are those of the halves.
  const std::vector<uint16_t> a = {0xC44D, 0x4733};
  const std::vector<uint16_t> b = {0x4033, 0xC2CD};
  const auto r = Compute(kTruncate, DML_TENSOR_DATA_TYPE_FLOAT16, a, b);
  EXPECT_EQ(HalfToFloat({r[0]}), -0.1015625f);
  EXPECT_EQ(HalfToFloat({r[1]}), 0.3984375f);
}

TEST_F(ContractTest, R204_TruncateIsFmod) {
  const std::vector<float> a = {0.f,
                                -0.f,
                                5.f,
                                -5.f,
                                kInfinity,
                                5.f,
                                5.f,
                                kNan,
                                5.f,
                                6.f,
                                -6.f,
                                16777216.f,
                                std::numeric_limits<float>::max(),
                                1e9f};
  const std::vector<float> b = {3.f, 3.f,  kInfinity, -kInfinity, 3.f, 0.f, -0.f,
                                3.f, kNan, 3.f,       3.f,        1.f, 1.f, 3.14159274f};
  ExpectSame(Compute(kTruncate, DML_TENSOR_DATA_TYPE_FLOAT32, a, b),
             {0.f, -0.f, 5.f, -5.f, kNan, kNan, kNan, kNan, kNan, 0.f, -0.f, 0.f, 0.f, 1.02419496f});
}

TEST_F(ContractTest, R205_FloorIsPythonsModulo) {
  const std::vector<float> a = {-1e-20f, 0.f, -0.f,      0.f, 6.f,   -6.f, 5.f,
                                -5.f,    0.f, kInfinity, 5.f, 0.84f, -1.f};
  const std::vector<float> b = {1.f,        -3.f,       3.f, 3.f, -3.f,  3.f, -kInfinity,
                                -kInfinity, -kInfinity, 3.f, 0.f, 0.02f, 3.f};
  ExpectSame(Compute(kFloor, DML_TENSOR_DATA_TYPE_FLOAT32, a, b),
             {1.f, -0.f, 0.f, 0.f, -0.f, 0.f, -kInfinity, -5.f, -0.f, kNan, kNan, 0.0199999921f, 2.f});
}

// Every half against a few divisors: as if exact, then rounded once.
TEST_F(ContractTest, R206_HalvesAreRoundedOnce) {
  for (const int divisor_bits : {0x3C00, 0xBC00, 0x0001, 0x4248, 0xFBFF, 0x2E66}) {
    const auto divisor = static_cast<uint16_t>(divisor_bits);
    std::vector<uint16_t> a(65536);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<uint16_t>(i);
    const std::vector<uint16_t> b(a.size(), divisor);
    for (const auto op : {kFloor, kTruncate}) {
      const auto got = Compute(op, DML_TENSOR_DATA_TYPE_FLOAT16, a, b);
      for (size_t i = 0; i < a.size(); ++i) {
        const Float16 expected =
            reference::Evaluate(op == kFloor ? OperatorId::kModulusFloor : OperatorId::kModulusTruncate,
                                Float16{a[i]}, Float16{divisor});
        ASSERT_EQ(got[i], expected.bits) << i;
      }
    }
  }
}

TEST_F(ContractTest, R207_DenormalsAreKeptAndNanIsQuiet) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const auto r =
      Compute<float>(kTruncate, DML_TENSOR_DATA_TYPE_FLOAT32,
                     {5 * tiny, tiny, 1.f, FromBits<float>(0x7F800001)}, {3 * tiny, 1.f, 3 * tiny, 2.f});
  EXPECT_EQ(r[0], 2 * tiny);
  EXPECT_EQ(r[1], tiny);
  EXPECT_EQ(r[2], std::fmod(1.f, 3 * tiny));
  EXPECT_EQ(ToBits(r[3]) & 0x7FC00000u, 0x7FC00000u) << "a signalling NaN comes out quiet";
}

template <class T>
std::vector<T> Wide(T value) {
  return std::vector<T>(65, value);
}

TEST_F(ContractTest, R208_IntegersAndMinByMinusOne) {
  const auto check = [&]<class T>(T, DML_TENSOR_DATA_TYPE type) {
    for (const auto op : {kFloor, kTruncate}) {
      EXPECT_EQ(Compute(op, type, Wide(std::numeric_limits<T>::min()), Wide(static_cast<T>(-1))), Wide(T{0}));
    }
    EXPECT_EQ(Compute(kFloor, type, Wide(static_cast<T>(-7)), Wide(T{3})), Wide(T{2}));
    EXPECT_EQ(Compute(kFloor, type, Wide(T{7}), Wide(static_cast<T>(-3))), Wide(static_cast<T>(-2)));
    EXPECT_EQ(Compute(kTruncate, type, Wide(static_cast<T>(-7)), Wide(T{3})), Wide(static_cast<T>(-1)));
  };
  check(int8_t{}, DML_TENSOR_DATA_TYPE_INT8);
  check(int16_t{}, DML_TENSOR_DATA_TYPE_INT16);
  check(int32_t{}, DML_TENSOR_DATA_TYPE_INT32);
  check(int64_t{}, DML_TENSOR_DATA_TYPE_INT64);
  EXPECT_EQ(Compute(kFloor, DML_TENSOR_DATA_TYPE_UINT32, Wide(uint32_t{0xFFFFFFF9}), Wide(uint32_t{3})),
            Compute(kTruncate, DML_TENSOR_DATA_TYPE_UINT32, Wide(uint32_t{0xFFFFFFF9}), Wide(uint32_t{3})));
}

TEST_F(ContractTest, R209_IntegerDivisorZero) {
  const auto check = [&]<class T>(T, DML_TENSOR_DATA_TYPE type) {
    for (const auto op : {kFloor, kTruncate}) {
      for (const T a : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{0}, T{5}}) {
        EXPECT_EQ(Compute(op, type, Wide(a), Wide(T{0})), Wide(T{0}));
      }
    }
  };
  check(int8_t{}, DML_TENSOR_DATA_TYPE_INT8);
  check(int16_t{}, DML_TENSOR_DATA_TYPE_INT16);
  check(int32_t{}, DML_TENSOR_DATA_TYPE_INT32);
  check(int64_t{}, DML_TENSOR_DATA_TYPE_INT64);
  check(uint8_t{}, DML_TENSOR_DATA_TYPE_UINT8);
  check(uint16_t{}, DML_TENSOR_DATA_TYPE_UINT16);
  check(uint32_t{}, DML_TENSOR_DATA_TYPE_UINT32);
  check(uint64_t{}, DML_TENSOR_DATA_TYPE_UINT64);
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R210_ResultsDependOnNothingElse) {
  const UINT count = 1000;
  PairGenerator<float> generator(11);
  std::vector<float> a(count);
  std::vector<float> b(count);
  generator.Fill(a, b);
  const auto expected = Compute(kFloor, DML_TENSOR_DATA_TYPE_FLOAT32, a, b);
  for (const UINT flags : {1u, 2u, 4u, 7u}) {
    const Tensor like = Float32({count});
    const auto got = Compute(kFloor, like, like, like, a, b, AnyNumber<DML_EXECUTION_FLAGS>(flags));
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), count * 4), 0) << flags;
  }
  const Tensor square = Float32({10, 100}, {100, 1});
  const auto shaped = Compute(kFloor, square, square, square, a, b);
  EXPECT_EQ(std::memcmp(shaped.data(), expected.data(), count * 4), 0);
  // Other offsets in the buffers, and in place.
  const auto compiled = CompileModulus(kFloor, Float32({count}));
  Initialize(compiled.Get());
  for (const UINT64 offset : {UINT64{16}, UINT64{48}}) {
    const auto x = MakeBuffer(8192);
    const auto y = MakeBuffer(8192);
    Write(x.Get(), a, offset);
    Write(y.Get(), b, offset);
    Run(compiled.Get(), {{x.Get(), offset, 4000}, {y.Get(), offset, 4000}}, {{x.Get(), offset, 4000}});
    EXPECT_EQ(std::memcmp(Data<char>(x.Get()) + offset, expected.data(), count * 4), 0) << offset;
  }
}

}  // namespace
}  // namespace residue::testing
