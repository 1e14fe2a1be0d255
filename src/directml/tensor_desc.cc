#include "directml/tensor_desc.h"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "core/checked_math.h"
#include "directml/operator_schema.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;
constexpr uint64_t kMostElements = UINT32_MAX;

Refusal CheckShape(const DML_BUFFER_TENSOR_DESC& desc, const char* name, FeatureLevel level) noexcept {
  const uint32_t most = MostDimensions(level);
  if (desc.DimensionCount < 1 || desc.DimensionCount > most) {
    return Refuse(kInvalid, "the DimensionCount of tensor '%s' is %u, but must be between 1 and %u", name,
                  desc.DimensionCount, most);
  }
  if (desc.Sizes == nullptr)
    return Refuse(kInvalid, "the Sizes of tensor '%s' are null, but must be set", name);
  return {};
}

// Copies sizes and strides; fills in packed strides, which can be too large to be counted.
Refusal ReadLayout(const DML_BUFFER_TENSOR_DESC& desc, const char* name, TensorDesc* tensor) noexcept {
  tensor->rank = desc.DimensionCount;
  std::copy_n(desc.Sizes, desc.DimensionCount, tensor->sizes.begin());
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    if (tensor->sizes[i] == 0) {
      return Refuse(kInvalid,
                    "Sizes[%u] of tensor '%s' is 0, but must be at least 1: leave out empty tensors", i,
                    name);
    }
  }
  if (desc.Strides != nullptr) {
    std::copy_n(desc.Strides, desc.DimensionCount, tensor->strides.begin());
    return {};
  }
  uint64_t stride = 1;
  for (uint32_t i = desc.DimensionCount; i-- > 0;) {
    tensor->strides[i] = stride;
    if (!CheckedMultiply(stride, uint64_t{tensor->sizes[i]}, &stride)) {
      return Refuse(kInvalid, "tensor '%s' has more than 2^64 elements, but at most %" PRIu64 " are allowed",
                    name, kMostElements);
    }
  }
  return {};
}

// Elements from the first to the last. At most 8 products of two 32-bit numbers, or packed strides already
// known to fit: no overflow below 2^64 can hide an extent above the limit.
unsigned __int128 Extent(const TensorDesc& tensor) noexcept {
  unsigned __int128 elements = 1;
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    elements += static_cast<unsigned __int128>(tensor.sizes[i] - 1) * tensor.strides[i];
  }
  return elements;
}

// In whole words.
constexpr uint64_t BytesOf(uint64_t elements, DataType type) noexcept {
  return (elements * SizeOf(type) + 3) / 4 * 4;
}

Refusal CheckExtent(const TensorDesc& tensor, const char* name) noexcept {
  const unsigned __int128 elements = Extent(tensor);
  if (elements > kMostElements) {
    return Refuse(kInvalid,
                  "tensor '%s' spans %s%" PRIu64 " elements from its first to its last, but at most %" PRIu64
                  " are allowed",
                  name, elements > UINT64_MAX ? "more than " : "",
                  elements > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(elements), kMostElements);
  }
  const uint64_t element_size = SizeOf(tensor.type);
  const uint64_t minimum = BytesOf(static_cast<uint64_t>(elements), tensor.type);
  if (tensor.total_bytes < minimum) {
    return Refuse(kInvalid,
                  "the TotalTensorSizeInBytes of tensor '%s' is %" PRIu64 ", but must be at least %" PRIu64
                  " for its Sizes, Strides and DataType",
                  name, tensor.total_bytes, minimum);
  }
  if (tensor.total_bytes / element_size > kMostElements) {
    return Refuse(kInvalid,
                  "the TotalTensorSizeInBytes of tensor '%s' is %" PRIu64 ", but must be at most %" PRIu64
                  " for its DataType",
                  name, tensor.total_bytes, kMostElements * element_size + element_size - 1);
  }
  return {};
}

