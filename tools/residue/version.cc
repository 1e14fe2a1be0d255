#include "version.h"

#include <fmt/format.h>
#include <hwy/highway.h>
#include <rapidjson/rapidjson.h>
#include <tbb/version.h>
#include <CLI/Version.hpp>

#include <thread>

#include "cpu/rows/target.h"
#include "failure.h"
#include "residue/residue.h"

namespace residue::tool {

std::string VersionText() {
  std::string targets;
  for (const Target target : SupportedTargets()) targets += fmt::format(" {}", TargetName(target));
  return fmt::format(
      "residue {}\n"
      "targets:{}; in use: {}\n"
      "threads: {}\n"
      "Highway {}.{}.{}, oneTBB {}, CLI11 {}, fmt {}.{}.{}, RapidJSON {}",
      residue_version(), targets, TargetName(BestTarget()), std::thread::hardware_concurrency(), HWY_MAJOR,
      HWY_MINOR, HWY_PATCH, TBB_runtime_version(), CLI11_VERSION, FMT_VERSION / 10000,
      FMT_VERSION / 100 % 100, FMT_VERSION % 100, RAPIDJSON_VERSION_STRING);
}

int PrintVersion() {
  fmt::print("{}\n", VersionText());
  return kExitOk;
}

}  // namespace residue::tool
