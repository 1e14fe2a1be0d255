#include "choices.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "failure.h"
#include "number.h"
#include "suggestion.h"
#include "text.h"

namespace residue::tool {
namespace {

struct ShortOperatorName {
  const char* name;
  OperatorId op;
};
constexpr ShortOperatorName kShortNames[] = {{"floor", OperatorId::kModulusFloor},
                                             {"trunc", OperatorId::kModulusTruncate},
                                             {"truncate", OperatorId::kModulusTruncate}};

}  // namespace

std::vector<OperatorId> OperatorsOfOneType() {
  std::vector<OperatorId> ops;
  std::ranges::copy_if(kAllOperators, std::back_inserter(ops), IsToldByOneType);
  return ops;
}

std::vector<std::string> OperatorNames() {
  std::vector<std::string> names;
  for (const auto& [name, op] : kShortNames) names.emplace_back(name);
  for (const OperatorId op : OperatorsOfOneType()) {
    if (std::ranges::find(names, OperatorName(op)) == names.end()) names.emplace_back(OperatorName(op));
  }
  return names;
}

std::vector<std::string> TypeNames(TypeSet types) {
  std::vector<std::string> names;
  for (const DataType type : kAllDataTypes) {
    if ((types & SetOf(type)) != 0) names.push_back(TypeText(type));
  }
  return names;
}

std::vector<std::string> TargetNames() {
  char text[256];
  FormatTargetNames(text, sizeof(text));
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

OperatorId ReadOperator(const std::string& name, size_t inputs) {
  const std::string lower = Lower(name);
  for (const auto& [known, op] : kShortNames) {
    if (lower == known && inputs == InputCount(op)) return op;
  }
  for (const OperatorId op : kAllOperators) {
    if (lower != OperatorName(op)) continue;
    if (IsToldByOneType(op)) return op;
    Fail("{} has operands of several types, which `residue run` and the C interface take", OperatorName(op));
  }
  Fail("the operator is '{}', but must be one that `residue list` names{}", name,
       Suggestion(name, OperatorNames()));
}

DataType ReadTypeName(const std::string& name) {
  if (const std::optional<DataType> type = ParseType(name)) return *type;
  const std::vector<std::string> names = TypeNames();
  Fail("the type is '{}', but must be one of {}{}", name, fmt::join(names, ", "), Suggestion(name, names));
}

Target ReadTargetName(const std::string& name) {
  const std::vector<std::string> names = TargetNames();
  Target target{};
  if (!ParseTarget(name, &target)) {
    Fail("the target is '{}', but must be one of {}{}", name, fmt::join(names, ", "),
         Suggestion(name, names));
  }
  if (std::ranges::find(SupportedTargets(), target) == SupportedTargets().end())
    Fail("the target is {}, which this machine or this build does not have", TargetName(target));
  return target;
}

}  // namespace residue::tool
