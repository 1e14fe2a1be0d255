// The part of ONNX Runtime's interface for plug-in execution providers that we use, declared by us: out with
// version 23 (ONNX Runtime 1.23), and custom operators with version 24. Newer versions of ONNX Runtime look
// at `version` and read no more than it says.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi.h"

namespace residue::ort {

inline constexpr uint32_t kProviderApiVersion = 23;
inline constexpr uint32_t kProviderOperatorsApiVersion = 24;
// Before, ONNX Runtime gives nodes of two branches the same name, and refuses the second.
inline constexpr uint32_t kProviderBranchesApiVersion = 27;

// Opaque: ONNX Runtime's own.
struct Graph;           // OrtGraph
struct GraphNode;       // OrtNode
struct ValueInfo;       // OrtValueInfo
struct TypeInfo;        // OrtTypeInfo
struct Attribute;       // OrtOpAttr
struct SupportInfo;     // OrtEpGraphSupportInfo
struct ComputeContext;  // OrtNodeComputeContext
struct HardwareDevice;  // OrtHardwareDevice
struct EpDevice;        // OrtEpDevice
struct KeyValuePairs;   // OrtKeyValuePairs
struct MemoryInfo;      // OrtMemoryInfo
struct Allocator;       // OrtAllocator
struct DataTransfer;    // OrtDataTransferImpl
struct Logger;          // OrtLogger

// More of OrtApi's functions.
namespace slots {
inline constexpr auto kCastTypeInfoToTensorInfo = static_cast<Slot>(55);
inline constexpr auto kGetSessionConfigEntry = static_cast<Slot>(238);
inline constexpr auto kLogMessage = static_cast<Slot>(247);
inline constexpr auto kReadOpAttr = static_cast<Slot>(272);
inline constexpr auto kGetValueInfoName = static_cast<Slot>(289);
inline constexpr auto kGetValueInfoTypeInfo = static_cast<Slot>(290);
inline constexpr auto kCreateKeyValuePairs = static_cast<Slot>(295);
inline constexpr auto kAddKeyValuePair = static_cast<Slot>(296);
inline constexpr auto kReleaseKeyValuePairs = static_cast<Slot>(300);
inline constexpr auto kHardwareDeviceType = static_cast<Slot>(307);
inline constexpr auto kGetEpApi = static_cast<Slot>(317);
inline constexpr auto kValueInfoIsConstantInitializer = static_cast<Slot>(331);
inline constexpr auto kGraphGetNumNodes = static_cast<Slot>(344);
inline constexpr auto kGraphGetNodes = static_cast<Slot>(345);
inline constexpr auto kGraphGetParentNode = static_cast<Slot>(346);
inline constexpr auto kNodeGetName = static_cast<Slot>(349);
inline constexpr auto kNodeGetOperatorType = static_cast<Slot>(350);
inline constexpr auto kNodeGetDomain = static_cast<Slot>(351);
inline constexpr auto kNodeGetSinceVersion = static_cast<Slot>(352);
inline constexpr auto kNodeGetNumInputs = static_cast<Slot>(353);
inline constexpr auto kNodeGetInputs = static_cast<Slot>(354);
inline constexpr auto kNodeGetNumOutputs = static_cast<Slot>(355);
inline constexpr auto kNodeGetOutputs = static_cast<Slot>(356);
inline constexpr auto kNodeGetNumImplicitInputs = static_cast<Slot>(357);
inline constexpr auto kNodeGetImplicitInputs = static_cast<Slot>(358);
inline constexpr auto kNodeGetNumAttributes = static_cast<Slot>(359);
inline constexpr auto kNodeGetAttributes = static_cast<Slot>(360);
inline constexpr auto kOpAttrGetType = static_cast<Slot>(363);
inline constexpr auto kOpAttrGetName = static_cast<Slot>(364);
}  // namespace slots

// OrtEpApi: another table.
enum class EpSlot : uint32_t {
  kCreateEpDevice = 0,
  kAddNodesToFuse = 2,  // EpGraphSupportInfo_AddNodesToFuse
};

// OrtOpAttrType, as far as we read them
enum class AttributeType : int32_t { kUndefined = 0, kInt = 1, kFloat = 3, kString = 5 };

// OrtHardwareDeviceType_CPU
inline constexpr int32_t kProcessorDevice = 0;
// ORT_LOGGING_LEVEL_WARNING
inline constexpr int32_t kLogWarning = 2;

// OrtNodeFusionOptions
struct FusionOptions {
  uint32_t version;
  bool drop_constant_initializers;
};
static_assert(sizeof(FusionOptions) == 8);

// OrtNodeComputeInfo
struct NodeComputeInfo {
  uint32_t version;
  Status* (*CreateState)(NodeComputeInfo*, ComputeContext*, void**);
  Status* (*Compute)(NodeComputeInfo*, void*, KernelContext*);
  void (*ReleaseState)(NodeComputeInfo*, void*);
};
static_assert(sizeof(void*) != 8 || sizeof(NodeComputeInfo) == 32);

// OrtEp. What is null has a default.
struct Ep {
  uint32_t version;
  const char* (*GetName)(const Ep*);
  Status* (*GetCapability)(Ep*, const Graph*, SupportInfo*);
  Status* (*Compile)(Ep*, const Graph**, const GraphNode**, size_t, NodeComputeInfo**, GraphNode**);
  void (*ReleaseNodeComputeInfos)(Ep*, NodeComputeInfo**, size_t);
  AnyFunction optional[8];  // from GetPreferredDataLayout to GetCompiledModelCompatibilityInfo
};
static_assert(sizeof(void*) != 8 || sizeof(Ep) == 104);

// OrtEpFactory. Registration crashes without the functions from CreateAllocator to IsStreamAware.
struct EpFactory {
  uint32_t version;
  const char* (*GetName)(const EpFactory*);
  const char* (*GetVendor)(const EpFactory*);
  Status* (*GetSupportedDevices)(EpFactory*, const HardwareDevice* const*, size_t, EpDevice**, size_t,
                                 size_t*);
  Status* (*CreateEp)(EpFactory*, const HardwareDevice* const*, const KeyValuePairs* const*, size_t,
                      const SessionOptions*, const Logger*, Ep**);
  void (*ReleaseEp)(EpFactory*, Ep*);
  uint32_t (*GetVendorId)(const EpFactory*);
  const char* (*GetVersion)(const EpFactory*);
  AnyFunction ValidateCompiledModelCompatibilityInfo;
  Status* (*CreateAllocator)(EpFactory*, const MemoryInfo*, const KeyValuePairs*, Allocator**);
  void (*ReleaseAllocator)(EpFactory*, Allocator*);
  Status* (*CreateDataTransfer)(EpFactory*, DataTransfer**);
  bool (*IsStreamAware)(const EpFactory*);
  AnyFunction CreateSyncStreamForDevice;
  // Of version 24.
  AnyFunction GetHardwareDeviceIncompatibilityDetails;
  AnyFunction CreateExternalResourceImporterForDevice;
  Status* (*GetNumCustomOpDomains)(EpFactory*, size_t*);
  Status* (*GetCustomOpDomains)(EpFactory*, Domain**, size_t);
};
static_assert(sizeof(void*) != 8 || sizeof(EpFactory) == 144);

}  // namespace residue::ort
