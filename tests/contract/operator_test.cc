// Contract, section 5: CreateOperator (R65-R79), section 6: CompileOperator (R80-R90), and section 13: the
// element-wise family (R185-R192).
#include <cmath>

#include "directml/operator_schema.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

TEST_F(ContractTest, R065_NullDescriptions) {
  EXPECT_EQ(dml_->CreateOperator(nullptr, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const DML_OPERATOR_DESC desc = {AnyNumber<DML_OPERATOR_TYPE>(schema.type), nullptr};
    EXPECT_EQ(dml_->CreateOperator(&desc, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
  }
}

TEST_F(ContractTest, R066_NumbersThatAreNoOperator) {
  Tensor like = Float32({4});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  for (const int type : {0, -1, 178, 1000, 0x7FFFFFFF}) {
    const DML_OPERATOR_DESC operator_desc = {AnyNumber<DML_OPERATOR_TYPE>(type), &desc};
    EXPECT_EQ(dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), nullptr), E_INVALIDARG) << type;
  }
}

TEST_F(ContractTest, R067_OperatorsWeDoNotHave) {
  Tensor like = Float32({4});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  int unsupported = 0;
  for (int type = 1; type <= 177; ++type) {
    if (FindOperatorSchema(type) != nullptr) continue;
    const DML_OPERATOR_DESC operator_desc = {AnyNumber<DML_OPERATOR_TYPE>(type), &desc};
    void* op = this;
    EXPECT_EQ(dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), &op), DXGI_ERROR_UNSUPPORTED)
        << type;
    EXPECT_EQ(op, nullptr);
    ++unsupported;
  }
  EXPECT_EQ(unsupported, 177 - static_cast<int>(AllOperatorSchemas().size()));
}

TEST_F(ContractTest, R068_EqualDataTypes) {
  for (const auto type : {kFloor, kTruncate}) {
    Tensor f = Float32({4});
    Tensor i = Int32({4});
    EXPECT_EQ(TryCreate(type, i, f, f), E_INVALIDARG);
    EXPECT_EQ(TryCreate(type, f, i, f), E_INVALIDARG);
    EXPECT_EQ(TryCreate(type, f, f, i), E_INVALIDARG);
  }
  Tensor f = Float32({4});
  Tensor i = Int32({4});
  ComPtr<IDMLOperator> op;
  EXPECT_EQ(TryCreateIdentity(f, i, nullptr, &op), E_INVALIDARG);
}

TEST_F(ContractTest, R069_EqualDimensionCounts) {
  Tensor four = Float32({1, 1, 1, 4});
  Tensor three = Float32({1, 1, 4});
  EXPECT_EQ(TryCreate(kFloor, three, four, four), E_INVALIDARG);
  EXPECT_EQ(TryCreate(kFloor, four, three, four), E_INVALIDARG);
  EXPECT_EQ(TryCreate(kFloor, four, four, three), E_INVALIDARG);
}

TEST_F(ContractTest, R070_EqualSizesNoImplicitBroadcast) {
  Tensor whole = Float32({3, 7});
  Tensor row = Float32({1, 7});
  EXPECT_EQ(TryCreate(kFloor, row, whole, whole), E_INVALIDARG);
  EXPECT_EQ(TryCreate(kFloor, whole, row, whole), E_INVALIDARG);
  EXPECT_EQ(TryCreate(kFloor, whole, whole, row), E_INVALIDARG);
  Tensor stretched = Float32({3, 7}, {0, 1});
  EXPECT_EQ(TryCreate(kFloor, whole, stretched, whole), S_OK);
}

TEST_F(ContractTest, R071_WhatMayDiffer) {
  Tensor a = Float32({2, 3}, {8, 2});
  a.buffer.TotalTensorSizeInBytes = 100;
  a.buffer.GuaranteedBaseOffsetAlignment = 256;
  a.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  Tensor b = Float32({2, 3}, {0, 1});
  Tensor out = Float32({2, 3}, {1, 2});
  out.buffer.TotalTensorSizeInBytes = 4096;
  EXPECT_EQ(TryCreate(kFloor, a, b, out), S_OK);
}

