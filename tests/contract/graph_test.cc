// Contract, section 6: CompileGraph (R91-R100).
#include <atomic>
#include <thread>

#include "support/dml_fixture.h"
#include "support/thread_pool.h"

namespace residue::testing {
namespace {

// A graph description that owns its parts.
struct Graph {
  UINT inputs = 0;
  UINT outputs = 0;
  std::vector<DML_OPERATOR_GRAPH_NODE_DESC> operators;
  std::vector<DML_CONSTANT_DATA_GRAPH_NODE_DESC> constants;  // numbered after the operators
  std::vector<DML_INPUT_GRAPH_EDGE_DESC> input_edges;
  std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediate_edges;
  std::vector<DML_OUTPUT_GRAPH_EDGE_DESC> output_edges;

  std::vector<DML_GRAPH_NODE_DESC> node_descs;
  std::vector<DML_GRAPH_EDGE_DESC> edge_descs[3];
  DML_GRAPH_DESC desc{};

  const DML_GRAPH_DESC* get() {
    node_descs.clear();
    for (auto& list : edge_descs) list.clear();
    for (const auto& node : operators) node_descs.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &node});
    for (const auto& node : constants) node_descs.push_back({DML_GRAPH_NODE_TYPE_CONSTANT, &node});
    for (const auto& edge : input_edges) edge_descs[0].push_back({DML_GRAPH_EDGE_TYPE_INPUT, &edge});
    for (const auto& edge : output_edges) edge_descs[1].push_back({DML_GRAPH_EDGE_TYPE_OUTPUT, &edge});
    for (const auto& edge : intermediate_edges)
      edge_descs[2].push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &edge});
    const auto count = [](const auto& list) { return static_cast<UINT>(list.size()); };
    desc = {inputs,
            outputs,
            count(node_descs),
            node_descs.data(),
            count(edge_descs[0]),
            edge_descs[0].data(),
            count(edge_descs[1]),
            edge_descs[1].data(),
            count(edge_descs[2]),
            edge_descs[2].data()};
    return &desc;
  }
};

class GraphFixture {
 public:
  // The first has both inputs of the graph, the second reads its result.
  static Graph TwoInARow(IDMLOperator* first, IDMLOperator* second) {
    Graph graph;
    graph.inputs = 2;
    graph.operators = {{first, nullptr}, {second, nullptr}};
    graph.input_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
    graph.intermediate_edges = {{0, 0, 1, 0, nullptr}};
    return graph;
  }
  // floor(truncate(a, b), b): inputs a and b, as DirectMLX builds ModulusFloor(a % b, b).
  static Graph TwoNodes(IDMLOperator* truncate, IDMLOperator* floor) {
    Graph graph;
    graph.inputs = 2;
    graph.outputs = 1;
    graph.operators = {{truncate, nullptr}, {floor, "floor"}};
    graph.input_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}, {1, 1, 1, "b again"}};
    graph.intermediate_edges = {{0, 0, 1, 0, nullptr}};
    graph.output_edges = {{1, 0, 0, nullptr}};
    return graph;
  }
};

#define COMPILE_GRAPH(graph, result) \
  dml_->CompileGraph((graph).get(), DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), (result))

