// Tiles large enough for every loop inside a row: blocks, squares, windows of pages, streamed and not.
// Each tile lies against a guard page, every byte of the output's memory is compared, and the results are
// those of the reference.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/guarded_arena.h"
#include "support/row_run.h"
#include "support/tier.h"
#include "support/type_test.h"
#include "verification/random.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

constexpr size_t kArenaSize = 512 * 1024;

struct Steps {
  ptrdiff_t row;
  ptrdiff_t column;
};

// How the elements of an operand lie; the arena holds the largest tile in each of them.
enum class Pattern {
  kPacked,
  kPadded,
  kExchanged,
  kRowsAlike,
  kColumnsAlike,
  kAllAlike,
  kSpread,
  kReversed,
  kMirrored,    // packed rows, each from its end
  kFirstOfRow,  // packed rows, of each the first element only
};
constexpr int kPatterns = 10;

template <class T>
class TileShapeTest : public ::testing::Test {
 protected:
  static constexpr auto kSize = static_cast<ptrdiff_t>(sizeof(T));

  Steps StepsOf(Pattern pattern) const {
    const auto rows = static_cast<ptrdiff_t>(rows_);
    const auto columns = static_cast<ptrdiff_t>(columns_);
    switch (pattern) {
      case Pattern::kPacked:
        return {columns * kSize, kSize};
      case Pattern::kPadded:
        return {(columns + 1) * kSize, kSize};
      case Pattern::kExchanged:
        return {kSize, (rows + 1) * kSize};
      case Pattern::kRowsAlike:
        return {0, kSize};
      case Pattern::kColumnsAlike:
        return {kSize, 0};
      case Pattern::kAllAlike:
        return {0, 0};
      case Pattern::kSpread:
        return {2 * columns * kSize, 2 * kSize};
      case Pattern::kReversed:
        return {-columns * kSize, -kSize};
      case Pattern::kMirrored:
        return {columns * kSize, -kSize};
      case Pattern::kFirstOfRow:
        return {columns * kSize, 0};
    }
    return {};
  }

  // The tile's extremes are the arena's: flush against its end, or against its beginning.
  std::byte* Place(const GuardedArena& arena, Steps steps, bool at_end) const {
    ptrdiff_t lowest = 0;
    ptrdiff_t highest = kSize;
    for (const ptrdiff_t reach : {steps.row * static_cast<ptrdiff_t>(rows_ - 1),
                                  steps.column * static_cast<ptrdiff_t>(columns_ - 1)}) {
      (reach < 0 ? lowest : highest) += reach;
    }
    EXPECT_LE(highest - lowest, static_cast<ptrdiff_t>(kArenaSize));
    return at_end ? arena.end() - highest : arena.begin() - lowest;
  }

  // A tile of these steps, each operand at one end of its arena.
  TestTile PlaceTile(Steps a, Steps b, Steps out, bool stream, Random& random) {
    TestTile tile{};
    tile.a = Place(a_, a, random.OneIn(2));
    tile.b = Place(b_, b, random.OneIn(2));
    tile.out = Place(out_, out, random.OneIn(2));
    tile.rows = rows_;
    tile.columns = columns_;
    tile.row_stride = {a.row, b.row, out.row};
    tile.column_stride = {a.column, b.column, out.column};
    tile.stream = stream;
    return tile;
  }

  static const std::byte* At(const std::byte* begin, Steps steps, size_t row, size_t column) {
    return begin + static_cast<ptrdiff_t>(row) * steps.row + static_cast<ptrdiff_t>(column) * steps.column;
  }

  static T Load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  // With any numbers, or with usual ones among which any number turns up now and then: what loops expect, and
  // what surprises them anywhere.
  void FillInputs(uint64_t seed, bool usual = false) {
    PairGenerator<T> generator(seed);
    for (size_t i = 0; i + sizeof(T) <= kArenaSize; i += sizeof(T)) {
      T a;
      T b;
      if (usual && i / sizeof(T) % 97 != 96) {
        generator.NextUsual(&a, &b);
      } else {
        generator.Next(&a, &b);
      }
      std::memcpy(a_.begin() + i, &a, sizeof(T));
      std::memcpy(b_.begin() + i, &b, sizeof(T));
    }
    std::memset(out_.begin(), 0x5A, out_.size());
  }

