// What must be put in order when the process forks: a child has the memory of its parent, but none of its
// threads.
#pragma once

#include <cstdint>

namespace residue {

class IForkAware {
 public:
  // Takes every lock, so that no other thread is half done with what the child gets a copy of.
  virtual void BeforeFork() noexcept = 0;
  // Releases them, in the parent and in the child, where other threads are gone for good.
  virtual void AfterFork(bool in_child) noexcept = 0;

 protected:
  ~IForkAware() = default;
};

// Locks are taken in this order everywhere.
enum class ForkOrder : uint8_t { kQueue, kFence };

// As long as it lives, the object is told. The last member of its class: it must go first.
class ForkRegistration {
 public:
  ForkRegistration(IForkAware* object, ForkOrder order) noexcept;
  ForkRegistration(const ForkRegistration&) = delete;
  ForkRegistration& operator=(const ForkRegistration&) = delete;
  ~ForkRegistration();

  IForkAware* object() const noexcept { return object_; }
  ForkRegistration* next() const noexcept { return next_; }

 private:
  IForkAware* const object_;
  // Of the same order. A program may have very many fences, and each goes in one step.
  ForkRegistration* next_ = nullptr;
  ForkRegistration** link_ = nullptr;  // what points here
};

}  // namespace residue
