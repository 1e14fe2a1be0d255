// Eight threads, one device, one compiled operator: every call that may be made from any thread, mixed, while
// each thread dispatches and checks its own results. Work is too small for oneTBB, whose threads a sanitizer
// would not see; the injected pool brings threads of its own.
#include <atomic>
#include <thread>

#include "cpu/engine/run.h"
#include "support/dml_fixture.h"
#include "support/figures.h"
#include "support/packed_request.h"
#include "support/thread_pool.h"
#include "support/tier.h"
#include "support/two_inputs.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

constexpr int kThreads = 8;
constexpr UINT kCount = 32;
constexpr int kDispatchesPerList = 50;

class StressTest : public DmlTest {
 protected:
  struct Shared {
    ComPtr<IDMLOperator> op;
    ComPtr<IDMLCompiledOperator> compiled;
    ComPtr<IDMLCompiledOperator> chain;  // needs temporary memory
  };

  // What one thread has to itself: its list, its buffers, its part of the descriptors.
  class Worker {
   public:
    Worker(StressTest* test, Shared* shared, uint64_t seed) : test_(*test), shared_(*shared), random_(seed) {
      EXPECT_EQ(test_.d3d_->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator_)),
                S_OK);
      EXPECT_EQ(test_.d3d_->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator_.Get(), nullptr,
                                              IID_PPV_ARGS(&list_)),
                S_OK);
      EXPECT_EQ(test_.d3d_->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence_)), S_OK);
      const D3D12_DESCRIPTOR_HEAP_DESC heap = {D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 64,
                                               D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
      EXPECT_EQ(test_.d3d_->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&descriptors_)), S_OK);
      std::vector<int32_t> a(kCount);
      std::vector<int32_t> b(kCount);
      for (UINT i = 0; i < kCount; ++i) {
        a[i] = static_cast<int32_t>(random_.Next());
        b[i] = static_cast<int32_t>(random_.Between(1, 1000));
        expected_.push_back((a[i] % b[i] + b[i]) % b[i]);
      }
      a_ = test_.MakeBufferOf(a);
      b_ = test_.MakeBufferOf(b);
      out_ = test_.MakeBuffer(kCount * 4);
      temporary_ = test_.MakeBuffer(65536);
    }

    void Run(uint64_t dispatches) {
      for (uint64_t done = 0; done < dispatches; done += kDispatchesPerList) {
        for (int i = 0; i < kDispatchesPerList; ++i) {
          Dispatch();
          if (random_.OneIn(8)) CallSomething();
        }
        ASSERT_NO_FATAL_FAILURE(ExecuteAndCheck());
        AddFigure(Figure::kDispatches, kDispatchesPerList);
      }
    }

   private:
    void Dispatch() {
      IDMLCompiledOperator* compiled = random_.OneIn(4) ? shared_.chain.Get() : shared_.compiled.Get();
      const DML_BINDING_TABLE_DESC desc = {compiled, descriptors_->GetCPUDescriptorHandleForHeapStart(),
                                           descriptors_->GetGPUDescriptorHandleForHeapStart(), 64};
      ComPtr<IDMLBindingTable> table;
      ASSERT_EQ(test_.dml_->CreateBindingTable(&desc, IID_PPV_ARGS(&table)), S_OK);
      BindInputs(table.Get(), {a_, b_});
      BindOutputs(table.Get(), {out_});
      if (compiled->GetBindingProperties().TemporaryResourceSize != 0) BindTemporary(table.Get(), temporary_);
      test_.recorder_->RecordDispatch(list_.Get(), compiled, table.Get());
    }

    void ExecuteAndCheck() {
      ASSERT_EQ(list_->Close(), S_OK);
      ID3D12CommandList* lists[] = {list_.Get()};
      test_.queue_->ExecuteCommandLists(1, lists);
      ASSERT_EQ(test_.queue_->Signal(fence_.Get(), ++fence_value_), S_OK);
      ASSERT_EQ(fence_->SetEventOnCompletion(fence_value_, nullptr), S_OK);
      ASSERT_EQ(test_.dml_->GetDeviceRemovedReason(), S_OK);
      ASSERT_EQ(Read<int32_t>(out_.Get(), kCount), expected_);
      std::memset(Data<std::byte>(out_.Get()), 0, kCount * 4);
      ASSERT_EQ(allocator_->Reset(), S_OK);
      ASSERT_EQ(list_->Reset(allocator_.Get(), nullptr), S_OK);
    }

    // Everything that R14, R31, R41, R87 and R151 call safe.
    void CallSomething() {
      const GUID key = {static_cast<uint32_t>(random_.Below(3)), 0, 0, {}};
      const uint32_t value = 7;
      switch (random_.Below(12)) {
        case 0:
          EXPECT_NE(test_.MakeModulus(random_.OneIn(2) ? kFloor : kTruncate, Int32({5})).Get(), nullptr);
          break;
        case 1:
          EXPECT_NE(test_.Compile(shared_.op.Get()).Get(), nullptr);
          break;
        case 2:
          EXPECT_NE(test_.CompileChain(shared_.op.Get(), kCount).Get(), nullptr);
          break;
        case 3:
          EXPECT_NE(test_.MakeInitializer({shared_.compiled.Get(), shared_.chain.Get()}).Get(), nullptr);
          break;
        case 4:
          EXPECT_NE(test_.MakeRecorder(test_.dml_.Get()).Get(), nullptr);
          break;
        case 5:
          EXPECT_EQ(shared_.compiled->SetPrivateData(key, sizeof(value), &value), S_OK);
          break;
        case 6: {
          uint32_t found = 0;
          UINT size = sizeof(found);
          if (SUCCEEDED(shared_.compiled->GetPrivateData(key, &size, &found))) {
            EXPECT_EQ(found, value);
          }
          break;
        }
        case 7:
          EXPECT_EQ(shared_.chain->SetPrivateDataInterface(key, fence_.Get()), S_OK);
          EXPECT_EQ(shared_.chain->SetName(L"shared"), S_OK);
          break;
        case 8: {
          ComPtr<IDMLDevice> device;
          EXPECT_EQ(shared_.compiled->GetDevice(IID_PPV_ARGS(&device)), S_OK);
          ComPtr<IDMLPageable> pageable;
          EXPECT_EQ(shared_.compiled->QueryInterface(IID_PPV_ARGS(&pageable)), S_OK);
          IDMLPageable* objects[] = {pageable.Get()};
          EXPECT_EQ(device->Evict(1, objects), S_OK);
          EXPECT_EQ(device->MakeResident(1, objects), S_OK);
          break;
        }
        case 9: {
          const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {DML_TENSOR_DATA_TYPE_INT32};
          DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT answer{};
          EXPECT_EQ(test_.dml_->CheckFeatureSupport(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, sizeof(query),
                                                    &query, sizeof(answer), &answer),
                    S_OK);
          EXPECT_TRUE(answer.IsSupported);
          break;
        }
        case 10: {  // a refusal, which writes a message
          Tensor wrong = Int32({0});
          EXPECT_EQ(test_.TryWithA(wrong), E_INVALIDARG);
          break;
        }
        case 11: {
          ComPtr<IDMLDevice1> other;
          EXPECT_EQ(DMLCreateDevice(test_.d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&other)),
                    S_OK);
          break;
        }
      }
    }

    StressTest& test_;
    Shared& shared_;
    Random random_;
    ComPtr<ID3D12CommandAllocator> allocator_;
    ComPtr<ID3D12GraphicsCommandList> list_;
    ComPtr<ID3D12Fence> fence_;
    UINT64 fence_value_ = 0;
    ComPtr<ID3D12DescriptorHeap> descriptors_;
    ComPtr<ID3D12Resource> a_, b_, out_, temporary_;
    std::vector<int32_t> expected_;
  };
};

