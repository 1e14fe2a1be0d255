#include "directml/bindings.h"

#include <algorithm>
#include <cinttypes>

#include "directml/tensor_desc.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

const char* HeapTypeName(D3D12_HEAP_TYPE type) noexcept {
  return type == D3D12_HEAP_TYPE_UPLOAD ? "D3D12_HEAP_TYPE_UPLOAD" : "D3D12_HEAP_TYPE_READBACK";
}

Refusal CheckResource(const HostBuffer& host, const BufferRule& rule) noexcept {
  const bool is_upload = host.heap_type == D3D12_HEAP_TYPE_UPLOAD;
  const bool is_gpu_heap =
      host.heap_type == D3D12_HEAP_TYPE_DEFAULT || host.heap_type == D3D12_HEAP_TYPE_CUSTOM;
  if (!is_gpu_heap && !(is_upload && rule.may_be_upload)) {
    return Refuse(kInvalid,
                  "the buffer of %s %u is in a %s heap, but must be in a D3D12_HEAP_TYPE_DEFAULT or "
                  "D3D12_HEAP_TYPE_CUSTOM heap",
                  rule.name, rule.index, HeapTypeName(host.heap_type));
  }
  if (is_gpu_heap && !AllowsUnorderedAccess(host)) {
    return Refuse(kInvalid,
                  "the buffer of %s %u was made without D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, which "
                  "is required",
                  rule.name, rule.index);
  }
  return {};
}

Refusal CheckRange(const DML_BUFFER_BINDING& binding, uint64_t width, const BufferRule& rule) noexcept {
  if (binding.Offset > width || binding.SizeInBytes > width - binding.Offset) {
    return Refuse(kInvalid,
                  "%s %u binds %" PRIu64 " bytes at offset %" PRIu64 ", but the resource has %" PRIu64
                  " bytes",
                  rule.name, rule.index, binding.SizeInBytes, binding.Offset, width);
  }
  // Programs bind a tensor's elements where Direct3D wants a multiple of 4. If the resource has the rest, the
  // result is the same.
  const bool has_rest = width - binding.Offset >= rule.bytes;
  if (binding.SizeInBytes < (has_rest ? std::min(rule.bytes, rule.element_bytes) : rule.bytes)) {
    return Refuse(kInvalid, "the SizeInBytes of %s %u is %" PRIu64 ", but must be at least %" PRIu64,
                  rule.name, rule.index, binding.SizeInBytes, rule.bytes);
  }
  if (binding.Offset % rule.alignment != 0) {
    return Refuse(kInvalid, "the Offset of %s %u is %" PRIu64 ", but must be a multiple of %" PRIu64,
                  rule.name, rule.index, binding.Offset, rule.alignment);
  }
  return {};
}

bool SameResource(const BoundBuffer& x, const BoundBuffer& y) noexcept {
  return x.bound() && y.bound() && x.resource == y.resource && x.memory.get() == y.memory.get();
}

bool Overlap(const BoundBuffer& x, const BoundBuffer& y) noexcept {
  return SameResource(x, y) && x.offset < y.offset + y.size && y.offset < x.offset + x.size;
}

bool Identical(const BoundBuffer& x, const BoundBuffer& y) noexcept {
  return x.offset == y.offset && x.size == y.size;
}

// One side of a hazard, as messages name it.
struct Named {
  const char* name;
  size_t index;
  const BoundBuffer& buffer;
};

Refusal RefuseOverlap(const Named& x, const Named& y) noexcept {
  return Refuse(kInvalid,
                "%s %zu, bytes %" PRIu64 " to %" PRIu64 ", and %s %zu, bytes %" PRIu64 " to %" PRIu64
                " of one resource overlap, but must not",
                x.name, x.index, x.buffer.offset, x.buffer.offset + x.buffer.size, y.name, y.index,
                y.buffer.offset, y.buffer.offset + y.buffer.size);
}

bool MayBeInPlace(const Compiled& compiled, size_t input) noexcept {
  return input < 32 && (compiled.in_place >> input & 1) != 0;
}

Refusal CheckOutputPairs(const Bindings& bindings) noexcept {
  for (size_t i = 1; i < bindings.outputs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (Overlap(bindings.outputs[i], bindings.outputs[j]))
        return RefuseOverlap({"output", i, bindings.outputs[i]}, {"output", j, bindings.outputs[j]});
    }
  }
  return {};
}

}  // namespace

Refusal ReadBinding(const DML_BINDING_DESC* given, const char* name, uint32_t index,
                    GivenBinding* binding) noexcept {
  *binding = {};
  if (given == nullptr) return {};
  const DML_BINDING_DESC desc = *given;
  const int32_t number = NumberOf(desc.Type);
  if (number == DML_BINDING_TYPE_NONE) return {};
  if (number != DML_BINDING_TYPE_BUFFER && number != DML_BINDING_TYPE_BUFFER_ARRAY) {
    return Refuse(kInvalid, "the binding Type of %s %u is %d, which does not exist", name, index, number);
  }
  if (desc.Desc == nullptr)
    return Refuse(kInvalid, "the binding Desc of %s %u is null, but must be set", name, index);
  *binding = {number == DML_BINDING_TYPE_BUFFER ? BindingType::kBuffer : BindingType::kBufferArray,
              desc.Desc};
  return {};
}

