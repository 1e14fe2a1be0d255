#include "translate.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/half.h"
#include "core/operator_id.h"
#include "element_types.h"

namespace residue::ort {
namespace {

enum class Recipe : uint8_t {
  kBinary,
  kUnary,
  kVariadic,
  kMean,
  kQuestion,
  kLogical,
  kMod,
  kBitShift,
  kClip,
  kSign,
  kCast,
  kQuantization,
  kIsInf,
  kWhere,
  kRelu,
  kAlpha,
  kSelu,
  kHardSigmoid,
  kHardSwish,
  kNanAtInfinities,
  kGelu,
  kSwish,
};

struct OnnxOperator {
  std::string_view name;
  int first;
  Recipe recipe;
  OperatorId op;
};

constexpr OnnxOperator kOperators[] = {
#define RESIDUE_ONNX(Name, first, recipe, Operator, note) \
  {#Name, first, Recipe::recipe, OperatorId::k##Operator},
#include "onnx_operators.def"
};

const OnnxOperator* Find(const ModelNode& node) {
  if (!node.domain().empty() && node.domain() != "ai.onnx") return nullptr;
  for (const OnnxOperator& known : kOperators) {
    if (known.name == node.op()) return &known;
  }
  return nullptr;
}

bool Takes(OperatorId op, residue_type type) { return Contains(InputTypes(op), static_cast<DataType>(type)); }
bool IsFloat(residue_type type) { return Contains(kFloats, static_cast<DataType>(type)); }

// The largest number of a float type; 0 for others.
double Largest(residue_type type) {
  switch (type) {
    case RESIDUE_FLOAT16:
      return 65504;
    case RESIDUE_FLOAT32:
      return static_cast<double>(std::numeric_limits<float>::max());
    case RESIDUE_FLOAT64:
      return std::numeric_limits<double>::max();
    default:
      return 0;
  }
}

// An element that is a number of the type, small for integers, or NaN.
uint64_t BitsOf(residue_type type, double number) {
  switch (type) {
    case RESIDUE_FLOAT16:
      return DoubleToHalf(number).bits;
    case RESIDUE_FLOAT32:
      return std::bit_cast<uint32_t>(static_cast<float>(number));
    case RESIDUE_FLOAT64:
      return std::bit_cast<uint64_t>(number);
    default:
      return static_cast<uint64_t>(static_cast<int64_t>(number));
  }
}

bool IsUsual(float number) { return std::isfinite(number) && number != 0; }

std::string NotOf(const char* what) { return std::string("does not compute ") + what; }

// What most recipes need: inputs of one type, which the operator has.
std::string CheckUniform(const ModelNode& node, OperatorId op) {
  const residue_type first = ToResidueType(node.inputs().front().type);
  for (const NodeValue& input : node.inputs()) {
    if (input.name.empty()) return "an input is missing";
    if (ToResidueType(input.type) != first) return NotOf("inputs of several types");
  }
  return Takes(op, first) ? "" : NotOf("this type");
}

// One constant number for all elements: a scale for each channel would lie along another dimension.
bool IsForAll(const NodeValue& number) {
  return number.is_constant && (number.dimensions.empty() || number.dimensions == std::vector<int64_t>{1});
}

std::string CheckQuantization(const ModelNode& node, OperatorId op) {
  const std::vector<NodeValue>& inputs = node.inputs();
  const ElementType from = inputs[0].type;
  const ElementType to = node.outputs().front().type;
  const auto type_of = [](ElementType type) { return static_cast<DataType>(ToResidueType(type)); };
  if (inputs.size() < 2 || inputs[1].type != ElementType::kFloat || !Gives(op, type_of(from), type_of(to)))
    return NotOf("these types");
  if (!node.IsIntOrMissing("block_size", 0, 0) || !node.IsIntOrMissing("precision", 0, 0))
    return NotOf("blocks, or another precision than that of the scale");
  if (!IsForAll(inputs[1])) return NotOf("scales for each channel, or such that change");
  const ElementType codes = op == OperatorId::kQuantizeLinear ? to : from;
  const bool has_zero = inputs.size() > 2 && !inputs[2].name.empty();
  if (has_zero && (!IsForAll(inputs[2]) || inputs[2].type != codes))
    return NotOf("zero points for each channel, or such that change");
  return "";
}

std::string CheckRecipe(const ModelNode& node, const OnnxOperator& known) {
  const ElementType first = node.inputs().front().type;
  const residue_type type = ToResidueType(first);
  switch (known.recipe) {
    case Recipe::kLogical:
      return first == ElementType::kBool ? "" : NotOf("this type");
    case Recipe::kQuestion:
      return CheckUniform(node, known.op);
    case Recipe::kWhere:
      return first == ElementType::kBool && node.inputs()[1].type == node.inputs()[2].type
                 ? ""
                 : NotOf("these types");
    case Recipe::kCast:
      return ToResidueType(static_cast<ElementType>(node.Int("to", 0))) == 0 ? NotOf("that type") : "";
    case Recipe::kQuantization:
      return CheckQuantization(node, known.op);
    case Recipe::kMean:
      if (!IsFloat(type)) return NotOf("means of integers");
      break;
    case Recipe::kMod:
      if (!node.IsIntOrMissing("fmod", 0, 1)) return "fmod must be 0 or 1";
      if (IsFloat(type) && node.Int("fmod", 0) != 1) return "floats need fmod=1";
      break;
    case Recipe::kBitShift:
      if (node.String("direction", "") != "LEFT" && node.String("direction", "") != "RIGHT")
        return "the direction must be LEFT or RIGHT";
      break;
    case Recipe::kAlpha:
      if (known.op == OperatorId::kCelu && !IsUsual(node.Float("alpha", 1)))
        return NotOf("Celu with an alpha of 0, infinity or NaN");
      break;
    case Recipe::kSign:
      if (IsFloat(type)) return NotOf("Sign of floats, because of NaN");
      break;
    case Recipe::kGelu:
      if (node.String("approximate", "none") != "none") return NotOf("the approximation by tanh");
      break;
    case Recipe::kClip:
      for (const NodeValue& input : node.inputs()) {
        if (!input.name.empty() && input.type != first) return NotOf("bounds of another type");
      }
      return Takes(known.op, type) ? "" : NotOf("this type");
    default:
      break;
  }
  if (first == ElementType::kBool && known.recipe != Recipe::kUnary) return NotOf("truth values");
  if (first == ElementType::kBool && known.op != OperatorId::kIdentity) return NotOf("truth values");
  return CheckUniform(node, known.op);
}

class Translator {
 public:
  Translator(const ModelNode& node, std::span<const ValueId> inputs, Program* program)
      : node_(node), inputs_(inputs), program_(*program), known_(*Find(node)) {}

  ValueId Run() {
    const auto op = static_cast<residue_operator>(known_.op);
    switch (known_.recipe) {
      case Recipe::kUnary:
        return Step(known_.op, Type(), {Input(0)});
      case Recipe::kBinary:
        return program_.AddStep(op, Type(), {Input(0), Input(1)});
      case Recipe::kVariadic:
      case Recipe::kMean:
        return Variadic();
      case Recipe::kQuestion:
      case Recipe::kLogical:
        return program_.AddStep(op, RESIDUE_UINT8, std::vector<ValueId>(inputs_.begin(), inputs_.end()));
      case Recipe::kMod:
        return Step(node_.Int("fmod", 0) == 0 ? OperatorId::kModulusFloor : OperatorId::kModulusTruncate,
                    Type(), {Input(0), Input(1)});
      case Recipe::kBitShift:
        return Step(
            node_.String("direction", "") == "LEFT" ? OperatorId::kBitShiftLeft : OperatorId::kBitShiftRight,
            Type(), {Input(0), Input(1)});
      case Recipe::kClip:
        return Clip();
      case Recipe::kSign:
        return Step(known_.op, Type(), {Input(0)});
      case Recipe::kCast:
        return Cast();
      case Recipe::kQuantization:
        return Quantization();
      case Recipe::kIsInf:
        return IsInf();
      case Recipe::kWhere:
        return program_.AddStep(op, program_.type(Input(1)), {Input(0), Input(1), Input(2)});
      case Recipe::kRelu:
        return Step(OperatorId::kMax, Type(), {Input(0), Constant(0)});
      case Recipe::kAlpha:
        return Step(known_.op, Type(), {Input(0)}, AlphaParams{node_.Float("alpha", DefaultAlpha())});
      case Recipe::kSelu:
        return Step(known_.op, Type(), {Input(0)},
                    AlphaGammaParams{node_.Float("alpha", AlphaGammaParams().alpha),
                                     node_.Float("gamma", AlphaGammaParams().gamma)});
      case Recipe::kHardSigmoid:
        return HardSigmoid();
      case Recipe::kHardSwish:
        return Step(known_.op, Type(), {Input(0)}, AlphaBetaParams());
      case Recipe::kNanAtInfinities:
        return NanWhere(
            Step(OperatorId::kIsInfinity, RESIDUE_UINT8, {Input(0)}, InfinityParams{InfinityParams::kEither}),
            Step(known_.op, Type(), {Input(0)}));
      case Recipe::kGelu:
        return NanAt(InfinityParams::kNegative, Step(known_.op, Type(), {Input(0)}));
      case Recipe::kSwish:
        return Swish();
    }
    return kNoValue;
  }

 private:
  ValueId Input(size_t index) const { return inputs_[index]; }
  residue_type Type() const { return program_.type(inputs_[0]); }
  ValueId Constant(double number) { return program_.AddConstant(Type(), BitsOf(Type(), number)); }

  ValueId Step(OperatorId op, residue_type type, std::vector<ValueId> inputs) {
    return program_.AddStep(static_cast<residue_operator>(op), type, std::move(inputs));
  }
  template <class P>
  ValueId Step(OperatorId op, residue_type type, const std::vector<ValueId>& inputs, const P& params) {
    return program_.AddStep(static_cast<residue_operator>(op), type, inputs, Params::Of(params),
                            sizeof(params));
  }

  float DefaultAlpha() const { return ReadParams<AlphaParams>(DefaultParams(known_.op).bytes).alpha; }

  // Sums of halves are computed in float32 and rounded once, and so are their means.
  ValueId Variadic() {
    const bool halves = known_.op == OperatorId::kAdd && Type() == RESIDUE_FLOAT16;
    const residue_type type = halves ? RESIDUE_FLOAT32 : Type();
    const auto operand = [&](size_t i) {
      return halves ? Step(OperatorId::kCast, type, {Input(i)}) : Input(i);
    };
    ValueId result = operand(0);
    for (size_t i = 1; i < inputs_.size(); ++i) result = Step(known_.op, type, {result, operand(i)});
    if (known_.recipe == Recipe::kMean) {
      const ValueId count = program_.AddConstant(type, BitsOf(type, static_cast<double>(inputs_.size())));
      result = Step(OperatorId::kDivide, type, {result, count});
    }
    if (halves) return Step(OperatorId::kCast, Type(), {result});
    return result == Input(0) ? Step(OperatorId::kIdentity, Type(), {result}) : result;
  }

  // Without a zero point it is 0.
  ValueId Quantization() {
    const residue_type result = ToResidueType(node_.outputs().front().type);
    const bool has_zero = inputs_.size() > 2 && Input(2) != kNoValue;
    const residue_type codes = known_.op == OperatorId::kQuantizeLinear ? result : Type();
    return Step(known_.op, result,
                {Input(0), program_.AddScalar(Input(1)),
                 has_zero ? program_.AddScalar(Input(2)) : program_.AddConstant(codes, 0)});
  }

  // Bounds are attributes before opset 11, and then optional inputs.
  ValueId Clip() {
    ValueId low = inputs_.size() > 1 ? Input(1) : kNoValue;
    ValueId high = inputs_.size() > 2 ? Input(2) : kNoValue;
    if (low != kNoValue) low = program_.AddScalar(low);
    if (high != kNoValue) high = program_.AddScalar(high);
    if (node_.Has("min")) low = Constant(static_cast<double>(node_.Float("min", 0)));
    if (node_.Has("max")) high = Constant(static_cast<double>(node_.Float("max", 0)));
    // What is left out is the largest number of the type, which matters to infinities.
    const double largest = Largest(Type());
    if (low == kNoValue && largest != 0) low = Constant(-largest);
    if (high == kNoValue && largest != 0) high = Constant(largest);
    ValueId result = Input(0);
    if (low != kNoValue) result = Step(OperatorId::kMax, Type(), {result, low});
    if (high != kNoValue) result = Step(OperatorId::kMin, Type(), {result, high});
    return result == Input(0) ? Step(OperatorId::kIdentity, Type(), {result}) : result;
  }

  ValueId Cast() {
    const auto to = static_cast<ElementType>(node_.Int("to", 0));
    const residue_type type = ToResidueType(to);
    if (to == ElementType::kBool && node_.inputs()[0].type != ElementType::kBool) {
      return Step(OperatorId::kLogicalNot, RESIDUE_UINT8,
                  {Step(OperatorId::kEquals, RESIDUE_UINT8, {Input(0), Constant(0)})});
    }
    return Step(type == Type() ? OperatorId::kIdentity : OperatorId::kCast, type, {Input(0)});
  }

  ValueId IsInf() {
    const bool negative = node_.Int("detect_negative", 1) != 0;
    const bool positive = node_.Int("detect_positive", 1) != 0;
    if (!negative && !positive) {
      // Never: no element is unequal to itself and equal to it.
      return Step(OperatorId::kLogicalAnd, RESIDUE_UINT8,
                  {Step(OperatorId::kIsNan, RESIDUE_UINT8, {Input(0)}),
                   Step(OperatorId::kEquals, RESIDUE_UINT8, {Input(0), Input(0)})});
    }
    const uint32_t mode = negative && positive ? InfinityParams::kEither
                          : positive           ? InfinityParams::kPositive
                                               : InfinityParams::kNegative;
    return Step(OperatorId::kIsInfinity, RESIDUE_UINT8, {Input(0)}, InfinityParams{mode});
  }

  // Halves are computed in float32 and rounded once.
  ValueId HardSigmoid() {
    const ScaleBiasParams line = {node_.Float("alpha", 0.2f), node_.Float("beta", 0.5f)};
    const bool halves = Type() == RESIDUE_FLOAT16;
    const residue_type wide = halves ? RESIDUE_FLOAT32 : Type();
    const ValueId x = halves ? Step(OperatorId::kCast, wide, {Input(0)}) : Input(0);
    const BoundsParams bounds = {0, BitsOf(wide, 1)};
    const ValueId clipped =
        Step(OperatorId::kClip, wide, {Step(OperatorId::kScaleBias, wide, {x}, line)}, bounds);
    return halves ? Step(OperatorId::kCast, Type(), {clipped}) : clipped;
  }

  ValueId NanWhere(ValueId condition, ValueId otherwise) {
    return Step(OperatorId::kIf, Type(),
                {condition, Constant(std::numeric_limits<double>::quiet_NaN()), otherwise});
  }
  ValueId NanAt(uint32_t infinity, ValueId otherwise) {
    return NanWhere(Step(OperatorId::kIsInfinity, RESIDUE_UINT8, {Input(0)}, InfinityParams{infinity}),
                    otherwise);
  }

  // x * sigmoid(alpha * x): infinity times 0 is NaN.
  ValueId Swish() {
    const float alpha = node_.Float("alpha", 1.0f);
    const ValueId plain = Step(known_.op, Type(), {Input(0)}, AlphaParams{alpha});
    if (alpha == 0) return NanAt(InfinityParams::kEither, plain);
    return NanAt(alpha > 0 ? InfinityParams::kNegative : InfinityParams::kPositive, plain);
  }

  const ModelNode& node_;
  const std::span<const ValueId> inputs_;
  Program& program_;
  const OnnxOperator& known_;
};

}  // namespace

residue_type ToResidueType(ElementType type) noexcept {
  if (type == ElementType::kBool) return RESIDUE_UINT8;
  for (const TypeRow& row : kTypes) {
    // bfloat16 is computed in another type than it lies in.
    if (row.onnx == type && type != ElementType::kBfloat16) return row.computed_in;
  }
  return 0;
}

std::string WhyNot(const ModelNode& node) {
  const OnnxOperator* known = Find(node);
  if (known == nullptr) return "is not in the list";
  if (node.version() < known->first) return "has the definition of an older opset";
  if (node.inputs().empty() || node.outputs().size() != 1) return "has other inputs or outputs";
  for (const NodeValue& input : node.inputs()) {
    if (!input.name.empty() && ToResidueType(input.type) == 0) return NotOf("this type");
  }
  return CheckRecipe(node, *known);
}

ValueId Translate(const ModelNode& node, std::span<const ValueId> inputs, Program* program) {
  return Translator(node, inputs, program).Run();
}

}  // namespace residue::ort