TEST_F(StressTest, EverySafeCallAtOnce) {
  Shared shared;
  shared.op = MakeModulus(kFloor, Int32({kCount}));
  shared.compiled = Compile(shared.op.Get());
  shared.chain = CompileChain(shared.op.Get(), kCount);
  Initialize(shared.compiled.Get());
  Initialize(shared.chain.Get());
  const uint64_t dispatches = ByTier(8'000, 300'000, 40'000'000) / kThreads;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back(
        [&, t] { Worker(this, &shared, Seed() + 100 + static_cast<uint64_t>(t)).Run(dispatches); });
  }
  for (std::thread& thread : threads) thread.join();
}

// One plan, many callers, each with its own pool and its own output.
TEST(StressEngineTest, OnePlanFromManyThreads) {
  constexpr size_t kElements = 1 << 19;  // enough to be shared out
  std::vector<int8_t> a(kElements);
  std::vector<int8_t> b(kElements);
  Random random(Seed());
  for (size_t i = 0; i < kElements; ++i) {
    a[i] = static_cast<int8_t>(random.Next());
    b[i] = static_cast<int8_t>(random.Next());
  }
  const OpRequest request = PackedRequest(OperatorId::kModulusFloor, DataType::kInt8, kElements);
  Plan plan;
  ASSERT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
  const auto addresses = [&](std::vector<int8_t>* out) {
    return AddressesOf(a.data(), b.data(), out->data());
  };
  std::vector<int8_t> expected(kElements);
  ASSERT_TRUE(residue::Run(plan, addresses(&expected), SerialExecutor()).ok());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::vector<int8_t> out(kElements);
      for (uint64_t round = 0; round < ByTier(5, 50, 500); ++round) {
        if (!residue::Run(plan, addresses(&out), PlainThreads(1 + t % 4)).ok() || out != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace residue::testing
