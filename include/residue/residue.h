/* Residue: exact element-wise operators on strided memory. The C interface.
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
  RESIDUE_IDENTITY = 3,   /* one input; out = a, bit for bit: a strided copy */
  RESIDUE_SCALE_BIAS = 4, /* one input, residue_scale_bias as params: out = a * scale + bias. Floats: each
                             operation rounded to nearest (halves in float32). Integers: exact, truncated,
                             modulo 2^n; scale and bias must be finite */

  /* Arithmetic: integers modulo 2^n, floats rounded to nearest after each operation. */
  RESIDUE_ADD = 5,
  RESIDUE_SUBTRACT = 6,
  RESIDUE_MULTIPLY = 7,
  RESIDUE_DIVIDE = 8,             /* integers: truncated; 0 for a divisor of 0, and MIN / -1 is MIN */
  RESIDUE_MEAN = 9,               /* (a + b) / 2; integers: of the exact sum, truncated */
  RESIDUE_DIFFERENCE_SQUARE = 10, /* (a - b) * (a - b) */
  RESIDUE_RECIP = 11,             /* one input of a floating-point type: 1 / a */
  RESIDUE_SQRT = 12,              /* one input of a floating-point type */

  /* Order and signs. */
  RESIDUE_MAX = 13, /* IEEE 754's maximum and minimum: NaN if one is, and -0 is less than 0 */
  RESIDUE_MIN = 14,
  RESIDUE_CLIP = 15, /* one input, residue_bounds as params: max(min, min(a, max)) */
  RESIDUE_ABS = 16,  /* one input that has a sign; of floats only the sign bit changes */
  RESIDUE_NEGATE = 17,
  RESIDUE_SIGN = 18, /* one input: -1, 0 or 1; 0 for NaN */
  RESIDUE_CEIL = 19, /* one input of a floating-point type, and so for the next two */
  RESIDUE_FLOOR = 20,
  RESIDUE_ROUND = 21, /* residue_round as params */

  /* Questions: the results are RESIDUE_UINT8, 1 for true and 0 for false. NaN makes comparisons false. */
  RESIDUE_EQUALS = 22,
  RESIDUE_GREATER_THAN = 23,
  RESIDUE_GREATER_THAN_OR_EQUAL = 24,
  RESIDUE_LESS_THAN = 25,
  RESIDUE_LESS_THAN_OR_EQUAL = 26,
  RESIDUE_IS_NAN = 27,      /* one input of a floating-point type */
  RESIDUE_IS_INFINITY = 28, /* the same, residue_infinity as params */

  /* Truth and bits. What is not 0 is true; RESIDUE_UINT8 and RESIDUE_UINT32. */
  RESIDUE_LOGICAL_AND = 29,
  RESIDUE_LOGICAL_OR = 30,
  RESIDUE_LOGICAL_XOR = 31,
  RESIDUE_LOGICAL_NOT = 32, /* one input */
  RESIDUE_BIT_AND = 33,     /* any type, for its bits */
  RESIDUE_BIT_OR = 34,
  RESIDUE_BIT_XOR = 35,
  RESIDUE_BIT_NOT = 36,        /* one input */
  RESIDUE_BIT_SHIFT_LEFT = 37, /* unsigned; 0 where all bits are shifted out */
  RESIDUE_BIT_SHIFT_RIGHT = 38,
  RESIDUE_BIT_COUNT = 39, /* one input of any type; the result is RESIDUE_UINT8 */

  /* Activations. Of floating-point types where nothing else is said. */
  RESIDUE_LEAKY_RELU = 40,         /* one input, residue_alpha: a if a >= 0, else alpha * a */
  RESIDUE_THRESHOLDED_RELU = 41,   /* one input, residue_alpha: a if a > alpha, else 0 */
  RESIDUE_PARAMETERIZED_RELU = 42, /* a if a >= 0, else b * a; signed integers too */
  RESIDUE_HARD_SWISH = 43,         /* one input, residue_alpha_beta: a * max(0, min(alpha * a + beta, 1)) */
  RESIDUE_SHRINK = 44,    /* one input, residue_shrink: a - bias if a > threshold, a + bias if a < -threshold,
                             else 0; integers of at most 32 bits too: exact, truncated, saturated */
  RESIDUE_RELU_GRAD = 45, /* b if a > 0, else 0; signed integers too */
  RESIDUE_CLIP_GRAD = 46, /* residue_bounds: 0 if a <= min or a >= max, else b; any type */

  /* Other types. The first input, and the result, may be chosen. */
  RESIDUE_IF = 47,   /* three inputs, the first RESIDUE_UINT8: b where a is not 0, else c; any type */
  RESIDUE_CAST = 48, /* one input. To integers: truncated and saturated, 0 for NaN; between integers: modulo
                        2^n; to floats: rounded to nearest */
  RESIDUE_QUANTIZE_LINEAR = 49,   /* RESIDUE_FLOAT32 a and scale b, zero point c and result RESIDUE_UINT8 or
                                     RESIDUE_INT8: round(a / b) + c, ties to even, saturated; c for NaN */
  RESIDUE_DEQUANTIZE_LINEAR = 50, /* a and zero point c integers of at most 32 bits, scale b and result
                                     RESIDUE_FLOAT32: (a - c) * b, the difference rounded once */
  RESIDUE_SEQUENCE = 51, /* one input of RESIDUE_UINT64, residue_sequence as params: start + a * delta, exact
                           and rounded once; integers modulo 2^n; any type except RESIDUE_FLOAT64 */

  RESIDUE_POW = 52, /* a to the power of b. Integers: modulo 2^n; negative powers are truncated, 0 except of 1
                      and -1. RESIDUE_FLOAT16 and RESIDUE_FLOAT32: as the functions below */

  /* Functions of RESIDUE_FLOAT16 and RESIDUE_FLOAT32: the exact value, rounded once to nearest. One input,
   * except of the last. The results of the first fifteen may be RESIDUE_FLOAT16 where the input is
   * RESIDUE_FLOAT32. */
  RESIDUE_EXP = 53,
  RESIDUE_LOG = 54, /* natural */
  RESIDUE_SIN = 55, /* radians */
  RESIDUE_COS = 56,
  RESIDUE_TAN = 57,
  RESIDUE_ASIN = 58,
  RESIDUE_ACOS = 59,
  RESIDUE_ATAN = 60,
  RESIDUE_SINH = 61,
  RESIDUE_COSH = 62,
  RESIDUE_TANH = 63,
  RESIDUE_ASINH = 64,
  RESIDUE_ACOSH = 65,
  RESIDUE_ATANH = 66,
  RESIDUE_ERF = 67,
  RESIDUE_SIGMOID = 68,             /* 1 / (1 + e^-a) */
  RESIDUE_SOFTPLUS = 69,            /* residue_steepness: log(1 + e^(steepness * a)) / steepness */
  RESIDUE_PARAMETRIC_SOFTPLUS = 70, /* residue_alpha_beta: alpha * log(1 + e^(beta * a)) */
  RESIDUE_SOFTSIGN = 71,            /* a / (1 + |a|); 1 and -1 at infinities */
  RESIDUE_ELU = 72,                 /* residue_alpha: a if a >= 0, else alpha * (e^a - 1) */
  RESIDUE_CELU = 73,                /* residue_alpha: max(0, a) + min(0, alpha * (e^(a / alpha) - 1)) */
  RESIDUE_SCALED_ELU = 74,  /* residue_alpha_gamma: gamma * a if a > 0, else gamma * alpha * (e^a - 1) */
  RESIDUE_SCALED_TANH = 75, /* residue_alpha_beta: alpha * tanh(beta * a) */
  RESIDUE_GELU = 76,        /* a * (1 + erf(a / sqrt(2))) / 2; -0 at -infinity */
  RESIDUE_SWISH = 77,       /* residue_alpha: a / (1 + e^-(alpha * a)); the limits at infinities */
  RESIDUE_ATAN_YX = 78,     /* two inputs: the angle of the point (b, a), from -pi to pi */

  /* Powers with operands of other kinds, one element after the other. */
  RESIDUE_POW_OF_SUM = 79,   /* three inputs of RESIDUE_FLOAT32: a to the power of the exact b + c */
  RESIDUE_POW_TRUNCATED = 80 /* a of RESIDUE_FLOAT32, b and the result integers of at most 32 bits: b to the
                                power of a; modulo 2^n if a is an integer, else truncated and saturated */
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
  RESIDUE_NUMBER_NOT_REPRESENTABLE = 12,
  RESIDUE_TYPE_NOT_TAKEN = 13,
  RESIDUE_TYPE_MISMATCH = 14,
  RESIDUE_INVALID_OPERAND_COUNT = 15,
  RESIDUE_INVALID_PARAMS = 16,
  RESIDUE_INVALID_SIZE = 17,
  RESIDUE_INVALID_TENSOR = 18,
  RESIDUE_TENSOR_NOT_WRITABLE = 19,
  RESIDUE_TENSOR_NOT_WRITTEN = 20,
  RESIDUE_OUTSIDE_TENSOR = 21,
  RESIDUE_NO_OUTPUT = 22,
  RESIDUE_OUTPUTS_OVERLAP = 23,
  RESIDUE_NOT_COMPILED = 24,
  RESIDUE_INVALID_VIEW = 25,
  RESIDUE_PARAMS_NOT_FINITE = 26,
  RESIDUE_GRAPH_TOO_LARGE = 27,
  RESIDUE_BYTES_NOT_WRITTEN = 28,
  RESIDUE_NOT_ROWS = 29
};