Refusal CheckFlags(const DML_BUFFER_TENSOR_DESC& desc, const char* name) noexcept {
  const auto flags = static_cast<uint32_t>(NumberOf(desc.Flags));
  if ((flags & ~uint32_t{DML_TENSOR_FLAG_OWNED_BY_DML}) != 0) {
    return Refuse(kInvalid,
                  "the Flags of tensor '%s' are 0x%x, but only DML_TENSOR_FLAG_OWNED_BY_DML (0x1) exists",
                  name, flags);
  }
  const uint32_t alignment = desc.GuaranteedBaseOffsetAlignment;
  if (alignment != 0 &&
      (alignment < DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT || !std::has_single_bit(alignment))) {
    return Refuse(
        kInvalid,
        "the GuaranteedBaseOffsetAlignment of tensor '%s' is %u, but must be 0 or a power of two of at "
        "least %u",
        name, alignment, DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT);
  }
  return {};
}

}  // namespace

Refusal ReadTensorDesc(const DML_TENSOR_DESC* given, const char* name, FeatureLevel level,
                       TensorDesc* tensor) noexcept {
  if (given == nullptr) return Refuse(kInvalid, "tensor '%s' is null, but is required", name);
  const DML_TENSOR_DESC desc = *given;
  if (NumberOf(desc.Type) != DML_TENSOR_TYPE_BUFFER) {
    return Refuse(kInvalid, "the Type of tensor '%s' is %d, but must be DML_TENSOR_TYPE_BUFFER (%d)", name,
                  NumberOf(desc.Type), DML_TENSOR_TYPE_BUFFER);
  }
  if (desc.Desc == nullptr) {
    return Refuse(kInvalid, "the Desc of tensor '%s' is null, but must be a DML_BUFFER_TENSOR_DESC", name);
  }
  const DML_BUFFER_TENSOR_DESC buffer = *static_cast<const DML_BUFFER_TENSOR_DESC*>(desc.Desc);
  const int32_t type = NumberOf(buffer.DataType);
  tensor->type = static_cast<DataType>(type);
  if (SizeOf(tensor->type) == 0) {
    return Refuse(kInvalid,
                  "the DataType of tensor '%s' is %s (%d), but must be one that the operator supports", name,
                  TypeConstantName(type), type);
  }
  if (Refusal refusal = CheckShape(buffer, name, level); !refusal.ok()) return refusal;
  if (Refusal refusal = CheckFlags(buffer, name); !refusal.ok()) return refusal;
  if (Refusal refusal = ReadLayout(buffer, name, tensor); !refusal.ok()) return refusal;
  tensor->owned_by_dml = NumberOf(buffer.Flags) != 0;
  tensor->total_bytes = buffer.TotalTensorSizeInBytes;
  tensor->offset_alignment =
      std::max(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, UINT{buffer.GuaranteedBaseOffsetAlignment});
  return CheckExtent(*tensor, name);
}

uint64_t MinimumBytes(const DML_BUFFER_TENSOR_DESC& desc) noexcept {
  TensorDesc tensor;
  tensor.type = static_cast<DataType>(NumberOf(desc.DataType));
  if (!CheckShape(desc, "", kHighestFeatureLevel).ok() || !ReadLayout(desc, "", &tensor).ok()) return 0;
  const unsigned __int128 elements = Extent(tensor);
  return elements > kMostElements ? 0 : BytesOf(static_cast<uint64_t>(elements), tensor.type);
}

uint64_t ElementBytes(const TensorDesc& tensor) noexcept {
  uint64_t last = 0;
  for (uint32_t i = 0; i < tensor.rank; ++i) last += (tensor.sizes[i] - uint64_t{1}) * tensor.strides[i];
  const uint64_t bytes = (last + 1) * SizeOf(tensor.type);
  return tensor.total_bytes - bytes < 4 ? bytes : tensor.total_bytes;
}

Strides ByteStrides(const TensorDesc& tensor) noexcept {
  Strides strides{};
  const auto element_size = static_cast<int64_t>(SizeOf(tensor.type));
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    // The stride of a single element means nothing and may be any number.
    if (tensor.sizes[i] > 1) strides[i] = static_cast<int64_t>(tensor.strides[i]) * element_size;
  }
  return strides;
}

}  // namespace residue
