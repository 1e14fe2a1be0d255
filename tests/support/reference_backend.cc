// A second backend, as unlike the processor's as the seam allows: nodes are computed one by one and element
// by element with the reference functions, nothing happens before Finish, device addresses are no pointers,
// and what the host was not promised to see it does not see. Linked into a test program, it is the backend of
// all devices that the fixture makes.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <mutex>
#include <numeric>
#include <vector>

#include "backend/backend.h"
#include "cpu/rows/reference.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

using Bytes = std::vector<std::byte>;

class ReferenceMemory final : public ComObject<IDeviceMemory> {
 public:
  ReferenceMemory(uint64_t bytes, bool host_visible) : bytes_(bytes), host_visible_(host_visible) {
    constexpr uint64_t kAlignment = 65536;
    static std::mutex mutex;
    static uint64_t next = kAlignment;
    const std::scoped_lock lock(mutex);
    address_ = next;
    next += (bytes / kAlignment + 1) * kAlignment;
  }
  uint64_t DeviceAddress() noexcept override { return address_; }
  void* HostAddress() noexcept override { return host_visible_ ? bytes_.data() : nullptr; }
  std::byte* Data() noexcept { return bytes_.data(); }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }

  Bytes bytes_;
  const bool host_visible_;
  uint64_t address_ = 0;
};

// A place that keeps its memory.
struct KeptPlace {
  explicit KeptPlace(DevicePlace place)
      : memory(Ref<IDeviceMemory>::Share(place.memory)), offset(place.offset) {}
  std::byte* address() const noexcept {
    return memory ? static_cast<ReferenceMemory*>(memory.get())->Data() + offset : nullptr;
  }
  Ref<IDeviceMemory> memory;
  uint64_t offset;
};

struct KeptTensor {
  residue_tensor_kind kind;
  uint64_t bytes;
  Bytes constant;
};

struct KeptNode {
  residue_problem problem;
  std::vector<residue_operand> operands;
  std::vector<uint32_t> tensors;
  Params params;
};

class ReferenceProgram final : public ComObject<IDeviceProgram> {
 public:
  explicit ReferenceProgram(const GraphDescription& graph) {
    for (size_t t = 0; t < graph.tensor_count; ++t) {
      const TensorDescription& given = graph.tensors[t];
      tensors_.push_back({given.kind, given.bytes, {}});
      if (given.kind != RESIDUE_TENSOR_CONSTANT) continue;
      const auto* data = static_cast<const std::byte*>(given.data);
      tensors_.back().constant.assign(data, data + given.bytes);
    }
    for (size_t n = 0; n < graph.node_count; ++n) {
      const NodeDescription& given = graph.nodes[n];
      const size_t count = given.problem.operand_count;
      KeptNode& node = nodes_.emplace_back();
      node.problem = given.problem;
      node.operands.assign(given.problem.operands, given.problem.operands + count);
      node.tensors.assign(given.tensors, given.tensors + count);
      if (given.problem.params_size != 0)
        std::memcpy(node.params.bytes, given.problem.params, given.problem.params_size);
    }
  }

  // No two temporaries share memory here.
  uint64_t TemporaryBytes() noexcept override { return SumOf(RESIDUE_TENSOR_TEMPORARY); }
  size_t CountOf(residue_tensor_kind kind) const noexcept {
    return static_cast<size_t>(std::ranges::count(tensors_, kind, &KeptTensor::kind));
  }
  uint64_t OutputBytes(size_t index) const noexcept {
    for (const KeptTensor& tensor : tensors_) {
      if (tensor.kind == RESIDUE_TENSOR_OUTPUT && index-- == 0) return tensor.bytes;
    }
    return 0;
  }

  void Run(const std::vector<KeptPlace>& inputs, const std::vector<KeptPlace>& outputs,
           const KeptPlace& temporary) {
    std::vector<Bytes> copies;
    std::vector<std::byte*> addresses;
    size_t input = 0;
    size_t output = 0;
    std::byte* free = temporary.address();
    copies.reserve(inputs.size());
    for (KeptTensor& tensor : tensors_) {
      switch (tensor.kind) {
        case RESIDUE_TENSOR_INPUT: {
          const std::byte* from = inputs[input++].address();
          copies.emplace_back();
          if (from != nullptr) copies.back().assign(from, from + tensor.bytes);
          addresses.push_back(copies.back().data());
          break;
        }
        case RESIDUE_TENSOR_OUTPUT:
          addresses.push_back(outputs[output++].address());
          break;
        case RESIDUE_TENSOR_TEMPORARY:
          addresses.push_back(free);
          std::fill_n(free, tensor.bytes, std::byte{0});  // for readers of what no node writes
          free += tensor.bytes;
          break;
        default:
          addresses.push_back(tensor.constant.data());
      }
    }
    for (const KeptNode& node : nodes_) RunNode(node, addresses);
  }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }

  uint64_t SumOf(residue_tensor_kind kind) const noexcept {
    return std::accumulate(tensors_.begin(), tensors_.end(), uint64_t{0},
                           [&](uint64_t sum, const KeptTensor& tensor) {
                             return sum + (tensor.kind == kind ? tensor.bytes : 0);
                           });
  }

  void RunNode(const KeptNode& node, const std::vector<std::byte*>& addresses) const {
    const residue_problem& problem = node.problem;
    const RowFn run = reference::FindRow({static_cast<OperatorId>(problem.op),
                                          static_cast<DataType>(node.operands.front().type),
                                          static_cast<DataType>(node.operands.back().type)});
    std::array<uint64_t, RESIDUE_MAX_RANK> index = {};
    uint64_t number = 0;  // of the element, row by row
    for (bool more = true; more; ++number) {
      Row row = {};
      row.count = 1;
      row.params = node.params.bytes;
      for (size_t k = 0; k < node.operands.size(); ++k) {
        int64_t offset = 0;
        for (size_t d = 0; d < problem.rank; ++d)
          offset += static_cast<int64_t>(index[d]) * node.operands[k].strides[d];
        const bool is_index = tensors_[node.tensors[k]].kind == RESIDUE_TENSOR_INDEX;
        if (k + 1 == node.operands.size()) {
          row.out = addresses[node.tensors[k]] + offset;
        } else if (is_index) {
          row.in[k] = &number;
        } else {
          row.in[k] = addresses[node.tensors[k]] + offset;
        }
      }
      run(row);
      more = false;
      for (size_t d = problem.rank; d-- > 0 && !more;) {
        more = ++index[d] < problem.sizes[d];
        if (!more) index[d] = 0;
      }
    }
  }

  std::vector<KeptTensor> tensors_;
  std::vector<KeptNode> nodes_;
};

