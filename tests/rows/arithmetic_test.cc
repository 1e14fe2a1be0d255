// Sums, differences and products against arithmetic of another kind: integers digit by digit, halves in
// float64, where all of them are exact, and float32 and float64 by the processor, exceptions included.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr OperatorId kOperations[] = {OperatorId::kAdd, OperatorId::kSubtract, OperatorId::kMultiply};

template <class N>
N Apply(OperatorId op, N a, N b) {
  return op == OperatorId::kAdd ? a + b : op == OperatorId::kSubtract ? a - b : a * b;
}

// Integers modulo 2^64, of which narrower ones are the low digits.
uint64_t ApplyModular(OperatorId op, uint64_t a, uint64_t b) {
  if (op == OperatorId::kAdd) return a + b;
  if (op == OperatorId::kSubtract) return a + ~b + 1;
  uint64_t product = 0;
  for (int digit = 0; digit < 64; ++digit) {
    if ((b >> digit & 1) != 0) product += a << digit;
  }
  return product;
}

template <class T>
struct Expected {
  T result;
  Exceptions exceptions;
};

template <class T>
Expected<T> Exactly(OperatorId op, T a, T b) {
  if constexpr (std::integral<T>) {
    return {static_cast<T>(ApplyModular(op, static_cast<uint64_t>(a), static_cast<uint64_t>(b))),
            kNoException};
  } else if constexpr (std::is_same_v<T, Float16>) {
    const auto x = static_cast<double>(HalfToFloat(a));
    const auto y = static_cast<double>(HalfToFloat(b));
    const double exact = Apply(op, x, y);
    const auto signalling = [](Float16 h) { return (h.bits & 0x7FFF) > 0x7C00 && (h.bits & 0x200) == 0; };
    if (std::isnan(exact)) {
      const bool invalid = (!std::isnan(x) && !std::isnan(y)) || signalling(a) || signalling(b);
      return {kHalfNan, invalid ? kInvalidOperation : kNoException};
    }
    const bool overflow = std::isfinite(exact) && std::fabs(exact) >= 65520.0;
    return {DoubleToHalf(exact), overflow ? kOverflow : kNoException};
  } else {
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile T x = a;
    volatile T y = b;
    volatile T result = op == OperatorId::kAdd ? x + y : op == OperatorId::kSubtract ? x - y : x * y;
    const T value = result;
    return {std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value,
            (std::fetestexcept(FE_INVALID) != 0 ? kInvalidOperation : 0) |
                (std::fetestexcept(FE_OVERFLOW) != 0 ? kOverflow : 0)};
  }
}

template <class T>
class ArithmeticTest : public ::testing::Test {
 protected:
  // All of `a` with one b, on every target in every form, and by the reference.
  void Check(OperatorId op, const std::vector<T>& a, T b) {
    const size_t count = a.size();
    const std::vector<T> bs(count, b);
    std::vector<T> expected(count);
    std::vector<T> turned(count);  // b first
    std::vector<T> out(count);
    Exceptions exceptions = kNoException;
    for (size_t i = 0; i < count; ++i) {
      const Expected<T> one = Exactly(op, a[i], b);
      expected[i] = one.result;
      exceptions |= one.exceptions;
      turned[i] = Exactly(op, b, a[i]).result;
      const T by_reference = reference::Evaluate(op, a[i], b);
      ASSERT_TRUE(
          SameBits(op, Form::kVectorVector, Target::kReference, &a[i], &b, &expected[i], &by_reference, 1));
      ASSERT_EQ(reference::Detect(op, a[i], b), one.exceptions) << Describe(a[i]) << " and " << Describe(b);
    }
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kStrided}) {
        ASSERT_NO_FATAL_FAILURE(RunOwnRow(op, form, target, a.data(), bs.data(), out.data(), count));
        ASSERT_TRUE(SameBits(op, form, target, a.data(), bs.data(), expected.data(), out.data(), count));
        ASSERT_EQ(RunForm(op, form, target, {}, a.data(), bs.data(), out.data(), count, true), exceptions)
            << OperatorName(op) << " on " << TargetName(target) << ", b = " << Describe(b);
      }
      ASSERT_NO_FATAL_FAILURE(
          RunOwnRow(op, Form::kScalarVector, target, bs.data(), a.data(), out.data(), count));
      ASSERT_TRUE(
          SameBits(op, Form::kScalarVector, target, bs.data(), a.data(), turned.data(), out.data(), count));
    }
  }
};
TYPED_TEST_SUITE(ArithmeticTest, AllElementTypes, TypeNames);

TYPED_TEST(ArithmeticTest, EveryPairOfEdges) {
  using T = TypeParam;
  const std::vector<T> edges = EdgeValues<T>();
  for (const OperatorId op : kOperations) {
    for (const T b : edges) ASSERT_NO_FATAL_FAILURE(this->Check(op, edges, b));
  }
}

// One pair at a time, whose exceptions are its own: the first element of a row, and one far behind it.
TYPED_TEST(ArithmeticTest, ExceptionsOfOnePair) {
  using T = TypeParam;
  const std::vector<T> edges = EdgeValues<T>();
  for (const OperatorId op : kOperations) {
    for (size_t n = 0; n < edges.size() * edges.size(); n += 1 + edges.size() / 7) {
      const T a = edges[n / edges.size()];
      const T b = edges[n % edges.size()];
      ASSERT_NO_FATAL_FAILURE(this->Check(op, {a}, b));
      std::vector<T> row(700 / sizeof(T), b);
      row[row.size() * 2 / 3] = a;
      ASSERT_NO_FATAL_FAILURE(this->Check(op, row, b));
    }
  }
}

// All pairs of 8 bits; of 16 bits, all first operands with a part of the second ones.
TYPED_TEST(ArithmeticTest, EveryFirstOperand) {
  using T = TypeParam;
  if constexpr (sizeof(T) <= 2) {
    std::vector<T> all;
    for (uint32_t bits = 0; bits < 1u << (8 * sizeof(T)); ++bits) all.push_back(FromBits<T>(bits));
    const auto step = static_cast<uint32_t>(sizeof(T) == 1 ? 1 : ByTier(9'973, 997, 37));
    for (const OperatorId op : kOperations) {
      for (uint32_t bits = 0; bits < all.size(); bits += step) {
        ASSERT_NO_FATAL_FAILURE(this->Check(op, all, FromBits<T>(bits)));
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
