#include "d3d12/fork.h"

#include <pthread.h>

#include <mutex>

namespace residue {
namespace {

struct Registry {
  std::mutex mutex;
  ForkRegistration* first[2] = {};  // by ForkOrder
};

// Never destroyed: a process may fork while it ends.
union Immortal {
  Immortal() noexcept : registry() {}
  ~Immortal() {}
  Registry registry;
};

Registry& TheRegistry() noexcept {
  static Immortal immortal;
  return immortal.registry;
}

template <class Call>
void ForEachObject(Call call) noexcept {
  for (const ForkRegistration* registration : TheRegistry().first) {
    for (; registration != nullptr; registration = registration->next()) call(*registration->object());
  }
}

void BeforeFork() noexcept {
  TheRegistry().mutex.lock();
  ForEachObject([](IForkAware& object) { object.BeforeFork(); });
}

void AfterFork(bool in_child) noexcept {
  ForEachObject([in_child](IForkAware& object) { object.AfterFork(in_child); });
  TheRegistry().mutex.unlock();
}

}  // namespace

ForkRegistration::ForkRegistration(IForkAware* object, ForkOrder order) noexcept : object_(object) {
  static const int watching = pthread_atfork(
      BeforeFork, [] { AfterFork(false); }, [] { AfterFork(true); });
  (void)watching;
  Registry& registry = TheRegistry();
  const std::scoped_lock lock(registry.mutex);
  link_ = &registry.first[static_cast<size_t>(order)];
  next_ = *link_;
  if (next_ != nullptr) next_->link_ = &next_;
  *link_ = this;
}

ForkRegistration::~ForkRegistration() {
  const std::scoped_lock lock(TheRegistry().mutex);
  *link_ = next_;
  if (next_ != nullptr) next_->link_ = link_;
}

}  // namespace residue
