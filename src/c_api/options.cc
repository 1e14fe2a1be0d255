#include "c_api/options.h"

namespace residue {

Status CheckOptions(const residue_options* options) noexcept {
  if (options == nullptr) return {};
  if (options->reserved != 0) return {StatusCode::kReservedNotZero};
  if (options->executor == nullptr) return {};
  const residue_executor& given = *options->executor;
  if (given.reserved != 0) return {StatusCode::kReservedNotZero};
  if (given.parallel_for == nullptr || given.num_threads == 0) return {StatusCode::kInvalidExecutor};
  return {};
}

Executor ChooseExecutor(const residue_options* options, bool worth_sharing) noexcept {
  if (options != nullptr && options->executor != nullptr) {
    const residue_executor& given = *options->executor;
    return {given.context, given.num_threads, given.parallel_for};
  }
  if (!worth_sharing || (options != nullptr && options->num_threads == 1)) return SerialExecutor();
  return OwnExecutor(options == nullptr ? 0 : options->num_threads);
}

}  // namespace residue
