// The exceptions of functions: those that the C library raises for the same numbers, on every target, of one
// element among many, and where the results take the operands' place.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cpu/rows/reference.h"
#include "cpu/rows/row.h"
#include "verification/c_functions.h"
#include "verification/row_run.h"

namespace residue::testing {
namespace {

// Asks the C library. Its pow tells a division by zero of 0 to the power of minus infinity, where IEEE 754
// leaves the choice, and ours does not, because an operand is infinite.
Exceptions Raised(OperatorId op, float a, float b) {
  volatile float x = a;
  volatile float y = b;
  std::feclearexcept(FE_ALL_EXCEPT);
  if (const OfOne<float> one = FindCFunction<float>(op); one != nullptr) {
    volatile float result = one(x);
    (void)result;
  } else {
    volatile float result = FindCFunctionOfTwo<float>(op)(x, y);
    (void)result;
  }
  Exceptions raised = kNoException;
  if (std::fetestexcept(FE_DIVBYZERO) != 0 && !std::isinf(b)) raised |= kDivisionByZero;
  if (std::fetestexcept(FE_INVALID) != 0) raised |= kInvalidOperation;
  if (std::fetestexcept(FE_OVERFLOW) != 0) raised |= kOverflow;
  return raised;
}

const float kEdges[] = {0.0f,
                        -0.0f,
                        0x1p-149f,
                        -0x1p-149f,
                        0x1p-126f,
                        0.25f,
                        0.5f,
                        -0.5f,
                        1.0f,
                        -1.0f,
                        0x1.000002p0f,
                        -0x1.000002p0f,
                        2.0f,
                        -2.0f,
                        3.0f,
                        -3.0f,
                        88.0f,
                        89.0f,
                        -89.0f,
                        90.0f,
                        -104.0f,
                        1000.0f,
                        -1000.0f,
                        0x1p64f,
                        -0x1p64f,
                        0x1.fffffep127f,
                        -0x1.fffffep127f,
                        std::numeric_limits<float>::infinity(),
                        -std::numeric_limits<float>::infinity(),
                        std::numeric_limits<float>::quiet_NaN()};

struct Elements {
  std::vector<float> x;
  std::vector<float> y;
  uint8_t single = 0;  // bit 1: y is one element for all
};

Exceptions RunOn(OperatorId op, Target target, Elements elements, bool in_place) {
  std::vector<float> out(elements.x.size());
  Row row{};
  row.in[0] = elements.x.data();
  row.in[1] = elements.y.data();
  row.out = in_place ? elements.x.data() : out.data();
  row.count = elements.x.size();
  row.params = DefaultParams(op).bytes;
  row.single = elements.single;
  row.detect = true;
  return FindRow({op, DataType::kFloat32}, target).run(row);
}

std::vector<Target> AllTargets() {
  std::vector<Target> targets = VectorTargets(DataType::kFloat32);
  targets.push_back(Target::kReference);
  return targets;
}

bool IsOfC(OperatorId op) {
  return FindCFunction<float>(op) != nullptr || FindCFunctionOfTwo<float>(op) != nullptr;
}

TEST(FunctionExceptionsTest, AreThoseOfTheCLibrary) {
  for (const OperatorId op : kAllOperators) {
    if (!IsOfC(op)) continue;
    for (const float a : kEdges) {
      for (const float b : kEdges) {
        const Exceptions expected = Raised(op, a, b);
        for (const Target target : AllTargets()) {
          ASSERT_EQ(RunOn(op, target, {{a}, {b}}, false), expected)
              << OperatorName(op) << "(" << a << ", " << b << ") on " << TargetName(target);
        }
        if (InputCount(op) == 1) break;
      }
    }
  }
}

// Logarithms of 1 have none.
TEST(FunctionExceptionsTest, OneElementAmongMany) {
  for (const Target target : AllTargets()) {
    const size_t count = target == Target::kReference ? 40 : 1500;
    for (const size_t at : {size_t{0}, count / 2, count - 1}) {
      for (const bool in_place : {false, true}) {
        Elements elements{std::vector<float>(count, 1.0f), {}};
        EXPECT_EQ(RunOn(OperatorId::kLog, target, elements, in_place), kNoException);
        elements.x[at] = 0;
        EXPECT_EQ(RunOn(OperatorId::kLog, target, elements, in_place), kDivisionByZero) << TargetName(target);
        elements.x[at] = -1;
        EXPECT_EQ(RunOn(OperatorId::kLog, target, elements, in_place), kInvalidOperation)
            << TargetName(target);
      }
    }
  }
}

TEST(FunctionExceptionsTest, OneOperandForAll) {
  for (const Target target : AllTargets()) {
    const size_t count = target == Target::kReference ? 20 : 700;
    Elements elements{std::vector<float>(count, 3.0f), {-1.0f}, 2};
    EXPECT_EQ(RunOn(OperatorId::kPow, target, elements, false), kNoException);
    elements.x[count - 2] = 0;
    EXPECT_EQ(RunOn(OperatorId::kPow, target, elements, false), kDivisionByZero) << TargetName(target);
    elements.y = {200.0f};
    EXPECT_EQ(RunOn(OperatorId::kPow, target, elements, false), kOverflow) << TargetName(target);
  }
}

// Where the result is NaN as well; the C library's 1 for pow(signalling NaN, 0) is told nowhere.
TEST(FunctionExceptionsTest, SignallingNan) {
  const float signalling = FromBits<float>(0x7F800001u);
  for (const OperatorId op : kAllOperators) {
    if (!IsSeenFromResults(TraitsOf(op).exceptions)) continue;
    const bool gives_nan = std::isnan(reference::Evaluate(op, signalling, 1.0f));  // shrink gives 0
    for (const Target target : AllTargets()) {
      EXPECT_EQ(RunOn(op, target, {{signalling}, {1.0f}}, false),
                gives_nan ? kInvalidOperation : kNoException)
          << OperatorName(op) << " on " << TargetName(target);
    }
  }
}

}  // namespace
}  // namespace residue::testing