TEST_F(ContractTest, R072_TypesOfTheModulusOperators) {
  for (const auto type : {kFloor, kTruncate}) {
    for (int number = 1; number <= 13; ++number) {
      const auto data_type = AnyNumber<DML_TENSOR_DATA_TYPE>(number);
      const bool four_bits =
          data_type == DML_TENSOR_DATA_TYPE_UINT4 || data_type == DML_TENSOR_DATA_TYPE_INT4;
      Tensor a(four_bits ? DML_TENSOR_DATA_TYPE_UINT8 : data_type, {4});
      a.buffer.DataType = data_type;
      const bool refused = four_bits || data_type == DML_TENSOR_DATA_TYPE_FLOAT64;
      EXPECT_EQ(TryCreate(type, a, a, a), refused ? E_INVALIDARG : S_OK) << number;
    }
  }
}

TEST_F(ContractTest, R073_OneStructForBothOperators) {
  static_assert(sizeof(DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC) == 24);
  static_assert(sizeof(DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC) == 24);
  Tensor like = Int32({2});
  const DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  for (const auto type : {kFloor, kTruncate}) {
    const DML_OPERATOR_DESC operator_desc = {type, &desc};
    EXPECT_EQ(dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), nullptr), S_FALSE);
  }
}

TEST_F(ContractTest, R074_OwnedInputs) {
  for (const UINT which : {1u, 2u, 3u}) {
    Tensor a = Float32({4});
    Tensor b = Float32({4});
    Tensor out = Float32({4});
    if (which & 1) a.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
    if (which & 2) b.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
    EXPECT_EQ(TryCreate(kFloor, a, b, out), S_OK);
  }
}

TEST_F(ContractTest, R075_OperatorsMayBeCompiledManyTimes) {
  const auto op = MakeModulus(kFloor, Float32({4}));
  const auto first = Compile(op.Get());
  const auto second = Compile(op.Get(), DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION);
  EXPECT_NE(first.Get(), second.Get());
  void* none = this;
  EXPECT_EQ(op->QueryInterface(__uuidof(IDMLDispatchable), &none), E_NOINTERFACE) << "it cannot be executed";
}

TEST_F(ContractTest, R076_InterfacesOfOperators) {
  Tensor like = Float32({4});
  const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC desc = {like.get(), like.get(), like.get()};
  const DML_OPERATOR_DESC operator_desc = {kFloor, &desc};
  for (const IID& iid :
       {__uuidof(IUnknown), __uuidof(IDMLObject), __uuidof(IDMLDeviceChild), __uuidof(IDMLOperator)}) {
    ComPtr<IUnknown> op;
    EXPECT_EQ(dml_->CreateOperator(&operator_desc, iid, reinterpret_cast<void**>(op.GetAddressOf())), S_OK);
  }
  for (const IID& iid : {__uuidof(IDMLDevice), __uuidof(IDMLCompiledOperator), __uuidof(IDMLPageable)}) {
    void* none = this;
    EXPECT_EQ(dml_->CreateOperator(&operator_desc, iid, &none), E_NOINTERFACE);
    EXPECT_EQ(none, nullptr);
  }
}

TEST_F(ContractTest, R078_ValidationDoesNotNeedTheDebugLayer) {
  DebugStrings strings;
  const auto debug = MakeDevice(DML_CREATE_DEVICE_FLAG_DEBUG);
  Tensor f = Float32({4});
  Tensor i = Int32({4});
  Tensor wide = Float32({5});
  for (Tensor* out : {&f, &i, &wide}) {
    EXPECT_EQ(TryCreate(kFloor, f, f, *out), TryCreate(kFloor, f, f, *out, debug.Get()));
  }
}

TEST_F(ContractTest, R079_SeveralViolationsAreStillRefused) {
  Tensor a = Float32({4});
  a.buffer.GuaranteedBaseOffsetAlignment = 3;
  a.buffer.TotalTensorSizeInBytes = 1;
  a.buffer.Flags = AnyNumber<DML_TENSOR_FLAGS>(8);
  Tensor b = Int32({5});
  EXPECT_EQ(TryCreate(kFloor, a, b, a), E_INVALIDARG);
}

