/* Runs models/image.onnx with the provider, by ONNX Runtime's C interface:
 *
 *   image_c LIBRESIDUE_ONNXRUNTIME MODEL
 *
 * The path of the library is absolute: ONNX Runtime looks for others beside its own library.
 */
#include <onnxruntime_c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const OrtApi* ort;

static void check(OrtStatus* status) {
  if (status == NULL) return;
  fprintf(stderr, "%s\n", ort->GetErrorMessage(status));
  ort->ReleaseStatus(status);
  exit(1);
}

/* Registers the library with the environment, and its device with the options of a session. */
static void add_provider(OrtEnv* env, OrtSessionOptions* options, const char* library) {
  const OrtEpDevice* const* devices;
  const char* const claim = "claim";
  const char* const all = "all";
  size_t count, i;
  check(ort->RegisterExecutionProviderLibrary(env, "residue", library));
  check(ort->GetEpDevices(env, &devices, &count));
  for (i = 0; i < count; ++i) {
    if (strcmp(ort->EpDevice_EpName(devices[i]), "ResidueExecutionProvider") != 0) continue;
    check(ort->SessionOptionsAppendExecutionProvider_V2(options, env, &devices[i], 1, &claim, &all, 1));
  }
}

static OrtValue* make_tensor(const OrtMemoryInfo* memory, void* data, size_t bytes, const int64_t* shape,
                             size_t rank, ONNXTensorElementDataType type) {
  OrtValue* value;
  check(ort->CreateTensorWithDataAsOrtValue(memory, data, bytes, shape, rank, type, &value));
  return value;
}

static void print_floats(const char* name, OrtValue* value, size_t count) {
  void* data;
  size_t i;
  check(ort->GetTensorMutableData(value, &data));
  printf("%-7s", name);
  for (i = 0; i < count; ++i) printf(" %.9g", (double)((const float*)data)[i]);
  printf("\n");
}

int main(int argc, char** argv) {
  unsigned char image[] = {0, 128, 255, 90, 60, 30};
  float angle[] = {-30.0f, 725.5f};
  const int64_t image_shape[] = {1, 2, 3}, angle_shape[] = {1, 2};
  const char* const input_names[] = {"image", "angle"};
  const char* const output_names[] = {"kept", "score", "wrapped", "sine", "weight"};
  const size_t output_sizes[] = {6, 6, 2, 2, 2};
  OrtEnv* env;
  OrtSessionOptions* options;
  OrtSession* session;
  OrtMemoryInfo* memory;
  OrtValue* inputs[2];
  OrtValue* outputs[5] = {NULL, NULL, NULL, NULL, NULL};
  size_t i;
  if (argc != 3) {
    fprintf(stderr, "usage: image_c LIBRESIDUE_ONNXRUNTIME MODEL\n");
    return 2;
  }
  ort = OrtGetApiBase()->GetApi(23);
  if (ort == NULL) {
    fprintf(stderr, "this needs ONNX Runtime 1.23 or newer, and it is %s\n",
            OrtGetApiBase()->GetVersionString());
    return 1;
  }
  check(ort->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "image", &env));
  check(ort->CreateSessionOptions(&options));
  add_provider(env, options, argv[1]);
  check(ort->CreateSession(env, argv[2], options, &session));

  check(ort->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
  inputs[0] = make_tensor(memory, image, sizeof(image), image_shape, 3, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8);
  inputs[1] = make_tensor(memory, angle, sizeof(angle), angle_shape, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
  check(ort->Run(session, NULL, input_names, (const OrtValue* const*)inputs, 2, output_names, 5, outputs));
  for (i = 0; i < 5; ++i) print_floats(output_names[i], outputs[i], output_sizes[i]);

  for (i = 0; i < 5; ++i) ort->ReleaseValue(outputs[i]);
  for (i = 0; i < 2; ++i) ort->ReleaseValue(inputs[i]);
  ort->ReleaseMemoryInfo(memory);
  ort->ReleaseSession(session);
  ort->ReleaseSessionOptions(options);
  check(ort->UnregisterExecutionProviderLibrary(env, "residue"));
  ort->ReleaseEnv(env);
  return 0;
}
