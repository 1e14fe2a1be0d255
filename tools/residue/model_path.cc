#include "model_path.h"

#include <fmt/format.h>

#include <optional>
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

// An empty folder is the current one.
files::path ResolveFolder(const files::path& folder, std::error_code* error) {
  return Resolve(folder.empty() ? "." : folder, error);
}

}  // namespace

files::path PathInside(std::initializer_list<files::path> folders, const Json& place, const char* option) {
  const std::string named = place.AsString();
  if (OneLine(named) != named) place.Refuse("has control characters");
  std::error_code error;
  std::optional<files::path> found;
  for (const files::path& from : folders) {
    const files::path path = Resolve(from / named, &error);
    bool is_inside = false;
    for (const files::path& folder : folders) {
      const files::path base = error ? path : ResolveFolder(folder, &error);
      const files::path within = path.lexically_relative(base);
      is_inside = is_inside || (!within.empty() && *within.begin() != "..");
    }
    if (error) place.Refuse(fmt::format("'{}' cannot be found: {}", named, error.message()));
    if (!is_inside) continue;
    found = from / named;
    std::error_code ignored;
    if (files::is_regular_file(*found, ignored)) break;
  }
  if (!found) {
    const std::string first = ResolveFolder(*folders.begin(), &error).string();
    place.Refuse(fmt::format("'{}' is outside the folder '{}'; {} names another", named, first, option));
  }
  return *found;
}

}  // namespace residue::tool
