// Contract, section 12: binding hazards and in-place execution (R170-R184).
#include "cpu/rows/reference.h"
#include "support/dml_fixture.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

// One 16-byte tensor per binding; where each lies in which buffer.
struct Spot {
  ID3D12Resource* buffer;
  UINT64 offset;
};

#define EXECUTION_REMOVES(a_spot, b_spot, out_spot)                                \
  Removes([&] {                                                                    \
    const auto compiled = CompileModulus(kFloor, Int32({4}));                      \
    const auto table = MakeTable(compiled.Get());                                  \
    const Spot a = a_spot, b = b_spot, out = out_spot;                             \
    BindInputs(table.Get(), {{a.buffer, a.offset, 16}, {b.buffer, b.offset, 16}}); \
    BindOutputs(table.Get(), {{out.buffer, out.offset, 16}});                      \
    Record(compiled.Get(), table.Get());                                           \
  })

// A second target is there so that two outputs exist.
#define INITIALIZATION_REMOVES(input_spot, first_output, second_output)                 \
  Removes([&] {                                                                         \
    Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {4}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);    \
    Tensor plain = Int32({4});                                                          \
    const auto first = Compile(MakeOperator(kFloor, plain, owned, plain).Get());        \
    const auto second = Compile(MakeOperator(kFloor, plain, owned, plain).Get());       \
    const auto initializer = MakeInitializer({first.Get(), second.Get()});              \
    const auto table = MakeTable(initializer.Get());                                    \
    const Spot in = input_spot, o1 = first_output, o2 = second_output;                  \
    BindArrays(table.Get(), {{{nullptr, 0, 0}, {in.buffer, in.offset, 16}},             \
                             {{nullptr, 0, 0}, {in.buffer, in.offset, 16}}});           \
    BindOutputs(table.Get(), {{o1.buffer, o1.offset, 16}, {o2.buffer, o2.offset, 16}}); \
    Record(initializer.Get(), table.Get());                                             \
  })

#define BUFFERS                       \
  const auto x_ = MakeBuffer(4096);   \
  const auto y_ = MakeBuffer(4096);   \
  const auto z_ = MakeBuffer(4096);   \
  ID3D12Resource* const x = x_.Get(); \
  ID3D12Resource* const y = y_.Get(); \
  ID3D12Resource* const z = z_.Get(); \
  (void)z

#define SPOT(buffer, offset) (Spot{buffer, offset})

TEST_F(ContractTest, R170_DifferentResources) {
  BUFFERS;
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(x, 0), SPOT(y, 0), SPOT(z, 0)));
  EXPECT_FALSE(INITIALIZATION_REMOVES(SPOT(x, 0), SPOT(y, 0), SPOT(z, 0)));
}

TEST_F(ContractTest, R171_InputsMayOverlap) {
  BUFFERS;
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(x, 0), SPOT(x, 0), SPOT(y, 0)));
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(x, 16), SPOT(x, 0), SPOT(y, 0)));
  EXPECT_FALSE(INITIALIZATION_REMOVES(SPOT(x, 16), SPOT(y, 0), SPOT(z, 0)))
      << "both targets read the same input";
}

TEST_F(ContractTest, R172_DisjointRangesOfOneResource) {
  BUFFERS;
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(x, 0), SPOT(x, 16), SPOT(x, 32)));
  EXPECT_TRUE(INITIALIZATION_REMOVES(SPOT(x, 0), SPOT(x, 256), SPOT(y, 0)));
}

TEST_F(ContractTest, R173_IdenticalRangesAreInPlace) {
  BUFFERS;
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(x, 0), SPOT(y, 0), SPOT(x, 0)));
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(x, 0), SPOT(y, 16), SPOT(y, 16)));
  EXPECT_TRUE(INITIALIZATION_REMOVES(SPOT(x, 0), SPOT(x, 0), SPOT(y, 0)));
}

TEST_F(ContractTest, R174_PartialOverlap) {
  BUFFERS;
  for (const UINT64 offset : {16u, 32u, 48u}) {
    const bool removed = Removes([&] {
      const auto compiled = CompileModulus(kFloor, Int32({8}));  // 32 bytes
      const auto table = MakeTable(compiled.Get());
      BindInputs(table.Get(), {{x, 0, 32}, {y, 0, 32}});
      BindOutputs(table.Get(), {{x, offset, 32}});
    });
    EXPECT_EQ(removed, offset < 32) << offset;
  }
  EXPECT_TRUE(INITIALIZATION_REMOVES(SPOT(x, 16), SPOT(x, 0), SPOT(y, 0)));
}