TEST_F(ContractTest, R091_GraphsAreCompleteAndAcyclic) {
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph good = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  EXPECT_EQ(COMPILE_GRAPH(good, nullptr), S_FALSE);
  EXPECT_EQ(dml_->CompileGraph(good.get(), AnyNumber<DML_EXECUTION_FLAGS>(0x100),
                               __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG)
      << "no such flag";
  EXPECT_EQ(dml_->CompileGraph(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG);

  std::vector<std::pair<const char*, Graph>> bad;
  const auto variant = [&](const char* what, auto change) {
    Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
    change(graph);
    bad.emplace_back(what, graph);
  };
  variant("no nodes", [](Graph& g) { g.operators.clear(); });
  variant("input left open", [](Graph& g) { g.input_edges.pop_back(); });
  variant("output left open", [](Graph& g) { g.output_edges.clear(); });
  variant("no intermediate edge", [](Graph& g) { g.intermediate_edges.clear(); });
  variant("input connected twice", [](Graph& g) { g.input_edges.push_back({0, 1, 0, nullptr}); });
  variant("output connected twice", [](Graph& g) { g.output_edges.push_back({0, 0, 0, nullptr}); });
  variant("two edges for one output", [](Graph& g) {
    g.outputs = 2;
    g.output_edges.push_back({0, 0, 0, nullptr});
  });
  variant("unknown node", [](Graph& g) { g.intermediate_edges[0].ToNodeIndex = 2; });
  variant("unknown source", [](Graph& g) { g.intermediate_edges[0].FromNodeIndex = 7; });
  variant("unknown output of a node", [](Graph& g) { g.intermediate_edges[0].FromNodeOutputIndex = 1; });
  variant("unknown source of an output", [](Graph& g) { g.output_edges[0].FromNodeIndex = 2; });
  variant("unknown output of an output's source",
          [](Graph& g) { g.output_edges[0].FromNodeOutputIndex = 1; });
  static const int32_t three[] = {3, 3, 3, 3};
  variant("a constant has no inputs", [](Graph& g) {
    g.constants.push_back({three, sizeof(three), nullptr});
    g.intermediate_edges.push_back({0, 0, 2, 0, nullptr});
  });
  variant("unknown input of a node", [](Graph& g) { g.input_edges[0].ToNodeInputIndex = 2; });
  variant("unknown graph input", [](Graph& g) { g.input_edges[0].GraphInputIndex = 2; });
  variant("unknown graph output", [](Graph& g) { g.output_edges[0].GraphOutputIndex = 1; });
  variant("null operator", [](Graph& g) { g.operators[0].Operator = nullptr; });
  variant("a node that reads itself", [](Graph& g) { g.intermediate_edges[0].FromNodeIndex = 1; });
  variant("the first node reads itself, the other does not mind", [](Graph& g) {
    g.input_edges[0].ToNodeIndex = 1;
    g.intermediate_edges[0] = {0, 0, 0, 0, nullptr};
  });
  variant("a cycle of two", [](Graph& g) {
    g.input_edges.erase(g.input_edges.begin());
    g.inputs = 2;
    g.input_edges[0].GraphInputIndex = 0;
    g.intermediate_edges.push_back({1, 0, 0, 0, nullptr});
  });
  variant("an output that goes nowhere", [&](Graph& g) {
    g.operators.push_back({floor.Get(), nullptr});
    g.input_edges.push_back({0, 2, 0, nullptr});
    g.input_edges.push_back({1, 2, 1, nullptr});
  });
  variant("the first node's output goes nowhere", [&](Graph& g) {
    g.operators.insert(g.operators.begin(), {floor.Get(), nullptr});
    for (auto& edge : g.input_edges) ++edge.ToNodeIndex;
    for (auto& edge : g.intermediate_edges) ++edge.FromNodeIndex, ++edge.ToNodeIndex;
    for (auto& edge : g.output_edges) ++edge.FromNodeIndex;
    g.input_edges.push_back({0, 0, 0, nullptr});
    g.input_edges.push_back({1, 0, 1, nullptr});
  });
  variant("the first graph input is read by nobody", [](Graph& g) {
    g.inputs = 3;
    for (auto& edge : g.input_edges) ++edge.GraphInputIndex;
  });
  variant("more outputs than edges", [](Graph& g) { g.outputs = 0xFFFFFFFF; });
  variant("more inputs than edges", [](Graph& g) { g.inputs = 0xFFFFFFFF; });
  for (auto& [what, graph] : bad) {
    void* result = this;
    EXPECT_EQ(COMPILE_GRAPH(graph, &result), E_INVALIDARG) << what;
    EXPECT_EQ(result, nullptr);
  }
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R091_GraphsRun) {
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  if (ComputesOnTheProcessor()) {
    EXPECT_EQ(compiled->GetBindingProperties().TemporaryResourceSize, 0u) << "fused: it stays in the cache";
  }
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7, -8, 100});
  const auto b = MakeBufferOf<int32_t>({3, -3, 5, 7});
  const auto out = MakeBuffer(16);
  Run(compiled.Get(), {a, b}, {out});
  EXPECT_EQ(Read<int32_t>(out.Get(), 4), (std::vector<int32_t>{2, -2, 2, 2}));
  EXPECT_FALSE(IsRemoved());
}

// As many inputs as find room without an allocation, and one more: x0 mod x1 mod x2 ...
TEST_F(ContractTest, R091_GraphsOfManyInputs) {
  const auto truncate = MakeModulus(kTruncate, Int32({2}));
  for (const UINT inputs : {8u, 9u}) {
    Graph graph;
    graph.inputs = inputs;
    graph.outputs = 1;
    graph.input_edges.push_back({0, 0, 0, nullptr});
    std::vector<ComPtr<ID3D12Resource>> buffers = {MakeBufferOf<int32_t>({-1000000007, 123456789})};
    std::vector<int32_t> expected = {-1000000007, 123456789};
    for (UINT n = 0; n + 1 < inputs; ++n) {
      graph.operators.push_back({truncate.Get(), nullptr});
      graph.input_edges.push_back({n + 1, n, 1, nullptr});
      if (n > 0) graph.intermediate_edges.push_back({n - 1, 0, n, 0, nullptr});
      const auto divisor = static_cast<int32_t>(100'000'000 >> 2 * n | 1);
      buffers.push_back(MakeBufferOf<int32_t>({divisor, divisor}));
      for (int32_t& value : expected) value %= divisor;
    }
    graph.output_edges = {{inputs - 2, 0, 0, nullptr}};
    ComPtr<IDMLCompiledOperator> compiled;
    ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
    Initialize(compiled.Get());
    const auto out = MakeBuffer(8);
    if (ComputesOnTheProcessor()) {
      EXPECT_EQ(compiled->GetBindingProperties().TemporaryResourceSize, 0u);
    }
    Run(compiled.Get(), {buffers.begin(), buffers.end()}, {out});
    EXPECT_EQ(Read<int32_t>(out.Get(), 2), expected) << inputs;
    EXPECT_FALSE(IsRemoved());
  }
}

