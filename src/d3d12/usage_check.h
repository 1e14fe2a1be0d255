// The debug layer's look at what one ExecuteCommandLists does with buffers: are they in the states that
// commands need, and does a barrier stand between dispatches that depend on one another?
//
// As in Direct3D 12, a buffer is in the common state when the call begins, is promoted by the first command
// that uses it, and keeps its state from then on until a transition.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "d3d12/list_watch.h"

namespace residue {

// All functions may throw bad_alloc.
class UsageCheck {
 public:
  explicit UsageCheck(IHostDevice* device) noexcept : device_(device) {}
  // Who is told of a mistake may change the list, so the log is this object's own.
  void Check(UsageLog log);

 private:
  struct Unordered {
    const BufferUse* use;
    size_t list;
  };
  struct Buffer {
    BufferState state = D3D12_RESOURCE_STATE_COMMON;
    std::vector<Unordered> unordered;  // since the last barrier
  };
  void Check(const BufferUse& use);
  void Check(const BufferBarrier& barrier);
  void Tell(D3D12_MESSAGE_ID id, const std::string& text) noexcept;

  IHostDevice* const device_;
  std::deque<UsageLog> logs_;
  std::map<const UsageRecord*, Buffer> buffers_;
};

}  // namespace residue
