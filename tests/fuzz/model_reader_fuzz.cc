// Any bytes as a model, or (first byte odd) as a .npy file: a value or a Failure, nothing else. What is read
// is also validated, as running it would.
#include <wsl/winadapter.h>

#include <cstdint>
#include <string_view>

#include "directml/operator_desc.h"
#include "failure.h"
#include "model_reader.h"
#include "npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace residue::tool;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 2 == 1) {
      const NpyArray array = ReadNpy(text, "fuzz");
      if (array.bytes.size() > text.size()) __builtin_trap();
      return 0;
    }
    ModelLimits limits;
    limits.input_folder = "/nonexistent";
    limits.most_bytes = 1 << 16;
    const Model model = ParseModel(text, "fuzz", limits);
    for (const Dispatchable& dispatchable : model.dispatchables) {
      const OperatorDesc desc(dispatchable);
      residue::OperatorRequest request;
      (void)ReadOperatorDesc(desc.get(), residue::kHighestFeatureLevel, &request).ok();
    }
  } catch (const Failure& failure) {
    // One line.
    if (std::string_view(failure.what()).find('\n') != std::string_view::npos) __builtin_trap();
  }
  return 0;
}