Refusal ReadBuffer(DML_BUFFER_BINDING binding, const BufferRule& rule, DeviceState* state,
                   BoundBuffer* buffer) noexcept {
  *buffer = {};
  if (binding.Buffer == nullptr) return {};
  const auto resource = QueryFor<IHostResource>(binding.Buffer, kIidHostResource);
  if (!resource) {
    return Refuse(kInvalid,
                  "the buffer of %s %u is not a D3D12_RESOURCE_DIMENSION_BUFFER resource of this "
                  "Direct3D 12",
                  rule.name, rule.index);
  }
  HostBuffer host;
  resource->Describe(&host);
  Ref<IDeviceMemory> memory = Ref<IDeviceMemory>::Adopt(host.memory);
  Ref<IUnknown> record = Ref<IUnknown>::Adopt(host.record);
  if (!state->IsParent(host.device)) {
    return Refuse(kInvalid,
                  "the buffer of %s %u is of another ID3D12Device, but must be of the one that the DirectML "
                  "device was made with",
                  rule.name, rule.index);
  }
  if (Refusal refusal = CheckResource(host, rule); !refusal.ok()) return refusal;
  if (Refusal refusal = CheckRange(binding, host.width, rule); !refusal.ok()) return refusal;
  *buffer = {std::move(memory), resource.get(), host.offset, binding.Offset, rule.bytes, std::move(record)};
  return {};
}

Missing FindMissing(const Bindings& bindings, const DispatchTarget& target) noexcept {
  const auto bound = [](const std::vector<BoundBuffer>& buffers, size_t i) {
    return i < buffers.size() && buffers[i].bound();
  };
  size_t input = 0;
  for (size_t t = 0; t < target.operators.size(); ++t) {
    const Compiled& compiled = target.operators[t]->compiled;
    for (const BindingRequirement& requirement : compiled.inputs) {
      const bool wanted = !requirement.absent && requirement.owned_by_dml == target.is_initializer;
      if (wanted && !bound(bindings.inputs, input)) return {Missing::kInput, input};
      ++input;
    }
    if (target.is_initializer) {
      if (compiled.persistent_bytes != 0 && !bound(bindings.outputs, t)) return {Missing::kOutput, t};
      continue;
    }
    for (size_t i = 0; i < compiled.outputs.size(); ++i) {
      if (!bound(bindings.outputs, i)) return {Missing::kOutput, i};
    }
    if (compiled.temporary_bytes != 0 && !bindings.temporary.bound()) return {Missing::kTemporary, 0};
    if (compiled.persistent_bytes != 0 && !bindings.persistent.bound()) return {Missing::kPersistent, 0};
  }
  return {};
}

Refusal CheckComplete(const Bindings& bindings, const DispatchTarget& target) noexcept {
  const Missing missing = FindMissing(bindings, target);
  switch (missing.what) {
    case Missing::kNothing:
      return {};
    case Missing::kInput:
      return Refuse(kInvalid, "input %zu is required, but not bound", missing.index);
    case Missing::kOutput:
      return Refuse(kInvalid, "output %zu is required, but not bound%s", missing.index,
                    target.is_initializer ? ": it is that operator's persistent resource" : "");
    case Missing::kTemporary:
      return Refuse(kInvalid, "the temporary resource is required, but not bound");
    case Missing::kPersistent:
      return Refuse(kInvalid, "the persistent resource is required, but not bound");
  }
  return {};
}

int FindOtherMapping(const Bindings& bindings, const DispatchTarget& target) noexcept {
  if (target.is_initializer) return -1;
  const Compiled& compiled = target.operators.front()->compiled;
  for (size_t i = 0; i < compiled.inputs.size(); ++i) {
    if (compiled.inputs[i].owned_by_dml || !compiled.inputs[i].other_strides || !MayBeInPlace(compiled, i))
      continue;
    const BoundBuffer& input = bindings.inputs[i];
    const BoundBuffer& output = bindings.outputs.front();
    if (SameResource(input, output) && Identical(input, output)) return static_cast<int>(i);
  }
  return -1;
}

Refusal CheckHazards(const Bindings& bindings, const DispatchTarget& target) noexcept {
  for (size_t o = 0; o < bindings.outputs.size(); ++o) {
    const BoundBuffer& output = bindings.outputs[o];
    for (size_t i = 0; i < bindings.inputs.size(); ++i) {
      const BoundBuffer& input = bindings.inputs[i];
      if (target.is_initializer && SameResource(input, output)) {
        return Refuse(kInvalid,
                      "input %zu and output %zu are in one resource, which initialization does not allow", i,
                      o);
      }
      if (Overlap(input, output) &&
          !(MayBeInPlace(target.operators.front()->compiled, i) && Identical(input, output))) {
        return RefuseOverlap({"input", i, input}, {"output", o, output});
      }
    }
    if (Overlap(bindings.persistent, output))
      return RefuseOverlap({"persistent resource", 0, bindings.persistent}, {"output", o, output});
    if (Overlap(bindings.temporary, output))
      return RefuseOverlap({"temporary resource", 0, bindings.temporary}, {"output", o, output});
  }
  for (size_t i = 0; i < bindings.inputs.size(); ++i) {
    if (Overlap(bindings.temporary, bindings.inputs[i]))
      return RefuseOverlap({"temporary resource", 0, bindings.temporary}, {"input", i, bindings.inputs[i]});
  }
  if (Overlap(bindings.temporary, bindings.persistent)) {
    return RefuseOverlap({"temporary resource", 0, bindings.temporary},
                         {"persistent resource", 0, bindings.persistent});
  }
  return CheckOutputPairs(bindings);
}

}  // namespace residue
