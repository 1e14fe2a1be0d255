#include "cpu/rows/reference.h"

#include <cfloat>
#include <cmath>
#include <concepts>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace residue::reference {
namespace {

static_assert(FLT_EVAL_METHOD == 0,
              "each operation must be rounded to its own type; on 32-bit x86: -msse2 -mfpmath=sse");

// One call shape for functions of one and two elements, with and without params.
template <class T>
T Apply(T (*evaluate)(T, T) noexcept, T a, T b, const void*) noexcept {
  return evaluate(a, b);
}
template <class T>
T Apply(T (*evaluate)(T) noexcept, T a, T, const void*) noexcept {
  return evaluate(a);
}
template <class T, class P>
T Apply(T (*evaluate)(T, const P&) noexcept, T a, T, const void* params) noexcept {
  return evaluate(a, ReadParams<P>(params));
}
template <class T, class P>
T Apply(T (*evaluate)(T, T, const P&) noexcept, T a, T b, const void* params) noexcept {
  return evaluate(a, b, ReadParams<P>(params));
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
template <std::floating_point F>
Exceptions DetectQuotient(F x, F y) noexcept {
  if (y == 0 && std::isfinite(x) && x != 0) return kDivisionByZero;
  return DetectOperation(x, y, x / y);
}

template <class T>
bool IsSignalling(T value) noexcept {
  using F = FloatBits<T>;
  return F::MagnitudeBits(value) > F::kInfinity && F::MagnitudeBits(value) < F::kNan;
}

// Of rounding a result to the type of the elements.
template <class T, std::floating_point F>
Exceptions DetectNarrowing(F result) noexcept {
  const bool too_large = std::is_same_v<T, Float16> && std::isfinite(result) && std::fabs(result) >= F{65520};
  return too_large ? kOverflow : kNoException;
}

// Of the operations by which the elements x and y are computed, in F.
template <std::floating_point F>
Exceptions DetectOperations(OperatorId op, F x, F y, const Params& params, F* result) noexcept {
  switch (op) {
    case OperatorId::kScaleBias: {
      const auto given = ReadParams<ScaleBiasParams>(params.bytes);
      const F product = x * static_cast<F>(given.scale);
      *result = product + static_cast<F>(given.bias);
      return DetectOperation(x, static_cast<F>(given.scale), product) |
             DetectOperation(product, static_cast<F>(given.bias), *result);
    }
    case OperatorId::kAdd:
      return DetectOperation(x, y, *result = x + y);
    case OperatorId::kSubtract:
      return DetectOperation(x, y, *result = x - y);
    case OperatorId::kMultiply:
      return DetectOperation(x, y, *result = x * y);
    case OperatorId::kDivide:
      *result = x / y;
      return DetectQuotient(x, y);
    case OperatorId::kMean:
      *result = (x + y) / 2;
      return DetectOperation(x, y, x + y);
    case OperatorId::kDifferenceSquare: {
      const F difference = x - y;
      *result = difference * difference;
      return DetectOperation(x, y, difference) | DetectOperation(difference, difference, *result);
    }
    case OperatorId::kRecip:
      *result = 1 / x;
      return DetectQuotient(F{1}, x);
    case OperatorId::kSqrt:
      return DetectOperation(x, x, *result = std::sqrt(x));
    default:
      *result = 0;
      return kNoException;  // not by this rule
  }
}

template <class T>
Exceptions DetectArithmetic(OperatorId op, T a, T b, const Params& params) noexcept {
  decltype(Widen(a)) result;
  const Exceptions found = DetectOperations(op, Widen(a), Widen(b), params, &result);
  const bool signalling = IsSignalling(a) || (InputCount(op) > 1 && IsSignalling(b));
  return found | DetectNarrowing<T>(result) | (signalling ? kInvalidOperation : kNoException);
}

// Of an operator whose exceptions are seen from operands and result; those of one input give it twice.
template <class T, class R>
Exceptions DetectByResult(OperatorId op, T a, T b, R result) noexcept {
  if constexpr (std::integral<T> || std::integral<R>) {
    return kNoException;
  } else {
    const auto x = Widen(a);
    const auto y = Widen(b);
    const bool of_nan = std::isnan(x) || std::isnan(y);
    if (std::isnan(Widen(result)))
      return !of_nan || IsSignalling(a) || IsSignalling(b) ? kInvalidOperation : kNoException;
    if (!std::isinf(Widen(result)) || !std::isfinite(x) || !std::isfinite(y)) return kNoException;
    const bool is_pole = TraitsOf(op).exceptions == ExceptionRule::kPole && (x == 0 || std::fabs(x) == 1);
    return is_pole ? kDivisionByZero : kOverflow;
  }
}

// A reference function as a row, by the types that it takes.
template <OperatorId kOp, auto kEvaluate>
struct RowOf;
template <OperatorId kOp, class R, class... Arguments, R (*kEvaluate)(Arguments...) noexcept>
struct RowOf<kOp, kEvaluate> {
  static Exceptions Run(const Row& row) noexcept {
    return RunInputs(row, std::make_index_sequence<InputCount(kOp)>());
  }

 private:
  template <class T>
  static T Load(const Row& row, size_t input, size_t i) noexcept {
    const size_t at = (row.single >> input & 1) != 0 ? 0 : i;
    T element;
    std::memcpy(&element, static_cast<const std::byte*>(row.in[input]) + at * sizeof(T), sizeof(T));
    return element;
  }

  template <size_t... k>
  static Exceptions RunInputs(const Row& row, std::index_sequence<k...>) noexcept {
    using Elements = std::tuple<Arguments...>;
    Params params;
    if constexpr (ParamsBytes(kOp) != 0) std::memcpy(params.bytes, row.params, ParamsBytes(kOp));
    Exceptions found = kNoException;
    for (size_t i = 0; i < row.count; ++i) {
      const std::tuple<std::tuple_element_t<k, Elements>...> in = {
          Load<std::tuple_element_t<k, Elements>>(row, k, i)...};
      R result;
      if constexpr (sizeof...(k) == sizeof...(Arguments)) {
        result = kEvaluate(std::get<k>(in)...);
      } else {
        using P = std::remove_cvref_t<std::tuple_element_t<sizeof...(k), Elements>>;
        result = kEvaluate(std::get<k>(in)..., ReadParams<P>(params.bytes));
      }
      if constexpr (IsSeenFromResults(TraitsOf(kOp).exceptions)) {
        if (row.detect) found |= DetectByResult(kOp, std::get<0>(in), std::get<sizeof...(k) - 1>(in), result);
      } else if constexpr (IsUniform(kOp)) {
        if (row.detect) found |= Detect(kOp, std::get<0>(in), std::get<sizeof...(k) - 1>(in), params);
      }
      std::memcpy(static_cast<std::byte*>(row.out) + i * sizeof(R), &result, sizeof(R));
    }
    return found;
  }
};

}  // namespace

template <class T>
T Evaluate(OperatorId op, T a, T b, const Params& params) noexcept {
  switch (op) {
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, results, ...)           \
  case OperatorId::k##Name:                                                          \
    if constexpr (Contains(types, kDataTypeOf<T>) && IsUniform(OperatorId::k##Name)) \
      return Apply<T>(&Name<T>, a, b, params.bytes);                                 \
    break;
#include "core/ops.def"
  }
  return T{};
}

template <class T>
Exceptions Detect(OperatorId op, T a, T b, const Params& params) noexcept {
  switch (ExceptionRuleOf(op, kDataTypeOf<T>)) {
    case ExceptionRule::kNone:
    case ExceptionRule::kQuotient:  // not of a type
      break;
    case ExceptionRule::kDivision:
      return DetectDivision(a, b);
    case ExceptionRule::kArithmetic:
      if constexpr (!std::integral<T>) return DetectArithmetic(op, a, b, params);
      break;
    case ExceptionRule::kResult:
    case ExceptionRule::kPole:
      return DetectByResult(op, a, InputCount(op) > 1 ? b : a, Evaluate(op, a, b, params));
  }
  return kNoException;
}

RowFn FindRow(RowKey key) noexcept {
  return VisitType(key.type, [&]<class T>(T) {
    return VisitType(key.result, [&]<class R>(R) -> RowFn {
      switch (key.op) {
#define RESIDUE_OP(Name, ...)                                                   \
  case OperatorId::k##Name:                                                     \
    if constexpr (Gives(OperatorId::k##Name, kDataTypeOf<T>, kDataTypeOf<R>)) { \
      if constexpr (TraitsOf(OperatorId::k##Name).results == kSameType) {       \
        return &RowOf<OperatorId::k##Name, &Name<T>>::Run;                      \
      } else {                                                                  \
        return &RowOf<OperatorId::k##Name, &Name<T, R>>::Run;                   \
      }                                                                         \
    }                                                                           \
    break;
#include "core/ops.def"
      }
      return nullptr;
    });
  });
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)                        \
  template Cpp Evaluate<Cpp>(OperatorId, Cpp, Cpp, const Params&) noexcept; \
  template Exceptions Detect<Cpp>(OperatorId, Cpp, Cpp, const Params&) noexcept;
#include "core/types.def"

}  // namespace residue::reference
