// Contract, section 13: what only some operators of the element-wise family have: optional tensors, tensors
// of one element, fused activations, elements and types as attributes. Their results are compared with
// vectors elsewhere (tests/directml/elementwise_vectors_test.cc).
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

class FamilyTest : public ContractTest {
 protected:
  template <class Desc>
  HRESULT Try(DML_OPERATOR_TYPE type, const Desc& desc, ComPtr<IDMLOperator>* op = nullptr,
              IDMLDevice* device = nullptr) {
    const DML_OPERATOR_DESC operator_desc = {type, &desc};
    ComPtr<IDMLOperator> made;
    const HRESULT hr =
        (device == nullptr ? dml_.Get() : device)->CreateOperator(&operator_desc, IID_PPV_ARGS(&made));
    if (op != nullptr) *op = made;
    return hr;
  }

  ComPtr<IDMLDevice> DeviceAt(const char* level) {
    const Environment emulated("RESIDUE_DIRECTML_FEATURE_LEVEL", level);
    ComPtr<IDMLDevice> device;
    EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, IID_PPV_ARGS(&device)), S_OK);
    return device;
  }

  Tensor floats_ = Float32({4});
  Tensor bytes_ = {DML_TENSOR_DATA_TYPE_UINT8, {4}};
};

TEST_F(FamilyTest, OptionalTensorsFromTheirLevelOn) {
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC desc = {floats_.get(), floats_.get(), nullptr,
                                                               bytes_.get()};
  constexpr auto kType = DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR;
  EXPECT_EQ(Try(kType, desc, nullptr, DeviceAt("6_2").Get()), S_OK);
  EXPECT_EQ(Try(kType, desc, nullptr, DeviceAt("6_1").Get()), E_INVALIDARG);
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC no_scale = {floats_.get(), nullptr, nullptr,
                                                                   bytes_.get()};
  EXPECT_EQ(Try(kType, no_scale), E_INVALIDARG);
}

