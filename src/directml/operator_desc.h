// From a DML_OPERATOR_DESC, read field by field, to a request that is owned, checked and free of the caller's
// pointers.
#pragma once

#include <DirectML.h>

#include <array>
#include <optional>

#include "core/params.h"
#include "directml/operator_schema.h"
#include "directml/refusal.h"
#include "directml/tensor_desc.h"

namespace residue {

struct OperatorRequest {
  const OperatorSchema* schema = nullptr;
  std::array<TensorDesc, kMostTensors> tensors{};  // the inputs, then the output
  Params params{};
  uint32_t no_bounds =
      0;  // bit i: bound i is NaN, which is none, and elements are integers, which have no NaN
  std::optional<ScaleBiasParams> scale_bias;
  const OperatorSchema* activation = nullptr;  // what the result goes through, and its params
  Params activation_params{};

  const TensorDesc& input(uint32_t index) const noexcept { return tensors[index]; }
  const TensorDesc& output() const noexcept { return tensors[schema->input_count]; }
};

// Everything that must hold at this feature level, one refusal for the first that does not.
Refusal ReadOperatorDesc(const DML_OPERATOR_DESC* given, FeatureLevel level,
                         OperatorRequest* request) noexcept;

}  // namespace residue
