#include "image_digest.h"

#include <vector>

namespace residue::ort::testing {
namespace {

// Any bytes and angles, the same everywhere: a linear congruential generator.
struct Generator {
  uint64_t state = 1;
  uint32_t Next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 32);
  }
};

std::vector<Tensor> MakeInputs(int64_t pixels) {
  Generator generator;
  std::vector<uint8_t> image(static_cast<size_t>(pixels) * 3);
  std::vector<float> angles(static_cast<size_t>(pixels));
  for (uint8_t& byte : image) byte = static_cast<uint8_t>(generator.Next() >> 24);
  // From -2^22 to 2^22, in steps of 2^-9 or larger.
  for (float& angle : angles) angle = static_cast<float>(static_cast<int32_t>(generator.Next())) / 512;
  return {Tensor::Of(ElementType::kUint8, {pixels, 1, 3}, image),
          Tensor::Of(ElementType::kFloat, {pixels, 1}, angles)};
}

// FNV-1a of the bytes, each output after the other.
uint64_t DigestOf(const std::vector<Tensor>& outputs) {
  uint64_t digest = 14695981039346656037u;
  for (const Tensor& output : outputs) {
    for (const char byte : output.bytes) digest = (digest ^ static_cast<uint8_t>(byte)) * 1099511628211u;
  }
  return digest;
}

}  // namespace

uint64_t DigestImage(int64_t elements, const Session::Settings& settings) {
  const SavedModel model =
      SavedModel::Example("image", {"image", "angle"}, {"kept", "score", "wrapped", "sine", "weight"});
  return DigestOf(Session(model, settings).Run(MakeInputs(elements / 3)));
}

}  // namespace residue::ort::testing
