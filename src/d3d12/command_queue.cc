#include "d3d12/command_queue.h"

#include <pthread.h>
#include <csignal>

#include <algorithm>
#include <new>
#include <system_error>

#include "core/enumeration.h"
#include "d3d12/command_list.h"
#include "d3d12/query_heap.h"
#include "d3d12/usage_check.h"
#include "d3d12/watch.h"

namespace residue {

HRESULT CommandQueue::Create(ID3D12Device* device, IBackend* backend,
                             std::shared_ptr<const RemovedReason> removed_reason,
                             const D3D12_COMMAND_QUEUE_DESC* given, REFIID iid, void** queue) noexcept {
  if (queue != nullptr) *queue = nullptr;
  const auto refuse = [&](const char* text) {
    return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATE_COMMANDQUEUE, text);
  };
  if (given == nullptr) return refuse("the description of a command queue is null");
  const D3D12_COMMAND_QUEUE_DESC desc = *given;
  if (desc.NodeMask > 1) return refuse("the NodeMask of a command queue is above 1, but there is one node");
  const int32_t type = NumberOf(desc.Type);
  if (type != D3D12_COMMAND_LIST_TYPE_DIRECT && type != D3D12_COMMAND_LIST_TYPE_COMPUTE &&
      type != D3D12_COMMAND_LIST_TYPE_COPY) {
    return refuse("the Type of a command queue is not DIRECT, COMPUTE or COPY");
  }
  auto stream = Ref<IDeviceStream>::Adopt(backend->CreateStream());
  if (!stream) return E_OUTOFMEMORY;
  try {
    return FinishCreate(Make<CommandQueue>(device, std::move(stream), std::move(removed_reason), desc), iid,
                        queue);
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

CommandQueue::CommandQueue(ID3D12Device* device, Ref<IDeviceStream> stream,
                           std::shared_ptr<const RemovedReason> removed_reason,
                           const D3D12_COMMAND_QUEUE_DESC& desc)
    : DeviceChild(device),
      desc_(desc),
      loop_(std::make_shared<WorkLoop>(std::move(stream), std::move(removed_reason))),
      watched_(FindWatcher(device)) {}

// The last reference may be dropped by something that runs on the queue's own thread, which cannot wait for
// itself.
CommandQueue::~CommandQueue() {
  if (!thread_.joinable()) return;
  const bool on_own_thread = thread_.get_id() == std::this_thread::get_id();
  if (!on_own_thread && loop_->Stop()) {
    thread_.join();
  } else {
    if (on_own_thread) loop_->StopWithoutWaiting();
    thread_.detach();
  }
}

// Under the debug layer work is never done at once, so that who does not wait for it is found out.
HRESULT CommandQueue::Submit(WorkLoop::Item item) noexcept {
  if (!watched_ && loop_->TryHere(item)) return S_OK;
  return StartThread() ? loop_->Push(std::move(item)) : loop_->RunWithoutThread(std::move(item));
}

// The application's signals are not this thread's to take: a new thread starts with those its maker has
// blocked.
bool CommandQueue::StartThread() noexcept {
  const std::scoped_lock lock(thread_mutex_);
  if (thread_.joinable()) return true;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([loop = loop_] { loop->Run(); });
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread_.joinable();
}

void CommandQueue::BeforeFork() noexcept {
  order_mutex_.lock();
  thread_mutex_.lock();
  loop_->Lock();
}

// A thread that is not there can be neither joined nor waited for.
void CommandQueue::AfterFork(bool in_child) noexcept {
  loop_->Unlock(in_child);
  if (in_child && thread_.joinable()) thread_.detach();
  thread_mutex_.unlock();
  if (in_child) {
    new (&order_mutex_) std::recursive_mutex;  // it knows its owner, who has another number here
  } else {
    order_mutex_.unlock();
  }
}

void CommandQueue::ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) noexcept {
  if (lists == nullptr || device()->GetDeviceRemovedReason() != S_OK) return;
  try {
    WorkLoop::Item item;
    for (UINT i = 0; i < count; ++i) {
      const auto list = QueryFor<CommandList>(lists[i], kIidCommandListObject);
      if (!list || !list->IsOf(device()) || !list->CollectWork(desc_.Type, &item.work)) {
        Refused(device(), DXGI_ERROR_INVALID_CALL, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST,
                "a list was executed that is not of this device, still open, refused by Close, or of a type "
                "that is "
                "not the queue's: the device is removed");
        return RemoveDevice(DXGI_ERROR_INVALID_CALL);
      }
    }
    for (const Ref<IHostWork>& work : item.work) item.bytes += work->Bytes();
    std::vector<FlightToken> tokens;
    if (watched_) tokens = CheckUsage(count, lists);
    const auto order = KeepOrder();
    for (FlightToken& token : tokens) tokens_.push_back(std::move(token));
    if (FAILED(Submit(std::move(item)))) RemoveDevice(E_OUTOFMEMORY);
  } catch (const std::bad_alloc&) {
    RemoveDevice(E_OUTOFMEMORY);
  }
}

// All lists are ours: they have given their work.
std::vector<FlightToken> CommandQueue::CheckUsage(UINT count, ID3D12CommandList* const* lists) {
  const Ref<IHostDevice> watcher = FindWatcher(device());
  UsageCheck check(watcher.get());
  std::vector<FlightToken> tokens;
  for (UINT i = 0; i < count; ++i) {
    const auto list = QueryFor<CommandList>(lists[i], kIidCommandListObject);
    check.Check(list->CollectUsage(&tokens));
  }
  return tokens;
}

// A signal must not be overtaken by another with the tokens of work that was submitted before it.
std::unique_lock<std::recursive_mutex> CommandQueue::KeepOrder() noexcept {
  return watched_ ? std::unique_lock(order_mutex_) : std::unique_lock<std::recursive_mutex>();
}

void CommandQueue::RemoveDevice(HRESULT reason) noexcept {
  if (const auto host = QueryFor<IHostDevice>(device(), kIidHostDevice); host) host->Remove(reason);
}

HRESULT CommandQueue::FindFence(ID3D12Fence* fence, Ref<Fence>* found) noexcept {
  if (device()->GetDeviceRemovedReason() != S_OK) return DXGI_ERROR_DEVICE_REMOVED;
  *found = QueryFor<Fence>(fence, kIidFence);
  return *found && (*found)->IsOf(device()) ? S_OK : E_INVALIDARG;
}

HRESULT CommandQueue::Signal(ID3D12Fence* fence, UINT64 value) noexcept {
  Ref<Fence> ours;
  const HRESULT hr = FindFence(fence, &ours);
  if (FAILED(hr)) return hr;
  WorkLoop::Item item{{}, nullptr, FenceSignaller(ours->state()), value};
  const auto order = KeepOrder();
  if (watched_) item.tokens.swap(tokens_);
  return Submit(std::move(item));
}

HRESULT CommandQueue::Wait(ID3D12Fence* fence, UINT64 value) noexcept {
  Ref<Fence> ours;
  const HRESULT hr = FindFence(fence, &ours);
  return FAILED(hr) ? hr : Submit({{}, ours->state(), {}, value});
}

HRESULT CommandQueue::GetTimestampFrequency(UINT64* frequency) noexcept {
  if (frequency == nullptr) return E_INVALIDARG;
  *frequency = kTimestampFrequency;
  return S_OK;
}

HRESULT CommandQueue::GetClockCalibration(UINT64* gpu, UINT64* cpu) noexcept {
  if (gpu == nullptr || cpu == nullptr) return E_INVALIDARG;
  *gpu = *cpu = TimestampNow();
  return S_OK;
}

// What takes no longer than waking a thread does, and some more: measured, by bench/dispatch_overhead.cc.
constexpr uint64_t kMostBytesHere = 256 << 10;
// So many of others' items one call runs at most, because it wants to return.
constexpr int kMostHelped = 64;
// So often one call lets others run before it leaves its item to them.
constexpr int kMostTurns = 64;

bool WorkLoop::IsShort(const Item& item) noexcept {
  if (item.awaited != nullptr) return item.awaited->value() >= item.value;
  return item.bytes <= kMostBytesHere;
}

bool WorkLoop::Enter(const Item& item) noexcept {
  for (int turn = 0; turn < kMostTurns; ++turn) {
    {
      const std::scoped_lock lock(mutex_);
      if (stopping_ || !IsShort(item)) return false;
      if (busy_ == Busy::kNo && items_.empty()) {
        busy_ = Busy::kShortly;
        return true;
      }
      if (busy_ == Busy::kLong || (!items_.empty() && !IsShort(items_.front()))) return false;
    }
    std::this_thread::yield();
  }
  return false;
}

bool WorkLoop::TryHere(Item& item) noexcept {
  if (!Enter(item)) return false;
  RunItem(item);
  Leave();
  return true;
}

void WorkLoop::Leave() noexcept {
  for (int helped = 0;; ++helped) {
    Item next;
    {
      const std::scoped_lock lock(mutex_);
      const bool is_enough = !has_no_thread_ && helped >= kMostHelped;
      if (items_.empty() || is_enough || !(has_no_thread_ || IsShort(items_.front()))) {
        busy_ = Busy::kNo;
        if (!items_.empty() || stopping_) changed_.notify_all();
        return;
      }
      next = std::move(items_.front());
      items_.pop_front();
    }
    RunItem(next);
  }
}

HRESULT WorkLoop::RunWithoutThread(Item item) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    if (item.awaited != nullptr && !IsShort(item)) return E_OUTOFMEMORY;
    has_no_thread_ = true;
    items_.push_back(std::move(item));
    if (busy_ != Busy::kNo) return S_OK;
    busy_ = Busy::kLong;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
  Leave();
  return S_OK;
}

