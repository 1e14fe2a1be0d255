// Contract, section 9: RecordDispatch (R140-R154).
#include <thread>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

TEST_F(ContractTest, R140_ListsMustBeOpenAndComputeCapable) {
  const auto attempt = [&](D3D12_COMMAND_LIST_TYPE type, bool closed) {
    return Removes([&] {
      const auto compiled = CompileModulus(kFloor, Int32({2}));
      const auto table = MakeTable(compiled.Get());
      const auto a = MakeBuffer(8);
      const auto out = MakeBuffer(8);
      BindInputs(table.Get(), {a, a});
      BindOutputs(table.Get(), {out});
      const auto [allocator, list] = MakeList(type);
      if (closed) {
        ASSERT_EQ(list->Close(), S_OK);
      }
      recorder_->RecordDispatch(list.Get(), compiled.Get(), table.Get());
    });
  };
  EXPECT_FALSE(attempt(D3D12_COMMAND_LIST_TYPE_DIRECT, false));
  EXPECT_FALSE(attempt(D3D12_COMMAND_LIST_TYPE_COMPUTE, false));
  EXPECT_TRUE(attempt(D3D12_COMMAND_LIST_TYPE_COPY, false));
  EXPECT_TRUE(attempt(D3D12_COMMAND_LIST_TYPE_DIRECT, true));
}

TEST_F(ContractTest, R141_NullArgumentsAndForeignTables) {
  for (int missing = 0; missing < 4; ++missing) {
    const bool removed = Removes([&] {
      const auto compiled = CompileModulus(kFloor, Int32({2}));
      const auto table = MakeTable(compiled.Get());
      const auto a = MakeBuffer(8);
      const auto out = MakeBuffer(8);
      BindInputs(table.Get(), {a, a});
      BindOutputs(table.Get(), {out});
      recorder_->RecordDispatch(missing == 0 ? nullptr : list_.Get(), missing == 1 ? nullptr : compiled.Get(),
                                missing == 2 ? nullptr : table.Get());
    });
    EXPECT_EQ(removed, missing != 3) << missing;
  }
  EXPECT_TRUE(Removes([&] {
    const auto op = MakeModulus(kFloor, Int32({2}));
    const auto first = Compile(op.Get());
    const auto second = Compile(op.Get());
    const auto table = MakeTable(first.Get());
    const auto a = MakeBuffer(8);
    const auto out = MakeBuffer(8);
    BindInputs(table.Get(), {a, a});
    BindOutputs(table.Get(), {out});
    Record(second.Get(), table.Get());
  })) << "a table of another dispatchable";
}

TEST_F(ContractTest, R142_RecordingRunsNothing) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBufferOf<int32_t>({5, 5});
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ASSERT_EQ(list_->Close(), S_OK);
  Wait();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{5, 5}));
  SubmitAndWait();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R143_AClosedListMayRunAgainOnNewData) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ASSERT_EQ(list_->Close(), S_OK);
  SubmitAndWait();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
  Write<int32_t>(b.Get(), {5, -5});
  SubmitAndWait();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{3, -3}));
}

// A dispatch between two copies leaves the list's other commands as they were.
TEST_F(ContractTest, R144_OtherListStateIsUntouched) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto staged = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  const auto copy = MakeBuffer(8);
  list_->CopyResource(staged.Get(), a.Get());
  Transition(staged.Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {staged, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  Transition(out.Get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
  list_->CopyBufferRegion(copy.Get(), 0, out.Get(), 0, 8);
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(copy.Get(), 2), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R145_BindingsMustBeThereBeforeRecording) {
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({2}));
    const auto table = MakeTable(compiled.Get());
    Record(compiled.Get(), table.Get());
  }));
}

TEST_F(ContractTest, R146_VolatileBindingsAreReadAtSubmission) {
  const auto compiled = CompileModulus(kFloor, Int32({2}), DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto first = MakeBuffer(8);
  const auto second = MakeBuffer(8);
  const auto table = MakeTable(compiled.Get());
  Record(compiled.Get(), table.Get());  // nothing is bound yet
  EXPECT_FALSE(IsRemoved());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {first});
  ASSERT_EQ(list_->Close(), S_OK);
  SubmitAndWait();
  EXPECT_EQ(Read<int32_t>(first.Get(), 2), (std::vector<int32_t>{2, 1}));
  BindOutputs(table.Get(), {second});
  SubmitAndWait();
  EXPECT_EQ(Read<int32_t>(second.Get(), 2), (std::vector<int32_t>{2, 1}));
  EXPECT_FALSE(IsRemoved());
  BindOutputs(table.Get(), {nullptr});
  SubmitAndWait();
  EXPECT_TRUE(IsRemoved()) << "missing at submission";
}

TEST_F(ContractTest, R146_VolatileDispatchesSurviveTheTable) {
  const auto compiled = CompileModulus(kFloor, Int32({2}), DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  ComPtr<IDMLBindingTable> table = MakeTable(compiled.Get());
  Record(compiled.Get(), table.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  const DML_BINDING_TABLE_DESC desc = TableDesc(compiled.Get());
  ASSERT_EQ(table->Reset(&desc), S_OK);
  table.Reset();
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R147_OtherBindingsAreFixedWhenRecorded) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  const auto other = MakeBufferOf<int32_t>({5, 5});
  ComPtr<IDMLBindingTable> table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  BindOutputs(table.Get(), {other});
  table.Reset();
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
  EXPECT_EQ(Read<int32_t>(other.Get(), 2), (std::vector<int32_t>{5, 5}));
}

TEST_F(ContractTest, R148_DispatchesRunInOrder) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  // x mod 100, then mod 7 of that, then mod 3: every other order gives another result.
  const auto x = MakeBufferOf<int32_t>({12419, 11888});
  const std::vector<ComPtr<ID3D12Resource>> divisors = {
      MakeBufferOf<int32_t>({100, 100}), MakeBufferOf<int32_t>({7, 7}), MakeBufferOf<int32_t>({3, 3})};
  for (const auto& divisor : divisors) {
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {x, divisor});
    BindOutputs(table.Get(), {x});
    Record(compiled.Get(), table.Get());
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    barrier.UAV.pResource = x.Get();
    list_->ResourceBarrier(1, &barrier);
  }
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(x.Get(), 2), (std::vector<int32_t>{12419 % 100 % 7 % 3, 11888 % 100 % 7 % 3}));
}

