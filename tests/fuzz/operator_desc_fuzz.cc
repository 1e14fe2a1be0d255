// Any operator description through CreateOperator and CompileOperator, on a device of any feature level. The
// answer must be that of a second reading of the rules, and nothing may stay behind. Which types and ranks an
// operator takes is the library's own table, which tests/contract holds.
#include <residue_d3d12.h>

#include <fuzzer/FuzzedDataProvider.h>

#include <DirectML.h>
#include <wrl/client.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "com/com_object.h"
#include "directml/operator_schema.h"
#include "directml/tensor_desc.h"
#include "fuzz/fuzz_tensor.h"
#include "fuzz/require.h"

using Microsoft::WRL::ComPtr;

namespace residue::testing {
namespace {

constexpr uint64_t kMostElements = UINT32_MAX;

// One device per feature level, for the life of the process.
class Devices {
 public:
  Devices() {
    FUZZ_REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d_)) == S_OK);
    for (const FeatureLevel level : kAllFeatureLevels) {
      const auto number = static_cast<uint32_t>(level);
      const std::string name = std::to_string(number >> 12) + "_" + std::to_string(number >> 8 & 15);
      setenv("RESIDUE_DIRECTML_FEATURE_LEVEL", name.c_str(), 1);
      FUZZ_REQUIRE(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&devices_[level])) ==
                   S_OK);
    }
    living_ = LiveObjectCount();
  }
  IDMLDevice* Get(FeatureLevel level) { return devices_[level].Get(); }
  void RequireNothingLeft() const { FUZZ_REQUIRE(LiveObjectCount() == living_); }

 private:
  ComPtr<ID3D12Device> d3d_;
  std::map<FeatureLevel, ComPtr<IDMLDevice>> devices_;
  int64_t living_ = 0;
};

// R41 to R62, read a second time.
bool IsTensor(const FuzzTensor& tensor, FeatureLevel level) {
  if (tensor.is_null || NumberOf(tensor.desc.Type) != DML_TENSOR_TYPE_BUFFER || !tensor.has_desc)
    return false;
  const DML_BUFFER_TENSOR_DESC& t = tensor.buffer;
  const uint64_t size = SizeOf(static_cast<DataType>(NumberOf(t.DataType)));
  if (size == 0) return false;
  if (t.DimensionCount == 0 || t.DimensionCount > (level >= FeatureLevel::k3_0 ? 8u : 5u)) return false;
  if (t.Sizes == nullptr) return false;
  if (NumberOf(t.Flags) != 0 && NumberOf(t.Flags) != 1) return false;
  const UINT alignment = t.GuaranteedBaseOffsetAlignment;
  if (alignment != 0 && (alignment < 16 || (alignment & (alignment - 1)) != 0)) return false;
  const std::vector<UINT> sizes(t.Sizes, t.Sizes + t.DimensionCount);
  const std::vector<UINT> strides(t.Strides, t.Strides + (t.Strides == nullptr ? 0 : t.DimensionCount));
  const uint64_t minimum = FuzzTensor::Minimum(t.DataType, sizes, strides);
  if (minimum == 0 || t.TotalTensorSizeInBytes < minimum) return false;
  // The minimum is in whole words: up to three small elements more than there are.
  unsigned __int128 last = 0;
  uint64_t packed = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    last += static_cast<unsigned __int128>(strides.empty() ? packed : strides[i]) * (sizes[i] - 1);
    packed *= sizes[i];
  }
  return last < kMostElements && t.TotalTensorSizeInBytes / size <= kMostElements;
}

uint64_t CountElements(const DML_BUFFER_TENSOR_DESC& t) {
  uint64_t count = 1;
  for (UINT i = 0; i < t.DimensionCount; ++i) count = std::min<uint64_t>(count * t.Sizes[i], 1 << 20);
  return count;
}

