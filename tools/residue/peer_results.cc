#include "peer_results.h"

#include <cmath>
#include <limits>

#include "core/data_type.h"
#include "cpu/rows/reference.h"
#include "number.h"

namespace residue::tool {
namespace {

template <class T>
constexpr bool kIsFloat = !std::integral<T>;

template <class T>
bool IsZero(T x) {
  if constexpr (std::is_same_v<T, Float16>) {
    return HalfToFloat(x) == 0;
  } else {
    return x == 0;
  }
}

template <class T>
std::string Python(T a, T b) {
  if (IsZero(b)) return "ZeroDivisionError";
  return ValueText(reference::ModulusFloor(a, b));
}

template <class T>
std::string C(T a, T b) {
  if constexpr (std::integral<T>) {
    if (b == 0) return "undefined; x86 traps";
    // Narrower types are computed in int, where this is defined.
    if (std::is_signed_v<T> && sizeof(T) >= sizeof(int) && b == T(-1) && a == std::numeric_limits<T>::min())
      return "undefined; x86 traps";
  }
  return ValueText(reference::ModulusTruncate(a, b));
}

template <class T>
std::string NumPy(OperatorId op, T a, T b) {
  const std::string value = ValueText(reference::Evaluate(op, a, b));
  return reference::Detect(OperatorId::kModulusFloor, a, b) != kNoException ? value + ", with a warning"
                                                                            : value;
}

// a - b * round(a / b), every operation rounded to the type; halves in float32, as Microsoft's runtime has
// them. DirectML 1.15.4, as it was observed (docs/reference/contract.md, R203a), moves the quotient by one
// unit first: away from zero for TRUNCATE, up for FLOOR.
template <class T>
std::string Formula(OperatorId op, T a, T b, bool as_observed) {
  using Wide = std::conditional_t<std::is_same_v<T, Float16>, float, T>;
  const auto widen = [](T x) -> Wide {
    if constexpr (std::is_same_v<T, Float16>) {
      return HalfToFloat(x);
    } else {
      return x;
    }
  };
  constexpr Wide kInfinity = std::numeric_limits<Wide>::infinity();
  const bool is_floor = op == OperatorId::kModulusFloor;
  // Nothing may be fused or kept in wider registers.
  volatile Wide quotient = widen(a) / widen(b);
  if (as_observed && std::isfinite(quotient))
    quotient = std::nextafter(Wide{quotient}, is_floor || quotient > 0 ? kInfinity : -kInfinity);
  const volatile Wide product =
      widen(b) * (is_floor ? std::floor(Wide{quotient}) : std::trunc(Wide{quotient}));
  const Wide result = widen(a) - product;
  if constexpr (std::is_same_v<T, Float16>) {
    return ValueText(DoubleToHalf(result));
  } else {
    return ValueText(result);
  }
}

// Integers of up to 32 bits were observed to be exact, except for zero divisors.
template <class T>
std::string MicrosoftInteger(OperatorId op, T a, T b) {
  if (b != 0) return ValueText(reference::Evaluate(op, a, b));
  if constexpr (std::is_unsigned_v<T>) {
    return ValueText(std::numeric_limits<T>::max());
  } else {
    if (op == OperatorId::kModulusTruncate) return ValueText(a);
    return a < 0 ? "1" : "-1";
  }
}

}  // namespace

template <class T>
std::vector<Opinion> AskOthers(OperatorId op, T a, T b) {
  const bool is_floor = op == OperatorId::kModulusFloor;
  std::vector<Opinion> opinions = {
      {"Python: a % b", Python(a, b)},
      {kIsFloat<T> ? "C: fmod(a, b)" : "C: a % b", C(a, b)},
      {is_floor ? "NumPy: remainder(a, b)" : "NumPy: fmod(a, b)", NumPy(op, a, b)},
  };
  if constexpr (kIsFloat<T>) {
    opinions.push_back({is_floor ? "formula: a - b * floor(a / b)" : "formula: a - b * trunc(a / b)",
                        Formula(op, a, b, false)});
  }
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, Float16>) {
    opinions.push_back({"DirectML 1.15.4, observed", Formula(op, a, b, true)});
  } else if constexpr (std::integral<T> && sizeof(T) <= 4) {
    opinions.push_back({"DirectML 1.15.4, observed", MicrosoftInteger(op, a, b)});
  }
  return opinions;
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  template std::vector<Opinion> AskOthers<Cpp>(OperatorId, Cpp, Cpp);
#include "core/types.def"

}  // namespace residue::tool
