#include "program.h"

namespace residue::ort {

ValueId Program::Add(Value value) {
  values_.push_back(std::move(value));
  return static_cast<ValueId>(values_.size() - 1);
}

ValueId Program::AddInput(residue_type type) {
  return Add({Value::Kind::kInput, type, static_cast<uint32_t>(input_count_++), 0, 0, {}, {}, 0});
}

ValueId Program::AddConstant(residue_type type, uint64_t bits) {
  return Add({Value::Kind::kConstant, type, 0, bits, 0, {}, {}, 0});
}

ValueId Program::AddScalar(ValueId of) { return Add({Value::Kind::kScalar, type(of), 0, 0, 0, {of}, {}, 0}); }

ValueId Program::AddStep(residue_operator op, residue_type type, std::vector<ValueId> inputs,
                         const Params& params, uint32_t params_bytes) {
  return Add({Value::Kind::kStep, type, 0, 0, op, std::move(inputs), params, params_bytes});
}

}  // namespace residue::ort