TEST_F(ContractTest, R091_OneResultInSeveralPlaces) {
  // a % b goes to two graph outputs and into a second node.
  const auto truncate = MakeModulus(kTruncate, Int32({2}));
  const auto floor = MakeModulus(kFloor, Int32({2}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  graph.outputs = 3;
  graph.output_edges = {{0, 0, 2, nullptr}, {1, 0, 1, nullptr}, {0, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 4});
  std::vector<ComPtr<ID3D12Resource>> outs = {MakeBuffer(8), MakeBuffer(8), MakeBuffer(8)};
  Run(compiled.Get(), {a, b}, {outs[0], outs[1], outs[2]});
  EXPECT_EQ(Read<int32_t>(outs[0].Get(), 2), (std::vector<int32_t>{-1, 3}));
  EXPECT_EQ(Read<int32_t>(outs[1].Get(), 2), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(Read<int32_t>(outs[2].Get(), 2), (std::vector<int32_t>{-1, 3}));
}

TEST_F(ContractTest, R092_ConnectedEndsHaveEqualSizesNotTypes) {
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto bytes = MakeModulus(kFloor, Tensor(DML_TENSOR_DATA_TYPE_UINT8, {2, 8}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), bytes.Get());
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), S_FALSE) << "16 bytes are reinterpreted";
  const auto longer = MakeModulus(kFloor, Int32({5}));
  Graph mismatch = GraphFixture::TwoNodes(truncate.Get(), longer.Get());
  EXPECT_EQ(COMPILE_GRAPH(mismatch, nullptr), E_INVALIDARG);
}

TEST_F(ContractTest, R093_OwnedInputsAreGraphInputs) {
  Tensor plain = Int32({4});
  Tensor owned = Int32({4});
  owned.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  const auto truncate = MakeOperator(kTruncate, plain, plain, plain);
  const auto reads_owned = MakeOperator(kFloor, owned, plain, plain);
  Graph intermediate = GraphFixture::TwoNodes(truncate.Get(), reads_owned.Get());
  EXPECT_EQ(COMPILE_GRAPH(intermediate, nullptr), E_INVALIDARG);
  const auto owned_b = MakeOperator(kFloor, plain, owned, plain);
  Graph disagreeing = GraphFixture::TwoNodes(truncate.Get(), owned_b.Get());
  EXPECT_EQ(COMPILE_GRAPH(disagreeing, nullptr), E_INVALIDARG) << "one graph input, owned here and not there";
  const auto both = MakeOperator(kTruncate, plain, owned, plain);
  Graph agreeing = GraphFixture::TwoNodes(both.Get(), owned_b.Get());
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(agreeing, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  EXPECT_EQ(compiled->GetBindingProperties().PersistentResourceSize, 16u);
}

TEST_F(ContractTest, R094_EdgeAndNodeTypes) {
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  for (int list = 0; list < 3; ++list) {
    for (const int type : {0, 1, 2, 3, 4, -1}) {
      graph.get();
      const DML_GRAPH_EDGE_TYPE right = graph.edge_descs[list][0].Type;
      graph.edge_descs[list][0].Type = AnyNumber<DML_GRAPH_EDGE_TYPE>(type);
      EXPECT_EQ(
          dml_->CompileGraph(&graph.desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
          type == right ? S_FALSE : E_INVALIDARG);
    }
    graph.get();
    graph.edge_descs[list][0].Desc = nullptr;
    EXPECT_EQ(
        dml_->CompileGraph(&graph.desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
        E_INVALIDARG);
  }
  for (const int type : {0, 3, -1}) {
    graph.get();
    graph.node_descs[0].Type = AnyNumber<DML_GRAPH_NODE_TYPE>(type);
    EXPECT_EQ(
        dml_->CompileGraph(&graph.desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
        E_INVALIDARG);
  }
  graph.get();
  graph.node_descs[0].Desc = nullptr;
  EXPECT_EQ(dml_->CompileGraph(&graph.desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG);
  for (const auto field :
       {&DML_GRAPH_DESC::InputEdges, &DML_GRAPH_DESC::OutputEdges, &DML_GRAPH_DESC::IntermediateEdges}) {
    graph.get();
    graph.desc.*field = nullptr;
    EXPECT_EQ(
        dml_->CompileGraph(&graph.desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
        E_INVALIDARG);
  }
  graph.get();
  graph.desc.OutputCount = graph.desc.OutputEdgeCount = 0xFFFFFFFF;
  graph.desc.OutputEdges = nullptr;
  EXPECT_EQ(dml_->CompileGraph(&graph.desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr),
            E_INVALIDARG)
      << "before anything is allocated for them";
}

TEST_F(ContractTest, R095_CompiledGraphsDoNotKeepOperators) {
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  EXPECT_EQ(CountReferences(truncate.Get()), 1u);
  EXPECT_EQ(CountReferences(floor.Get()), 1u);
}

TEST_F(ContractTest, R096_GraphInputsAndOutputsAreTheBindings) {
  const auto bind = [&](size_t inputs, size_t outputs) {
    return Removes([&] {
      const auto t = MakeModulus(kTruncate, Int32({4}));
      const auto f = MakeModulus(kFloor, Int32({4}));
      Graph g = GraphFixture::TwoNodes(t.Get(), f.Get());
      ComPtr<IDMLCompiledOperator> compiled;
      ASSERT_EQ(COMPILE_GRAPH(g, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
      const auto table = MakeTable(compiled.Get());
      const auto in = MakeBuffer(16);
      const auto out = MakeBuffer(64);
      BindInputs(table.Get(), std::vector<Binding>(inputs, in));
      if (outputs != 0) BindOutputs(table.Get(), std::vector<Binding>(outputs, out));
    });
  };
  EXPECT_FALSE(bind(2, 1));
  EXPECT_TRUE(bind(3, 1)) << "three edges, but two inputs";
  EXPECT_TRUE(bind(1, 1));
  EXPECT_TRUE(bind(2, 2));
  // An operator with an absent optional tensor (ScaleBias is none): the graph has exactly one slot.
  Tensor like = Float32({4});
  ComPtr<IDMLOperator> identity;
  ASSERT_EQ(TryCreateIdentity(like, like, nullptr, &identity), S_OK);
  Graph single;
  single.inputs = single.outputs = 1;
  single.operators = {{identity.Get(), nullptr}};
  single.input_edges = {{0, 0, 0, nullptr}};
  single.output_edges = {{0, 0, 0, nullptr}};
  for (const size_t slots : {size_t{1}, size_t{2}}) {
    EXPECT_EQ(Removes([&] {
                Tensor tensor = Float32({4});
                ComPtr<IDMLOperator> op;
                ASSERT_EQ(TryCreateIdentity(tensor, tensor, nullptr, &op), S_OK);
                Graph graph = single;
                graph.operators = {{op.Get(), nullptr}};
                ComPtr<IDMLCompiledOperator> compiled;
                ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
                const auto buffer = MakeBuffer(16);
                std::vector<Binding> inputs = {buffer};
                if (slots == 2) inputs.push_back(nullptr);  // NONE for what the graph does not have
                BindInputs(MakeTable(compiled.Get()).Get(), inputs);
              }),
              slots == 2);
  }
}

TEST_F(ContractTest, R097_AnUnreadGraphInputIsInvalid) {
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  graph.inputs = 3;
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG);
}

TEST_F(ContractTest, R098_ConstantNodes) {
  const auto floor = MakeModulus(kFloor, Int32({4}));
  std::vector<int32_t> divisor = {3, -3, 5, 7};
  Graph graph;
  graph.inputs = graph.outputs = 1;
  graph.operators = {{floor.Get(), nullptr}};
  graph.constants = {{divisor.data(), divisor.size() * 4, nullptr}};
  graph.input_edges = {{0, 0, 0, nullptr}};
  graph.intermediate_edges = {{1, 0, 0, 1, nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  divisor.assign(4, 0);  // needed until CompileGraph returned, not longer
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7, -8, 100});
  const auto out = MakeBuffer(16);
  Run(compiled.Get(), {a}, {out});
  EXPECT_EQ(Read<int32_t>(out.Get(), 4), (std::vector<int32_t>{2, -2, 2, 2}));

  for (const UINT64 hostile : {UINT64{1} << 63, ~UINT64{0}, ~UINT64{0} - 2, UINT64{1} << 40}) {
    graph.constants[0].DataSize = hostile;
    EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG) << hostile;
  }
  graph.constants[0].DataSize = 8;
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG) << "8 bytes for a 16-byte tensor";
  graph.constants[0] = {nullptr, 16, nullptr};
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG);
  graph.constants[0] = {divisor.data(), 0, nullptr};
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG);
}

TEST_F(ContractTest, R098_UnusedConstantsAreRefused) {
  const auto floor = MakeModulus(kFloor, Int32({1}));
  const int32_t data = 3;
  Graph graph;
  graph.inputs = 2;
  graph.outputs = 1;
  graph.operators = {{floor.Get(), nullptr}};
  graph.constants = {{&data, 4, nullptr}};
  graph.input_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}};
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG);
}

// With or without the padding that tensors have, and straight to an output.
TEST_F(ContractTest, R098_SizesOfConstants) {
  const std::vector<uint8_t> data(20, 7);
  for (const auto& [size, total, expected] :
       {std::tuple(18u, 20u, S_FALSE), std::tuple(20u, 20u, S_FALSE), std::tuple(16u, 20u, E_INVALIDARG),
        std::tuple(21u, 20u, E_INVALIDARG), std::tuple(18u, 21u, E_INVALIDARG)}) {
    Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {18});
    bytes.buffer.TotalTensorSizeInBytes = total;
    ComPtr<IDMLOperator> identity;
    ASSERT_EQ(TryCreateIdentity(bytes, bytes, nullptr, &identity), S_OK);
    std::vector<uint8_t> enough(32, 7);
    Graph graph;
    graph.outputs = 2;
    graph.operators = {{identity.Get(), nullptr}};
    graph.constants = {{enough.data(), size, nullptr}};
    graph.intermediate_edges = {{1, 0, 0, 0, nullptr}};
    graph.output_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
    EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), expected) << size << " " << total;
  }
}

