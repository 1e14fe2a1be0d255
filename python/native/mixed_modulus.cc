#include "mixed_modulus.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "loops.h"

namespace residue::python {
namespace {

uint64_t Magnitude(int64_t x) noexcept {
  return x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
}
uint64_t Magnitude(uint64_t x) noexcept { return x; }

// The bits of the remainder, modulo 2^64; the divisor is not 0.
template <bool kFloor, class A, class B>
uint64_t Remainder(A a, B b) noexcept {
  const uint64_t rest = Magnitude(a) % Magnitude(b);
  const uint64_t truncated = a < 0 ? 0 - rest : rest;
  const bool shifts = kFloor && rest != 0 && (a < 0) != (b < 0);
  return shifts ? truncated + static_cast<uint64_t>(b) : truncated;
}

template <bool kFloor, class A, class B>
void Loop(char** operands, const npy_intp* counts, const npy_intp* strides, void*) {
  bool by_zero = false;
  for (npy_intp i = 0; i < counts[0]; ++i) {
    const A a = LoadElement<A>(operands[0] + i * strides[0]);
    const B b = LoadElement<B>(operands[1] + i * strides[1]);
    by_zero |= b == 0;
    const uint64_t result = b == 0 ? 0 : Remainder<kFloor>(a, b);
    std::memcpy(operands[2] + i * strides[2], &result, sizeof(result));
  }
  if (by_zero) RaiseFlags(RESIDUE_DIVISION_BY_ZERO);
}

template <bool kFloor>
std::vector<TypedLoop> MixedLoops() {
  std::vector<TypedLoop> loops;
  for (const char with_sign : {char{NPY_LONG}, char{NPY_LONGLONG}}) {
    for (const char without : {char{NPY_ULONG}, char{NPY_ULONGLONG}}) {
      loops.push_back(
          {&Loop<kFloor, int64_t, uint64_t>, nullptr, {with_sign, without, kFloor ? without : with_sign}});
      loops.push_back(
          {&Loop<kFloor, uint64_t, int64_t>, nullptr, {without, with_sign, kFloor ? with_sign : without}});
    }
  }
  return loops;
}

}  // namespace

void AddMixedModulus(residue_operator op, std::vector<TypedLoop>* loops) {
  static_assert(sizeof(npy_long) == 8 && sizeof(npy_longlong) == 8, "NumPy's longest integers have 64 bits");
  if (op != RESIDUE_MODULUS_FLOOR && op != RESIDUE_MODULUS_TRUNCATE) return;
  const auto mixed = op == RESIDUE_MODULUS_FLOOR ? MixedLoops<true>() : MixedLoops<false>();
  const auto first_float =
      std::ranges::find_if(*loops, [](const TypedLoop& loop) { return loop.types[0] == NPY_HALF; });
  loops->insert(first_float, mixed.begin(), mixed.end());
}

}  // namespace residue::python