class ReferenceStream final : public ComObject<IDeviceStream> {
 public:
  ~ReferenceStream() override { EXPECT_TRUE(work_.empty()) << "work was left behind"; }

  void Copy(DevicePlace to, DevicePlace from, uint64_t bytes) noexcept override {
    work_.emplace_back([to = KeptPlace(to), from = KeptPlace(from), bytes] {
      std::memmove(to.address(), from.address(), bytes);
    });
  }
  void Fill(DevicePlace to, uint64_t bytes, const void* pattern, uint32_t pattern_bytes) noexcept override {
    const auto* begin = static_cast<const std::byte*>(pattern);
    work_.emplace_back([to = KeptPlace(to), bytes, copy = Bytes(begin, begin + pattern_bytes)] {
      for (uint64_t i = 0; i < bytes; ++i) to.address()[i] = copy[i % copy.size()];
    });
  }
  residue_status Run(IDeviceProgram* program, const DevicePlace* inputs, const DevicePlace* outputs,
                     DevicePlace temporary) noexcept override {
    const auto ours = Ref<ReferenceProgram>::Share(static_cast<ReferenceProgram*>(program));
    std::vector<KeptPlace> from(inputs, inputs + ours->CountOf(RESIDUE_TENSOR_INPUT));
    std::vector<KeptPlace> to(outputs, outputs + ours->CountOf(RESIDUE_TENSOR_OUTPUT));
    const KeptPlace own(temporary);
    if (Overlap(*ours, to, own)) return RESIDUE_OUTPUTS_OVERLAP;
    work_.emplace_back([ours, from = std::move(from), to = std::move(to), own] { ours->Run(from, to, own); });
    return RESIDUE_OK;
  }
  void Finish() noexcept override {
    for (const auto& work : work_) work();
    work_.clear();
  }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }

  // Whether outputs overlap each other, or the temporary memory one of them.
  static bool Overlap(ReferenceProgram& program, const std::vector<KeptPlace>& outputs,
                      const KeptPlace& temporary) {
    struct Range {
      const void* memory;
      uint64_t begin;
      uint64_t end;
    };
    std::vector<Range> ranges;
    const auto add = [&](const KeptPlace& place, uint64_t bytes) {
      if (place.memory && bytes != 0)
        ranges.push_back({place.memory.get(), place.offset, place.offset + bytes});
    };
    add(temporary, program.TemporaryBytes());
    for (size_t i = 0; i < outputs.size(); ++i) add(outputs[i], program.OutputBytes(i));
    for (size_t i = 0; i < ranges.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (ranges[i].memory == ranges[j].memory && ranges[i].begin < ranges[j].end &&
            ranges[j].begin < ranges[i].end) {
          return true;
        }
      }
    }
    return false;
  }

  std::vector<std::function<void()>> work_;
};

class ReferenceBackend final : public ComObject<IBackend> {
 public:
  IDeviceMemory* Allocate(uint64_t bytes, bool host_visible) noexcept override {
    if (bytes > uint64_t{1} << 32) return nullptr;
    return TryMake<ReferenceMemory>(bytes, host_visible).Detach();
  }
  IDeviceStream* CreateStream() noexcept override { return TryMake<ReferenceStream>().Detach(); }
  residue_status Compile(const GraphDescription& graph, IDeviceProgram** program, char*,
                         size_t) noexcept override {
    *program = TryMake<ReferenceProgram>(graph).Detach();
    return *program == nullptr ? RESIDUE_OUT_OF_MEMORY : RESIDUE_OK;
  }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }
};

[[maybe_unused]] const bool registered = [] {
  make_backend = []() -> IBackend* { return Make<ReferenceBackend>().Detach(); };
  return true;
}();

}  // namespace
}  // namespace residue::testing
