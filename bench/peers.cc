#include "peers.h"

#include <cmath>
#include <concepts>
#include <type_traits>

namespace residue::bench {
namespace {

template <class T>
T Remainder(T a, T b) {
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(static_cast<double>(std::fmod(HalfToFloat(a), HalfToFloat(b))));
  } else if constexpr (std::floating_point<T>) {
    return std::fmod(a, b);
  } else {
    return static_cast<T>(a % b);
  }
}

template <class T>
T Floored(T a, T b) {
  if constexpr (std::is_same_v<T, Float16>) {
    const float x = HalfToFloat(a);
    const float y = HalfToFloat(b);
    float r = std::fmod(x, y);
    if (r != 0 && (r < 0) != (y < 0)) r += y;
    return DoubleToHalf(static_cast<double>(r));
  } else {
    T r = Remainder(a, b);
    if (r != 0 && (r < 0) != (b < 0)) r = static_cast<T>(r + b);
    return r;
  }
}

template <class T, T (*kFunction)(T, T)>
void Loop(const void* a, const void* b, void* out, std::size_t count) {
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
  auto* to = static_cast<T*>(out);
  for (std::size_t i = 0; i < count; ++i) to[i] = kFunction(x[i], y[i]);
}

}  // namespace

PlainLoop FindPlainLoop(OperatorId op, DataType type) noexcept {
  return VisitType(type, [&]<class T>(T) -> PlainLoop {
    if (op == OperatorId::kModulusFloor) return &Loop<T, &Floored<T>>;
    if (op == OperatorId::kModulusTruncate) return &Loop<T, &Remainder<T>>;
    return nullptr;
  });
}

#ifdef RESIDUE_NO_SLEEF
PlainLoop FindSleefLoop(OperatorId, DataType) noexcept { return nullptr; }
#endif

}  // namespace residue::bench
