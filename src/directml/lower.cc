#include "directml/lower.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/float_environment.h"
#include "core/half.h"

namespace residue {
namespace {

constexpr residue_operator ToC(OperatorId op) noexcept { return static_cast<residue_operator>(op); }

uint64_t ElementCount(const TensorDesc& tensor) noexcept {
  uint64_t count = 1;
  for (uint32_t i = 0; i < tensor.rank; ++i) count *= tensor.sizes[i];
  return count;
}

// A bound that is none: NaN, or the largest integer.
uint64_t NoUpperBound(DataType type) noexcept {
  if (type == DataType::kFloat16) return kHalfNan.bits;
  if (type == DataType::kFloat32) return std::bit_cast<uint32_t>(std::numeric_limits<float>::quiet_NaN());
  const uint64_t all = UINT64_MAX >> (64 - 8 * SizeOf(type));
  return Contains(kSignedIntegers, type) ? all >> 1 : all;
}

// Elements of FLOAT16 as those of FLOAT32, in which halves are computed.
uint64_t WidenElement(uint64_t half) noexcept {
  return std::bit_cast<uint32_t>(HalfToFloat(Float16{static_cast<uint16_t>(half)}));
}

class Lowering {
 public:
  Lowering(const OperatorRequest& request, std::span<const uint32_t> tensors, ILoweringSink& sink)
      : request_(request), schema_(*request.schema), tensors_(tensors), sink_(sink) {}

  void Run() {
    switch (schema_.recipe) {
      case Recipe::kDirect:
        return schema_.has_scale_bias() ? Unary(schema_, request_.params, ScaledInput()) : Direct();
      case Recipe::kAddActivation:
        return AddActivation();
      case Recipe::kFillConstant:
        return Store(RESIDUE_IDENTITY, {Element(ReadParams<uint64_t>(request_.params.bytes), OutputType())});
      case Recipe::kFillSequence:
        return FillSequence();
      case Recipe::kQuantize:
        return Store(RESIDUE_QUANTIZE_LINEAR,
                     {ToFloat32(Input(0)), ToFloat32(Input(1)), InputOrZero(2, OutputType())});
      case Recipe::kDequantize:
        return StoreAs(RESIDUE_FLOAT32, RESIDUE_DEQUANTIZE_LINEAR,
                       {Input(0), ToFloat32(Input(1)), InputOrZero(2, Type(0))});
      case Recipe::kQuantizedAdd:
        return QuantizedAdd();
      case Recipe::kPow:
        return Pow(Input(1));
      case Recipe::kConstantPow:
        return ConstantPow();
      case Recipe::kThreshold:
      case Recipe::kRelu:
      case Recipe::kLinear:
      case Recipe::kHardSigmoid:
        return Unary(schema_, request_.params, ScaledInput());
    }
  }

 private:
  residue_type Type(uint32_t tensor) const noexcept {
    return static_cast<residue_type>(request_.tensors[tensor].type);
  }
  residue_type OutputType() const noexcept { return Type(schema_.input_count); }
  DataType TensorType() const noexcept { return request_.output().type; }

  // Tensors of one element are the same for all.
  LoweredValue Value(uint32_t tensor) const noexcept {
    LoweredValue value = {tensors_[tensor], {}};
    value.operand.type = Type(tensor);
    const Strides strides = ByteStrides(request_.tensors[tensor]);
    if (!schema_.Tensor(tensor).one_element) {
      std::copy_n(strides.begin(), request_.tensors[tensor].rank, value.operand.strides);
    }
    return value;
  }
  LoweredValue Input(uint32_t index) const noexcept { return Value(index); }
  LoweredValue Output() const noexcept { return Value(schema_.input_count); }
  LoweredValue InputOrZero(uint32_t index, residue_type type) {
    return request_.input(index).is_present() ? Input(index) : Element(0, type);
  }
  LoweredValue Element(uint64_t bits, residue_type type) {
    LoweredValue value = {sink_.AddElement(bits, static_cast<uint32_t>(SizeOf(static_cast<DataType>(type)))),
                          {}};
    value.operand.type = type;
    return value;
  }

  LoweredValue Temporary(residue_type type) {
    const TensorDesc& output = request_.output();
    auto step = static_cast<int64_t>(SizeOf(static_cast<DataType>(type)));
    LoweredValue value = {sink_.AddTemporary(ElementCount(output) * static_cast<uint64_t>(step)), {}};
    value.operand.type = type;
    for (uint32_t i = output.rank; i-- > 0; step *= output.sizes[i]) value.operand.strides[i] = step;
    return value;
  }

  void Node(residue_operator op, std::vector<LoweredValue> inputs, const LoweredValue& out,
            const void* params = nullptr, uint32_t params_size = 0) {
    inputs.push_back(out);
    sink_.AddNode(op, inputs, params, params_size);
  }
  LoweredValue Compute(residue_type type, residue_operator op, std::vector<LoweredValue> inputs,
                       const void* params = nullptr, uint32_t params_size = 0) {
    const LoweredValue result = Temporary(type);
    Node(op, std::move(inputs), result, params, params_size);
    return result;
  }

