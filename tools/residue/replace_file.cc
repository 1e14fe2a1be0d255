#include "replace_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "console.h"
#include "failure.h"

namespace residue::tool {
namespace {

namespace files = std::filesystem;

// Devices, pipes and what a shell has opened are written to as they are.
bool IsWrittenInPlace(const files::path& path) {
  std::error_code error;
  for (const char* opened : {"/dev/std", "/dev/fd/", "/proc/"}) {
    if (path.string().starts_with(opened)) return true;
  }
  return files::exists(path, error) && !files::is_regular_file(path, error);
}

// The file itself if the path is a link to one.
files::path FollowLinks(const files::path& path) {
  std::error_code error;
  const files::path followed = files::is_symlink(path, error) ? files::canonical(path, error) : path;
  return error ? path : followed;
}

}  // namespace

bool ReplaceFile(const std::string& path, const std::function<void(std::FILE*)>& write) {
  const bool in_place = IsWrittenInPlace(path);
  const files::path target = in_place ? files::path(path) : FollowLinks(path);
  const std::string suffix = in_place ? "" : fmt::format(".{}.partial", getpid());
  const files::path partial = target.string() + suffix;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  // "x": whatever somebody has put there under this name is not written to.
  std::unique_ptr<std::FILE, Close> file(std::fopen(partial.c_str(), in_place ? "wb" : "wbx"));
  if (file == nullptr && IsInterrupted()) return false;
  if (file == nullptr) Fail("'{}' cannot be written", path);
  write(file.get());
  const bool is_error = std::ferror(file.get()) != 0;
  const bool is_written = std::fclose(file.release()) == 0 && !is_error;
  const bool is_whole = !IsInterrupted();
  std::error_code error;
  if (!in_place && is_written && is_whole) {
    // A new file has what the process gives it, another keeps what it had.
    if (const files::file_status old = files::status(target, error); files::exists(old))
      files::permissions(partial, old.permissions(), error);
    files::rename(partial, target, error);
    if (!error) return true;
  }
  std::error_code ignored;
  if (!in_place) files::remove(partial, ignored);
  if (is_whole && (!is_written || error)) Fail("'{}' cannot be written", path);
  return is_whole;
}

}  // namespace residue::tool
