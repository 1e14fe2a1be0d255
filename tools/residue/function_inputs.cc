#include "function_inputs.h"

#include <bit>

#include "verification/function_pairs.h"

namespace residue::tool {
namespace {

// One of each 256 that follow one another, never the same of them.
uint32_t PartOf(uint64_t n) { return static_cast<uint32_t>(n << 8 | (n * 0x9E3779B97F4A7C15u) >> 56); }

}  // namespace

uint64_t FunctionInputs::count() const {
  constexpr uint64_t kPairs = 10'000'000'000;
  if (!exhaustive_) return uint64_t{1} << 24;
  return InputCount(op_) == 1 ? uint64_t{1} << 32 : kPairs;
}

void FunctionInputs::Fill(uint64_t begin, std::vector<float>* x, std::vector<float>* y) const {
  if (InputCount(op_) == 1) {
    for (size_t i = 0; i < x->size(); ++i) {
      const uint64_t n = begin + i;
      (*x)[i] = std::bit_cast<float>(exhaustive_ ? static_cast<uint32_t>(n) : PartOf(n));
    }
    y->clear();
    return;
  }
  testing::Random random(begin);
  y->resize(x->size());
  for (size_t i = 0; i < x->size(); ++i) {
    const testing::FunctionPair pair = testing::PairFor(op_, &random);
    (*x)[i] = pair.x;
    (*y)[i] = pair.y;
  }
}

}  // namespace residue::tool
