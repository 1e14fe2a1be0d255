#include "api.h"

namespace residue::ort {

Status* ReadShape(const Api& api, const ShapeInfo* info, TensorShape* shape) {
  if (Status* status = api.Call<Status*, const ShapeInfo*, ElementType*>(Slot::kGetTensorElementType, info,
                                                                         &shape->type)) {
    return status;
  }
  size_t rank = 0;
  if (Status* status = api.Call<Status*, const ShapeInfo*, size_t*>(Slot::kGetDimensionsCount, info, &rank))
    return status;
  shape->dimensions.assign(rank, -1);
  return api.Call<Status*, const ShapeInfo*, int64_t*, size_t>(Slot::kGetDimensions, info,
                                                               shape->dimensions.data(), rank);
}

}  // namespace residue::ort
