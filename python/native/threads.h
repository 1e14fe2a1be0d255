// How many threads a call may use: one, unless somebody asks for more. Schedulers that run us on all cores
// already, as Dask does, would otherwise find each core asked for by each of their tasks.
#pragma once

#include <cstdint>

namespace residue::python {

// For the calling thread: what it was given, or else what the process was given. 0 means as many as there
// are.
uint32_t NumThreads() noexcept;

void SetProcessThreads(uint32_t count) noexcept;

// Gives the calling thread its own number, or with kInherit the process's; returns what it had.
inline constexpr int64_t kInherit = -1;
int64_t ExchangeOwnThreads(int64_t count) noexcept;

}  // namespace residue::python