  // Into the output.
  void Store(residue_operator op, std::vector<LoweredValue> inputs, const void* params = nullptr,
             uint32_t params_size = 0) {
    Node(op, std::move(inputs), Output(), params, params_size);
  }
  // The same, by way of a result of another type.
  void StoreAs(residue_type type, residue_operator op, std::vector<LoweredValue> inputs,
               const void* params = nullptr, uint32_t params_size = 0) {
    if (type == OutputType()) return Store(op, std::move(inputs), params, params_size);
    Store(RESIDUE_CAST, {Compute(type, op, std::move(inputs), params, params_size)});
  }

  LoweredValue ToFloat32(const LoweredValue& value) {
    if (value.operand.type == RESIDUE_FLOAT32) return value;
    return Compute(RESIDUE_FLOAT32, RESIDUE_CAST, {value});
  }

  // The type in which the library's operator gives what the output wants: questions are answered in bytes.
  residue_type ResultType(OperatorId op) const noexcept {
    const auto wanted = static_cast<DataType>(OutputType());
    return IsUniform(op) || Gives(op, static_cast<DataType>(Type(0)), wanted)
               ? OutputType()
               : static_cast<residue_type>(residue::OutputType(op, static_cast<DataType>(Type(0))));
  }

  void Direct() {
    if (schema_.op == OperatorId::kClipGrad && request_.no_bounds != 0) return ClipGradOfOneBound();
    std::vector<LoweredValue> inputs;
    for (uint32_t i = 0; i < schema_.input_count; ++i) inputs.push_back(Input(i));
    StoreAs(ResultType(schema_.op), ToC(schema_.op), std::move(inputs), request_.params.bytes,
            static_cast<uint32_t>(ParamsBytes(schema_.op)));
  }

  // The first input after its ScaleBias. Halves are not rounded in between, unless there is nothing else.
  LoweredValue ScaledInput() {
    if (!request_.scale_bias || IsIdentity(schema_)) return Input(0);
    const LoweredValue from = Type(0) == RESIDUE_FLOAT16 ? ToFloat32(Input(0)) : Input(0);
    return Compute(from.operand.type, RESIDUE_SCALE_BIAS, {from}, &*request_.scale_bias,
                   sizeof(ScaleBiasParams));
  }
  static bool IsIdentity(const OperatorSchema& schema) noexcept {
    return schema.recipe == Recipe::kDirect && schema.op == OperatorId::kIdentity;
  }

  // An operator of one input, into the output; halves may have become FLOAT32 by now.
  void Unary(const OperatorSchema& schema, const Params& params, const LoweredValue& in) {
    const residue_type type = in.operand.type;
    switch (schema.recipe) {
      case Recipe::kThreshold:
        return Clip({ReadParams<uint64_t>(params.bytes), NoUpperBound(TensorType())}, in);
      case Recipe::kRelu:
        return Clip({0, NoUpperBound(TensorType())}, in);
      case Recipe::kLinear:
        return StoreAs(type, RESIDUE_SCALE_BIAS, {in}, params.bytes, sizeof(ScaleBiasParams));
      case Recipe::kHardSigmoid: {
        const LoweredValue line = Compute(RESIDUE_FLOAT32, RESIDUE_SCALE_BIAS, {ToFloat32(in)}, params.bytes,
                                          sizeof(ScaleBiasParams));
        const BoundsParams bounds = {0, std::bit_cast<uint32_t>(1.0f)};
        return StoreAs(RESIDUE_FLOAT32, RESIDUE_CLIP, {line}, &bounds, sizeof(bounds));
      }
      default:
        break;
    }
    if (schema.op == OperatorId::kClip) return Clip(ReadParams<BoundsParams>(params.bytes), in);
    if (IsIdentity(schema) && request_.scale_bias) {
      return Store(RESIDUE_SCALE_BIAS, {in}, &*request_.scale_bias, sizeof(ScaleBiasParams));
    }
    // Functions round the unrounded argument's value once, to halves as well.
    const bool gives = Gives(schema.op, static_cast<DataType>(type), TensorType());
    StoreAs(gives ? OutputType() : type, ToC(schema.op), {in}, params.bytes,
            static_cast<uint32_t>(ParamsBytes(schema.op)));
  }

  // Bounds have the type of the tensors.
  void Clip(BoundsParams bounds, const LoweredValue& in) {
    if (in.operand.type != OutputType()) bounds = {WidenElement(bounds.min), WidenElement(bounds.max)};
    StoreAs(in.operand.type, RESIDUE_CLIP, {in}, &bounds, sizeof(bounds));
  }

  // Integers without one of the bounds: no integer is outside of all.
  void ClipGradOfOneBound() {
    if (request_.no_bounds == 3) return Store(RESIDUE_IDENTITY, {Input(1)});
    const auto bounds = ReadParams<BoundsParams>(request_.params.bytes);
    const bool is_least = request_.no_bounds == 2;
    const LoweredValue outside =
        Compute(RESIDUE_UINT8, is_least ? RESIDUE_LESS_THAN_OR_EQUAL : RESIDUE_GREATER_THAN_OR_EQUAL,
                {Input(0), Element(is_least ? bounds.min : bounds.max, OutputType())});
    Store(RESIDUE_IF, {outside, Element(0, OutputType()), Input(1)});
  }