TEST_F(ContractTest, R080_CompilingNothing) {
  void* compiled = this;
  EXPECT_EQ(
      dml_->CompileOperator(nullptr, DML_EXECUTION_FLAG_NONE, __uuidof(IDMLCompiledOperator), &compiled),
      E_INVALIDARG);
  EXPECT_EQ(compiled, nullptr);
}

TEST_F(ContractTest, R081_ExecutionFlags) {
  const auto op = MakeModulus(kFloor, Float32({4}));
  for (UINT flags = 0; flags <= 7; ++flags) {
    EXPECT_EQ(dml_->CompileOperator(op.Get(), AnyNumber<DML_EXECUTION_FLAGS>(flags),
                                    __uuidof(IDMLCompiledOperator), nullptr),
              S_FALSE);
  }
  for (const UINT flags : {8u, 9u, 0x80000000u, 0xFFFFFFFFu}) {
    EXPECT_EQ(dml_->CompileOperator(op.Get(), AnyNumber<DML_EXECUTION_FLAGS>(flags),
                                    __uuidof(IDMLCompiledOperator), nullptr),
              E_INVALIDARG);
  }
}

// Halves whose remainder needs more than half arithmetic: 60000 mod 7 goes wrong by any half quotient.
TEST_F(ContractTest, R082_HalfPrecisionPermissionChangesNothing) {
  const Tensor half(DML_TENSOR_DATA_TYPE_FLOAT16, {4});
  const std::vector<uint16_t> a = {0x7B53, 0x7BFF, 0x0001, 0xC44D};  // 59998.., 65504, smallest, -4.3
  const std::vector<uint16_t> b = {0x4700, 0x3C01, 0x3C00, 0x4033};  // 7, 1.001, 1, 2.1
  const auto plain = Compute(kFloor, half, half, half, a, b);
  EXPECT_EQ(plain,
            Compute(kFloor, half, half, half, a, b, DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION));
  const Tensor single = Float32({2});
  EXPECT_EQ(Compute<float>(kFloor, single, single, single, {1e30f, 5.5f}, {0.7f, 2.f}),
            Compute<float>(kFloor, single, single, single, {1e30f, 5.5f}, {0.7f, 2.f},
                           DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION));
}

TEST_F(ContractTest, R083_MetaCommandsChangeNothing) {
  const Tensor like = Float32({3});
  EXPECT_EQ(Compute<float>(kTruncate, like, like, like, {1e20f, -5.5f, 7.f}, {3.f, 2.f, -2.f}),
            Compute<float>(kTruncate, like, like, like, {1e20f, -5.5f, 7.f}, {3.f, 2.f, -2.f},
                           DML_EXECUTION_FLAG_DISABLE_META_COMMANDS));
}

TEST_F(ContractTest, R084_CompiledOperatorKeepsItsOperator) {
  ComPtr<IDMLOperator> op = MakeModulus(kFloor, Int32({2}));
  const auto compiled = Compile(op.Get());
  EXPECT_EQ(CountReferences(op.Get()), 2u);
  op.Reset();
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({-7, 7});
  const auto b = MakeBufferOf<int32_t>({3, 3});
  const auto out = MakeBuffer(8);
  Run(compiled.Get(), {a, b}, {out});
  EXPECT_EQ(Read<int32_t>(out.Get(), 2), (std::vector<int32_t>{2, 1}));
}

TEST_F(ContractTest, R085_EachCompileNeedsItsOwnInitialization) {
  const auto op = MakeModulus(kFloor, Int32({2}));
  const auto first = Compile(op.Get());
  const auto second = Compile(op.Get());
  Initialize(first.Get());
  const auto buffer = MakeBuffer(8);
  const auto out = MakeBuffer(8);
  Run(first.Get(), {buffer, buffer}, {out});
  EXPECT_FALSE(IsRemoved());
  Run(second.Get(), {buffer, buffer}, {out});
  EXPECT_TRUE(IsRemoved());
}