// By visiting every element.
bool HasDistinctElements(const DML_BUFFER_TENSOR_DESC& t) {
  if (t.Strides == nullptr) return true;
  std::set<uint64_t> seen;
  std::vector<UINT> index(t.DimensionCount, 0);
  while (true) {
    uint64_t offset = 0;
    for (UINT i = 0; i < t.DimensionCount; ++i) offset += uint64_t{index[i]} * t.Strides[i];
    if (!seen.insert(offset).second) return false;
    UINT i = 0;
    while (i < t.DimensionCount && ++index[i] == t.Sizes[i]) index[i++] = 0;
    if (i == t.DimensionCount) return true;
  }
}

bool IsFloat(DML_TENSOR_DATA_TYPE type) {
  return type == DML_TENSOR_DATA_TYPE_FLOAT16 || type == DML_TENSOR_DATA_TYPE_FLOAT32 ||
         type == DML_TENSOR_DATA_TYPE_FLOAT64;
}

bool HasSizesOf(const DML_BUFFER_TENSOR_DESC& x, const DML_BUFFER_TENSOR_DESC& y) {
  return x.DimensionCount == y.DimensionCount && std::equal(x.Sizes, x.Sizes + x.DimensionCount, y.Sizes);
}
bool HasOneElement(const DML_BUFFER_TENSOR_DESC& x) {
  return std::all_of(x.Sizes, x.Sizes + x.DimensionCount, [](UINT size) { return size == 1; });
}

using Tensors = std::array<const FuzzTensor*, kMostTensors>;  // null where an optional one is absent

// The tensors by operator and level (R166 to R168), and to each other.
bool AreTensorsOf(const OperatorSchema& schema, FeatureLevel level, const Tensors& tensors) {
  const Support* support = FindSupport(schema, level);
  for (uint32_t i = 0; i <= schema.input_count; ++i) {
    const Field& field = schema.Tensor(i);
    if (tensors[i] == nullptr && level >= field.optional_since) continue;
    if (tensors[i] == nullptr || !IsTensor(*tensors[i], level)) return false;
    const DML_BUFFER_TENSOR_DESC& t = tensors[i]->buffer;
    if ((support->types[field.letter] >> t.DataType & 1) == 0) return false;
    if (t.DimensionCount < support->fewest_dimensions || t.DimensionCount > support->most_dimensions)
      return false;
    for (uint32_t k = 0; k < i; ++k) {
      const bool same = tensors[k] != nullptr && schema.Tensor(k).letter == field.letter;
      if (same && tensors[k]->buffer.DataType != t.DataType) return false;
    }
    const DML_BUFFER_TENSOR_DESC& first = tensors[0]->buffer;
    if (t.DimensionCount != first.DimensionCount) return false;
    if (!(field.one_element ? HasOneElement(t) : HasSizesOf(t, first))) return false;
  }
  if (schema.recipe == Recipe::kQuantize) {
    const DML_TENSOR_DATA_TYPE input = tensors[0]->buffer.DataType;
    const auto scale = input == DML_TENSOR_DATA_TYPE_INT32 ? DML_TENSOR_DATA_TYPE_FLOAT32 : input;
    if (tensors[1]->buffer.DataType != scale) return false;
  }
  const bool is_old_power = schema.recipe == Recipe::kPow && level < FeatureLevel::k3_0;
  if (is_old_power && tensors[1]->buffer.DataType != tensors[0]->buffer.DataType) return false;
  return tensors[schema.input_count]->buffer.Flags == DML_TENSOR_FLAG_NONE;
}

// A description of any operator: its fields one after the other, most of them right.
class FuzzDescription {
 public:
  FuzzDescription(FuzzedDataProvider& data, const OperatorSchema& schema, FeatureLevel level,
                  const Tensors& tensors)
      : schema_(schema), tensors_(tensors), level_(level) {
    uint32_t offset = 0;
    uint32_t tensor = 0;
    for (const Field& field : schema.fields) {
      offset = OffsetOfNext(offset, field);
      if (field.is_tensor()) {
        Put(offset, tensors[tensor] == nullptr ? nullptr : tensors[tensor]->get());
        ++tensor;
      } else {
        Fill(data, field, offset);
      }
      offset += field.bytes();
    }
  }

  const void* get() const { return bytes_; }
  // May it be accepted, as far as attributes go?
  bool is_right() const { return is_right_; }

