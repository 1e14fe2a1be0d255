#include "operand_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "core/half.h"
#include "failure.h"
#include "number.h"
#include "text.h"

namespace residue::tool {
namespace {

bool LooksLikeAnInteger(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  const char* digits = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

void TellOverflow(std::string_view text, std::string_view name, DataType type) {
  static bool told = false;
  if (std::exchange(told, true)) return;
  Tell(fmt::format("{} is {}, which is beyond {}: infinity is used", name, Quoted(text), TypeText(type)));
}

}  // namespace

DataType GuessType(std::span<const std::string_view> texts, TypeSet taken) {
  const auto all = [&]<class T>(T) {
    return std::ranges::all_of(
        texts, [](std::string_view text) { return ParseNumber<T>(std::string(text)).has_value(); });
  };
  if (Contains(taken, DataType::kInt64) && all(int64_t{})) return DataType::kInt64;
  if (Contains(taken, DataType::kUint64) && all(uint64_t{})) return DataType::kUint64;
  // Python's integers have no end, and a float would only look like one.
  const auto is_lost = [](std::string_view text) {
    return LooksLikeAnInteger(text) && !ParseNumber<int64_t>(std::string(text));
  };
  const bool takes_integers = (taken & (SetOf(DataType::kInt64) | SetOf(DataType::kUint64))) != 0;
  if (const auto lost = std::ranges::find_if(texts, is_lost); takes_integers && lost != texts.end()) {
    Fail("{} and the other operands fit no integer type together; say --type float64 if they are floats",
         Quoted(*lost));
  }
  return Contains(taken, DataType::kFloat64) ? DataType::kFloat64
                                             : static_cast<DataType>(std::countr_zero(taken));
}

template <class T>
T ReadOperand(std::string_view text, std::string_view name) {
  const std::optional<T> value = ParseNumber<T>(std::string(text));
  if (!value)
    Fail("{} is {}, which is not a number of type {}", name, Quoted(text), TypeText(kDataTypeOf<T>));
  if (IsInfinite(*value) && Lower(text).find("inf") == std::string::npos)
    TellOverflow(text, name, kDataTypeOf<T>);
  return *value;
}

template <class T>
T ReadOperandBits(std::string_view text, std::string_view name) {
  const std::optional<T> value = ParseBits<T>(text);
  if (!value)
    Fail("{} is {}, which is not the bits of a number of type {}", name, Quoted(text),
         TypeText(kDataTypeOf<T>));
  return *value;
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)                 \
  template Cpp ReadOperand<Cpp>(std::string_view, std::string_view); \
  template Cpp ReadOperandBits<Cpp>(std::string_view, std::string_view);
#include "core/types.def"

}  // namespace residue::tool