TEST_F(ContractTest, R087_BindingPropertiesAnyTime) {
  const auto compiled = CompileModulus(kFloor, Float32({4}));
  const DML_BINDING_PROPERTIES before = compiled->GetBindingProperties();
  Initialize(compiled.Get());
  const DML_BINDING_PROPERTIES after = compiled->GetBindingProperties();
  EXPECT_EQ(std::memcmp(&before, &after, sizeof(before)), 0);
}

TEST_F(ContractTest, R088_ElementWiseNeedsNoMemory) {
  for (const auto type : {kFloor, kTruncate}) {
    const auto properties = CompileModulus(type, Float32({1, 2, 3, 4}))->GetBindingProperties();
    EXPECT_EQ(properties.TemporaryResourceSize, 0u);
    EXPECT_EQ(properties.PersistentResourceSize, 0u);
    EXPECT_EQ(properties.RequiredDescriptorCount, 3u);  // observed
  }
}

TEST_F(ContractTest, R089_OwnedInputsNeedPersistentMemory) {
  Tensor owned = Float32({1, 2, 3, 4});
  owned.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  Tensor plain = Float32({1, 2, 3, 4});
  EXPECT_EQ(
      Compile(MakeOperator(kFloor, owned, plain, plain).Get())->GetBindingProperties().PersistentResourceSize,
      96u);  // observed: the tensor's bytes
  const auto bytes_of_both = [&] {
    const auto op = MakeOperator(kFloor, owned, owned, plain);
    return Compile(op.Get())->GetBindingProperties().PersistentResourceSize;
  };
  EXPECT_EQ(bytes_of_both(), DML_PERSISTENT_BUFFER_ALIGNMENT + 96u);
  owned.buffer.TotalTensorSizeInBytes = DML_PERSISTENT_BUFFER_ALIGNMENT + 1;
  EXPECT_EQ(bytes_of_both(), 3 * DML_PERSISTENT_BUFFER_ALIGNMENT + 1u);
}

TEST_F(ContractTest, R090_DescriptorCounts) {
  const auto compiled = CompileModulus(kFloor, Float32({4}));
  EXPECT_GE(compiled->GetBindingProperties().RequiredDescriptorCount, 1u);
  EXPECT_EQ(MakeInitializer({compiled.Get()})->GetBindingProperties().RequiredDescriptorCount, 0u);
  // Clients size heaps by these: one for every buffer that can be bound.
  EXPECT_EQ(compiled->GetBindingProperties().RequiredDescriptorCount, 3u);
  Tensor plain = Float32({4});
  Tensor owned = plain;
  owned.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  const auto with_owned = Compile(MakeOperator(kFloor, plain, owned, plain).Get());
  EXPECT_EQ(with_owned->GetBindingProperties().RequiredDescriptorCount, 4u);
  EXPECT_EQ(MakeInitializer({with_owned.Get()})->GetBindingProperties().RequiredDescriptorCount, 3u);
}

TEST_F(ContractTest, R185_ElementsAreIndependent) {
  std::vector<int32_t> a;
  std::vector<int32_t> b;
  for (int32_t i = 0; i < 100; ++i) {
    a.push_back(i * 37 - 1800);
    b.push_back(i % 7 - 3);
  }
  const auto whole = Compute(kFloor, DML_TENSOR_DATA_TYPE_INT32, a, b);
  for (size_t i = 0; i < a.size(); i += 13) {
    EXPECT_EQ(Compute(kFloor, DML_TENSOR_DATA_TYPE_INT32, std::vector{a[i]}, std::vector{b[i]})[0], whole[i]);
  }
}

