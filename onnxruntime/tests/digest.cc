// Prints the digest of examples/onnxruntime/models/image.onnx over an image of 10^7 elements, by the provider
// and by the built-in one.
//
//   onnxruntime_digest [elements]
//
// RESIDUE_MAX_TARGET names the best instruction set that the provider may use, RESIDUE_ORT_RUNTIME the
// library of another ONNX Runtime.
#include <cstdio>
#include <cstdlib>

#include "image_digest.h"
#include "residue/residue.h"

namespace residue::ort::testing {

int Main(int64_t elements) {
  Session::Settings settings;
  settings.use = Use::kProvider;
  settings.provider_options = {{"claim", "all"}};
  const uint64_t ours = DigestImage(elements, settings);
  settings.use = Use::kBuiltIn;
  const uint64_t theirs = DigestImage(elements, settings);
  const char* capped = std::getenv("RESIDUE_MAX_TARGET");
  std::printf("ONNX Runtime %s, %s: provider %016llx, built-in %016llx\n", Runtime::At("").version().c_str(),
              capped != nullptr ? capped : residue_target_name(0), static_cast<unsigned long long>(ours),
              static_cast<unsigned long long>(theirs));
  return 0;
}

}  // namespace residue::ort::testing

int main(int argc, char** argv) {
  return residue::ort::testing::Main(argc > 1 ? std::atol(argv[1]) : 10'000'000);
}