/* Flags of a problem. RESIDUE_IN_ORDER: one element after the other, each seeing what those before it have
 * written, as a reduction (out and a are one element, with stride 0) or a running result (a is out, one
 * element behind) needs it. The output may then overlap itself; one dimension at most; on the calling thread,
 * one element at a time. */
enum { RESIDUE_IN_ORDER = 1 };

/* One tensor of a problem. Strides are in bytes, may be negative or, for inputs, 0 (broadcast), and need no
 * alignment. */
typedef struct residue_operand {
  residue_type type;
  uint32_t reserved; /* must be 0 */
  int64_t strides[RESIDUE_MAX_RANK];
} residue_operand;

/* The params of RESIDUE_SCALE_BIAS. */
typedef struct residue_scale_bias {
  float scale;
  float bias;
} residue_scale_bias;

/* The params of RESIDUE_CLIP and RESIDUE_CLIP_GRAD: elements of the inputs' type, as their bits in the first
 * bytes. A bound of RESIDUE_CLIP that is NaN is none. */
typedef struct residue_bounds {
  uint64_t min;
  uint64_t max;
} residue_bounds;

/* The params of RESIDUE_ROUND. */
enum {
  RESIDUE_ROUND_HALVES_TO_EVEN = 0,
  RESIDUE_ROUND_TOWARD_ZERO = 1,
  RESIDUE_ROUND_HALVES_AWAY_FROM_ZERO = 2
};
typedef struct residue_round {
  uint32_t mode;
} residue_round;

