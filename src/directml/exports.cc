// The only two functions of libdirectml.
#include <DirectML.h>

#include "directml/device.h"
#include "directml/tensor_desc.h"

#define RESIDUE_EXPORT extern "C" __attribute__((visibility("default")))

RESIDUE_EXPORT HRESULT DMLCreateDevice1(ID3D12Device* parent, DML_CREATE_DEVICE_FLAGS flags,
                                        DML_FEATURE_LEVEL minimum, REFIID iid, void** result) {
  return residue::CreateDmlDevice(parent, static_cast<uint32_t>(residue::NumberOf(flags)),
                                  static_cast<uint32_t>(residue::NumberOf(minimum)), iid, result);
}

RESIDUE_EXPORT HRESULT DMLCreateDevice(ID3D12Device* parent, DML_CREATE_DEVICE_FLAGS flags, REFIID iid,
                                       void** result) {
  return residue::CreateDmlDevice(parent, static_cast<uint32_t>(residue::NumberOf(flags)),
                                  DML_FEATURE_LEVEL_1_0, iid, result);
}
