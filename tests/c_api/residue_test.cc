// The C interface as a caller sees it: linked against the library, nothing internal.
#include "residue/residue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/operator_id.h"
#include "support/guarded_arena.h"
#include "verification/binary_problem.h"

namespace {

using residue::testing::BinaryProblem;
using residue::testing::GuardedArena;

BinaryProblem Packed(residue_operator op, residue_type type, uint64_t count, int64_t size) {
  BinaryProblem problem(op, type, 1);
  problem.problem.sizes[0] = count;
  problem.a_strides()[0] = problem.b_strides()[0] = problem.out_strides()[0] = size;
  return problem;
}

std::string Describe(BinaryProblem& problem, residue_status expected) {
  char text[300] = "";
  EXPECT_EQ(residue_describe(problem.get(), text, sizeof(text)), expected);
  return text;
}

TEST(CApiTest, VersionMatchesTheHeader) {
  EXPECT_STREQ(residue_version(), RESIDUE_VERSION_STRING);
  const std::string numbers = std::to_string(RESIDUE_VERSION_MAJOR) + "." +
                              std::to_string(RESIDUE_VERSION_MINOR) + "." +
                              std::to_string(RESIDUE_VERSION_PATCH);
  EXPECT_EQ(numbers, RESIDUE_VERSION_STRING);
}

TEST(CApiTest, RunPackedInPlace) {
  double a[] = {5.5, -5.5, 7.0};
  const double b[] = {2.0, 2.0, -4.0};
  ASSERT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT64, a, b, a, 3), RESIDUE_OK);
  EXPECT_EQ(a[0], 1.5);
  EXPECT_EQ(a[1], 0.5);
  EXPECT_EQ(a[2], -1.0);
}

TEST(CApiTest, RunStridedWithABroadcastDivisorAndAReversedOutput) {
  const int32_t a[] = {10, 0, 11, 0, -12, 0};
  const int32_t b = 4;
  int32_t out[3];
  ASSERT_EQ(residue_run_strided(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, a, 8, &b, 0, out + 2, -4, 3, nullptr),
            RESIDUE_OK);
  EXPECT_EQ(out[2], 2);
  EXPECT_EQ(out[1], 3);
  EXPECT_EQ(out[0], 0);
}

// a = x[1:], b = x[:-1], out = x[1:]: the result is that of a copy.
TEST(CApiTest, ShiftedOverlapIsRight) {
  int32_t x[] = {7, 23, 41, 100, 5, 64};
  const int32_t before[] = {7, 23, 41, 100, 5, 64};
  ASSERT_EQ(residue_run_packed(RESIDUE_MODULUS_TRUNCATE, RESIDUE_INT32, x + 1, x, x + 1, 5), RESIDUE_OK);
  for (int i = 1; i < 6; ++i) EXPECT_EQ(x[i], before[i] % before[i - 1]) << i;
}

TEST(CApiTest, NoElementsNeedNoMemory) {
  EXPECT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT8, nullptr, nullptr, nullptr, 0),
            RESIDUE_OK);
}

