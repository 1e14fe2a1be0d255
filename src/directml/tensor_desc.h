// One DML_TENSOR_DESC, copied and checked for everything that does not depend on the operator.
#pragma once

#include <DirectML.h>

#include <array>
#include <cstdint>

#include "core/data_type.h"
#include "core/enumeration.h"
#include "directml/feature_level.h"
#include "directml/refusal.h"
#include "layout/shape.h"

namespace residue {

struct TensorDesc {
  DataType type{};
  bool owned_by_dml = false;
  uint32_t rank = 0;
  std::array<uint32_t, kMaxRank> sizes{};
  std::array<uint64_t, kMaxRank> strides{};  // in elements; packed ones filled in
  uint64_t total_bytes = 0;
  uint64_t offset_alignment = 0;  // what a binding's offset must be a multiple of

  // An optional tensor may be absent.
  bool is_present() const noexcept { return rank != 0; }
};

// `name` is the tensor's in messages, e.g. "A".
Refusal ReadTensorDesc(const DML_TENSOR_DESC* given, const char* name, FeatureLevel level,
                       TensorDesc* tensor) noexcept;

// The least TotalTensorSizeInBytes for a description's other fields, as Microsoft's DMLCalcBufferTensorSize
// has it; 0 if they make no tensor.
uint64_t MinimumBytes(const DML_BUFFER_TENSOR_DESC& desc) noexcept;

// From its first element's first byte to its last one's last; all of a tensor that says that it is longer.
uint64_t ElementBytes(const TensorDesc& tensor) noexcept;

// Strides in bytes for a plan.
Strides ByteStrides(const TensorDesc& tensor) noexcept;

}  // namespace residue
