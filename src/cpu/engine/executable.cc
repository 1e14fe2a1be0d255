#include "cpu/engine/executable.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "core/checked_math.h"
#include "cpu/engine/job.h"
#include "cpu/engine/link.h"
#include "graph/fuse.h"
#include "layout/overlap.h"

namespace residue {
namespace {

constexpr uint64_t OrderBytes(size_t outputs) noexcept {
  return outputs * sizeof(uint32_t) + alignof(uint32_t);
}

constexpr WalkLimits kLimits = {kMostRows, kMostOperands, kMostBlocks};

uintptr_t ToInteger(const void* pointer) noexcept { return reinterpret_cast<uintptr_t>(pointer); }

bool RangesMeet(const void* x, uint64_t x_bytes, const void* y, uint64_t y_bytes) noexcept {
  if (x_bytes == 0 || y_bytes == 0) return false;
  return ToInteger(x) < ToInteger(y) + y_bytes && ToInteger(y) < ToInteger(x) + x_bytes;
}

Status CheckGiven(const char* field, size_t index, const void* address, uint64_t bytes) noexcept {
  if (bytes == 0) return {};
  if (address == nullptr) {
    return {StatusCode::kNullPointer, field, static_cast<int32_t>(index), 0, Relation::kAtLeast, 1};
  }
  uintptr_t end;
  if (!CheckedAdd(ToInteger(address), bytes, &end)) return {StatusCode::kTooLarge};
  return {};
}

ValueId ToValue(ValuePlace place, size_t load_count) noexcept {
  switch (place.kind) {
    case ValuePlace::kLoad:
      return place.index;
    case ValuePlace::kStore:
      return static_cast<ValueId>(load_count + place.index);
    case ValuePlace::kBlock:
      break;
  }
  return BlockValue(place.index);
}

}  // namespace

Status Executable::Compile(Graph graph, Target max_target, std::unique_ptr<Executable>* executable) {
  if (const Status status = graph.Check(); !status.ok()) return status;
  std::unique_ptr<Executable> made(new Executable(std::move(graph), max_target));
  const std::vector<Walk> walks = Fuse(made->graph_, kLimits);
  made->memory_ = PlanMemory(made->graph_, walks);
  if (made->memory_.bytes > uint64_t{kMaxExtent}) return {StatusCode::kTooLarge};
  made->rows_ = RowPlan::Make(made->graph_, walks);
  const size_t tensors = made->graph_.tensors().size();
  made->last_read_.assign(tensors, kNever);
  made->written_.assign(tensors, kNever);
  for (uint32_t t = 0; t < tensors; ++t) {
    if (made->graph_.tensors()[t].place == Place::kInput) made->inputs_.push_back(t);
    if (made->graph_.tensors()[t].place == Place::kOutput) made->outputs_.push_back(t);
  }
  made->passes_.reserve(walks.size());
  size_t scratch_bytes = 0;
  for (size_t i = 0; i < walks.size(); ++i) {
    if (const Status status = made->MakePass(walks[i]); !status.ok()) return status;
    made->NotePass(i);
    scratch_bytes = std::max(scratch_bytes, ScratchBytes(made->passes_[i].pass));
  }
  // Two for each thread of the machine: a run of its own, and a share of somebody else's.
  const bool needed = scratch_bytes > kStackScratchBytes;
  made->scratch_ =
      std::make_unique<ScratchPool>(needed ? scratch_bytes : 0, 2 * std::thread::hardware_concurrency());
  for (CompiledPass& compiled : made->passes_) compiled.pass.scratch = made->scratch_.get();
  *executable = std::move(made);
  return {};
}

// The order of many outputs comes last. Memory that is given may begin anywhere.
uint64_t Executable::temporary_bytes(std::optional<uint64_t> first) const noexcept {
  const uint64_t bytes = first ? rows_.TemporaryBytes(*first) : memory_.bytes;
  if (outputs_.size() <= kFewOutputs || bytes > uint64_t{kMaxExtent}) return bytes;
  return bytes + OrderBytes(outputs_.size());
}

Status Executable::MakePass(const Walk& walk) {
  CompiledPass& compiled = passes_.emplace_back();
  Pass& pass = compiled.pass;
  compiled.operands = walk.loads;
  compiled.operands.insert(compiled.operands.end(), walk.stores.begin(), walk.stores.end());
  const Node& first = graph_.nodes()[walk.steps.front().node];
  compiled.is_row = first.rank == 1;
  LayoutRequest request;
  request.rank = first.rank;
  request.sizes = first.sizes.data();
  request.first_written = static_cast<uint32_t>(walk.loads.size());
  request.operand_count = static_cast<uint32_t>(compiled.operands.size());
  for (size_t k = 0; k < compiled.operands.size(); ++k) {
    const View& view = compiled.operands[k];
    request.operands[k] = {view.strides.data(), static_cast<uint32_t>(SizeOf(view.type)), "operands"};
    if (graph_.tensors()[view.tensor].place == Place::kIndex) pass.index_operand = static_cast<uint32_t>(k);
  }
  // Cannot fail: each operand was laid out when its node was added.
  if (const Status status = MakeLayout(request, &compiled.layout); !status.ok()) return status;
  std::vector<PlannedRow> rows;
  for (const WalkStep& step : walk.steps) {
    const Node& node = graph_.nodes()[step.node];
    compiled.keys.push_back({node.op, node.operands[0].type, node.output().type});
    const RowCode code = FindRow(compiled.keys.back(), target_);
    RowCall& row = rows.emplace_back(PlannedRow{{}, code, node.params.bytes}).call;
    row.run = code.run;
    row.input_count = static_cast<uint8_t>(node.input_count());
    for (uint32_t i = 0; i < node.input_count(); ++i) row.in[i] = ToValue(step.places[i], walk.loads.size());
    row.out = ToValue(step.places[node.input_count()], walk.loads.size());
    row.params = node.params;
    pass.widest = std::max(pass.widest, static_cast<uint8_t>(SizeOf(node.output().type)));
  }
  uint32_t block_count = 0;
  compiled.rows = LinkRows(rows, &compiled.links, &block_count);
  pass.layout = &compiled.layout;
  pass.rows = compiled.rows;
  pass.target = target_;
  pass.block_count = static_cast<uint8_t>(block_count);
  CompletePass(&pass);
  return {};
}

void Executable::NotePass(size_t index) {
  const CompiledPass& pass = passes_[index];
  for (uint32_t k = 0; k < pass.layout.operand_count; ++k) {
    (k < pass.layout.first_written ? last_read_ : written_)[pass.operands[k].tensor] = index;
  }
}

std::string Executable::DescribePass(size_t index) const {
  std::string text;
  for (const RowKey& key : passes_[index].keys) {
    char name[96];
    FormatRowName(key, FindRow(key, target_).target, name, sizeof(name));
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

// Steps only read inputs and constants.
std::byte* Executable::BaseOf(uint32_t tensor, const RunMemory& memory) const noexcept {
  const Tensor& described = graph_.tensors()[tensor];
  switch (described.place) {
    case Place::kInput:
      return static_cast<std::byte*>(const_cast<void*>(memory.inputs[described.index]));
    case Place::kOutput:
      return static_cast<std::byte*>(memory.outputs[described.index]);
    case Place::kTemporary:
      return memory.temporary +
             (memory.first ? rows_.OffsetOf(tensor, *memory.first) : memory_.offsets[tensor]);
    case Place::kIndex:
      return nullptr;
    case Place::kConstant:
      break;
  }
  return const_cast<std::byte*>(graph_.constants().data()) + described.offset;
}

uint64_t Executable::BytesOf(uint32_t tensor, const RunMemory& memory) const noexcept {
  return memory.first ? rows_.BytesOf(graph_, tensor, *memory.first) : graph_.tensors()[tensor].bytes;
}

// Passes of single elements are always whole.
bool Executable::IsPart(const CompiledPass& pass, const RunMemory& memory) noexcept {
  return memory.first && pass.is_row;
}

Status Executable::CheckMemory(const RunMemory& memory) const noexcept {
  const auto bytes = [&](uint32_t tensor) { return BytesOf(tensor, memory); };
  const uint64_t temporary_bytes = this->temporary_bytes(memory.first);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const void* input = memory.inputs[i];
    if (const Status status = CheckGiven("inputs", i, input, bytes(inputs_[i])); !status.ok()) return status;
    if (RangesMeet(input, bytes(inputs_[i]), memory.temporary, temporary_bytes))
      return {StatusCode::kOutputsOverlap};
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const void* output = memory.outputs[i];
    if (const Status status = CheckGiven("outputs", i, output, bytes(outputs_[i])); !status.ok())
      return status;
    if (RangesMeet(output, bytes(outputs_[i]), memory.temporary, temporary_bytes))
      return {StatusCode::kOutputsOverlap};
  }
  return {};
}

std::span<uint32_t> Executable::RoomForOrder(const RunMemory& memory,
                                             std::span<uint32_t> few) const noexcept {
  if (outputs_.size() <= kFewOutputs) return few;
  const uint64_t end = temporary_bytes(memory.first);
  std::byte* const room = memory.temporary + (end - OrderBytes(outputs_.size()));
  const size_t past = ToInteger(room) % alignof(uint32_t);
  return {reinterpret_cast<uint32_t*>(room + (past == 0 ? 0 : alignof(uint32_t) - past)), outputs_.size()};
}

// Of outputs in order. The order may be in memory that the caller gave, so what is read there may be
// anything.
uint32_t Executable::OutputOf(uint32_t number) const noexcept {
  return std::min(number, static_cast<uint32_t>(graph_.tensors().size() - 1));
}

// Of ranges in order, neighbours overlap if any do. A heap stays in its bounds whatever becomes of its
// numbers.
Status Executable::SortOutputs(const RunMemory& memory, std::span<uint32_t> room,
                               SortedOutputs* sorted) const noexcept {
  const auto end = std::ranges::copy_if(outputs_, room.begin(), [&](uint32_t output) {
                     return BytesOf(output, memory) != 0;
                   }).out;
  const std::span<uint32_t> order(room.begin(), end);
  const auto address = [&](uint32_t output) { return ToInteger(BaseOf(OutputOf(output), memory)); };
  std::ranges::make_heap(order, {}, address);
  std::ranges::sort_heap(order, {}, address);
  for (size_t i = 1; i < order.size(); ++i) {
    if (Share(OutputOf(order[i - 1]), OutputOf(order[i]), memory)) return {StatusCode::kOutputsOverlap};
  }
  *sorted = order;
  return {};
}

bool Executable::Share(uint32_t tensor, uint32_t other, const RunMemory& memory) const noexcept {
  return RangesMeet(BaseOf(tensor, memory), BytesOf(tensor, memory), BaseOf(other, memory),
                    BytesOf(other, memory));
}

// In the pass that reads the input for the last time and writes the output, which share memory: is an element
// of the input overwritten before it is read? Not if both are the same elements, and no row reads them after
// the one that writes.
bool Executable::ReadsWhatItOverwrites(const CompiledPass& pass, uint32_t input, uint32_t output,
                                       const RunMemory& memory) const noexcept {
  const Layout layout = IsPart(pass, memory) ? FirstElements(pass.layout, *memory.first) : pass.layout;
  for (uint32_t load = 0; load < layout.first_written; ++load) {
    if (pass.operands[load].tensor != input) continue;
    for (uint32_t store = layout.first_written; store < layout.operand_count; ++store) {
      if (pass.operands[store].tensor != output) continue;
      const uintptr_t from = ToInteger(BaseOf(input, memory) + pass.operands[load].offset);
      const uintptr_t to = ToInteger(BaseOf(output, memory) + pass.operands[store].offset);
      const Overlap overlap = ClassifyOverlap(layout, load, from, store, to);
      if (overlap == Overlap::kDisjoint) continue;
      if (overlap == Overlap::kPartial) return true;
      size_t written = 0;
      size_t read = 0;
      for (size_t r = 0; r < pass.rows.size(); ++r) {
        const RowCall& row = pass.rows[r];
        if (row.out == store) written = r;
        for (uint32_t i = 0; i < row.input_count; ++i) {
          if (row.in[i] == load) read = r;
        }
      }
      if (read > written) return true;
    }
  }
  return false;
}

bool Executable::MustCopy(uint32_t input, const RunMemory& memory, SortedOutputs outputs) const noexcept {
  const size_t last_read = last_read_[input];
  if (last_read == kNever) return false;
  const uintptr_t begin = ToInteger(BaseOf(input, memory));
  const auto ends_before = [&](uint32_t number) {
    const uint32_t output = OutputOf(number);
    return ToInteger(BaseOf(output, memory)) + BytesOf(output, memory) <= begin;
  };
  for (auto at = std::ranges::partition_point(outputs, ends_before); at != outputs.end(); ++at) {
    const uint32_t output = OutputOf(*at);
    if (!Share(input, output, memory)) return false;  // nor those behind it
    if (written_[output] > last_read) continue;
    if (written_[output] < last_read) return true;
    if (ReadsWhatItOverwrites(passes_[last_read], input, output, memory)) return true;
  }
  return false;
}

// All copies in one piece of memory, behind the addresses of all inputs.
Status Executable::RunWithCopies(const RunMemory& memory, SortedOutputs outputs,
                                 const ExecutorChoice& executors, Exceptions* exceptions) const noexcept {
  constexpr uint64_t kAlignment = 64;
  const auto align = [](uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; };
  uint64_t bytes = align(inputs_.size() * sizeof(void*));
  for (const uint32_t input : inputs_) {
    if (!MustCopy(input, memory, outputs)) continue;
    if (!CheckedAdd(bytes, align(BytesOf(input, memory)), &bytes)) return {StatusCode::kOutOfMemory};
  }
  const OwnedMemory copies = Allocate(bytes);
  if (copies == nullptr) return {StatusCode::kOutOfMemory};
  auto* addresses = reinterpret_cast<const void**>(copies.get());
  std::byte* next = copies.get() + align(inputs_.size() * sizeof(void*));
  for (size_t i = 0; i < inputs_.size(); ++i) {
    addresses[i] = memory.inputs[i];
    if (!MustCopy(inputs_[i], memory, outputs)) continue;
    const uint64_t size = BytesOf(inputs_[i], memory);
    // More are found than before if somebody else has changed the order meanwhile.
    if (size > static_cast<uint64_t>(copies.get() + bytes - next)) return {StatusCode::kOutputsOverlap};
    std::memcpy(next, memory.inputs[i], static_cast<size_t>(size));
    addresses[i] = next;
    next += align(size);
  }
  RunPasses({addresses, memory.outputs, memory.temporary, memory.first}, executors, exceptions);
  return {};
}

// Later passes may read bytes of temporaries that this one leaves.
void Executable::ClearTemporaries(const CompiledPass& compiled, const RunMemory& memory) const noexcept {
  for (size_t k = compiled.layout.first_written; k < compiled.operands.size(); ++k) {
    const uint32_t tensor = compiled.operands[k].tensor;
    const Tensor& described = graph_.tensors()[tensor];
    if (described.cleared)
      std::memset(BaseOf(tensor, memory), 0, static_cast<size_t>(BytesOf(tensor, memory)));
  }
}

void Executable::RunPass(const CompiledPass& compiled, const Layout& layout, const RunMemory& memory,
                         const ExecutorChoice& executors, Exceptions* exceptions) const noexcept {
  if (layout.element_count == 0) return;
  Addresses addresses;
  bool apart = true;
  for (uint32_t k = 0; k < layout.operand_count; ++k) {
    const View& view = compiled.operands[k];
    addresses[k] = BaseOf(view.tensor, memory) + view.offset;
    for (uint32_t load = 0; k >= layout.first_written && load < layout.first_written; ++load) {
      apart = apart && !Share(compiled.operands[load].tensor, view.tensor, memory);
    }
  }
  Pass pass = compiled.pass;
  pass.layout = &layout;
  const Executor executor = executors.choose(executors.context, layout.element_count, pass.widest);
  const Exceptions found = RunJob(pass, addresses, apart, exceptions != nullptr, executor);
  if (exceptions != nullptr) *exceptions |= found;
}

void Executable::RunPasses(const RunMemory& memory, const ExecutorChoice& executors,
                           Exceptions* exceptions) const noexcept {
  for (const CompiledPass& compiled : passes_) {
    ClearTemporaries(compiled, memory);
    if (IsPart(compiled, memory)) {
      RunPass(compiled, FirstElements(compiled.layout, *memory.first), memory, executors, exceptions);
    } else {
      RunPass(compiled, compiled.layout, memory, executors, exceptions);
    }
  }
}

Status Executable::Run(const RunMemory& given, const ExecutorChoice& executors,
                       Exceptions* exceptions) const noexcept {
  RunMemory memory = given;
  OwnedMemory allocated;
  const uint64_t temporary_bytes = this->temporary_bytes(memory.first);
  if (memory.temporary == nullptr && temporary_bytes != 0) {
    allocated = Allocate(temporary_bytes);
    if (allocated == nullptr) return {StatusCode::kOutOfMemory};
    memory.temporary = allocated.get();
  }
  if (const Status status = CheckMemory(memory); !status.ok()) return status;
  uint32_t few[kFewOutputs];
  SortedOutputs outputs;
  const Status sorting = SortOutputs(memory, RoomForOrder(memory, few), &outputs);
  if (!sorting.ok()) return sorting;
  const bool copies =
      std::ranges::any_of(inputs_, [&](uint32_t input) { return MustCopy(input, memory, outputs); });
  if (copies) return RunWithCopies(memory, outputs, executors, exceptions);
  RunPasses(memory, executors, exceptions);
  return {};
}

}  // namespace residue