TEST_F(ContractTest, R186_LayoutsByStridesOnly) {
  // Broadcast, transposition and padding in one operator; sizes are equal throughout.
  const Tensor a = Int32({2, 2}, {1, 2});
  const Tensor b = Int32({2, 2}, {0, 0});
  const Tensor out = Int32({2, 2}, {4, 1});
  const auto result = Compute<int32_t>(kTruncate, a, b, out, {-7, 8, 9, -10}, {4});
  EXPECT_EQ(result[0], -3);
  EXPECT_EQ(result[1], 1);
  EXPECT_EQ(result[4], 0);
  EXPECT_EQ(result[5], -2);
}

TEST_F(ContractTest, R187_LeadingOnesChangeNothing) {
  const std::vector<int32_t> a = {-7, 7, 8};
  const std::vector<int32_t> b = {3, -3, 5};
  const auto flat = Compute(kFloor, Int32({3}), Int32({3}), Int32({3}), a, b);
  const Tensor padded = Int32({1, 1, 1, 3}, {0, 0, 0, 1});
  EXPECT_EQ(Compute(kFloor, padded, padded, padded, a, b), flat);
}

TEST_F(ContractTest, R188_ScaleBiasBelongsToUnaryOperators) {
  Tensor like = Float32({4});
  const DML_SCALE_BIAS scale_bias = {2.0f, -1.0f};
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(TryCreateIdentity(like, like, &scale_bias, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto in = MakeBufferOf<float>({0.f, 0.5f, -3.f, 1e30f});
  const auto out = MakeBuffer(16);
  Run(compiled.Get(), {in}, {out});
  EXPECT_EQ(Read<float>(out.Get(), 4), (std::vector<float>{-1.f, 0.f, -7.f, 2e30f}));
  for (const auto type : {DML_TENSOR_DATA_TYPE_FLOAT16, DML_TENSOR_DATA_TYPE_FLOAT64}) {
    Tensor other(type, {4});
    EXPECT_EQ(TryCreateIdentity(other, other, &scale_bias, op.ReleaseAndGetAddressOf()), S_OK);
  }
  Tensor integer = Int32({4});
  EXPECT_EQ(TryCreateIdentity(integer, integer, &scale_bias, op.ReleaseAndGetAddressOf()), S_OK);
  const DML_SCALE_BIAS infinite = {1.0f, INFINITY};
  EXPECT_EQ(TryCreateIdentity(like, like, &infinite, op.ReleaseAndGetAddressOf()), S_OK);
  EXPECT_EQ(TryCreateIdentity(integer, integer, &infinite, op.ReleaseAndGetAddressOf()), E_INVALIDARG);
}

// Strides of 0 leave room for more elements than can be counted.
TEST_F(ContractTest, R054_OutputsWithTooManyElements) {
  Tensor many = Int32({0x80000000, 0x80000000, 0x80000000}, {0, 0, 0});
  Tensor other = many;
  Tensor output = many;
  EXPECT_EQ(TryCreate(kFloor, many, other, output), E_INVALIDARG);
}

TEST_F(ContractTest, R189_InPlaceIsAFlagOfEachOperator) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const bool other_type = schema.Tensor(schema.input_count).letter != schema.Tensor(0).letter;
    EXPECT_FALSE(schema.in_place && other_type) << schema.name;
  }
  Tensor like = Float32({4});
  ComPtr<IDMLOperator> op;
  ASSERT_EQ(TryCreateIdentity(like, like, nullptr, &op), S_OK);
  const auto compiled = Compile(op.Get());
  Initialize(compiled.Get());
  const auto buffer = MakeBufferOf<float>({1, 2, 3, 4});
  Run(compiled.Get(), {buffer}, {buffer});
  EXPECT_EQ(Read<float>(buffer.Get(), 4), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_FALSE(IsRemoved());
}

TEST_F(ContractTest, R190_TruncateIsTheRemainderOfDivision) {
  const std::vector<int32_t> a = {7, -7, 7, -7, 100, 0};
  const std::vector<int32_t> b = {3, 3, -3, -3, 7, 5};
  const auto r = Compute(kTruncate, DML_TENSOR_DATA_TYPE_INT32, a, b);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(r[i], a[i] - b[i] * (a[i] / b[i]));
}

}  // namespace
}  // namespace residue::testing
