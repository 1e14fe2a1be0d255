#include "cpu/engine/partition.h"

#include <algorithm>

#include "core/checked_math.h"

namespace residue {
namespace {

constexpr uint64_t kSmallestPieceBytes = uint64_t{64} * 1024;
constexpr uint64_t kPiecesPerThread = 8;
constexpr uint64_t kBlockElements = 4096;

}  // namespace

Partition MakePartition(uint64_t element_count, size_t element_size, uint32_t num_threads) noexcept {
  if (num_threads <= 1 || !IsWorthSharing(element_count, element_size)) return {element_count, 1};
  uint64_t piece = DivideRoundingUp(element_count, kPiecesPerThread * num_threads);
  piece = std::max(piece, kSmallestPieceBytes / element_size);
  piece = DivideRoundingUp(piece, kBlockElements) * kBlockElements;
  return {piece, DivideRoundingUp(element_count, piece)};
}

}  // namespace residue
