/* Residue: exact modulus on strided memory. The C interface.
 *
 *   residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, a, b, out, count);
 *
 * computes out[i] = a[i] mod b[i], bit for bit as mathematics has it, on the calling thread or, for large
 * arrays, on several. Nothing needs setting up, nothing is printed, nothing aborts; every function reports by
 * its return value. All functions may be called from any number of threads at once.
 *
 * MODULUS_FLOOR has the sign of the divisor (Python's %), MODULUS_TRUNCATE that of the dividend (C's % and
 * fmod). An integer divisor of 0 gives 0; MIN mod -1 gives 0; a float divisor of 0, an infinite dividend and
 * NaN give the quiet NaN. The caller's floating-point environment neither changes results nor is changed.
 */
#ifndef RESIDUE_RESIDUE_H_
#define RESIDUE_RESIDUE_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define RESIDUE_API __attribute__((visibility("default")))
#else
#define RESIDUE_API
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#define RESIDUE_NOEXCEPT noexcept
#else
#define RESIDUE_NOEXCEPT
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define RESIDUE_VERSION_MAJOR 0
#define RESIDUE_VERSION_MINOR 1
#define RESIDUE_VERSION_PATCH 0
#define RESIDUE_VERSION_STRING "0.1.0"

#define RESIDUE_MAX_RANK 8

/* Enumerations have a fixed size here, whatever a compiler makes of enum: a number from elsewhere is a value,
 * known or not, never undefined. */
typedef int32_t residue_operator;
enum {
  RESIDUE_MODULUS_FLOOR = 1,
  RESIDUE_MODULUS_TRUNCATE = 2,
  RESIDUE_IDENTITY = 3 /* out = a, bit for bit: a strided copy; b is not read and may be NULL */
};

/* Element types; the numbers are those of DML_TENSOR_DATA_TYPE. */
typedef int32_t residue_type;
enum {
  RESIDUE_FLOAT32 = 1,
  RESIDUE_FLOAT16 = 2, /* IEEE binary16, as its 16 bits */
  RESIDUE_UINT32 = 3,
  RESIDUE_UINT16 = 4,
  RESIDUE_UINT8 = 5,
  RESIDUE_INT32 = 6,
  RESIDUE_INT16 = 7,
  RESIDUE_INT8 = 8,
  RESIDUE_FLOAT64 = 9,
  RESIDUE_UINT64 = 10,
  RESIDUE_INT64 = 11
};

typedef int32_t residue_status;
enum {
  RESIDUE_OK = 0,
  RESIDUE_NULL_POINTER = 1,
  RESIDUE_INVALID_OPERATOR = 2,
  RESIDUE_INVALID_TYPE = 3,
  RESIDUE_INVALID_RANK = 4,
  RESIDUE_TOO_LARGE = 5,
  RESIDUE_OUTPUT_OVERLAPS_ITSELF = 6,
  RESIDUE_OUT_OF_MEMORY = 7,
  RESIDUE_INVALID_EXECUTOR = 8,
  RESIDUE_INVALID_TARGET = 9,
  RESIDUE_SIZE_MISMATCH = 10,
  RESIDUE_RESERVED_NOT_ZERO = 11,
  RESIDUE_NUMBER_NOT_REPRESENTABLE = 12
};

/* Flags of a problem. RESIDUE_IN_ORDER: one element after the other, each seeing what those before it have
 * written, as a reduction (out and a are one element, with stride 0) or a running result (a is out, one
 * element behind) needs it. The output may then overlap itself; one dimension at most; on the calling thread,
 * one element at a time. */
enum { RESIDUE_IN_ORDER = 1 };

/* What to compute, on which layout. Strides are in bytes, may be negative or, for inputs, 0 (broadcast), and
 * need no alignment. Elements of the output must not share bytes; where so many strides cross that a bounded
 * search cannot tell, the output is refused as if they did. Dimensions beyond `rank` are ignored; a size of 0
 * means no work; rank 0 is one element.
 */
typedef struct residue_problem {
  residue_operator op;
  residue_type type;
  uint32_t rank;
  uint32_t flags; /* 0 or RESIDUE_IN_ORDER */
  uint64_t sizes[RESIDUE_MAX_RANK];
  int64_t a_strides[RESIDUE_MAX_RANK];
  int64_t b_strides[RESIDUE_MAX_RANK];
  int64_t out_strides[RESIDUE_MAX_RANK];
  /* NULL, or the best instruction set to use, e.g. "AVX2" (see residue_target_name). The environment variable
   * RESIDUE_MAX_TARGET, which is read once, caps all calls of a process; a name that does not exist is
   * ignored there, and refused here. */
  const char* max_target;
} residue_problem;