TEST_F(ContractTest, R175_PersistentAgainstOutput) {
  BUFFERS;
  Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {4}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  Tensor plain = Int32({4});
  for (const UINT64 output : {256u, 272u, 0u}) {
    const bool removed = Removes([&] {
      const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
      const auto table = MakeTable(compiled.Get());
      BindInputs(table.Get(), {{y, 0, 16}, {nullptr, 0, 0}});
      BindPersistent(table.Get(), {x, 256, 256});
      BindOutputs(table.Get(), {{x, output, 16}});
      Record(compiled.Get(), table.Get());
    });
    EXPECT_EQ(removed, output == 256) << output << ": only the 16 bytes that are used count";
  }
}

TEST_F(ContractTest, R176_TemporaryAgainstInputAndOutput) {
  BUFFERS;
  const auto attempt = [&](Spot input, Spot output, Spot temporary) {
    return Removes([&] {
      const auto compiled = CompileChain(MakeModulus(kFloor, Int32({4})).Get());
      const auto table = MakeTable(compiled.Get());
      BindTemporary(table.Get(), {temporary.buffer, temporary.offset, 256});
      BindInputs(table.Get(), {{input.buffer, input.offset, 16}, {z, 0, 16}});
      BindOutputs(table.Get(), {{output.buffer, output.offset, 16}});
      Record(compiled.Get(), table.Get());
    });
  };
  EXPECT_FALSE(attempt({x, 0}, {y, 0}, {x, 256}));
  EXPECT_TRUE(attempt({x, 256}, {y, 0}, {x, 256}));
  EXPECT_TRUE(attempt({x, 0}, {y, 256}, {y, 256}));
  EXPECT_TRUE(attempt({x, 0}, {x, 0}, {y, 0})) << "a graph of several nodes is not in place";
}

TEST_F(ContractTest, R176_TemporaryAgainstPersistent) {
  BUFFERS;
  Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {4}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  Tensor plain = Int32({4});
  for (const UINT64 offset : {0u, 256u}) {
    EXPECT_EQ(Removes([&] {
                const auto compiled = CompileChain(MakeOperator(kFloor, plain, owned, plain).Get());
                const auto table = MakeTable(compiled.Get());
                BindInputs(table.Get(), {{y, 0, 16}, {nullptr, 0, 0}});
                BindOutputs(table.Get(), {{z, 0, 16}});
                BindTemporary(table.Get(), {x, 0, 256});
                BindPersistent(table.Get(), {x, offset, 256});
                Record(compiled.Get(), table.Get());
              }),
              offset == 0);
  }
}

TEST_F(ContractTest, R177_PersistentAgainstInput) {
  BUFFERS;
  Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {4}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  Tensor plain = Int32({4});
  EXPECT_FALSE(Removes([&] {
    const auto compiled = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {{x, 0, 16}, {nullptr, 0, 0}});
    BindPersistent(table.Get(), {x, 0, 256});
    BindOutputs(table.Get(), {{y, 0, 16}});
    Record(compiled.Get(), table.Get());
  })) << "both are read";
}

TEST_F(ContractTest, R178_OutputsMustNotOverlap) {
  BUFFERS;
  EXPECT_FALSE(INITIALIZATION_REMOVES(SPOT(x, 0), SPOT(y, 0), SPOT(y, 256)));
  EXPECT_TRUE(INITIALIZATION_REMOVES(SPOT(x, 0), SPOT(y, 0), SPOT(y, 0)));
  EXPECT_FALSE(Removes([&] {
    Tensor owned(DML_TENSOR_DATA_TYPE_INT32, {256}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
    Tensor plain = Int32({256});
    const auto first = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
    const auto second = Compile(MakeOperator(kFloor, plain, plain, plain).Get());
    const auto initializer = MakeInitializer({first.Get(), second.Get()});
    const auto table = MakeTable(initializer.Get());
    BindArrays(table.Get(), {{{nullptr, 0, 0}, {x, 0, 1024}}, {{nullptr, 0, 0}, {nullptr, 0, 0}}});
    BindOutputs(table.Get(), {{y, 0, 1024}, {y, 512, 256}});
    Record(initializer.Get(), table.Get());
  })) << "an operator without persistent data writes nothing, wherever it was bound";
  const auto two_outputs = [&](UINT64 second) {
    return Removes([&] {
      const auto op = MakeModulus(kFloor, Int32({4}));
      const DML_OPERATOR_GRAPH_NODE_DESC node = {op.Get(), nullptr};
      const DML_GRAPH_NODE_DESC nodes[] = {{DML_GRAPH_NODE_TYPE_OPERATOR, &node},
                                           {DML_GRAPH_NODE_TYPE_OPERATOR, &node}};
      const DML_INPUT_GRAPH_EDGE_DESC in[] = {
          {0, 0, 0, nullptr}, {0, 0, 1, nullptr}, {0, 1, 0, nullptr}, {0, 1, 1, nullptr}};
      const DML_OUTPUT_GRAPH_EDGE_DESC out[] = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
      std::vector<DML_GRAPH_EDGE_DESC> ins;
      std::vector<DML_GRAPH_EDGE_DESC> outs;
      for (const auto& edge : in) ins.push_back({DML_GRAPH_EDGE_TYPE_INPUT, &edge});
      for (const auto& edge : out) outs.push_back({DML_GRAPH_EDGE_TYPE_OUTPUT, &edge});
      const DML_GRAPH_DESC graph = {1, 2, 2, nodes, 4, ins.data(), 2, outs.data(), 0, nullptr};
      ComPtr<IDMLCompiledOperator> compiled;
      ASSERT_EQ(dml_->CompileGraph(&graph, DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&compiled)), S_OK);
      const auto table = MakeTable(compiled.Get());
      BindInputs(table.Get(), {{x, 0, 16}});
      BindOutputs(table.Get(), {{y, 0, 64}, {y, second, 64}});
      Record(compiled.Get(), table.Get());
    });
  };
  EXPECT_TRUE(two_outputs(0));
  EXPECT_FALSE(two_outputs(16)) << "the bound ranges overlap, the tensors do not";
}

