// What a call returns: success, or which operand and field is wrong, and what it should be.
#ifndef RESIDUE_RESULT_HPP_
#define RESIDUE_RESULT_HPP_

#include <residue/residue.h>

#include <concepts>
#include <cstdint>
#include <string>

namespace residue {
inline namespace v2 {

namespace detail {

inline constexpr residue_refusal kNoRefusal = {RESIDUE_OK, RESIDUE_EQUAL_TO, nullptr, -1, 0, 0, 0};

}  // namespace detail

/// The outcome of a call: true for success. A refusal has all that is known about it, and a sentence.
class [[nodiscard]] Result {
 public:
  /// Success.
  constexpr Result() noexcept = default;
  constexpr Result(residue_status status) noexcept {  // NOLINT(google-explicit-constructor)
    refusal_.status = status;
  }
  /// `operand` is the name of a parameter, such as "out".
  constexpr Result(const residue_refusal& refusal, const char* operand) noexcept
      : refusal_(refusal), operand_(operand) {}
  template <std::same_as<bool> B>
  Result(B) = delete;  // `result == true` would compare with status 1

  constexpr explicit operator bool() const noexcept { return refusal_.status == RESIDUE_OK; }
  constexpr residue_status status() const noexcept { return refusal_.status; }

  /// The parameter that is wrong, such as "a" or "out"; nullptr if it is none of them alone.
  constexpr const char* operand() const noexcept { return operand_; }
  /// What of it is wrong, such as "sizes"; nullptr if there is no more to say. The numbers below belong to
  /// it.
  constexpr const char* field() const noexcept { return refusal_.field; }
  /// Which of the field's numbers, or -1.
  constexpr int32_t index() const noexcept { return refusal_.index; }
  /// The number that was provided, and the one that was expected: equal to, at least, or at most, says
  /// relation().
  constexpr int64_t provided() const noexcept { return refusal_.provided; }
  constexpr int64_t expected() const noexcept { return refusal_.expected; }
  constexpr residue_relation relation() const noexcept { return refusal_.relation; }

  /// What the status means, in one sentence.
  const char* text() const noexcept { return residue_status_text(status()); }
  /// The same with operand, field and both numbers: "b.sizes[0]: 3 was provided, but 4 was expected: ...".
  std::string message() const {
    std::string message = operand_ == nullptr ? "" : operand_;
    if (field() != nullptr) {
      message += message.empty() ? "" : ".";
      message += field();
      if (index() >= 0) message += "[" + std::to_string(index()) + "]";
    }
    if (!message.empty()) message += ": ";
    if (field() != nullptr && relation() != RESIDUE_NO_NUMBER) {
      message += relation() == RESIDUE_UNSIGNED_AT_MOST ? std::to_string(static_cast<uint64_t>(provided()))
                                                        : std::to_string(provided());
      message += " was provided, but ";
      if (relation() == RESIDUE_AT_LEAST) message += "at least ";
      if (relation() == RESIDUE_AT_MOST || relation() == RESIDUE_UNSIGNED_AT_MOST) message += "at most ";
      message += std::to_string(expected()) + " was expected: ";
    }
    return message + text();
  }

  /// Results are compared by status.
  friend constexpr bool operator==(const Result& x, const Result& y) noexcept {
    return x.status() == y.status();
  }

 private:
  residue_refusal refusal_ = detail::kNoRefusal;
  const char* operand_ = nullptr;
};

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_RESULT_HPP_
