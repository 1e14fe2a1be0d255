// Every allocation of a call made to fail, one after the other, with the whole of Direct3D 12 and DirectML at
// hand.
#pragma once

#include "faults/failing_allocator.h"
#include "support/dml_fixture.h"
#include "support/figures.h"

namespace residue::testing {

class AllocationFaultTest : public DmlTest {
 protected:
  // Runs `act` with the k-th allocation failing, for k = 0, 1, ... until nothing failed. `act` returns
  // whether it succeeded; `check` sees what a failure left behind. Returns how many failures there were.
  template <class Act, class Check>
  int ForEveryAllocation(const Act& act, const Check& check) {
    for (int k = 0;; ++k) {
      const int64_t before = LiveObjectCount();
      failing_allocator::failed = false;
      failing_allocator::allocations_left = k;
      const HRESULT result = act();
      failing_allocator::allocations_left = -1;
      if (!failing_allocator::failed) {
        EXPECT_TRUE(SUCCEEDED(result)) << "after " << k << " failures";
        AddFigure(Figure::kFaultScenarios, 1);
        AddFigure(Figure::kFaults, static_cast<uint64_t>(k));
        return k;
      }
      EXPECT_EQ(result, E_OUTOFMEMORY) << "allocation " << k;
      EXPECT_EQ(LiveObjectCount(), before) << "allocation " << k << " leaked an object";
      check();
      if (k > 1000) {
        ADD_FAILURE() << "no end";
        return k;
      }
    }
  }
  // For calls with a result pointer: it must come back null.
  template <class Create>
  int ForEveryAllocationOf(const Create& create) {
    void* result = nullptr;
    return ForEveryAllocation(
        [&] {
          result = this;
          const HRESULT hr = create(&result);
          if (SUCCEEDED(hr) && result != nullptr) static_cast<IUnknown*>(result)->Release();
          return hr;
        },
        [&] {
          EXPECT_EQ(result, nullptr);
          EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK)
              << "methods with an HRESULT do not remove the device";
        });
  }
};

}  // namespace residue::testing
