#include "runtime.h"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

// LeakSanitizer's, where the program is built with it.
extern "C" __attribute__((weak)) void __lsan_disable();
extern "C" __attribute__((weak)) void __lsan_enable();

namespace residue::ort::testing {
namespace {

// More of the table, which only a host needs; version 14 has all of it.
constexpr Slot kCreateEnv{3};
constexpr Slot kCreateCpuMemoryInfo{69};
constexpr uint32_t kHostApiVersion = 14;

void* Find(const char* path, const char* name) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* symbol = library == nullptr ? nullptr : dlsym(library, name);
  if (symbol == nullptr) throw Error(dlerror());
  return symbol;
}

std::string TestedRuntime() {
  const char* path = std::getenv("RESIDUE_ORT_RUNTIME");
  return path != nullptr ? path : RESIDUE_ORT_NEWEST;
}

}  // namespace

WithoutLeakChecks::WithoutLeakChecks(bool runtime_leaks)
    : active_(runtime_leaks && __lsan_disable != nullptr) {
  if (active_) __lsan_disable();
}

WithoutLeakChecks::~WithoutLeakChecks() {
  if (active_) __lsan_enable();
}

const Runtime& Runtime::At(const std::string& path) {
  static auto* mutex = new std::mutex;
  static auto* runtimes = new std::map<std::string, const Runtime*>;
  const std::string chosen = path.empty() ? TestedRuntime() : path;
  const std::lock_guard lock(*mutex);
  const Runtime*& runtime = (*runtimes)[chosen];
  if (runtime == nullptr) {
    // 1.30 sends telemetry from a thread of its own unless it is told not to.
    setenv("ORT_DISABLE_TELEMETRY", "1", 1);
    // It leaves a few bytes behind when it starts. What is leaked later is ours, its objects included.
    const WithoutLeakChecks unchecked(true);
    runtime = new Runtime(chosen);
  }
  return *runtime;
}

Runtime::Runtime(const std::string& path)
    : base_(reinterpret_cast<const ApiBase* (*)()>(Find(path.c_str(), "OrtGetApiBase"))()),
      api_(base_->GetApi(kHostApiVersion)) {
  constexpr int kFatal = 4;
  Check(api_.Call<Status*, int, const char*, Environment**>(kCreateEnv, kFatal, "residue", &environment_));
  Check(api_.Call<Status*, int, int, MemoryInfo**>(kCreateCpuMemoryInfo, 1, 0, &memory_));
}

void Runtime::Check(Status* status) const {
  if (status == nullptr) return;
  const std::string text = api_.Message(status);
  api_.Release(status);
  throw Error(text);
}

RegisterFunction FindEntryPoint(const char* name) {
  return reinterpret_cast<RegisterFunction>(Find(RESIDUE_ORT_LIBRARY, name));
}

}  // namespace residue::ort::testing
