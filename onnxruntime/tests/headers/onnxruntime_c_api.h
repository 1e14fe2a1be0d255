/* Stands in for ONNX Runtime's header of this name, which cannot be fetched where the tests run: as much of
 * it as examples/onnxruntime/image.c uses, each function at its place in the table. */
#ifndef ONNXRUNTIME_C_API_H_
#define ONNXRUNTIME_C_API_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OrtEnv OrtEnv;
typedef struct OrtStatus OrtStatus;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtEpDevice OrtEpDevice;

typedef enum { ORT_LOGGING_LEVEL_ERROR = 3 } OrtLoggingLevel;
typedef enum { OrtArenaAllocator = 1 } OrtAllocatorType;
typedef enum { OrtMemTypeDefault = 0 } OrtMemType;
typedef enum {
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT = 1,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 = 2
} ONNXTensorElementDataType;

typedef struct OrtApi {
  void* places_0_to_1[2];
  const char* (*GetErrorMessage)(const OrtStatus*);
  OrtStatus* (*CreateEnv)(OrtLoggingLevel, const char*, OrtEnv**);
  void* places_4_to_6[3];
  OrtStatus* (*CreateSession)(const OrtEnv*, const char*, const OrtSessionOptions*, OrtSession**);
  void* place_8;
  OrtStatus* (*Run)(OrtSession*, const OrtRunOptions*, const char* const*, const OrtValue* const*, size_t,
                    const char* const*, size_t, OrtValue**);
  OrtStatus* (*CreateSessionOptions)(OrtSessionOptions**);
  void* places_11_to_48[38];
  OrtStatus* (*CreateTensorWithDataAsOrtValue)(const OrtMemoryInfo*, void*, size_t, const int64_t*, size_t,
                                               ONNXTensorElementDataType, OrtValue**);
  void* place_50;
  OrtStatus* (*GetTensorMutableData)(OrtValue*, void**);
  void* places_52_to_68[17];
  OrtStatus* (*CreateCpuMemoryInfo)(OrtAllocatorType, OrtMemType, OrtMemoryInfo**);
  void* places_70_to_91[22];
  void (*ReleaseEnv)(OrtEnv*);
  void (*ReleaseStatus)(OrtStatus*);
  void (*ReleaseMemoryInfo)(OrtMemoryInfo*);
  void (*ReleaseSession)(OrtSession*);
  void (*ReleaseValue)(OrtValue*);
  void* places_97_to_99[3];
  void (*ReleaseSessionOptions)(OrtSessionOptions*);
  void* places_101_to_300[200];
  OrtStatus* (*RegisterExecutionProviderLibrary)(OrtEnv*, const char*, const char*);
  OrtStatus* (*UnregisterExecutionProviderLibrary)(OrtEnv*, const char*);
  OrtStatus* (*GetEpDevices)(const OrtEnv*, const OrtEpDevice* const**, size_t*);
  OrtStatus* (*SessionOptionsAppendExecutionProvider_V2)(OrtSessionOptions*, OrtEnv*,
                                                         const OrtEpDevice* const*, size_t,
                                                         const char* const*, const char* const*, size_t);
  void* places_305_to_311[7];
  const char* (*EpDevice_EpName)(const OrtEpDevice*);
} OrtApi;

typedef struct OrtApiBase {
  const OrtApi* (*GetApi)(uint32_t version);
  const char* (*GetVersionString)(void);
} OrtApiBase;

const OrtApiBase* OrtGetApiBase(void);

#ifdef __cplusplus
}
#endif

#endif /* ONNXRUNTIME_C_API_H_ */
