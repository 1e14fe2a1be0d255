// The element types of the operators: the one list that registration and computation share.
#pragma once

#include "abi.h"
#include "residue/residue.h"

namespace residue::ort {

struct TypeRow {
  ElementType onnx;
  residue_type computed_in;
  int64_t size;  // of an element of computed_in, in bytes
};

inline constexpr TypeRow kTypes[] = {
    {ElementType::kFloat, RESIDUE_FLOAT32, 4},  {ElementType::kFloat16, RESIDUE_FLOAT16, 2},
    {ElementType::kDouble, RESIDUE_FLOAT64, 8}, {ElementType::kInt8, RESIDUE_INT8, 1},
    {ElementType::kInt16, RESIDUE_INT16, 2},    {ElementType::kInt32, RESIDUE_INT32, 4},
    {ElementType::kInt64, RESIDUE_INT64, 8},    {ElementType::kUint8, RESIDUE_UINT8, 1},
    {ElementType::kUint16, RESIDUE_UINT16, 2},  {ElementType::kUint32, RESIDUE_UINT32, 4},
    {ElementType::kUint64, RESIDUE_UINT64, 8},  {ElementType::kBfloat16, RESIDUE_FLOAT32, 4},
};

}  // namespace residue::ort
