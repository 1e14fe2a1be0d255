// The tensors that benchmarks read and write.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "core/data_type.h"
#include "data.h"

namespace residue::bench {

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, FreeMemory>;

// Page-aligned, and touched so that no benchmark pays for the first access. Throws std::bad_alloc.
Memory Allocate(size_t bytes);

struct Arrays {
  Memory a;
  Memory b;
  Memory out;
};

// `bytes` each, filled with the data set's numbers, which repeat after kPeriod elements.
inline constexpr size_t kPeriod = size_t{1} << 20;
Arrays MakeArrays(DataType type, DataSet set, size_t bytes);

// The same, made once and kept.
Arrays& Prepare(DataType type, DataSet set, size_t bytes);

// Writes TYPE.SET.a and TYPE.SET.b, kPeriod elements each, for peers in other languages.
void WriteData(const char* folder);

}  // namespace residue::bench
