// The limit as a library that bench/peers.py loads, so that it is measured in the same run as the peers.
#include <cstddef>

#include "limit.h"

// store: 0 plain, 1 streaming, 2 streaming to two pages by turns.
extern "C" __attribute__((visibility("default"))) void residue_bench_add(const std::byte* a,
                                                                         const std::byte* b, std::byte* out,
                                                                         std::size_t bytes, int store) {
  residue::bench::Add(a, b, out, bytes, false, static_cast<residue::bench::Store>(store));
}
