// ID3D12InfoQueue: the messages of a device that was made with the debug layer on. Part of the device: shares
// its reference count. Messages can be filtered when stored, not when read.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include <residue_d3d12.h>

namespace residue {

class InfoQueue final : public ID3D12InfoQueue {
 public:
  explicit InfoQueue(ID3D12Device* device) : device_(device) {}

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

  // There is no debugger to break into.
  HRESULT STDMETHODCALLTYPE SetBreakOnCategory(D3D12_MESSAGE_CATEGORY, BOOL on) noexcept override {
    return on ? E_NOTIMPL : S_OK;
  }
  HRESULT STDMETHODCALLTYPE SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY, BOOL on) noexcept override {
    return on ? E_NOTIMPL : S_OK;
  }
  HRESULT STDMETHODCALLTYPE SetBreakOnID(D3D12_MESSAGE_ID, BOOL on) noexcept override {
    return on ? E_NOTIMPL : S_OK;
  }
  BOOL STDMETHODCALLTYPE GetBreakOnCategory(D3D12_MESSAGE_CATEGORY) noexcept override { return FALSE; }
  BOOL STDMETHODCALLTYPE GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY) noexcept override { return FALSE; }
  BOOL STDMETHODCALLTYPE GetBreakOnID(D3D12_MESSAGE_ID) noexcept override { return FALSE; }
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
  HRESULT Push(Filter filter) noexcept;

  ID3D12Device* const device_;
  std::mutex mutex_;
  std::deque<Message> messages_;
  std::vector<Filter> filters_;
  UINT64 limit_ = 1024;
  UINT64 allowed_ = 0;
  UINT64 denied_ = 0;
  UINT64 discarded_ = 0;
  bool muted_ = false;  // of debug strings, which this queue does not write
};

}  // namespace residue
