// From a key to a row of one target: every operator of the list, for the element types that a source file
// asks for. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_TABLE_INL_H_
#undef RESIDUE_CPU_ROWS_TABLE_INL_H_
#else
#define RESIDUE_CPU_ROWS_TABLE_INL_H_
#endif

#include "cpu/rows/arithmetic-inl.h"
#include "cpu/rows/chain-inl.h"
#include "cpu/rows/dispatch.h"
#include "cpu/rows/identity-inl.h"
#include "cpu/rows/modulus-inl.h"
#include "cpu/rows/narrow_row-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/row_function-inl.h"
#include "cpu/rows/scale_bias-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The code of one functor; by the size of its results if they have another type than its operands.
template <class Math, class T, OperatorId kOp>
RowCode CodeOf() noexcept {
  constexpr ExceptionRule kRule = ExceptionRuleOf(kOp, kDataTypeOf<T>);
  if constexpr (TraitsOf(kOp).output.has_value()) {
    static_assert(kRule == ExceptionRule::kNone, "no such operator has exceptions yet");
    return {&RunNarrowRow<Math, hwy::UnsignedFromSize<SizeOf(*TraitsOf(kOp).output)>>};
  } else if constexpr (OfOne<Math>) {
    RowCode code = {&RunRow<Math, T, kRule>, reinterpret_cast<StageFn>(&RunStage<Math, false>),
                    &RunChain<hn::RebindToUnsigned<typename Math::Tag>>};
    if constexpr (HasRaw<Math>) code.raw_stage = reinterpret_cast<StageFn>(&RunStage<Math, true>);
    return code;
  } else {
    return {&RunRow<Math, T, kRule>};
  }
}

template <class T>
RowCode FindOperator(OperatorId op) noexcept {
  switch (op) {
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, ...)                                    \
  case OperatorId::k##Name:                                                                          \
    if constexpr (Contains(types, kDataTypeOf<T>)) return CodeOf<Name<T>, T, OperatorId::k##Name>(); \
    break;
#include "core/ops.def"
  }
  return {};
}

// Nothing if the key's type is not among Types.
template <class... Types>
RowCode FindAmong(RowKey key) noexcept {
  RowCode found;
  (void)((key.type == kDataTypeOf<Types> && (found = FindOperator<Types>(key.op), true)) || ...);
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
