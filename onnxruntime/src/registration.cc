// The entry points: what ONNX Runtime calls when somebody registers this library with the options of a
// session.
//
//   RegisterCustomOps      ModulusFloor and ModulusTruncate in the domain "residue"; and, if the environment
//   variable
//                          RESIDUE_ONNXRUNTIME_REPLACE_MOD is 1, the same as the next one
//   RegisterResidueMod     Mod in the standard domain, in place of the built-in kernel, for this session
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "api.h"
#include "modulus_op.h"

#define RESIDUE_ORT_EXPORT extern "C" __attribute__((visibility("default")))

namespace residue::ort {
namespace {

constexpr char kOwnDomain[] = "residue";
constexpr char kStandardDomain[] = "";

// What one ONNX Runtime was given; sessions keep pointers to it, so it stays for the life of the process.
struct Registration {
  explicit Registration(FunctionTable given)
      : table(given),
        floor(MakeModulusOp(given, "ModulusFloor", Mode::kFloor)),
        truncate(MakeModulusOp(given, "ModulusTruncate", Mode::kTruncate)),
        mod(MakeModulusOp(given, "Mod", Mode::kFmodAttribute)) {}

  FunctionTable table;
  ModulusOp floor;
  ModulusOp truncate;
  ModulusOp mod;
  Domain* own = nullptr;
  Domain* standard = nullptr;
};

Status* MakeDomain(const Api& api, const char* name, std::initializer_list<const CustomOp*> ops,
                   Domain** made) {
  Domain* domain = nullptr;
  if (Status* status = api.Call<Status*, const char*, Domain**>(Slot::kCreateCustomOpDomain, name, &domain))
    return status;
  for (const CustomOp* op : ops) {
    if (Status* status = api.Call<Status*, Domain*, const CustomOp*>(Slot::kCustomOpDomainAdd, domain, op)) {
      api.Call<void, Domain*>(Slot::kReleaseCustomOpDomain, domain);
      return status;
    }
  }
  *made = domain;
  return nullptr;
}

// One process may hold several copies of ONNX Runtime.
class Registry {
 public:
  // May throw std::bad_alloc.
  Status* Add(FunctionTable table, bool own, bool replace, SessionOptions* options) {
    const std::lock_guard lock(mutex_);
    const Api api(table);
    Registration& registration = Find(table);
    if (own) {
      if (Status* status = AddDomain(api, kOwnDomain, {&registration.floor, &registration.truncate},
                                     &registration.own, options)) {
        return status;
      }
    }
    return replace ? AddDomain(api, kStandardDomain, {&registration.mod}, &registration.standard, options)
                   : nullptr;
  }

 private:
  Registration& Find(FunctionTable table) {
    for (const auto& known : registrations_) {
      if (known->table == table) return *known;
    }
    return *registrations_.emplace_back(std::make_unique<Registration>(table));
  }

  static Status* AddDomain(const Api& api, const char* name, std::initializer_list<const CustomOp*> ops,
                           Domain** domain, SessionOptions* options) {
    if (*domain == nullptr) {
      if (Status* status = MakeDomain(api, name, ops, domain)) return status;
    }
    return api.Call<Status*, SessionOptions*, Domain*>(Slot::kAddCustomOpDomain, options, *domain);
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Registration>> registrations_;
};

// Never destroyed: sessions may outlive the end of main.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

// ONNX Runtime answers a version it does not have with null; an error is made by the oldest version there is.
Status* RefuseOld(const ApiBase* base) {
  const FunctionTable oldest = base->GetApi(1);
  if (oldest == nullptr) return nullptr;
  return Api(oldest).Fail(
      ErrorCode::kNotImplemented,
      std::string("residue needs ONNX Runtime 1.17 or newer, and this is ") + base->GetVersionString());
}

Status* Register(SessionOptions* options, const ApiBase* base, bool own, bool replace) noexcept {
  if (base == nullptr) return nullptr;
  const FunctionTable table = base->GetApi(kApiVersion);
  try {
    if (table == nullptr) return RefuseOld(base);
    return TheRegistry().Add(table, own, replace, options);
  } catch (const std::bad_alloc&) {
    return table == nullptr ? nullptr : Api(table).Fail(ErrorCode::kFail, "residue: out of memory");
  }
}

bool IsAskedToReplace() noexcept {
  const char* value = std::getenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace
}  // namespace residue::ort

RESIDUE_ORT_EXPORT residue::ort::Status* RegisterCustomOps(residue::ort::SessionOptions* options,
                                                           const residue::ort::ApiBase* base) noexcept {
  return residue::ort::Register(options, base, true, residue::ort::IsAskedToReplace());
}

RESIDUE_ORT_EXPORT residue::ort::Status* RegisterResidueMod(residue::ort::SessionOptions* options,
                                                            const residue::ort::ApiBase* base) noexcept {
  return residue::ort::Register(options, base, false, true);
}
