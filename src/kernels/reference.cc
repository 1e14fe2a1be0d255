#include "kernels/reference.h"

#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/reference_float.h"

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

// One call shape for operators of one and two inputs.
template <class T>
T Apply(T (*evaluate)(T, T) noexcept, T a, T b, const Attributes&) noexcept {
  return evaluate(a, b);
}
template <class T>
T Apply(T (*evaluate)(T, const Attributes&) noexcept, T a, T, const Attributes& attributes) noexcept {
  return evaluate(a, attributes);
}

template <class T, auto kEvaluate>
void RunTile(const Tile& tile) noexcept {
  for (size_t row = 0; row < tile.rows; ++row) {
    const auto r = static_cast<ptrdiff_t>(row);
    const std::byte* a = tile.a + r * tile.row_stride.a;
    const std::byte* b = tile.b + r * tile.row_stride.b;
    std::byte* out = tile.out + r * tile.row_stride.out;
    for (size_t column = 0; column < tile.columns; ++column) {
      const auto c = static_cast<ptrdiff_t>(column);
      T x;
      T y;
      std::memcpy(&x, a + c * tile.column_stride.a, sizeof(T));
      std::memcpy(&y, b + c * tile.column_stride.b, sizeof(T));
      const T result = Apply<T>(kEvaluate, x, y, *tile.attributes);
      std::memcpy(out + c * tile.column_stride.out, &result, sizeof(T));
    }
  }
}

template <class T>
Exceptions ExamineTile(const Tile& tile) noexcept {
  Exceptions found = kNoException;
  for (size_t row = 0; row < tile.rows; ++row) {
    for (size_t column = 0; column < tile.columns; ++column) {
      const auto r = static_cast<ptrdiff_t>(row);
      const auto c = static_cast<ptrdiff_t>(column);
      T x;
      T y;
      std::memcpy(&x, tile.a + r * tile.row_stride.a + c * tile.column_stride.a, sizeof(T));
      std::memcpy(&y, tile.b + r * tile.row_stride.b + c * tile.column_stride.b, sizeof(T));
      found |= Examine(x, y);
    }
  }
  return found;
}

// A tile of one row.
template <class T, auto kEvaluate>
Exceptions RunShortRow(const ShortRow& row) noexcept {
  constexpr auto kSize = static_cast<ptrdiff_t>(sizeof(T));
  const Tile tile = {
      row.a, row.b, row.out, 1, row.count, {}, {row.one_a ? 0 : kSize, row.one_b ? 0 : kSize, kSize}};
  const Exceptions found = ExamineTile<T>(tile);
  RunTile<T, kEvaluate>(tile);
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
T Identity(T a, const Attributes& attributes) noexcept {
  if (!attributes.has_scale_bias) return a;
  const auto scaled = [&]<class F>(F x) {
    const F product = x * static_cast<F>(attributes.scale);
    const F sum = product + static_cast<F>(attributes.bias);
    return std::isnan(sum) ? std::numeric_limits<F>::quiet_NaN() : sum;
  };
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(static_cast<double>(scaled(HalfToFloat(a))));
  } else if constexpr (std::floating_point<T>) {
    return scaled(a);
  } else {
    return a;
  }
}

template <class T>
T Evaluate(OperatorId op, T a, T b, const Attributes& attributes) noexcept {
  switch (op) {
#define RESIDUE_OP(Name, C_NAME, value, text, ...) \
  case OperatorId::k##Name:                        \
    return Apply<T>(&Name<T>, a, b, attributes);
#include "base/ops.inc"
  }
  return T{};
}

template <class T>
Exceptions Examine(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    return b == 0 ? kDivisionByZero : kNoException;
  } else {
    return IsInvalidOperation(a, b) ? kInvalidOperation : kNoException;
  }
}

TileFn FindTile(KernelKey key) noexcept {
  return VisitType(key.type, [&]<class T>(T) -> TileFn {
    switch (key.op) {
#define RESIDUE_OP(Name, C_NAME, value, text, ...) \
  case OperatorId::k##Name:                        \
    return &RunTile<T, &Name<T>>;
#include "base/ops.inc"
    }
    return nullptr;
  });
}

ExamineFn FindExaminer(KernelKey key) noexcept {
  return VisitType(key.type, []<class T>(T) -> ExamineFn { return &ExamineTile<T>; });
}

ShortRowFn FindShortRow(KernelKey key) noexcept {
  if (ExceptionRuleOf(key.op) == ExceptionRule::kNone) return nullptr;
  return VisitType(key.type, [&]<class T>(T) -> ShortRowFn {
    switch (key.op) {
#define RESIDUE_OP(Name, C_NAME, value, text, ...) \
  case OperatorId::k##Name:                        \
    return &RunShortRow<T, &Name<T>>;
#include "base/ops.inc"
    }
    return nullptr;
  });
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)           \
  template Cpp ModulusTruncate<Cpp>(Cpp, Cpp) noexcept;        \
  template Cpp ModulusFloor<Cpp>(Cpp, Cpp) noexcept;           \
  template Cpp Identity<Cpp>(Cpp, const Attributes&) noexcept; \
  template Exceptions Examine<Cpp>(Cpp, Cpp) noexcept;         \
  template Cpp Evaluate<Cpp>(OperatorId, Cpp, Cpp, const Attributes&) noexcept;
#include "base/types.inc"

}  // namespace residue::reference
