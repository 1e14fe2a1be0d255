// Both questions are about sums of strides: are there counts k_i, each within its loop, for which
// sum(stride_i * k_i) lies in an interval? That is a small integer programme. Strides of real tensors are
// nested, so a depth-first search from the largest stride, cut by bounds and by the common divisor, answers
// it in a handful of steps; a budget guards against made-up layouts, and running out of it counts as overlap.
#include "layout/overlap.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "core/checked_math.h"

namespace residue {
namespace {

struct Term {
  int64_t stride;  // > 0
  int64_t count;   // k runs from 0 to count
};

class SumSearch {
 public:
  // Adds stride * k for k in [0, count].
  void Add(int64_t stride, uint64_t count) noexcept {
    if (stride == 0 || count == 0) return;
    if (stride < 0) {
      offset_ += stride * static_cast<int64_t>(count);
      stride = -stride;
    }
    terms_[term_count_++] = {stride, static_cast<int64_t>(count)};
  }

  // Is a sum within [low, high] possible?
  bool MayHit(int64_t low, int64_t high) noexcept {
    std::sort(terms_.begin(), terms_.begin() + static_cast<ptrdiff_t>(term_count_),
              [](const Term& x, const Term& y) { return x.stride > y.stride; });
    int64_t reach = 0;
    int64_t divisor = 0;
    for (size_t i = term_count_; i-- > 0;) {
      reach += terms_[i].stride * terms_[i].count;
      divisor = Gcd(terms_[i].stride, divisor);
      reach_[i] = reach;
      divisor_[i] = divisor;
    }
    budget_ = kBudget;
    return Search(0, low - offset_, high - offset_);
  }

 private:
  static constexpr int kBudget = 20'000;
  static constexpr size_t kMaxTerms = 2 * size_t{kMaxRank};

  static int64_t Gcd(int64_t x, int64_t y) noexcept {
    while (y != 0) {
      const int64_t rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }

  static int64_t FloorDivide(int64_t x, int64_t y) noexcept { return x / y - (x % y != 0 && x < 0 ? 1 : 0); }

  bool Search(size_t i, int64_t low, int64_t high) noexcept {
    if (--budget_ < 0) return true;
    low = std::max<int64_t>(low, 0);
    if (low > high) return false;
    if (low == 0) return true;  // all remaining counts zero
    // Every sum is a multiple of the common divisor.
    if (FloorDivide(high, divisor_[i]) * divisor_[i] < low) return false;
    const Term& term = terms_[i];
    const int64_t rest = i + 1 < term_count_ ? reach_[i + 1] : 0;
    const int64_t most = std::min(term.count, FloorDivide(high, term.stride));
    const int64_t least = std::max<int64_t>(0, -FloorDivide(rest - low, term.stride));
    // No k leaves more than the remaining terms can reach; after the last term, nothing.
    for (int64_t k = most; k >= least; --k) {
      if (Search(i + 1, low - k * term.stride, high - k * term.stride)) return true;
    }
    return false;
  }

  std::array<Term, kMaxTerms> terms_{};
  std::array<int64_t, kMaxTerms> reach_{};    // largest sum of terms i and on
  std::array<int64_t, kMaxTerms> divisor_{};  // common divisor of their strides
  size_t term_count_ = 0;
  int budget_ = 0;
  int64_t offset_ = 0;
};

// Each step clears everything the smaller ones can reach: true for every ordinary tensor.
bool IsNested(std::span<const Term> terms, int64_t element_size) noexcept {
  int64_t reach = element_size;
  for (const Term& term : terms) {
    if (term.stride < reach) return false;
    reach += term.stride * term.count;
  }
  return true;
}

bool IsSameMapping(const Layout& layout, uint32_t x, uint32_t y) noexcept {
  if (layout.element_size[x] != layout.element_size[y]) return false;
  for (const Loop& loop : LoopsOf(layout)) {
    if (loop.size > 1 && loop.stride[x] != loop.stride[y]) return false;
  }
  return layout.origin[x] == layout.origin[y];
}

}  // namespace

bool OverlapsItself(const Layout& layout, uint32_t operand) noexcept {
  // Which way a loop runs does not matter here.
  std::array<Term, kMaxRank> steps;
  uint32_t count = 0;
  for (const Loop& loop : LoopsOf(layout)) {
    const Term step = {std::abs(loop.stride[operand]), static_cast<int64_t>(loop.size - 1)};
    uint32_t i = count++;
    for (; i > 0 && steps[i - 1].stride > step.stride; --i) steps[i] = steps[i - 1];
    steps[i] = step;
  }
  const int64_t element_size = layout.element_size[operand];
  if (IsNested(std::span(steps).first(count), element_size)) return false;
  // Take two elements and the largest step in which they differ, say k >= 1 times; the smaller ones may
  // differ either way. They overlap if their offsets differ by less than an element.
  const int64_t near = element_size - 1;
  for (uint32_t largest = 0; largest < count; ++largest) {
    SumSearch search;
    search.Add(steps[largest].stride, static_cast<uint64_t>(steps[largest].count - 1));  // k - 1
    int64_t shift = steps[largest].stride;
    for (uint32_t i = 0; i < largest; ++i) {
      search.Add(steps[i].stride, 2 * static_cast<uint64_t>(steps[i].count));
      shift -= steps[i].stride * steps[i].count;
    }
    if (search.MayHit(-near - shift, near - shift)) return true;
  }
  return false;
}

Overlap ClassifyOverlap(const Layout& layout, uint32_t input, uintptr_t input_address, uint32_t written,
                        uintptr_t written_address) noexcept {
  // Everything relative to the input's address. Where that overflows, they are far apart.
  const auto between = static_cast<int64_t>(uint64_t{written_address} - uint64_t{input_address});
  int64_t low;
  int64_t high;
  if (!CheckedAdd(between, layout.lowest[written], &low) ||
      !CheckedAdd(between, layout.highest[written], &high) || layout.highest[input] <= low ||
      high <= layout.lowest[input]) {
    return Overlap::kDisjoint;
  }
  if (input_address == written_address && IsSameMapping(layout, input, written)) return Overlap::kIdentical;

  // Ranges cross, but the elements may still miss each other, as the odd and the even ones of an array do.
  SumSearch search;
  for (const Loop& loop : LoopsOf(layout)) {
    search.Add(loop.stride[input], loop.size - 1);
    search.Add(-loop.stride[written], loop.size - 1);
  }
  const int64_t distance = between + layout.origin[written] - layout.origin[input];
  return search.MayHit(distance - (layout.element_size[input] - 1),
                       distance + (layout.element_size[written] - 1))
             ? Overlap::kPartial
             : Overlap::kDisjoint;
}

}  // namespace residue
