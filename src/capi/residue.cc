// The C interface: reads what the caller gave, calls plan and exec, and turns a Status into a number. Nothing
// is thrown across it.
#include "residue/residue.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>
#include <type_traits>

#include "base/status.h"
#include "exec/partition.h"
#include "exec/run.h"
#include "exec/short_row.h"
#include "kernels/kernel.h"
#include "plan/plan.h"

struct residue_plan {
  residue::Plan plan;
};

namespace residue {
namespace {

// The header repeats our lists for C; these keep the two in step.
#define RESIDUE_STATUS(Name, C_NAME, value, text) \
  static_assert(static_cast<residue_status>(StatusCode::k##Name) == RESIDUE_##C_NAME);
#include "base/statuses.inc"
#define RESIDUE_OP(Name, C_NAME, value, text, ...) \
  static_assert(static_cast<residue_operator>(OperatorId::k##Name) == RESIDUE_##C_NAME);
#include "base/ops.inc"
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  static_assert(static_cast<residue_type>(DataType::k##Name) == RESIDUE_##C_NAME);
#include "base/types.inc"
static_assert(kMaxRank == RESIDUE_MAX_RANK);
static_assert(kDivisionByZero == RESIDUE_DIVISION_BY_ZERO && kInvalidOperation == RESIDUE_INVALID_OPERATION);
static_assert(std::is_same_v<Exceptions, std::remove_pointer_t<decltype(residue_options::exceptions)>>);

residue_status ToC(const Status& status) noexcept { return static_cast<residue_status>(status.code); }

Addresses ToAddresses(const void* a, const void* b, void* out) noexcept {
  return {static_cast<const std::byte*>(a), static_cast<const std::byte*>(b), static_cast<std::byte*>(out)};
}

Status ReadProblem(const residue_problem* problem, OpRequest* request, Target* target) noexcept {
  if (problem == nullptr) return {StatusCode::kNullPointer, "problem", -1, 0, Relation::kAtLeast, 1};
  if ((problem->flags & ~uint32_t{RESIDUE_IN_ORDER}) != 0) {
    return {StatusCode::kReservedNotZero, "flags", -1, problem->flags, Relation::kAtMost, RESIDUE_IN_ORDER};
  }
  request->op = static_cast<OperatorId>(problem->op);
  request->type = static_cast<DataType>(problem->type);
  request->rank = problem->rank;
  request->in_order = (problem->flags & RESIDUE_IN_ORDER) != 0;
  std::memcpy(request->sizes.data(), problem->sizes, sizeof(problem->sizes));
  std::memcpy(request->strides[kOperandA].data(), problem->a_strides, sizeof(problem->a_strides));
  std::memcpy(request->strides[kOperandB].data(), problem->b_strides, sizeof(problem->b_strides));
  std::memcpy(request->strides[kOperandOut].data(), problem->out_strides, sizeof(problem->out_strides));
  if (problem->max_target != nullptr) {
    Target cap;
    if (!ParseTarget(problem->max_target, &cap)) return {StatusCode::kInvalidTarget};
    *target = std::min(*target, cap);
  }
  return {};
}

Status PlanProblem(const residue_problem* problem, Plan* plan) noexcept {
  Target target = BestTarget();
  if (const Status status = ReadProblem(problem, &plan->request, &target); !status.ok()) return status;
  return CompletePlan(target, plan);
}

// oneTBB is not even asked how many threads it has unless they are of use.
Status ChooseExecutor(const residue_options* options, bool worth_sharing, Executor* executor) noexcept {
  if (options != nullptr && options->reserved != 0) return {StatusCode::kReservedNotZero};
  if (options != nullptr && options->executor != nullptr) {
    const residue_executor& given = *options->executor;
    if (given.reserved != 0) return {StatusCode::kReservedNotZero};
    if (given.parallel_for == nullptr || given.num_threads == 0) return {StatusCode::kInvalidExecutor};
    *executor = {given.context, given.num_threads, given.parallel_for};
  } else if (!worth_sharing || (options != nullptr && options->num_threads == 1)) {
    *executor = SerialExecutor();
  } else {
    *executor = TbbExecutor(options == nullptr ? 0 : options->num_threads);
  }
  return {};
}

// Where to add what the elements of a run have: nothing yet, and nothing ever if the run is refused.
Exceptions* BeginExceptions(const residue_options* options) noexcept {
  if (options == nullptr || options->exceptions == nullptr) return nullptr;
  *options->exceptions = kNoException;
  return options->exceptions;
}

Status RunPlan(const Plan& plan, const void* a, const void* b, void* out, const residue_options* options,
               Exceptions* exceptions) noexcept {
  const bool worth_sharing = IsWorthSharing(plan.layout.element_count, SizeOf(plan.request.type));
  Executor executor;
  if (const Status status = ChooseExecutor(options, worth_sharing, &executor); !status.ok()) return status;
  return Run(plan, ToAddresses(a, b, out), executor, exceptions);
}

Status PlanAndRunRow(residue_operator op, residue_type type, const void* a, int64_t a_stride, const void* b,
                     int64_t b_stride, void* out, int64_t out_stride, uint64_t count,
                     const residue_options* options, Exceptions* exceptions) noexcept {
  Plan plan;
  OpRequest& request = plan.request;
  request.op = static_cast<OperatorId>(op);
  request.type = static_cast<DataType>(type);
  request.rank = 1;
  request.sizes[0] = count;
  request.strides[kOperandA][0] = a_stride;
  request.strides[kOperandB][0] = b_stride;
  request.strides[kOperandOut][0] = out_stride;
  if (const Status status = CompletePlan(BestTarget(), &plan); !status.ok()) return status;
  return RunPlan(plan, a, b, out, options, exceptions);
}

}  // namespace
}  // namespace residue

using namespace residue;  // NOLINT(google-build-using-namespace): the functions below are its C face

residue_status residue_run_packed(residue_operator op, residue_type type, const void* a, const void* b,
                                  void* out, uint64_t count) noexcept {
  const auto size = static_cast<int64_t>(SizeOf(static_cast<DataType>(type)));
  return residue_run_strided(op, type, a, size, b, size, out, size, count, nullptr);
}

residue_status residue_run_strided(residue_operator op, residue_type type, const void* a, int64_t a_stride,
                                   const void* b, int64_t b_stride, void* out, int64_t out_stride,
                                   uint64_t count, const residue_options* options) noexcept {
  Exceptions* exceptions = BeginExceptions(options);
  const bool plain = options == nullptr || (options->executor == nullptr && options->reserved == 0);
  if (plain && RunShortRow(static_cast<OperatorId>(op), static_cast<DataType>(type), ToAddresses(a, b, out),
                           {a_stride, b_stride, out_stride}, count, exceptions)) {
    return RESIDUE_OK;
  }
  return ToC(PlanAndRunRow(op, type, a, a_stride, b, b_stride, out, out_stride, count, options, exceptions));
}

residue_status residue_run(const residue_problem* problem, const void* a, const void* b, void* out,
                           const residue_options* options) noexcept {
  Exceptions* exceptions = BeginExceptions(options);
  Plan plan;
  if (const Status status = PlanProblem(problem, &plan); !status.ok()) return ToC(status);
  return ToC(RunPlan(plan, a, b, out, options, exceptions));
}

residue_status residue_plan_create(const residue_problem* problem, residue_plan** plan) noexcept {
  if (plan == nullptr) return RESIDUE_NULL_POINTER;
  *plan = nullptr;
  Plan made;
  if (const Status status = PlanProblem(problem, &made); !status.ok()) return ToC(status);
  *plan = new (std::nothrow) residue_plan{made};
  return *plan == nullptr ? RESIDUE_OUT_OF_MEMORY : RESIDUE_OK;
}

residue_status residue_plan_run(const residue_plan* plan, const void* a, const void* b, void* out,
                                const residue_options* options) noexcept {
  Exceptions* exceptions = BeginExceptions(options);
  if (plan == nullptr) return RESIDUE_NULL_POINTER;
  return ToC(RunPlan(plan->plan, a, b, out, options, exceptions));
}

void residue_plan_destroy(residue_plan* plan) noexcept { delete plan; }

residue_status residue_describe(const residue_problem* problem, char* text, size_t size) noexcept {
  if (text == nullptr && size != 0) return RESIDUE_NULL_POINTER;
  size = std::min<size_t>(size, INT_MAX);  // what snprintf can be told
  Plan plan;
  const Status status = PlanProblem(problem, &plan);
  if (status.ok()) {
    FormatKernelName(plan.key, plan.kernel.target, text, size);
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
