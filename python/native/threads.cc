#include "threads.h"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

namespace residue::python {
namespace {

// The process's number.
constexpr int64_t kInherit = -1;

// What the blocks of ordinary functions give a thread. The thread and its blocks share it: a block may be
// left on another thread, and after its own has ended. (std::shared_ptr would add names to those the module
// exports.)
struct OwnThreads {
  std::atomic<int64_t> count{kInherit};
  std::atomic<uint32_t> users{1};
};

void Release(OwnThreads* own) noexcept {
  if (own->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete own;
}

struct OwnThreadsHolder {
  ~OwnThreadsHolder() {
    if (own != nullptr) Release(own);
  }
  OwnThreads* own = nullptr;
};

struct Block {
  PyObject* object;  // a reference
  PyObject* frame;   // a reference if it suspends; otherwise only to compare, because it may have returned
  OwnThreads* own;   // shared
  uint32_t count;
  bool suspends;
};

std::atomic<uint32_t> process_threads{1};
std::atomic<uint32_t> suspending_blocks{0};
thread_local OwnThreadsHolder this_thread;

#ifdef Py_GIL_DISABLED
// What the GIL does elsewhere. Looking at frames may collect garbage, which may leave blocks.
std::recursive_mutex open_blocks_mutex;
#define RESIDUE_GUARD_BLOCKS const std::lock_guard<std::recursive_mutex> guard(open_blocks_mutex)
#else
#define RESIDUE_GUARD_BLOCKS static_cast<void>(0)
#endif

// Those that were entered and not yet left, in that order; guarded by the GIL. Never destroyed: a generator
// may be closed very late.
std::vector<Block>& OpenBlocks() noexcept {
  alignas(std::vector<Block>) static std::byte place[sizeof(std::vector<Block>)];
  static auto& blocks = *new (place) std::vector<Block>;
  return blocks;
}

template <class Condition>
const Block* FindLast(Condition condition) noexcept {
  const std::vector<Block>& blocks = OpenBlocks();
  for (size_t i = blocks.size(); i-- > 0;) {
    if (condition(blocks[i])) return &blocks[i];
  }
  return nullptr;
}

const Block* FindLastOrdinary(const OwnThreads* own) noexcept {
  return FindLast([own](const Block& block) { return !block.suspends && block.own == own; });
}

void Settle(OwnThreads* own) noexcept {
  const Block* block = FindLastOrdinary(own);
  own->count.store(block == nullptr ? kInherit : int64_t{block->count}, std::memory_order_relaxed);
}

// The block that a frame of the calling thread is inside of, if that decides.
const Block* FindBlockOf(const PyObject* frame) noexcept {
  const Block* ordinary = FindLastOrdinary(this_thread.own);
  if (ordinary != nullptr && ordinary->frame == frame) return ordinary;
  return FindLast([frame](const Block& block) { return block.suspends && block.frame == frame; });
}

// Looks for the innermost frame that is inside a block. A suspended generator is on no stack, and one that
// another thread resumes is on that thread's.
int64_t CountOnStack(int64_t otherwise) noexcept {
  RESIDUE_GUARD_BLOCKS;
  // Frame objects are made as they are asked for. That may fail, and may collect garbage, which may leave
  // blocks.
  PyObject* type;
  PyObject* value;
  PyObject* trace;
  PyErr_Fetch(&type, &value, &trace);
  int64_t count = otherwise;
  PyObject* frame = reinterpret_cast<PyObject*>(PyEval_GetFrame());
  Py_XINCREF(frame);
  while (frame != nullptr && frame != Py_None) {
    const Block* block = FindBlockOf(frame);
    if (block != nullptr) count = block->count;
    PyObject* caller = block == nullptr ? PyObject_GetAttrString(frame, "f_back") : nullptr;
    Py_DECREF(frame);
    frame = caller;
  }
  Py_XDECREF(frame);
  PyErr_Restore(type, value, trace);
  return count;
}

// How well a block fits who leaves it.
int Fit(const Block& block, const PyObject* frame) noexcept {
  const bool is_own = block.own == this_thread.own;
  if (block.frame == frame && (block.suspends || is_own)) return 2;
  return is_own ? 1 : 0;
}

}  // namespace

uint32_t NumThreads() noexcept {
  const OwnThreads* own = this_thread.own;
  int64_t count = own == nullptr ? kInherit : own->count.load(std::memory_order_relaxed);
  if (suspending_blocks.load(std::memory_order_relaxed) != 0) {
    const PyGILState_STATE state = PyGILState_Ensure();
    count = CountOnStack(count);
    PyGILState_Release(state);
  }
  return count == kInherit ? process_threads.load(std::memory_order_relaxed) : static_cast<uint32_t>(count);
}

void SetProcessThreads(uint32_t count) noexcept { process_threads.store(count, std::memory_order_relaxed); }

bool EnterBlock(PyObject* object, uint32_t count, PyObject* frame, bool suspends) noexcept {
  RESIDUE_GUARD_BLOCKS;
  try {
    if (this_thread.own == nullptr) this_thread.own = new OwnThreads;
    OpenBlocks().push_back({object, frame, this_thread.own, count, suspends});
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return false;
  }
  this_thread.own->users.fetch_add(1, std::memory_order_relaxed);
  Py_INCREF(object);
  if (suspends) {
    Py_INCREF(frame);
    suspending_blocks.fetch_add(1, std::memory_order_relaxed);
  } else {
    Settle(this_thread.own);
  }
  return true;
}

bool LeaveBlock(PyObject* object, PyObject* frame) noexcept {
  RESIDUE_GUARD_BLOCKS;
  std::vector<Block>& blocks = OpenBlocks();
  auto found = blocks.end();
  for (auto block = blocks.begin(); block != blocks.end(); ++block) {
    if (block->object != object) continue;
    if (found == blocks.end() || Fit(*block, frame) >= Fit(*found, frame)) found = block;
  }
  if (found == blocks.end()) {
    PyErr_Format(PyExc_RuntimeError, "%R is left, but nobody is inside of it", object);
    return false;
  }
  const Block left = *found;
  blocks.erase(found);
  if (left.suspends) {
    suspending_blocks.fetch_sub(1, std::memory_order_relaxed);
    Py_DECREF(left.frame);
  } else {
    Settle(left.own);
  }
  Release(left.own);
  Py_DECREF(left.object);
  return true;
}

}  // namespace residue::python
