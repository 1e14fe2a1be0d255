// Graphs of rows, of which any number of first elements can be computed alone. Every node has one dimension
// of the same size, or none; every tensor is a row, packed from its beginning to its end, or read and written
// as one element.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/fuse.h"
#include "graph/memory_plan.h"

namespace residue {

// What a run of so many first elements needs.
class RowPlan {
 public:
  // Of a graph that is none of rows, a plan without rows. May throw bad_alloc.
  static RowPlan Make(const Graph& graph, std::span<const Walk> walks);

  bool has_rows() const noexcept { return !element_bytes_.empty(); }
  uint64_t count() const noexcept { return count_; }  // elements of each row

  // A row's bytes; others have the bytes they always have.
  uint64_t BytesOf(const Graph& graph, uint32_t tensor, uint64_t count) const noexcept;
  // Where a temporary lies.
  uint64_t OffsetOf(uint32_t tensor, uint64_t count) const noexcept;
  // More than kMaxExtent if no memory could hold them.
  uint64_t TemporaryBytes(uint64_t count) const noexcept;

 private:
  uint64_t count_ = 0;
  std::vector<uint32_t> element_bytes_;  // by tensor; 0 of what is no row
  MemoryPlan single_;                    // of what is no row, at the beginning
  MemoryPlan unit_;                      // of kUnit elements of each row: they grow together
};

}  // namespace residue
