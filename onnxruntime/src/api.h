// ONNX Runtime's functions with types, and its objects with owners. Every function that can fail returns a
// status, which is null for success and otherwise ours to return or release.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abi.h"

namespace residue::ort {

class Api {
 public:
  explicit Api(FunctionTable table) noexcept : table_(table) {}

  template <class Result, class... Arguments>
  Result Call(Slot slot, Arguments... arguments) const noexcept {
    const auto function = reinterpret_cast<Result (*)(Arguments...)>(table_[static_cast<uint32_t>(slot)]);
    return function(arguments...);
  }

  FunctionTable table() const noexcept { return table_; }

  Status* Fail(ErrorCode code, const char* message) const noexcept {
    return Call<Status*, int32_t, const char*>(Slot::kCreateStatus, static_cast<int32_t>(code), message);
  }
  Status* Fail(ErrorCode code, const std::string& message) const noexcept {
    return Fail(code, message.c_str());
  }
  const char* Message(const Status* status) const noexcept {
    return Call<const char*, const Status*>(Slot::kGetErrorMessage, status);
  }
  void Release(Status* status) const noexcept {
    if (status != nullptr) Call<void, Status*>(Slot::kReleaseStatus, status);
  }
  void Release(ShapeInfo* info) const noexcept {
    if (info != nullptr) Call<void, ShapeInfo*>(Slot::kReleaseTensorTypeAndShapeInfo, info);
  }

 private:
  FunctionTable table_;
};

// Runs a body that may throw, which is for want of memory: ONNX Runtime is C to us, and nothing may be thrown
// into it.
template <class Body>
Status* Guarded(const Api& api, const Body& body) noexcept {
  try {
    return body();
  } catch (...) {
    return api.Fail(ErrorCode::kFail, "residue: out of memory");
  }
}

// Releases what it owns through the table it was made with.
struct Releaser {
  Api api;
  void operator()(ShapeInfo* info) const noexcept { api.Release(info); }
};
using OwnedShapeInfo = std::unique_ptr<ShapeInfo, Releaser>;

struct TensorShape {
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> dimensions;  // -1: not known yet
};

// Reads the type and the shape of a description that somebody else owns. May throw std::bad_alloc.
Status* ReadShape(const Api& api, const ShapeInfo* info, TensorShape* shape);

}  // namespace residue::ort
