// From a key to a row of one target: every operator of the list, for the element types that a source file
// asks for. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_TABLE_INL_H_
#undef RESIDUE_CPU_ROWS_TABLE_INL_H_
#else
#define RESIDUE_CPU_ROWS_TABLE_INL_H_
#endif

#include "cpu/rows/activation-inl.h"
#include "cpu/rows/arithmetic-inl.h"
#include "cpu/rows/bits-inl.h"
#include "cpu/rows/cast-inl.h"
#include "cpu/rows/chain-inl.h"
#include "cpu/rows/dispatch.h"
#include "cpu/rows/function_power-inl.h"
#include "cpu/rows/identity-inl.h"
#include "cpu/rows/light_row-inl.h"
#include "cpu/rows/modulus-inl.h"
#include "cpu/rows/order-inl.h"
#include "cpu/rows/quantize-inl.h"
#include "cpu/rows/round_float-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/row_function-inl.h"
#include "cpu/rows/scale_bias-inl.h"
#include "cpu/rows/select-inl.h"
#include "cpu/rows/sequence-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Math>
concept Light = requires {
  &Math::template Code<Math, false>;
};

// Its instructions raise its exceptions' flags and no others; functors on bits have neither.
template <class Math>
constexpr bool IsWatched() noexcept {
  if constexpr (RaisesFlags<Math>) return true;
  return kHasExceptionFlags && requires { requires Math::kIsOfBits; };
}

// The code of one functor. Light ones gain nothing from AVX512-FP16.
template <class Math, class T, OperatorId kOp>
RowCode CodeOf() noexcept {
  constexpr ExceptionRule kRule = ExceptionRuleOf(kOp, kDataTypeOf<T>);
  if constexpr (Light<Math>) {
    if constexpr (HWY_TARGET == HWY_AVX3_DL) {
      return {};
    } else {
      RowCode code = {.run = &RunLight<Math, kRule>, .light = true};
      if constexpr (Math::kIsStage) {
        code.stage = reinterpret_cast<StageFn>(&RunLightStage<Math>);
        code.chain = &RunChain<hn::RebindToUnsigned<typename Math::Tag>>;
        code.watched = IsWatched<Math>();
      }
      return code;
    }
  } else if constexpr (OfOne<Math>) {
    RowCode code = {&RunRow<Math, T, kRule>, reinterpret_cast<StageFn>(&RunStage<Math, false>),
                    &RunChain<hn::RebindToUnsigned<typename Math::Tag>>};
    if constexpr (HasRaw<Math>) code.raw_stage = reinterpret_cast<StageFn>(&RunStage<Math, true>);
    code.watched = IsWatched<Math>();
    return code;
  } else {
    return {&RunRow<Math, T, kRule>};
  }
}

// Of functors that are templates of one type, or of the result's type as well.
template <template <class> class Functor, class T, OperatorId kOp>
RowCode FindResult(DataType) noexcept {
  return CodeOf<Functor<T>, T, kOp>();
}
template <template <class, class> class Functor, class T, OperatorId kOp>
RowCode FindResult(DataType result) noexcept {
  switch (result) {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)                                                       \
  case DataType::k##Name:                                                                                  \
    if constexpr (Gives(kOp, kDataTypeOf<T>, DataType::k##Name)) return CodeOf<Functor<T, Cpp>, T, kOp>(); \
    break;
#include "core/types.def"
  }
  return {};
}

// Functions are elsewhere (src/cpu/rows/function_rows.cc): they take long to compile.
template <class T>
RowCode FindOperator(OperatorId op, DataType result) noexcept {
  switch (op) {
#define RESIDUE_FUNCTION(...)
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, ...)                                           \
  case OperatorId::k##Name:                                                                                 \
    if constexpr (Contains(types, kDataTypeOf<T>)) return FindResult<Name, T, OperatorId::k##Name>(result); \
    break;
#include "core/ops.def"
    default:
      break;
  }
  return {};
}

// Nothing if the key's type is not among Types.
template <class... Types>
RowCode FindAmong(RowKey key) noexcept {
  RowCode found;
  (void)((key.type == kDataTypeOf<Types> && (found = FindOperator<Types>(key.op, key.result), true)) || ...);
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
