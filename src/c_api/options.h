// How a run was asked for: threads and exceptions.
#pragma once

#include "core/exceptions.h"
#include "core/status.h"
#include "cpu/engine/executor.h"
#include "residue/residue.h"

namespace residue {

Status CheckOptions(const residue_options* options) noexcept;

// For options that were checked; NULL is the default. oneTBB is not even asked how many threads it has unless
// they are of use.
Executor ChooseExecutor(const residue_options* options, bool worth_sharing) noexcept;

// Where to add what the elements of a run have: nothing yet, and nothing ever if the run is refused.
inline Exceptions* BeginExceptions(const residue_options* options) noexcept {
  if (options == nullptr || options->exceptions == nullptr) return nullptr;
  *options->exceptions = kNoException;
  return options->exceptions;
}

}  // namespace residue
