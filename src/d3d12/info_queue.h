// ID3D12InfoQueue1: the messages of a device that was made with the debug layer on. Part of the device:
// shares its reference count. Messages can be filtered when stored, not when read.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include <residue_d3d12.h>

namespace residue {

class InfoQueue final : public ID3D12InfoQueue1 {
 public:
  explicit InfoQueue(ID3D12Device* device);

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, void** object) noexcept override {
    return device_->QueryInterface(iid, object);
  }
  ULONG STDMETHODCALLTYPE AddRef() noexcept override { return device_->AddRef(); }
  ULONG STDMETHODCALLTYPE Release() noexcept override { return device_->Release(); }

  HRESULT STDMETHODCALLTYPE AddMessage(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                                       D3D12_MESSAGE_ID id, LPCSTR text) noexcept override;
  HRESULT STDMETHODCALLTYPE AddApplicationMessage(D3D12_MESSAGE_SEVERITY severity,
                                                  LPCSTR text) noexcept override;
  HRESULT STDMETHODCALLTYPE GetMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* size) noexcept override;
  void STDMETHODCALLTYPE ClearStoredMessages() noexcept override;
  HRESULT STDMETHODCALLTYPE SetMessageCountLimit(UINT64 limit) noexcept override;
  UINT64 STDMETHODCALLTYPE GetMessageCountLimit() noexcept override;
  UINT64 STDMETHODCALLTYPE GetNumStoredMessages() noexcept override;
  UINT64 STDMETHODCALLTYPE GetNumStoredMessagesAllowedByRetrievalFilter() noexcept override {
    return GetNumStoredMessages();
  }
  UINT64 STDMETHODCALLTYPE GetNumMessagesAllowedByStorageFilter() noexcept override;
  UINT64 STDMETHODCALLTYPE GetNumMessagesDeniedByStorageFilter() noexcept override;
  UINT64 STDMETHODCALLTYPE GetNumMessagesDiscardedByMessageCountLimit() noexcept override;

  HRESULT STDMETHODCALLTYPE AddStorageFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) noexcept override;
  HRESULT STDMETHODCALLTYPE PushEmptyStorageFilter() noexcept override;
  HRESULT STDMETHODCALLTYPE PushCopyOfStorageFilter() noexcept override;
  HRESULT STDMETHODCALLTYPE PushStorageFilter(D3D12_INFO_QUEUE_FILTER* filter) noexcept override;
  void STDMETHODCALLTYPE ClearStorageFilter() noexcept override;
  void STDMETHODCALLTYPE PopStorageFilter() noexcept override;
  UINT STDMETHODCALLTYPE GetStorageFilterStackSize() noexcept override;

  HRESULT STDMETHODCALLTYPE GetStorageFilter(D3D12_INFO_QUEUE_FILTER*, SIZE_T*) noexcept override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE AddRetrievalFilterEntries(D3D12_INFO_QUEUE_FILTER*) noexcept override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE GetRetrievalFilter(D3D12_INFO_QUEUE_FILTER*, SIZE_T*) noexcept override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE PushEmptyRetrievalFilter() noexcept override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE PushCopyOfRetrievalFilter() noexcept override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE PushRetrievalFilter(D3D12_INFO_QUEUE_FILTER*) noexcept override {
    return E_NOTIMPL;
  }
  void STDMETHODCALLTYPE ClearRetrievalFilter() noexcept override {}
  void STDMETHODCALLTYPE PopRetrievalFilter() noexcept override {}
  UINT STDMETHODCALLTYPE GetRetrievalFilterStackSize() noexcept override { return 0; }

  // Breaking is SIGTRAP in the thread whose call brought the message, as a debugger's breakpoint is.
  HRESULT STDMETHODCALLTYPE SetBreakOnCategory(D3D12_MESSAGE_CATEGORY category, BOOL on) noexcept override;
  HRESULT STDMETHODCALLTYPE SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity, BOOL on) noexcept override;
  HRESULT STDMETHODCALLTYPE SetBreakOnID(D3D12_MESSAGE_ID id, BOOL on) noexcept override;
  BOOL STDMETHODCALLTYPE GetBreakOnCategory(D3D12_MESSAGE_CATEGORY category) noexcept override;
  BOOL STDMETHODCALLTYPE GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity) noexcept override;
  BOOL STDMETHODCALLTYPE GetBreakOnID(D3D12_MESSAGE_ID id) noexcept override;
  // Called on the thread whose call brought the message; it may call this queue.
  HRESULT STDMETHODCALLTYPE RegisterMessageCallback(D3D12MessageFunc function,
                                                    D3D12_MESSAGE_CALLBACK_FLAGS flags, void* context,
                                                    DWORD* cookie) noexcept override;
  HRESULT STDMETHODCALLTYPE UnregisterMessageCallback(DWORD cookie) noexcept override;
  void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL mute) noexcept override;
  BOOL STDMETHODCALLTYPE GetMuteDebugOutput() noexcept override;

 private:
  struct Message {
    D3D12_MESSAGE_CATEGORY category;
    D3D12_MESSAGE_SEVERITY severity;
    D3D12_MESSAGE_ID id;
    std::string text;
  };
  // An empty list says nothing about messages.
  struct FilterList {
    std::vector<D3D12_MESSAGE_CATEGORY> categories;
    std::vector<D3D12_MESSAGE_SEVERITY> severities;
    std::vector<D3D12_MESSAGE_ID> ids;
    void Add(const D3D12_INFO_QUEUE_FILTER_DESC& desc);
    bool IsEmpty() const noexcept { return categories.empty() && severities.empty() && ids.empty(); }
    bool Matches(const Message& message) const noexcept;
  };
  struct Filter {
    FilterList allow;
    FilterList deny;
    void Add(const D3D12_INFO_QUEUE_FILTER& filter);
    bool Passes(const Message& message) const noexcept {
      return !deny.Matches(message) && (allow.IsEmpty() || allow.Matches(message));
    }
  };
  struct Callback {
    D3D12MessageFunc function;
    bool ignores_filters;
    void* context;
    DWORD cookie;
  };
  HRESULT Push(Filter filter) noexcept;
  template <class T>
  HRESULT SetBreak(std::vector<T> FilterList::*list, T value, BOOL on) noexcept;
  template <class T>
  BOOL GetBreak(std::vector<T> FilterList::*list, T value) noexcept;
  // Keeps it, unless a filter says otherwise; who else is to be told is then in `callbacks`. The mutex is
  // held.
  bool Store(const Message& message, std::vector<Callback>* callbacks);

  ID3D12Device* const device_;
  std::mutex mutex_;
  std::deque<Message> messages_;
  std::vector<Filter> filters_;
  FilterList breaks_;
  std::vector<Callback> callbacks_;
  DWORD last_cookie_ = 0;
  UINT64 limit_ = 1024;
  UINT64 allowed_ = 0;
  UINT64 denied_ = 0;
  UINT64 discarded_ = 0;
  const bool writes_;   // messages to the debug strings as well
  bool muted_ = false;  // nothing to the debug strings
};

}  // namespace residue
