#include "host.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <limits>

// LeakSanitizer's, where the program is built with it.
extern "C" __attribute__((weak)) void __lsan_disable();
extern "C" __attribute__((weak)) void __lsan_enable();

namespace residue::ort::testing {
namespace {

struct Environment;  // OrtEnv
struct RawSession;   // OrtSession
struct RunOptions;   // OrtRunOptions
struct MemoryInfo;   // OrtMemoryInfo

// More of the table, which only a host needs.
constexpr Slot kGetErrorMessage{2};
constexpr Slot kCreateEnv{3};
constexpr Slot kCreateSessionFromArray{8};
constexpr Slot kRun{9};
constexpr Slot kCreateSessionOptions{10};
constexpr Slot kSetIntraOpNumThreads{24};
constexpr Slot kSetInterOpNumThreads{25};
constexpr Slot kCreateTensorWithDataAsOrtValue{49};
constexpr Slot kCreateCpuMemoryInfo{69};
constexpr Slot kReleaseSession{95};
constexpr Slot kReleaseValue{96};
constexpr Slot kReleaseSessionOptions{100};
constexpr Slot kRegisterCustomOpsLibraryV2{228};

using RegisterFunction = Status* (*)(SessionOptions*, const ApiBase*);

void* Open(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(dlerror());
  return library;
}

template <class Function>
Function Find(void* library, const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) throw Error(dlerror());
  return reinterpret_cast<Function>(symbol);
}

// One ONNX Runtime for the whole program.
class Runtime {
 public:
  static const Runtime& The() {
    static const Runtime* runtime = Make();
    return *runtime;
  }

  const Api& api() const { return api_; }
  const ApiBase* base() const { return base_; }
  Environment* environment() const { return environment_; }
  MemoryInfo* memory() const { return memory_; }
  void* library() const { return library_; }

  void Check(Status* status) const {
    if (status == nullptr) return;
    const std::string text = api_.Call<const char*, const Status*>(kGetErrorMessage, status);
    api_.Release(status);
    throw Error(text);
  }

 private:
  // ONNX Runtime leaves a few bytes behind when it starts. What is leaked later is ours, its objects
  // included.
  static const Runtime* Make() {
    if (__lsan_disable != nullptr) __lsan_disable();
    const auto* runtime = new Runtime;
    if (__lsan_enable != nullptr) __lsan_enable();
    return runtime;
  }

  Runtime()
      : base_(Find<const ApiBase* (*)()>(Open(RESIDUE_ORT_RUNTIME), "OrtGetApiBase")()),
        api_(base_->GetApi(kApiVersion)),
        library_(Open(RESIDUE_ORT_LIBRARY)) {
    constexpr int kFatal = 4;
    Check(api_.Call<Status*, int, const char*, Environment**>(kCreateEnv, kFatal, "residue", &environment_));
    Check(api_.Call<Status*, int, int, MemoryInfo**>(kCreateCpuMemoryInfo, 1, 0, &memory_));
  }

  const ApiBase* base_;
  Api api_;
  void* library_;
  Environment* environment_ = nullptr;
  MemoryInfo* memory_ = nullptr;
};

SessionOptions* MakeOptions(const Runtime& runtime, const Session::Settings& settings) {
  const Api& api = runtime.api();
  SessionOptions* options = nullptr;
  runtime.Check(api.Call<Status*, SessionOptions**>(kCreateSessionOptions, &options));
  try {
    runtime.Check(api.Call<Status*, SessionOptions*, int>(kSetIntraOpNumThreads, options, settings.threads));
    runtime.Check(api.Call<Status*, SessionOptions*, int>(kSetInterOpNumThreads, options, 1));
    if (settings.use != Use::kBuiltIn) {
      runtime.Check(api.Call<Status*, SessionOptions*, const char*>(kRegisterCustomOpsLibraryV2, options,
                                                                    RESIDUE_ORT_LIBRARY));
    }
    if (settings.use == Use::kReplaced) {
      runtime.Check(Find<RegisterFunction>(runtime.library(), "RegisterResidueMod")(options, runtime.base()));
    }
  } catch (...) {
    api.Call<void, SessionOptions*>(kReleaseSessionOptions, options);
    throw;
  }
  return options;
}

}  // namespace

size_t SizeOf(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
    case ElementType::kUint8:
      return 1;
    case ElementType::kInt16:
    case ElementType::kUint16:
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return 2;
    case ElementType::kInt32:
    case ElementType::kUint32:
    case ElementType::kFloat:
      return 4;
    case ElementType::kInt64:
    case ElementType::kUint64:
    case ElementType::kDouble:
      return 8;
    case ElementType::kUndefined:
      break;
  }
  throw Error("no element type");
}

