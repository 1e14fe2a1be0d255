#include "function_inputs.h"

#include <bit>

#include "verification/function_digest.h"
#include "verification/function_pairs.h"

namespace residue::tool {
uint64_t FunctionInputs::count() const {
  constexpr uint64_t kPairs = 10'000'000'000;
  if (!exhaustive_) return testing::kDigestCount;
  return InputCount(op_) == 1 ? uint64_t{1} << 32 : kPairs;
}

void FunctionInputs::Fill(uint64_t begin, std::vector<float>* x, std::vector<float>* y) const {
  if (InputCount(op_) == 1) {
    for (size_t i = 0; i < x->size(); ++i) {
      const uint64_t n = begin + i;
      (*x)[i] = std::bit_cast<float>(exhaustive_ ? static_cast<uint32_t>(n) : testing::DigestNumber(n));
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
