// Multidirectional broadcasting, as ONNX has it: from two shapes to one, and to the runs of libresidue that
// compute it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "residue/residue.h"

namespace residue::ort {

using Shape = std::vector<int64_t>;

// Of known sizes.
size_t CountElements(std::span<const int64_t> shape) noexcept;

// Both shapes stretched to one, or nothing if two sizes differ and neither is 1. Sizes of -1 are not known:
// against 1 or themselves they stay so, against any other size they are that size.
std::optional<Shape> Broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

// A loop around the runs, for tensors that have more dimensions than one run can have.
struct OuterLoop {
  uint64_t size;
  int64_t a_stride;  // in bytes, as the others
  int64_t b_stride;
  int64_t out_stride;
};

// Two inputs and an output; the operator, the types and where the operands lie are the caller's to fill in.
struct BroadcastPlan {
  residue_problem problem;
  residue_operand operands[3];
  std::vector<OuterLoop> outer;
};

// For packed tensors of these shapes, which are known and fit each other; neighbouring dimensions that are
// stretched alike are one.
BroadcastPlan PlanBroadcast(std::span<const int64_t> a, std::span<const int64_t> b, int64_t element_size);

}  // namespace residue::ort
