// The debug layer's strict checks: each mistake that corrupts or hangs on a GPU is told, with the right
// number, and the same work done rightly is not.
#include <sys/wait.h>

#include <csignal>
#include <string>
#include <vector>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

constexpr auto kUnordered = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
constexpr auto kCopySource = D3D12_RESOURCE_STATE_COPY_SOURCE;
constexpr auto kCopyDest = D3D12_RESOURCE_STATE_COPY_DEST;

class StrictTest : public DmlTest {
 protected:
  void SetUp() override {
    SetDebugLayer(true);
    DmlTest::SetUp();
    SetDebugLayer(false);
    ASSERT_EQ(d3d_.As(&messages_), S_OK);
    compiled_ = CompileModulus(kFloor, Int32({4}));
    Initialize(compiled_.Get());
    for (auto& buffer : buffers_) buffer = MakeBuffer(16);
    ASSERT_EQ(Told(), std::vector<D3D12_MESSAGE_ID>());
  }
  void TearDown() override {
    for (auto& buffer : buffers_) buffer.Reset();
    compiled_.Reset();
    messages_.Reset();
    DmlTest::TearDown();
  }

  // A table over the descriptors from number `first` on.
  ComPtr<IDMLBindingTable> TableAt(UINT first, ID3D12Resource* a, ID3D12Resource* out) {
    DML_BINDING_TABLE_DESC desc = TableDesc(compiled_.Get());
    const UINT64 step =
        UINT64{first} * d3d_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
    desc.CPUDescriptorHandle.ptr += step;
    desc.GPUDescriptorHandle.ptr += step;
    desc.SizeInDescriptors = 16;
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
    BindInputs(table.Get(), {a, buffers_[1].Get()});
    BindOutputs(table.Get(), {out});
    return table;
  }
  void Dispatch(UINT first, int a, int out) {
    Record(compiled_.Get(), TableAt(first, buffers_[a].Get(), buffers_[out].Get()).Get());
  }
  void BarrierOf(ID3D12Resource* buffer) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    barrier.UAV.pResource = buffer;
    list_->ResourceBarrier(1, &barrier);
  }
  // The numbers of all messages since the last call.
  std::vector<D3D12_MESSAGE_ID> Told() {
    std::vector<D3D12_MESSAGE_ID> ids;
    for (UINT64 i = 0; i < messages_->GetNumStoredMessages(); ++i) {
      const StoredMessage message = ReadMessage(messages_.Get(), i);
      EXPECT_EQ(message.severity, D3D12_MESSAGE_SEVERITY_ERROR) << message.text;
      ids.push_back(message.id);
      last_text_ = message.text;
    }
    messages_->ClearStoredMessages();
    return ids;
  }
  void ExpectTold(std::vector<D3D12_MESSAGE_ID> ids) { EXPECT_EQ(Told(), ids) << last_text_; }
  void ExecuteAndExpect(std::vector<D3D12_MESSAGE_ID> ids) {
    ExecuteList();
    ExpectTold(std::move(ids));
  }

  ComPtr<ID3D12InfoQueue> messages_;
  ComPtr<IDMLCompiledOperator> compiled_;
  ComPtr<ID3D12Resource> buffers_[4];
  std::string last_text_;
};

TEST_F(StrictTest, DispatchesWithoutTheirDescriptorHeap) {
  list_->SetDescriptorHeaps(0, nullptr);
  Dispatch(0, 0, 2);
  ExecuteAndExpect({D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID});
  ComPtr<ID3D12DescriptorHeap> other;
  const D3D12_DESCRIPTOR_HEAP_DESC desc = descriptors_->GetDesc();
  ASSERT_EQ(d3d_->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&other)), S_OK);
  ID3D12DescriptorHeap* heaps[] = {other.Get()};
  list_->SetDescriptorHeaps(1, heaps);
  Dispatch(0, 0, 2);
  ExecuteAndExpect({D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID});
  Dispatch(0, 0, 2);
  ExecuteAndExpect({});
}

