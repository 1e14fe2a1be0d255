#include "d3d12/watch.h"

namespace residue {

Ref<UsageRecord> MakeRecord(ID3D12Device* device, const char* kind, D3D12_HEAP_TYPE heap_type) {
  Ref<UsageRecord> record;
  if (FindWatcher(device)) record = Make<UsageRecord>(kind, heap_type);
  return record;
}

void TellMistake(ID3D12Device* device, D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_ID id,
                 const char* text) noexcept {
  if (const Ref<IHostDevice> watcher = FindWatcher(device); watcher) {
    watcher->Tell({category, D3D12_MESSAGE_SEVERITY_ERROR, id}, text);
  }
}

HRESULT Refused(ID3D12Device* device, HRESULT result, D3D12_MESSAGE_ID id, const char* text) noexcept {
  TellMistake(device, D3D12_MESSAGE_CATEGORY_STATE_CREATION, id, text);
  return result;
}

void TellStillInUse(ID3D12Device* device, const UsageRecord& record) noexcept {
  try {
    const std::string text = record.Name() +
                             " was released while work that uses it may still run: wait for a fence that is "
                             "signalled behind the work first";
    TellMistake(device, D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE,
                text.c_str());
  } catch (const std::bad_alloc&) {  // nothing to say it with
  }
}

}  // namespace residue
