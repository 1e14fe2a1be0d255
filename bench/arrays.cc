#include "arrays.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <string>
#include <tuple>

namespace residue::bench {
namespace {

void FillBytes(DataType type, DataSet set, size_t bytes, std::byte* a, std::byte* b) {
  VisitType(type, [&]<class T>(T) {
    const size_t filled = std::min(bytes / sizeof(T), kPeriod);
    Fill<T>(set, {reinterpret_cast<T*>(a), filled}, {reinterpret_cast<T*>(b), filled});
    for (size_t i = filled * sizeof(T); i < bytes; i += filled * sizeof(T)) {
      const size_t part = std::min(filled * sizeof(T), bytes - i);
      std::memcpy(a + i, a, part);
      std::memcpy(b + i, b, part);
    }
  });
}

}  // namespace

Memory Allocate(size_t bytes) {
  constexpr size_t kPage = 4096;
  const size_t rounded = (bytes + kPage - 1) / kPage * kPage;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(kPage, rounded)));
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory.get(), 0, rounded);
  return memory;
}

Arrays MakeArrays(DataType type, DataSet set, size_t bytes) {
  Arrays arrays = {Allocate(bytes), Allocate(bytes), Allocate(bytes)};
  FillBytes(type, set, bytes, arrays.a.get(), arrays.b.get());
  return arrays;
}

Arrays& Prepare(DataType type, DataSet set, size_t bytes) {
  static std::map<std::tuple<DataType, DataSet, size_t>, Arrays> kept;
  Arrays& arrays = kept[{type, set, bytes}];
  if (arrays.a == nullptr) arrays = MakeArrays(type, set, bytes);
  return arrays;
}

void WriteData(const char* folder) {
  for (const DataType type : kAllDataTypes) {
    for (const auto& [set, name] : kDataSets) {
      if (!HasDataSet(type, set)) continue;
      const size_t bytes = kPeriod * SizeOf(type);
      const Arrays& arrays = Prepare(type, set, bytes);
      const std::string stem = std::string(folder) + "/" + ShortName(type) + "." + name;
      std::ofstream(stem + ".a", std::ios::binary)
          .write(reinterpret_cast<const char*>(arrays.a.get()), static_cast<std::streamsize>(bytes));
      std::ofstream(stem + ".b", std::ios::binary)
          .write(reinterpret_cast<const char*>(arrays.b.get()), static_cast<std::streamsize>(bytes));
    }
  }
}

}  // namespace residue::bench
