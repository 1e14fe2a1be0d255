// The first lines of somebody else's DirectML program.
#include <residue_d3d12.h>

#include <DirectML.h>
#include <wrl/client.h>

using Microsoft::WRL::ComPtr;

int main() {
  ComPtr<ID3D12Device> d3d;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)))) return 1;
  ComPtr<IDMLDevice> dml;
  if (FAILED(DMLCreateDevice(d3d.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&dml)))) return 1;
  return dml->GetDeviceRemovedReason() == S_OK ? 0 : 1;
}