  void Check(OperatorId op, Form form, Target target, TestTile tile) {
    const Steps a_steps = {tile.row_stride.a, tile.column_stride.a};
    const Steps b_steps = {tile.row_stride.b, tile.column_stride.b};
    const Steps out_steps = {tile.row_stride.out, tile.column_stride.out};
    expected_.assign(out_.begin(), out_.end());
    for (size_t row = 0; row < tile.rows; ++row) {
      for (size_t column = 0; column < tile.columns; ++column) {
        const T result = reference::Evaluate(op, Load(At(tile.a, a_steps, row, column)),
                                             Load(At(tile.b, b_steps, row, column)));
        const std::byte* to = At(tile.out, out_steps, row, column);
        std::memcpy(expected_.data() + (to - out_.begin()), &result, sizeof(T));
      }
    }
    tile.params = DefaultParams(op);
    CheckExceptions(op, target, tile);
    RunTile(op, kDataTypeOf<T>, target, tile);
    if (std::memcmp(expected_.data(), out_.begin(), out_.size()) == 0) return;
    const auto differ = std::mismatch(expected_.begin(), expected_.end(), out_.begin());
    char name[64];
    FormatRowName({op, kDataTypeOf<T>}, target, name, sizeof(name));
    FAIL() << name << " " << FormName(form) << " rows " << tile.rows << " columns " << tile.columns
           << " steps a " << a_steps.row << "," << a_steps.column << " b " << b_steps.row << ","
           << b_steps.column << " out " << out_steps.row << "," << out_steps.column << " stream "
           << tile.stream << ": first wrong byte is "
           << (differ.first - expected_.begin()) - (tile.out - out_.begin())
           << " from the tile's beginning; seed=" << Seed();
  }

  // Every pattern on every target, in tiles whose rows and columns choose_shape sets.
  template <class ChooseShape>
  void CheckEveryPattern(size_t rounds, uint64_t seed, Random& random, const ChooseShape& choose_shape) {
    for (size_t round = 0; round < rounds; ++round) {
      FillInputs(Seed() * 1000 + seed + round);
      for (const Target target : VectorTargets(kDataTypeOf<T>)) {
        for (int pattern = 0; pattern < kPatterns; ++pattern) {
          choose_shape();
          ASSERT_NO_FATAL_FAILURE(CheckStrided(static_cast<Pattern>(pattern), target, random));
        }
      }
    }
  }

  // A strided tile with one input of this pattern; the output is of any.
  void CheckStrided(Pattern pattern, Target target, Random& random) {
    const Pattern outs[] = {Pattern::kPacked, Pattern::kPadded, Pattern::kSpread};
    CheckStrided(pattern, outs[random.Below(3)], random.OneIn(2), target, random);
  }

  void CheckStrided(Pattern pattern, Pattern out_pattern, bool stream, Target target, Random& random) {
    Steps a = StepsOf(pattern);
    Steps b = StepsOf(static_cast<Pattern>(random.Below(static_cast<uint64_t>(kPatterns))));
    if (random.OneIn(2)) std::swap(a, b);
    const Steps out = StepsOf(out_pattern);
    const TestTile tile = PlaceTile(a, b, out, stream, random);
    Check(operators_[random.Below(operators_.size())], Form::kStrided, target, tile);
  }

  // What is found in a tile that may well have all is what the reference finds, element by element. The
  // results are those that were asked for; they are overwritten again.
  static void CheckExceptions(OperatorId op, Target target, const TestTile& tile) {
    EXPECT_EQ(RunTile(op, kDataTypeOf<T>, target, tile, true),
              RunTile(op, kDataTypeOf<T>, Target::kReference, tile, true))
        << "rows " << tile.rows << " columns " << tile.columns << " steps a " << tile.row_stride.a << ","
        << tile.column_stride.a << " b " << tile.row_stride.b << "," << tile.column_stride.b
        << "; seed=" << Seed();
  }

  const std::vector<OperatorId> operators_ = OperatorsOf(kDataTypeOf<T>);
  size_t rows_ = 0;
  size_t columns_ = 0;
  GuardedArena a_{kArenaSize};
  GuardedArena b_{kArenaSize};
  GuardedArena out_{kArenaSize};
  std::vector<std::byte> expected_;
};
TYPED_TEST_SUITE(TileShapeTest, AllElementTypes, TypeNames);

// Every pattern of one input with a random one of the other, rows and columns around the sizes of blocks.
TYPED_TEST(TileShapeTest, StridedTiles) {
  using T = TypeParam;
  Random random(Seed() + 17);
  const size_t row_counts[] = {2, 15, 64, 256 / sizeof(T) + 1, 300 / sizeof(T) + 2};
  const size_t column_counts[] = {2, 3, 7, 63, 64, 65, 128, 130};
  this->CheckEveryPattern(ByTier(3, 12, 300), 0, random, [&] {
    this->rows_ = row_counts[random.Below(std::size(row_counts))];
    this->columns_ = column_counts[random.Below(std::size(column_counts))];
  });
}