TEST_F(ContractTest, R179_AliasedHeapMemoryIsNotDetected) {
  const D3D12_HEAP_DESC heap_desc = DefaultHeapDesc();
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const D3D12_RESOURCE_DESC desc = BufferDesc(1024, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  ComPtr<ID3D12Resource> first;
  ComPtr<ID3D12Resource> second;
  ASSERT_EQ(d3d_->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                       IID_PPV_ARGS(&first)),
            S_OK);
  ASSERT_EQ(d3d_->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                       IID_PPV_ARGS(&second)),
            S_OK);
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(first.Get(), 0), SPOT(first.Get(), 0), SPOT(second.Get(), 0)));
  EXPECT_FALSE(EXECUTION_REMOVES(SPOT(first.Get(), 16), SPOT(first.Get(), 0), SPOT(second.Get(), 0)));
}

// The same place, and another size; or the same resource, and another place.
TEST_F(ContractTest, R182_OtherMappingElsewhere) {
  DebugStrings strings;
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  Tensor turned = Int32({3, 3}, {1, 3});
  Tensor one = Int32({3, 3}, {0, 0});
  Tensor plain = Int32({3, 3});
  const auto compiled = Compile(MakeOperator(kFloor, turned, one, plain).Get());
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<int32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const auto divisor = MakeBufferOf<int32_t>({100});
  strings.texts.clear();
  Run(compiled.Get(), {{x.Get(), 0, 36}, divisor}, {{x.Get(), 48, 36}});
  EXPECT_FALSE(IsRemoved());
  EXPECT_TRUE(strings.texts.empty());
  EXPECT_EQ(Read<int32_t>(x.Get(), 9, 48), (std::vector<int32_t>{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  Run(compiled.Get(), {x, {x.Get(), 0, 4}}, {{x.Get(), 0, 36}});
  EXPECT_TRUE(IsRemoved()) << "the divisor has the place of the output and another size";
}

TEST_F(ContractTest, R180_XModX) {
  for (const auto type : {kFloor, kTruncate}) {
    const auto compiled = CompileModulus(type, Int32({4}));
    Initialize(compiled.Get());
    const auto x = MakeBufferOf<int32_t>({-7, 0, INT32_MIN, 5});
    Run(compiled.Get(), {x, x}, {x});
    EXPECT_FALSE(IsRemoved());
    EXPECT_EQ(Read<int32_t>(x.Get(), 4), (std::vector<int32_t>{0, 0, 0, 0}));
  }
}

TEST_F(ContractTest, R181_RegionsAreTheTensorsNotTheBindings) {
  const auto x = MakeBuffer(4096);
  EXPECT_FALSE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({4}));
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {x, x});  // whole resources
    BindOutputs(table.Get(), {x});
    Record(compiled.Get(), table.Get());
  }));
  EXPECT_FALSE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({4}));
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {{x.Get(), 0, 4096}, {x.Get(), 16, 1024}});
    BindOutputs(table.Get(), {{x.Get(), 32, 64}});
    Record(compiled.Get(), table.Get());
  })) << "bound ranges overlap, tensors do not";
}

