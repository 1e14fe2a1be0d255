#include "digest.h"

#include <cstdint>
#include <cstring>

namespace residue::python {
namespace {

// A bijection of 64 bits in which every bit depends on every other: the finalizer of SplitMix64.
uint64_t Mix(uint64_t z) noexcept {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

template <class Bits>
uint64_t SumOf(const char* elements, npy_intp count, uint64_t first) noexcept {
  uint64_t sum = 0;
  for (npy_intp i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, elements + i * static_cast<npy_intp>(sizeof(bits)), sizeof(bits));
    const uint64_t place = (first + static_cast<uint64_t>(i) + 1) * 0x9E3779B97F4A7C15u;
    sum += Mix(bits + Mix(place));
  }
  return sum;
}

uint64_t SumOfArray(PyArrayObject* array, uint64_t first) noexcept {
  const char* elements = PyArray_BYTES(array);
  const npy_intp count = PyArray_SIZE(array);
  switch (PyArray_ITEMSIZE(array)) {
    case 1:
      return SumOf<uint8_t>(elements, count, first);
    case 2:
      return SumOf<uint16_t>(elements, count, first);
    case 4:
      return SumOf<uint32_t>(elements, count, first);
    default:
      return SumOf<uint64_t>(elements, count, first);
  }
}

uint64_t SumOfPairs(const float* x, const float* y, npy_intp count) noexcept {
  uint64_t sum = 0;
  for (npy_intp i = 0; i < count; ++i) {
    uint32_t x_bits;
    uint32_t y_bits;
    std::memcpy(&x_bits, x + i, sizeof(x_bits));
    std::memcpy(&y_bits, y + i, sizeof(y_bits));
    sum += Mix(uint64_t{x_bits} << 32 | y_bits);
  }
  return sum;
}

bool IsFloat32(PyArrayObject* array) noexcept {
  return PyArray_TYPE(array) == NPY_FLOAT && PyArray_IS_C_CONTIGUOUS(array) && PyArray_ISNOTSWAPPED(array);
}

}  // namespace

PyObject* DigestElements(PyObject*, PyObject* arguments) {
  PyArrayObject* array;
  unsigned long long first;
  if (PyArg_ParseTuple(arguments, "O!K", &PyArray_Type, &array, &first) == 0) return nullptr;
  const npy_intp size = PyArray_ITEMSIZE(array);
  if (!PyArray_IS_C_CONTIGUOUS(array) || (size != 1 && size != 2 && size != 4 && size != 8)) {
    PyErr_SetString(PyExc_ValueError, "elements of 1, 2, 4 or 8 bytes without gaps are needed");
    return nullptr;
  }
  uint64_t sum;
  Py_BEGIN_ALLOW_THREADS;
  sum = SumOfArray(array, first);
  Py_END_ALLOW_THREADS;
  return PyLong_FromUnsignedLongLong(sum);
}

PyObject* DigestFunction(PyObject*, PyObject* arguments) {
  PyArrayObject* x;
  PyArrayObject* y;
  if (PyArg_ParseTuple(arguments, "O!O!", &PyArray_Type, &x, &PyArray_Type, &y) == 0) return nullptr;
  if (!IsFloat32(x) || !IsFloat32(y) || PyArray_SIZE(x) != PyArray_SIZE(y)) {
    PyErr_SetString(PyExc_ValueError, "two contiguous arrays of float32 of one size are needed");
    return nullptr;
  }
  uint64_t sum;
  Py_BEGIN_ALLOW_THREADS;
  sum = SumOfPairs(static_cast<const float*>(PyArray_DATA(x)), static_cast<const float*>(PyArray_DATA(y)),
                   PyArray_SIZE(x));
  Py_END_ALLOW_THREADS;
  return PyLong_FromUnsignedLongLong(sum);
}

}  // namespace residue::python
