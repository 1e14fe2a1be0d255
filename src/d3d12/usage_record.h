// What the debug layer knows of a buffer or an allocator, whoever still holds the object itself: a name for
// messages, and whether work that uses it may still be running.
#pragma once

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

#include <residue_d3d12.h>
#include "com/com_object.h"

namespace residue {

class UsageRecord final : public ComObject<IUnknown> {
 public:
  UsageRecord(const char* kind, D3D12_HEAP_TYPE heap_type) noexcept : kind_(kind), heap_type_(heap_type) {}

  // Direct3D 12 fixes the state of what is in other heaps.
  bool HasStates() const noexcept {
    return heap_type_ == D3D12_HEAP_TYPE_DEFAULT || heap_type_ == D3D12_HEAP_TYPE_CUSTOM;
  }
  bool IsInFlight() const noexcept { return in_flight_.load() > 0; }

  void SetName(const WCHAR* name) noexcept {
    const std::scoped_lock lock(mutex_);
    size_t length = 0;
    for (; name != nullptr && name[length] != 0 && length + 1 < sizeof(name_); ++length) {
      name_[length] = name[length] > 0 && name[length] < 128 ? static_cast<char>(name[length]) : '?';
    }
    name_[length] = 0;
  }

  // As messages name it. May throw bad_alloc.
  std::string Name() const {
    const std::scoped_lock lock(mutex_);
    if (name_[0] != 0) return std::string(kind_) + " '" + name_ + "'";
    char text[48];
    std::snprintf(text, sizeof(text), "%s %p", kind_, static_cast<const void*>(this));
    return text;
  }

 private:
  friend class FlightToken;
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }

  const char* const kind_;
  const D3D12_HEAP_TYPE heap_type_;
  std::atomic<int64_t> in_flight_{0};
  mutable std::mutex mutex_;
  char name_[40] = {};
};

// As long as it lives, work may use the object.
class FlightToken {
 public:
  explicit FlightToken(Ref<UsageRecord> record) noexcept : record_(std::move(record)) {
    ++record_->in_flight_;
  }
  FlightToken(FlightToken&& other) noexcept = default;
  FlightToken& operator=(FlightToken&&) = delete;
  ~FlightToken() {
    if (record_) --record_->in_flight_;
  }

 private:
  Ref<UsageRecord> record_;
};

}  // namespace residue
