#include "api/bindings.h"

#include <cinttypes>

#include "schema/tensor_desc.h"

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
  if (is_gpu_heap && (host.flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0) {
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
  if (binding.SizeInBytes < rule.bytes) {
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

Refusal RefuseOverlap(const char* name, size_t index, const char* other, size_t other_index) noexcept {
  return Refuse(kInvalid, "%s %zu and %s %zu share bytes of one resource", name, index, other, other_index);
}

Refusal CheckOutputPairs(const Bindings& bindings) noexcept {
  for (size_t i = 0; i < bindings.outputs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (Overlap(bindings.outputs[i], bindings.outputs[j])) return RefuseOverlap("output", i, "output", j);
    }
  }
  return {};
}

}  // namespace

Refusal ReadBindingType(const DML_BINDING_DESC* desc, const char* name, uint32_t index,
                        BindingType* type) noexcept {
  *type = BindingType::kNone;
  if (desc == nullptr) return {};
  const int32_t number = NumberOf(desc->Type);
  if (number == DML_BINDING_TYPE_NONE) return {};
  if (number != DML_BINDING_TYPE_BUFFER && number != DML_BINDING_TYPE_BUFFER_ARRAY) {
    return Refuse(kInvalid, "the binding Type of %s %u is %d, which does not exist", name, index, number);
  }
  if (desc->Desc == nullptr)
    return Refuse(kInvalid, "the binding Desc of %s %u is null, but must be set", name, index);
  *type = number == DML_BINDING_TYPE_BUFFER ? BindingType::kBuffer : BindingType::kBufferArray;
  return {};
}

Refusal ReadBuffer(const DML_BUFFER_BINDING& binding, const BufferRule& rule, BoundBuffer* buffer,
                   Refusal* warning) noexcept {
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
  Ref<IHostMemory> memory = Ref<IHostMemory>::Adopt(host.memory);
  if (Refusal refusal = CheckResource(host, rule); !refusal.ok()) return refusal;
  if (Refusal refusal = CheckRange(binding, host.width, rule); !refusal.ok()) return refusal;
  if (binding.SizeInBytes % 4 != 0) {
    *warning = Refuse(kInvalid, "the SizeInBytes of %s %u is %" PRIu64 ", which is not a multiple of 4",
                      rule.name, rule.index, binding.SizeInBytes);
  }
  *buffer = {std::move(memory), resource.get(), host.offset, binding.Offset, rule.bytes};
  return {};
}

Refusal CheckComplete(const Bindings& bindings, const DispatchTarget& target) noexcept {
  size_t input = 0;
  for (size_t t = 0; t < target.operators.size(); ++t) {
    const Compiled& compiled = target.operators[t]->compiled;
    for (const BindingRequirement& requirement : compiled.inputs) {
      const bool wanted = requirement.owned_by_dml == target.is_initializer;
      const bool bound = input < bindings.inputs.size() && bindings.inputs[input].bound();
      if (wanted && !bound) return Refuse(kInvalid, "input %zu is required, but not bound", input);
      ++input;
    }
    if (target.is_initializer) {
      const bool bound = t < bindings.outputs.size() && bindings.outputs[t].bound();
      if (compiled.persistent_bytes != 0 && !bound) {
        return Refuse(kInvalid,
                      "output %zu, the persistent resource of that operator, is required, but not bound", t);
      }
      continue;
    }
    for (size_t i = 0; i < compiled.outputs.size(); ++i) {
      if (i >= bindings.outputs.size() || !bindings.outputs[i].bound()) {
        return Refuse(kInvalid, "output %zu is required, but not bound", i);
      }
    }
    if (compiled.program.temporary_bytes != 0 && !bindings.temporary.bound()) {
      return Refuse(kInvalid, "the temporary resource is required, but not bound");
    }
    if (compiled.persistent_bytes != 0 && !bindings.persistent.bound()) {
      return Refuse(kInvalid, "the persistent resource is required, but not bound");
    }
  }
  return {};
}

Refusal CheckHazards(const Bindings& bindings, const DispatchTarget& target) noexcept {
  const bool in_place = !target.is_initializer && target.operators.front()->compiled.in_place;
  for (size_t o = 0; o < bindings.outputs.size(); ++o) {
    const BoundBuffer& output = bindings.outputs[o];
    for (size_t i = 0; i < bindings.inputs.size(); ++i) {
      const BoundBuffer& input = bindings.inputs[i];
      if (target.is_initializer && SameResource(input, output)) {
        return Refuse(kInvalid,
                      "input %zu and output %zu are in one resource, which initialization does not allow", i,
                      o);
      }
      if (Overlap(input, output) && !(in_place && Identical(input, output))) {
        return RefuseOverlap("input", i, "output", o);
      }
    }
    if (Overlap(bindings.persistent, output)) return RefuseOverlap("persistent resource", 0, "output", o);
    if (Overlap(bindings.temporary, output)) return RefuseOverlap("temporary resource", 0, "output", o);
  }
  for (size_t i = 0; i < bindings.inputs.size(); ++i) {
    if (Overlap(bindings.temporary, bindings.inputs[i]))
      return RefuseOverlap("temporary resource", 0, "input", i);
  }
  if (Overlap(bindings.temporary, bindings.persistent)) {
    return RefuseOverlap("temporary resource", 0, "persistent resource", 0);
  }
  return CheckOutputPairs(bindings);
}

}  // namespace residue
