// The engine on one thread under MemorySanitizer: no test framework, because everything in the process must
// be instrumented. Every operator, type, target and kind of layout, in memory of which only the operands are
// defined: results are defined, right, and depend on nothing else. Exit 0 if all is well.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cpu/rows/reference.h"
#include "residue/residue.h"
#include "support/random_layout.h"
#include "support/tier.h"
#include "support/two_inputs.h"
#include "verification/values.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define RESIDUE_UNDEFINE(pointer, size) __msan_poison(pointer, size)
#define RESIDUE_REQUIRE_DEFINED(pointer, size) __msan_check_mem_is_initialized(pointer, size)
#endif
#endif
#ifndef RESIDUE_UNDEFINE
#define RESIDUE_UNDEFINE(pointer, size) (void)(pointer)
#define RESIDUE_REQUIRE_DEFINED(pointer, size) (void)(pointer)
#endif

namespace residue::testing {
namespace {

constexpr size_t kBytes = 1 << 15;
constexpr ptrdiff_t kMiddle = kBytes / 2;

struct Operands {
  alignas(64) unsigned char a[kBytes];
  alignas(64) unsigned char b[kBytes];
  alignas(64) unsigned char out[kBytes];
};

// Calls visit with the offsets of every element.
template <class Visit>
void ForEachElement(const OpRequest& request, const Visit& visit) {
  Sizes index{};
  for (uint32_t i = 0; i < request.rank; ++i) {
    if (request.sizes[i] == 0) return;
  }
  while (true) {
    int64_t offsets[kOperandCount] = {};
    for (size_t operand = 0; operand <= request.output(); ++operand) {
      for (uint32_t i = 0; i < request.rank; ++i) {
        offsets[operand] += static_cast<int64_t>(index[i]) * request.strides[operand][i];
      }
    }
    // a once more where there is no b
    visit(offsets[kOperandA], offsets[request.output() - 1], offsets[request.output()]);
    uint32_t i = 0;
    while (i < request.rank && ++index[i] == request.sizes[i]) index[i++] = 0;
    if (i == request.rank) return;
  }
}

bool Fits(const OpRequest& request) {
  bool fits = true;
  ForEachElement(request, [&](int64_t a, int64_t b, int64_t out) {
    for (const int64_t offset : {a, b, out}) fits = fits && offset > -kMiddle && offset < kMiddle - 8;
  });
  return fits;
}

residue_problem Describe(const OpRequest& request, residue_operand* operands) {
  residue_problem problem{};
  problem.size = sizeof(problem);
  problem.op = static_cast<residue_operator>(request.op);
  problem.rank = request.rank;
  problem.operand_count = request.output() + 1;
  problem.operands = operands;
  for (uint32_t i = 0; i < request.rank; ++i) problem.sizes[i] = request.sizes[i];
  for (uint32_t k = 0; k <= request.output(); ++k) {
    operands[k] = {};
    operands[k].type = static_cast<residue_type>(request.type);
    for (uint32_t i = 0; i < request.rank; ++i) operands[k].strides[i] = request.strides[k][i];
  }
  return problem;
}

// One problem, its inputs and its results by the reference, which takes longer than all targets together.
template <class T>
class Case {
 public:
  Case(const OpRequest& request, uint64_t seed, Operands* memory) : request_(request), memory_(memory) {
    PairGenerator<T> generator(seed);
    RESIDUE_UNDEFINE(memory, sizeof(*memory));
    ForEachElement(request, [&](int64_t a, int64_t b, int64_t) {
      T x;
      T y;
      generator.Next(&x, &y);
      std::memcpy(memory_->a + kMiddle + a, &x, sizeof(T));
      if (request_.output() > 1) std::memcpy(memory_->b + kMiddle + b, &y, sizeof(T));
    });
    // All are written before they are read: elements may share their memory.
    ForEachElement(request, [&](int64_t a, int64_t b, int64_t) {
      T x;
      T y;
      std::memcpy(&x, memory_->a + kMiddle + a, sizeof(T));
      std::memcpy(&y, (request_.output() > 1 ? memory_->b : memory_->a) + kMiddle + b, sizeof(T));
      expected_.push_back(ToBits(reference::Evaluate(request_.op, x, y)));
    });
  }

  bool IsRight(const char* target) {
    RESIDUE_UNDEFINE(memory_->out, sizeof(memory_->out));
    residue_operand operands[kMostOperatorOperands];
    residue_problem problem = Describe(request_, operands);
    problem.max_target = target;
    uint32_t exceptions = 0;
    residue_options options{};
    options.num_threads = 1;
    options.exceptions = request_.sizes[0] % 2 == 0 ? &exceptions : nullptr;
    const void* const inputs[] = {memory_->a + kMiddle, memory_->b + kMiddle};
    if (residue_run(&problem, inputs, memory_->out + kMiddle, &options) != RESIDUE_OK) return false;
    bool right = true;
    size_t next = 0;
    ForEachElement(request_, [&](int64_t, int64_t, int64_t out) {
      T result;
      RESIDUE_REQUIRE_DEFINED(memory_->out + kMiddle + out, sizeof(T));
      std::memcpy(&result, memory_->out + kMiddle + out, sizeof(T));
      right = right && ToBits(result) == expected_[next++];
    });
    return right && exceptions < 8;
  }

 private:
  const OpRequest& request_;
  Operands* memory_;
  std::vector<decltype(ToBits(T{}))> expected_;
};

int Run() {
  static Operands operands;
  Random random(Seed());
  RandomLayout layouts(&random, 600);
  uint64_t runs = 0;
  const uint64_t rounds = ByTier(20, 60, 600);
  for (uint64_t round = 0; round < rounds; ++round) {
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) {
        if (!Contains(InputTypes(op), type) || !IsUniform(op)) continue;
        const OpRequest request = layouts.Make(op, type);
        if (!Fits(request)) continue;
        const char* const wrong = VisitType(type, [&]<class T>(T) -> const char* {
          Case<T> problem(request, Seed() + runs, &operands);
          for (uint32_t t = 0; residue_target_name(t) != nullptr; ++t, ++runs) {
            if (!problem.IsRight(residue_target_name(t))) return residue_target_name(t);
          }
          return nullptr;
        });
        if (wrong != nullptr) {
          std::printf("%s %s @%s: wrong in round %llu, RESIDUE_SEED=%llu\n", OperatorName(op),
                      ShortName(type), wrong, static_cast<unsigned long long>(round),
                      static_cast<unsigned long long>(Seed()));
          return 1;
        }
      }
    }
  }
  std::printf("%llu runs on one thread\n", static_cast<unsigned long long>(runs));
  return 0;
}

}  // namespace
}  // namespace residue::testing

int main() { return residue::testing::Run(); }
