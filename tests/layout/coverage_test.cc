// What is written and what is read of it, against the definition: sets of bytes.
#include "layout/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "layout/shape.h"
#include "support/tier.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

struct Elements {
  std::vector<uint64_t> sizes;
  std::vector<int64_t> strides;
  uint32_t size;
  uint64_t offset = 0;

  Region region() const { return {sizes, strides.data(), size, offset}; }

  std::set<int64_t> Bytes() const {
    std::set<int64_t> bytes;
    uint64_t count = 1;
    for (const uint64_t n : sizes) count *= n;
    for (uint64_t i = 0; i < count; ++i) {
      auto place = static_cast<int64_t>(offset);
      uint64_t rest = i;
      for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) {
        place += static_cast<int64_t>(rest % sizes[d]) * strides[d];
      }
      for (uint32_t b = 0; b < size; ++b) bytes.insert(place + b);
    }
    return bytes;
  }

  std::string Text() const {
    std::ostringstream text;
    text << "elements of " << size << " at " << offset << ':';
    for (size_t d = 0; d < sizes.size(); ++d) text << ' ' << sizes[d] << " by " << strides[d];
    return text.str();
  }
};

bool IsInside(const Elements& written, const Elements& read) {
  return std::ranges::includes(written.Bytes(), read.Bytes());
}

void Expect(bool covers, const Elements& written, const Elements& read) {
  EXPECT_EQ(IsInside(written, read), covers) << written.Text() << "; " << read.Text();
  EXPECT_EQ(Covers(written.region(), read.region()), covers) << written.Text() << "; " << read.Text();
}

TEST(CoverageTest, ByHand) {
  const Elements packed = {{10}, {4}, 4};
  Expect(true, packed, packed);
  Expect(true, packed, {{40}, {1}, 1});        // its bytes
  Expect(true, packed, {{5, 2}, {8, 4}, 4});   // another shape
  Expect(true, packed, {{10}, {-4}, 4, 36});   // backwards
  Expect(true, packed, {{10, 7}, {4, 0}, 4});  // repeated
  Expect(true, packed, {{9}, {4}, 4, 1});      // between elements
  Expect(false, packed, {{10}, {4}, 4, 1});    // one byte too far
  Expect(false, packed, {{11}, {4}, 4});
  Expect(true, packed, {{0}, {4}, 4, 1000});   // nothing
  Expect(false, {{0}, {4}, 4}, packed);        // of nothing
  const Elements rows = {{5, 3}, {16, 4}, 4};  // four bytes of each row are not written
  Expect(true, rows, rows);
  Expect(true, rows, {{3, 5}, {4, 16}, 4});      // exchanged
  Expect(true, rows, {{5, 2}, {16, 4}, 4, 4});   // two columns
  Expect(true, rows, {{2, 3}, {32, 4}, 4, 16});  // every second row
  Expect(true, rows, {{5, 12}, {16, 1}, 1});     // bytes
  Expect(false, rows, {{5, 4}, {16, 4}, 4});     // the gaps, too
  Expect(false, rows, {{5, 3}, {16, 4}, 4, 4});  // over an end
  Expect(false, rows, {{6, 3}, {16, 4}, 4});     // another row
  Expect(false, rows, {{60}, {1}, 1});
  Expect(true, {{4, 2}, {8, 4}, 2}, {{8}, {4}, 2});    // odd and even elements; one loop
  Expect(true, {{5, 2}, {16, 4}, 4}, {{5}, {16}, 8});  // two elements as one
  Expect(false, {{5, 2}, {16, 4}, 4}, {{10}, {8}, 4});
  Expect(true, {{4, 2, 2}, {32, 16, 4}, 4}, {{8, 2}, {16, 4}, 4});
}

// As many loops as there are, none of which joins another.
TEST(CoverageTest, EightLoops) {
  Elements elements = {{}, {}, 1};
  for (uint32_t i = 0; i < kMaxRank; ++i) {
    elements.sizes.push_back(2);
    elements.strides.push_back(int64_t{3} << (2 * i));
  }
  Expect(true, elements, elements);
  Elements more = elements;
  more.sizes[3] = 3;
  Expect(false, elements, more);
}

// Never true of bytes that are not written; and exact where every stride is a multiple of the smaller ones
// that it does not step over.
TEST(CoverageTest, RandomRegionsAgainstSetsOfBytes) {
  Random random(Seed() + 43);
  const uint64_t cases = ByTier(20'000, 100'000, 1'000'000);
  uint64_t covered = 0;
  uint64_t missed = 0;
  for (uint64_t n = 0; n < cases; ++n) {
    Elements written = {{}, {}, 1u << random.Below(3)};
    int64_t step = written.size;
    for (uint64_t d = random.Below(4); d-- > 0;) {
      const uint64_t size = 1 + random.Below(4);
      if (random.OneIn(2)) step *= 1 + static_cast<int64_t>(random.Below(3));
      written.sizes.push_back(size);
      written.strides.push_back(random.OneIn(5) ? -step : step);
      if (written.strides.back() < 0) written.offset += (size - 1) * static_cast<uint64_t>(step);
      step *= static_cast<int64_t>(size);
    }
    Elements read = written;
    if (random.OneIn(3)) {  // anything
      read.sizes.assign(1 + random.Below(3), 0);
      read.strides.assign(read.sizes.size(), 0);
      for (size_t d = 0; d < read.sizes.size(); ++d) {
        read.sizes[d] = 1 + random.Below(4);
        read.strides[d] = random.Between(-8, 8);
        if (read.strides[d] < 0) read.offset += (read.sizes[d] - 1) * static_cast<uint64_t>(-read.strides[d]);
      }
    } else if (!read.sizes.empty()) {  // a part, or a little more
      const size_t d = random.Below(read.sizes.size());
      if (random.OneIn(2)) read.sizes[d] = 1 + random.Below(read.sizes[d] + 1);
      if (random.OneIn(2)) read.offset += random.Below(9);
      if (random.OneIn(4)) read.size = 1u << random.Below(3);
    }
    const bool expected = IsInside(written, read);
    const bool got = Covers(written.region(), read.region());
    ASSERT_TRUE(expected || !got) << written.Text() << "; " << read.Text() << " seed " << Seed();
    covered += got ? 1 : 0;
    missed += expected && !got ? 1 : 0;
  }
  EXPECT_GT(covered, cases / 10);
  EXPECT_LT(missed, cases / 50) << "of " << covered;
}

}  // namespace
}  // namespace residue::testing