TEST(CApiTest, NullPointersAreRefused) {
  int32_t x = 1;
  EXPECT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, nullptr, &x, &x, 1),
            RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, &x, nullptr, &x, 1),
            RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, &x, &x, nullptr, 1),
            RESIDUE_NULL_POINTER);
  const void* const inputs[] = {&x, &x};
  EXPECT_EQ(residue_run(nullptr, inputs, &x, nullptr), RESIDUE_NULL_POINTER);
  residue_plan* plan = nullptr;
  EXPECT_EQ(residue_plan_create(nullptr, &plan), RESIDUE_NULL_POINTER);
  BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, 1, 4);
  EXPECT_EQ(residue_plan_create(problem.get(), nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_plan_run(nullptr, inputs, &x, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_describe(nullptr, nullptr, 0), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_describe(problem.get(), nullptr, 5), RESIDUE_NULL_POINTER);
  residue_plan_destroy(nullptr);
}

// Museum own-166: the operands end where memory does.
TEST(CApiTest, OperandsThatAreNotThereAreNotRead) {
  GuardedArena arena(4096);
  int32_t numbers[4] = {};
  const void* const inputs[] = {numbers, numbers};
  BinaryProblem given(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, 1);
  residue_problem problem = *given.get();
  problem.sizes[0] = 4;
  for (const uint32_t count : {0u, 1u, 2u}) {
    problem.operand_count = count;
    problem.operands = reinterpret_cast<const residue_operand*>(arena.end()) - count;
    EXPECT_EQ(residue_run(&problem, inputs, numbers, nullptr), RESIDUE_INVALID_OPERAND_COUNT) << count;
  }
}

TEST(CApiTest, AddressesThatWrapAroundAreRefused) {
  BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT8, 4096, 1);
  int8_t memory[4096] = {};
  auto* high = reinterpret_cast<void*>(UINTPTR_MAX - 16);
  EXPECT_EQ(problem.Run(high, memory, memory, nullptr), RESIDUE_TOO_LARGE);
  BinaryProblem backwards = problem;
  backwards.b_strides()[0] = -1;
  EXPECT_EQ(backwards.Run(memory, reinterpret_cast<void*>(16), memory, nullptr), RESIDUE_TOO_LARGE);
}

TEST(CApiTest, RefusalsNameTheFieldBothValuesAndTheFix) {
  BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 5, 4);
  problem.problem.op = 770;
  const std::string refusal = Describe(problem, RESIDUE_INVALID_OPERATOR);
  EXPECT_EQ(refusal.find("op: 770 was provided, but at most "), 0u) << refusal;
  EXPECT_NE(refusal.find(" was expected: no operator has this number; see residue_operator"),
            std::string::npos);
  problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 5, 4);
  problem.operands[0].type = -1;
  EXPECT_EQ(Describe(problem, RESIDUE_INVALID_TYPE).find("operands[0].type: -1 was provided"), 0u);
  problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 5, 2);
  EXPECT_EQ(Describe(problem, RESIDUE_OUTPUT_OVERLAPS_ITSELF)
                .find("operands[2].strides[0]: 2 was provided, but at least 4 was expected: "),
            0u);
  problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 5, 4);
  problem.problem.max_target = "PENTIUM";
  EXPECT_NE(Describe(problem, RESIDUE_INVALID_TARGET), "");
  problem.problem.rank = 9;
  problem.problem.max_target = nullptr;
  EXPECT_EQ(Describe(problem, RESIDUE_INVALID_RANK).find("rank: 9 was provided, but at most 8 was expected"),
            0u);
}

TEST(CApiTest, ReservedFieldsMustBeZero) {
  int8_t x = 1;
  BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT8, 1, 1);
  problem.problem.flags = 7;
  EXPECT_EQ(
      Describe(problem, RESIDUE_RESERVED_NOT_ZERO).find("flags: 7 was provided, but at most 1 was expected"),
      0u);
  problem.problem.flags = 0;
  residue_options options = {0, 1, nullptr, nullptr};
  EXPECT_EQ(problem.Run(&x, &x, &x, &options), RESIDUE_RESERVED_NOT_ZERO);
  const residue_executor executor = {nullptr, 1, 1, [](void*, uint32_t, void (*)(void*, uint32_t), void*) {}};
  options = {0, 0, &executor, nullptr};
  EXPECT_EQ(problem.Run(&x, &x, &x, &options), RESIDUE_RESERVED_NOT_ZERO);
}