  void AddActivation() {
    if (request_.activation == nullptr) return Store(RESIDUE_ADD, {Input(0), Input(1)});
    const LoweredValue sum = Compute(OutputType(), RESIDUE_ADD, {Input(0), Input(1)});
    Unary(*request_.activation, request_.activation_params, sum);
  }

  void FillSequence() {
    LoweredValue index = {sink_.AddIndex(), {}};
    index.operand.type = RESIDUE_UINT64;
    Store(RESIDUE_SEQUENCE, {index}, request_.params.bytes, sizeof(SequenceParams));
  }

  static bool IsFloat(residue_type type) noexcept { return Contains(kFloats, static_cast<DataType>(type)); }

  // A result modulo 2^n is the same whatever longer type it is computed in. Halves may be those of FLOAT32
  // numbers.
  void Pow(const LoweredValue& exponent) {
    const LoweredValue base = ScaledInput();
    if (IsFloat(OutputType())) return FloatPow(base, exponent);
    if (IsFloat(exponent.operand.type)) return Store(RESIDUE_POW_TRUNCATED, {ToFloat32(exponent), base});
    const residue_type type = CommonType(OutputType(), exponent.operand.type);
    StoreAs(type, RESIDUE_POW, {As(type, base), As(type, exponent)});
  }

  // Exponents of 32 bits are the sum of two FLOAT32 numbers.
  void FloatPow(const LoweredValue& base, const LoweredValue& exponent) {
    const residue_type type = exponent.operand.type;
    if (type == base.operand.type) return Store(RESIDUE_POW, {base, exponent});
    const LoweredValue rounded = ToFloat32(exponent);
    if (type != RESIDUE_INT32 && type != RESIDUE_UINT32)
      return Store(RESIDUE_POW, {ToFloat32(base), rounded});
    const LoweredValue rest =
        Compute(RESIDUE_INT64, RESIDUE_SUBTRACT, {As(RESIDUE_INT64, exponent), As(RESIDUE_INT64, rounded)});
    Store(RESIDUE_POW_OF_SUM, {ToFloat32(base), rounded, ToFloat32(rest)});
  }

  // A power of 32 bits depends on the last 30 of an exponent of 30 or more, because it is 0 or has an inverse
  // whose order divides 2^30; and of a negative one on the last alone.
  void ConstantPow() {
    const auto given = static_cast<double>(ReadParams<float>(request_.params.bytes));
    if (IsFloat(OutputType()) || !std::isfinite(given) || given != std::trunc(given)) {
      return Pow(Element(ReadParams<uint32_t>(request_.params.bytes), RESIDUE_FLOAT32));
    }
    const double last_bits = std::fmod(given, 0x1p30);
    const auto exponent = static_cast<int32_t>(given < 0        ? std::fmod(given, 2.0) - 2
                                               : given < 0x1p30 ? given
                                                                : last_bits + 0x1p30);
    const bool fits = exponent >= 0 && exponent <= INT8_MAX;
    Pow(Element(static_cast<uint32_t>(exponent), fits ? OutputType() : RESIDUE_INT32));
  }

  LoweredValue As(residue_type type, const LoweredValue& value) {
    return value.operand.type == type ? value : Compute(type, RESIDUE_CAST, {value});
  }

  // The shortest that holds all integers of both, which have at most 32 bits.
  static residue_type CommonType(residue_type a, residue_type b) noexcept {
    const auto is_signed = [](residue_type type) {
      return Contains(kSignedIntegers, static_cast<DataType>(type));
    };
    const auto bytes = [](residue_type type) { return SizeOf(static_cast<DataType>(type)); };
    if (is_signed(a) == is_signed(b)) return bytes(a) >= bytes(b) ? a : b;
    const size_t needed = std::max(bytes(is_signed(a) ? a : b), 2 * bytes(is_signed(a) ? b : a));
    return needed == 2 ? RESIDUE_INT16 : needed == 4 ? RESIDUE_INT32 : RESIDUE_INT64;
  }

  // A, its scale and its zero point, the same of B, and the output's.
  void QuantizedAdd() {
    const auto number = [&](uint32_t first) {
      return Compute(RESIDUE_FLOAT32, RESIDUE_DEQUANTIZE_LINEAR,
                     {Input(first), Input(first + 1), InputOrZero(first + 2, Type(first))});
    };
    const LoweredValue sum = Compute(RESIDUE_FLOAT32, RESIDUE_ADD, {number(0), number(3)});
    Store(RESIDUE_QUANTIZE_LINEAR, {sum, Input(6), InputOrZero(7, OutputType())});
  }

  const OperatorRequest& request_;
  const OperatorSchema& schema_;
  std::span<const uint32_t> tensors_;
  ILoweringSink& sink_;
};

}  // namespace

void LowerOperator(const OperatorRequest& request, std::span<const uint32_t> tensors, ILoweringSink& sink) {
  const ScopedFloatEnvironment environment;
  Lowering(request, tensors, sink).Run();
}

}  // namespace residue