/* A thread pool of the caller's. parallel_for calls task(argument, i) for every i below count, on any
 * threads, and returns when all calls have ended; no task runs after it has returned or thrown. It may be
 * called from several threads at once. Tasks it does not call cost time, not correctness: the calling thread
 * does them. */
typedef struct residue_executor {
  void* context;
  uint32_t num_threads;
  uint32_t reserved; /* must be 0 */
  void (*parallel_for)(void* context, uint32_t count, void (*task)(void* argument, uint32_t index),
                       void* argument);
} residue_executor;

/* What happened at some element, in the sense of IEEE 754: bits of *residue_options.exceptions, which a run
 * overwrites, with 0 if nothing happened, if it was refused, or for RESIDUE_IDENTITY. Results are the same
 * whether or not somebody asks. Options that ask belong to one call at a time. */
enum {
  RESIDUE_DIVISION_BY_ZERO = 1, /* an integer divisor of 0 */
  RESIDUE_INVALID_OPERATION = 2 /* a float divisor of 0 or an infinite dividend, unless the other operand is a
                                   quiet NaN; a signalling NaN */
};

/* How to run. All zero (or a null pointer) is the default: small work on the calling thread, large work on
 * oneTBB's threads. Results do not depend on it. */
typedef struct residue_options {
  uint32_t num_threads;             /* 0: as many as there are; 1: the calling thread only */
  uint32_t reserved;                /* must be 0 */
  const residue_executor* executor; /* NULL: oneTBB; otherwise num_threads above is not used */
  uint32_t* exceptions;             /* NULL, or where to write which exceptions elements had */
} residue_options;

/* A layout that was analysed once, to run many times; immutable, may be used by any number of threads. */
typedef struct residue_plan residue_plan;

/* out[i] = a[i] op b[i] for packed arrays. out may be a or b. */
RESIDUE_API residue_status residue_run_packed(residue_operator op, residue_type type, const void* a,
                                              const void* b, void* out, uint64_t count) RESIDUE_NOEXCEPT;

/* The same for one dimension with strides in bytes, 0 for a single operand. options may be NULL. */
RESIDUE_API residue_status residue_run_strided(residue_operator op, residue_type type, const void* a,
                                               int64_t a_stride, const void* b, int64_t b_stride, void* out,
                                               int64_t out_stride, uint64_t count,
                                               const residue_options* options) RESIDUE_NOEXCEPT;

/* Any layout, in one call. The output may overlap the inputs in any way: the result is as if the inputs had
 * been copied first, and where it must, a temporary copy is made; RESIDUE_IN_ORDER is the exception. options
 * may be NULL. */
RESIDUE_API residue_status residue_run(const residue_problem* problem, const void* a, const void* b,
                                       void* out, const residue_options* options) RESIDUE_NOEXCEPT;

RESIDUE_API residue_status residue_plan_create(const residue_problem* problem,
                                               residue_plan** plan) RESIDUE_NOEXCEPT;
RESIDUE_API residue_status residue_plan_run(const residue_plan* plan, const void* a, const void* b, void* out,
                                            const residue_options* options) RESIDUE_NOEXCEPT;
RESIDUE_API void residue_plan_destroy(residue_plan* plan) RESIDUE_NOEXCEPT; /* NULL is allowed */

/* Checks a problem. If it is refused, writes why into text (zero-terminated, cut to size bytes): the field,
 * the value it has, the value it needs. If it is accepted, writes the kernel that would run, e.g.
 * "modulus_floor.f32.vs@AVX3". text may be NULL if size is 0. */
RESIDUE_API residue_status residue_describe(const residue_problem* problem, char* text,
                                            size_t size) RESIDUE_NOEXCEPT;

/* What a status means, in one sentence; never NULL. */
RESIDUE_API const char* residue_status_text(residue_status status) RESIDUE_NOEXCEPT;

/* The instruction sets this machine can run, best first; NULL when index is past the last. */
RESIDUE_API const char* residue_target_name(uint32_t index) RESIDUE_NOEXCEPT;

/* The version of the library in use, which may be newer than this header. */
RESIDUE_API const char* residue_version(void) RESIDUE_NOEXCEPT;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* RESIDUE_RESIDUE_H_ */
