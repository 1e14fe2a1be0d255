// What a call is given, where it is nothing but rows and single numbers: then one program serves all lengths.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace residue::python {

// Rows are arrays of one shape that lie in memory alike and without gaps: a call computes one element after
// the other of all of them, whatever their shape. Single numbers are Python's, NumPy's, and arrays without a
// dimension. The arguments must outlive this.
class Rows {
 public:
  static constexpr size_t kMostArguments = 32;
  // More elements than any memory has. Programs are compiled for so many, and run for fewer.
  static constexpr uint64_t kLongest = uint64_t{1} << 40;

  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  // False if the arguments are others; with a Python error only if there is no memory.
  bool Read(PyObject* const* given, size_t count);

  uint64_t length() const noexcept { return length_; }
  // A new bytes object for what a program depends on: the kinds and types of the arguments, and which of them
  // are given by name. nullptr with a Python error.
  PyObject* MakeKey(uint64_t named) const;
  // Has the array the rows' shape, and does it lie as they do?
  bool Takes(PyArrayObject* array) const noexcept;
  // A new array like that, or nullptr with a Python error.
  PyArrayObject* MakeArray(int type) const;
  // A row itself, or a single number as an array of a type, as a new reference. nullptr if it does not fit an
  // integer type, or with a Python error.
  PyArrayObject* ArgumentAs(size_t index, int type) const;

 private:
  enum class Kind : char { kRow = 'r', kNumPys = 's', kBool = 'b', kInteger = 'i', kFloat = 'f' };
  enum class Order : uint8_t { kC, kFortran, kOther };

  struct Argument {
    PyObject* object;       // borrowed
    PyArrayObject* single;  // of a number of NumPy's
    Kind kind;
    uint8_t type;   // NumPy's number; 0 of Python's numbers
    uint8_t least;  // of NumPy 1, that of the smallest type that holds the number
  };

  bool ReadArgument(PyObject* object, Argument* argument);
  bool ReadRow(PyArrayObject* array) noexcept;
  bool FindOrder() noexcept;
  static bool Fits(const Argument& argument, int type);

  std::array<Argument, kMostArguments> arguments_;
  size_t count_ = 0;
  PyArrayObject* first_ = nullptr;  // of the rows; borrowed
  uint64_t length_ = 0;
  Order order_ = Order::kC;
  int flags_ = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS;  // of all rows
};

}  // namespace residue::python
