#include "rows.h"

#include <algorithm>

#include "element_types.h"

namespace residue::python {
namespace {

// nullptr if it is not computed.
const ElementType* FindType(int type) noexcept { return type == NPY_BOOL ? &kTruth : FindElementType(type); }
bool IsKnownType(int type) noexcept { return FindType(type) != nullptr; }

// NumPy 1 looks at the values of single numbers.
bool AreNumbersWeak() noexcept {
  static const bool weak = PyArray_GetNDArrayCFeatureVersion() < 0x12;
  return weak;
}

// The steps between elements, in elements, of one shape. Steps along an axis of one element mean nothing.
bool LieAlike(PyArrayObject* x, PyArrayObject* y) noexcept {
  for (int i = 0; i < PyArray_NDIM(x); ++i) {
    if (PyArray_DIM(x, i) != 1 &&
        PyArray_STRIDE(x, i) * PyArray_ITEMSIZE(y) != PyArray_STRIDE(y, i) * PyArray_ITEMSIZE(x))
      return false;
  }
  return true;
}

// In some order of the axes: each step is all that is inside of it. No element is empty.
bool HasNoGaps(PyArrayObject* array) noexcept {
  npy_intp inside = PyArray_ITEMSIZE(array);
  for (npy_intp left = PyArray_SIZE(array); left > 1;) {
    int axis = 0;
    while (axis < PyArray_NDIM(array) &&
           (PyArray_DIM(array, axis) == 1 || PyArray_STRIDE(array, axis) != inside))
      ++axis;
    if (axis == PyArray_NDIM(array)) return false;
    inside *= PyArray_DIM(array, axis);
    left /= PyArray_DIM(array, axis);
  }
  return true;
}

}  // namespace

Rows::~Rows() {
  for (size_t i = 0; i < count_; ++i) Py_XDECREF(arguments_[i].single);
}

bool Rows::ReadRow(PyArrayObject* array) noexcept {
  flags_ &= PyArray_FLAGS(array);
  if (first_ == nullptr) {
    first_ = array;
    return true;
  }
  return PyArray_SAMESHAPE(first_, array);
}

bool Rows::ReadArgument(PyObject* object, Argument* argument) {
  *argument = {object, nullptr, Kind::kRow, 0, 0};
  if (PyBool_Check(object)) {
    argument->kind = Kind::kBool;
  } else if (PyLong_CheckExact(object)) {
    argument->kind = Kind::kInteger;
  } else if (PyFloat_CheckExact(object)) {
    argument->kind = Kind::kFloat;
  } else if (PyArray_CheckExact(object)) {
    auto* array = reinterpret_cast<PyArrayObject*>(object);
    if (!IsKnownType(PyArray_TYPE(array)) || !PyArray_ISNOTSWAPPED(array)) return false;
    argument->type = static_cast<uint8_t>(PyArray_TYPE(array));
    if (PyArray_NDIM(array) != 0) return ReadRow(array);
    argument->kind = Kind::kNumPys;
    Py_INCREF(object);
    argument->single = array;
  } else if (PyArray_IsScalar(object, Generic)) {
    PyArray_Descr* type = PyArray_DescrFromScalar(object);
    const bool is_known = type != nullptr && type->typeobj == Py_TYPE(object) && IsKnownType(type->type_num);
    argument->type = is_known ? static_cast<uint8_t>(type->type_num) : 0;
    Py_XDECREF(type);
    if (!is_known) return false;
    argument->kind = Kind::kNumPys;
    argument->single = reinterpret_cast<PyArrayObject*>(PyArray_FromScalar(object, nullptr));
    if (argument->single == nullptr) return false;
  } else {
    return false;
  }
  if (argument->single != nullptr && argument->type != NPY_BOOL && AreNumbersWeak()) {
    PyArray_Descr* least = PyArray_MinScalarType(argument->single);
    if (least == nullptr) return false;
    argument->least = static_cast<uint8_t>(least->type_num);
    Py_DECREF(least);
  }
  return true;
}

bool Rows::FindOrder() noexcept {
  order_ = (flags_ & NPY_ARRAY_C_CONTIGUOUS) != 0   ? Order::kC
           : (flags_ & NPY_ARRAY_F_CONTIGUOUS) != 0 ? Order::kFortran
                                                    : Order::kOther;
  if (order_ != Order::kOther) return true;
  if (!HasNoGaps(first_)) return false;
  return std::all_of(arguments_.begin(), arguments_.begin() + static_cast<ptrdiff_t>(count_),
                     [&](const Argument& argument) {
                       return argument.kind != Kind::kRow ||
                              LieAlike(first_, reinterpret_cast<PyArrayObject*>(argument.object));
                     });
}

bool Rows::Read(PyObject* const* given, size_t count) {
  if (count > kMostArguments) return false;
  while (count_ < count) {
    Argument* argument = &arguments_[count_];
    const bool read = ReadArgument(given[count_], argument);
    ++count_;  // what it holds is let go in any case
    if (!read) return false;
  }
  if (first_ == nullptr || !FindOrder()) return false;
  length_ = static_cast<uint64_t>(PyArray_SIZE(first_));
  return length_ <= kLongest;
}

PyObject* Rows::MakeKey(uint64_t named) const {
  constexpr size_t kEach = 3;
  std::array<char, 1 + kEach * kMostArguments + sizeof(named)> key;
  char* next = key.data();
  *next++ = static_cast<char>(count_);
  for (size_t i = 0; i < count_; ++i) {
    const Argument& argument = arguments_[i];
    *next++ = static_cast<char>(argument.kind);
    *next++ = static_cast<char>(argument.type);
    *next++ = static_cast<char>(argument.least);
  }
  for (; named != 0; named >>= 8) *next++ = static_cast<char>(named);
  return PyBytes_FromStringAndSize(key.data(), next - key.data());
}

bool Rows::Takes(PyArrayObject* array) const noexcept {
  if (!PyArray_SAMESHAPE(first_, array)) return false;
  if (order_ == Order::kC) return PyArray_IS_C_CONTIGUOUS(array);
  if (order_ == Order::kFortran) return PyArray_IS_F_CONTIGUOUS(array);
  return LieAlike(first_, array);
}

PyArrayObject* Rows::MakeArray(int type) const {
  PyArray_Descr* descr = PyArray_DescrFromType(type);
  if (descr == nullptr) return nullptr;
  const int rank = PyArray_NDIM(first_);
  if (order_ != Order::kOther) {
    return reinterpret_cast<PyArrayObject*>(
        PyArray_Empty(rank, PyArray_DIMS(first_), descr, order_ == Order::kFortran ? 1 : 0));
  }
  std::array<npy_intp, NPY_MAXDIMS> strides;
  for (int i = 0; i < rank; ++i) {
    strides[static_cast<size_t>(i)] =
        PyArray_STRIDE(first_, i) / PyArray_ITEMSIZE(first_) * FindType(type)->size;
  }
  return reinterpret_cast<PyArrayObject*>(PyArray_NewFromDescr(
      &PyArray_Type, descr, rank, PyArray_DIMS(first_), strides.data(), nullptr, 0, nullptr));
}

// Does an integer type hold the number, if it is an integer?
bool Rows::Fits(const Argument& argument, int type) {
  const bool is_integer = argument.kind == Kind::kInteger ||
                          (argument.kind == Kind::kNumPys && PyTypeNum_ISINTEGER(argument.type));
  if (!is_integer || !PyTypeNum_ISINTEGER(type)) return true;
  PyObject* number = PyNumber_Index(argument.object);
  if (number == nullptr) return false;
  int beyond;
  const long long low = PyLong_AsLongLongAndOverflow(number, &beyond);
  const auto bits = static_cast<int>(8 * FindElementType(type)->size);
  bool fits;
  if (PyTypeNum_ISUNSIGNED(type)) {
    const unsigned long long high = beyond > 0 ? PyLong_AsUnsignedLongLong(number) : 0;
    const bool is_too_large = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    fits = beyond > 0 ? bits == 64 && !is_too_large && high != 0
                      : beyond == 0 && low >= 0 && (bits == 64 || low >> bits == 0);
  } else {
    fits = beyond == 0 && low >> (bits - 1) == (low < 0 ? -1 : 0);
  }
  Py_DECREF(number);
  return fits;
}

PyArrayObject* Rows::ArgumentAs(size_t index, int type) const {
  const Argument& argument = arguments_[index];
  PyObject* own =
      argument.kind == Kind::kRow ? argument.object : reinterpret_cast<PyObject*>(argument.single);
  if (own != nullptr && argument.type == type) {
    Py_INCREF(own);
    return reinterpret_cast<PyArrayObject*>(own);
  }
  if (argument.kind == Kind::kRow || !Fits(argument, type)) return nullptr;
  return reinterpret_cast<PyArrayObject*>(PyArray_FromAny(argument.object, PyArray_DescrFromType(type), 0, 0,
                                                          NPY_ARRAY_FORCECAST | NPY_ARRAY_CARRAY_RO,
                                                          nullptr));
}

}  // namespace residue::python
