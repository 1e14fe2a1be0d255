#include "choices.h"

#include <algorithm>
#include <iterator>
#include <sstream>

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

template <class Names>
std::vector<std::string> NamesOf(const Names& ops) {
  std::vector<std::string> names;
  for (const auto& [name, op] : kShortNames) {
    if (std::ranges::find(ops, op) != std::ranges::end(ops)) names.emplace_back(name);
  }
  for (const OperatorId op : ops) names.emplace_back(OperatorName(op));
  return names;
}

template <class Names>
OperatorId ReadOneOf(const Names& ops, const std::string& name) {
  const std::string lower = Lower(name);
  for (const auto& [known, op] : kShortNames) {
    if (lower == known && std::ranges::find(ops, op) != std::ranges::end(ops)) return op;
  }
  for (const OperatorId op : ops) {
    if (lower == OperatorName(op)) return op;
  }
  const std::vector<std::string> names = NamesOf(ops);
  const std::string suggestion = Suggestion(name, names);
  Fail("the operator is '{}', but must be one of {}{}", name, fmt::join(names, ", "), suggestion);
}

}  // namespace

std::vector<std::string> OperatorNames() { return NamesOf(kAllOperators); }
std::vector<std::string> ModulusNames() { return NamesOf(kModuli); }

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

OperatorId ReadOperator(const std::string& name) { return ReadOneOf(kAllOperators, name); }
OperatorId ReadModulus(const std::string& name) { return ReadOneOf(kModuli, name); }

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
