// The C interface: reads what the caller gave, calls the engine, and turns a Status into a number. Nothing
// is thrown across it.
#include "residue/residue.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>
#include <type_traits>

#include "c_api/options.h"
#include "c_api/problem.h"
#include "core/check_params.h"
#include "core/status.h"
#include "cpu/engine/partition.h"
#include "cpu/engine/plain_row.h"
#include "cpu/engine/plan.h"
#include "cpu/engine/run.h"

struct residue_plan {
  residue::Plan plan;
  bool may_be_plain;  // one dimension
};

namespace residue {
namespace {

// The header repeats our lists for C; these keep the two in step.
#define RESIDUE_STATUS(Name, C_NAME, value, text) \
  static_assert(static_cast<residue_status>(StatusCode::k##Name) == RESIDUE_##C_NAME);
#include "core/statuses.def"
#define RESIDUE_OP(Name, C_NAME, ...) \
  static_assert(static_cast<residue_operator>(OperatorId::k##Name) == RESIDUE_##C_NAME);
#include "core/ops.def"
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  static_assert(static_cast<residue_type>(DataType::k##Name) == RESIDUE_##C_NAME);
#include "core/types.def"
static_assert(kMaxRank == RESIDUE_MAX_RANK);
static_assert(kDivisionByZero == RESIDUE_DIVISION_BY_ZERO && kInvalidOperation == RESIDUE_INVALID_OPERATION &&
              kOverflow == RESIDUE_OVERFLOW);
static_assert(sizeof(residue_scale_bias) == sizeof(ScaleBiasParams) &&
              offsetof(residue_scale_bias, bias) == offsetof(ScaleBiasParams, bias));
static_assert(sizeof(residue_bounds) == sizeof(BoundsParams) &&
              offsetof(residue_bounds, max) == offsetof(BoundsParams, max));
static_assert(sizeof(residue_sequence) == sizeof(SequenceParams) &&
              offsetof(residue_sequence, delta) == offsetof(SequenceParams, delta));
static_assert(sizeof(residue_round) == sizeof(RoundParams) &&
              RESIDUE_ROUND_HALVES_TO_EVEN == RoundParams::kHalvesToEven &&
              RESIDUE_ROUND_TOWARD_ZERO == RoundParams::kTowardZero &&
              RESIDUE_ROUND_HALVES_AWAY_FROM_ZERO == RoundParams::kHalvesAwayFromZero);
static_assert(sizeof(residue_infinity) == sizeof(InfinityParams) &&
              RESIDUE_INFINITY_EITHER == InfinityParams::kEither &&
              RESIDUE_INFINITY_POSITIVE == InfinityParams::kPositive &&
              RESIDUE_INFINITY_NEGATIVE == InfinityParams::kNegative);
static_assert(sizeof(residue_alpha) == sizeof(AlphaParams) &&
              sizeof(residue_alpha_beta) == sizeof(AlphaBetaParams) &&
              offsetof(residue_alpha_beta, beta) == offsetof(AlphaBetaParams, beta) &&
              sizeof(residue_alpha_beta) == sizeof(ScaledParams) &&
              offsetof(residue_alpha_beta, beta) == offsetof(ScaledParams, beta) &&
              sizeof(residue_alpha_gamma) == sizeof(AlphaGammaParams) &&
              offsetof(residue_alpha_gamma, gamma) == offsetof(AlphaGammaParams, gamma) &&
              sizeof(residue_steepness) == sizeof(SteepnessParams) &&
              sizeof(residue_shrink) == sizeof(ShrinkParams) &&
              offsetof(residue_shrink, threshold) == offsetof(ShrinkParams, threshold));
static_assert(static_cast<residue_relation>(Relation::kEqualTo) == RESIDUE_EQUAL_TO &&
              static_cast<residue_relation>(Relation::kAtLeast) == RESIDUE_AT_LEAST &&
              static_cast<residue_relation>(Relation::kAtMost) == RESIDUE_AT_MOST &&
              static_cast<residue_relation>(Relation::kUnsignedAtMost) == RESIDUE_UNSIGNED_AT_MOST &&
              static_cast<residue_relation>(Relation::kNone) == RESIDUE_NO_NUMBER);
static_assert(std::is_same_v<Exceptions, std::remove_pointer_t<decltype(residue_options::exceptions)>>);

Status PlanProblem(const residue_problem* problem, Plan* plan) noexcept {
  Target target = BestTarget();
  if (const Status status = ReadProblem(problem, &plan->request, &target); !status.ok()) return status;
  return CompletePlan(target, plan);
}

// Nothing writes through the inputs' addresses.
std::byte* ToAddress(const void* address) noexcept {
  return static_cast<std::byte*>(const_cast<void*>(address));
}

Status RunPlan(const Plan& plan, const void* const* inputs, void* out, const residue_options* options,
               Exceptions* exceptions) noexcept {
  if (const Status status = CheckOptions(options); !status.ok()) return status;
  const Executor executor = ChooseExecutor(options, IsWorthSharing(plan.layout.element_count, plan.widest));
  const uint32_t output = plan.request.output();
  if (inputs == nullptr && plan.layout.element_count != 0)
    return {StatusCode::kNullPointer, "inputs", -1, 0, Relation::kAtLeast, 1};
  Addresses addresses;
  for (uint32_t i = 0; i < output; ++i) addresses[i] = inputs == nullptr ? nullptr : ToAddress(inputs[i]);
  addresses[output] = ToAddress(out);
  return Run(plan, addresses, executor, exceptions);
}

// Threads are not asked for, and nothing has to be refused.
bool IsPlain(const residue_options* options) noexcept {
  return options == nullptr || (options->executor == nullptr && options->reserved == 0);
}

// One dimension of packed elements, if there is nothing about the problem that only a plan can tell.
bool RunPlainProblem(const residue_problem* problem, const void* const* inputs, void* out,
                     const residue_options* options, Exceptions* exceptions) noexcept {
  if (problem == nullptr || problem->size != sizeof(residue_problem) || problem->rank != 1 ||
      problem->flags != 0 || problem->max_target != nullptr || problem->operand_count == 0 ||
      problem->operands == nullptr || inputs == nullptr || !IsPlain(options)) {
    return false;
  }
  const auto type = static_cast<DataType>(problem->operands[0].type);
  const SmallRow& small = FindSmallRow({static_cast<OperatorId>(problem->op), type});
  if (problem->operand_count != small.inputs + 1u || problem->params_size != small.params_bytes ||
      (small.params_bytes != 0 && problem->params == nullptr)) {
    return false;
  }
  const auto op = static_cast<OperatorId>(problem->op);
  if (small.params_bytes != 0 && !CheckParams(op, type, problem->params).ok()) return false;
  int64_t strides[kMostOperatorOperands] = {};
  for (uint32_t k = 0; k < problem->operand_count; ++k) {
    const residue_operand& operand = problem->operands[k];
    const residue_type expected = k == small.inputs ? small.result : problem->operands[0].type;
    if (operand.type != expected || operand.reserved != 0) return false;
    strides[k] = operand.strides[0];
  }
  return RunPlainRow(small, problem->params, inputs, strides, out, strides[small.inputs], problem->sizes[0],
                     exceptions);
}

// Apart from the plain way, which should not pay for a plan on the stack.
[[gnu::noinline]] Status PlanAndRun(const residue_problem* problem, const void* const* inputs, void* out,
                                    const residue_options* options, Exceptions* exceptions) noexcept {
  Plan plan;
  if (const Status status = PlanProblem(problem, &plan); !status.ok()) return status;
  return RunPlan(plan, inputs, out, options, exceptions);
}

[[gnu::noinline]] Status PlanAndRunRow(RowKey key, const void* a, int64_t a_stride, const void* b,
                                       int64_t b_stride, void* out, int64_t out_stride, uint64_t count,
                                       const residue_options* options) noexcept {
  Plan plan;
  OpRequest& request = plan.request;
  request.op = key.op;
  request.type = key.type;
  request.result = key.result;
  request.rank = 1;
  request.sizes[0] = count;
  request.params = DefaultParams(key.op);
  request.strides[0][0] = a_stride;
  request.strides[1][0] = b_stride;
  request.strides[request.output()][0] = out_stride;
  if (const Status status = CompletePlan(BestTarget(), &plan); !status.ok()) return status;
  const void* const in[] = {a, b};
  return RunPlan(plan, in, out, options, BeginExceptions(options));
}

// One row of elements with any strides, of an operator with at most two inputs. Inlined, and nothing of
// packed inputs is put into memory on the way: both show where there is little to compute.
[[gnu::always_inline]] inline residue_status RunStrided(residue_operator op, residue_type type, const void* a,
                                                        int64_t a_stride, const void* b, int64_t b_stride,
                                                        void* out, int64_t out_stride, uint64_t count,
                                                        const residue_options* options) noexcept {
  const RowKey key = {static_cast<OperatorId>(op), static_cast<DataType>(type)};
  Exceptions* exceptions = BeginExceptions(options);
  const SmallRow& small = FindSmallRow(key);
  if (IsPlain(options) && small.params_bytes == 0) {
    const void* const in[] = {a, b};
    const int64_t strides[] = {a_stride, b_stride};
    if (RunPlainRow<2>(small, nullptr, in, strides, out, out_stride, count, exceptions)) return RESIDUE_OK;
  }
  if (InputCount(key.op) > 2) return RESIDUE_INVALID_OPERAND_COUNT;
  if (!HasOneResult(key.op)) return RESIDUE_TYPE_MISMATCH;
  return ToC(PlanAndRunRow(key, a, a_stride, b, b_stride, out, out_stride, count, options));
}

}  // namespace
}  // namespace residue

using namespace residue;  // NOLINT(google-build-using-namespace): the functions below are its C face

residue_status residue_run_packed(residue_operator op, residue_type type, const void* a, const void* b,
                                  void* out, uint64_t count) noexcept {
  const auto type_id = static_cast<DataType>(type);
  const auto size = static_cast<int64_t>(SizeOf(type_id));
  const auto out_size = static_cast<int64_t>(SizeOf(OutputType(static_cast<OperatorId>(op), type_id)));
  return RunStrided(op, type, a, size, b, size, out, out_size, count, nullptr);
}

residue_status residue_run_strided(residue_operator op, residue_type type, const void* a, int64_t a_stride,
                                   const void* b, int64_t b_stride, void* out, int64_t out_stride,
                                   uint64_t count, const residue_options* options) noexcept {
  if (options == nullptr) {  // the usual call, compiled as if there were no options
    return RunStrided(op, type, a, a_stride, b, b_stride, out, out_stride, count, nullptr);
  }
  return RunStrided(op, type, a, a_stride, b, b_stride, out, out_stride, count, options);
}

residue_status residue_run(const residue_problem* problem, const void* const* inputs, void* out,
                           const residue_options* options) noexcept {
  Exceptions* exceptions = BeginExceptions(options);
  if (RunPlainProblem(problem, inputs, out, options, exceptions)) return RESIDUE_OK;
  return ToC(PlanAndRun(problem, inputs, out, options, exceptions));
}

residue_status residue_plan_create(const residue_problem* problem, residue_plan** plan) noexcept {
  if (plan == nullptr) return RESIDUE_NULL_POINTER;
  *plan = nullptr;
  Plan made;
  if (const Status status = PlanProblem(problem, &made); !status.ok()) return ToC(status);
  const OpRequest& request = made.request;
  // Small rows have the results that an operator has unless somebody says otherwise.
  const bool may_be_plain = request.rank == 1 && !request.in_order && problem->max_target == nullptr &&
                            request.result_type() == OutputType(request.op, request.type);
  *plan = new (std::nothrow) residue_plan{made, may_be_plain};
  return *plan == nullptr ? RESIDUE_OUT_OF_MEMORY : RESIDUE_OK;
}

residue_status residue_plan_run(const residue_plan* plan, const void* const* inputs, void* out,
                                const residue_options* options) noexcept {
  Exceptions* exceptions = BeginExceptions(options);
  if (plan == nullptr) return RESIDUE_NULL_POINTER;
  if (plan->may_be_plain && inputs != nullptr && IsPlain(options)) {
    const OpRequest& request = plan->plan.request;
    int64_t strides[kMostOperatorOperands] = {};
    for (uint32_t k = 0; k <= request.output(); ++k) strides[k] = request.strides[k][0];
    if (RunPlainRow(FindSmallRow({request.op, request.type}), request.params.bytes, inputs, strides, out,
                    strides[request.output()], request.sizes[0], exceptions)) {
      return RESIDUE_OK;
    }
  }
  return ToC(RunPlan(plan->plan, inputs, out, options, exceptions));
}

void residue_plan_destroy(residue_plan* plan) noexcept { delete plan; }

residue_status residue_check(const residue_problem* problem, residue_refusal* refusal, size_t size) noexcept {
  Plan plan;
  const Status status = PlanProblem(problem, &plan);
  if (refusal != nullptr) {
    const residue_refusal found = {ToC(status),
                                   static_cast<residue_relation>(status.relation),
                                   status.field,
                                   status.index,
                                   0,
                                   status.provided,
                                   status.expected};
    std::memcpy(refusal, &found, std::min(size, sizeof(found)));
  }
  return ToC(status);
}

residue_status residue_describe(const residue_problem* problem, char* text, size_t size) noexcept {
  if (text == nullptr && size != 0) return RESIDUE_NULL_POINTER;
  size = std::min<size_t>(size, INT_MAX);  // what snprintf can be told
  Plan plan;
  const Status status = PlanProblem(problem, &plan);
  if (status.ok()) {
    FormatRowName({plan.request.op, plan.request.type, plan.request.result_type()}, plan.target, text, size);
  } else {
    FormatStatus(status, text, size);
  }
  return ToC(status);
}

const char* residue_status_text(residue_status status) noexcept {
  return StatusText(static_cast<StatusCode>(status));
}

const char* residue_target_name(uint32_t index) noexcept {
  const auto targets = SupportedTargets();
  return index < targets.size() ? TargetName(targets[index]) : nullptr;
}

const char* residue_version() noexcept { return RESIDUE_VERSION_STRING; }
