#include "d3d12/fork.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace residue {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<IForkAware*> objects[2];  // by ForkOrder

  std::vector<IForkAware*>& Of(ForkOrder order) noexcept { return objects[static_cast<size_t>(order)]; }
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

void BeforeFork() noexcept {
  TheRegistry().mutex.lock();
  for (const auto& objects : TheRegistry().objects) {
    for (IForkAware* object : objects) object->BeforeFork();
  }
}

void AfterFork(bool in_child) noexcept {
  for (const auto& objects : TheRegistry().objects) {
    for (IForkAware* object : objects) object->AfterFork(in_child);
  }
  TheRegistry().mutex.unlock();
}

}  // namespace

ForkRegistration::ForkRegistration(IForkAware* object, ForkOrder order) : object_(object), order_(order) {
  static const int watching = pthread_atfork(
      BeforeFork, [] { AfterFork(false); }, [] { AfterFork(true); });
  (void)watching;
  Registry& registry = TheRegistry();
  const std::scoped_lock lock(registry.mutex);
  registry.Of(order).push_back(object);
}

ForkRegistration::~ForkRegistration() {
  Registry& registry = TheRegistry();
  const std::scoped_lock lock(registry.mutex);
  std::erase(registry.Of(order_), object_);
}

}  // namespace residue