// A wait that is over has nothing to do.
void WorkLoop::RunItem(Item& item) noexcept {
  if (item.signalled.state() != nullptr) {
    stream_->Finish();
    item.tokens.clear();
    item.signalled.state()->Signal(item.value);
  } else if (item.awaited == nullptr) {
    RunWork(item);
  }
}

void WorkLoop::RunWork(const Item& item) noexcept {
  for (const Ref<IHostWork>& work : item.work) {
    if (removed_reason_->load() == S_OK) work->Encode(*stream_);
  }
}

// The child's mutex and condition are made anew, because nobody can say who waits for them. What was
// submitted is left alone: its memory is a copy.
void WorkLoop::Unlock(bool in_child) noexcept {
  if (!in_child) return mutex_.unlock();
  new (&mutex_) std::mutex;
  new (&changed_) std::condition_variable;
  new (&items_) std::list<Item>;
  current_wait_ = nullptr;
  busy_ = Busy::kNo;
}

HRESULT WorkLoop::Push(Item item) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    items_.push_back(std::move(item));
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
  changed_.notify_all();
  return S_OK;
}

void WorkLoop::Run() noexcept {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return busy_ == Busy::kNo && (!items_.empty() || stopping_); });
      if (items_.empty()) break;
      busy_ = IsShort(items_.front()) ? Busy::kShortly : Busy::kLong;
      item = std::move(items_.front());
      items_.pop_front();
    }
    // A fence is for others, who may see what was done before it; and whoever is waited for may need to.
    if (item.awaited != nullptr) {
      stream_->Finish();
      if (!WaitFor(item)) break;
    } else {
      RunItem(item);
    }
    const std::scoped_lock lock(mutex_);
    busy_ = Busy::kNo;
  }
  stream_->Finish();
  // What is left behind an abandoned wait goes without the lock: it may be the last to hold something of
  // ours.
  std::list<Item> abandoned;
  {
    const std::scoped_lock lock(mutex_);
    abandoned.swap(items_);
  }
  abandoned.clear();
  const std::scoped_lock lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

