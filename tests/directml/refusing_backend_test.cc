// A backend may refuse what DirectML has accepted: the program is told why, and has an error.
#include <gtest/gtest.h>

#include <cstdio>

#include "backend/backend.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class RefusingBackend final : public ComObject<IBackend> {
 public:
  explicit RefusingBackend(residue_status status) noexcept : status_(status) {}
  IDeviceMemory* Allocate(uint64_t, bool) noexcept override { return nullptr; }
  IDeviceStream* CreateStream() noexcept override { return nullptr; }
  residue_status Compile(const GraphDescription&, IDeviceProgram**, char* text,
                         size_t size) noexcept override {
    std::snprintf(text, size, "it rains");
    return status_;
  }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }
  const residue_status status_;
};

HRESULT CompileWith(residue_status status) {
  ComPtr<ID3D12Device> d3d;
  EXPECT_EQ(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&d3d)), S_OK);
  const auto backend = Ref<RefusingBackend>::Adopt(new RefusingBackend(status));
  QueryFor<IHostDevice>(d3d.Get(), kIidHostDevice)->SetBackend(backend.get());
  const D3D12_COMMAND_QUEUE_DESC queue_desc = {};
  ComPtr<ID3D12CommandQueue> queue;
  EXPECT_EQ(d3d->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)), E_OUTOFMEMORY) << "it has no stream";
  ComPtr<IDMLDevice> device;
  EXPECT_EQ(DMLCreateDevice(d3d.Get(), DML_CREATE_DEVICE_FLAG_DEBUG, IID_PPV_ARGS(&device)), S_OK);
  Tensor a = Int32({4});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {a.get(), a.get(), a.get()};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR, &desc};
  ComPtr<IDMLOperator> op;
  EXPECT_EQ(device->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)), S_OK);
  void* compiled = &a;
  const HRESULT hr =
      device->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), &compiled);
  EXPECT_EQ(compiled, nullptr);
  return hr;
}

TEST(RefusingBackendTest, SaysWhy) {
  DebugStrings strings;
  EXPECT_EQ(CompileWith(RESIDUE_TOO_LARGE), E_INVALIDARG);
  EXPECT_TRUE(strings.Contains("the graph cannot be compiled: it rains"));
  EXPECT_EQ(LiveObjectCount(), 0);
}

TEST(RefusingBackendTest, HasNoMemory) {
  DebugStrings strings;
  EXPECT_EQ(CompileWith(RESIDUE_OUT_OF_MEMORY), E_OUTOFMEMORY);
  EXPECT_EQ(LiveObjectCount(), 0);
}

}  // namespace
}  // namespace residue::testing
