#include "cpu/engine/staging.h"

#include <cstring>

namespace residue {

OwnedMemory StageInput(const std::byte* input, uint32_t operand, OpRequest* request) noexcept {
  const size_t element_size = SizeOf(request->OperandType(operand));
  Strides& strides = request->strides[operand];

  // Packed strides for the copy; a dimension of stride 0 is copied once and stays broadcast, and the stride
  // of a single element means nothing. The copy is no larger than the operand's byte range when elements are
  // distinct, but a self-overlapping input may ask for more than there is: then the multiplication or the
  // allocation fails.
  Strides packed{};
  uint64_t bytes = element_size;
  for (uint32_t i = request->rank; i-- > 0;) {
    if (strides[i] == 0 || request->sizes[i] == 1) continue;
    packed[i] = static_cast<int64_t>(bytes);
    if (__builtin_mul_overflow(bytes, request->sizes[i], &bytes) || bytes > INT64_MAX) return nullptr;
  }
  OwnedMemory buffer = Allocate(bytes);
  if (buffer == nullptr) return nullptr;

  // An odometer over the copied dimensions, one element at a time: this is the rare path, not the fast one.
  Sizes index{};
  const std::byte* from = input;
  for (std::byte* to = buffer.get(); to != buffer.get() + bytes; to += element_size) {
    std::memcpy(to, from, element_size);
    for (uint32_t i = request->rank; i-- > 0;) {
      if (packed[i] == 0) continue;
      if (++index[i] < request->sizes[i]) {
        from += strides[i];
        break;
      }
      from -= strides[i] * static_cast<int64_t>(request->sizes[i] - 1);
      index[i] = 0;
    }
  }
  strides = packed;
  return buffer;
}

}  // namespace residue