TEST_F(ContractTest, R098_GraphsOfConstantsOnly) {
  const std::vector<int32_t> data = {1, 2, 3, 4};
  Tensor like = Int32({4});
  ComPtr<IDMLOperator> identity;
  ASSERT_EQ(TryCreateIdentity(like, like, nullptr, &identity), S_OK);
  Graph graph;
  graph.outputs = 3;
  graph.operators = {{identity.Get(), nullptr}};
  graph.constants = {{data.data(), 16, nullptr}};
  graph.intermediate_edges = {{1, 0, 0, 0, nullptr}};
  graph.output_edges = {{0, 0, 1, nullptr}, {1, 0, 2, nullptr}, {1, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto init_table = MakeTable(initializer.Get());
  BindArrays(init_table.Get(), {{}});  // an array of no buffers, for an operator without inputs
  Record(initializer.Get(), init_table.Get());
  ExecuteList();
  const auto first = MakeBuffer(16);
  const auto copied = MakeBuffer(16);
  const auto straight = MakeBuffer(16);
  const auto table = MakeTable(compiled.Get());
  BindOutputs(table.Get(), {first, copied, straight});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<int32_t>(first.Get(), 4), data);
  EXPECT_EQ(Read<int32_t>(copied.Get(), 4), data);
  EXPECT_EQ(Read<int32_t>(straight.Get(), 4), data);
}

// Straight to an output no tensor says how large it is.
TEST_F(ContractTest, R098_ConstantsNoTensorCouldHave) {
  const int32_t data = 3;
  Graph graph;
  graph.outputs = 3;
  graph.constants = {{&data, 4, nullptr}, {&data, 4, nullptr}, {&data, 4, nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}, {2, 0, 2, nullptr}};
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), S_FALSE);
  for (DML_CONSTANT_DATA_GRAPH_NODE_DESC& constant : graph.constants) {
    for (const UINT64 hostile :
         {UINT64{1} << 63, ~UINT64{0}, ~UINT64{0} - 1, ~UINT64{0} - 2, (UINT64{1} << 58) + 1}) {
      constant.DataSize = hostile;
      EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG) << hostile;
    }
    constant.DataSize = 4;
  }
}