 private:
  template <class T>
  void Put(uint32_t offset, const T& value) {
    std::memcpy(bytes_ + offset, &value, sizeof(value));
  }
  DML_TENSOR_DATA_TYPE OutputType() const {
    const FuzzTensor* output = tensors_[schema_.input_count];
    return output == nullptr ? DML_TENSOR_DATA_TYPE_FLOAT32 : output->buffer.DataType;
  }

  void Fill(FuzzedDataProvider& data, const Field& field, uint32_t offset) {
    const bool wrong = data.ConsumeIntegralInRange<int>(0, 15) == 0;
    switch (field.kind) {
      case Field::kScaleBias:
        if (data.ConsumeBool()) return;
        scale_bias_ = {ConsumeFloat(data), ConsumeFloat(data)};
        Put(offset, static_cast<const DML_SCALE_BIAS*>(&scale_bias_));
        if (!std::isfinite(scale_bias_.Scale) || !std::isfinite(scale_bias_.Bias)) {
          is_right_ &= tensors_[0] != nullptr && IsFloat(tensors_[0]->buffer.DataType);
        }
        return;
      case Field::kActivation:
        return FillActivation(data, offset);
      case Field::kType:
      case Field::kTypeOrUnknown: {
        const auto type =
            wrong ? data.ConsumeIntegralInRange<uint32_t>(0, 13) : static_cast<uint32_t>(OutputType());
        const bool unknown = type == 0 && field.kind == Field::kTypeOrUnknown;
        is_right_ &= unknown || type == static_cast<uint32_t>(OutputType());
        return Put(offset, type);
      }
      case Field::kEnumerator: {
        const auto value =
            wrong ? data.ConsumeIntegral<uint32_t>()
                  : data.ConsumeIntegralInRange<uint32_t>(0, static_cast<uint32_t>(field.values.size()) - 1);
        is_right_ &= value < field.values.size();
        return Put(offset, value);
      }
      case Field::kSteepness: {
        const float number = wrong ? ConsumeFloat(data) : static_cast<float>(data.ConsumeIntegral<int8_t>());
        is_right_ &= level_ >= FeatureLevel::k6_4 ? number > 0 : number >= 1;
        return Put(offset, number);
      }
      case Field::kElement:
        return Put(offset, data.ConsumeIntegral<uint64_t>());
      default:
        return Put(offset, ConsumeFloat(data));
    }
  }

  // Any bits, NaN and infinities included.
  static float ConsumeFloat(FuzzedDataProvider& data) {
    return std::bit_cast<float>(data.ConsumeIntegral<uint32_t>());
  }

  void FillActivation(FuzzedDataProvider& data, uint32_t offset) {
    if (data.ConsumeBool()) return;
    const auto schemas = AllOperatorSchemas();
    const OperatorSchema& fused = schemas[data.ConsumeIntegralInRange<size_t>(0, schemas.size() - 1)];
    Tensors none{};
    const bool has_tensor = data.ConsumeIntegralInRange<int>(0, 15) == 0;
    if (has_tensor) none[0] = tensors_[0];
    activation_ = std::make_unique<FuzzDescription>(data, fused, level_, none);
    activation_desc_ = {AnyNumber<DML_OPERATOR_TYPE>(fused.type), activation_->get()};
    Put(offset, static_cast<const DML_OPERATOR_DESC*>(&activation_desc_));
    is_right_ &= IsFusable(fused) && FindSupport(fused, level_) != nullptr && none[0] == nullptr &&
                 activation_->is_right();
  }

  const OperatorSchema& schema_;
  const Tensors& tensors_;
  FeatureLevel level_;
  alignas(8) std::byte bytes_[128] = {};
  DML_SCALE_BIAS scale_bias_{};
  DML_OPERATOR_DESC activation_desc_{};
  std::unique_ptr<FuzzDescription> activation_;
  bool is_right_ = true;
};

