// What a run of tests adds up: results compared, failures made on purpose, dispatches. If RESIDUE_FIGURES
// names a file, every process appends lines "name number" to it when it ends, and tools/quality/figures.py
// adds them up.
#pragma once

#include <array>
#include <atomic>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace residue::testing {

enum class Figure : uint8_t {
  kComparisons,     // results compared bit for bit with an oracle or the reference
  kFaultScenarios,  // calls of which every allocation was made to fail
  kFaults,          // allocations made to fail
  kReleaseOrders,   // orders in which all objects were released
  kDispatches,      // by many threads at once
};
inline constexpr const char* kFigureNames[] = {"comparisons", "fault_scenarios", "faults", "release_orders",
                                               "dispatches"};

class Figures {
 public:
  static Figures& Get() {
    static Figures figures;
    return figures;
  }
  void Add(Figure figure, uint64_t number) {
    numbers_[static_cast<size_t>(figure)].fetch_add(number, std::memory_order_relaxed);
  }

 private:
  Figures() = default;
  ~Figures() {
    const char* name = std::getenv("RESIDUE_FIGURES");
    std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "a");
    if (file == nullptr) return;
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const uint64_t number = numbers_[i].load();
      if (number != 0) std::fprintf(file, "%s %" PRIu64 "\n", kFigureNames[i], number);
    }
    std::fclose(file);
  }

  std::array<std::atomic<uint64_t>, std::size(kFigureNames)> numbers_{};
};

inline void AddFigure(Figure figure, uint64_t number) { Figures::Get().Add(figure, number); }

}  // namespace residue::testing
