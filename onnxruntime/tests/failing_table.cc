#include "failing_table.h"

#include <list>
#include <vector>

#include "provider_abi.h"
#include "runtime.h"

namespace residue::ort::testing {
namespace {

using Table = std::vector<AnyFunction>;

int calls_to_failure = 0;

const Api& Real() { return Runtime::At("").api(); }

bool IsTheCall() { return calls_to_failure > 0 && --calls_to_failure == 0; }

Status* Fail() {
  const WithoutLeakChecks unchecked(Runtime::At("").leaks_kernel_errors());
  return Real().Fail(ErrorCode::kFail, kInjectedFailure);
}

template <Slot kSlot, class... Arguments>
Status* CallOrFail(Arguments... arguments) {
  if (IsTheCall()) return Fail();
  return Real().Call<Status*, Arguments...>(kSlot, arguments...);
}

Table& Functions();

// ONNX Runtime gives an operator's kernels its own table; this gives them ours.
struct ForwardingOp : CustomOp {
  explicit ForwardingOp(const CustomOp& of) : CustomOp(of), original(&of) {
    GetName = [](const CustomOp* self) { return From(self).GetName(&From(self)); };
    GetInputType = [](const CustomOp* self, size_t i) { return From(self).GetInputType(&From(self), i); };
    GetOutputType = [](const CustomOp* self, size_t i) { return From(self).GetOutputType(&From(self), i); };
    InferOutputShape = [](const CustomOp* self, InferContext* context) {
      return From(self).InferOutputShape(&From(self), context);
    };
    CreateKernelV2 = [](const CustomOp* self, FunctionTable, const KernelInfo* info, void** kernel) {
      return From(self).CreateKernelV2(&From(self), Functions().data(), info, kernel);
    };
  }

  static const CustomOp& From(const CustomOp* self) {
    return *static_cast<const ForwardingOp*>(self)->original;
  }

