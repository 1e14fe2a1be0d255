// What residue_describe says of a problem it refuses is true and of use: the number is the field's, and
// whoever does what it says, again and again, ends with a problem that is accepted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>

#include "core/operator_id.h"
#include "residue/residue.h"
#include "support/tier.h"
#include "verification/binary_problem.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 58;
constexpr auto kLastOperator = static_cast<int>(*std::ranges::max_element(kAllOperators));
// op, operand_count, rank, flags; a size and three strides per dimension; three types.
constexpr int kFields = 4 + 4 * RESIDUE_MAX_RANK + 3;

struct Refusal {
  std::string field;
  size_t index = 0;
  std::string provided;
  std::string relation;
  int64_t expected = 0;
};

std::string Text(const BinaryProblem& given) {
  const residue_problem& problem = given.problem;
  std::string text = "op " + std::to_string(problem.op) + " operands " +
                     std::to_string(problem.operand_count) + " rank " + std::to_string(problem.rank) +
                     " flags " + std::to_string(problem.flags);
  for (const residue_operand& operand : given.operands) text += " type " + std::to_string(operand.type);
  for (int i = 0; i < RESIDUE_MAX_RANK; ++i) {
    text += "\n[" + std::to_string(i) + "] size " + std::to_string(problem.sizes[i]) + " strides";
    for (const residue_operand& operand : given.operands) text += " " + std::to_string(operand.strides[i]);
  }
  return text;
}

// false if the text has another form: "field[index]: 3 was provided, but at most 2 was expected: ...", where
// a field of an operand is "operands[1].strides", and "at most" is missing where only one value is right.
bool Parse(const std::string& text, Refusal* refusal) {
  std::string name = text.substr(0, text.find(": "));
  const std::string rest = text.substr(std::min(text.size(), name.size()));
  if (name.ends_with(']')) {
    refusal->index = static_cast<size_t>(name[name.size() - 2] - '0');
    name.resize(name.size() - 3);
  }
  refusal->field = name;
  char provided[24];
  char relation[8];
  int end = 0;
  if (std::sscanf(rest.c_str(), ": %23[-0-9] was provided, but at %7s %" SCNd64 " was expected: %n", provided,
                  relation, &refusal->expected, &end) == 3 &&
      end != 0) {
    refusal->relation = std::string("at ") + relation;
  } else if (std::sscanf(rest.c_str(), ": %23[-0-9] was provided, but %" SCNd64 " was expected: %n", provided,
                         &refusal->expected, &end) != 2 ||
             end == 0) {
    return false;
  }
  refusal->provided = provided;
  return true;
}

// The value of the field that is to blame; `apply` sets it to what was expected.
std::string Field(BinaryProblem* given, const Refusal& refusal, bool apply) {
  const auto use = [&]<class T>(T* field) {
    if (apply) *field = static_cast<T>(refusal.expected);
    return std::to_string(*field);
  };
  residue_problem& problem = given->problem;
  if (refusal.field == "op") return use(&problem.op);
  if (refusal.field == "operand_count") return use(&problem.operand_count);
  if (refusal.field == "rank") return use(&problem.rank);
  if (refusal.field == "flags") return use(&problem.flags);
  if (refusal.field == "sizes") return use(&problem.sizes[refusal.index]);
  for (size_t k = 0; k < std::size(given->operands); ++k) {
    const std::string operand = "operands[" + std::to_string(k) + "]";
    if (refusal.field == operand + ".type") return use(&given->operands[k].type);
    if (refusal.field == operand + ".reserved") return use(&given->operands[k].reserved);
    if (refusal.field == operand + ".strides") return use(&given->operands[k].strides[refusal.index]);
  }
  return "no field";
}

bool IsLess(const Refusal& refusal) {
  if (refusal.provided[0] == '-') return std::stoll(refusal.provided) < refusal.expected;
  return refusal.expected > 0 && std::stoull(refusal.provided) < static_cast<uint64_t>(refusal.expected);
}

bool IsGreater(const Refusal& refusal) {
  return !IsLess(refusal) && refusal.provided != std::to_string(refusal.expected);
}

