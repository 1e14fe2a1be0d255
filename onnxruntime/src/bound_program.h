// A program for inputs of known shapes: one graph of libresidue, compiled once, run by any number of threads.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "broadcast.h"
#include "kernel_tensors.h"
#include "program.h"
#include "residue/residue.h"

namespace residue::ort {

class BoundProgram {
 public:
  // `error` says why not, and is empty if it was made. May throw std::bad_alloc.
  BoundProgram(const Program& program, std::span<const Shape> inputs, std::string* error);
  BoundProgram(const BoundProgram&) = delete;
  BoundProgram& operator=(const BoundProgram&) = delete;

  const std::vector<Shape>& output_shapes() const { return output_shapes_; }
  // Nothing to do: no output has an element.
  bool is_empty() const { return graph_ == nullptr; }
  // May throw std::bad_alloc.
  residue_status Run(std::span<const InputTensor> inputs, std::span<void* const> outputs,
                     const residue_options* options) const;

 private:
  friend class Binder;

  struct Destroy {
    void operator()(residue_graph* graph) const noexcept { residue_graph_destroy(graph); }
  };
  // A loop around the graph, for tensors that have more dimensions than it can have.
  struct OuterLoop {
    int64_t size;
    // How many bytes the tensor goes on with each of its first `sizes` turns, the inputs before the outputs.
    std::vector<int64_t> steps;
    std::vector<int64_t> sizes;
  };

  std::unique_ptr<residue_graph, Destroy> graph_;
  std::vector<Shape> output_shapes_;
  std::vector<OuterLoop> outer_;   // the innermost first
  std::vector<bool> is_read_;      // of each input: whether what is computed depends on it
  std::vector<bool> is_computed_;  // of each output: whether it has elements
};

}  // namespace residue::ort
