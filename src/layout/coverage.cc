// What is written is taken apart from its largest stride down. Each stride divides memory into pieces of its
// own length. A loop of the reader whose stride is a multiple of it goes from piece to piece; all other loops
// stay inside a piece, and are the next stride's.
#include "layout/coverage.h"

#include <algorithm>
#include <array>

#include "layout/shape.h"

namespace residue {
namespace {

struct ByteLoop {
  int64_t stride;  // > 0
  int64_t count;   // > 1
};

// The bytes of an element are a loop, too.
constexpr size_t kMostLoops = size_t{kMaxRank} + 1;

// The loops of a region by increasing stride, and its lowest byte.
class Loops {
 public:
  explicit Loops(const Region& region) noexcept : lowest_(static_cast<int64_t>(region.offset)) {
    Add(1, region.element_size);
    for (size_t i = 0; i < region.sizes.size(); ++i) Add(region.strides[i], region.sizes[i]);
  }

  // Neighbours that are one loop become one.
  void Merge() noexcept {
    size_t kept = 0;
    for (size_t i = 1; i < count_; ++i) {
      ByteLoop& last = loops_[kept];
      if (loops_[i].stride == last.stride * last.count) {
        last.count *= loops_[i].count;
      } else {
        loops_[++kept] = loops_[i];
      }
    }
    count_ = std::min(count_, kept + 1);
  }

  void Remove(size_t i) noexcept { loops_[i] = loops_[--count_]; }

  std::span<ByteLoop> all() noexcept { return std::span(loops_).first(count_); }
  int64_t lowest() const noexcept { return lowest_; }

 private:
  void Add(int64_t stride, uint64_t size) noexcept {
    if (size < 2 || stride == 0) return;
    const auto count = static_cast<int64_t>(size);
    if (stride < 0) lowest_ += stride * (count - 1);
    const int64_t length = stride < 0 ? -stride : stride;
    size_t i = count_++;
    for (; i > 0 && loops_[i - 1].stride > length; --i) loops_[i] = loops_[i - 1];
    loops_[i] = {length, count};
  }

  std::array<ByteLoop, kMostLoops> loops_{};
  size_t count_ = 0;
  int64_t lowest_;
};

// Takes the loops that go from piece to piece out of the reader's, and returns how far they go; a loop that
// does both is cut into two. -1 if a loop crosses the ends of pieces in another way.
int64_t TakePieces(int64_t piece, Loops* reader) noexcept {
  int64_t pieces = 0;
  for (size_t i = 0; i < reader->all().size();) {
    const ByteLoop loop = reader->all()[i];
    if (loop.stride % piece == 0) {
      pieces += loop.stride / piece * (loop.count - 1);
      reader->Remove(i);
      continue;
    }
    if (loop.stride > piece) return -1;
    const int64_t inside = piece / loop.stride;
    if (piece % loop.stride == 0 && loop.count > inside) {
      if (loop.count % inside != 0) return -1;
      reader->all()[i].count = inside;
      pieces += loop.count / inside - 1;
    }
    ++i;
  }
  return pieces;
}

}  // namespace

bool Covers(const Region& written, const Region& read) noexcept {
  const auto is_empty = [](const Region& region) { return std::ranges::count(region.sizes, 0u) != 0; };
  if (is_empty(read)) return true;
  if (is_empty(written)) return false;
  Loops writer(written);
  Loops reader(read);
  writer.Merge();
  int64_t distance = reader.lowest() - writer.lowest();
  if (distance < 0) return false;
  for (size_t k = writer.all().size(); k-- > 0;) {
    const ByteLoop piece = writer.all()[k];
    const int64_t pieces = TakePieces(piece.stride, &reader);
    if (pieces < 0 || distance / piece.stride + pieces >= piece.count) return false;
    distance %= piece.stride;
    int64_t reach = distance;
    for (const ByteLoop& loop : reader.all()) reach += loop.stride * (loop.count - 1);
    if (reach >= piece.stride) return false;
  }
  return distance == 0 && reader.all().empty();
}

}  // namespace residue