TEST_F(StrictTest, TwoTablesOverTheSameDescriptors) {
  Dispatch(0, 0, 2);
  Dispatch(0, 0, 3);
  ExecuteAndExpect({D3D12_MESSAGE_ID_STATIC_DESCRIPTOR_INVALID_DESCRIPTOR_CHANGE});
  Dispatch(0, 0, 2);
  Dispatch(16, 0, 3);
  ExecuteAndExpect({});
  const auto table = TableAt(0, buffers_[0].Get(), buffers_[2].Get());
  Record(compiled_.Get(), table.Get());
  BarrierOf(nullptr);
  Record(compiled_.Get(), table.Get());
  ExecuteAndExpect({});
}

TEST_F(StrictTest, DependentDispatchesWithoutABarrier) {
  constexpr auto kMissing = D3D12_MESSAGE_ID_GPU_BASED_VALIDATION_INCOMPATIBLE_RESOURCE_STATE;
  Dispatch(0, 0, 2);
  Dispatch(16, 2, 3);  // reads what was written
  ExecuteAndExpect({kMissing});
  Dispatch(0, 0, 2);
  Dispatch(16, 0, 2);  // writes it again
  ExecuteAndExpect({kMissing});
  Dispatch(0, 2, 3);
  Dispatch(16, 0, 2);  // writes what was read
  ExecuteAndExpect({kMissing});
  for (ID3D12Resource* barrier : {buffers_[2].Get(), static_cast<ID3D12Resource*>(nullptr)}) {
    Dispatch(0, 0, 2);
    BarrierOf(barrier);
    Dispatch(16, 2, 3);
    ExecuteAndExpect({});
  }
  Dispatch(0, 0, 2);
  BarrierOf(buffers_[0].Get());  // of another buffer
  Dispatch(16, 2, 3);
  ExecuteAndExpect({kMissing});
  Dispatch(0, 0, 2);  // two that only read the same
  Dispatch(16, 0, 3);
  ExecuteAndExpect({});
}

TEST_F(StrictTest, TheSecondOfTwoListsDependsOnTheFirst) {
  const auto [allocator, second] = MakeList();
  Dispatch(0, 0, 2);
  recorder_->RecordDispatch(second.Get(), compiled_.Get(),
                            TableAt(16, buffers_[2].Get(), buffers_[3].Get()).Get());
  ASSERT_EQ(list_->Close(), S_OK);
  ASSERT_EQ(second->Close(), S_OK);
  ID3D12CommandList* lists[] = {list_.Get(), second.Get()};
  queue_->ExecuteCommandLists(2, lists);
  Wait();
  ExpectTold({D3D12_MESSAGE_ID_GPU_BASED_VALIDATION_INCOMPATIBLE_RESOURCE_STATE});
  queue_->ExecuteCommandLists(1, lists);  // one call after the other: the first is done before the second
  queue_->ExecuteCommandLists(1, lists + 1);
  Wait();
  ExpectTold({});
}

TEST_F(StrictTest, StatesOfBuffers) {
  const auto upload = MakeBufferIn(D3D12_HEAP_TYPE_UPLOAD, 16);
  const auto readback = MakeBufferIn(D3D12_HEAP_TYPE_READBACK, 16);
  ID3D12Resource* buffer = buffers_[0].Get();
  list_->CopyResource(buffer, upload.Get());  // promoted from the common state
  Transition(buffer, kCopyDest, kUnordered);
  Dispatch(0, 0, 2);
  Transition(buffers_[2].Get(), kUnordered, kCopySource);
  list_->CopyResource(readback.Get(), buffers_[2].Get());
  ExecuteAndExpect({});
  list_->CopyResource(buffer, upload.Get());
  Dispatch(0, 0, 2);  // still a copy's destination
  ExecuteAndExpect({D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE});
  Dispatch(0, 0, 2);
  list_->CopyResource(readback.Get(), buffers_[2].Get());
  ExecuteAndExpect({D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE});
  Dispatch(0, 0, 2);
  Transition(buffers_[2].Get(), kCopySource, kCopyDest);
  ExecuteAndExpect({D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH});
  Transition(buffer, kUnordered, kUnordered);
  ExecuteAndExpect({D3D12_MESSAGE_ID_RESOURCE_BARRIER_MATCHING_STATES});
  Transition(upload.Get(), D3D12_RESOURCE_STATE_GENERIC_READ, kCopySource);
  ExecuteAndExpect({D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_HEAP});
  // Every call begins in the common state, which becomes what a transition says.
  Transition(buffer, kUnordered, kCopySource);
  list_->CopyResource(readback.Get(), buffer);
  ExecuteAndExpect({});
}

