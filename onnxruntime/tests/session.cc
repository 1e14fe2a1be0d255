#include "session.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <span>

#include "provider_abi.h"

namespace residue::ort::testing {
namespace {

struct RawSession;  // OrtSession
struct RunOptions;  // OrtRunOptions

// More of the table, which only a host needs.
constexpr Slot kCreateSessionFromArray{8};
constexpr Slot kRun{9};
constexpr Slot kCreateSessionOptions{10};
constexpr Slot kSetOptimizedModelFilePath{11};
constexpr Slot kSetSessionLogSeverityLevel{22};
constexpr Slot kSetSessionGraphOptimizationLevel{23};
constexpr Slot kSetIntraOpNumThreads{24};
constexpr Slot kSetInterOpNumThreads{25};
constexpr Slot kCreateTensorWithDataAsOrtValue{49};
constexpr Slot kReleaseSession{95};
constexpr Slot kReleaseValue{96};
constexpr Slot kReleaseSessionOptions{100};
constexpr Slot kRegisterCustomOpsLibraryV2{228};

constexpr Slot kRegisterExecutionProviderLibrary{301};
constexpr Slot kUnregisterExecutionProviderLibrary{302};
constexpr Slot kGetEpDevices{303};
constexpr Slot kSessionOptionsAppendExecutionProviderV2{304};
constexpr Slot kEpDeviceEpName{312};

std::string& ProviderLibrary() {
  static auto* path = new std::string(RESIDUE_ORT_LIBRARY);
  return *path;
}

// Environments that have the provider.
std::set<const Environment*>& Registered() {
  static auto* registered = new std::set<const Environment*>;
  return *registered;
}

// The devices of our provider, which is registered with an environment once.
std::vector<const EpDevice*> FindProvider(const Runtime& runtime, const Api& api) {
  if (!Registered().contains(runtime.environment())) {
    runtime.Check(api.Call<Status*, const Environment*, const char*, const char*>(
        kRegisterExecutionProviderLibrary, runtime.environment(), "residue", ProviderLibrary().c_str()));
    Registered().insert(runtime.environment());
  }
  const EpDevice* const* devices = nullptr;
  size_t count = 0;
  runtime.Check(api.Call<Status*, const Environment*, const EpDevice* const**, size_t*>(
      kGetEpDevices, runtime.environment(), &devices, &count));
  std::vector<const EpDevice*> ours;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = api.Call<const char*, const EpDevice*>(kEpDeviceEpName, devices[i]);
    if (name == "ResidueExecutionProvider") ours.push_back(devices[i]);
  }
  return ours;
}

void AppendProvider(const Runtime& runtime, const Session::Settings& settings, SessionOptions* options) {
  const FunctionTable table = runtime.base()->GetApi(kProviderApiVersion);
  if (table == nullptr) throw Error("this ONNX Runtime has no providers of others");
  const Api api(table);
  const std::vector<const EpDevice*> devices = FindProvider(runtime, api);
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : settings.provider_options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  runtime.Check(api.Call<Status*, SessionOptions*, const Environment*, const EpDevice* const*, size_t,
                         const char* const*, const char* const*, size_t>(
      kSessionOptionsAppendExecutionProviderV2, options, runtime.environment(), devices.data(),
      devices.size(), keys.data(), values.data(), keys.size()));
}

SessionOptions* MakeOptions(const Runtime& runtime, const Session::Settings& settings) {
  const Api& api = runtime.api();
  SessionOptions* options = nullptr;
  runtime.Check(api.Call<Status*, SessionOptions**>(kCreateSessionOptions, &options));
  try {
    runtime.Check(api.Call<Status*, SessionOptions*, int>(kSetIntraOpNumThreads, options, settings.threads));
    runtime.Check(api.Call<Status*, SessionOptions*, int>(kSetInterOpNumThreads, options, 1));
    runtime.Check(api.Call<Status*, SessionOptions*, int>(kSetSessionGraphOptimizationLevel, options,
                                                          settings.optimization));
    runtime.Check(
        api.Call<Status*, SessionOptions*, int>(kSetSessionLogSeverityLevel, options, settings.log_severity));
    if (!settings.optimized_model.empty()) {
      runtime.Check(api.Call<Status*, SessionOptions*, const char*>(kSetOptimizedModelFilePath, options,
                                                                    settings.optimized_model.c_str()));
    }
    for (const auto& [key, value] : settings.entries) {
      runtime.Check(api.Call<Status*, SessionOptions*, const char*, const char*>(
          Slot::kAddSessionConfigEntry, options, key.c_str(), value.c_str()));
    }
    if (settings.use == Use::kProvider || settings.use == Use::kBoth)
      AppendProvider(runtime, settings, options);
    for (int i = 0; i < settings.registrations; ++i) {
      if (settings.use == Use::kLibrary || settings.use == Use::kReplaced) {
        runtime.Check(api.Call<Status*, SessionOptions*, const char*>(kRegisterCustomOpsLibraryV2, options,
                                                                      RESIDUE_ORT_LIBRARY));
      }
      if (settings.use == Use::kReplaced || settings.use == Use::kBoth) {
        const ApiBase* base = settings.base != nullptr ? settings.base : runtime.base();
        runtime.Check(FindEntryPoint("RegisterResidueMod")(options, base));
      }
    }
  } catch (...) {
    api.Call<void, SessionOptions*>(kReleaseSessionOptions, options);
    throw;
  }
  return options;
}

}  // namespace

