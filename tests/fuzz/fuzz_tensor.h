// Tensor descriptions out of a fuzzer's bytes, mostly right, so that the mistakes are reached one at a time.
// The arrays behind a description are exactly as long as may be read.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <DirectML.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/data_type.h"
#include "support/any_number.h"

namespace residue::testing {

// What the tensors of one operator have in common unless one of them deviates.
struct FuzzShape {
  explicit FuzzShape(FuzzedDataProvider& data) {
    type = data.ConsumeBool() ? data.ConsumeIntegralInRange<int32_t>(0, 14) : DML_TENSOR_DATA_TYPE_INT32;
    const size_t rank = data.ConsumeIntegralInRange<size_t>(1, 8);
    for (size_t i = 0; i < rank; ++i) sizes.push_back(data.ConsumeIntegralInRange<UINT>(1, 5));
  }
  int32_t type;
  std::vector<UINT> sizes;
};

class FuzzTensor {
 public:
  FuzzTensor(FuzzedDataProvider& data, const FuzzShape& shape) {
    std::vector<UINT> sizes = shape.sizes;
    std::vector<UINT> strides = MakeStrides(data, sizes);
    buffer.DataType = AnyNumber<DML_TENSOR_DATA_TYPE>(shape.type);
    buffer.DimensionCount = static_cast<UINT>(sizes.size());
    buffer.TotalTensorSizeInBytes = Minimum(shape.type, sizes, strides);
    has_strides = !strides.empty();
    desc.Type = DML_TENSOR_TYPE_BUFFER;
    while (data.ConsumeIntegralInRange<int>(0, 3) == 3) Deviate(data, sizes, strides);
    sizes_ = Exactly(sizes, buffer.DimensionCount);
    strides_ = Exactly(strides, buffer.DimensionCount);
    buffer.Sizes = has_sizes ? sizes_.get() : nullptr;
    buffer.Strides = has_strides ? strides_.get() : nullptr;
    desc.Desc = has_desc ? &buffer : nullptr;
  }
  FuzzTensor(const FuzzTensor&) = delete;

  const DML_TENSOR_DESC* get() const { return is_null ? nullptr : &desc; }

  DML_BUFFER_TENSOR_DESC buffer{};
  DML_TENSOR_DESC desc{};
  bool has_sizes = true;
  bool has_strides = true;
  bool has_desc = true;
  bool is_null = false;

  // R55, as the rule has it; 0 if a number does not fit.
  static uint64_t Minimum(int32_t type, const std::vector<UINT>& sizes, const std::vector<UINT>& strides) {
    unsigned __int128 last = 0;
    unsigned __int128 packed = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      if (sizes[i] == 0) return 0;
      last += (strides.empty() ? packed : strides[i]) * (sizes[i] - 1);
      packed *= sizes[i];
      if (packed >> 64 != 0 || last >> 64 != 0) return 0;
    }
    const unsigned __int128 bytes = ((last + 1) * SizeOf(static_cast<DataType>(type)) + 3) / 4 * 4;
    return bytes >> 64 != 0 ? 0 : static_cast<uint64_t>(bytes);
  }

 private:
  static std::vector<UINT> MakeStrides(FuzzedDataProvider& data, const std::vector<UINT>& sizes) {
    std::vector<UINT> strides;
    const int kind = data.ConsumeIntegralInRange<int>(0, 4);
    if (kind == 0) return strides;
    UINT step = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      const UINT padding = kind == 2 ? data.ConsumeIntegralInRange<UINT>(0, 3) : 0;
      strides.insert(strides.begin(), step + padding);
      step = (step + padding) * sizes[i];
    }
    for (UINT& stride : strides) {
      if (kind == 3 && data.ConsumeBool()) stride = 0;
      if (kind == 4) stride = data.ConsumeIntegralInRange<UINT>(0, 40);
    }
    return strides;
  }

  static UINT EdgeOrAny(FuzzedDataProvider& data) {
    constexpr UINT kEdges[] = {0, 1, 2, 3, 8, 9, 15, 16, 24, 64, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    return data.ConsumeBool() ? data.PickValueInArray(kEdges) : data.ConsumeIntegral<UINT>();
  }

  void Deviate(FuzzedDataProvider& data, std::vector<UINT>& sizes, std::vector<UINT>& strides) {
    const auto pick = [&](std::vector<UINT>& v) -> UINT& {
      return v[data.ConsumeIntegralInRange<size_t>(0, v.size() - 1)];
    };
    switch (data.ConsumeIntegralInRange<int>(0, 13)) {
      case 0:
        buffer.DataType = AnyNumber<DML_TENSOR_DATA_TYPE>(static_cast<int32_t>(EdgeOrAny(data)));
        break;
      case 1:
        buffer.Flags = AnyNumber<DML_TENSOR_FLAGS>(static_cast<int32_t>(EdgeOrAny(data)));
        break;
      case 2:
        buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
        break;
      case 3:
        buffer.DimensionCount =
            data.ConsumeBool() ? EdgeOrAny(data) : data.ConsumeIntegralInRange<UINT>(0, 9);
        break;
      case 4:
        pick(sizes) = EdgeOrAny(data);
        break;
      case 5:
        if (!strides.empty()) pick(strides) = EdgeOrAny(data);
        break;
      case 6:
        buffer.TotalTensorSizeInBytes = data.ConsumeBool() ? data.ConsumeIntegral<UINT64>()
                                                           : buffer.TotalTensorSizeInBytes + EdgeOrAny(data);
        break;
      case 7:
        buffer.TotalTensorSizeInBytes -= data.ConsumeIntegralInRange<UINT64>(1, 4);
        break;
      case 8:
        buffer.GuaranteedBaseOffsetAlignment = EdgeOrAny(data);
        break;
      case 9:
        has_sizes = false;
        break;
      case 10:
        has_strides = false;
        break;
      case 11:
        has_desc = false;
        break;
      case 12:
        is_null = true;
        break;
      case 13:
        desc.Type = AnyNumber<DML_TENSOR_TYPE>(static_cast<int32_t>(EdgeOrAny(data)));
        break;
    }
  }

  // `count` numbers, or 8 if that is less: no tensor has more, and a reader must notice before it reads.
  static std::unique_ptr<UINT[]> Exactly(std::vector<UINT> numbers, UINT count) {
    const size_t length = std::min<size_t>(count, 8);
    numbers.resize(std::max(length, numbers.size()), 1);
    auto copy = std::make_unique<UINT[]>(length);
    std::copy_n(numbers.begin(), length, copy.get());
    return copy;
  }

  std::unique_ptr<UINT[]> sizes_;
  std::unique_ptr<UINT[]> strides_;
};

}  // namespace residue::testing
