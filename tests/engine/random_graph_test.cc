// Random graphs over all operators and types, fused, on every target: the bits of their nodes one after the
// other by the reference. Inputs are packed, exchanged, broadcast or one element; results are read by any
// later node, and some of them are outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/operator_id.h"
#include "cpu/rows/target.h"
#include "residue/residue.h"
#include "support/tier.h"
#include "verification/random.h"
#include "verification/sample_params.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

constexpr uint32_t kFewestNodes = 2;
constexpr uint32_t kMostNodes = 40;

// A tensor that nodes read and write in one way.
struct Value {
  residue_tensor_kind kind;
  residue_operand operand;
  std::vector<std::byte> memory;  // as the reference has it
  DataType type() const { return static_cast<DataType>(operand.type); }
};

struct NodeOf {
  OperatorId op;
  Params params;
  std::vector<uint32_t> values;  // inputs, then the output
};

class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed) : random_(seed) {
    rank_ = 1 + static_cast<uint32_t>(random_.Below(3));
    const uint64_t most = random_.OneIn(8) ? 4000 : 150;
    uint64_t count = 1;
    for (uint32_t i = 0; i < rank_; ++i) {
      sizes_[i] = 1 + random_.Below(i + 1 == rank_ ? std::max<uint64_t>(most / count, 1) : 7);
      count *= sizes_[i];
    }
    const auto nodes = kFewestNodes + random_.Below(kMostNodes - kFewestNodes + 1);
    while (nodes_.size() < nodes) AddNode(nodes_.size() + 1 == nodes);
  }

  // One after the other, by the reference.
  void Evaluate() {
    for (const NodeOf& node : nodes_) {
      residue_operand operands[kMostInputs + 1];
      const residue_problem problem = MakeProblem(node, "REFERENCE", operands);
      const void* inputs[kMostInputs] = {};
      for (uint32_t k = 0; k < InputCount(node.op); ++k) inputs[k] = values_[node.values[k]].memory.data();
      ASSERT_EQ(residue_run(&problem, inputs, values_[node.values.back()].memory.data(), nullptr), RESIDUE_OK)
          << OperatorName(node.op);
    }
  }

  void Compare(Target target, uint32_t threads) {
    residue_graph* made = nullptr;
    ASSERT_EQ(residue_graph_create(&made), RESIDUE_OK);
    const std::unique_ptr<residue_graph, void (*)(residue_graph*)> graph(made, &residue_graph_destroy);
    std::vector<const void*> inputs;
    std::vector<std::vector<std::byte>> results;
    std::vector<const Value*> outputs;
    for (const Value& value : values_) {
      uint32_t tensor = 0;
      ASSERT_EQ(residue_graph_add_tensor(graph.get(), value.kind, value.memory.size(), value.memory.data(),
                                         &tensor),
                RESIDUE_OK);
      if (value.kind == RESIDUE_TENSOR_INPUT) inputs.push_back(value.memory.data());
      if (value.kind == RESIDUE_TENSOR_OUTPUT) outputs.push_back(&value);
    }
    for (const NodeOf& node : nodes_) {
      residue_operand operands[kMostInputs + 1];
      const residue_problem problem = MakeProblem(node, TargetName(target), operands);
      ASSERT_EQ(residue_graph_add_node(graph.get(), &problem, node.values.data(), nullptr), RESIDUE_OK);
    }
    ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
    std::vector<void*> addresses;
    for (const Value* output : outputs) results.emplace_back(output->memory.size(), std::byte{0x5A});
    for (std::vector<std::byte>& result : results) addresses.push_back(result.data());
    const residue_options options = {threads, 0, nullptr, nullptr};
    ASSERT_EQ(residue_graph_run(graph.get(), inputs.data(), addresses.data(), nullptr, &options), RESIDUE_OK);
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSERT_EQ(results[i], outputs[i]->memory) << "output " << i << " on " << TargetName(target);
    }
    if (rank_ == 1) CompareFirst(graph.get(), inputs, outputs, threads);
  }

  // What has one dimension is a graph of rows: the same for a number of first elements.
  void CompareFirst(const residue_graph* graph, const std::vector<const void*>& inputs,
                    const std::vector<const Value*>& outputs, uint32_t threads) {
    const uint64_t count = random_.Below(sizes_[0] + 1);
    std::vector<std::vector<std::byte>> results;
    std::vector<void*> addresses;
    for (const Value* output : outputs) results.emplace_back(count * SizeOf(output->type()), std::byte{0x5A});
    for (std::vector<std::byte>& result : results) addresses.push_back(result.data());
    const residue_options options = {threads, 0, nullptr, nullptr};
    ASSERT_EQ(residue_graph_run_first(graph, count, inputs.data(), addresses.data(), nullptr, &options),
              RESIDUE_OK);
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSERT_TRUE(std::equal(results[i].begin(), results[i].end(), outputs[i]->memory.begin()))
          << "output " << i << " of " << count << " elements";
    }
  }

  // The shape, and each node with its types and values.
  std::string Describe() const {
    std::ostringstream text;
    text << "sizes";
    for (uint32_t i = 0; i < rank_; ++i) text << ' ' << sizes_[i];
    for (const NodeOf& node : nodes_) {
      text << "; " << OperatorName(node.op);
      for (const uint32_t value : node.values)
        text << ' ' << ShortName(values_[value].type()) << '#' << value;
    }
    return text.str();
  }

 private:
  enum class Lie { kPacked, kExchanged, kBroadcast, kOne };

  residue_problem MakeProblem(const NodeOf& node, const char* target, residue_operand* operands) const {
    for (size_t k = 0; k < node.values.size(); ++k) operands[k] = values_[node.values[k]].operand;
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = static_cast<residue_operator>(node.op);
    problem.rank = rank_;
    std::copy_n(sizes_, rank_, problem.sizes);
    problem.operand_count = static_cast<uint32_t>(node.values.size());
    problem.operands = operands;
    problem.params_size = static_cast<uint32_t>(ParamsBytes(node.op));
    problem.params = problem.params_size != 0 ? node.params.bytes : nullptr;
    problem.max_target = target;
    return problem;
  }

  uint32_t AddValue(residue_tensor_kind kind, DataType type, Lie lie) {
    Value value = {kind, {}, {}};
    value.operand.type = static_cast<residue_type>(type);
    const auto bytes = static_cast<int64_t>(SizeOf(type));
    int64_t step = bytes;
    for (uint32_t i = rank_; i-- > 0;) {
      const uint32_t dimension = lie == Lie::kExchanged ? rank_ - 1 - i : i;
      const bool repeats = lie == Lie::kOne || (lie == Lie::kBroadcast && dimension == 0);
      value.operand.strides[dimension] = repeats ? 0 : step;
      if (!repeats) step *= static_cast<int64_t>(sizes_[dimension]);
    }
    value.memory.resize(static_cast<size_t>(step));
    if (kind == RESIDUE_TENSOR_INPUT) FillValue(type, &value.memory);
    values_.push_back(std::move(value));
    return static_cast<uint32_t>(values_.size() - 1);
  }

  void FillValue(DataType type, std::vector<std::byte>* memory) {
    VisitType(type, [&]<class T>(T) {
      const std::vector<T> edges = EdgeValues<T>();
      PairGenerator<T> generator(random_.Next());
      for (size_t at = 0; at < memory->size(); at += sizeof(T)) {
        T number;
        T unused;
        generator.Next(&number, &unused);
        if (random_.OneIn(4)) number = edges[random_.Below(edges.size())];
        std::memcpy(&(*memory)[at], &number, sizeof(T));
      }
    });
  }

  // A value of the type, mostly one that was computed; a new input if there is none.
  uint32_t FindValue(DataType type) {
    for (int tries = 0; tries < 6 && !values_.empty(); ++tries) {
      const size_t back =
          random_.Below(random_.OneIn(2) ? std::min<size_t>(3, values_.size()) : values_.size());
      const auto index = static_cast<uint32_t>(values_.size() - 1 - back);
      if (values_[index].type() == type) return index;
    }
    return AddValue(RESIDUE_TENSOR_INPUT, type, static_cast<Lie>(random_.Below(4)));
  }

  void AddNode(bool is_last) {
    const OperatorId op = kAllOperators[random_.Below(std::size(kAllOperators))];
    // Mostly on from what was computed last.
    DataType type = kAllDataTypes[random_.Below(std::size(kAllDataTypes))];
    if (!nodes_.empty() && !random_.OneIn(5)) type = values_[nodes_.back().values.back()].type();
    DataType result = OutputType(op, type);
    if (!IsUniform(op)) result = kAllDataTypes[random_.Below(std::size(kAllDataTypes))];
    if (!Gives(op, type, result)) return;
    NodeOf node = {op, SampleParams(op, type, result, &random_), {}};
    for (uint32_t k = 0; k < InputCount(op); ++k)
      node.values.push_back(FindValue(OperandType(op, k, type, result)));
    const bool is_output = is_last || random_.OneIn(6);
    node.values.push_back(AddValue(is_output ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY, result,
                                   random_.OneIn(8) ? Lie::kExchanged : Lie::kPacked));
    nodes_.push_back(std::move(node));
  }

  Random random_;
  uint32_t rank_ = 0;
  uint64_t sizes_[3] = {};
  std::vector<Value> values_;
  std::vector<NodeOf> nodes_;
};

TEST(RandomGraphTest, FusedIsNodeByNodeOnEveryTarget) {
  const uint64_t count = ByTier(200, 1'000, 100'000);
  for (uint64_t i = 0; i < count; ++i) {
    RandomGraph graph(Seed() + i);
    SCOPED_TRACE("RESIDUE_SEED=" + std::to_string(Seed() + i) + ": " + graph.Describe());
    ASSERT_NO_FATAL_FAILURE(graph.Evaluate());
    for (const Target target : SupportedTargets()) {
      ASSERT_NO_FATAL_FAILURE(graph.Compare(target, i % 16 == 0 ? 2 : 1));
    }
  }
}

}  // namespace
}  // namespace residue::testing