void UseProviderLibrary(const std::string& path) {
  const Runtime& runtime = Runtime::At("");
  const Api api(runtime.base()->GetApi(kProviderApiVersion));
  ProviderLibrary() = path;
  if (Registered().erase(runtime.environment()) != 0) {
    runtime.Check(api.Call<Status*, const Environment*, const char*>(kUnregisterExecutionProviderLibrary,
                                                                     runtime.environment(), "residue"));
  }
  FindProvider(runtime, api);
}

size_t SizeOf(ElementType type) {
  switch (type) {
    case ElementType::kBool:
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
  const Runtime& runtime;
  RawSession* session;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;

  // The values of a run, released whatever happens.
  struct Values {
    const Runtime& runtime;
    std::vector<Value*> values = {};
    ~Values() {
      for (Value* value : values) {
        if (value != nullptr) runtime.api().Call<void, Value*>(kReleaseValue, value);
      }
    }
  };

  // Their memory is the tensors'.
  Values Wrap(std::span<const Tensor> tensors) const {
    Values wrapped = {runtime};
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

  // Values that are not given are made.
  void Run(const Values& given, Values* results) const {
    const auto pointers = [](const std::vector<std::string>& names) {
      std::vector<const char*> found;
      for (const std::string& name : names) found.push_back(name.c_str());
      return found;
    };
    const std::vector<const char*> input_names = pointers(inputs);
    const std::vector<const char*> output_names = pointers(outputs);
    results->values.resize(outputs.size(), nullptr);
    runtime.Check(runtime.api()
                      .Call<Status*, RawSession*, const RunOptions*, const char* const*, const Value* const*,
                            size_t, const char* const*, size_t, Value**>(
                          kRun, session, nullptr, input_names.data(), given.values.data(),
                          given.values.size(), output_names.data(), output_names.size(),
                          results->values.data()));
  }
};

Session::Session(const SavedModel& model, const Settings& settings)
    : objects_(new Objects{Runtime::At(settings.runtime), nullptr, model.inputs, model.outputs}) {
  const Runtime& runtime = objects_->runtime;
  SessionOptions* options = MakeOptions(runtime, settings);
  Status* status =
      runtime.api()
          .Call<Status*, const Environment*, const void*, size_t, const SessionOptions*, RawSession**>(
              kCreateSessionFromArray, runtime.environment(), model.bytes.data(), model.bytes.size(), options,
              &objects_->session);
  runtime.api().Call<void, SessionOptions*>(kReleaseSessionOptions, options);
  runtime.Check(status);
}

Session::~Session() {
  if (objects_->session != nullptr)
    objects_->runtime.api().Call<void, RawSession*>(kReleaseSession, objects_->session);
}

std::vector<Tensor> Session::Run(const std::vector<Tensor>& inputs) const {
  const Runtime& runtime = objects_->runtime;
  const Api& api = runtime.api();
  Objects::Values results = {runtime};
  objects_->Run(objects_->Wrap(inputs), &results);
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

Tensor Session::RunInPlace(const std::vector<Tensor>& inputs, size_t in_place) const {
  std::vector<Tensor> tensors = inputs;
  Objects::Values results = objects_->Wrap({&tensors[in_place], 1});
  objects_->Run(objects_->Wrap(tensors), &results);
  return tensors[in_place];
}

double Session::Time(const std::vector<Tensor>& inputs, int repetitions) const {
  const Objects::Values given = objects_->Wrap(inputs);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    Objects::Values results = {objects_->runtime};
    objects_->Run(given, &results);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

}  // namespace residue::ort::testing