// residue_check has the same in numbers.
bool SaysTheSame(BinaryProblem& problem, residue_status status, const Refusal& refusal) {
  residue_refusal numbers;
  if (residue_check(problem.get(), &numbers, sizeof(numbers)) != status || numbers.status != status)
    return false;
  const bool is_unsigned = numbers.relation == RESIDUE_UNSIGNED_AT_MOST;
  const std::string provided = is_unsigned ? std::to_string(static_cast<uint64_t>(numbers.provided))
                                           : std::to_string(numbers.provided);
  const std::string relation = numbers.relation == RESIDUE_EQUAL_TO   ? ""
                               : numbers.relation == RESIDUE_AT_LEAST ? "at least"
                                                                      : "at most";
  return refusal.field == numbers.field && provided == refusal.provided && relation == refusal.relation &&
         numbers.expected == refusal.expected &&
         static_cast<size_t>(std::max(numbers.index, 0)) == refusal.index;
}

// Does what it is told until the problem is accepted; returns how many times, or -1 after a failure.
int Mend(BinaryProblem problem, std::set<std::string>* blamed = nullptr) {
  const BinaryProblem first = problem;
  std::string before;
  for (int step = 0; step <= kFields; ++step) {
    char text[400];
    const residue_status status = residue_describe(problem.get(), text, sizeof(text));
    if (status == RESIDUE_OK) return step;
    Refusal refusal;
    const std::string where =
        "step " + std::to_string(step) + ": " + text + "\n" + Text(problem) + "\nit began as " + Text(first);
    const bool parsed = Parse(text, &refusal);
    EXPECT_TRUE(parsed) << where;
    if (!parsed) return -1;
    EXPECT_TRUE(SaysTheSame(problem, status, refusal)) << where;
    const std::string name = refusal.field + std::to_string(refusal.index);
    const bool right = Field(&problem, refusal, false) == refusal.provided && name != before;
    EXPECT_EQ(Field(&problem, refusal, false), refusal.provided) << where;
    EXPECT_NE(name, before) << where;
    EXPECT_TRUE(refusal.relation == "at most"    ? IsGreater(refusal)
                : refusal.relation == "at least" ? IsLess(refusal)
                                                 : refusal.provided != std::to_string(refusal.expected))
        << where;
    if (!right) return -1;
    if (blamed != nullptr)
      blamed->insert(std::to_string(status) + " " + refusal.field + " " + refusal.relation);
    Field(&problem, refusal, true);
    before = name;
  }
  ADD_FAILURE() << "not accepted after " << kFields << " steps: " << Text(first);
  return -1;
}

BinaryProblem Packed(std::initializer_list<uint64_t> sizes) {
  BinaryProblem given(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 0);
  residue_problem& problem = given.problem;
  for (const uint64_t size : sizes) problem.sizes[problem.rank++] = size;
  int64_t stride = 4;
  for (uint32_t i = problem.rank; i-- > 0; stride *= static_cast<int64_t>(problem.sizes[i])) {
    for (residue_operand& operand : given.operands) operand.strides[i] = stride;
  }
  return given;
}

std::string Described(BinaryProblem problem) {
  char text[400];
  residue_describe(problem.get(), text, sizeof(text));
  const std::string said = text;
  return said.substr(0, said.find(" was expected"));
}

struct Case {
  std::string said;
  void (*spoil)(BinaryProblem* problem);
};

