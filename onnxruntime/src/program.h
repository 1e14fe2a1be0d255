// What a claimed part of a model computes: operators of libresidue on values, whose shapes are known when it
// runs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/params.h"
#include "residue/residue.h"

namespace residue::ort {

using ValueId = uint32_t;

class Program {
 public:
  // May throw std::bad_alloc, as the others.
  ValueId AddInput(residue_type type);
  ValueId AddConstant(residue_type type, uint64_t bits);  // one element, in the first bytes
  ValueId AddStep(residue_operator op, residue_type type, std::vector<ValueId> inputs,
                  const Params& params = {}, uint32_t params_bytes = 0);
  // The one element of a value, whatever its dimensions are; a value with more is refused when shapes are
  // known.
  ValueId AddScalar(ValueId of);
  // A step, as the value of every node is; each once.
  void AddOutput(ValueId step) { outputs_.push_back(step); }

  residue_type type(ValueId value) const { return values_[value].type; }
  size_t input_count() const { return input_count_; }
  const std::vector<ValueId>& outputs() const { return outputs_; }

  struct Value {
    enum class Kind : uint8_t { kInput, kConstant, kScalar, kStep } kind;
    residue_type type;
    uint32_t input;  // its number
    uint64_t bits;   // of a constant
    residue_operator op;
    std::vector<ValueId> inputs;  // of a step or a scalar
    Params params;
    uint32_t params_bytes;
  };
  const std::vector<Value>& values() const { return values_; }

 private:
  ValueId Add(Value value);

  std::vector<Value> values_;
  std::vector<ValueId> outputs_;
  size_t input_count_ = 0;
};

}  // namespace residue::ort
