// The k-th allocation fails in every call of the C interface that allocates: the right status, nothing
// written, nothing leaked, and the next try succeeds.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "faults/failing_allocator.h"
#include "residue/residue.h"
#include "support/figures.h"
#include "verification/binary_problem.h"

namespace residue::testing {
namespace {

using failing_allocator::allocations_left;
using failing_allocator::failed;

constexpr size_t kCount = 64;

class EngineFaultTest : public ::testing::Test {
 protected:
  EngineFaultTest() { std::iota(memory_.begin(), memory_.end(), -100); }

  // Returns how many allocations there were.
  int ForEveryAllocation(const std::function<residue_status()>& act) {
    const std::vector<int32_t> before = memory_;
    for (int k = 0;; ++k) {
      failed = false;
      allocations_left = k;
      const residue_status status = act();
      allocations_left = -1;
      if (!failed) {
        EXPECT_EQ(status, RESIDUE_OK);
        AddFigure(Figure::kFaultScenarios, 1);
        AddFigure(Figure::kFaults, static_cast<uint64_t>(k));
        memory_ = before;
        return k;
      }
      EXPECT_EQ(status, RESIDUE_OUT_OF_MEMORY) << "allocation " << k;
      EXPECT_EQ(memory_, before) << "allocation " << k << " left something written";
    }
  }

  static BinaryProblem Problem(residue_operator op) {
    BinaryProblem problem(op, RESIDUE_INT32, 1);
    problem.problem.sizes[0] = kCount;
    problem.a_strides()[0] = problem.b_strides()[0] = problem.out_strides()[0] = 4;
    if (op == RESIDUE_IDENTITY) problem.DropB();
    return problem;
  }

  int32_t* at(size_t i) { return memory_.data() + i; }

  std::vector<int32_t> memory_ = std::vector<int32_t>(4 * kCount);
};

TEST_F(EngineFaultTest, MakingAPlan) {
  for (const residue_operator op : {RESIDUE_MODULUS_FLOOR, RESIDUE_MODULUS_TRUNCATE, RESIDUE_IDENTITY}) {
    BinaryProblem problem = Problem(op);
    EXPECT_EQ(ForEveryAllocation([&] {
                residue_plan* plan = nullptr;
                const residue_status status = residue_plan_create(problem.get(), &plan);
                EXPECT_EQ(status == RESIDUE_OK, plan != nullptr);
                residue_plan_destroy(plan);
                return status;
              }),
              1);
  }
}

// An output that lies over its inputs elsewhere than in place needs copies of them.
TEST_F(EngineFaultTest, CopiesOfOverlappedInputs) {
  BinaryProblem problem = Problem(RESIDUE_MODULUS_FLOOR);
  residue_plan* plan = nullptr;
  ASSERT_EQ(residue_plan_create(problem.get(), &plan), RESIDUE_OK);
  int32_t* apart = at(3 * kCount);
  for (const uint32_t threads : {0u, 1u}) {
    residue_options options{};
    options.num_threads = threads;
    EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), apart, at(1), &options); }), 1);
    EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(apart, at(0), at(1), &options); }), 1);
    EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), at(2), at(1), &options); }), 2);
    const void* const inputs[] = {at(0), at(2)};
    EXPECT_EQ(ForEveryAllocation([&] { return residue_plan_run(plan, inputs, at(1), &options); }), 2);
    EXPECT_EQ(ForEveryAllocation([&] {
                return residue_run_strided(RESIDUE_MODULUS_TRUNCATE, RESIDUE_INT32, at(0), 4, at(9), 4, at(1),
                                           4, kCount, &options);
              }),
              2);
  }
  EXPECT_EQ(ForEveryAllocation([&] {
              return residue_run_packed(RESIDUE_IDENTITY, RESIDUE_INT32, at(0), nullptr, at(1), kCount);
            }),
            1);
  residue_plan_destroy(plan);
}

// What is promised to need no memory needs none.
TEST_F(EngineFaultTest, TheRestAllocatesNothing) {
  BinaryProblem problem = Problem(RESIDUE_MODULUS_FLOOR);
  int32_t* apart = at(3 * kCount);
  char text[64];
  uint32_t exceptions = 0;
  residue_options options{};
  options.exceptions = &exceptions;
  EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), at(kCount), apart, &options); }), 0);
  EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), at(kCount), at(0), nullptr); }), 0);
  EXPECT_EQ(ForEveryAllocation([&] { return residue_describe(problem.get(), text, sizeof(text)); }), 0);
}

}  // namespace
}  // namespace residue::testing
