// The engine on one thread under MemorySanitizer: no test framework, because everything in the process must
// be instrumented. Every operator, type, target and kind of layout, in memory of which only the operands are
// defined: results are defined, right, and depend on nothing else. Exit 0 if all is well.
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

template <class T>
bool Check(const OpRequest& request, const char* target, PairGenerator<T>* generator, Operands* operands) {
  RESIDUE_UNDEFINE(operands, sizeof(*operands));
  ForEachElement(request, [&](int64_t a, int64_t b, int64_t) {
    T x;
    T y;
    generator->Next(&x, &y);
    std::memcpy(operands->a + kMiddle + a, &x, sizeof(T));
    if (request.output() > 1) std::memcpy(operands->b + kMiddle + b, &y, sizeof(T));
  });
  residue_operand described[kMostOperatorOperands] = {};
  residue_problem problem{};
  problem.size = sizeof(problem);
  problem.op = static_cast<residue_operator>(request.op);
  problem.rank = request.rank;
  problem.operand_count = request.output() + 1;
  problem.operands = described;
  for (uint32_t i = 0; i < request.rank; ++i) problem.sizes[i] = request.sizes[i];
  for (uint32_t k = 0; k <= request.output(); ++k) {
    described[k].type = static_cast<residue_type>(request.type);
    for (uint32_t i = 0; i < request.rank; ++i) described[k].strides[i] = request.strides[k][i];
  }
  problem.max_target = target;
  uint32_t exceptions = 0;
  residue_options options{};
  options.num_threads = 1;
  options.exceptions = request.sizes[0] % 2 == 0 ? &exceptions : nullptr;
  const void* const inputs[] = {operands->a + kMiddle, operands->b + kMiddle};
  if (residue_run(&problem, inputs, operands->out + kMiddle, &options) != RESIDUE_OK) return false;
  bool right = true;
  ForEachElement(request, [&](int64_t a, int64_t b, int64_t out) {
    T x;
    T y;
    T result;
    std::memcpy(&x, operands->a + kMiddle + a, sizeof(T));
    std::memcpy(&y, (request.output() > 1 ? operands->b : operands->a) + kMiddle + b, sizeof(T));
    RESIDUE_REQUIRE_DEFINED(operands->out + kMiddle + out, sizeof(T));
    std::memcpy(&result, operands->out + kMiddle + out, sizeof(T));
    right = right && ToBits(result) == ToBits(reference::Evaluate(request.op, x, y));
  });
  return right && exceptions < 8;
}

int Run() {
  static Operands operands;
  Random random(Seed());
  RandomLayout layouts(&random, 600);
  uint64_t runs = 0;
  const uint64_t rounds = ByTier(20, 60, 2000);
  for (uint64_t round = 0; round < rounds; ++round) {
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) {
        if (!Contains(InputTypes(op), type) || !IsUniform(op)) continue;
        const OpRequest request = layouts.Make(op, type);
        if (!Fits(request)) continue;
        for (uint32_t t = 0; residue_target_name(t) != nullptr; ++t) {
          const char* target = residue_target_name(t);
          const bool right = VisitType(type, [&]<class T>(T) {
            PairGenerator<T> generator(Seed() + runs);
            return Check<T>(request, target, &generator, &operands);
          });
          if (!right) {
            std::printf("%s %s @%s: wrong in round %llu, RESIDUE_SEED=%llu\n", OperatorName(op),
                        ShortName(type), target, static_cast<unsigned long long>(round),
                        static_cast<unsigned long long>(Seed()));
            return 1;
          }
          ++runs;
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
