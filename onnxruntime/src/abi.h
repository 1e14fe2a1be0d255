// The part of ONNX Runtime's C interface that we use, declared by us: numbers of functions in its table, and
// one struct. ONNX Runtime never moves a function once a version of the interface is out, and all of these
// were out with version 17 (ONNX Runtime 1.17). Names in comments are ONNX Runtime's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace residue::ort {

// Opaque: ONNX Runtime's own.
struct Status;          // OrtStatus
struct Value;           // OrtValue
struct KernelContext;   // OrtKernelContext
struct KernelInfo;      // OrtKernelInfo
struct Domain;          // OrtCustomOpDomain
struct SessionOptions;  // OrtSessionOptions
struct ShapeInfo;       // OrtTensorTypeAndShapeInfo
struct InferContext;    // OrtShapeInferContext

using AnyFunction = void (*)();

// OrtApi: a table of functions.
using FunctionTable = const AnyFunction*;

// OrtApiBase
struct ApiBase {
  FunctionTable (*GetApi)(uint32_t version);
  const char* (*GetVersionString)();
};

inline constexpr uint32_t kApiVersion = 17;

enum class Slot : uint32_t {
  kCreateStatus = 0,
  kGetErrorCode = 1,
  kGetErrorMessage = 2,
  kCreateCustomOpDomain = 26,
  kCustomOpDomainAdd = 27,
  kAddCustomOpDomain = 28,
  kGetTensorMutableData = 51,
  kCreateTensorTypeAndShapeInfo = 57,
  kSetTensorElementType = 58,
  kSetDimensions = 59,
  kGetTensorElementType = 60,
  kGetDimensionsCount = 61,
  kGetDimensions = 62,
  kGetSymbolicDimensions = 63,
  kGetTensorTypeAndShape = 65,
  kKernelInfoGetAttributeInt64 = 86,
  kKernelContextGetInput = 90,
  kKernelContextGetOutput = 91,
  kReleaseStatus = 93,
  kReleaseTensorTypeAndShapeInfo = 99,
  kReleaseCustomOpDomain = 101,
  kAddSessionConfigEntry = 130,
  kHasSessionConfigEntry = 237,
  kShapeInferContextGetInputTypeShape = 268,
  kShapeInferContextSetOutputTypeShape = 270,
  kSetSymbolicDimensions = 271,
  kKernelContextParallelFor = 274,
};

// OrtErrorCode
enum class ErrorCode : int32_t { kFail = 1, kInvalidArgument = 2, kNotImplemented = 9 };

// ONNXTensorElementDataType; these have the numbers of ONNX's own types
enum class ElementType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
};

// OrtCustomOp as of version 17; later versions add fields behind these and look at `version` before they read
// them.
struct CustomOp {
  uint32_t version;
  void* (*CreateKernel)(const CustomOp*, FunctionTable, const KernelInfo*);
  const char* (*GetName)(const CustomOp*);
  const char* (*GetExecutionProviderType)(const CustomOp*);
  ElementType (*GetInputType)(const CustomOp*, size_t);
  size_t (*GetInputTypeCount)(const CustomOp*);
  ElementType (*GetOutputType)(const CustomOp*, size_t);
  size_t (*GetOutputTypeCount)(const CustomOp*);
  void (*KernelCompute)(void*, KernelContext*);
  void (*KernelDestroy)(void*);
  int32_t (*GetInputCharacteristic)(const CustomOp*, size_t);
  int32_t (*GetOutputCharacteristic)(const CustomOp*, size_t);
  int32_t (*GetInputMemoryType)(const CustomOp*, size_t);
  int (*GetVariadicInputMinArity)(const CustomOp*);
  int (*GetVariadicInputHomogeneity)(const CustomOp*);
  int (*GetVariadicOutputMinArity)(const CustomOp*);
  int (*GetVariadicOutputHomogeneity)(const CustomOp*);
  Status* (*CreateKernelV2)(const CustomOp*, FunctionTable, const KernelInfo*, void**);
  Status* (*KernelComputeV2)(void*, KernelContext*);
  Status* (*InferOutputShape)(const CustomOp*, InferContext*);
  int (*GetStartVersion)(const CustomOp*);
  int (*GetEndVersion)(const CustomOp*);
};
static_assert(sizeof(void*) != 8 || sizeof(CustomOp) == 176);

}  // namespace residue::ort
