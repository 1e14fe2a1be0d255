// Any graph through the C interface: every refusal leaves the graph usable, and what is accepted has the bits
// of its nodes one after the other by the reference, in memory of exactly the right size.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/operator_id.h"
#include "fuzz/require.h"
#include "residue/residue.h"

namespace residue::testing {
namespace {

constexpr uint64_t kMostBytes = 4096;  // of a tensor whose memory is really made

struct TensorOf {
  residue_tensor_kind kind;
  std::vector<uint8_t> memory;  // as the reference has it
  bool real;                    // small enough to run on
  std::vector<bool> written;    // of temporaries: the bytes that have a meaning
};

// Calls visit(offset) for every element of an operand.
template <class Visit>
void ForEachElement(const residue_problem& problem, const residue_operand& operand, const Visit& visit) {
  uint64_t index[3] = {};
  for (uint32_t i = 0; i < problem.rank; ++i) {
    if (problem.sizes[i] == 0) return;
  }
  while (true) {
    int64_t offset = 0;
    for (uint32_t i = 0; i < problem.rank; ++i) offset += static_cast<int64_t>(index[i]) * operand.strides[i];
    visit(offset);
    uint32_t i = problem.rank;
    while (i > 0 && ++index[i - 1] == problem.sizes[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

class Session {
 public:
  explicit Session(FuzzedDataProvider& data) : data_(data) {
    residue_graph* graph = nullptr;
    FUZZ_REQUIRE(residue_graph_create(&graph) == RESIDUE_OK);
    graph_.reset(graph);
  }

  void Run() {
    const int calls = data_.ConsumeIntegralInRange<int>(1, 40);
    for (int i = 0; i < calls; ++i) {
      if (tensors_.empty() || data_.ConsumeIntegralInRange<int>(0, 2) == 0) {
        AddTensor();
      } else {
        AddNode();
      }
    }
    const residue_status status = residue_graph_compile(graph_.get());
    char text[512];
    FUZZ_REQUIRE(residue_graph_describe(graph_.get(), text, sizeof(text)) == status);
    FUZZ_REQUIRE(std::memchr(text, 0, sizeof(text)) != nullptr);
    if (status == RESIDUE_OK && runnable_) Compare();
  }

 private:
  struct Destroy {
    void operator()(residue_graph* graph) const { residue_graph_destroy(graph); }
  };

  void AddTensor() {
    auto kind = data_.ConsumeIntegralInRange<residue_tensor_kind>(0, 5);
    if (kind == RESIDUE_TENSOR_INDEX) kind = -1;  // there is at most one, whatever is added
    const bool hostile = data_.ConsumeIntegralInRange<int>(0, 31) == 31;
    const uint64_t bytes =
        hostile ? data_.ConsumeIntegral<uint64_t>() : data_.ConsumeIntegralInRange<uint64_t>(0, kMostBytes);
    if (hostile && kind == RESIDUE_TENSOR_CONSTANT) return;  // its bytes would have to be there
    const bool real = bytes <= kMostBytes;
    std::vector<uint8_t> memory;
    memory.reserve(1);  // so that an empty tensor has an address
    memory.resize(real ? bytes : 0);
    const bool given = kind == RESIDUE_TENSOR_INPUT || kind == RESIDUE_TENSOR_CONSTANT;
    const uint8_t seed = data_.ConsumeIntegral<uint8_t>();
    for (size_t i = 0; given && i < memory.size(); ++i)
      memory[i] = static_cast<uint8_t>(seed + i * 37 + i / 7);
    uint32_t tensor = 0;
    const residue_status status = residue_graph_add_tensor(graph_.get(), kind, bytes, memory.data(), &tensor);
    if (status != RESIDUE_OK) return;
    FUZZ_REQUIRE(tensor == tensors_.size());
    runnable_ = runnable_ && real;
    std::vector<bool> written(memory.size(), kind != RESIDUE_TENSOR_TEMPORARY);
    tensors_.push_back({kind, std::move(memory), real, std::move(written)});
  }

  // Mostly a tensor that there is, and of late ones.
  uint32_t PickTensor() {
    if (data_.ConsumeIntegralInRange<int>(0, 31) == 31) return data_.ConsumeIntegral<uint32_t>();
    return data_.ConsumeIntegralInRange<uint32_t>(0, static_cast<uint32_t>(tensors_.size() - 1));
  }

  void AddNode() {
    residue_operand operands[kMostInputs + 1] = {};
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = data_.ConsumeIntegralInRange<residue_operator>(0, RESIDUE_POW_TRUNCATED + 1);
    const auto op = static_cast<OperatorId>(problem.op);
    problem.operand_count = InputCount(op) + 1;
    problem.rank = data_.ConsumeIntegralInRange<uint32_t>(0, 3);
    problem.operands = operands;
    const bool hostile = data_.ConsumeIntegralInRange<int>(0, 31) == 31;
    const auto type = static_cast<DataType>(data_.ConsumeIntegralInRange<residue_type>(1, 11));
    const auto result = data_.ConsumeBool()
                            ? static_cast<DataType>(data_.ConsumeIntegralInRange<residue_type>(1, 11))
                            : OutputType(op, type);
    for (uint32_t i = 0; i < problem.rank; ++i) {
      problem.sizes[i] =
          hostile ? data_.ConsumeIntegral<uint64_t>() : data_.ConsumeIntegralInRange<uint64_t>(0, 12);
    }
    uint32_t tensors[kMostInputs + 1] = {};
    uint64_t offsets[kMostInputs + 1] = {};
    const auto bytes_of = [&](uint32_t k) {
      return static_cast<int64_t>(SizeOf(static_cast<DataType>(operands[k].type)));
    };
    for (uint32_t k = 0; k < problem.operand_count; ++k) {
      operands[k].type = static_cast<residue_type>(OperandType(op, k, type, result));
      tensors[k] = PickTensor();
      offsets[k] =
          hostile ? data_.ConsumeIntegral<uint64_t>() : data_.ConsumeIntegralInRange<uint64_t>(0, 16);
      // Packed, exchanged, broadcast or anything.
      int64_t step = bytes_of(k);
      const int lie = data_.ConsumeIntegralInRange<int>(0, 3);
      for (uint32_t i = problem.rank; i-- > 0;) {
        const uint32_t dimension = lie == 1 ? problem.rank - 1 - i : i;
        operands[k].strides[dimension] = lie == 3             ? data_.ConsumeIntegralInRange<int64_t>(-64, 64)
                                         : lie == 2 && i == 0 ? 0
                                                              : step;
        step *= static_cast<int64_t>(std::min<uint64_t>(problem.sizes[dimension], 64));
      }
    }
    std::vector<std::byte> params = data_.ConsumeBytes<std::byte>(ParamsBytes(op));
    if (!params.empty() && params.size() == ParamsBytes(op)) {
      problem.params = params.data();
      problem.params_size = static_cast<uint32_t>(params.size());
    }
    if (residue_graph_add_node(graph_.get(), &problem, tensors, offsets) != RESIDUE_OK) return;
    // What was accepted lies inside tensors that there are; the same alone, by the reference.
    const uint32_t out = problem.operand_count - 1;
    const void* inputs[kMostInputs + 1] = {};
    for (uint32_t k = 0; k <= out; ++k) {
      if (!tensors_[tensors[k]].real) return;
      inputs[k] = tensors_[tensors[k]].memory.data() + offsets[k];
    }
    for (uint32_t k = 0; k <= out; ++k) {
      std::vector<bool>& written = tensors_[tensors[k]].written;
      ForEachElement(problem, operands[k], [&](int64_t offset) {
        for (int64_t byte = 0; byte < bytes_of(k); ++byte) {
          const auto at = static_cast<size_t>(static_cast<int64_t>(offsets[k]) + offset + byte);
          if (k == out) {
            written[at] = true;
          } else if (!written[at]) {
            runnable_ = false;  // what nobody wrote may be anything
          }
        }
      });
    }
    problem.max_target = "REFERENCE";
    FUZZ_REQUIRE(residue_run(&problem, inputs, tensors_[tensors[out]].memory.data() + offsets[out],
                             nullptr) == RESIDUE_OK);
  }

  void Compare() {
    std::vector<std::vector<uint8_t>> memory;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    memory.reserve(tensors_.size());
    for (const TensorOf& tensor : tensors_) {
      if (tensor.kind == RESIDUE_TENSOR_INPUT) inputs.push_back(memory.emplace_back(tensor.memory).data());
      if (tensor.kind == RESIDUE_TENSOR_OUTPUT) {
        outputs.push_back(memory.emplace_back(tensor.memory.size()).data());
      }
    }
    std::vector<uint8_t> temporary(residue_graph_temporary_size(graph_.get()));
    const residue_options options = {data_.ConsumeBool() ? 1u : 0u, 0, nullptr, nullptr};
    FUZZ_REQUIRE(residue_graph_run(graph_.get(), inputs.data(), outputs.data(),
                                   temporary.empty() ? nullptr : temporary.data(), &options) == RESIDUE_OK);
    size_t output = 0;
    for (const TensorOf& tensor : tensors_) {
      if (tensor.kind != RESIDUE_TENSOR_OUTPUT) continue;
      const auto* got = static_cast<const uint8_t*>(outputs[output++]);
      FUZZ_REQUIRE(std::equal(tensor.memory.begin(), tensor.memory.end(), got));
    }
  }

  FuzzedDataProvider& data_;
  std::unique_ptr<residue_graph, Destroy> graph_;
  std::vector<TensorOf> tensors_;
  bool runnable_ = true;
};

}  // namespace
}  // namespace residue::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FuzzedDataProvider data(bytes, size);
  residue::testing::Session(data).Run();
  return 0;
}
