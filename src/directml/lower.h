// From a DirectML operator to nodes of the library's operators (src/core/ops.def).
#pragma once

#include <cstdint>
#include <span>

#include "directml/operator_desc.h"
#include "residue/residue.h"

namespace residue {

// A tensor of the graph that is built, as a node sees it.
struct LoweredValue {
  uint32_t tensor;
  residue_operand operand;
};

// Where nodes and what they need go. May throw std::bad_alloc.
class ILoweringSink {
 public:
  // A tensor of the graph's own, packed, with the sizes of the operator's output.
  virtual uint32_t AddTemporary(uint64_t bytes) = 0;
  // One element, copied.
  virtual uint32_t AddElement(uint64_t bits, uint32_t bytes) = 0;
  // The row-major numbers of elements.
  virtual uint32_t AddIndex() = 0;
  virtual void AddNode(residue_operator op, std::span<const LoweredValue> operands, const void* params,
                       uint32_t params_size) = 0;

 protected:
  ~ILoweringSink() = default;
};

// `tensors` has one for each input, of which absent ones are not looked at, then the output's.
void LowerOperator(const OperatorRequest& request, std::span<const uint32_t> tensors, ILoweringSink& sink);

}  // namespace residue