  const CustomOp* original;
};

Status* AddForwarded(Domain* domain, const CustomOp* op) {
  static auto* operators = new std::list<ForwardingOp>;  // sessions keep pointers
  if (IsTheCall()) return Fail();
  operators->emplace_back(*op);
  return Real().Call<Status*, Domain*, const CustomOp*>(Slot::kCustomOpDomainAdd, domain, &operators->back());
}

template <Slot kSlot, class... Arguments>
void Replace(Table* table) {
  (*table)[static_cast<size_t>(kSlot)] = reinterpret_cast<AnyFunction>(&CallOrFail<kSlot, Arguments...>);
}

// The functions up to this one, of that version.
Table Copy(uint32_t version, Slot last) {
  const FunctionTable real = Runtime::At("").base()->GetApi(version);
  return Table(real, real + static_cast<size_t>(last) + 1);
}

// The second table, for providers.
const Api& RealEp() {
  static const auto* api = new Api(Real().Call<FunctionTable>(slots::kGetEpApi));
  return *api;
}

template <EpSlot kSlot, class... Arguments>
Status* CallEpOrFail(Arguments... arguments) {
  if (IsTheCall()) return Fail();
  return RealEp().Call<Status*, Arguments...>(static_cast<Slot>(kSlot), arguments...);
}

FunctionTable FailingEpTable() {
  static const auto* table = [] {
    auto* made =
        new Table(RealEp().table(), RealEp().table() + static_cast<size_t>(EpSlot::kAddNodesToFuse) + 1);
    (*made)[static_cast<size_t>(EpSlot::kCreateEpDevice)] = reinterpret_cast<AnyFunction>(
        &CallEpOrFail<EpSlot::kCreateEpDevice, EpFactory*, const HardwareDevice*, const KeyValuePairs*,
                      const KeyValuePairs*, EpDevice**>);
    (*made)[static_cast<size_t>(EpSlot::kAddNodesToFuse)] =
        reinterpret_cast<AnyFunction>(&CallEpOrFail<EpSlot::kAddNodesToFuse, SupportInfo*,
                                                    const GraphNode* const*, size_t, const FusionOptions*>);
    return made;
  }();
  return table->data();
}

void ReplaceForProviders(Table* table) {
  Replace<slots::kCastTypeInfoToTensorInfo, const TypeInfo*, const ShapeInfo**>(table);
  Replace<slots::kGetSessionConfigEntry, const SessionOptions*, const char*, char*, size_t*>(table);
  Replace<slots::kLogMessage, const Logger*, int32_t, const char*, const char*, int, const char*>(table);
  Replace<slots::kReadOpAttr, const Attribute*, AttributeType, void*, size_t, size_t*>(table);
  Replace<slots::kGetValueInfoName, const ValueInfo*, const char**>(table);
  Replace<slots::kGetValueInfoTypeInfo, const ValueInfo*, const TypeInfo**>(table);
  Replace<slots::kValueInfoIsConstantInitializer, const ValueInfo*, bool*>(table);
  Replace<slots::kGraphGetNumNodes, const ort::Graph*, size_t*>(table);
  Replace<slots::kGraphGetNodes, const ort::Graph*, const GraphNode**, size_t>(table);
  Replace<slots::kGraphGetParentNode, const ort::Graph*, const GraphNode**>(table);
  Replace<slots::kNodeGetName, const GraphNode*, const char**>(table);
  Replace<slots::kNodeGetOperatorType, const GraphNode*, const char**>(table);
  Replace<slots::kNodeGetDomain, const GraphNode*, const char**>(table);
  Replace<slots::kNodeGetSinceVersion, const GraphNode*, int*>(table);
  Replace<slots::kNodeGetNumInputs, const GraphNode*, size_t*>(table);
  Replace<slots::kNodeGetInputs, const GraphNode*, const ValueInfo**, size_t>(table);
  Replace<slots::kNodeGetNumOutputs, const GraphNode*, size_t*>(table);
  Replace<slots::kNodeGetOutputs, const GraphNode*, const ValueInfo**, size_t>(table);
  Replace<slots::kNodeGetNumImplicitInputs, const GraphNode*, size_t*>(table);
  Replace<slots::kNodeGetImplicitInputs, const GraphNode*, const ValueInfo**, size_t>(table);
  Replace<slots::kNodeGetNumAttributes, const GraphNode*, size_t*>(table);
  Replace<slots::kNodeGetAttributes, const GraphNode*, const Attribute**, size_t>(table);
  Replace<slots::kOpAttrGetType, const Attribute*, AttributeType*>(table);
  Replace<slots::kOpAttrGetName, const Attribute*, const char**>(table);
  (*table)[static_cast<size_t>(slots::kGetEpApi)] = reinterpret_cast<AnyFunction>(&FailingEpTable);
}

Table MakeTable() {
  const bool has_providers = Runtime::At("").base()->GetApi(kProviderApiVersion) != nullptr;
  Table table = has_providers ? Copy(kProviderApiVersion, slots::kOpAttrGetName)
                              : Copy(kApiVersion, Slot::kKernelContextParallelFor);
  if (has_providers) ReplaceForProviders(&table);
  table[static_cast<size_t>(Slot::kCustomOpDomainAdd)] = reinterpret_cast<AnyFunction>(&AddForwarded);
  Replace<Slot::kCreateCustomOpDomain, const char*, Domain**>(&table);
  Replace<Slot::kAddCustomOpDomain, SessionOptions*, Domain*>(&table);
  Replace<Slot::kHasSessionConfigEntry, const SessionOptions*, const char*, int*>(&table);
  Replace<Slot::kAddSessionConfigEntry, SessionOptions*, const char*, const char*>(&table);
  Replace<Slot::kKernelInfoGetAttributeInt64, const KernelInfo*, const char*, int64_t*>(&table);
  Replace<Slot::kKernelContextGetInput, const KernelContext*, size_t, const Value**>(&table);
  Replace<Slot::kKernelContextGetOutput, KernelContext*, size_t, const int64_t*, size_t, Value**>(&table);
  using Task = void (*)(void*, size_t);
  Replace<Slot::kKernelContextParallelFor, const KernelContext*, Task, size_t, size_t, void*>(&table);
  Replace<Slot::kGetTensorTypeAndShape, const Value*, ShapeInfo**>(&table);
  Replace<Slot::kGetTensorMutableData, Value*, void**>(&table);
  Replace<Slot::kGetTensorElementType, const ShapeInfo*, ElementType*>(&table);
  Replace<Slot::kGetDimensionsCount, const ShapeInfo*, size_t*>(&table);
  Replace<Slot::kGetDimensions, const ShapeInfo*, int64_t*, size_t>(&table);
  Replace<Slot::kGetSymbolicDimensions, const ShapeInfo*, const char**, size_t>(&table);
  Replace<Slot::kCreateTensorTypeAndShapeInfo, ShapeInfo**>(&table);
  Replace<Slot::kSetTensorElementType, ShapeInfo*, ElementType>(&table);
  Replace<Slot::kSetDimensions, ShapeInfo*, const int64_t*, size_t>(&table);
  Replace<Slot::kSetSymbolicDimensions, ShapeInfo*, const char**, size_t>(&table);
  Replace<Slot::kShapeInferContextGetInputTypeShape, const InferContext*, size_t, ShapeInfo**>(&table);
  Replace<Slot::kShapeInferContextSetOutputTypeShape, const InferContext*, size_t, const ShapeInfo*>(&table);
  return table;
}

Table& Functions() {
  static auto* table = new Table(MakeTable());
  return *table;
}

}  // namespace

const ApiBase* FailingBase() {
  static const ApiBase base = {[](uint32_t) -> FunctionTable { return Functions().data(); },
                               Runtime::At("").base()->GetVersionString};
  return &base;
}

void FailCall(int n) { calls_to_failure = n; }

bool HasFailed() { return calls_to_failure == 0; }

}  // namespace residue::ort::testing
