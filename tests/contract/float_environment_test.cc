// Attributes mean the same whatever rounding mode, flushing or trapping the caller has set (museum own-198),
// and the caller's environment stays as it was.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ios>

#include "support/dml_fixture.h"
#include "support/float_state.h"

namespace residue::testing {
namespace {

struct Made {
  HRESULT created = E_FAIL;
  HRESULT compiled = E_FAIL;
  ComPtr<IDMLCompiledOperator> op;
};

class FloatEnvironmentTest : public ContractTest {
 protected:
  // Makes the operator in every environment, and computes with it: the same answers, and the same results.
  template <class Desc>
  void MakesTheSame(DML_OPERATOR_TYPE type, const Desc& desc, HRESULT expected) {
    const DML_OPERATOR_DESC operator_desc = {type, &desc};
    const auto make = [&] {
      Made made;
      ComPtr<IDMLOperator> op;
      made.created = dml_->CreateOperator(&operator_desc, IID_PPV_ARGS(&op));
      if (SUCCEEDED(made.created))
        made.compiled = dml_->CompileOperator(op.Get(), DML_EXECUTION_FLAG_NONE, IID_PPV_ARGS(&made.op));
      return made;
    };
    const auto compute = [&](IDMLCompiledOperator* op) {
      Initialize(op);
      const auto x = MakeBufferOf<int32_t>({3, -5, 2, 0x40490FDB});
      const auto out = MakeBuffer(16);
      Run(op, {x}, {out});
      return Read<uint32_t>(out.Get(), 4);
    };
    const Made usual = make();
    ASSERT_EQ(usual.created, expected);
    ASSERT_EQ(SUCCEEDED(usual.compiled), SUCCEEDED(expected));
    const auto results = usual.op.Get() == nullptr ? std::vector<uint32_t>() : compute(usual.op.Get());
    const State original = ReadState();
    for (const State hostile : HostileStates()) {
      WriteState(hostile);
      const Made made = make();
      const State after = ReadState();
      WriteState(original);
      ASSERT_EQ(after, hostile) << "the environment was not restored";
      ASSERT_EQ(made.created, usual.created) << "in environment " << std::hex << hostile;
      ASSERT_EQ(made.compiled, usual.compiled) << "in environment " << std::hex << hostile;
      if (usual.op.Get() != nullptr) {
        ASSERT_EQ(compute(made.op.Get()), results) << "in environment " << std::hex << hostile;
      }
    }
  }

  Tensor floats_ = Float32({4});
  Tensor integers_ = Int32({4});
  const float signalling_ = std::bit_cast<float>(0x7F800001u);
};

TEST_F(FloatEnvironmentTest, ScaleAndBias) {
  for (const bool is_scale : {true, false}) {
    DML_SCALE_BIAS scale_bias = {1.0f, 1.0f};
    std::memcpy(is_scale ? &scale_bias.Scale : &scale_bias.Bias, &signalling_, sizeof(signalling_));
    const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC integers = {integers_.get(), integers_.get(), &scale_bias};
    MakesTheSame(kIdentity, integers, E_INVALIDARG);
    const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC floats = {floats_.get(), floats_.get(), &scale_bias};
    MakesTheSame(kIdentity, floats, S_OK);
  }
}

TEST_F(FloatEnvironmentTest, BoundsOfIntegers) {
  for (const float bound : {2.5f, -0.75f, 1e30f, 0x1p-149f, NAN, signalling_}) {
    const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC desc = {integers_.get(), integers_.get(), nullptr, bound, 1e9f};
    MakesTheSame(DML_OPERATOR_ELEMENT_WISE_CLIP, desc, S_OK);
  }
}

TEST_F(FloatEnvironmentTest, ExponentsOfIntegers) {
  for (const float exponent : {2.0f, 2.5f, 0x1p-149f, 0x1p40f, NAN, signalling_}) {
    const DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC desc = {integers_.get(), integers_.get(), nullptr,
                                                              exponent};
    MakesTheSame(DML_OPERATOR_ELEMENT_WISE_CONSTANT_POW, desc, S_OK);
  }
}

TEST_F(FloatEnvironmentTest, Steepness) {
  for (const float steepness : {0x1p-149f, 1.0f}) {
    const DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC desc = {floats_.get(), floats_.get(), steepness};
    MakesTheSame(DML_OPERATOR_ACTIVATION_SOFTPLUS, desc, S_OK);
  }
  const DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC none = {floats_.get(), floats_.get(), signalling_};
  MakesTheSame(DML_OPERATOR_ACTIVATION_SOFTPLUS, none, E_INVALIDARG);
}

}  // namespace
}  // namespace residue::testing
