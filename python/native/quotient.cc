#include "quotient.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/half.h"
#include "element_types.h"
#include "loop_table.h"
#include "loops.h"

namespace residue::python {
namespace {

// Elements at a time. What a loop keeps on the stack is three times as many.
constexpr npy_intp kBlock = 256;

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Float16>, float, T>;

float Widen(Float16 x) noexcept { return HalfToFloat(x); }
template <class T>
T Widen(T x) noexcept {
  return x;
}

// Python's and NumPy's formula, on the exact remainder that has the sign of the dividend. What it divides by
// zero or overflows is told by the processor's flags.
template <class T>
T FloorOfQuotient(T a, T b, T rest) noexcept {
  if (b == 0) return a / b;
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(T{0}, a / b);
  const T floor = std::floor(quotient);
  return quotient - floor > T{0.5} ? floor + 1 : floor;
}

struct Operands {
  const char* a;
  const char* b;
  npy_intp a_stride;
  npy_intp b_stride;
};

template <class T>
constexpr residue_type TypeOf();
#define RESIDUE_TYPE(Name, C_NAME, value, CppType, text) \
  template <>                                            \
  constexpr residue_type TypeOf<CppType>() {             \
    return RESIDUE_##C_NAME;                             \
  }
#include "core/types.def"

template <class T>
uint32_t QuotientsOfFloats(const Operands& in, T* out, npy_intp count) noexcept {
  T rests[kBlock];
  uint32_t exceptions = 0;
  RunQuietly(RESIDUE_MODULUS_TRUNCATE, TypeOf<T>(), in.a, in.a_stride, in.b, in.b_stride,
             reinterpret_cast<char*>(rests), sizeof(T), count);
  for (npy_intp i = 0; i < count; ++i) {
    const auto a = Widen(LoadElement<T>(in.a + i * in.a_stride));
    const auto b = Widen(LoadElement<T>(in.b + i * in.b_stride));
    const auto quotient = FloorOfQuotient<Wide<T>>(a, b, Widen(rests[i]));
    if (std::isinf(a) && b != 0 && !std::isnan(b)) exceptions |= RESIDUE_INVALID_OPERATION;
    if constexpr (std::is_same_v<T, Float16>) {
      out[i] = DoubleToHalf(static_cast<double>(quotient));
    } else {
      // The processor's own NaN has a sign and digits that depend on it.
      out[i] = std::isnan(quotient) ? std::numeric_limits<T>::quiet_NaN() : quotient;
    }
  }
  return exceptions;
}

template <class T>
uint32_t QuotientsOfIntegers(const Operands& in, T* out, npy_intp count) noexcept {
  const uint32_t exceptions = RunQuietly(RESIDUE_DIVIDE, TypeOf<T>(), in.a, in.a_stride, in.b, in.b_stride,
                                         reinterpret_cast<char*>(out), sizeof(T), count);
  if constexpr (std::is_signed_v<T>) {
    T rests[kBlock];
    RunQuietly(RESIDUE_MODULUS_TRUNCATE, TypeOf<T>(), in.a, in.a_stride, in.b, in.b_stride,
               reinterpret_cast<char*>(rests), sizeof(T), count);
    for (npy_intp i = 0; i < count; ++i) {
      const T b = LoadElement<T>(in.b + i * in.b_stride);
      if (rests[i] != 0 && (rests[i] < 0) != (b < 0)) out[i] = static_cast<T>(out[i] - 1);
    }
  }
  return exceptions;
}

template <class T>
uint32_t Quotients(const Operands& in, T* out, npy_intp count) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return QuotientsOfIntegers(in, out, count);
  } else {
    return QuotientsOfFloats(in, out, count);
  }
}

// The first output is the quotient; divmod has a second, the remainder. An output may be an input, so
// quotients wait until both are known. Where elements read earlier results, they are computed one by one.
template <class T, bool kRemainder>
void Loop(char** operands, const npy_intp* counts, const npy_intp* strides, void*) {
  uint32_t exceptions = 0;
  T quotients[kBlock];
  const npy_intp block = DependsOnOrder(operands, strides, 2, 2, counts[0]) ? 1 : kBlock;
  for (npy_intp begin = 0; begin < counts[0]; begin += block) {
    const npy_intp count = counts[0] - begin < block ? counts[0] - begin : block;
    const Operands in = {operands[0] + begin * strides[0], operands[1] + begin * strides[1], strides[0],
                         strides[1]};
    exceptions |= Quotients<T>(in, quotients, count);
    if constexpr (kRemainder) {
      exceptions |= RunQuietly(RESIDUE_MODULUS_FLOOR, TypeOf<T>(), in.a, in.a_stride, in.b, in.b_stride,
                               operands[3] + begin * strides[3], strides[3], count);
    }
    for (npy_intp i = 0; i < count; ++i)
      std::memcpy(operands[2] + (begin + i) * strides[2], &quotients[i], sizeof(T));
  }
  RaiseFlags(exceptions);
}

template <bool kRemainder>
PyUFuncGenericFunction LoopOf(residue_type type) noexcept {
  switch (type) {
#define RESIDUE_TYPE(Name, C_NAME, value, CppType, text) \
  case RESIDUE_##C_NAME:                                 \
    return &Loop<CppType, kRemainder>;
#include "core/types.def"
    default:
      return nullptr;
  }
}

template <bool kRemainder>
PyObject* Make(UfuncText text, const char* numpy) {
  const PyUFuncObject* peer = FindNumpyUfunc(numpy);
  if (peer == nullptr) return nullptr;
  std::vector<TypedLoop> loops = LoopsOf(*peer);
  for (TypedLoop& loop : loops) {
    const ElementType* type = FindElementType(loop.types[0]);
    bool uniform = type != nullptr;
    for (const char other : loop.types) uniform = uniform && other == loop.types[0];
    if (uniform) loop = {LoopOf<kRemainder>(type->type), nullptr, loop.types};
  }
  return MakeUfunc(text, loops, 2, kRemainder ? 2 : 1, peer, nullptr);
}

constexpr char kFloorDivideDocumentation[] =
    R"(The quotient that goes with `mod_floor`, rounded down: Python's ``//``.

See Also
--------
numpy.floor_divide : the same.

Examples
--------
>>> import residue
>>> residue.floor_divide([7, -7], 2)
array([ 3, -4])
)";

constexpr char kDivmodDocumentation[] = R"(`floor_divide` and `mod_floor` at once: Python's ``divmod``.

See Also
--------
numpy.divmod : the same.

Examples
--------
>>> import residue
>>> residue.divmod([7, -7], 2)
(array([ 3, -4]), array([1, 1]))
)";

}  // namespace

PyObject* MakeFloorDivide() {
  return Make<false>({"floor_divide", kFloorDivideDocumentation}, "floor_divide");
}

PyObject* MakeDivmod() { return Make<true>({"divmod", kDivmodDocumentation}, "divmod"); }

}  // namespace residue::python