/* The params of RESIDUE_IS_INFINITY. */
enum { RESIDUE_INFINITY_EITHER = 0, RESIDUE_INFINITY_POSITIVE = 1, RESIDUE_INFINITY_NEGATIVE = 2 };
typedef struct residue_infinity {
  uint32_t mode;
} residue_infinity;

/* The params of activations. */
typedef struct residue_alpha {
  float alpha;
} residue_alpha;
typedef struct residue_alpha_beta {
  float alpha;
  float beta;
} residue_alpha_beta;
typedef struct residue_alpha_gamma {
  float alpha;
  float gamma;
} residue_alpha_gamma;
typedef struct residue_steepness {
  float steepness;
} residue_steepness;
typedef struct residue_shrink {
  float bias;
  float threshold;
} residue_shrink;
/* By default alpha is 1, or 0.01 of RESIDUE_LEAKY_RELU. Alpha and beta are 1/6 and 0.5 of RESIDUE_HARD_SWISH,
 * and 1 and 1 of others; alpha and gamma are those of SELU. Steepness is 1, bias 0 and threshold 0.5. */

/* The params of RESIDUE_SEQUENCE: elements of the result's type, as their bits in the first bytes. */
typedef struct residue_sequence {
  uint64_t start;
  uint64_t delta;
} residue_sequence;

