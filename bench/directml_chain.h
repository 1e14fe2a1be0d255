// A chain of scaled copies as a compiled DirectML graph.
#pragma once

#include <residue/residue.h>

#include <cstddef>
#include <memory>
#include <span>

namespace residue::bench {

class DirectmlChain {
 public:
  virtual ~DirectmlChain() = default;

  // The buffers of the graph's input and output.
  virtual std::byte* input() = 0;
  virtual std::byte* output() = 0;

  // One command list of so many dispatches of the graph, executed and waited for.
  virtual void Run() = 0;
};

// `bytes` of packed float32 through nodes of ELEMENT_WISE_IDENTITY, one after the other.
std::unique_ptr<DirectmlChain> MakeDirectmlChain(std::span<const residue_scale_bias> nodes, size_t bytes,
                                                 size_t dispatches);

}  // namespace residue::bench
