// Every object of a program that has submitted work, released in every order: nothing crashes, nothing is
// left.
#include <algorithm>
#include <numeric>

#include "support/dml_fixture.h"
#include "support/figures.h"
#include "support/tier.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

class ReleaseOrderTest : public DmlTest {
 protected:
  // One of everything, with a dispatch submitted that may still be running.
  std::vector<ComPtr<IUnknown>> MakeEverything() {
    DmlTest::SetUp();
    const auto op = MakeModulus(kFloor, Int32({16}));
    const auto compiled = Compile(op.Get());
    const auto initializer = MakeInitializer({compiled.Get()});
    const auto initializer_table = MakeTable(initializer.Get());
    const auto table = MakeTable(compiled.Get());
    const auto a = MakeBuffer(64);
    const auto b = MakeBuffer(64);
    const auto out = MakeBuffer(64);
    BindInputs(table.Get(), {a, b});
    BindOutputs(table.Get(), {out});
    Record(initializer.Get(), initializer_table.Get());
    Record(compiled.Get(), table.Get());
    EXPECT_EQ(list_->Close(), S_OK);
    ID3D12CommandList* lists[] = {list_.Get()};
    queue_->ExecuteCommandLists(1, lists);
    EXPECT_EQ(queue_->Signal(fence_.Get(), ++fence_value_), S_OK);
    EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
    std::vector<ComPtr<IUnknown>> all;
    const auto keep = [&](IUnknown* object) { all.emplace_back(object); };
    const auto take = [&](auto& member) {
      keep(member.Get());
      member.Reset();
    };
    for (IUnknown* object : std::initializer_list<IUnknown*>{op.Get(), compiled.Get(), initializer.Get(),
                                                             initializer_table.Get(), table.Get(), a.Get(),
                                                             b.Get(), out.Get()}) {
      keep(object);
    }
    take(d3d_);
    take(queue_);
    take(allocator_);
    take(list_);
    take(fence_);
    take(descriptors_);
    take(dml_);
    take(recorder_);
    return all;
  }

  void ReleaseIn(const std::vector<size_t>& order) {
    auto all = MakeEverything();
    ASSERT_EQ(all.size(), kObjects);
    for (const size_t i : order) all[i].Reset();
    ASSERT_EQ(LiveObjectCount(), 0);
    AddFigure(Figure::kReleaseOrders, 1);
  }

  static constexpr size_t kObjects = 16;
};

// Every object first and last, forwards and backwards; then as many whole orders as the tier allows.
TEST_F(ReleaseOrderTest, AnyOrder) {
  DmlTest::TearDown();
  std::vector<size_t> order(kObjects);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t i = 0; i < kObjects; ++i) {
    std::rotate(order.begin(), order.begin() + 1, order.end());
    ASSERT_NO_FATAL_FAILURE(ReleaseIn(order));
    std::vector<size_t> backwards(order.rbegin(), order.rend());
    ASSERT_NO_FATAL_FAILURE(ReleaseIn(backwards));
  }
  Random random(Seed() + 31);
  for (uint64_t round = 0; round < ByTier(200, 3'000, 30'000); ++round) {
    for (size_t i = kObjects; i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(Seed()));
    ASSERT_NO_FATAL_FAILURE(ReleaseIn(order));
  }
}

}  // namespace
}  // namespace residue::testing