// Out and A share bytes, but A is transposed: right only if A is read as it was.
TEST_F(ContractTest, R182_SameRegionOtherMapping) {
  DebugStrings strings;
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  Tensor a = Int32({3, 3}, {1, 3});
  Tensor b = Int32({3, 3}, {0, 0});
  Tensor out = Int32({3, 3});
  const auto compiled = Compile(MakeOperator(kFloor, a, b, out).Get());
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<int32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8});
  const auto divisor = MakeBufferOf<int32_t>({100});
  Run(compiled.Get(), {x, divisor}, {x});
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<int32_t>(x.Get(), 9), (std::vector<int32_t>{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_TRUE(
      strings.Contains("[DIRECTML WARNING]: input 0 is bound where the output is, but has other strides"));
  strings.texts.clear();
  const auto plain = CompileModulus(kFloor, Int32({9}));
  Initialize(plain.Get());
  Run(plain.Get(), {x, x}, {x});
  EXPECT_TRUE(strings.texts.empty()) << "the usual in-place dispatch is not worth a warning";
}

// Every operator and type: Out == A and Out == B, packed and strided, against out of place.
TEST_F(ContractTest, R183_InPlaceEqualsOutOfPlace) {
  for (const auto op : {kFloor, kTruncate}) {
    for (const DataType type : kAllDataTypes) {
      if (type == DataType::kFloat64) continue;
      VisitType(type, [&]<class T>(T) {
        for (const bool strided : {false, true}) {
          const UINT count = 67;
          const Tensor like(static_cast<DML_TENSOR_DATA_TYPE>(type), {count},
                            strided ? std::vector<UINT>{3} : std::vector<UINT>{});
          const size_t elements = like.bytes() / sizeof(T);
          PairGenerator<T> generator(7);
          std::vector<T> a(elements);
          std::vector<T> b(elements);
          generator.Fill(a, b);
          const auto compiled = CompileModulus(op, like);
          Initialize(compiled.Get());
          const auto run = [&](int alias) {
            const auto a_buffer = MakeBuffer(like.bytes());
            const auto b_buffer = MakeBuffer(like.bytes());
            const auto c_buffer = MakeBuffer(like.bytes());
            Write(a_buffer.Get(), a);
            Write(b_buffer.Get(), b);
            const auto out = alias == 0 ? c_buffer : alias == 1 ? a_buffer : b_buffer;
            Run(compiled.Get(), {a_buffer, b_buffer}, {out});
            return Read<T>(out.Get(), elements);
          };
          const auto expected = run(0);
          for (const int alias : {1, 2}) {
            const auto got = run(alias);
            for (size_t i = 0; i < count; ++i) {
              const size_t at = strided ? 3 * i : i;
              ASSERT_EQ(ToBits(got[at]), ToBits(expected[at])) << DirectMlName(type) << " " << at;
              ASSERT_EQ(ToBits(expected[at]),
                        ToBits(reference::Evaluate(
                            op == kFloor ? OperatorId::kModulusFloor : OperatorId::kModulusTruncate, a[at],
                            b[at])));
            }
          }
        }
      });
    }
  }
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R184_OrderOfBindingDoesNotMatter) {
  const auto x = MakeBuffer(4096);
  const auto y = MakeBuffer(4096);
  for (const bool inputs_first : {true, false}) {
    EXPECT_TRUE(Removes([&] {
      const auto compiled = CompileModulus(kFloor, Int32({8}));
      const auto table = MakeTable(compiled.Get());
      if (inputs_first) BindInputs(table.Get(), {{x.Get(), 0, 32}, {y.Get(), 0, 32}});
      BindOutputs(table.Get(), {{x.Get(), 16, 32}});
      EXPECT_EQ(IsRemoved(), inputs_first);
      if (!inputs_first) BindInputs(table.Get(), {{x.Get(), 0, 32}, {y.Get(), 0, 32}});
      EXPECT_TRUE(IsRemoved());
    }));
  }
  // Rebinding may pass through a hazard, as long as it is gone when the table is recorded.
  EXPECT_FALSE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({8}));
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {{x.Get(), 0, 32}, {x.Get(), 0, 32}});
    BindOutputs(table.Get(), {{y.Get(), 0, 32}});
    BindInputs(table.Get(), {{y.Get(), 16, 32}, {y.Get(), 16, 32}});
    BindOutputs(table.Get(), {{x.Get(), 16, 32}});
    Record(compiled.Get(), table.Get());
  }));
  EXPECT_TRUE(Removes([&] {
    const auto compiled = CompileModulus(kFloor, Int32({8}));
    const auto table = MakeTable(compiled.Get());
    BindInputs(table.Get(), {{x.Get(), 0, 32}, {x.Get(), 0, 32}});
    BindOutputs(table.Get(), {{y.Get(), 0, 32}});
    BindInputs(table.Get(), {{y.Get(), 16, 32}, {y.Get(), 16, 32}});
    Record(compiled.Get(), table.Get());
  })) << "still there when it is recorded";
}

}  // namespace
}  // namespace residue::testing
