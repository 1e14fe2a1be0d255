#include "model_path.h"

#include <fmt/format.h>

#include <system_error>

#include "failure.h"

namespace residue::tool {
namespace {

namespace files = std::filesystem;

// Whole, and without links as far as it exists.
files::path Resolve(const files::path& path, std::error_code* error) {
  const files::path whole = files::absolute(path, *error);
  return *error ? whole : files::weakly_canonical(whole, *error);
}

}  // namespace

files::path PathInside(const files::path& folder, const Json& place, const char* option) {
  const std::string named = place.AsString();
  if (OneLine(named) != named) place.Refuse("has control characters");
  std::error_code error;
  const files::path base = Resolve(folder.empty() ? "." : folder, &error);
  const files::path path = error ? base : Resolve(folder / named, &error);
  if (error) place.Refuse(fmt::format("'{}' cannot be found: {}", named, error.message()));
  const files::path within = path.lexically_relative(base);
  if (within.empty() || *within.begin() == "..") {
    place.Refuse(
        fmt::format("'{}' is outside the folder '{}'; {} names another", named, base.string(), option));
  }
  return folder / named;
}

}  // namespace residue::tool