void CheckCompiled(IDMLDevice* device, IDMLOperator* op, DML_EXECUTION_FLAGS flags, bool has_owned_input) {
  ComPtr<IDMLCompiledOperator> compiled;
  const HRESULT hr = device->CompileOperator(op, flags, IID_PPV_ARGS(&compiled));
  FUZZ_REQUIRE(SUCCEEDED(hr) == (compiled != nullptr));
  FUZZ_REQUIRE(hr == (NumberOf(flags) < 8 ? S_OK : E_INVALIDARG));
  if (compiled == nullptr) return;
  const DML_BINDING_PROPERTIES properties = compiled->GetBindingProperties();
  FUZZ_REQUIRE(properties.RequiredDescriptorCount > 0);
  FUZZ_REQUIRE(properties.TemporaryResourceSize == 0);
  FUZZ_REQUIRE((properties.PersistentResourceSize != 0) == has_owned_input);
}

void TryOne(Devices& devices, FuzzedDataProvider& data) {
  const FeatureLevel level = data.PickValueInArray(kAllFeatureLevels);
  IDMLDevice* device = devices.Get(level);
  const auto schemas = AllOperatorSchemas();
  const int32_t type = data.ConsumeIntegralInRange<int>(0, 7) == 0
                           ? data.ConsumeIntegral<int32_t>()
                           : schemas[data.ConsumeIntegralInRange<size_t>(0, schemas.size() - 1)].type;
  const FuzzShape shape(data);
  const FuzzTensor first(data, shape);
  const FuzzTensor second(data, shape);
  const FuzzTensor third(data, shape);
  const OperatorSchema* schema = FindOperatorSchema(type);
  const uint32_t inputs = schema == nullptr ? 0 : schema->input_count;
  Tensors tensors{};
  for (uint32_t i = 0; i <= inputs; ++i) {
    const int which = data.ConsumeIntegralInRange<int>(0, 7);
    tensors[i] = which < 4 ? &first : which < 6 ? &second : &third;
    const bool optional = schema != nullptr && schema->Tensor(i).is_optional();
    if (which == 7 && optional) tensors[i] = nullptr;
  }
  std::unique_ptr<FuzzDescription> description;
  if (schema != nullptr) description = std::make_unique<FuzzDescription>(data, *schema, level, tensors);
  const bool has_desc = data.ConsumeIntegralInRange<int>(0, 31) != 31;
  const void* fields = description == nullptr ? first.get() : description->get();
  const DML_OPERATOR_DESC desc = {AnyNumber<DML_OPERATOR_TYPE>(type), has_desc ? fields : nullptr};

  ComPtr<IDMLOperator> op;
  const HRESULT hr = device->CreateOperator(&desc, IID_PPV_ARGS(&op));
  FUZZ_REQUIRE(SUCCEEDED(hr) == (op != nullptr));
  FUZZ_REQUIRE(device->GetDeviceRemovedReason() == S_OK);

  if (type <= 0 || type > kLastOperatorType) {
    FUZZ_REQUIRE(hr == E_INVALIDARG);
  } else if (schema == nullptr || FindSupport(*schema, level) == nullptr) {
    FUZZ_REQUIRE(hr == DXGI_ERROR_UNSUPPORTED || hr == E_NOTIMPL || hr == E_INVALIDARG);
  } else if (!has_desc || !AreTensorsOf(*schema, level, tensors) || !description->is_right()) {
    FUZZ_REQUIRE(hr == E_INVALIDARG);
  } else {
    const DML_BUFFER_TENSOR_DESC& output = tensors[schema->input_count]->buffer;
    // Where visiting every element would take too long, either answer stands.
    if (CountElements(output) <= 4096) FUZZ_REQUIRE(SUCCEEDED(hr) == HasDistinctElements(output));
  }
  if (op == nullptr) return;
  bool has_owned_input = false;
  for (uint32_t i = 0; i < schema->input_count; ++i) {
    has_owned_input |= tensors[i] != nullptr && tensors[i]->buffer.Flags == DML_TENSOR_FLAG_OWNED_BY_DML;
  }
  const auto flags = AnyNumber<DML_EXECUTION_FLAGS>(data.ConsumeIntegralInRange<int32_t>(0, 8));
  CheckCompiled(device, op.Get(), flags, has_owned_input);
}

}  // namespace
}  // namespace residue::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static residue::testing::Devices devices;
  FuzzedDataProvider data(bytes, size);
  residue::testing::TryOne(devices, data);
  devices.RequireNothingLeft();
  return 0;
}