TEST(CApiTest, DescribeNamesTheRowOfEveryTarget) {
  BinaryProblem problem = Packed(RESIDUE_MODULUS_TRUNCATE, RESIDUE_FLOAT16, 5, 2);
  problem.b_strides()[0] = 0;
  uint32_t targets = 0;
  for (; residue_target_name(targets) != nullptr; ++targets) {
    problem.problem.max_target = residue_target_name(targets);
    EXPECT_EQ(Describe(problem, RESIDUE_OK),
              std::string("modulus_truncate.f16@") + residue_target_name(targets));
  }
  EXPECT_GE(targets, 2u);
}

// Museum own-167: every second half, of one dimension, without a target: what needs no plan looks like this.
TEST(CApiTest, APlanStoresTheTypeOfItsResults) {
  for (const residue::OperatorId op : residue::kAllOperators) {
    using enum residue::DataType;
    if (!residue::IsUniform(op) || !residue::Gives(op, kFloat32, kFloat16)) continue;
    BinaryProblem problem(static_cast<residue_operator>(op), RESIDUE_FLOAT32, 1);
    const uint32_t output = residue::InputCount(op);
    if (output == 1) problem.DropB();
    problem.problem.sizes[0] = 3;
    for (residue_operand& operand : problem.operands) operand.strides[0] = 4;
    problem.operands[output].type = RESIDUE_FLOAT16;
    const float x[3] = {0.25f, 0.5f, 0.75f};
    const void* const inputs[] = {x, x};
    std::vector<uint16_t> expected(6, 0xABCD);
    std::vector<uint16_t> got = expected;
    ASSERT_EQ(residue_run(problem.get(), inputs, expected.data(), nullptr), RESIDUE_OK);
    residue_plan* plan = nullptr;
    ASSERT_EQ(residue_plan_create(problem.get(), &plan), RESIDUE_OK);
    EXPECT_EQ(residue_plan_run(plan, inputs, got.data(), nullptr), RESIDUE_OK);
    residue_plan_destroy(plan);
    EXPECT_EQ(got, expected) << residue::OperatorName(op);
    EXPECT_EQ(got[5], 0xABCD) << residue::OperatorName(op);
  }
}

// Museum own-168.
TEST(CApiTest, ADescriptionHasTheTypeOfTheResults) {
  BinaryProblem cast(RESIDUE_CAST, RESIDUE_UINT8, 0);
  cast.DropB();
  cast.problem.max_target = "REFERENCE";
  cast.operands[1].type = RESIDUE_INT64;
  EXPECT_EQ(Describe(cast, RESIDUE_OK), "cast.u8.i64@REFERENCE");
  BinaryProblem exp(RESIDUE_EXP, RESIDUE_FLOAT32, 0);
  exp.DropB();
  exp.problem.max_target = "REFERENCE";
  EXPECT_EQ(Describe(exp, RESIDUE_OK), "exp.f32@REFERENCE");
  exp.operands[1].type = RESIDUE_FLOAT16;
  EXPECT_EQ(Describe(exp, RESIDUE_OK), "exp.f32.f16@REFERENCE");
}

TEST(CApiTest, EveryStatusHasAText) {
  for (int status = RESIDUE_OK; status <= RESIDUE_NOT_ROWS; ++status) {
    EXPECT_STRNE(residue_status_text(status), "unknown status") << status;
  }
  EXPECT_STREQ(residue_status_text(12345), "unknown status");
}

// One plan, many threads, each with memory of its own.
TEST(CApiTest, APlanRunsOnManyThreadsAtOnce) {
  BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT64, 1000, 8);
  residue_plan* plan = nullptr;
  ASSERT_EQ(residue_plan_create(problem.get(), &plan), RESIDUE_OK);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 50; ++round) {
        std::vector<int64_t> a(1000, (int64_t{1} << 60) + t), b(1000, -1000003), out(1000);
        const void* const inputs[] = {a.data(), b.data()};
        if (residue_plan_run(plan, inputs, out.data(), nullptr) != RESIDUE_OK) ++wrong;
        const int64_t r = a[0] % b[0];
        if (out[0] != (r == 0 ? 0 : r + b[0]) || out[999] != out[0]) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  residue_plan_destroy(plan);
  EXPECT_EQ(wrong, 0);
}

