#include "failing_table.h"

#include <algorithm>
#include <array>
#include <list>

#include "runtime.h"

namespace residue::ort::testing {
namespace {

constexpr size_t kSlots = static_cast<size_t>(Slot::kKernelContextParallelFor) + 1;

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

std::array<AnyFunction, kSlots>& Table();

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
      return From(self).CreateKernelV2(&From(self), Table().data(), info, kernel);
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
void Replace(std::array<AnyFunction, kSlots>* table) {
  (*table)[static_cast<size_t>(kSlot)] = reinterpret_cast<AnyFunction>(&CallOrFail<kSlot, Arguments...>);
}

std::array<AnyFunction, kSlots> MakeTable() {
  std::array<AnyFunction, kSlots> table;
  std::copy_n(Runtime::At("").base()->GetApi(kApiVersion), kSlots, table.begin());
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

std::array<AnyFunction, kSlots>& Table() {
  static auto* table = new std::array<AnyFunction, kSlots>(MakeTable());
  return *table;
}

}  // namespace

const ApiBase* FailingBase() {
  static const ApiBase base = {[](uint32_t) -> FunctionTable { return Table().data(); },
                               Runtime::At("").base()->GetVersionString};
  return &base;
}

void FailCall(int n) { calls_to_failure = n; }

bool HasFailed() { return calls_to_failure == 0; }

}  // namespace residue::ort::testing
