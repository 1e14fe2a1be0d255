// The entry points: what ONNX Runtime calls when somebody registers this library with the options of a
// session.
//
//   RegisterCustomOps    ModulusFloor and ModulusTruncate in the domain "residue"; and, if the environment
//                        variable RESIDUE_ONNXRUNTIME_REPLACE_MOD is 1, the same as the next one
//   RegisterResidueMod   Mod in the standard domain, in place of the built-in kernel, for this session
//
// Options may be given to them any number of times.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api.h"
#include "modulus_op.h"

#define RESIDUE_ORT_EXPORT extern "C" __attribute__((visibility("default")))

namespace residue::ort {
namespace {

using Operators = std::vector<ModulusOp>;

// One for each type.
void AddOperators(FunctionTable table, const char* name, Mode mode, Operators* operators) {
  for (const TypeRow& type : kTypes) operators->push_back(MakeModulusOp(table, name, mode, type));
}

// What one ONNX Runtime was given; sessions keep pointers to it, so it stays for the life of the process.
struct Registration {
  explicit Registration(FunctionTable given) : table(given) {
    AddOperators(table, "ModulusFloor", Mode::kFloor, &own.operators);
    AddOperators(table, "ModulusTruncate", Mode::kTruncate, &own.operators);
    AddOperators(table, "Mod", Mode::kFmodAttribute, &standard.operators);
  }

  struct Part {
    const char* name;
    const char* mark;  // an entry of the options that have it already
    Operators operators = {};
    Domain* domain = nullptr;
  };

  FunctionTable table;
  Part own = {"residue", "residue.operators"};
  Part standard = {"", "residue.mod"};
};

Status* MakeDomain(const Api& api, const Registration::Part& part, Domain** made) {
  Domain* domain = nullptr;
  if (Status* status =
          api.Call<Status*, const char*, Domain**>(Slot::kCreateCustomOpDomain, part.name, &domain)) {
    return status;
  }
  for (const ModulusOp& op : part.operators) {
    if (Status* status = api.Call<Status*, Domain*, const CustomOp*>(Slot::kCustomOpDomainAdd, domain, &op)) {
      api.Call<void, Domain*>(Slot::kReleaseCustomOpDomain, domain);
      return status;
    }
  }
  *made = domain;
  return nullptr;
}

// No session takes the same domain twice.
Status* AddOnce(const Api& api, Registration::Part* part, SessionOptions* options) {
  int marked = 0;
  if (Status* status = api.Call<Status*, const SessionOptions*, const char*, int*>(
          Slot::kHasSessionConfigEntry, options, part->mark, &marked)) {
    return status;
  }
  if (marked != 0) return nullptr;
  if (part->domain == nullptr) {
    if (Status* status = MakeDomain(api, *part, &part->domain)) return status;
  }
  if (Status* status =
          api.Call<Status*, SessionOptions*, Domain*>(Slot::kAddCustomOpDomain, options, part->domain)) {
    return status;
  }
  return api.Call<Status*, SessionOptions*, const char*, const char*>(Slot::kAddSessionConfigEntry, options,
                                                                      part->mark, "1");
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
      if (Status* status = AddOnce(api, &registration.own, options)) return status;
    }
    return replace ? AddOnce(api, &registration.standard, options) : nullptr;
  }

 private:
  Registration& Find(FunctionTable table) {
    for (const auto& known : registrations_) {
      if (known->table == table) return *known;
    }
    return *registrations_.emplace_back(std::make_unique<Registration>(table));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Registration>> registrations_;
};

// Never destroyed: sessions may outlive the end of main.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

Status* Register(SessionOptions* options, const ApiBase* base, bool own, bool replace) noexcept {
  // An ONNX Runtime that is too old for us still has its first version, whose status can say so.
  const FunctionTable first = base == nullptr ? nullptr : base->GetApi(1);
  if (first == nullptr) return nullptr;
  const Api api(first);
  return Guarded(api, [&]() -> Status* {
    const FunctionTable table = base->GetApi(kApiVersion);
    if (table == nullptr) {
      return api.Fail(
          ErrorCode::kNotImplemented,
          std::string("residue needs ONNX Runtime 1.17 or newer, and this is ") + base->GetVersionString());
    }
    if (options == nullptr)
      return api.Fail(ErrorCode::kInvalidArgument, "residue: the session options are null");
    return TheRegistry().Add(table, own, replace, options);
  });
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
