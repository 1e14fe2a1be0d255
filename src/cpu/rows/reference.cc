#include "cpu/rows/reference.h"

#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/rows/reference_float.h"

namespace residue::reference {
namespace {

// The rule for an integer divisor of zero: the result is 0, for both operators and all types.
template <class T>
constexpr T kModulusByZero = 0;

template <std::integral T>
T TruncateInteger(T a, T b) noexcept {
  if (b == 0) return kModulusByZero<T>;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;  // MIN % -1 is 0, but the division would trap
  }
  return static_cast<T>(a % b);
}

template <std::integral T>
T FloorInteger(T a, T b) noexcept {
  const T r = TruncateInteger(a, b);
  const bool signs_differ = (r < 0) != (b < 0);
  return r != 0 && signs_differ ? static_cast<T>(r + b) : r;
}

// One call shape for operators of one and two inputs, with and without params.
template <class T, class R>
R Apply(R (*evaluate)(T, T) noexcept, T a, T b, const void*) noexcept {
  return evaluate(a, b);
}
template <class T, class R>
R Apply(R (*evaluate)(T) noexcept, T a, T, const void*) noexcept {
  return evaluate(a);
}
template <class T, class R, class P>
R Apply(R (*evaluate)(T, const P&) noexcept, T a, T, const void* params) noexcept {
  return evaluate(a, ReadParams<P>(params));
}

template <class T>
Exceptions DetectDivision(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    return b == 0 ? kDivisionByZero : kNoException;
  } else {
    return IsInvalidOperation(a, b) ? kInvalidOperation : kNoException;
  }
}

// Of one rounded operation.
template <std::floating_point F>
Exceptions DetectOperation(F x, F y, F result) noexcept {
  if (std::isinf(result) && std::isfinite(x) && std::isfinite(y)) return kOverflow;
  if (std::isnan(result) && !std::isnan(x) && !std::isnan(y)) return kInvalidOperation;
  return kNoException;
}

template <class T>
bool IsSignalling(T value) noexcept {
  using F = FloatBits<T>;
  return F::MagnitudeBits(value) > F::kInfinity && F::MagnitudeBits(value) < F::kNan;
}

// What floating-point elements are computed in.
template <class T>
auto Widen(T a) noexcept {
  if constexpr (std::is_same_v<T, Float16>) {
    return HalfToFloat(a);
  } else {
    return a;
  }
}
template <class T, std::floating_point F>
T Narrow(F result) noexcept {
  if (std::isnan(result)) result = std::numeric_limits<F>::quiet_NaN();
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(static_cast<double>(result));
  } else {
    return result;
  }
}

// Of rounding a result to the type of the elements.
template <class T, std::floating_point F>
Exceptions DetectNarrowing(F result) noexcept {
  const bool too_large = std::is_same_v<T, Float16> && std::isfinite(result) && std::fabs(result) >= F{65520};
  return too_large ? kOverflow : kNoException;
}

template <class T>
Exceptions DetectScaleBias(T a, const ScaleBiasParams& params) noexcept {
  const auto x = Widen(a);
  using F = decltype(Widen(a));
  const auto scale = static_cast<F>(params.scale);
  const auto bias = static_cast<F>(params.bias);
  const F product = x * scale;
  const F sum = product + bias;
  return DetectOperation(x, scale, product) | DetectOperation(product, bias, sum) | DetectNarrowing<T>(sum) |
         (IsSignalling(a) ? kInvalidOperation : kNoException);
}