// A caller's own pool is used for large work, with the context it gave.
TEST(CApiTest, InjectedExecutorIsUsed) {
  struct Pool {
    std::atomic<int> calls{0};
    std::atomic<int> tasks{0};
  } pool;
  residue_executor executor = {
      &pool, 3, 0, [](void* context, uint32_t count, void (*task)(void*, uint32_t), void* argument) {
        auto* used = static_cast<Pool*>(context);
        ++used->calls;
        std::vector<std::thread> threads;
        for (uint32_t i = 0; i < count; ++i) {
          ++used->tasks;
          threads.emplace_back([=] { task(argument, i); });
        }
        for (std::thread& thread : threads) thread.join();
      }};
  residue_options options = {0, 0, &executor, nullptr};
  const size_t count = 1'000'000;
  std::vector<float> a(count), b(count, 3.25f), out(count), expected(count);
  for (size_t i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i) * 1.5f;
    expected[i] = std::fmod(a[i], b[i]);
  }
  BinaryProblem problem = Packed(RESIDUE_MODULUS_TRUNCATE, RESIDUE_FLOAT32, count, 4);
  ASSERT_EQ(problem.Run(a.data(), b.data(), out.data(), &options), RESIDUE_OK);
  EXPECT_EQ(pool.calls, 1);
  EXPECT_EQ(pool.tasks, 3);
  EXPECT_EQ(std::memcmp(out.data(), expected.data(), count * sizeof(float)), 0);

  problem.problem.sizes[0] = 100;  // small work stays on this thread
  ASSERT_EQ(problem.Run(a.data(), b.data(), out.data(), &options), RESIDUE_OK);
  EXPECT_EQ(pool.calls, 1);

  executor.num_threads = 0;
  EXPECT_EQ(problem.Run(a.data(), b.data(), out.data(), &options), RESIDUE_INVALID_EXECUTOR);
  executor = {nullptr, 3, 0, nullptr};
  EXPECT_EQ(problem.Run(a.data(), b.data(), out.data(), &options), RESIDUE_INVALID_EXECUTOR);
}

TEST(CApiTest, ExceptionsAreTold) {
  const int32_t a[] = {7, 7, 7};
  const int32_t b[] = {2, 0, 3};
  int32_t out[3];
  uint32_t exceptions = 99;
  residue_options options = {};
  options.exceptions = &exceptions;
  ASSERT_EQ(residue_run_strided(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, a, 4, b, 4, out, 4, 3, &options),
            RESIDUE_OK);
  EXPECT_EQ(exceptions, uint32_t{RESIDUE_DIVISION_BY_ZERO});
  EXPECT_EQ(out[1], 0);
  ASSERT_EQ(residue_run_strided(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, a, 4, b, 0, out, 4, 3, &options),
            RESIDUE_OK);
  EXPECT_EQ(exceptions, 0u);
  const float infinite[] = {1.0f, INFINITY, NAN};
  const float divisors[] = {1.0f, 1.0f, 0.0f};
  float remainders[3];
  BinaryProblem problem = Packed(RESIDUE_MODULUS_TRUNCATE, RESIDUE_FLOAT32, 3, 4);
  ASSERT_EQ(problem.Run(infinite, divisors, remainders, &options), RESIDUE_OK);
  EXPECT_EQ(exceptions, uint32_t{RESIDUE_INVALID_OPERATION});
  problem.problem.sizes[0] = 1;
  ASSERT_EQ(problem.Run(infinite + 2, divisors + 2, remainders, &options), RESIDUE_OK);
  EXPECT_EQ(exceptions, 0u) << "a quiet NaN only passes through";
  problem.problem.op = RESIDUE_IDENTITY;
  problem.DropB();
  ASSERT_EQ(problem.Run(infinite + 1, nullptr, remainders, &options), RESIDUE_OK);
  EXPECT_EQ(exceptions, 0u);
}

