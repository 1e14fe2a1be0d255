// Runs models/image.onnx with the provider, by ONNX Runtime's C++ interface:
//
//   image_cpp LIBRESIDUE_ONNXRUNTIME MODEL
//
// The path of the library is absolute: ONNX Runtime looks for others beside its own library.
#include <onnxruntime_cxx_api.h>

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: image_cpp LIBRESIDUE_ONNXRUNTIME MODEL\n");
    return 2;
  }
  Ort::Env env(ORT_LOGGING_LEVEL_ERROR, "image");
  env.RegisterExecutionProviderLibrary("residue", argv[1]);
  std::vector<Ort::ConstEpDevice> devices;
  for (const Ort::ConstEpDevice& device : env.GetEpDevices()) {
    if (std::string(device.EpName()) == "ResidueExecutionProvider") devices.push_back(device);
  }
  Ort::SessionOptions options;
  options.AppendExecutionProvider_V2(env, devices,
                                     std::unordered_map<std::string, std::string>{{"claim", "all"}});
  Ort::Session session(env, argv[2], options);

  std::vector<uint8_t> image = {0, 128, 255, 90, 60, 30};
  std::vector<float> angle = {-30.0f, 725.5f};
  const int64_t image_shape[] = {1, 2, 3};
  const int64_t angle_shape[] = {1, 2};
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  std::vector<Ort::Value> inputs;
  inputs.push_back(Ort::Value::CreateTensor<uint8_t>(memory, image.data(), image.size(), image_shape, 3));
  inputs.push_back(Ort::Value::CreateTensor<float>(memory, angle.data(), angle.size(), angle_shape, 2));
  const char* const input_names[] = {"image", "angle"};
  const char* const output_names[] = {"kept", "score", "wrapped", "sine", "weight"};
  const std::vector<Ort::Value> outputs =
      session.Run(Ort::RunOptions{nullptr}, input_names, inputs.data(), 2, output_names, 5);
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::printf("%-7s", output_names[i]);
    const size_t count = outputs[i].GetTensorTypeAndShapeInfo().GetElementCount();
    for (size_t j = 0; j < count; ++j)
      std::printf(" %.9g", static_cast<double>(outputs[i].GetTensorData<float>()[j]));
    std::printf("\n");
  }
  return 0;
}
