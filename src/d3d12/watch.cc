#include "d3d12/watch.h"

namespace residue {

Ref<UsageRecord> MakeRecord(ID3D12Device* device, const char* kind, D3D12_HEAP_TYPE heap_type) {
  Ref<UsageRecord> record;
  if (FindWatcher(device)) record = Make<UsageRecord>(kind, heap_type);
  return record;
}

HRESULT Refused(ID3D12Device* device, HRESULT result, D3D12_MESSAGE_ID id, const char* text) noexcept {
  if (const Ref<IHostDevice> watcher = FindWatcher(device); watcher) {
    watcher->Tell({D3D12_MESSAGE_CATEGORY_STATE_CREATION, D3D12_MESSAGE_SEVERITY_ERROR, id}, text);
  }
  return result;
}

void TellStillInUse(ID3D12Device* device, const UsageRecord& record) noexcept {
  const Ref<IHostDevice> watcher = FindWatcher(device);
  if (!watcher) return;
  try {
    const std::string text = record.Name() +
                             " was released while work that uses it may still run: wait for a fence that is "
                             "signalled behind the work first";
    watcher->Tell({D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_SEVERITY_ERROR,
                   D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE},
                  text.c_str());
  } catch (const std::bad_alloc&) {  // nothing to say it with
  }
}

}  // namespace residue