// Every refusal there is, of a packed {2, 3} of FLOAT32 with one thing wrong. One step mends it.
TEST(RefusalsTest, EveryRefusalNamesItsFieldAndMendsIt) {
  const Case cases[] = {
      {"op: 99 was provided, but at most " + std::to_string(kLastOperator),
       [](BinaryProblem* p) { p->problem.op = 99; }},
      {"op: 0 was provided, but at least 1", [](BinaryProblem* p) { p->problem.op = 0; }},
      {"op: -2147483648 was provided, but at least 1", [](BinaryProblem* p) { p->problem.op = INT32_MIN; }},
      {"operands[0].type: 12 was provided, but at most 11",
       [](BinaryProblem* p) { p->operands[0].type = 12; }},
      {"operands[0].type: 0 was provided, but at least 1", [](BinaryProblem* p) { p->operands[0].type = 0; }},
      {"rank: 4294967295 was provided, but at most 8",
       [](BinaryProblem* p) { p->problem.rank = UINT32_MAX; }},
      {"rank: 2 was provided, but at most 1", [](BinaryProblem* p) { p->problem.flags = RESIDUE_IN_ORDER; }},
      {"flags: 2 was provided, but at most 1",
       [](BinaryProblem* p) { p->problem.flags = 2, p->problem.rank = 1; }},
      {"sizes[0]: 18446744073709551615 was provided, but at most 24019198012642645",
       [](BinaryProblem* p) { p->problem.sizes[0] = UINT64_MAX, p->a_strides()[0] = p->b_strides()[0] = 0; }},
      {"sizes[1]: 72057594037927936 was provided, but at most 36028797018963968",
       [](BinaryProblem* p) {
         p->problem.sizes[1] = uint64_t{1} << 56;
         p->a_strides()[0] = p->b_strides()[0] = 0;
         p->out_strides()[0] = kMaxExtent / 2;
       }},
      {"operands[0].strides[0]: 9223372036854775807 was provided, but at most 288230376151711732",
       [](BinaryProblem* p) { p->a_strides()[0] = INT64_MAX; }},
      {"operands[0].strides[1]: 144115188075855872 was provided, but at most 144115188075855864",
       [](BinaryProblem* p) { p->a_strides()[1] = kMaxExtent / 2; }},
      {"operands[1].strides[0]: -9223372036854775808 was provided, but at least -288230376151711732",
       [](BinaryProblem* p) { p->b_strides()[0] = INT64_MIN; }},
      {"operands[1].strides[1]: -144115188075855872 was provided, but at least -144115188075855864",
       [](BinaryProblem* p) { p->b_strides()[1] = -kMaxExtent / 2; }},
      {"operands[2].strides[0]: 288230376151711733 was provided, but at most 288230376151711732",
       [](BinaryProblem* p) { p->out_strides()[0] = kMaxExtent - 11; }},
      {"operands[2].strides[0]: 8 was provided, but at least 12",
       [](BinaryProblem* p) { p->out_strides()[0] = 8; }},
      {"operands[2].strides[0]: -8 was provided, but at most -12",
       [](BinaryProblem* p) { p->out_strides()[0] = -8; }},
      {"operands[2].strides[1]: 0 was provided, but at least 4",
       [](BinaryProblem* p) { p->out_strides()[1] = 0; }},
      {"operands[2].strides[0]: 72057594037927936 was provided, but at most 4",
       [](BinaryProblem* p) {
         p->problem.sizes[1] = (uint64_t{1} << 55) - 1;
         p->a_strides()[0] = p->b_strides()[0] = 0;
         p->out_strides()[0] = kMaxExtent / 4;
         p->out_strides()[1] = 3;
       }},
  };
  for (const Case& c : cases) {
    BinaryProblem problem = Packed({2, 3});
    c.spoil(&problem);
    EXPECT_EQ(Described(problem), c.said) << Text(problem);
    const int steps = Mend(problem);
    EXPECT_GE(steps, 1) << c.said;
    EXPECT_LE(steps, 4) << c.said;
  }
}

TEST(RefusalsTest, WhatIsNoNumberIsNamedToo) {
  char text[200];
  EXPECT_EQ(residue_describe(nullptr, text, sizeof(text)), RESIDUE_NULL_POINTER);
  EXPECT_STREQ(text, "problem: a pointer that must be set is null");
  BinaryProblem problem = Packed({2, 3});
  problem.problem.max_target = "PENTIUM";
  EXPECT_EQ(residue_describe(problem.get(), text, sizeof(text)), RESIDUE_INVALID_TARGET);
  EXPECT_STREQ(text, "max_target: no instruction set has this name; see residue_target_name");
}

// One stride of four bytes for 2^60 elements: the end of the operand was told as if it were a stride.
TEST(RefusalsTest, TheEndOfAnOperandIsNoStride) {
  BinaryProblem problem = Packed({uint64_t{1} << 60});
  EXPECT_EQ(Described(problem), "sizes[0]: 1152921504606846976 was provided, but at most 72057594037927936");
  EXPECT_EQ(Mend(problem), 1);
  problem.problem.flags = RESIDUE_IN_ORDER;  // one place for all of them is allowed
  EXPECT_EQ(Described(problem), "operands[0].strides[0]: 4 was provided, but at most 0");
  EXPECT_EQ(Mend(problem), 3);
}

class RandomProblem {
 public:
  explicit RandomProblem(uint64_t seed) : random_(seed) {}

