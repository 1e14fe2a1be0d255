#include "d3d12/info_queue.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iterator>
#include <new>

#include "core/enumeration.h"
#include "d3d12/debug.h"

namespace residue {
namespace {

template <class T>
void Append(std::vector<T>* list, UINT count, const T* values) {
  list->insert(list->end(), values, values + count);
}

// No list is behind a null pointer, whatever the count says.
bool IsReadable(const D3D12_INFO_QUEUE_FILTER_DESC& desc) noexcept {
  return (desc.NumCategories == 0 || desc.pCategoryList != nullptr) &&
         (desc.NumSeverities == 0 || desc.pSeverityList != nullptr) &&
         (desc.NumIDs == 0 || desc.pIDList != nullptr);
}

// A copy, which nobody changes meanwhile. False if there is nothing to copy, or nothing behind it.
bool Read(const D3D12_INFO_QUEUE_FILTER* given, D3D12_INFO_QUEUE_FILTER* filter) noexcept {
  if (given == nullptr) return false;
  *filter = *given;
  return IsReadable(filter->AllowList) && IsReadable(filter->DenyList);
}

template <class T>
bool Contains(const std::vector<T>& list, T value) noexcept {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

InfoQueue::InfoQueue(ID3D12Device* device) : device_(device), writes_(AskedStrictness() != Strictness::kOff) {
  if (AskedStrictness() == Strictness::kBreak) breaks_.severities = {D3D12_MESSAGE_SEVERITY_ERROR};
}

void InfoQueue::FilterList::Add(const D3D12_INFO_QUEUE_FILTER_DESC& desc) {
  Append(&categories, desc.NumCategories, desc.pCategoryList);
  Append(&severities, desc.NumSeverities, desc.pSeverityList);
  Append(&ids, desc.NumIDs, desc.pIDList);
}

void InfoQueue::Filter::Add(const D3D12_INFO_QUEUE_FILTER& filter) {
  allow.Add(filter.AllowList);
  deny.Add(filter.DenyList);
}

bool InfoQueue::FilterList::Matches(const Message& message) const noexcept {
  return Contains(categories, message.category) || Contains(severities, message.severity) ||
         Contains(ids, message.id);
}

HRESULT InfoQueue::AddMessage(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                              D3D12_MESSAGE_ID id, LPCSTR text) noexcept {
  if (text == nullptr) return E_INVALIDARG;
  try {
    const Message message{category, severity, id, text};
    std::vector<Callback> callbacks;
    bool breaks = false;
    bool writes = false;
    {
      const std::scoped_lock lock(mutex_);
      const bool stored = Store(message, &callbacks);
      breaks = stored && breaks_.Matches(message);
      writes = stored && writes_ && !muted_;
    }
    if (writes) {
      const char* kind = severity <= D3D12_MESSAGE_SEVERITY_ERROR ? "ERROR" : "WARNING";
      WriteDebugString(
          ("D3D12 " + std::string(kind) + ": " + message.text + " [#" + std::to_string(id) + "]\n").c_str());
    }
    for (const Callback& callback : callbacks) {
      callback.function(category, severity, id, message.text.c_str(), callback.context);
    }
    if (breaks) std::raise(SIGTRAP);
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

bool InfoQueue::Store(const Message& message, std::vector<Callback>* callbacks) {
  const bool passes = filters_.empty() || filters_.back().Passes(message);
  std::ranges::copy_if(callbacks_, std::back_inserter(*callbacks),
                       [&](const Callback& callback) { return passes || callback.ignores_filters; });
  if (!passes) {
    ++denied_;
    return false;
  }
  messages_.push_back(message);
  ++allowed_;
  if (messages_.size() > limit_) {
    messages_.pop_front();
    ++discarded_;
  }
  return true;
}

template <class T>
HRESULT InfoQueue::SetBreak(std::vector<T> FilterList::*list, T value, BOOL on) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    std::erase(breaks_.*list, value);
    if (on) (breaks_.*list).push_back(value);
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

template <class T>
BOOL InfoQueue::GetBreak(std::vector<T> FilterList::*list, T value) noexcept {
  const std::scoped_lock lock(mutex_);
  return Contains(breaks_.*list, value) ? TRUE : FALSE;
}

HRESULT InfoQueue::SetBreakOnCategory(D3D12_MESSAGE_CATEGORY category, BOOL on) noexcept {
  return SetBreak(&FilterList::categories, category, on);
}

BOOL InfoQueue::GetBreakOnCategory(D3D12_MESSAGE_CATEGORY category) noexcept {
  return GetBreak(&FilterList::categories, category);
}

HRESULT InfoQueue::SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity, BOOL on) noexcept {
  return SetBreak(&FilterList::severities, severity, on);
}

BOOL InfoQueue::GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity) noexcept {
  return GetBreak(&FilterList::severities, severity);
}

HRESULT InfoQueue::SetBreakOnID(D3D12_MESSAGE_ID id, BOOL on) noexcept {
  return SetBreak(&FilterList::ids, id, on);
}

BOOL InfoQueue::GetBreakOnID(D3D12_MESSAGE_ID id) noexcept { return GetBreak(&FilterList::ids, id); }

HRESULT InfoQueue::RegisterMessageCallback(D3D12MessageFunc function, D3D12_MESSAGE_CALLBACK_FLAGS flags,
                                           void* context, DWORD* cookie) noexcept {
  if (cookie != nullptr) *cookie = 0;
  constexpr int32_t kIgnoreFilters = D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS;
  const int32_t number = NumberOf(flags);
  if (function == nullptr || cookie == nullptr || (number & ~kIgnoreFilters) != 0) {
    return E_INVALIDARG;
  }
  try {
    const std::scoped_lock lock(mutex_);
    callbacks_.push_back({function, number != D3D12_MESSAGE_CALLBACK_FLAG_NONE, context, last_cookie_ + 1});
    *cookie = ++last_cookie_;
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

HRESULT InfoQueue::UnregisterMessageCallback(DWORD cookie) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto gone =
      std::erase_if(callbacks_, [&](const Callback& callback) { return callback.cookie == cookie; });
  return gone == 0 ? E_INVALIDARG : S_OK;
}

HRESULT InfoQueue::AddApplicationMessage(D3D12_MESSAGE_SEVERITY severity, LPCSTR text) noexcept {
  return AddMessage(D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED, severity,
                    D3D12_MESSAGE_ID_STRING_FROM_APPLICATION, text);
}

// As in Direct3D 12: asked without a place for the message, says how much room it needs, text included.
HRESULT InfoQueue::GetMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* size) noexcept {
  if (size == nullptr) return E_INVALIDARG;
  const std::scoped_lock lock(mutex_);
  if (index >= messages_.size()) return E_INVALIDARG;
  const Message& stored = messages_[index];
  const SIZE_T needed = sizeof(D3D12_MESSAGE) + stored.text.size() + 1;
  if (message == nullptr) {
    *size = needed;
    return S_FALSE;
  }
  if (*size < needed) return E_INVALIDARG;
  auto* text = reinterpret_cast<char*>(message + 1);
  std::memcpy(text, stored.text.c_str(), stored.text.size() + 1);
  *message = {stored.category, stored.severity, stored.id, text, stored.text.size() + 1};
  return S_OK;
}

void InfoQueue::ClearStoredMessages() noexcept {
  const std::scoped_lock lock(mutex_);
  messages_.clear();
}

HRESULT InfoQueue::SetMessageCountLimit(UINT64 limit) noexcept {
  const std::scoped_lock lock(mutex_);
  limit_ = limit;
  while (messages_.size() > limit_) {
    messages_.pop_front();
    ++discarded_;
  }
  return S_OK;
}

UINT64 InfoQueue::GetMessageCountLimit() noexcept {
  const std::scoped_lock lock(mutex_);
  return limit_;
}

UINT64 InfoQueue::GetNumStoredMessages() noexcept {
  const std::scoped_lock lock(mutex_);
  return messages_.size();
}

UINT64 InfoQueue::GetNumMessagesAllowedByStorageFilter() noexcept {
  const std::scoped_lock lock(mutex_);
  return allowed_;
}

UINT64 InfoQueue::GetNumMessagesDeniedByStorageFilter() noexcept {
  const std::scoped_lock lock(mutex_);
  return denied_;
}

UINT64 InfoQueue::GetNumMessagesDiscardedByMessageCountLimit() noexcept {
  const std::scoped_lock lock(mutex_);
  return discarded_;
}

HRESULT InfoQueue::AddStorageFilterEntries(D3D12_INFO_QUEUE_FILTER* given) noexcept {
  D3D12_INFO_QUEUE_FILTER filter;
  if (!Read(given, &filter)) return E_INVALIDARG;
  try {
    const std::scoped_lock lock(mutex_);
    // A copy, so that a failure changes nothing.
    Filter next = filters_.empty() ? Filter{} : Filter(filters_.back());
    next.Add(filter);
    if (filters_.empty()) {
      filters_.push_back(std::move(next));
    } else {
      filters_.back() = std::move(next);
    }
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

HRESULT InfoQueue::Push(Filter filter) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    filters_.push_back(std::move(filter));
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

HRESULT InfoQueue::PushEmptyStorageFilter() noexcept { return Push({}); }

HRESULT InfoQueue::PushCopyOfStorageFilter() noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    filters_.push_back(filters_.empty() ? Filter{} : Filter(filters_.back()));
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

HRESULT InfoQueue::PushStorageFilter(D3D12_INFO_QUEUE_FILTER* given) noexcept {
  D3D12_INFO_QUEUE_FILTER filter;
  if (!Read(given, &filter)) return E_INVALIDARG;
  try {
    Filter next;
    next.Add(filter);
    return Push(std::move(next));
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

void InfoQueue::ClearStorageFilter() noexcept {
  const std::scoped_lock lock(mutex_);
  if (!filters_.empty()) filters_.back() = {};
}

void InfoQueue::PopStorageFilter() noexcept {
  const std::scoped_lock lock(mutex_);
  if (!filters_.empty()) filters_.pop_back();
}

UINT InfoQueue::GetStorageFilterStackSize() noexcept {
  const std::scoped_lock lock(mutex_);
  return static_cast<UINT>(filters_.size());
}

void InfoQueue::SetMuteDebugOutput(BOOL mute) noexcept {
  const std::scoped_lock lock(mutex_);
  muted_ = mute != 0;
}

BOOL InfoQueue::GetMuteDebugOutput() noexcept {
  const std::scoped_lock lock(mutex_);
  return muted_ ? TRUE : FALSE;
}

}  // namespace residue
