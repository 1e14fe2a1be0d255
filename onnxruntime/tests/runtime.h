// An ONNX Runtime in this process: its shared library, its functions, and what a program makes of it once.
#pragma once

#include <stdexcept>
#include <string>

#include "abi.h"
#include "api.h"

namespace residue::ort::testing {

// An error of ONNX Runtime's, with its text.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// While it lives, LeakSanitizer takes no note of what this thread allocates: for leaks of ONNX Runtime's own.
class WithoutLeakChecks {
 public:
  explicit WithoutLeakChecks(bool runtime_leaks);
  ~WithoutLeakChecks();
  WithoutLeakChecks(const WithoutLeakChecks&) = delete;
  WithoutLeakChecks& operator=(const WithoutLeakChecks&) = delete;

 private:
  const bool active_;
};

struct Environment;  // OrtEnv
struct MemoryInfo;   // OrtMemoryInfo

// The entry points of our library.
using RegisterFunction = Status* (*)(SessionOptions*, const ApiBase*);

// Stays until the program ends.
class Runtime {
 public:
  // One for each path. An empty path stands for the environment variable RESIDUE_ORT_RUNTIME, or for the
  // newest of the runtimes if that is not set.
  static const Runtime& At(const std::string& path);

  const Api& api() const { return api_; }
  const ApiBase* base() const { return base_; }
  const Environment* environment() const { return environment_; }
  const MemoryInfo* memory() const { return memory_; }
  std::string version() const { return base_->GetVersionString(); }
  // 1.17 does not release what a kernel says when it fails; the newest does.
  bool leaks_kernel_errors() const { return version() == "1.17.0"; }

  // Throws what a function says if it fails.
  void Check(Status* status) const;

 private:
  explicit Runtime(const std::string& path);

  const ApiBase* base_;
  Api api_;
  Environment* environment_ = nullptr;
  MemoryInfo* memory_ = nullptr;
};

// An entry point of libresidue_onnxruntime.
RegisterFunction FindEntryPoint(const char* name);

}  // namespace residue::ort::testing