TEST_F(ContractTest, R149_ResourcesInCommonStateAreUsed) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  const auto a = MakeBufferIn(D3D12_HEAP_TYPE_DEFAULT, 8);
  const auto out = MakeBufferIn(D3D12_HEAP_TYPE_DEFAULT, 8);
  const auto upload = MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 8);
  const auto readback = MakeBufferIn(D3D12_HEAP_TYPE_READBACK, 8);
  Write<int32_t>(upload.Get(), {-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  list_->CopyResource(a.Get(), upload.Get());
  Transition(a.Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  Transition(out.Get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
  list_->CopyResource(readback.Get(), out.Get());
  ExecuteList();
  EXPECT_EQ(Read<int32_t>(readback.Get(), 2), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R150_InputsAreNotWrittenAndOutputsNotBeyondTheirSize) {
  for (const UINT count : {1u, 3u, 17u, 100u}) {
    const auto compiled = CompileModulus(kFloor, Int32({count}));
    Initialize(compiled.Get());
    const auto a = MakeBufferOf(std::vector<int32_t>(count + 8, -7));
    const auto b = MakeBufferOf(std::vector<int32_t>(count + 8, 3));
    const auto out = MakeBufferOf(std::vector<int32_t>(count + 8, 99));
    Run(compiled.Get(), {a, b}, {{out.Get(), 16, 4 * count + 16}});
    EXPECT_EQ(Read<int32_t>(a.Get(), count + 8), std::vector<int32_t>(count + 8, -7));
    EXPECT_EQ(Read<int32_t>(b.Get(), count + 8), std::vector<int32_t>(count + 8, 3));
    const auto result = Read<int32_t>(out.Get(), count + 8);
    for (UINT i = 0; i < count + 8; ++i) {
      EXPECT_EQ(result[i], i < 4 || i >= count + 4 ? 99 : 2) << count << " " << i;
    }
  }
}

TEST_F(ContractTest, R151_OneRecorderForManyThreads) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  Initialize(compiled.Get());
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      const auto [allocator, list] = MakeList(D3D12_COMMAND_LIST_TYPE_COMPUTE);
      const auto a = MakeBuffer(8);
      const auto out = MakeBuffer(8);
      const auto table = MakeTable(compiled.Get());
      BindInputs(table.Get(), {a, a});
      BindOutputs(table.Get(), {out});
      for (int i = 0; i < 50; ++i) recorder_->RecordDispatch(list.Get(), compiled.Get(), table.Get());
      list->Close();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R152_RecordingTakesNoReferences) {
  const auto compiled = CompileModulus(kFloor, Int32({2}));
  const auto table = MakeTable(compiled.Get());
  const auto a = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  BindInputs(table.Get(), {a, a});
  BindOutputs(table.Get(), {out});
  const ULONG list = CountReferences(list_.Get());
  const ULONG dispatchable = CountReferences(compiled.Get());
  const ULONG tables = CountReferences(table.Get());
  for (int i = 0; i < 3; ++i) Record(compiled.Get(), table.Get());
  EXPECT_EQ(CountReferences(list_.Get()), list);
  EXPECT_EQ(CountReferences(compiled.Get()), dispatchable);
  EXPECT_EQ(CountReferences(table.Get()), tables);
}

TEST_F(ContractTest, R153_OneDispatchableWithManyTables) {
  const auto compiled = CompileModulus(kFloor, Int32({1}));
  Initialize(compiled.Get());
  const auto b = MakeBufferOf<int32_t>({10});
  std::vector<ComPtr<ID3D12Resource>> outs;
  for (int32_t i = 0; i < 20; ++i) {
    const auto a = MakeBufferOf<int32_t>({i * 7});
    outs.push_back(MakeBuffer(4));
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {a, b});
    BindOutputs(table.Get(), {outs.back()});
    Record(compiled.Get(), table.Get());
  }
  ExecuteList();
  for (int32_t i = 0; i < 20; ++i)
    EXPECT_EQ(Read<int32_t>(outs[static_cast<size_t>(i)].Get(), 1)[0], i * 7 % 10);
}

TEST_F(ContractTest, R154_TablesOfInitializersAndOperatorsAreNotMixed) {
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({2}));
    const auto initializer = MakeInitializer({compiled.Get()});
    Record(compiled.Get(), MakeTable(initializer.Get()).Get());
  }));
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({2}));
    const auto initializer = MakeInitializer({compiled.Get()});
    const auto table = MakeTable(compiled.Get());
    const auto a = MakeBuffer(8);
    const auto out = MakeBuffer(8);
    BindInputs(table.Get(), {a, a});
    BindOutputs(table.Get(), {out});
    Record(initializer.Get(), table.Get());
  }));
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({2}));
    const auto initializer = MakeInitializer({compiled.Get()});
    const auto table = MakeTable(initializer.Get());
    ASSERT_EQ(initializer->Reset(0, nullptr), S_OK);
    Record(initializer.Get(), table.Get());
  })) << "the table knows the targets before Reset";
}

}  // namespace
}  // namespace residue::testing