// The caller's description changes while we look at it: what was checked must be what is used.
TEST_F(ContractTest, R091_GraphsThatChangeMeanwhile) {
  if (kUnderThreadSanitizer) GTEST_SKIP() << "the race is the caller's";
  const auto truncate = MakeModulus(kTruncate, Int32({4}));
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  const DML_GRAPH_DESC* desc = graph.get();
  std::atomic<bool> done{false};
  std::thread changing([&] {
    UINT* const fields[] = {&graph.intermediate_edges[0].ToNodeIndex,
                            &graph.intermediate_edges[0].FromNodeIndex,
                            &graph.output_edges[0].FromNodeIndex,
                            &graph.output_edges[0].GraphOutputIndex,
                            &graph.input_edges[0].GraphInputIndex,
                            &graph.input_edges[1].ToNodeInputIndex,
                            &graph.desc.InputCount,
                            &graph.desc.OutputCount};
    while (!done.load()) {
      for (UINT* field : fields) {
        const std::atomic_ref<UINT> changed(*field);
        const UINT right = changed.load();
        changed.store(0x7FFFFFFF);
        changed.store(right);
      }
    }
  });
  for (int i = 0; i < 20'000; ++i) {
    const HRESULT hr =
        dml_->CompileGraph(desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr);
    ASSERT_TRUE(hr == S_FALSE || hr == E_INVALIDARG) << hr;
  }
  done.store(true);
  changing.join();
}

