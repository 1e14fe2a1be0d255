// What a function of float32 numbers rounds to, sooner than the reference says so: the C library's float64
// function decides wherever the result is not near a tie, and the reference does elsewhere.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include "core/half.h"
#include "core/operator_id.h"
#include "core/params.h"
#include "cpu/rows/reference.h"
#include "cpu/rows/row.h"
#include "verification/c_functions.h"

namespace residue::testing {

class FunctionOracle {
 public:
  // The operator's default params are meant.
  explicit FunctionOracle(OperatorId op)
      : op_(op), of_one_(FindOfOne(op)), of_two_(FindCFunctionOfTwo<double>(op)) {}

  static bool Knows(OperatorId op) {
    return FindOfOne(op) != nullptr || FindCFunctionOfTwo<double>(op) != nullptr;
  }

  // How many elements the reference has decided.
  uint64_t hard() const { return hard_; }

  // Functions of one number do not look at y.
  template <class R>
  R Expect(float x, float y) {
    const double approximate = of_one_ != nullptr ? of_one_(static_cast<double>(x))
                                                  : of_two_(static_cast<double>(x), static_cast<double>(y));
    const R least = Round<R>(approximate * (1 - kWindow));
    const R most = Round<R>(approximate * (1 + kWindow));
    // At infinities the formulas below may be NaN where there is a limit.
    if (std::memcmp(&least, &most, sizeof(R)) == 0 && !std::isinf(x) && !std::isinf(y)) return least;
    ++hard_;
    R exact;
    Row row{};
    row.in[0] = &x;
    row.in[1] = &y;
    row.out = &exact;
    row.count = 1;
    row.params = DefaultParams(op_).bytes;
    reference::FindRow(RowKey(op_, DataType::kFloat32, kDataTypeOf<R>))(row);
    return exact;
  }

 private:
  // The C library's functions are off by a few units of 2^-53; what is made of several by some more.
  static constexpr double kWindow = 0x1p-42;

  template <class R>
  static R Round(double y) {
    if constexpr (std::is_same_v<R, float>) {
      return std::isnan(y) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(y);
    } else {
      return DoubleToHalf(y);
    }
  }

  static double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
  static double Softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
  static double Expm1Below(double x) { return x < 0 ? std::expm1(x) : x; }

  static OfOne<double> FindOfOne(OperatorId op) {
    if (const OfOne<double> known = FindCFunction<double>(op); known != nullptr) return known;
    switch (op) {
      case OperatorId::kSigmoid:
        return Sigmoid;
      case OperatorId::kSoftplus:
      case OperatorId::kParametricSoftplus:
        return Softplus;
      case OperatorId::kSoftsign:
        return [](double x) { return std::isinf(x) ? std::copysign(1.0, x) : x / (1 + std::fabs(x)); };
      case OperatorId::kElu:
        return Expm1Below;
      case OperatorId::kCelu:
        return [](double x) { return Expm1Below(x) + 0.0; };
      case OperatorId::kScaledElu:
        return [](double x) {
          const auto params = ReadParams<AlphaGammaParams>(DefaultParams(OperatorId::kScaledElu).bytes);
          const auto gamma = static_cast<double>(params.gamma);
          return gamma * (x > 0 ? x : static_cast<double>(params.alpha) * std::expm1(x));
        };
      case OperatorId::kScaledTanh:
        return std::tanh;
      case OperatorId::kGelu:
        return [](double x) {
          // e^-t^2 is steep: an error of t counts 2 t^2 times as much, 2^8 at most where the result is not 0.
          return x * std::erfc(x * -0.70710678118654752440) / 2;
        };
      case OperatorId::kSwish:
        return [](double x) { return x * Sigmoid(x); };
      default:
        return nullptr;
    }
  }

  OperatorId op_;
  OfOne<double> of_one_;
  OfTwo<double> of_two_;
  uint64_t hard_ = 0;
};

}  // namespace residue::testing
