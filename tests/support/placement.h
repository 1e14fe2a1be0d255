// One pair of operands, tried at indices of arrays of several lengths, in every form, on every target, in
// place on either input and not. The other elements are pairs that are dangerous themselves.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/row_run.h"

namespace residue::testing {

// Every index; or the first, the last, and two that are others for the next pair.
enum class Places { kEvery, kSome };

enum class Alias { kNone, kOutputIsA, kOutputIsB };

template <class T>
class PlacementCheck {
 public:
  PlacementCheck(OperatorId op, T a, T b, T expected) : op_(op), a_(a), b_(b), expected_(expected) {
    // Neighbours of the special element: MIN, -1, 0, about 1, and 7, in changing pairs; as float bits they
    // are -0, NaN, 0, a number near 1, and a subnormal.
    const T neighbours[] = {FromBits<T>(uint64_t{1} << (sizeof(T) * 8 - 1)), FromBits<T>(~uint64_t{0}), T{},
                            FromBits<T>(uint64_t{0x3C} << (sizeof(T) * 8 - 8)), FromBits<T>(7)};
    for (size_t i = 0; i < kLongest; ++i) {
      neighbour_a_[i] = neighbours[i % 5];
      neighbour_b_[i] = neighbours[(i / 5 + 3 * i + 1) % 5];
      packed_[i] = reference::Evaluate(op, neighbour_a_[i], neighbour_b_[i]);
      scalar_b_[i] = reference::Evaluate(op, neighbour_a_[i], b);
      scalar_a_[i] = reference::Evaluate(op, a, neighbour_b_[i]);
    }
  }

  void Run(Places places) {
    static size_t turn = 0;
    ++turn;
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const size_t length : {size_t{1}, size_t{3}, kLongest / 2 + 1, kLongest}) {
        for (size_t place = 0; place < length; ++place) {
          const bool chosen =
              place == 0 || place == length - 1 || place == turn % length || place == 7 * turn % length;
          if (places == Places::kSome && !chosen) continue;
          for (const Form form : kAllForms) {
            for (const Alias alias : {Alias::kNone, Alias::kOutputIsA, Alias::kOutputIsB}) {
              // A scalar operand is one element; the output cannot be it.
              if (alias == Alias::kOutputIsA && form == Form::kScalarVector) continue;
              if (alias == Alias::kOutputIsB && form == Form::kVectorScalar) continue;
              ASSERT_NO_FATAL_FAILURE(RunOne(target, length, place, form, alias));
            }
          }
        }
      }
    }
  }

 private:
  // Two of the widest vectors, and one element more.
  static constexpr size_t kLongest = 2 * 64 / sizeof(T) + 1;
  using Array = std::vector<T>;

  void RunOne(Target target, size_t length, size_t place, Form form, Alias alias) {
    const auto copy = [&](const Array& from, Array& to) { std::copy_n(from.begin(), length, to.begin()); };
    copy(neighbour_a_, work_a_);
    copy(neighbour_b_, work_b_);
    work_a_[form == Form::kScalarVector ? 0 : place] = a_;
    work_b_[form == Form::kVectorScalar ? 0 : place] = b_;
    copy(form == Form::kVectorScalar ? scalar_b_ : form == Form::kScalarVector ? scalar_a_ : packed_, want_);
    want_[place] = expected_;
    Array& to = alias == Alias::kOutputIsA ? work_a_ : alias == Alias::kOutputIsB ? work_b_ : out_;
    ASSERT_NO_FATAL_FAILURE(RunOwnRow(op_, form, target, work_a_.data(), work_b_.data(), to.data(), length));
    AddFigure(Figure::kComparisons, length);
    const size_t i = FirstDifference(want_.data(), to.data(), length);
    if (i == length) return;
    const bool special = i == place;
    const T a = special || form == Form::kScalarVector ? a_ : neighbour_a_[i];
    const T b = special || form == Form::kVectorScalar ? b_ : neighbour_b_[i];
    FAIL() << DescribeFailure(op_, form, target, i, a, b, want_[i], to[i]) << " length " << length
           << ", alias mode " << static_cast<int>(alias);
  }

  OperatorId op_;
  T a_;
  T b_;
  T expected_;
  Array neighbour_a_ = Array(kLongest);
  Array neighbour_b_ = Array(kLongest);
  Array packed_ = Array(kLongest);  // expected results of the neighbours, by form
  Array scalar_a_ = Array(kLongest);
  Array scalar_b_ = Array(kLongest);
  Array work_a_ = Array(kLongest);
  Array work_b_ = Array(kLongest);
  Array want_ = Array(kLongest);
  Array out_ = Array(kLongest);
};

template <class T>
void CheckAtEveryPlace(OperatorId op, T a, T b, T expected) {
  PlacementCheck<T>(op, a, b, expected).Run(Places::kEvery);
}

// Of many pairs, at some places before a commit, where other tests try every place with a few.
template <class T>
void CheckAtPlaces(OperatorId op, T a, T b, T expected) {
  const Places places = CurrentTier() == Tier::kQuick ? Places::kSome : Places::kEvery;
  PlacementCheck<T>(op, a, b, expected).Run(places);
}

}  // namespace residue::testing
