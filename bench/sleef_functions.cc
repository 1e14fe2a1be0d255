// SLEEF's functions of float32 with an error below 1 ulp, as loops over arrays, for function_peers.py.
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#include <sleef.h>

namespace {

using Loop = void (*)(const float*, const float*, float*, std::size_t);

struct Function {
  const char* name;
  Loop wide;    // AVX-512
  Loop narrow;  // AVX2
};

// Counts are multiples of a vector's.
#define UNARY(name)                                                                        \
  Function {                                                                               \
#name, [](const float* a, const float*, float* out, std::size_t count) {                 \
      for (std::size_t i = 0; i < count; i += 16)                                            \
        _mm512_storeu_ps(out + i, Sleef_##name##f16_u10avx512f(_mm512_loadu_ps(a + i)));     \
    },                                                                                       \
        [](const float* a, const float*, float* out, std::size_t count) {                    \
          for (std::size_t i = 0; i < count; i += 8)                                         \
            _mm256_storeu_ps(out + i, Sleef_##name##f8_u10avx2(_mm256_loadu_ps(a + i)));     \
        } \
  }
#define BINARY(name)                                                                                       \
  Function {                                                                                               \
#name, [](const float* a, const float* b, float* out, std::size_t count) {                               \
      for (std::size_t i = 0; i < count; i += 16)                                                            \
        _mm512_storeu_ps(                                                                                    \
            out + i, Sleef_##name##f16_u10avx512f(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i)));          \
    },                                                                                                       \
        [](const float* a, const float* b, float* out, std::size_t count) {                                  \
          for (std::size_t i = 0; i < count; i += 8)                                                         \
            _mm256_storeu_ps(out + i,                                                                        \
                             Sleef_##name##f8_u10avx2(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i)));      \
        } \
  }

const Function kFunctions[] = {UNARY(exp),  UNARY(log),   UNARY(sin),   UNARY(cos),   UNARY(tan),
                               UNARY(asin), UNARY(acos),  UNARY(atan),  UNARY(sinh),  UNARY(cosh),
                               UNARY(tanh), UNARY(asinh), UNARY(acosh), UNARY(atanh), UNARY(erf),
                               BINARY(pow), BINARY(atan2)};

}  // namespace
#endif

// 0, or 1 if there is no such function here.
extern "C" __attribute__((visibility("default"))) int sleef_run(const char* name, const float* a,
                                                                const float* b, float* out,
                                                                std::size_t count) {
#if defined(__x86_64__)
  for (const Function& function : kFunctions) {
    if (std::strcmp(function.name, name) != 0) continue;
    if (__builtin_cpu_supports("avx512f")) {
      function.wide(a, b, out, count);
    } else if (__builtin_cpu_supports("avx2")) {
      function.narrow(a, b, out, count);
    } else {
      return 1;
    }
    return 0;
  }
#endif
  (void)name, (void)a, (void)b, (void)out, (void)count;
  return 1;
}
