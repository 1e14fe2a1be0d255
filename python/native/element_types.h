// NumPy's types and ours.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <bit>
#include <cstdint>
#include <type_traits>

#include "residue/residue.h"

namespace residue::python {

struct ElementType {
  int numpy;
  residue_type type;
  int64_t size;
  const char* name;
};

template <class T>
constexpr ElementType Integer(int numpy, const char* name) {
  constexpr residue_type kSigned[] = {RESIDUE_INT8, RESIDUE_INT16, RESIDUE_INT32, RESIDUE_INT64};
  constexpr residue_type kUnsigned[] = {RESIDUE_UINT8, RESIDUE_UINT16, RESIDUE_UINT32, RESIDUE_UINT64};
  constexpr int kLog2OfSize = std::countr_zero(sizeof(T));
  return {numpy, std::is_signed_v<T> ? kSigned[kLog2OfSize] : kUnsigned[kLog2OfSize], sizeof(T), name};
}

// In the order in which NumPy looks for the first that all operands fit. On most platforms two of NumPy's
// integers are the same, and both are listed.
inline constexpr ElementType kElementTypes[] = {
    Integer<npy_byte>(NPY_BYTE, "int8"),
    Integer<npy_ubyte>(NPY_UBYTE, "uint8"),
    Integer<npy_short>(NPY_SHORT, "int16"),
    Integer<npy_ushort>(NPY_USHORT, "uint16"),
    Integer<npy_int>(NPY_INT, "int32"),
    Integer<npy_uint>(NPY_UINT, "uint32"),
    Integer<npy_long>(NPY_LONG, "int64"),
    Integer<npy_ulong>(NPY_ULONG, "uint64"),
    Integer<npy_longlong>(NPY_LONGLONG, "longlong"),
    Integer<npy_ulonglong>(NPY_ULONGLONG, "ulonglong"),
    {NPY_HALF, RESIDUE_FLOAT16, 2, "float16"},
    {NPY_FLOAT, RESIDUE_FLOAT32, 4, "float32"},
    {NPY_DOUBLE, RESIDUE_FLOAT64, 8, "float64"},
};

// Truth values are bytes of 0 and 1; whether an operator takes them for such is its own business.
inline constexpr ElementType kTruth = {NPY_BOOL, RESIDUE_UINT8, 1, "bool"};

// nullptr if it is not among them.
constexpr const ElementType* FindElementType(int numpy) noexcept {
  for (const ElementType& type : kElementTypes) {
    if (type.numpy == numpy) return &type;
  }
  return nullptr;
}

}  // namespace residue::python
