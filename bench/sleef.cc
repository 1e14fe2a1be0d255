// SLEEF names one function per instruction set and leaves the loop to its users.
#include "peers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <sleef.h>
#endif

namespace residue::bench {

#if defined(__x86_64__)
namespace {

void Float512(const void* a, const void* b, void* out, std::size_t count) {
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  for (std::size_t i = 0; i + 16 <= count; i += 16) {
    _mm512_storeu_ps(static_cast<float*>(out) + i,
                     Sleef_fmodf16_avx512f(_mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
  }
}

void Double512(const void* a, const void* b, void* out, std::size_t count) {
  const auto* x = static_cast<const double*>(a);
  const auto* y = static_cast<const double*>(b);
  for (std::size_t i = 0; i + 8 <= count; i += 8) {
    _mm512_storeu_pd(static_cast<double*>(out) + i,
                     Sleef_fmodd8_avx512f(_mm512_loadu_pd(x + i), _mm512_loadu_pd(y + i)));
  }
}

void Float256(const void* a, const void* b, void* out, std::size_t count) {
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  for (std::size_t i = 0; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(static_cast<float*>(out) + i,
                     Sleef_fmodf8_avx2(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
  }
}

void Double256(const void* a, const void* b, void* out, std::size_t count) {
  const auto* x = static_cast<const double*>(a);
  const auto* y = static_cast<const double*>(b);
  for (std::size_t i = 0; i + 4 <= count; i += 4) {
    _mm256_storeu_pd(static_cast<double*>(out) + i,
                     Sleef_fmodd4_avx2(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + i)));
  }
}

}  // namespace
#endif

PlainLoop FindSleefLoop(OperatorId op, DataType type) noexcept {
#if defined(__x86_64__)
  if (op != OperatorId::kModulusTruncate) return nullptr;
  const bool wide = __builtin_cpu_supports("avx512f");
  if (!wide && !__builtin_cpu_supports("avx2")) return nullptr;
  if (type == DataType::kFloat32) return wide ? &Float512 : &Float256;
  if (type == DataType::kFloat64) return wide ? &Double512 : &Double256;
#else
  (void)op;
  (void)type;
#endif
  return nullptr;
}

}  // namespace residue::bench
