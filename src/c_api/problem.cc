#include "c_api/problem.h"

#include <algorithm>
#include <cstring>

#include "core/check_params.h"
#include "layout/blame.h"

namespace residue {
namespace {

constexpr const char* kReservedFields[kMostOperatorOperands] = {
    "operands[0].reserved", "operands[1].reserved", "operands[2].reserved", "operands[3].reserved"};

Status ReadOperands(const residue_problem& problem, OpRequest* request) noexcept {
  const uint32_t output = request->output();
  if (problem.operand_count != output + 1) {
    return {StatusCode::kInvalidOperandCount,
            "operand_count",
            -1,
            problem.operand_count,
            Relation::kEqualTo,
            output + 1};
  }
  if (problem.operands == nullptr) return {StatusCode::kNullPointer, "operands", -1, 0, Relation::kNone};
  request->type = static_cast<DataType>(problem.operands[0].type);
  request->result = static_cast<DataType>(problem.operands[output].type);
  const bool known = SizeOf(request->type) != 0;
  for (uint32_t k = 0; k <= output; ++k) {
    const residue_operand& operand = problem.operands[k];
    if (operand.reserved != 0) {
      return {StatusCode::kReservedNotZero, kReservedFields[k], -1, operand.reserved, Relation::kEqualTo, 0};
    }
    const auto wanted_number = static_cast<residue_type>(request->OperandType(k));
    if (known && operand.type != wanted_number) {
      return {StatusCode::kTypeMismatch, kTypeFields[k], -1, operand.type, Relation::kEqualTo, wanted_number};
    }
    std::memcpy(request->strides[k].data(), operand.strides, sizeof(operand.strides));
  }
  return {};
}

Status ReadParamsOf(const residue_problem& problem, OpRequest* request) noexcept {
  const auto size = static_cast<uint32_t>(ParamsBytes(request->op));
  if (problem.params == nullptr && problem.params_size == 0) {
    request->params = DefaultParams(request->op);
    return {};
  }
  if (problem.params == nullptr) return {StatusCode::kNullPointer, "params", -1, 0, Relation::kNone};
  if (problem.params_size != size) {
    return {StatusCode::kInvalidParams, "params_size", -1, problem.params_size, Relation::kEqualTo, size};
  }
  request->params = {};
  std::memcpy(request->params.bytes, problem.params, size);
  request->params = QuietParams(request->op, request->params);
  return {};
}

}  // namespace

Status ReadProblem(const residue_problem* given, OpRequest* request, Target* target) noexcept {
  if (given == nullptr) return {StatusCode::kNullPointer, "problem", -1, 0, Relation::kNone};
  if (given->size != sizeof(residue_problem)) {
    return {StatusCode::kInvalidSize, "size", -1, given->size, Relation::kEqualTo, sizeof(residue_problem)};
  }
  const residue_problem& problem = *given;
  if ((problem.flags & ~uint32_t{RESIDUE_IN_ORDER}) != 0) {
    return {StatusCode::kReservedNotZero, "flags", -1, problem.flags, Relation::kAtMost, RESIDUE_IN_ORDER};
  }
  request->op = static_cast<OperatorId>(problem.op);
  request->rank = problem.rank;
  request->in_order = (problem.flags & RESIDUE_IN_ORDER) != 0;
  std::memcpy(request->sizes.data(), problem.sizes, sizeof(problem.sizes));
  if (OperatorName(request->op) == nullptr) {
    request->type = DataType::kFloat32;  // the plan refuses the operator before it looks at anything else
    return {};
  }
  if (const Status status = ReadOperands(problem, request); !status.ok()) return status;
  if (const Status status = ReadParamsOf(problem, request); !status.ok()) return status;
  if (problem.max_target != nullptr) {
    Target cap;
    if (!ParseTarget(problem.max_target, &cap))
      return {StatusCode::kInvalidTarget, "max_target", -1, 0, Relation::kNone};
    *target = std::min(*target, cap);
  }
  return {};
}

}  // namespace residue