// One operation on two elements, which is given as a function of any numbers.
template <class T, class Operation>
T Compute(T a, T b, Operation operation) noexcept {
  if constexpr (std::integral<T>) {
    return static_cast<T>(operation(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return Narrow<T>(operation(Widen(a), Widen(b)));
  }
}
template <class T, class Operation>
Exceptions DetectOf(T a, T b, Operation operation) noexcept {
  const auto result = operation(Widen(a), Widen(b));
  const bool signalling = IsSignalling(a) || IsSignalling(b);
  return DetectOperation(Widen(a), Widen(b), result) | DetectNarrowing<T>(result) |
         (signalling ? kInvalidOperation : kNoException);
}
constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kSubtract = [](auto a, auto b) { return a - b; };
constexpr auto kMultiply = [](auto a, auto b) { return a * b; };

template <class T>
Exceptions DetectArithmetic(OperatorId op, T a, T b, const Params& params) noexcept {
  switch (op) {
    case OperatorId::kScaleBias:
      return DetectScaleBias(a, ReadParams<ScaleBiasParams>(params.bytes));
    case OperatorId::kAdd:
      return DetectOf(a, b, kAdd);
    case OperatorId::kSubtract:
      return DetectOf(a, b, kSubtract);
    case OperatorId::kMultiply:
      return DetectOf(a, b, kMultiply);
    default:
      return kNoException;  // not by this rule
  }
}

template <class T, auto kEvaluate, OperatorId kOp>
Exceptions RunRow(const Row& row) noexcept {
  const auto* a = static_cast<const std::byte*>(row.in[0]);
  const auto* b = InputCount(kOp) > 1 ? static_cast<const std::byte*>(row.in[1]) : a;
  auto* out = static_cast<std::byte*>(row.out);
  const size_t step_a = (row.single & 1) != 0 ? 0 : sizeof(T);
  const size_t step_b = InputCount(kOp) > 1 ? ((row.single & 2) != 0 ? 0 : sizeof(T)) : step_a;
  Params params;
  if constexpr (ParamsBytes(kOp) != 0) std::memcpy(params.bytes, row.params, ParamsBytes(kOp));
  Exceptions found = kNoException;
  for (size_t i = 0; i < row.count; ++i) {
    T x;
    T y;
    std::memcpy(&x, a + i * step_a, sizeof(T));
    std::memcpy(&y, b + i * step_b, sizeof(T));
    const auto result = Apply<T>(kEvaluate, x, y, row.params);
    if (row.detect) found |= Detect(kOp, x, y, params);
    std::memcpy(out + i * sizeof(result), &result, sizeof(result));
  }
  return found;
}

}  // namespace

template <class T>
T ModulusTruncate(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    return TruncateInteger(a, b);
  } else {
    return TruncateFloat(a, b);
  }
}

template <class T>
T ModulusFloor(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    return FloorInteger(a, b);
  } else {
    return FloorFloat(a, b);
  }
}

template <class T>
T Identity(T a) noexcept {
  return a;
}

template <class T>
T ScaleBias(T a, const ScaleBiasParams& params) noexcept {
  using F = decltype(Widen(a));
  const F product = Widen(a) * static_cast<F>(params.scale);
  return Narrow<T>(product + static_cast<F>(params.bias));
}

template <class T>
T Add(T a, T b) noexcept {
  return Compute(a, b, kAdd);
}
template <class T>
T Subtract(T a, T b) noexcept {
  return Compute(a, b, kSubtract);
}
template <class T>
T Multiply(T a, T b) noexcept {
  return Compute(a, b, kMultiply);
}

template <class T>
T Evaluate(OperatorId op, T a, T b, const Params& params) noexcept {
  switch (op) {
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, ...)                                       \
  case OperatorId::k##Name:                                                                             \
    if constexpr (Contains(types, kDataTypeOf<T>) && !TraitsOf(OperatorId::k##Name).output.has_value()) \
      return Apply<T>(&Name<T>, a, b, params.bytes);                                                    \
    break;
#include "core/ops.def"
  }
  return T{};
}

template <class T>
Exceptions Detect(OperatorId op, T a, T b, const Params& params) noexcept {
  switch (ExceptionRuleOf(op, kDataTypeOf<T>)) {
    case ExceptionRule::kNone:
      break;
    case ExceptionRule::kDivision:
      return DetectDivision(a, b);
    case ExceptionRule::kArithmetic:
      if constexpr (!std::integral<T>) return DetectArithmetic(op, a, b, params);
      break;
  }
  return kNoException;
}

RowFn FindRow(RowKey key) noexcept {
  return VisitType(key.type, [&]<class T>(T) -> RowFn {
    switch (key.op) {
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, ...)                                    \
  case OperatorId::k##Name:                                                                          \
    if constexpr (Contains(types, kDataTypeOf<T>)) return &RunRow<T, &Name<T>, OperatorId::k##Name>; \
    break;
#include "core/ops.def"
    }
    return nullptr;
  });
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)                        \
  template Cpp ModulusTruncate<Cpp>(Cpp, Cpp) noexcept;                     \
  template Cpp ModulusFloor<Cpp>(Cpp, Cpp) noexcept;                        \
  template Cpp Identity<Cpp>(Cpp) noexcept;                                 \
  template Cpp Add<Cpp>(Cpp, Cpp) noexcept;                                 \
  template Cpp Subtract<Cpp>(Cpp, Cpp) noexcept;                            \
  template Cpp Multiply<Cpp>(Cpp, Cpp) noexcept;                            \
  template Cpp Evaluate<Cpp>(OperatorId, Cpp, Cpp, const Params&) noexcept; \
  template Exceptions Detect<Cpp>(OperatorId, Cpp, Cpp, const Params&) noexcept;
#include "core/types.def"
template Float16 ScaleBias<Float16>(Float16, const ScaleBiasParams&) noexcept;
template float ScaleBias<float>(float, const ScaleBiasParams&) noexcept;
template double ScaleBias<double>(double, const ScaleBiasParams&) noexcept;

}  // namespace residue::reference