struct Session::Objects {
  RawSession* session = nullptr;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;

  // The values of a run, released whatever happens.
  struct Values {
    std::vector<Value*> values;
    ~Values() {
      for (Value* value : values) {
        if (value != nullptr) Runtime::The().api().Call<void, Value*>(kReleaseValue, value);
      }
    }
  };

  Values Wrap(const std::vector<Tensor>& tensors) const {
    const Runtime& runtime = Runtime::The();
    Values wrapped;
    for (const Tensor& tensor : tensors) {
      Value* value = nullptr;
      runtime.Check(
          runtime.api()
              .Call<Status*, const MemoryInfo*, void*, size_t, const int64_t*, size_t, ElementType, Value**>(
                  kCreateTensorWithDataAsOrtValue, runtime.memory(), const_cast<char*>(tensor.bytes.data()),
                  tensor.bytes.size(), tensor.shape.data(), tensor.shape.size(), tensor.type, &value));
      wrapped.values.push_back(value);
    }
    return wrapped;
  }

  Values Run(const Values& given) const {
    const Runtime& runtime = Runtime::The();
    const auto pointers = [](const std::vector<std::string>& names) {
      std::vector<const char*> found;
      for (const std::string& name : names) found.push_back(name.c_str());
      return found;
    };
    const std::vector<const char*> input_names = pointers(inputs);
    const std::vector<const char*> output_names = pointers(outputs);
    Values results;
    results.values.assign(outputs.size(), nullptr);
    runtime.Check(runtime.api()
                      .Call<Status*, RawSession*, const RunOptions*, const char* const*, const Value* const*,
                            size_t, const char* const*, size_t, Value**>(
                          kRun, session, nullptr, input_names.data(), given.values.data(),
                          given.values.size(), output_names.data(), output_names.size(),
                          results.values.data()));
    return results;
  }
};

Session::Session(const Model& model, Settings settings) : objects_(std::make_unique<Objects>()) {
  const Runtime& runtime = Runtime::The();
  for (const TensorSpec& tensor : model.inputs) objects_->inputs.push_back(tensor.name);
  for (const TensorSpec& tensor : model.outputs) objects_->outputs.push_back(tensor.name);
  const std::string bytes = model.Serialize();
  SessionOptions* options = MakeOptions(runtime, settings);
  Status* status =
      runtime.api()
          .Call<Status*, const Environment*, const void*, size_t, const SessionOptions*, RawSession**>(
              kCreateSessionFromArray, runtime.environment(), bytes.data(), bytes.size(), options,
              &objects_->session);
  runtime.api().Call<void, SessionOptions*>(kReleaseSessionOptions, options);
  runtime.Check(status);
}

Session::~Session() {
  if (objects_->session != nullptr)
    Runtime::The().api().Call<void, RawSession*>(kReleaseSession, objects_->session);
}

std::vector<Tensor> Session::Run(const std::vector<Tensor>& inputs) const {
  const Runtime& runtime = Runtime::The();
  const Api& api = runtime.api();
  const Objects::Values results = objects_->Run(objects_->Wrap(inputs));
  std::vector<Tensor> tensors;
  for (Value* value : results.values) {
    ShapeInfo* info = nullptr;
    runtime.Check(api.Call<Status*, const Value*, ShapeInfo**>(Slot::kGetTensorTypeAndShape, value, &info));
    const OwnedShapeInfo owned(info, Releaser{api});
    TensorShape shape;
    runtime.Check(ReadShape(api, info, &shape));
    size_t size = SizeOf(shape.type);
    for (const int64_t dimension : shape.dimensions) size *= static_cast<size_t>(dimension);
    void* data = nullptr;
    runtime.Check(api.Call<Status*, Value*, void**>(Slot::kGetTensorMutableData, value, &data));
    tensors.push_back(
        {shape.type, shape.dimensions, size == 0 ? "" : std::string(static_cast<char*>(data), size)});
  }
  return tensors;
}

double Session::Time(const std::vector<Tensor>& inputs, int repetitions) const {
  const Objects::Values given = objects_->Wrap(inputs);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Objects::Values results = objects_->Run(given);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

std::string RuntimeVersion() { return Runtime::The().base()->GetVersionString(); }

std::string RegisterWithOldRuntime() {
  const Runtime& runtime = Runtime::The();
  static FunctionTable real = nullptr;
  real = runtime.base()->GetApi(kApiVersion);
  const ApiBase old = {[](uint32_t version) { return version <= 1 ? real : nullptr; },
                       []() -> const char* { return "1.0.0"; }};
  try {
    runtime.Check(Find<RegisterFunction>(runtime.library(), "RegisterCustomOps")(nullptr, &old));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace residue::ort::testing