TEST_F(ContractTest, R173_OneOperatorWithAConstantIsInPlace) {
  const auto floor = MakeModulus(kFloor, Int32({2}));
  const std::vector<int32_t> divisor = {3, 3};
  Graph graph;
  graph.inputs = graph.outputs = 1;
  graph.operators = {{floor.Get(), nullptr}};
  graph.constants = {{divisor.data(), 8, nullptr}};
  graph.input_edges = {{0, 0, 0, nullptr}};
  graph.intermediate_edges = {{1, 0, 0, 1, nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<int32_t>({-7, 7});
  Run(compiled.Get(), {x}, {x});
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<int32_t>(x.Get(), 2), (std::vector<int32_t>{2, 1}));
}

// One graph input read as 16 bytes by one node and as 4 by another: the binding must hold the larger.
TEST_F(ContractTest, R092_ReadersOfOneInputMayDiffer) {
  for (const bool large_first : {true, false}) {
    for (const UINT64 bound : {4u, 16u}) {
      EXPECT_EQ(Removes([&] {
                  Tensor whole = Int32({4});
                  Tensor scalar = Int32({4}, {0});
                  ComPtr<IDMLOperator> large;
                  ComPtr<IDMLOperator> small;
                  ASSERT_EQ(TryCreateIdentity(whole, whole, nullptr, &large), S_OK);
                  ASSERT_EQ(TryCreateIdentity(scalar, whole, nullptr, &small), S_OK);
                  Graph graph;
                  graph.inputs = 1;
                  graph.outputs = 2;
                  graph.operators = {{large_first ? large.Get() : small.Get(), nullptr},
                                     {large_first ? small.Get() : large.Get(), nullptr}};
                  graph.input_edges = {{0, 0, 0, nullptr}, {0, 1, 0, nullptr}};
                  graph.output_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
                  ComPtr<IDMLCompiledOperator> compiled;
                  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
                  const auto buffer = MakeBuffer(64);
                  BindInputs(MakeTable(compiled.Get()).Get(), {{buffer.Get(), 0, bound}});
                }),
                bound == 4)
          << large_first;
    }
  }
}

TEST_F(ContractTest, R098_ConstantNodesNeedLevel6_2) {
  for (const auto& [level, expected] : {std::pair("6_1", E_INVALIDARG), std::pair("6_2", S_FALSE)}) {
    const Environment emulated("RESIDUE_DIRECTML_FEATURE_LEVEL", level);
    ReplaceDevice();
    const auto floor = MakeModulus(kFloor, Int32({1}));
    const int32_t divisor = 3;
    Graph graph;
    graph.inputs = graph.outputs = 1;
    graph.operators = {{floor.Get(), nullptr}};
    graph.constants = {{&divisor, 4, nullptr}};
    graph.input_edges = {{0, 0, 0, nullptr}};
    graph.intermediate_edges = {{1, 0, 0, 1, nullptr}};
    graph.output_edges = {{0, 0, 0, nullptr}};
    EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), expected) << level;
  }
}