  BinaryProblem Make() {
    BinaryProblem given(Kind(kLastOperator), Kind(12), 0);
    residue_problem& problem = given.problem;
    problem.rank = static_cast<uint32_t>(random_.OneIn(40) ? random_.Next() : random_.Below(9));
    problem.flags = static_cast<uint32_t>(random_.OneIn(10) ? random_.Below(4) : 0);
    if (InputCount(static_cast<OperatorId>(problem.op)) == 1) given.DropB();
    const bool ordinary = random_.OneIn(2);
    for (uint32_t i = 0; i < RESIDUE_MAX_RANK; ++i)
      problem.sizes[i] =
          ordinary || random_.OneIn(2) ? 1 + random_.Below(5) : static_cast<uint64_t>(Number());
    for (residue_operand& operand : given.operands) MakeStrides(problem, operand.strides);
    return given;
  }

 private:
  int32_t Kind(uint64_t most) {
    return static_cast<int32_t>(random_.OneIn(40) ? random_.Next() : random_.Below(most) + 1);
  }

  // Near a power of two, positive or negative, small or extreme.
  int64_t Number() {
    if (random_.OneIn(8)) return static_cast<int64_t>(random_.Next());
    const uint64_t power = uint64_t{1} << random_.Below(64);
    const uint64_t near = power + random_.Below(17) - 8;
    return static_cast<int64_t>(random_.OneIn(3) ? 0 - near : near);
  }

  // Packed in some order with a few strides spoilt, or anything.
  void MakeStrides(const residue_problem& problem, int64_t* strides) {
    uint64_t packed = 4;
    const bool any = random_.OneIn(3);
    const bool far = random_.OneIn(3);
    for (int i = RESIDUE_MAX_RANK - 1; i >= 0; --i) {
      const bool spoilt = any || random_.OneIn(6);
      strides[i] = spoilt ? Number() : static_cast<int64_t>(random_.OneIn(5) ? 0 - packed : packed);
      packed *= problem.sizes[i];
      if (far && random_.OneIn(3)) packed <<= random_.Below(30);
    }
    if (random_.OneIn(2)) std::swap(strides[random_.Below(8)], strides[random_.Below(8)]);
  }

  Random random_;
};

TEST(RefusalsTest, WhoDoesWhatIsSaidIsAccepted) {
  const uint64_t count = ByTier(2'000, 60'000, 10'000'000);
  std::set<std::string> blamed;
  int most = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = Seed() * 1'000'000'007 + i;
    const int steps = Mend(RandomProblem(seed).Make(), &blamed);
    ASSERT_GE(steps, 0) << "problem " << i << "; repeat with RESIDUE_SEED=" << Seed()
                        << " c_api_test --gtest_filter=RefusalsTest.WhoDoesWhatIsSaidIsAccepted";
    most = std::max(most, steps);
  }
  RecordProperty("most_steps", most);
  EXPECT_GE(most, 8);
  // Every kind of refusal came up.
  const auto came_up = [&](residue_status status, const std::string& rest) {
    EXPECT_TRUE(blamed.contains(std::to_string(status) + " " + rest)) << rest;
  };
  for (const char* operand : {"operands[0]", "operands[1]", "operands[2]"}) {
    for (const char* relation : {" at least", " at most"})
      came_up(RESIDUE_TOO_LARGE, std::string(operand) + ".strides" + relation);
  }
  came_up(RESIDUE_TOO_LARGE, "sizes at most");
  for (const char* operand : {"operands[1]", "operands[2]"}) {
    for (const char* relation : {" at least", " at most"})
      came_up(RESIDUE_OUTPUT_OVERLAPS_ITSELF, std::string(operand) + ".strides" + relation);
  }
  came_up(RESIDUE_INVALID_OPERATOR, "op at most");
  came_up(RESIDUE_INVALID_TYPE, "operands[0].type at most");
  came_up(RESIDUE_TYPE_NOT_TAKEN, "operands[0].type ");
  came_up(RESIDUE_TYPE_MISMATCH, "operands[1].type ");
  came_up(RESIDUE_INVALID_RANK, "rank at most");
  came_up(RESIDUE_RESERVED_NOT_ZERO, "flags at most");
}

}  // namespace
}  // namespace residue::testing
