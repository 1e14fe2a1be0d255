// A program that uses ONNX Runtime, as a user's would: loads it, registers the library, makes sessions and
// runs them.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "abi.h"
#include "api.h"
#include "model.h"

namespace residue::ort::testing {

// An error of ONNX Runtime's, with its text.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How a session gets our operators.
enum class Use {
  kBuiltIn,   // not at all
  kLibrary,   // the library by its path: our own domain
  kReplaced,  // the second entry point too: the standard Mod
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

class Session {
 public:
  struct Settings {
    Use use = Use::kReplaced;
    int threads = 1;
  };

  Session(const Model& model, Settings settings);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // All outputs, for all inputs in the model's order.
  std::vector<Tensor> Run(const std::vector<Tensor>& inputs) const;

  // Seconds of the fastest of several runs, without copies of ours.
  double Time(const std::vector<Tensor>& inputs, int repetitions) const;

 private:
  struct Objects;
  std::unique_ptr<Objects> objects_;
};

// "1.30.0"
std::string RuntimeVersion();

// What the library says to a base that has no version of the interface newer than the first.
std::string RegisterWithOldRuntime();

}  // namespace residue::ort::testing
