// Running rows in tests, and failing with all there is to know.
#pragma once

#include <gtest/gtest.h>

#include "support/figures.h"
#include "support/tier.h"
#include "verification/row_run.h"

namespace residue::testing {

template <class T>
void RunOwnRow(OperatorId op, Form form, Target target, const T* a, const T* b, T* out, size_t count) {
  const RowEntry row = FindRow({op, kDataTypeOf<T>}, target);
  const bool is_own = row.target == TargetOfRows(target, kDataTypeOf<T>);
  ASSERT_TRUE(is_own || (row.light && target == Target::kAvx3Spr)) << "no row of this target";
  RunForm(op, form, target, DefaultParams(op), a, b, out, count);
}

template <class T>
std::string DescribeFailure(OperatorId op, Form form, Target target, size_t index, T a, T b, T expected,
                            T got) {
  return DescribeDifference(op, form, target, index, a, b, expected, got, Seed()) +
         "  (repeat with RESIDUE_SEED=" + std::to_string(Seed()) + " and this test's filter)";
}

// Compares bit for bit; a and b are the operands of each element.
template <class T>
::testing::AssertionResult SameBits(OperatorId op, Form form, Target target, const T* a, const T* b,
                                    const T* expected, const T* got, size_t count) {
  AddFigure(Figure::kComparisons, count);
  const size_t i = FirstDifference(expected, got, count);
  if (i == count) return ::testing::AssertionSuccess();
  const T x = form == Form::kScalarVector ? a[0] : a[i];
  const T y = form == Form::kVectorScalar ? b[0] : b[i];
  return ::testing::AssertionFailure() << DescribeFailure(op, form, target, i, x, y, expected[i], got[i]);
}

}  // namespace residue::testing
