// Any model of the operators that the provider for ONNX Runtime claims, in a real ONNX Runtime: it has the
// bits of its nodes one by one, or ONNX Runtime refuses it with a status.
#include <fuzzer/FuzzedDataProvider.h>

#include "fuzz/require.h"
#include "random_model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace residue::ort::testing;
  FuzzedDataProvider data(bytes, size);
  const Choose choose = [&](uint64_t bound) { return data.ConsumeIntegralInRange<uint64_t>(0, bound - 1); };
  Session::Settings settings;
  settings.use = Use::kProvider;
  settings.provider_options = {{"claim", "all"}};
  settings.optimization = 0;
  const RandomModel made = MakeRandomModel(1 + choose(8), settings, choose);
  if (made.model.nodes.empty()) return 0;
  const std::vector<Tensor> got = Session(made.model, settings).Run(made.inputs);
  for (size_t i = 0; i < got.size(); ++i) {
    const Tensor& wanted = made.alone.at(made.model.outputs[i].name);
    FUZZ_REQUIRE(got[i].shape == wanted.shape && got[i].bytes == wanted.bytes);
  }
  return 0;
}