TEST_F(ContractTest, R099_OrderOfTheOutputEdgeFields) {
  const auto truncate = MakeModulus(kTruncate, Int32({2}));
  const auto floor = MakeModulus(kFloor, Int32({2}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  graph.outputs = 2;
  DML_OUTPUT_GRAPH_EDGE_DESC first{};
  first.FromNodeIndex = 1;
  first.GraphOutputIndex = 0;
  DML_OUTPUT_GRAPH_EDGE_DESC second{};
  second.FromNodeIndex = 0;
  second.GraphOutputIndex = 1;
  graph.output_edges = {first, second};
  static_assert(offsetof(DML_OUTPUT_GRAPH_EDGE_DESC, FromNodeIndex) == 0 &&
                offsetof(DML_OUTPUT_GRAPH_EDGE_DESC, FromNodeOutputIndex) == 4 &&
                offsetof(DML_OUTPUT_GRAPH_EDGE_DESC, GraphOutputIndex) == 8);
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 4});
  const auto floored = MakeBuffer(8);
  const auto truncated = MakeBuffer(8);
  Run(compiled.Get(), {a, b}, {floored, truncated});
  EXPECT_EQ(Read<int32_t>(floored.Get(), 2), (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(Read<int32_t>(truncated.Get(), 2), (std::vector<int32_t>{-1, 3}));
}

// Three bytes in four, floor(a, b), and all four, copied.
class PaddingTest : public ContractTest {
 protected:
  void MakePaddedAndWhole(ComPtr<IDMLOperator> (&operators)[2]) {
    Tensor padded(DML_TENSOR_DATA_TYPE_UINT8, {3});
    padded.buffer.TotalTensorSizeInBytes = 4;
    Tensor whole(DML_TENSOR_DATA_TYPE_UINT8, {4});
    operators[0] = MakeOperator(kFloor, padded, padded, padded);
    ASSERT_EQ(TryCreateIdentity(whole, whole, nullptr, &operators[1]), S_OK);
  }
};

// The second node reads the padding of the first as data; only its own elements are promised.
TEST_F(PaddingTest, R100_IntermediatePadding) {
  ComPtr<IDMLOperator> operators[2];
  ASSERT_NO_FATAL_FAILURE(MakePaddedAndWhole(operators));
  Graph graph = GraphFixture::TwoInARow(operators[0].Get(), operators[1].Get());
  graph.outputs = 1;
  graph.output_edges = {{1, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<uint8_t>({7, 8, 9, 0});
  const auto b = MakeBufferOf<uint8_t>({4, 4, 4, 0});
  const auto out = MakeBuffer(4);
  const auto temporary = MakeBufferOf(
      std::vector<uint8_t>(compiled->GetBindingProperties().TemporaryResourceSize, uint8_t{0xA5}));
  const auto table = MakeTable(compiled.Get());
  BindTemporary(table.Get(), temporary);
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_EQ(Read<uint8_t>(out.Get(), 4), (std::vector<uint8_t>{3, 0, 1, 0}));  // ours is 0
}

// The same where the first result is bound as well, once or twice: the padding of what is bound stays as it
// is.
TEST_F(PaddingTest, R100_PaddingOfOutputs) {
  ComPtr<IDMLOperator> operators[2];
  ASSERT_NO_FATAL_FAILURE(MakePaddedAndWhole(operators));
  Graph graph = GraphFixture::TwoInARow(operators[0].Get(), operators[1].Get());
  graph.outputs = 3;
  graph.output_edges = {{0, 0, 0, nullptr}, {0, 0, 1, nullptr}, {1, 0, 2, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<uint8_t>({7, 8, 9, 0});
  const auto b = MakeBufferOf<uint8_t>({4, 4, 4, 0});
  const auto outputs = {MakeBufferOf<uint8_t>({1, 1, 1, 77}), MakeBufferOf<uint8_t>({1, 1, 1, 78})};
  const auto out = MakeBuffer(4);
  const auto temporary = MakeBuffer(compiled->GetBindingProperties().TemporaryResourceSize + 4);
  const auto table = MakeTable(compiled.Get());
  BindTemporary(table.Get(), temporary);
  BindInputs(table.Get(), {a, b});
  BindOutputs(table.Get(), {*outputs.begin(), *(outputs.begin() + 1), out});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_EQ(Read<uint8_t>(outputs.begin()->Get(), 4), (std::vector<uint8_t>{3, 0, 1, 77}));
  EXPECT_EQ(Read<uint8_t>((outputs.begin() + 1)->Get(), 4), (std::vector<uint8_t>{3, 0, 1, 78}));
  EXPECT_EQ(Read<uint8_t>(out.Get(), 4), (std::vector<uint8_t>{3, 0, 1, 0}));
}

// A tensor that an operator does without is no end of an edge, and nobody misses it.
TEST_F(ContractTest, R091_AbsentTensorsAreNotConnected) {
  Tensor floats = Float32({4});
  Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {4});
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC desc = {floats.get(), floats.get(), nullptr,
                                                               bytes.get()};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, &desc};
  ComPtr<IDMLOperator> quantize;
  ASSERT_EQ(dml_->CreateOperator(&operator_desc, IID_PPV_ARGS(&quantize)), S_OK);
  Graph graph;
  graph.inputs = 2;
  graph.outputs = 1;
  graph.operators = {{quantize.Get(), nullptr}};
  graph.input_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<float>({1.5f, 2.5f, -1.0f, 1e9f});
  const auto scale = MakeBufferOf<float>({1, 1, 1, 1});
  const auto out = MakeBuffer(4);
  Run(compiled.Get(), {x, scale}, {out});
  EXPECT_EQ(Read<uint8_t>(out.Get(), 4), (std::vector<uint8_t>{2, 2, 0, 255}));
  graph.input_edges.push_back({1, 0, 2, nullptr});
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG);
}

TEST_F(ContractTest, R091_NodesThatAreNone) {
  const auto floor = MakeModulus(kFloor, Int32({4}));
  Graph graph = GraphFixture::TwoNodes(floor.Get(), floor.Get());
  DML_GRAPH_DESC desc = *graph.get();
  const auto compile = [&] {
    return dml_->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), nullptr);
  };
  desc.Nodes = nullptr;
  EXPECT_EQ(compile(), E_INVALIDARG);
  desc = *graph.get();
  desc.NodeCount = 0;
  EXPECT_EQ(compile(), E_INVALIDARG);
  desc.NodeCount = 65'537;  // too many: none is read
  EXPECT_EQ(compile(), E_INVALIDARG);
  desc = *graph.get();
  desc.OutputCount = desc.OutputEdgeCount = 65'537;
  EXPECT_EQ(compile(), E_INVALIDARG);
  const auto other_device = MakeDevice();
  Tensor four = Int32({4});
  ComPtr<IDMLOperator> of_other;
  ASSERT_EQ(TryCreate(kFloor, four, four, four, &of_other, other_device.Get()), S_OK);
  graph.operators[0].Operator = of_other.Get();
  EXPECT_EQ(COMPILE_GRAPH(graph, nullptr), E_INVALIDARG);
}

// Every element has one number, whoever asks for it.
TEST_F(ContractTest, R091_TwoSequencesInOneGraph) {
  Tensor floats = Float32({3});
  const auto sequence = [&](float start, float delta) {
    DML_SCALAR_UNION from = {};
    DML_SCALAR_UNION by = {};
    from.Float32 = start;
    by.Float32 = delta;
    const DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC desc = {floats.get(), DML_TENSOR_DATA_TYPE_FLOAT32, from, by};
    const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_FILL_VALUE_SEQUENCE, &desc};
    ComPtr<IDMLOperator> op;
    EXPECT_EQ(dml_->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)), S_OK);
    return op;
  };
  const auto first = sequence(1, 1);
  const auto second = sequence(10, -2);
  Graph graph;
  graph.outputs = 2;
  graph.operators = {{first.Get(), nullptr}, {second.Get(), nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto up = MakeBuffer(12);
  const auto down = MakeBuffer(12);
  Run(compiled.Get(), {}, {up, down});
  EXPECT_EQ(Read<float>(up.Get(), 3), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(Read<float>(down.Get(), 3), (std::vector<float>{10, 8, 6}));
}

// In place where its operator is: the slope of PARAMETERIZED_RELU may not be overwritten.
TEST_F(ContractTest, R173_OneOperatorIsInPlaceOfSomeInputs) {
  Tensor floats = Float32({4});
  const DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC desc = {floats.get(), floats.get(), floats.get()};
  const DML_OPERATOR_DESC operator_desc = {DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU, &desc};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(dml_->CreateOperator(&operator_desc, IID_PPV_ARGS(&op)), S_OK);
  Graph graph;
  graph.inputs = 2;
  graph.outputs = 1;
  graph.operators = {{op.Get(), nullptr}};
  graph.input_edges = {{1, 0, 0, nullptr}, {0, 0, 1, nullptr}};
  graph.output_edges = {{0, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<float>({1, -2, 3, -4});
  const auto slope = MakeBufferOf<float>({2, 2, 2, 2});
  Run(compiled.Get(), {slope, x}, {x});
  EXPECT_FALSE(IsRemoved());
  EXPECT_EQ(Read<float>(x.Get(), 4), (std::vector<float>{1, -4, 3, -8}));
  Run(compiled.Get(), {slope, x}, {slope});
  EXPECT_TRUE(IsRemoved());
}

// Of several operators none is in place, however many inputs there are: x0 mod x1 mod x2 ...
TEST_F(ContractTest, R173_TheLastOfManyInputsIsNotInPlace) {
  const auto truncate = MakeModulus(kTruncate, Int32({2}));
  constexpr UINT kInputs = 34;
  Graph graph;
  graph.inputs = kInputs;
  graph.outputs = 1;
  graph.input_edges.push_back({0, 0, 0, nullptr});
  for (UINT n = 0; n + 1 < kInputs; ++n) {
    graph.operators.push_back({truncate.Get(), nullptr});
    graph.input_edges.push_back({n + 1, n, 1, nullptr});
    if (n > 0) graph.intermediate_edges.push_back({n - 1, 0, n, 0, nullptr});
  }
  graph.output_edges = {{kInputs - 2, 0, 0, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<int32_t>({5, 7});
  const auto last = MakeBufferOf<int32_t>({3, 3});
  std::vector<Binding> inputs(kInputs - 1, Binding(x));
  inputs.emplace_back(last);
  Run(compiled.Get(), inputs, {last});
  EXPECT_TRUE(IsRemoved());
}

// Outputs in resources that are placed over each other: nothing is computed, and the device stays.
TEST_F(ContractTest, R179_OutputsPlacedOverEachOther) {
  DebugStrings strings;
  dml_ = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  recorder_ = MakeRecorder(dml_.Get());
  const auto truncate = MakeModulus(kTruncate, Int32({2}));
  const auto floor = MakeModulus(kFloor, Int32({2}));
  Graph graph = GraphFixture::TwoNodes(truncate.Get(), floor.Get());
  graph.outputs = 2;
  graph.output_edges = {{0, 0, 0, nullptr}, {1, 0, 1, nullptr}};
  ComPtr<IDMLCompiledOperator> compiled;
  ASSERT_EQ(COMPILE_GRAPH(graph, reinterpret_cast<void**>(compiled.GetAddressOf())), S_OK);
  Initialize(compiled.Get());
  const D3D12_HEAP_DESC heap_desc = DefaultHeapDesc();
  ComPtr<ID3D12Heap> heap;
  ASSERT_EQ(d3d_->CreateHeap(&heap_desc, IID_PPV_ARGS(&heap)), S_OK);
  const D3D12_RESOURCE_DESC desc = BufferDesc(1024, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  ComPtr<ID3D12Resource> outs[2];
  for (auto& out : outs) {
    ASSERT_EQ(d3d_->CreatePlacedResource(heap.Get(), 0, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                         IID_PPV_ARGS(&out)),
              S_OK);
  }
  strings.texts.clear();
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 4});
  Run(compiled.Get(), {a, b}, {outs[0], outs[1]});
  EXPECT_FALSE(IsRemoved());
  EXPECT_TRUE(strings.Contains("in resources placed over each other"));
}

}  // namespace
}  // namespace residue::testing