TEST_F(StrictTest, MessagesNameTheBuffer) {
  ASSERT_EQ(buffers_[0]->SetName(L"weights"), S_OK);
  Transition(buffers_[0].Get(), kUnordered, kUnordered);
  ExecuteAndExpect({D3D12_MESSAGE_ID_RESOURCE_BARRIER_MATCHING_STATES});
  EXPECT_NE(last_text_.find("buffer 'weights'"), std::string::npos) << last_text_;
}

// By the name of the state that the program would have written, or its number.
TEST_F(StrictTest, MessagesNameTheStates) {
  const std::pair<D3D12_RESOURCE_STATES, const char*> states[] = {
      {D3D12_RESOURCE_STATE_COMMON, "D3D12_RESOURCE_STATE_COMMON"},
      {D3D12_RESOURCE_STATE_GENERIC_READ, "D3D12_RESOURCE_STATE_GENERIC_READ"},
      {kCopySource, "D3D12_RESOURCE_STATE_COPY_SOURCE"},
      {D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT, "D3D12_RESOURCE_STATES 512"}};
  for (const auto& [state, name] : states) {
    Transition(buffers_[0].Get(), state, state);
    ExecuteAndExpect({D3D12_MESSAGE_ID_RESOURCE_BARRIER_MATCHING_STATES});
    EXPECT_NE(last_text_.find(name), std::string::npos) << last_text_ << " lacks " << name;
  }
}

// What times are written to is used as the destination of a copy is.
TEST_F(StrictTest, ResolvedQueriesUseTheirBuffer) {
  const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
  ComPtr<ID3D12QueryHeap> heap;
  ASSERT_EQ(d3d_->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
  const auto resolve = [&](int buffer) {
    list_->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
    list_->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 1, buffers_[buffer].Get(), 0);
  };
  resolve(0);
  ExecuteAndExpect({});
  Dispatch(0, 0, 2);
  resolve(2);
  ExecuteAndExpect({D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE});
}

// What would watch shaders and drivers may be asked for; there are none.
TEST_F(StrictTest, ValidationOfShadersChangesNothing) {
  ComPtr<ID3D12Debug4> debug;
  ASSERT_EQ(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)), S_OK);
  debug->SetEnableGPUBasedValidation(TRUE);
  debug->SetEnableSynchronizedCommandQueueValidation(TRUE);
  debug->SetGPUBasedValidationFlags(D3D12_GPU_BASED_VALIDATION_FLAGS_NONE);
  Dispatch(0, 0, 2);
  ExecuteAndExpect({});
}

