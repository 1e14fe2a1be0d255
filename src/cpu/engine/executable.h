// A graph compiled for this machine: passes, and where their operands lie. Immutable, so that any number of
// threads may run it at once.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/exceptions.h"
#include "core/status.h"
#include "cpu/engine/executor.h"
#include "cpu/engine/pass.h"
#include "cpu/engine/scratch.h"
#include "cpu/rows/chain.h"
#include "graph/graph.h"
#include "graph/memory_plan.h"
#include "graph/row_plan.h"

namespace residue {

// The memory of one run.
struct RunMemory {
  const void* const* inputs;  // by number
  void* const* outputs;
  std::byte* temporary;  // temporary_bytes() of it
  // Only so many first elements of each row are computed, and given.
  std::optional<uint64_t> first = std::nullopt;
};

// Who computes a pass of so many elements of so many bytes.
struct ExecutorChoice {
  const void* context;
  Executor (*choose)(const void* context, uint64_t element_count, size_t element_size);
};

class Executable {
 public:
  // Takes over the graph, and refuses one without outputs or with one that nobody writes. Rows are the best
  // no better than `max_target`. May throw bad_alloc.
  static Status Compile(Graph graph, Target max_target, std::unique_ptr<Executable>* executable);

  // Of whole rows, or of so many first elements; then it may be more than any memory has.
  uint64_t temporary_bytes(std::optional<uint64_t> first = std::nullopt) const noexcept;
  bool HasFirst(uint64_t count) const noexcept { return rows_.has_rows() && count <= rows_.count(); }
  const Graph& graph() const noexcept { return graph_; }
  size_t pass_count() const noexcept { return passes_.size(); }
  // "scale_bias.f32@AVX3, modulus_floor.f32@AVX3": the rows of a pass. May throw bad_alloc.
  std::string DescribePass(size_t pass) const;

  // The result is as if all inputs had been copied first: an input that an output overwrites before it is
  // read for the last time is copied, which may fail. Outputs must not overlap each other, nor the temporary
  // memory anything. Without temporary memory, it is allocated. Unless it is nullptr, `exceptions` gets those
  // of the elements added.
  Status Run(const RunMemory& memory, const ExecutorChoice& executors, Exceptions* exceptions) const noexcept;

 private:
  // One walk, made ready to run. It stays where it is, because its pass refers to it.
  struct CompiledPass {
    Layout layout;
    std::vector<RowCall> rows;
    std::vector<ChainLink> links;  // of the rows that are chains
    std::vector<RowKey> keys;      // of the nodes, for descriptions
    std::vector<View> operands;    // by operand of the layout
    bool is_row = false;           // in a graph of rows: not of single elements
    Pass pass{};
  };

  Executable(Graph graph, Target target) : graph_(std::move(graph)), target_(target) {}

  Status MakePass(const Walk& walk);
  void NotePass(size_t index);

  std::byte* BaseOf(uint32_t tensor, const RunMemory& memory) const noexcept;
  // Outputs that have elements, by their addresses: so many that each cannot be compared with each.
  using SortedOutputs = std::span<const uint32_t>;

  uint64_t BytesOf(uint32_t tensor, const RunMemory& memory) const noexcept;
  static bool IsPart(const CompiledPass& pass, const RunMemory& memory) noexcept;
  std::span<uint32_t> RoomForOrder(const RunMemory& memory, std::span<uint32_t> few) const noexcept;
  Status CheckMemory(const RunMemory& memory) const noexcept;
  uint32_t OutputOf(uint32_t number) const noexcept;
  Status SortOutputs(const RunMemory& memory, std::span<uint32_t> room, SortedOutputs* sorted) const noexcept;
  bool Share(uint32_t tensor, uint32_t other, const RunMemory& memory) const noexcept;
  bool MustCopy(uint32_t input, const RunMemory& memory, SortedOutputs outputs) const noexcept;
  bool ReadsWhatItOverwrites(const CompiledPass& pass, uint32_t input, uint32_t output,
                             const RunMemory& memory) const noexcept;
  void RunPass(const CompiledPass& compiled, const Layout& layout, const RunMemory& memory,
               const ExecutorChoice& executors, Exceptions* exceptions) const noexcept;
  Status RunWithCopies(const RunMemory& memory, SortedOutputs outputs, const ExecutorChoice& executors,
                       Exceptions* exceptions) const noexcept;
  void ClearTemporaries(const CompiledPass& compiled, const RunMemory& memory) const noexcept;
  void RunPasses(const RunMemory& memory, const ExecutorChoice& executors,
                 Exceptions* exceptions) const noexcept;

  static constexpr size_t kNever = SIZE_MAX;
  // Their order has room on the stack; that of more is in the temporary memory.
  static constexpr size_t kFewOutputs = 16;

  const Graph graph_;
  const Target target_;
  MemoryPlan memory_;  // of whole runs
  RowPlan rows_;       // of others
  std::vector<CompiledPass> passes_;
  std::vector<uint32_t> inputs_;  // their tensors
  std::vector<uint32_t> outputs_;
  std::vector<size_t> last_read_;  // by tensor: the last pass that loads it, or kNever
  std::vector<size_t> written_;    // by tensor: the pass that stores it, or kNever
  std::unique_ptr<ScratchPool> scratch_;
};

}  // namespace residue