// Rows of several pages, which are computed one block at a time.
TYPED_TEST(TileShapeTest, LongStridedRows) {
  using T = TypeParam;
  Random random(Seed() + 20);
  this->CheckEveryPattern(ByTier(1, 6, 60), 300, random, [&] {
    this->rows_ = 1 + random.Below(3);
    this->columns_ = (1 + random.Below(5)) * 4096 / sizeof(T) + random.Below(40);
  });
}

// Several squares each way, so that there is a next one to ask for; and rows of whole lines, to be streamed.
TYPED_TEST(TileShapeTest, SquaresSideBySide) {
  using T = TypeParam;
  Random random(Seed() + 21);
  const size_t rounds = ByTier(1, 4, 30);
  for (size_t round = 0; round < rounds; ++round) {
    this->FillInputs(Seed() * 1000 + 600 + round);
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const bool stream : {false, true}) {
        this->rows_ = 512 / sizeof(T) + 1;
        this->columns_ = 256;
        ASSERT_NO_FATAL_FAILURE(
            this->CheckStrided(Pattern::kExchanged, Pattern::kPacked, stream, target, random));
        this->columns_ = 260;
        ASSERT_NO_FATAL_FAILURE(this->CheckStrided(Pattern::kExchanged, target, random));
      }
    }
  }
}

// Several short rows in every packed form, each operand with a step of its own from row to row; the reference
// too.
TYPED_TEST(TileShapeTest, PackedTilesOfSeveralRows) {
  using T = TypeParam;
  Random random(Seed() + 19);
  std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
  targets.push_back(Target::kReference);
  const size_t rounds = ByTier(2, 20, 200);
  for (size_t round = 0; round < rounds; ++round) {
    this->FillInputs(Seed() * 1000 + 700 + round);
    for (const Target target : targets) {
      for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kScalarVector}) {
        this->rows_ = 2 + random.Below(6);
        this->columns_ = 1 + random.Below(300 / sizeof(T));
        const Steps3 column = MakeTile<T>(form, nullptr, nullptr, nullptr, 1).column_stride;
        const auto row = static_cast<ptrdiff_t>(this->columns_ * sizeof(T));
        const ptrdiff_t rows[] = {row, row + 3 * this->kSize, -row - this->kSize, row + 1, 0};
        const Steps a = {rows[random.Below(5)], column.a};
        const Steps b = {rows[random.Below(5)], column.b};
        const Steps out = {rows[random.Below(4)], column.out};
        const TestTile tile = this->PlaceTile(a, b, out, random.OneIn(2), random);
        const OperatorId op = this->operators_[random.Below(this->operators_.size())];
        ASSERT_NO_FATAL_FAILURE(this->Check(op, form, target, tile));
      }
    }
  }
}

// Long rows in every packed form, streamed and not, with the output at every place in a line.
TYPED_TEST(TileShapeTest, PackedRowsOfManyPages) {
  using T = TypeParam;
  Random random(Seed() + 18);
  const size_t rounds = ByTier(1, 8, 60);
  constexpr size_t kWindow = 8192 / sizeof(T);
  for (size_t round = 0; round < rounds; ++round) {
    this->FillInputs(Seed() * 1000 + 500 + round, round % 2 == 1);
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kScalarVector}) {
        for (const bool stream : {false, true}) {
          const size_t windows = random.Below(4);
          const size_t count = 1 + windows * kWindow + random.Below(kWindow + 70);
          const OperatorId op = this->operators_[random.Below(this->operators_.size())];
          const size_t odd =
              random.OneIn(4) ? 1 + random.Below(63) : random.Below(64 / sizeof(T)) * sizeof(T);
          TestTile tile = MakeTile<T>(form, nullptr, nullptr, nullptr, count);
          const size_t bytes = count * sizeof(T);
          tile.a = form == Form::kScalarVector ? this->a_.end() - sizeof(T) : this->a_.end() - bytes;
          tile.b = form == Form::kVectorScalar ? this->b_.end() - sizeof(T) : this->b_.end() - bytes;
          tile.out = random.OneIn(2) ? this->out_.end() - bytes : this->out_.begin() + odd;
          tile.stream = stream;
          ASSERT_NO_FATAL_FAILURE(this->Check(op, form, target, tile));
        }
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
