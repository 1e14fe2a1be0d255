// A compiled graph: a residue_graph, and how many tensors it is given at every run.
#pragma once

#include <memory>

#include "backend/backend.h"
#include "com/com_object.h"

namespace residue {

class CpuProgram final : public ComObject<IDeviceProgram> {
 public:
  struct DestroyGraph {
    void operator()(residue_graph* graph) const noexcept { residue_graph_destroy(graph); }
  };
  using GraphHandle = std::unique_ptr<residue_graph, DestroyGraph>;

  static residue_status Compile(const GraphDescription& description, Ref<CpuProgram>* program, char* text,
                                size_t size) noexcept;
  CpuProgram(GraphHandle graph, size_t input_count, size_t output_count) noexcept
      : graph_(std::move(graph)), input_count_(input_count), output_count_(output_count) {}

  uint64_t TemporaryBytes() noexcept override { return residue_graph_temporary_size(graph_.get()); }
  const residue_graph* graph() const noexcept { return graph_.get(); }
  size_t input_count() const noexcept { return input_count_; }
  size_t output_count() const noexcept { return output_count_; }

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }

  const GraphHandle graph_;
  const size_t input_count_;
  const size_t output_count_;
};

}  // namespace residue
