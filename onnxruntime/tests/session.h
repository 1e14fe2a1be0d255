// A session as a user's program has it: options with or without our library, a model, tensors in and out.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model.h"
#include "runtime.h"

namespace residue::ort::testing {

// How a session gets our operators.
enum class Use {
  kBuiltIn,   // not at all
  kLibrary,   // the library by its path: our own domain
  kReplaced,  // the second entry point too: the standard Mod
  kProvider,  // as an execution provider, which needs ONNX Runtime 1.23
  kBoth,      // as a provider, and then replaced
};

struct Tensor {
  ElementType type;
  std::vector<int64_t> shape;
  std::string bytes;

  template <class T>
  static Tensor Of(ElementType type, std::vector<int64_t> shape, const std::vector<T>& values) {
    return {type, std::move(shape),
            std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
  }
  template <class T>
  std::vector<T> Values() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

size_t SizeOf(ElementType type);

// From now on sessions have the provider of this library, registered anew; it is ours at first. Throws what
// ONNX Runtime says if it cannot be registered; the next session tries again.
void UseProviderLibrary(const std::string& path);

class Session {
 public:
  struct Settings {
    Use use = Use::kReplaced;
    int threads = 1;
    std::string runtime = "";  // see Runtime::At
    int registrations = 1;
    int optimization = 99;  // ONNX Runtime's level: 0 none, 1, 2 and 99 more and more
    std::vector<std::pair<std::string, std::string>> entries = {};  // of its configuration
    const ApiBase* base = nullptr;  // what the second entry point gets, if not the runtime's own
    std::vector<std::pair<std::string, std::string>> provider_options = {};
    std::string optimized_model =
        "";                // where ONNX Runtime is to write what it made of the model, if anywhere
    int log_severity = 4;  // what ONNX Runtime prints: 4 for nothing, 2 for warnings
  };

  Session(const SavedModel& model, const Settings& settings);
  Session(const Model& model, const Settings& settings) : Session(model.Save(), settings) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // All outputs, for all inputs in the model's order.
  std::vector<Tensor> Run(const std::vector<Tensor>& inputs) const;

  // The same with the memory of one input as the memory of the one output.
  Tensor RunInPlace(const std::vector<Tensor>& inputs, size_t in_place) const;

  // Seconds of the fastest of several runs, without copies of ours.
  double Time(const std::vector<Tensor>& inputs, int repetitions) const;

 private:
  struct Objects;
  std::unique_ptr<Objects> objects_;
};

}  // namespace residue::ort::testing
