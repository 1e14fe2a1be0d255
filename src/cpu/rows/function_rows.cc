// Rows of functions that are rounded once, for every target.
#include "cpu/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rows/function_rows.cc"
#include <hwy/foreach_target.h>

#include "cpu/rows/function_angle-inl.h"
#include "cpu/rows/function_error-inl.h"
#include "cpu/rows/function_exponential-inl.h"
#include "cpu/rows/function_logarithm-inl.h"
#include "cpu/rows/light_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace {

template <OperatorId kOp, class Functor>
RowCode CodeOfFunction() noexcept {
  return {.run = &RunLight<Functor, TraitsOf(kOp).exceptions>, .light = true};
}

// Of functions of one number whose results are of the same type, or halves.
template <OperatorId kOp, class Curve>
RowCode FindOne(DataType type, DataType result) noexcept {
  if (type == DataType::kFloat32 && result == DataType::kFloat32) {
    return CodeOfFunction<kOp, FunctionOfOne<kOp, Curve, float, float>>();
  }
  if (type == DataType::kFloat16 && result == DataType::kFloat16) {
    return CodeOfFunction<kOp, FunctionOfOne<kOp, Curve, Float16, Float16>>();
  }
  if constexpr (Gives(kOp, DataType::kFloat32, DataType::kFloat16)) {
    if (type == DataType::kFloat32 && result == DataType::kFloat16) {
      return CodeOfFunction<kOp, FunctionOfOne<kOp, Curve, float, Float16>>();
    }
  }
  return {};
}

template <OperatorId kOp, class Curve>
RowCode FindTwo(DataType type) noexcept {
  if (type == DataType::kFloat32) return CodeOfFunction<kOp, FunctionOfTwo<kOp, Curve, float>>();
  if (type == DataType::kFloat16) return CodeOfFunction<kOp, FunctionOfTwo<kOp, Curve, Float16>>();
  return {};
}

}  // namespace

RowCode FindFunction(RowKey key) noexcept {
  switch (key.op) {
#define RESIDUE_OP(...)
#define RESIDUE_FUNCTION(Name, ...)                                           \
  case OperatorId::k##Name:                                                   \
    if constexpr (InputCount(OperatorId::k##Name) == 1) {                     \
      return FindOne<OperatorId::k##Name, Name##Curve>(key.type, key.result); \
    } else {                                                                  \
      return FindTwo<OperatorId::k##Name, Name##Curve>(key.type);             \
    }
#include "core/ops.def"
    default:
      return {};
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/rows/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(RowCode, FindFunctionRow, RowKey, FindFunction)

}  // namespace residue
#endif