TEST(CApiTest, ReductionsAndRunningResultsGoInOrder) {
  BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, 4, 4);
  problem.problem.flags = RESIDUE_IN_ORDER;
  // ((((1000 mod 600) mod 170) mod 50) mod 7)
  const int32_t divisors[] = {600, 170, 50, 7};
  int32_t sum[] = {1000};
  problem.a_strides()[0] = problem.out_strides()[0] = 0;
  ASSERT_EQ(problem.Run(sum, divisors, sum, nullptr), RESIDUE_OK);
  EXPECT_EQ(sum[0], 3);
  int32_t running[] = {1000, 0, 0, 0, 0};
  problem.a_strides()[0] = problem.out_strides()[0] = 4;
  ASSERT_EQ(problem.Run(running, divisors, running + 1, nullptr), RESIDUE_OK);
  EXPECT_EQ(running[1], 400);
  EXPECT_EQ(running[2], 60);
  EXPECT_EQ(running[3], 10);
  EXPECT_EQ(running[4], 3);
  // From the end to the beginning.
  int32_t backwards[] = {0, 0, 0, 0, 1000};
  problem.a_strides()[0] = problem.out_strides()[0] = -4;
  ASSERT_EQ(problem.Run(backwards + 4, divisors, backwards + 3, nullptr), RESIDUE_OK);
  EXPECT_EQ(backwards[0], 3);
  EXPECT_EQ(backwards[3], 400);
  // A copy that sees itself: the first element everywhere.
  int32_t copied[] = {7, 1, 2, 3, 4};
  problem.problem.op = RESIDUE_IDENTITY;
  problem.a_strides()[0] = problem.out_strides()[0] = 4;
  problem.DropB();
  ASSERT_EQ(problem.Run(copied, nullptr, copied + 1, nullptr), RESIDUE_OK);
  for (const int32_t value : copied) EXPECT_EQ(value, 7);
  problem.problem.rank = 2;
  EXPECT_EQ(Describe(problem, RESIDUE_INVALID_RANK).find("rank: 2 was provided, but at most 1 was expected"),
            0u);
}

// Few elements take a short cut; it must not show. Strides, overlaps and counts around its limits.
TEST(CApiTest, ShortRowsAreAsAnyOthers) {
  std::mt19937_64 random(20260102);
  const int64_t strides[] = {4, 4, 4, 0, 8, -4};
  std::vector<int32_t> memory(8000);
  for (int n = 0; n < 20'000; ++n) {
    const uint64_t count = random() % 8 == 0 ? 500 + random() % 30 : random() % 40;
    if (n % 20 == 0) {  // results are smaller each time
      for (int32_t& x : memory) x = static_cast<int32_t>(random() % 64) - 32;
    }
    std::vector<int32_t> expected = memory;
    BinaryProblem problem = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, count, 4);
    problem.a_strides()[0] = strides[random() % 6];
    problem.b_strides()[0] = strides[random() % 6];
    problem.out_strides()[0] = strides[random() % 6];
    // Operands in three places, or anywhere near each other.
    const bool near = random() % 2 == 0;
    size_t place[3];
    for (size_t i = 0; i < 3; ++i) place[i] = near ? 3000 + random() % 50 : 1100 + i * 2200;
    uint32_t exceptions = 7;
    uint32_t expected_exceptions = 7;
    residue_options options = {1, 0, nullptr, random() % 2 == 0 ? &exceptions : nullptr};
    const residue_status status =
        residue_run_strided(problem.problem.op, problem.operands[0].type, &memory[place[0]],
                            problem.a_strides()[0], &memory[place[1]], problem.b_strides()[0],
                            &memory[place[2]], problem.out_strides()[0], count, &options);
    if (options.exceptions != nullptr) options.exceptions = &expected_exceptions;
    ASSERT_EQ(problem.Run(&expected[place[0]], &expected[place[1]], &expected[place[2]], &options), status);
    ASSERT_EQ(std::memcmp(memory.data(), expected.data(), sizeof(int32_t) * memory.size()), 0)
        << "round " << n;
    ASSERT_EQ(exceptions, expected_exceptions) << "round " << n;
  }
}

