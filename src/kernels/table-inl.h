// From a key to a kernel of one target: every operator of the list, every form, the element types a source
// file asks for. Included once per target.

// Per-target include guard
#if defined(RESIDUE_KERNELS_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_TABLE_INL_H_
#undef RESIDUE_KERNELS_TABLE_INL_H_
#else
#define RESIDUE_KERNELS_TABLE_INL_H_
#endif

#include "kernels/dispatch.h"
#include "kernels/identity-inl.h"
#include "kernels/kernel.h"
#include "kernels/modulus-inl.h"
#include "kernels/short_row-inl.h"
#include "kernels/strided_loop-inl.h"
#include "kernels/target-inl.h"
#include "kernels/tile_loop-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

template <class Math>
TileFn FindForm(Form form) noexcept {
  switch (form) {
    case Form::kVectorVector:
      return &RunTile<Math, Form::kVectorVector>;
    case Form::kVectorScalar:
      return &RunTile<Math, Form::kVectorScalar>;
    case Form::kScalarVector:
      return &RunTile<Math, Form::kScalarVector>;
    case Form::kStrided:
      return &RunStridedTile<Math>;
  }
  return nullptr;
}

template <class Math, class T, ExceptionRule kRule>
ShortRowFn FindShort() noexcept {
  if constexpr (kRule == ExceptionRule::kNone) {
    return nullptr;
  } else {
    return &RunShortRow<Math, T>;
  }
}

template <class T>
KernelFunctions FindOperator(KernelKey key) noexcept {
  switch (key.op) {
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, exceptions, ...) \
  case OperatorId::k##Name:                                            \
    return {FindForm<Name<T>>(key.form), FindShort<Name<T>, T, ExceptionRule::exceptions>()};
#include "base/ops.inc"
  }
  return {};
}

// Empty if the key's type is not among Types.
template <class... Types>
KernelFunctions FindAmong(KernelKey key) noexcept {
  KernelFunctions found = {};
  (void)((key.type == kDataTypeOf<Types> && (found = FindOperator<Types>(key), true)) || ...);
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
