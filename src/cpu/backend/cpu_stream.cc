#include "cpu/backend/cpu_stream.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

#include "cpu/backend/cpu_memory.h"
#include "cpu/backend/cpu_program.h"

namespace residue {
namespace {

// Memory and programs are those of this backend: a device has one.
std::byte* AddressOf(DevicePlace place) noexcept {
  return place.memory == nullptr ? nullptr : static_cast<CpuMemory*>(place.memory)->Data() + place.offset;
}

// The addresses of places, without an allocation for the few that operators have. May throw bad_alloc.
class AddressList {
 public:
  AddressList(const DevicePlace* places, size_t count) {
    if (count > few_.size()) many_.resize(count);
    addresses_ = count > few_.size() ? many_.data() : few_.data();
    std::transform(places, places + count, addresses_, AddressOf);
  }
  void* const* get() const noexcept { return addresses_; }

 private:
  std::array<void*, 8> few_;
  std::vector<void*> many_;
  void** addresses_;
};

}  // namespace

CpuStream* CpuStream::Get() noexcept {
  static CpuStream stream;
  return &stream;
}

HRESULT CpuStream::QueryInterface(REFIID iid, void** object) noexcept {
  if (object == nullptr) return E_POINTER;
  *object = MatchInterface<IUnknown>(iid, this);
  return *object == nullptr ? E_NOINTERFACE : S_OK;
}

void CpuStream::Copy(DevicePlace to, DevicePlace from, uint64_t bytes) noexcept {
  std::memmove(AddressOf(to), AddressOf(from), bytes);
}

// One pattern, then what is filled already copied behind itself, twice as long each time.
void CpuStream::Fill(DevicePlace to, uint64_t bytes, const void* pattern, uint32_t pattern_bytes) noexcept {
  std::byte* const begin = AddressOf(to);
  uint64_t filled = std::min<uint64_t>(bytes, pattern_bytes);
  std::memcpy(begin, pattern, filled);
  while (filled < bytes) {
    // What stays in the cache; a whole number of patterns.
    const uint64_t most = std::max<uint64_t>(65536 / pattern_bytes, 1) * pattern_bytes;
    const uint64_t piece = std::min({filled, bytes - filled, most});
    std::memcpy(begin + filled, begin, piece);
    filled += piece;
  }
}

residue_status CpuStream::Run(IDeviceProgram* program, const DevicePlace* inputs, const DevicePlace* outputs,
                              DevicePlace temporary) noexcept {
  const auto& ours = static_cast<const CpuProgram&>(*program);
  try {
    const AddressList input_list(inputs, ours.input_count());
    const AddressList output_list(outputs, ours.output_count());
    return residue_graph_run(ours.graph(), input_list.get(), output_list.get(), AddressOf(temporary),
                             nullptr);
  } catch (const std::bad_alloc&) {
    return RESIDUE_OUT_OF_MEMORY;
  }
}

}  // namespace residue
