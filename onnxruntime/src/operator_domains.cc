#include "operator_domains.h"

#include <memory>
#include <mutex>
#include <vector>

#include "modulus_op.h"
#include "provider.h"

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
    const char* mark_of_provider;
    Operators operators = {};
    Domain* domain = nullptr;
  };

  FunctionTable table;
  Part own = {"residue", "residue.operators", nullptr};
  Part standard = {"", "residue.mod", kProviderMark};
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

// Makes the domain if there is none yet.
Status* FindDomain(const Api& api, Registration::Part* part) {
  return part->domain != nullptr ? nullptr : MakeDomain(api, *part, &part->domain);
}

Status* IsMarked(const Api& api, const SessionOptions* options, const char* mark, bool* is_marked) {
  int marked = 0;
  Status* status = api.Call<Status*, const SessionOptions*, const char*, int*>(Slot::kHasSessionConfigEntry,
                                                                               options, mark, &marked);
  *is_marked = *is_marked || marked != 0;
  return status;
}

// No session takes the same domain twice.
Status* AddOnce(const Api& api, Registration::Part* part, SessionOptions* options) {
  bool is_marked = false;
  if (Status* status = IsMarked(api, options, part->mark, &is_marked)) return status;
  if (part->mark_of_provider != nullptr) {
    if (Status* status = IsMarked(api, options, part->mark_of_provider, &is_marked)) return status;
  }
  if (is_marked) return nullptr;
  if (Status* status = FindDomain(api, part)) return status;
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
  // Calls use(what this one was given), one call at a time.
  template <class Use>
  Status* With(FunctionTable table, const Use& use) {
    const std::lock_guard lock(mutex_);
    for (const auto& known : registrations_) {
      if (known->table == table) return use(known.get());
    }
    return use(registrations_.emplace_back(std::make_unique<Registration>(table)).get());
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Registration>> registrations_;
};

// Never destroyed: sessions may outlive the end of main.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

Status* AddOwnOperators(const Api& api, SessionOptions* options) {
  return TheRegistry().With(
      api.table(), [&](Registration* registration) { return AddOnce(api, &registration->own, options); });
}

Status* AddStandardMod(const Api& api, SessionOptions* options) {
  return TheRegistry().With(api.table(), [&](Registration* registration) {
    return AddOnce(api, &registration->standard, options);
  });
}

Status* FindStandardMod(const Api& api, Domain** domain) {
  return TheRegistry().With(api.table(), [&](Registration* registration) {
    Status* status = FindDomain(api, &registration->standard);
    *domain = registration->standard.domain;
    return status;
  });
}

}  // namespace residue::ort