TEST_F(StrictTest, AllocatorsOfListsThatRun) {
  Dispatch(0, 0, 2);
  ASSERT_EQ(list_->Close(), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  EXPECT_EQ(allocator_->Reset(), S_OK);
  ExpectTold({D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC});
  Wait();
  EXPECT_EQ(allocator_->Reset(), S_OK);
  ExpectTold({});
}

TEST_F(StrictTest, BuffersThatAreReleasedTooEarly) {
  Dispatch(0, 0, 2);
  ASSERT_EQ(list_->Close(), S_OK);
  ID3D12CommandList* lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  buffers_[2].Reset();
  ExpectTold({D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE});
  Wait();
  buffers_[0].Reset();
  ExpectTold({});
}

TEST_F(StrictTest, HandlesOfBindingTables) {
  const UINT64 step = d3d_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  const UINT needed = compiled_->GetBindingProperties().RequiredDescriptorCount;
  ASSERT_NE(needed, 0u);
  const auto make = [&](SIZE_T cpu, UINT64 gpu) {
    const DML_BINDING_TABLE_DESC desc = {compiled_.Get(), {cpu}, {gpu}, needed};
    ComPtr<IDMLBindingTable> table;
    EXPECT_EQ(dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
    std::vector<D3D12_MESSAGE_ID> told = Told();
    EXPECT_TRUE(told.empty() || told == std::vector{D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE});
    return told.empty() ? std::string() : last_text_;
  };
  const SIZE_T begin = descriptors_->GetCPUDescriptorHandleForHeapStart().ptr;
  const SIZE_T end = begin + kTables * kTableDescriptors * step;
  EXPECT_EQ(make(begin, begin), "");
  EXPECT_EQ(make(begin + (kTables * kTableDescriptors - needed) * step,
                 begin + (kTables * kTableDescriptors - needed) * step),
            "");
  EXPECT_NE(make(1, 1).find("not a descriptor of any heap"), std::string::npos);
  EXPECT_NE(make(end, end).find("not a descriptor"), std::string::npos);
  if (needed > 1) {
    EXPECT_NE(make(end - step, end - step).find("beyond the end"), std::string::npos);
  }
  EXPECT_NE(make(begin, begin + step).find("same descriptor"), std::string::npos);
  for (const auto& [type, flags, text] :
       {std::tuple(D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE,
                   "another type"),
        std::tuple(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, D3D12_DESCRIPTOR_HEAP_FLAG_NONE,
                   "SHADER_VISIBLE")}) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {type, 64, flags, 0};
    ComPtr<ID3D12DescriptorHeap> heap;
    ASSERT_EQ(d3d_->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)), S_OK);
    const SIZE_T start = heap->GetCPUDescriptorHandleForHeapStart().ptr;
    EXPECT_NE(make(start, start).find(text), std::string::npos) << text;
  }
}

TEST_F(StrictTest, RefusalsOfARecordingSayWhy) {
  const auto small = MakeBuffer(8);
  list_->CopyResource(small.Get(), buffers_[0].Get());
  EXPECT_EQ(list_->Close(), E_INVALIDARG);
  ExpectTold({D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE});
  EXPECT_NE(last_text_.find("same width"), std::string::npos);
  ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
  list_->CopyBufferRegion(small.Get(), 4, buffers_[0].Get(), 0, 8);
  ExpectTold({D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS});
  list_->CopyBufferRegion(small.Get(), 0, buffers_[0].Get(), 12, 8);
  ExpectTold({D3D12_MESSAGE_ID_COPYBUFFERREGION_SRCRANGEOUTOFBOUNDS});
  list_->Dispatch(1, 1, 1);
  ExpectTold({D3D12_MESSAGE_ID_UNKNOWN});
  EXPECT_NE(last_text_.find("Dispatch is not supported"), std::string::npos);
}

// The device of the environment variable writes what it has to say, and nobody reads the info queue.
TEST_F(StrictTest, TheEnvironmentTurnsItOn) {
  TearDown();
  const Environment strict("RESIDUE_D3D12_STRICT", "1");
  DebugStrings strings;
  DmlTest::SetUp();
  list_->CopyResource(nullptr, nullptr);
  EXPECT_TRUE(strings.Contains("D3D12 ERROR: the destination of a copy"));
  ASSERT_EQ(d3d_.As(&messages_), S_OK);
  EXPECT_EQ(messages_->GetNumStoredMessages(), 1u);
  messages_->SetMuteDebugOutput(TRUE);
  strings.texts.clear();
  list_->CopyResource(nullptr, nullptr);
  EXPECT_TRUE(strings.texts.empty());
}

TEST_F(StrictTest, BreaksIfAsked) {
  const auto break_in_child = [&](const std::function<void()>& ask) {
    const pid_t child = fork();
    if (child == 0) {
      ask();
      list_->CopyResource(nullptr, nullptr);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP;
  };
  EXPECT_FALSE(break_in_child([] {}));
  EXPECT_TRUE(break_in_child([&] { messages_->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, TRUE); }));
  EXPECT_TRUE(break_in_child(
      [&] { messages_->SetBreakOnID(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE, TRUE); }));
  EXPECT_TRUE(break_in_child([&] { messages_->SetBreakOnCategory(D3D12_MESSAGE_CATEGORY_EXECUTION, TRUE); }));
  EXPECT_FALSE(break_in_child([&] {
    messages_->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, TRUE);
    messages_->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, FALSE);
  }));
}

}  // namespace
}  // namespace residue::testing
