#include "d3d12/dxcore.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace residue {
namespace {

// A property as the bytes that a caller gets; none if there is no such property.
struct Property {
  char bytes[32] = {};
  size_t size = 0;
};

template <class T>
Property Of(const T& value) noexcept {
  static_assert(sizeof(T) <= sizeof(Property::bytes));
  Property property;
  std::memcpy(property.bytes, &value, sizeof(T));
  property.size = sizeof(T);
  return property;
}

Property Find(DXCoreAdapterProperty property) noexcept {
  switch (property) {
    case DXCoreAdapterProperty::InstanceLuid:
      return Of(kHostAdapterLuid);
    case DXCoreAdapterProperty::DriverVersion:
      return Of(uint64_t{1} << 48);  // 1.0.0.0
    case DXCoreAdapterProperty::DriverDescription: {
      static_assert(sizeof(kHostAdapterName) <= sizeof(Property::bytes));
      return Of(kHostAdapterName);
    }
    case DXCoreAdapterProperty::HardwareID:
      return Of(DXCoreHardwareID{});
    case DXCoreAdapterProperty::HardwareIDParts:
      return Of(DXCoreHardwareIDParts{});
    case DXCoreAdapterProperty::KmdModelVersion:
      return Of(uint64_t{0});
    case DXCoreAdapterProperty::ComputePreemptionGranularity:
    case DXCoreAdapterProperty::GraphicsPreemptionGranularity:
      return Of(uint16_t{0});
    case DXCoreAdapterProperty::DedicatedAdapterMemory:
    case DXCoreAdapterProperty::DedicatedSystemMemory:
      return Of(uint64_t{0});
    case DXCoreAdapterProperty::SharedSystemMemory:
      return Of(PhysicalMemoryBytes());
    case DXCoreAdapterProperty::AcgCompatible:
    case DXCoreAdapterProperty::IsHardware:  // programs pass over adapters that are not, as with DXGI
    case DXCoreAdapterProperty::IsIntegrated:
      return Of(true);
    case DXCoreAdapterProperty::IsDetachable:
      return Of(false);
    default:  // newer headers have more than older ones
      return {};
  }
}

}  // namespace

HRESULT CoreFactory::CreateAdapterList(uint32_t count, const GUID* attributes, REFIID iid,
                                       void** list) noexcept {
  if (list == nullptr) return E_POINTER;
  *list = nullptr;
  if (count == 0 || attributes == nullptr) return E_INVALIDARG;
  const bool fits = std::all_of(attributes, attributes + count, CoreAdapter::Has);
  return MoveToCaller(TryMake<CoreAdapterList>(this, fits ? 1u : 0u), iid, list);
}

HRESULT CoreFactory::GetAdapterByLuid(const LUID& luid, REFIID iid, void** adapter) noexcept {
  if (adapter == nullptr) return E_POINTER;
  *adapter = nullptr;
  if (!IsHostAdapter(luid)) return DXGI_ERROR_NOT_FOUND;
  return MoveToCaller(TryMake<CoreAdapter>(this), iid, adapter);
}

HRESULT CoreAdapterList::GetAdapter(uint32_t index, REFIID iid, void** adapter) noexcept {
  if (adapter == nullptr) return E_POINTER;
  *adapter = nullptr;
  if (index >= count_) return E_INVALIDARG;
  return MoveToCaller(TryMake<CoreAdapter>(factory_.get()), iid, adapter);
}

bool CoreAdapter::Has(REFGUID attribute) noexcept {
  return attribute == DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE ||
         attribute == DXCORE_ADAPTER_ATTRIBUTE_D3D12_GENERIC_ML;
}

bool CoreAdapter::IsPropertySupported(DXCoreAdapterProperty property) noexcept {
  return Find(property).size != 0;
}

HRESULT CoreAdapter::GetProperty(DXCoreAdapterProperty asked, size_t size, void* data) noexcept {
  if (data == nullptr) return E_POINTER;
  const Property property = Find(asked);
  if (property.size == 0) return DXGI_ERROR_INVALID_CALL;
  if (size < property.size) return E_INVALIDARG;
  std::memcpy(data, property.bytes, property.size);
  return S_OK;
}

HRESULT CoreAdapter::GetPropertySize(DXCoreAdapterProperty asked, size_t* size) noexcept {
  if (size == nullptr) return E_POINTER;
  *size = Find(asked).size;
  return *size == 0 ? DXGI_ERROR_INVALID_CALL : S_OK;
}

// All memory is the host's, so that there is a budget for it only, and none for an adapter's own.
HRESULT CoreAdapter::QueryState(DXCoreAdapterState state, size_t input_size, const void* input, size_t size,
                                void* data) noexcept {
  if (data == nullptr) return E_POINTER;
  if (state == DXCoreAdapterState::IsDriverUpdateInProgress) {
    if (size < sizeof(bool)) return E_INVALIDARG;
    *static_cast<bool*>(data) = false;
    return S_OK;
  }
  if (state != DXCoreAdapterState::AdapterMemoryBudget) return DXGI_ERROR_INVALID_CALL;
  DXCoreAdapterMemoryBudgetNodeSegmentGroup asked;
  if (input == nullptr || input_size < sizeof(asked) || size < sizeof(DXCoreAdapterMemoryBudget)) {
    return E_INVALIDARG;
  }
  std::memcpy(&asked, input, sizeof(asked));
  if (asked.nodeIndex != 0) return E_INVALIDARG;
  const bool local = asked.segmentGroup == DXCoreSegmentGroup::Local;
  const DXCoreAdapterMemoryBudget budget = {local ? PhysicalMemoryBytes() : 0, local ? UsedMemoryBytes() : 0,
                                            0, 0};
  std::memcpy(data, &budget, sizeof(budget));
  return S_OK;
}

}  // namespace residue

extern "C" __attribute__((visibility("default"))) HRESULT DXCoreCreateAdapterFactory(REFIID iid,
                                                                                     void** factory) {
  if (factory == nullptr) return E_POINTER;
  *factory = nullptr;
  return residue::MoveToCaller(residue::TryMake<residue::CoreFactory>(), iid, factory);
}
