// From a DML_OPERATOR_DESC to a request that is owned, checked and free of the caller's pointers.
#pragma once

#include <DirectML.h>

#include <array>

#include "base/attributes.h"
#include "plan/request.h"
#include "schema/operator_schema.h"
#include "schema/refusal.h"
#include "schema/tensor_desc.h"

namespace residue {

struct OperatorRequest {
  const OperatorSchema* schema = nullptr;
  std::array<TensorDesc, kOperandCount> tensors{};  // the inputs, then the output
  Attributes attributes{};

  const TensorDesc& input(uint32_t index) const noexcept { return tensors[index]; }
  const TensorDesc& output() const noexcept { return tensors[schema->input_count]; }
};

// Everything that must hold at this feature level, one refusal for the first that does not.
Refusal ReadOperatorDesc(const DML_OPERATOR_DESC* given, FeatureLevel level,
                         OperatorRequest* request) noexcept;

OpRequest ToPlanRequest(const OperatorRequest& request) noexcept;

}  // namespace residue