// R123, R124: an absent tensor has a binding, which is none.
TEST_F(FamilyTest, R124_AbsentTensorsAreNotBound) {
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC desc = {floats_.get(), floats_.get(), nullptr,
                                                               bytes_.get()};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(Try(DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, desc, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<float>({1.5f, 2.5f, -1.0f, 1e9f});
  const auto scale = MakeBufferOf<float>({1, 1, 1, 1});
  const auto out = MakeBuffer(4);
  Run(compiled.Get(), {x, scale, Binding(nullptr)}, {out});
  EXPECT_EQ(Read<uint8_t>(out.Get(), 4), (std::vector<uint8_t>{2, 2, 0, 255}));
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
  const auto table = MakeTable(compiled.Get());
  BindInputs(table.Get(), {x, scale, scale});
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
}

// Museum own-169: inputs are owned or absent, so BindInputs is not called at all.
TEST_F(FamilyTest, R105_NothingIsLeftToBind) {
  Tensor owned(DML_TENSOR_DATA_TYPE_FLOAT32, {4}, {}, DML_TENSOR_FLAG_OWNED_BY_DML);
  const DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC desc = {owned.get(), owned.get(), nullptr,
                                                               bytes_.get()};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(Try(DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR, desc, &op), S_OK);
  const auto compiled = Compile(op.Get());
  const auto persistent = MakeBuffer(compiled->GetBindingProperties().PersistentResourceSize);
  const auto initializer = MakeInitializer({compiled.Get()});
  const auto initial = MakeTable(initializer.Get());
  const auto x = MakeBufferOf<float>({1.5f, 2.5f, -1.0f, 1e9f});
  const auto scale = MakeBufferOf<float>({1, 1, 1, 1});
  BindArrays(initial.Get(), {{{x.Get(), 0, 16}, {scale.Get(), 0, 16}, {nullptr, 0, 0}}});
  BindOutputs(initial.Get(), {persistent});
  Record(initializer.Get(), initial.Get());
  ExecuteList();
  const auto out = MakeBuffer(4);
  const auto table = MakeTable(compiled.Get());
  BindPersistent(table.Get(), persistent);
  BindOutputs(table.Get(), {out});
  Record(compiled.Get(), table.Get());
  ExecuteList();
  EXPECT_EQ(Read<uint8_t>(out.Get(), 4), (std::vector<uint8_t>{2, 2, 0, 255}));
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
}

TEST_F(FamilyTest, TheScaleOfIntegersIsFloat32) {
  Tensor integers = Int32({4});
  Tensor halves(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  constexpr auto kType = DML_OPERATOR_ELEMENT_WISE_QUANTIZE_LINEAR;
  using Desc = DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC;
  EXPECT_EQ(Try(kType, Desc{integers.get(), floats_.get(), nullptr, bytes_.get()}), S_OK);
  EXPECT_EQ(Try(kType, Desc{integers.get(), halves.get(), nullptr, bytes_.get()}), E_INVALIDARG);
  EXPECT_EQ(Try(kType, Desc{halves.get(), halves.get(), nullptr, bytes_.get()}), S_OK);
  EXPECT_EQ(Try(kType, Desc{halves.get(), floats_.get(), nullptr, bytes_.get()}), E_INVALIDARG);
}

TEST_F(FamilyTest, TensorsOfOneElement) {
  Tensor one = Float32({1});
  constexpr auto kType = DML_OPERATOR_ELEMENT_WISE_QUANTIZED_LINEAR_ADD;
  using Desc = DML_ELEMENT_WISE_QUANTIZED_LINEAR_ADD_OPERATOR_DESC;
  const Desc good = {bytes_.get(), one.get(), nullptr, bytes_.get(), one.get(),
                     nullptr,      one.get(), nullptr, bytes_.get()};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(Try(kType, good, &op), S_OK);
  Desc wide = good;
  wide.BScaleTensor = floats_.get();
  EXPECT_EQ(Try(kType, wide), E_INVALIDARG);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<uint8_t>({1, 2, 3, 200});
  const auto b = MakeBufferOf<uint8_t>({10, 20, 30, 200});
  const auto two = MakeBufferOf<float>({2.0f});
  const auto half = MakeBufferOf<float>({0.5f});
  const auto scale = MakeBufferOf<float>({1.0f});
  const auto out = MakeBuffer(4);
  const Binding none(nullptr);
  Run(compiled.Get(), {a, two, none, b, half, none, scale, none}, {out});
  EXPECT_EQ(Read<uint8_t>(out.Get(), 4), (std::vector<uint8_t>{7, 14, 21, 255}));
}

TEST_F(FamilyTest, FusedActivations) {
  constexpr auto kType = DML_OPERATOR_ELEMENT_WISE_ADD1;
  using Desc = DML_ELEMENT_WISE_ADD1_OPERATOR_DESC;
  const auto fused = [&](const DML_OPERATOR_DESC* activation, ComPtr<IDMLOperator>* op = nullptr) {
    return Try(kType, Desc{floats_.get(), floats_.get(), floats_.get(), activation}, op);
  };
  EXPECT_EQ(fused(nullptr), S_OK);
  DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC leaky = {nullptr, nullptr, 0.5f};
  const DML_OPERATOR_DESC activation = {DML_OPERATOR_ACTIVATION_LEAKY_RELU, &leaky};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(fused(&activation, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<float>({1, -1, -8, 3});
  const auto out = MakeBuffer(16);
  Run(compiled.Get(), {a, a}, {out});
  EXPECT_EQ(Read<float>(out.Get(), 4), (std::vector<float>{2, -1, -8, 6}));
  leaky.InputTensor = floats_.get();
  EXPECT_EQ(fused(&activation), E_INVALIDARG) << "it has no tensors of its own";
  const DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC parameterized = {};
  const DML_OPERATOR_DESC other = {DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU, &parameterized};
  EXPECT_EQ(fused(&other), E_INVALIDARG) << "it cannot be fused";
  const DML_OPERATOR_DESC empty = {DML_OPERATOR_ACTIVATION_LEAKY_RELU, nullptr};
  EXPECT_EQ(fused(&empty), E_INVALIDARG);
}

// PARAMETERIZED_RELU may overwrite its input, and not its slope.
TEST_F(FamilyTest, InPlaceOfOneInput) {
  const DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC desc = {floats_.get(), floats_.get(), floats_.get()};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(Try(DML_OPERATOR_ACTIVATION_PARAMETERIZED_RELU, desc, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<float>({1, -2, 3, -4});
  const auto slope = MakeBufferOf<float>({2, 2, 2, 2});
  Run(compiled.Get(), {x, slope}, {x});
  EXPECT_EQ(Read<float>(x.Get(), 4), (std::vector<float>{1, -4, 3, -8}));
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), S_OK);
  Run(compiled.Get(), {x, slope}, {slope});
  EXPECT_EQ(dml_->GetDeviceRemovedReason(), E_INVALIDARG);
}

TEST_F(FamilyTest, TypesOfElements) {
  using Desc = DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC;
  DML_SCALAR_UNION one = {};
  one.Float32 = 1.0f;
  const auto clip = [&](DML_TENSOR_DATA_TYPE type) {
    return Try(DML_OPERATOR_ELEMENT_WISE_CLIP1, Desc{floats_.get(), floats_.get(), nullptr, type, {}, one});
  };
  EXPECT_EQ(clip(DML_TENSOR_DATA_TYPE_FLOAT32), S_OK);
  EXPECT_EQ(clip(DML_TENSOR_DATA_TYPE_UNKNOWN), S_OK);
  EXPECT_EQ(clip(DML_TENSOR_DATA_TYPE_FLOAT16), E_INVALIDARG);
  using Fill = DML_FILL_VALUE_CONSTANT_OPERATOR_DESC;
  constexpr auto kFill = DML_OPERATOR_FILL_VALUE_CONSTANT;
  EXPECT_EQ(Try(kFill, Fill{floats_.get(), DML_TENSOR_DATA_TYPE_FLOAT32, one}), S_OK);
  EXPECT_EQ(Try(kFill, Fill{floats_.get(), DML_TENSOR_DATA_TYPE_UNKNOWN, one}), E_INVALIDARG);
}

// Strides are those of the output, and its elements are numbered by rows.
TEST_F(FamilyTest, SequencesAreNumberedByRows) {
  Tensor turned = Float32({2, 3}, {1, 2});
  DML_SCALAR_UNION start = {};
  DML_SCALAR_UNION delta = {};
  start.Float32 = 10.0f;
  delta.Float32 = 0.5f;
  const DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC desc = {turned.get(), DML_TENSOR_DATA_TYPE_FLOAT32, start,
                                                      delta};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(Try(DML_OPERATOR_FILL_VALUE_SEQUENCE, desc, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto out = MakeBuffer(24);
  Run(compiled.Get(), {}, {out});
  EXPECT_EQ(Read<float>(out.Get(), 6), (std::vector<float>{10, 11.5f, 10.5f, 12, 11, 12.5f}));
}

TEST_F(FamilyTest, ExponentsHaveTheTypeOfTheirBaseBelow3_0) {
  Tensor base = Float32({1, 1, 1, 4});
  Tensor halves(DML_TENSOR_DATA_TYPE_FLOAT16, {1, 1, 1, 4});
  constexpr auto kType = DML_OPERATOR_ELEMENT_WISE_POW;
  using Desc = DML_ELEMENT_WISE_POW_OPERATOR_DESC;
  const auto old = DeviceAt("2_1");
  EXPECT_EQ(Try(kType, Desc{base.get(), base.get(), base.get(), nullptr}, nullptr, old.Get()), S_OK);
  EXPECT_EQ(Try(kType, Desc{base.get(), halves.get(), base.get(), nullptr}, nullptr, old.Get()),
            E_INVALIDARG);
  EXPECT_EQ(Try(kType, Desc{base.get(), halves.get(), base.get(), nullptr}, nullptr, DeviceAt("3_0").Get()),
            S_OK);
}

// An exponent of 32 bits is no FLOAT32: the largest is odd.
TEST_F(FamilyTest, PowersByLongIntegers) {
  Tensor exponents(DML_TENSOR_DATA_TYPE_UINT32, {4});
  const DML_SCALE_BIAS negative = {-1.0f, 0.0f};
  const DML_ELEMENT_WISE_POW_OPERATOR_DESC desc = {floats_.get(), exponents.get(), floats_.get(), &negative};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(Try(DML_OPERATOR_ELEMENT_WISE_POW, desc, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto x = MakeBufferOf<float>({1, 1, 2, -3});
  const auto n = MakeBufferOf<uint32_t>({UINT32_MAX, UINT32_MAX - 1, 10, 3});
  const auto out = MakeBuffer(16);
  Run(compiled.Get(), {x, n}, {out});
  EXPECT_EQ(Read<float>(out.Get(), 4), (std::vector<float>{-1, 1, 1024, 27}));
}

// Powers of integers are those modulo 2^32, however large the exponent.
TEST_F(FamilyTest, ConstantExponentsOfIntegers) {
  Tensor integers = Int32({4});
  const std::vector<int32_t> bases = {3, -5, 2, 7};
  for (const double exponent : {2.0, 127.0, 200.0, 0x1p30, 0x1p30 + 128, 0x1p31, 0x1p40, -3.0}) {
    const DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC desc = {integers.get(), integers.get(), nullptr,
                                                              static_cast<float>(exponent)};
    ComPtr<IDMLOperator> op;
    ASSERT_EQ(Try(DML_OPERATOR_ELEMENT_WISE_CONSTANT_POW, desc, &op), S_OK);
    const auto compiled = Compile(op.Get());
    Initialize(compiled.Get());
    const auto x = MakeBufferOf<int32_t>(bases);
    const auto out = MakeBuffer(16);
    Run(compiled.Get(), {x}, {out});
    std::vector<int32_t> expected;
    for (const int32_t base : bases) {
      uint32_t power = 1;
      auto square = static_cast<uint32_t>(base);
      for (auto left = static_cast<uint64_t>(std::max(exponent, 0.0)); left != 0; left >>= 1) {
        if (left & 1) power *= square;
        square *= square;
      }
      expected.push_back(exponent < 0 ? 0 : static_cast<int32_t>(power));  // 1 / base is less than 1
    }
    EXPECT_EQ(Read<int32_t>(out.Get(), 4), expected) << exponent;
  }
}

// NaN is no bound.
TEST_F(FamilyTest, GradientsWithoutABound) {
  Tensor integers = Int32({4});
  struct Case {
    float least, most;
    std::vector<int32_t> expected;
  };
  for (const auto& [least, most, expected] :
       {Case{-1.0f, 1.0f, {0, 20, 0, 0}}, Case{NAN, 1.0f, {10, 20, 0, 0}}, Case{-1.0f, NAN, {0, 20, 30, 40}},
        Case{NAN, NAN, {10, 20, 30, 40}}}) {
    const DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC desc = {integers.get(), integers.get(), integers.get(),
                                                           least, most};
    ComPtr<IDMLOperator> op;
    ASSERT_EQ(Try(DML_OPERATOR_ELEMENT_WISE_CLIP_GRAD, desc, &op), S_OK);
    const auto compiled = Compile(op.Get());
    Initialize(compiled.Get());
    const auto x = MakeBufferOf<int32_t>({-5, 0, 1, 5});
    const auto gradient = MakeBufferOf<int32_t>({10, 20, 30, 40});
    const auto out = MakeBuffer(16);
    Run(compiled.Get(), {x, gradient}, {out});
    EXPECT_EQ(Read<int32_t>(out.Get(), 4), expected) << least << " to " << most;
  }
}

TEST_F(FamilyTest, UnknownModes) {
  using Round = DML_ELEMENT_WISE_ROUND_OPERATOR_DESC;
  const auto round = [&](int mode) {
    return Try(DML_OPERATOR_ELEMENT_WISE_ROUND,
               Round{floats_.get(), floats_.get(), AnyNumber<DML_ROUNDING_MODE>(mode)});
  };
  EXPECT_EQ(round(DML_ROUNDING_MODE_TOWARD_INFINITY), S_OK);
  EXPECT_EQ(round(DML_ROUNDING_MODE_TOWARD_INFINITY + 1), E_INVALIDARG);
  EXPECT_EQ(round(-1), E_INVALIDARG);
  using Infinite = DML_ELEMENT_WISE_IS_INFINITY_OPERATOR_DESC;
  const auto infinite = [&](int mode) {
    return Try(DML_OPERATOR_ELEMENT_WISE_IS_INFINITY,
               Infinite{floats_.get(), bytes_.get(), AnyNumber<DML_IS_INFINITY_MODE>(mode)});
  };
  EXPECT_EQ(infinite(DML_IS_INFINITY_MODE_NEGATIVE), S_OK);
  EXPECT_EQ(infinite(DML_IS_INFINITY_MODE_NEGATIVE + 1), E_INVALIDARG);
}

// The ScaleBias of integers is finite; which of its numbers is not, is said.
TEST_F(FamilyTest, ScaleBiasOfIntegersIsFinite) {
  DebugStrings strings;
  const auto device = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  Tensor integers = Int32({4});
  for (const bool scale : {true, false}) {
    const DML_SCALE_BIAS wrong = {scale ? INFINITY : 1.0f, scale ? 0.0f : NAN};
    ComPtr<IDMLOperator> op;
    strings.texts.clear();
    EXPECT_EQ(TryCreateIdentity(integers, integers, &wrong, op.GetAddressOf(), device.Get()), E_INVALIDARG);
    EXPECT_TRUE(strings.Contains(scale ? "Scale of ScaleBias is inf" : "Bias of ScaleBias is nan"));
  }
}

}  // namespace
}  // namespace residue::testing