/* What to compute, on which layout. All operands have the same sizes: the inputs in the operator's order,
 * then the output. They have one type, which the operator must take, except where it says otherwise. Elements
 * of the output must not share bytes; where so many strides cross that a bounded search cannot tell, the
 * output is refused as if they did. Dimensions beyond `rank` are ignored; a size of 0 means no work; rank 0
 * is one element. */
typedef struct residue_problem {
  uint32_t size; /* sizeof(residue_problem): later versions have more fields */
  residue_operator op;
  uint32_t rank;
  uint32_t operand_count; /* the operator's inputs and its output */
  uint64_t sizes[RESIDUE_MAX_RANK];
  const residue_operand* operands; /* operand_count of them */
  const void* params;              /* what else the operator is told; NULL: its defaults */
  uint32_t params_size;            /* of what params points to; 0 if it is NULL */
  uint32_t flags;                  /* 0 or RESIDUE_IN_ORDER */
  /* NULL, or the best instruction set to use, e.g. "AVX2" (see residue_target_name). The environment variable
   * RESIDUE_MAX_TARGET, which is read once, caps all calls of a process; a name that does not exist is
   * refused here, and ignored there (see residue_check_environment). */
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
 * overwrites, with 0 if nothing happened or if it was refused. Moduli, RESIDUE_SCALE_BIAS and arithmetic tell
 * those of their operations. Functions and the activations that multiply tell what is seen from operands and
 * result. Other operators have none. Results are the same whether or not somebody asks. Options that ask
 * belong to one call at a time. */
enum {
  RESIDUE_DIVISION_BY_ZERO = 1,  /* a divisor of 0, of an integer or of a finite number other than 0; the
                                    logarithm of 0, the inverse hyperbolic tangent of 1, a negative power of
                                    a float that is 0 */
  RESIDUE_INVALID_OPERATION = 2, /* NaN from operands that are none, as of a float divisor of 0 or an infinite
                                    dividend; a signalling NaN */
  RESIDUE_OVERFLOW = 4           /* infinity from finite operands */
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

/* out[i] = a[i] op b[i] for packed arrays. out may be a or b. Operators of one input do not look at b, which
 * may then be NULL. The params are the operator's defaults. Operators of three inputs, and those whose result
 * may have several types, need residue_run. */
RESIDUE_API residue_status residue_run_packed(residue_operator op, residue_type type, const void* a,
                                              const void* b, void* out, uint64_t count) RESIDUE_NOEXCEPT;

/* The same for one dimension with strides in bytes, 0 for a single operand. options may be NULL. */
RESIDUE_API residue_status residue_run_strided(residue_operator op, residue_type type, const void* a,
                                               int64_t a_stride, const void* b, int64_t b_stride, void* out,
                                               int64_t out_stride, uint64_t count,
                                               const residue_options* options) RESIDUE_NOEXCEPT;

/* Any operator on any layout, in one call: inputs[i] is the address of operand i. The output may overlap the
 * inputs in any way: the result is as if the inputs had been copied first, and where it must, a temporary
 * copy is made; RESIDUE_IN_ORDER is the exception. options may be NULL. */
RESIDUE_API residue_status residue_run(const residue_problem* problem, const void* const* inputs, void* out,
                                       const residue_options* options) RESIDUE_NOEXCEPT;

RESIDUE_API residue_status residue_plan_create(const residue_problem* problem,
                                               residue_plan** plan) RESIDUE_NOEXCEPT;
RESIDUE_API residue_status residue_plan_run(const residue_plan* plan, const void* const* inputs, void* out,
                                            const residue_options* options) RESIDUE_NOEXCEPT;
RESIDUE_API void residue_plan_destroy(residue_plan* plan) RESIDUE_NOEXCEPT; /* NULL is allowed */

/* Why a problem is refused. `provided` must be equal to `expected`, at least or at most that. */
typedef int32_t residue_relation;
enum {
  RESIDUE_EQUAL_TO = 0,
  RESIDUE_AT_LEAST = 1,
  RESIDUE_AT_MOST = 2,
  RESIDUE_UNSIGNED_AT_MOST = 3, /* the bits of provided are a uint64_t */
  RESIDUE_NO_NUMBER = 4         /* the field is no number: provided and expected mean nothing */
};

typedef struct residue_refusal {
  residue_status status;
  residue_relation relation;
  const char* field; /* such as "operands[1].strides", or NULL if none is wrong by itself; never freed */
  int32_t index;     /* which of the field's numbers, or -1 */
  uint32_t reserved; /* 0 */
  int64_t provided;
  int64_t expected;
} residue_refusal;

/* Checks a problem, and says in numbers why it is refused. refusal may be NULL; size is
 * sizeof(residue_refusal), and no more is written. For a problem that is accepted, all of it is 0 except the
 * index, which is -1. */
RESIDUE_API residue_status residue_check(const residue_problem* problem, residue_refusal* refusal,
                                         size_t size) RESIDUE_NOEXCEPT;

/* Checks a problem. If it is refused, writes why into text (zero-terminated, cut to size bytes): the field,
 * the value it has, the value it needs. If it is accepted, writes the row that would run, e.g.
 * "modulus_floor.f32@AVX3". text may be NULL if size is 0. */
RESIDUE_API residue_status residue_describe(const residue_problem* problem, char* text,
                                            size_t size) RESIDUE_NOEXCEPT;

/* A graph of operators, computed in as few walks over memory as its shapes allow; built node by node,
 * compiled once, run many times. Nodes read and write tensors; a node that reads what another has written,
 * with the same sizes and strides, needs no memory in between.
 *
 *   residue_graph* graph;
 *   uint32_t tensors[3];
 *   residue_graph_create(&graph);
 *   residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, bytes, NULL, &tensors[0]);
 *   residue_graph_add_tensor(graph, RESIDUE_TENSOR_TEMPORARY, bytes, NULL, &tensors[1]);
 *   residue_graph_add_tensor(graph, RESIDUE_TENSOR_OUTPUT, bytes, NULL, &tensors[2]);
 *   residue_graph_add_node(graph, &first_problem, tensors, NULL);
 *   residue_graph_add_node(graph, &second_problem, tensors + 1, NULL);
 *   residue_graph_compile(graph);
 *   residue_graph_run(graph, inputs, outputs, NULL, NULL);
 *
 * Building is one thread's business; running is anybody's, at the same time too. */
typedef struct residue_graph residue_graph;

typedef int32_t residue_tensor_kind;
enum {
  RESIDUE_TENSOR_INPUT = 1,     /* given at every run; only read */
  RESIDUE_TENSOR_OUTPUT = 2,    /* given at every run; written by one node, and may be read by others */
  RESIDUE_TENSOR_TEMPORARY = 3, /* of the graph; written by one node; bytes that it does not write are 0 */
  RESIDUE_TENSOR_CONSTANT = 4,  /* copied from data now; only read */
  RESIDUE_TENSOR_INDEX = 5 /* in no memory, of no bytes: elements of RESIDUE_UINT64, the row-major number of
                              each element of the node that reads it, whatever its strides say */
};

RESIDUE_API residue_status residue_graph_create(residue_graph** graph) RESIDUE_NOEXCEPT;

/* Tensors are numbered from 0 in the order they are added; so are inputs and outputs, among themselves. A
 * second RESIDUE_TENSOR_INDEX is the first one, and has its number. data is looked at for constants only. A
 * graph has at most 262144 tensors, and 65536 nodes. */
RESIDUE_API residue_status residue_graph_add_tensor(residue_graph* graph, residue_tensor_kind kind,
                                                    uint64_t bytes, const void* data,
                                                    uint32_t* tensor) RESIDUE_NOEXCEPT;

/* A problem whose operand i lies in tensor tensors[i], offsets[i] bytes from its beginning (offsets may be
 * NULL: 0 each). Every byte an operand touches must lie in its tensor. A tensor is written by one node, and
 * read by those that are added later. Of an output they read only bytes that its node writes; where its
 * strides cross so that this cannot be seen, only its own view is read. Flags must be 0; the lowest
 * max_target of all nodes caps the whole graph. */
RESIDUE_API residue_status residue_graph_add_node(residue_graph* graph, const residue_problem* problem,
                                                  const uint32_t* tensors,
                                                  const uint64_t* offsets) RESIDUE_NOEXCEPT;

/* After it, nothing can be added. */
RESIDUE_API residue_status residue_graph_compile(residue_graph* graph) RESIDUE_NOEXCEPT;

/* How many bytes of temporary memory a run needs; 0 before the graph is compiled. */
RESIDUE_API uint64_t residue_graph_temporary_size(const residue_graph* graph) RESIDUE_NOEXCEPT;

/* Computes all outputs. inputs and outputs are addresses by number; temporary is NULL, to have it allocated
 * for this run, or residue_graph_temporary_size bytes, which nobody else uses meanwhile: then the run
 * allocates nothing. The result is as if all inputs had been copied first; an input that an output overwrites
 * too early is copied, which allocates. Outputs must not overlap each other, nor the temporary memory
 * anything. options may be NULL; exceptions are those of all nodes that outputs depend
 * on; the others are not computed. */
RESIDUE_API residue_status residue_graph_run(const residue_graph* graph, const void* const* inputs,
                                             void* const* outputs, void* temporary,
                                             const residue_options* options) RESIDUE_NOEXCEPT;

/* A graph of rows is compiled once for all lengths: the same for the first `count` elements of each row. In
 * such a graph every node has one dimension of the same size, or none. Every tensor is a row, which nodes
 * read and write packed, from its beginning to its end, or else one element (rank 0, or a stride of 0). Rows
 * are given as long as `count`, which is at most the size that the graph was compiled with; that may be far
 * more than there is memory for. Temporary memory has the bytes that the second function says for this count.
 * They are UINT64_MAX of a larger count and of graphs that are none of rows, whose runs are RESIDUE_NOT_ROWS.
 */
RESIDUE_API residue_status residue_graph_run_first(const residue_graph* graph, uint64_t count,
                                                   const void* const* inputs, void* const* outputs,
                                                   void* temporary,
                                                   const residue_options* options) RESIDUE_NOEXCEPT;
RESIDUE_API uint64_t residue_graph_temporary_size_first(const residue_graph* graph,
                                                        uint64_t count) RESIDUE_NOEXCEPT;

/* Of a compiled graph, writes a line for each walk over memory: the rows that are computed in it. Before
 * that, writes why the last call was refused, and returns its status. text is zero-terminated and cut to size
 * bytes; it may be NULL if size is 0. */
RESIDUE_API residue_status residue_graph_describe(const residue_graph* graph, char* text,
                                                  size_t size) RESIDUE_NOEXCEPT;

RESIDUE_API void residue_graph_destroy(residue_graph* graph) RESIDUE_NOEXCEPT; /* NULL is allowed */

/* Whether the environment variable RESIDUE_MAX_TARGET, as the library has read it, is empty or names an
 * instruction set. If not, it is ignored; the answer is RESIDUE_INVALID_TARGET, and text (zero-terminated,
 * cut to size bytes, printable ASCII) has the variable, the beginning of its value and the names it could
 * have. Otherwise text is empty. text may be NULL if size is 0. */
RESIDUE_API residue_status residue_check_environment(char* text, size_t size) RESIDUE_NOEXCEPT;

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
