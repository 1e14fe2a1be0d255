// Any problem through the C interface: every status, every layout small enough to be visited element by
// element, every way the operands can lie in one another, and what is large enough to be shared out, to
// thread pools of all characters. Results are those of the reference, and no byte changes that is not the
// output's.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cpu/engine/partition.h"
#include "cpu/rows/reference.h"
#include "fuzz/require.h"
#include "residue/residue.h"
#include "verification/binary_problem.h"

namespace residue::testing {
namespace {

constexpr int64_t kMostBytes = 1 << 16;
constexpr uint64_t kMostElements = 4096;

// What an operand touches, relative to its address.
struct Range {
  int64_t lowest = 0;
  int64_t highest = 0;
  int64_t bytes() const { return highest - lowest; }
};

int64_t AnyStride(FuzzedDataProvider& data) {
  constexpr int64_t kEdges[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MIN + 1, 1 << 20};
  return data.ConsumeBool() ? data.PickValueInArray(kEdges) : data.ConsumeIntegral<int64_t>();
}

void FillStrides(FuzzedDataProvider& data, const residue_problem& problem, int64_t size, int64_t* strides) {
  const int kind = data.ConsumeIntegralInRange<int>(0, 6);
  int64_t step = size;
  const uint32_t rank = std::min<uint32_t>(problem.rank, RESIDUE_MAX_RANK);
  for (uint32_t i = rank; i-- > 0;) {
    int64_t stride = step;
    if (kind == 1) stride += data.ConsumeIntegralInRange<int64_t>(0, 5);
    if (kind == 2 && data.ConsumeBool()) stride = 0;
    if (kind == 3) stride = data.ConsumeIntegralInRange<int64_t>(-64, 64);
    if (kind == 4 && data.ConsumeBool()) stride = -stride;
    if (kind == 5 && data.ConsumeIntegralInRange<int>(0, 7) == 0) stride = AnyStride(data);
    strides[i] = stride;
    if (kind != 5 && problem.sizes[i] < 64)
      step = stride == 0 ? step
                         : std::abs(stride) * static_cast<int64_t>(std::max<uint64_t>(problem.sizes[i], 1));
    if (step > kMostBytes) step = size;
  }
  if (kind == 6) std::reverse(strides, strides + rank);
}

BinaryProblem MakeProblem(FuzzedDataProvider& data) {
  const auto usually = [&](int32_t fewest, int32_t most) {
    return data.ConsumeIntegralInRange<int>(0, 31) == 31 ? data.ConsumeIntegral<int32_t>()
                                                         : data.ConsumeIntegralInRange<int32_t>(fewest, most);
  };
  residue_operator op = usually(RESIDUE_MODULUS_FLOOR, RESIDUE_POW_TRUNCATED);
  const auto id = static_cast<OperatorId>(op);
  if (OperatorName(id) != nullptr && !IsUniform(id))
    op = RESIDUE_MAX;  // graph_fuzz has those of several types
  const residue_type type = usually(RESIDUE_FLOAT32, RESIDUE_INT64);
  BinaryProblem given(op, type, static_cast<uint32_t>(usually(0, RESIDUE_MAX_RANK)));
  residue_problem& problem = given.problem;
  problem.flags =
      data.ConsumeIntegralInRange<int>(0, 7) == 7 ? data.ConsumeIntegralInRange<uint32_t>(0, 2) : 0;
  for (uint64_t& size : problem.sizes) {
    switch (data.ConsumeIntegralInRange<int>(0, 31)) {
      case 0:
        size = 0;
        break;
      case 1:
        size = data.ConsumeIntegral<uint64_t>();
        break;
      case 2:
        size = data.ConsumeIntegralInRange<uint64_t>(1, 600);
        break;
      default:
        size = data.ConsumeIntegralInRange<uint64_t>(1, 5);
        break;
    }
  }
  const auto size = static_cast<int64_t>(std::max<size_t>(SizeOf(static_cast<DataType>(type)), 1));
  for (residue_operand& operand : given.operands) FillStrides(data, problem, size, operand.strides);
  if (InputCount(static_cast<OperatorId>(op)) == 1) given.DropB();
  // Seldom, what only the second look finds.
  if (data.ConsumeIntegralInRange<int>(0, 63) == 63) {
    problem.size = data.ConsumeIntegralInRange<uint32_t>(0, 300);
    problem.operand_count = data.ConsumeIntegralInRange<uint32_t>(0, 3);
    given.operands[data.ConsumeIntegralInRange<size_t>(0, 2)].type = data.ConsumeIntegral<int32_t>();
    problem.params_size = data.ConsumeIntegralInRange<uint32_t>(0, 40);
  }
  const bool may_halve = type == RESIDUE_FLOAT32 && Gives(id, DataType::kFloat32, DataType::kFloat16);
  if (may_halve && data.ConsumeBool()) given.operands[InputCount(id)].type = RESIDUE_FLOAT16;
  return given;
}

uint64_t CountElements(const residue_problem& problem) {
  unsigned __int128 count = 1;
  for (uint32_t i = 0; i < problem.rank; ++i) {
    if (problem.sizes[i] == 0) return 0;
    count = std::min<unsigned __int128>(count * problem.sizes[i], UINT64_MAX);
  }
  return static_cast<uint64_t>(count);
}

// Only for problems that were accepted: nothing overflows.
Range RangeOf(const residue_problem& problem, const residue_operand& operand) {
  Range range{0, static_cast<int64_t>(SizeOf(static_cast<DataType>(operand.type)))};
  for (uint32_t i = 0; i < problem.rank; ++i) {
    const int64_t span = operand.strides[i] * static_cast<int64_t>(problem.sizes[i] - 1);
    (span < 0 ? range.lowest : range.highest) += span;
  }
  return range;
}

// Calls visit with the three offsets of every element, in order.
template <class Visit>
void ForEachElement(const residue_problem& problem, const Visit& visit) {
  uint64_t index[RESIDUE_MAX_RANK] = {};
  while (true) {
    int64_t a = 0;
    int64_t b = 0;
    int64_t out = 0;
    for (uint32_t i = 0; i < problem.rank; ++i) {
      // a once more where there is no b
      a += static_cast<int64_t>(index[i]) * problem.operands[0].strides[i];
      b += static_cast<int64_t>(index[i]) * problem.operands[problem.operand_count - 2].strides[i];
      out += static_cast<int64_t>(index[i]) * problem.operands[problem.operand_count - 1].strides[i];
    }
    visit(a, b, out);
    uint32_t i = problem.rank;
    while (i > 0 && ++index[i - 1] == problem.sizes[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

// The three operands, each in memory of exactly its own size, or all in one block, on top of each other.
class Operands {
 public:
  Operands(FuzzedDataProvider& data, const residue_problem& problem) {
    const uint32_t last = problem.operand_count - 1;
    const Range ranges[3] = {RangeOf(problem, problem.operands[0]),
                             RangeOf(problem, problem.operands[last - 1]),
                             RangeOf(problem, problem.operands[last])};
    const int arrangement = data.ConsumeIntegralInRange<int>(0, 4);
    for (size_t i = 0; i < 3; ++i) {
      fits_ = fits_ && ranges[i].lowest >= -kMostBytes && ranges[i].highest <= kMostBytes;
    }
    if (!fits_) return;
    // 0: apart; 1, 2: the output is a or b; 3: all start together; 4: anywhere in one block.
    int64_t total = 0;
    int64_t starts[3];
    for (size_t i = 0; i < 3; ++i) {
      starts[i] = arrangement == 0 || arrangement == 1 || arrangement == 2 ? total
                  : arrangement == 3                                       ? 0
                                     : data.ConsumeIntegralInRange<int64_t>(0, 96);
      total = std::max(total, starts[i] + ranges[i].bytes());
    }
    for (size_t i = 0; i < 3; ++i) starts[i] -= ranges[i].lowest;
    if (arrangement == 1 || arrangement == 2) {
      // Where the layouts differ the output may reach further than the input it starts with.
      const size_t input = static_cast<size_t>(arrangement - 1);
      starts[2] = starts[input];
      const int64_t before = std::max<int64_t>(0, -(starts[2] + ranges[2].lowest));
      for (int64_t& start : starts) start += before;
      total += before;
      total = std::max(total, starts[2] + ranges[2].highest);
    }
    memory_.resize(static_cast<size_t>(total));
    const std::vector<uint8_t> given = data.ConsumeBytes<uint8_t>(data.remaining_bytes() / 2);
    for (size_t i = 0; i < memory_.size(); ++i) {
      memory_[i] = given.empty() ? uint8_t(i * 37) : given[i % given.size()];
    }
    if (arrangement == 0) {
      for (size_t i = 0; i < 3; ++i) {
        own_[i].assign(memory_.begin() + starts[i] + ranges[i].lowest,
                       memory_.begin() + starts[i] + ranges[i].highest);
        own_[i].shrink_to_fit();
        starts_[i] = -ranges[i].lowest;
      }
    } else {
      std::copy_n(starts, 3, starts_);
      memory_.shrink_to_fit();
    }
    apart_ = arrangement == 0;
  }

  bool fits() const { return fits_; }
  bool HasInputsOf(const Operands& other) const {
    return own_[0] == other.own_[0] && own_[1] == other.own_[1];
  }
  uint8_t* at(size_t i) { return (apart_ ? own_[i] : memory_).data() + starts_[i]; }
  const std::vector<uint8_t>& output_memory() const { return apart_ ? own_[2] : memory_; }
  size_t output_start() const { return static_cast<size_t>(starts_[2]); }

 private:
  bool fits_ = true;
  bool apart_ = true;
  std::vector<uint8_t> memory_;
  std::vector<uint8_t> own_[3];
  int64_t starts_[3] = {};
};

// The output's memory as it must be afterwards, and the exceptions: one element after the other.
std::vector<uint8_t> Expected(const residue_problem& problem, Operands& operands, uint32_t* exceptions) {
  Operands before = operands;
  std::vector<uint8_t> memory = operands.output_memory();
  const bool in_order = problem.flags == RESIDUE_IN_ORDER;
  const auto op = static_cast<OperatorId>(problem.op);
  const auto type = static_cast<DataType>(problem.operands[0].type);
  const auto result_type = static_cast<DataType>(problem.operands[problem.operand_count - 1].type);
  const RowFn run = reference::FindRow({op, type, result_type});
  uint8_t result[sizeof(uint64_t)] = {};
  Row row = {};
  row.out = result;
  row.count = 1;
  row.params = DefaultParams(op).bytes;
  row.detect = true;
  *exceptions = 0;
  ForEachElement(problem, [&](int64_t a, int64_t b, int64_t out) {
    row.in[0] = before.at(0) + a;
    row.in[1] = problem.operand_count == 2 ? nullptr : before.at(1) + b;
    *exceptions |= run(row);
    std::memcpy(memory.data() + operands.output_start() + out, result, SizeOf(result_type));
    if (in_order) std::memcpy(before.at(2) + out, result, SizeOf(result_type));
  });
  return memory;
}

using Task = void (*)(void*, uint32_t);

// Thread pools, of which some leave work undone; the library sees to it.
void InOrder(void*, uint32_t count, Task task, void* argument) {
  for (uint32_t i = 0; i < count; ++i) task(argument, i);
}
void Backwards(void*, uint32_t count, Task task, void* argument) {
  while (count-- > 0) task(argument, count);
}
void Lazy(void*, uint32_t count, Task task, void* argument) {
  for (uint32_t i = 0; i < count; i += 2) task(argument, i);
}
void Idle(void*, uint32_t, Task, void*) {}
void Reentrant(void*, uint32_t count, Task task, void* argument) {
  const int32_t seven = 7;
  int32_t result = 0;
  FUZZ_REQUIRE(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, &seven, &seven, &result, 1) ==
               RESIDUE_OK);
  InOrder(nullptr, count, task, argument);
}

residue_executor MakeExecutor(FuzzedDataProvider& data) {
  constexpr void (*kPools[])(void*, uint32_t, Task, void*) = {InOrder, Backwards, Lazy, Idle, Reentrant};
  return {nullptr, data.ConsumeIntegralInRange<uint32_t>(1, 9), 0, data.PickValueInArray(kPools)};
}

// By one of the ways there are into the library.
void Call(FuzzedDataProvider& data, const residue_problem& problem, const void* a, const void* b, void* out,
          const residue_options& options) {
  const void* const inputs[] = {a, b};
  if (!data.ConsumeBool()) {
    residue_plan* plan = nullptr;
    FUZZ_REQUIRE(residue_plan_create(&problem, &plan) == RESIDUE_OK);
    FUZZ_REQUIRE(residue_plan_run(plan, inputs, out, &options) == RESIDUE_OK);
    residue_plan_destroy(plan);
  } else if (const residue_operand* last = problem.operands + problem.operand_count - 1;
             problem.rank == 1 && problem.flags == 0 && problem.max_target == nullptr &&
             last->type == problem.operands[0].type) {
    FUZZ_REQUIRE(residue_run_strided(problem.op, last->type, a, problem.operands[0].strides[0], b,
                                     problem.operands[1].strides[0], out, last->strides[0], problem.sizes[0],
                                     &options) == RESIDUE_OK);
  } else {
    FUZZ_REQUIRE(residue_run(&problem, inputs, out, &options) == RESIDUE_OK);
  }
}

void Run(FuzzedDataProvider& data, const residue_problem& problem) {
  Operands operands(data, problem);
  if (!operands.fits()) return;
  const Operands before = operands;
  uint32_t expected_exceptions = 0;
  const std::vector<uint8_t> expected = Expected(problem, operands, &expected_exceptions);

  const residue_executor executor = MakeExecutor(data);
  uint32_t exceptions = 77;
  residue_options options{};
  options.num_threads = data.ConsumeBool() ? 1 : 0;
  options.executor = data.ConsumeBool() ? &executor : nullptr;
  options.exceptions = data.ConsumeBool() ? &exceptions : nullptr;
  const void* b = problem.operand_count == 2 && data.ConsumeBool() ? nullptr : operands.at(1);
  Call(data, problem, operands.at(0), b, operands.at(2), options);
  FUZZ_REQUIRE(operands.output_memory() == expected);
  FUZZ_REQUIRE(operands.HasInputsOf(before));
  if (options.exceptions != nullptr) FUZZ_REQUIRE(exceptions == expected_exceptions);
}

// All results of bytes, so that many can be compared quickly.
template <class T>
const std::vector<uint8_t>& ByteResults(OperatorId op) {
  static const auto make = [](OperatorId of) {
    std::vector<uint8_t> results(size_t{1} << 16);
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] =
          static_cast<uint8_t>(reference::Evaluate<T>(of, static_cast<T>(i >> 8), static_cast<T>(i)));
    }
    return results;
  };
  static const std::vector<uint8_t> floor = make(OperatorId::kModulusFloor);
  static const std::vector<uint8_t> truncate = make(OperatorId::kModulusTruncate);
  return op == OperatorId::kModulusFloor ? floor : truncate;
}

// So many bytes that a pool is asked.
void RunShared(FuzzedDataProvider& data) {
  const size_t count = kSmallestSharedBytes + data.ConsumeIntegralInRange<size_t>(0, 70'000);
  const residue_operator op = data.ConsumeBool() ? RESIDUE_MODULUS_FLOOR : RESIDUE_MODULUS_TRUNCATE;
  const residue_type type = data.ConsumeBool() ? RESIDUE_INT8 : RESIDUE_UINT8;
  BinaryProblem problem(op, type, 1);
  problem.problem.sizes[0] = count;
  problem.a_strides()[0] = problem.b_strides()[0] = problem.out_strides()[0] = 1;
  const auto a_step = data.ConsumeIntegral<uint8_t>();
  const auto b_step = data.ConsumeIntegral<uint8_t>();
  const std::vector<uint8_t>& results = type == RESIDUE_INT8
                                            ? ByteResults<int8_t>(static_cast<OperatorId>(op))
                                            : ByteResults<uint8_t>(static_cast<OperatorId>(op));
  std::vector<uint8_t> a(count), b(count), expected(count);
  for (size_t i = 0; i < count; ++i) {
    a[i] = static_cast<uint8_t>(i * a_step + (i >> 8));
    b[i] = static_cast<uint8_t>(i * b_step);
    expected[i] = results[size_t{a[i]} << 8 | b[i]];
  }
  const residue_executor executor = MakeExecutor(data);
  residue_options options{};
  options.executor = &executor;
  std::vector<uint8_t> out(count);
  uint8_t* to = data.ConsumeBool() ? a.data() : out.data();
  Call(data, *problem.get(), a.data(), b.data(), to, options);
  FUZZ_REQUIRE(std::memcmp(to, expected.data(), count) == 0);
}

void TryOne(FuzzedDataProvider& data) {
  BinaryProblem given = MakeProblem(data);
  std::string target;
  if (data.ConsumeIntegralInRange<int>(0, 3) == 3) {
    constexpr const char* kNames[] = {"AVX2", "sse4", "reference", "SCALAR", "EMU128", "AVX3", "NEON", ""};
    target = data.ConsumeBool() ? data.PickValueInArray(kNames) : data.ConsumeRandomLengthString(12);
    given.problem.max_target = target.c_str();
  }
  const residue_problem& problem = *given.get();
  const size_t room = data.ConsumeIntegralInRange<size_t>(0, 200);
  const auto text = std::make_unique<char[]>(room);
  const residue_status status = residue_describe(&problem, text.get(), room);
  if (room > 0) FUZZ_REQUIRE(std::memchr(text.get(), 0, room) != nullptr);
  FUZZ_REQUIRE(residue_status_text(status) != nullptr);
  residue_refusal refusal;
  FUZZ_REQUIRE(residue_check(&problem, &refusal, sizeof(refusal)) == status && refusal.status == status);
  FUZZ_REQUIRE(residue_check(&problem, nullptr, 0) == status);
  if (status != RESIDUE_OK) {
    residue_plan* plan = nullptr;
    FUZZ_REQUIRE(residue_plan_create(&problem, &plan) == status && plan == nullptr);
    uint8_t nothing[1] = {42};
    const void* const inputs[] = {nothing, nothing};
    FUZZ_REQUIRE(residue_run(&problem, inputs, nothing, nullptr) == status && nothing[0] == 42);
    return;
  }
  const uint64_t count = CountElements(problem);
  if (count == 0) {
    uint8_t nothing[1] = {42};
    const void* const inputs[] = {nothing, nothing};
    FUZZ_REQUIRE(residue_run(&problem, inputs, nothing, nullptr) == RESIDUE_OK && nothing[0] == 42);
  } else if (count <= kMostElements) {
    Run(data, problem);
  }
}

}  // namespace
}  // namespace residue::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider data(bytes, size);
  residue::testing::TryOne(data);
  if (data.ConsumeIntegralInRange<int>(0, 127) == 127) residue::testing::RunShared(data);
  return 0;
}