// What the second form adds: operands, types, params and the structure's own size are checked, each by name.
TEST(CApiTest, OperandsParamsAndSizesAreChecked) {
  const auto refused = [](const BinaryProblem& given, residue_status status, const char* begins) {
    BinaryProblem problem = given;
    const std::string text = Describe(problem, status);
    EXPECT_EQ(text.find(begins), 0u) << text;
  };
  const BinaryProblem good = Packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 5, 4);
  BinaryProblem bad = good;
  bad.problem.size = 8;
  refused(bad, RESIDUE_INVALID_SIZE, "size: 8 was provided, but ");
  bad = good;
  bad.problem.operand_count = 2;
  refused(bad, RESIDUE_INVALID_OPERAND_COUNT, "operand_count: 2 was provided, but 3 was expected: ");
  bad = good;
  bad.operands[1].type = RESIDUE_INT32;
  refused(bad, RESIDUE_TYPE_MISMATCH, "operands[1].type: 6 was provided, but 1 was expected: ");
  bad = good;
  bad.operands[2].type = RESIDUE_UINT8;
  refused(bad, RESIDUE_TYPE_MISMATCH, "operands[2].type: 5 was provided, but 1 was expected: ");
  bad = good;
  bad.operands[2].reserved = 3;
  refused(bad, RESIDUE_RESERVED_NOT_ZERO, "operands[2].reserved: 3 was provided, but 0 was expected: ");
  bad = good;
  bad.problem.params_size = 4;
  refused(bad, RESIDUE_NULL_POINTER, "params: a pointer that must be set is null");
  const float three[3] = {};
  bad.problem.params = three;
  refused(bad, RESIDUE_INVALID_PARAMS, "params_size: 4 was provided, but 0 was expected: ");
  bad = Packed(RESIDUE_SCALE_BIAS, RESIDUE_FLOAT32, 5, 4);
  bad.DropB();
  bad.problem.params = three;
  bad.problem.params_size = 12;
  refused(bad, RESIDUE_INVALID_PARAMS, "params_size: 12 was provided, but 8 was expected: ");
  const float infinity = std::numeric_limits<float>::infinity();
  for (const bool scale : {true, false}) {
    const residue_scale_bias endless = {scale ? infinity : 1.0f, infinity};
    bad = Packed(RESIDUE_SCALE_BIAS, RESIDUE_INT32, 5, 4);
    bad.DropB();
    bad.problem.params = &endless;
    bad.problem.params_size = sizeof(endless);
    refused(bad, RESIDUE_PARAMS_NOT_FINITE, scale ? "params.scale: " : "params.bias: ");
  }
  const residue_round no_rounding = {99};
  bad = Packed(RESIDUE_ROUND, RESIDUE_FLOAT32, 5, 4);
  bad.DropB();
  bad.problem.params = &no_rounding;
  bad.problem.params_size = sizeof(no_rounding);
  refused(bad, RESIDUE_INVALID_PARAMS, "params.mode: 99 was provided, but at most ");
  bad = Packed(RESIDUE_RECIP, RESIDUE_INT32, 5, 4);
  bad.DropB();
  refused(bad, RESIDUE_TYPE_NOT_TAKEN, "operands[0].type: 6 was provided, but 1 was expected: ");
  residue_problem without = {};
  without.size = sizeof(without);
  without.op = RESIDUE_MODULUS_FLOOR;
  without.operand_count = 3;
  EXPECT_EQ(residue_describe(&without, nullptr, 0), RESIDUE_NULL_POINTER);
}