bool WorkLoop::WaitFor(const Item& item) noexcept {
  FenceWait wait(*item.awaited, item.value);
  std::unique_lock lock(mutex_);
  current_wait_ = &wait;
  changed_.notify_all();
  lock.unlock();
  bool reached = wait.WaitUnless(stopping_);
  lock.lock();
  // Nobody tells when the last of the others goes, so it is asked for again and again; and before the number
  // is looked at, because who goes may have signalled just before.
  for (bool others = true; !reached && others;) {
    others = DependsOnOthers(wait);
    lock.unlock();
    reached = wait.WaitFor(std::chrono::milliseconds(others ? 20 : 0));
    lock.lock();
  }
  current_wait_ = nullptr;
  return reached;
}

bool WorkLoop::DependsOnOthers(const FenceWait& wait) const noexcept {
  const auto behind = std::count_if(items_.begin(), items_.end(), [&](const Item& item) {
    return item.signalled.state().get() == wait.fence();
  });
  return wait.fence()->signallers() > behind;
}

bool WorkLoop::Stop() noexcept {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  if (current_wait_ != nullptr) current_wait_->Wake();
  const auto is_waiting_for_others = [&] {
    return current_wait_ != nullptr && !current_wait_->IsReached() && DependsOnOthers(*current_wait_);
  };
  changed_.wait(lock, [&] { return finished_ || is_waiting_for_others(); });
  return finished_;
}

void WorkLoop::StopWithoutWaiting() noexcept {
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

}  // namespace residue