TEST(CApiTest, ScaleAndBias) {
  const float x[] = {1.0f, -2.0f, 3e38f, INFINITY};
  float out[4];
  const residue_scale_bias params = {2.0f, 0.5f};
  BinaryProblem problem = Packed(RESIDUE_SCALE_BIAS, RESIDUE_FLOAT32, 4, 4);
  problem.DropB();
  problem.problem.params = &params;
  problem.problem.params_size = sizeof(params);
  uint32_t exceptions = 0;
  residue_options options = {};
  options.exceptions = &exceptions;
  ASSERT_EQ(problem.Run(x, nullptr, out, &options), RESIDUE_OK);
  EXPECT_EQ(out[0], 2.5f);
  EXPECT_EQ(out[1], -3.5f);
  EXPECT_EQ(out[2], INFINITY);
  EXPECT_EQ(exceptions, uint32_t{RESIDUE_OVERFLOW});
  problem.problem.params = nullptr;  // the defaults: 1 and 0
  problem.problem.params_size = 0;
  ASSERT_EQ(problem.Run(x, nullptr, out, &options), RESIDUE_OK);
  EXPECT_EQ(std::memcmp(x, out, sizeof(x)), 0);
  ASSERT_EQ(residue_run_packed(RESIDUE_SCALE_BIAS, RESIDUE_FLOAT32, x, nullptr, out, 4), RESIDUE_OK);
  EXPECT_EQ(std::memcmp(x, out, sizeof(x)), 0);
}

// Arbitrary bytes as a problem: an answer, never a crash. Whatever is accepted must describe itself.
TEST(CApiTest, ArbitraryProblemsAreAnswered) {
  std::mt19937_64 random(20260101);
  const int64_t interesting[] = {
      0, 1, -1, 2, 4, 8, 255, INT32_MAX, INT64_MAX, INT64_MIN, INT64_MIN + 1, 1LL << 40};
  int accepted = 0;
  for (int n = 0; n < 200'000; ++n) {
    BinaryProblem given(static_cast<int32_t>(random() % 6), 0, 0);
    residue_problem& problem = given.problem;
    const auto pick = [&] {
      return random() % 3 == 0 ? static_cast<int64_t>(random()) : interesting[random() % 12];
    };
    if (problem.op == RESIDUE_IDENTITY || problem.op == RESIDUE_SCALE_BIAS) problem.operand_count = 2;
    const auto type = static_cast<int32_t>(random() % 13);
    for (residue_operand& operand : given.operands) operand.type = type;
    if (random() % 16 == 0) given.operands[random() % 3].type = static_cast<int32_t>(random() % 13);
    if (random() % 16 == 0) problem.operand_count = static_cast<uint32_t>(random() % 5);
    if (random() % 16 == 0) problem.params_size = static_cast<uint32_t>(random() % 3 * 4);
    problem.rank = static_cast<uint32_t>(random() % 10);
    for (int i = 0; i < RESIDUE_MAX_RANK; ++i) {
      problem.sizes[i] =
          static_cast<uint64_t>(random() % 4 == 0 ? pick() : static_cast<int64_t>(random() % 3 + 1));
      for (residue_operand& operand : given.operands) operand.strides[i] = pick();
    }
    char text[8];
    const residue_status status = residue_describe(given.get(), text, sizeof(text));
    residue_plan* plan = nullptr;
    ASSERT_EQ(residue_plan_create(given.get(), &plan), status);
    ASSERT_EQ(plan != nullptr, status == RESIDUE_OK);
    if (status == RESIDUE_OK) {
      ++accepted;
      // Without memory there is nothing to run on, unless there is nothing to run.
      const residue_status run = residue_plan_run(plan, nullptr, nullptr, nullptr);
      ASSERT_TRUE(run == RESIDUE_NULL_POINTER || run == RESIDUE_OK);
    }
    residue_plan_destroy(plan);
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
