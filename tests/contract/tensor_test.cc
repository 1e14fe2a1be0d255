// Contract, section 4: tensor descriptions (R45-R64).
#include <fstream>
#include <sstream>

#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

TEST_F(ContractTest, R045_TypeIsBufferAndNothingIsNull) {
  Tensor good = Float32({4});
  const DML_TENSOR_DESC wrong_type = {DML_TENSOR_TYPE_INVALID, &good.buffer};
  const DML_TENSOR_DESC unknown_type = {AnyNumber<DML_TENSOR_TYPE>(2), &good.buffer};
  const DML_TENSOR_DESC no_desc = {DML_TENSOR_TYPE_BUFFER, nullptr};
  good.get();
  for (const DML_TENSOR_DESC* bad :
       {&wrong_type, &unknown_type, &no_desc, static_cast<const DML_TENSOR_DESC*>(nullptr)}) {
    const DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC descs[] = {
        {bad, good.get(), good.get()}, {good.get(), bad, good.get()}, {good.get(), good.get(), bad}};
    for (const auto& desc : descs) {
      const DML_OPERATOR_DESC operator_desc = {kFloor, &desc};
      EXPECT_EQ(dml_->CreateOperator(&operator_desc, __uuidof(IDMLOperator), nullptr), E_INVALIDARG);
    }
  }
}

TEST_F(ContractTest, R046_DataTypeIsReal) {
  for (const int type : {0, 14, 15, 255, -1}) {
    Tensor a = Float32({4});
    a.buffer.DataType = AnyNumber<DML_TENSOR_DATA_TYPE>(type);
    Tensor b = a;
    Tensor out = a;
    EXPECT_EQ(TryCreate(kFloor, a, b, out), E_INVALIDARG) << type;
  }
}

TEST_F(ContractTest, R047_OneToEightDimensions) {
  for (UINT rank = 1; rank <= 8; ++rank) {
    Tensor a = Float32(std::vector<UINT>(rank, 2));
    EXPECT_EQ(TryWithA(a), S_OK) << rank;
  }
  for (const UINT rank : {0u, 9u, 255u}) {
    Tensor a = Float32(std::vector<UINT>(256, 1));
    a.buffer.DimensionCount = rank;
    Tensor b = a;
    Tensor out = a;
    EXPECT_EQ(TryCreate(kFloor, a, b, out), E_INVALIDARG) << rank;
  }
}

TEST_F(ContractTest, R048_SizesAreSetAndAtLeastOne) {
  Tensor null = Float32({2, 3});
  null.raw_pointers = true;
  EXPECT_EQ(TryCreate(kFloor, null, null, null), E_INVALIDARG);
  for (size_t i = 0; i < 3; ++i) {
    Tensor a = Float32({2, 3, 4});
    a.sizes[i] = 0;
    EXPECT_EQ(TryCreate(kFloor, a, a, a), E_INVALIDARG) << i;
  }
}

TEST_F(ContractTest, R049_NullStridesArePacked) {
  const std::vector<int32_t> a = {-7, 7, -8, 8, 9, -9};
  const std::vector<int32_t> b = {3, -3, 3, -3, 4, 4};
  const Tensor packed = Int32({1, 2, 3});
  const Tensor explicit_strides = Int32({1, 2, 3}, {6, 3, 1});
  EXPECT_EQ(Compute(kFloor, packed, packed, packed, a, b),
            Compute(kFloor, explicit_strides, explicit_strides, explicit_strides, a, b));
}

TEST_F(ContractTest, R050_StridesInAnyOrder) {
  // A transposed input, a padded input, a transposed output.
  const Tensor a = Int32({2, 3}, {1, 2});
  const Tensor b = Int32({2, 3}, {4, 1});
  const Tensor out = Int32({2, 3}, {1, 3});
  const std::vector<int32_t> a_data = {10, 11, 12, 13, 14, 15};  // a(i,j) = 10 + i + 2j
  const std::vector<int32_t> b_data = {3, 4, 5, 99, 6, 7, 8};    // b(i,j) = 3 + 3i + j
  const auto result = Compute(kFloor, a, b, out, a_data, b_data);
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(result[i + 3 * j], static_cast<int32_t>((10 + i + 2 * j) % (3 + 3 * i + j))) << i << j;
    }
  }
}

TEST_F(ContractTest, R051_StrideZeroBroadcastsInputs) {
  const Tensor a = Int32({2, 3});
  const Tensor row = Int32({2, 3}, {0, 1});
  const std::vector<int32_t> a_data = {10, 11, 12, 13, 14, 15};
  EXPECT_EQ(Compute(kFloor, a, row, a, a_data, {3, 4, 5}), (std::vector<int32_t>{1, 3, 2, 1, 2, 0}));
  const Tensor column = Int32({2, 3}, {1, 0});
  EXPECT_EQ(Compute(kFloor, a, column, a, a_data, {3, 4}), (std::vector<int32_t>{1, 2, 0, 1, 2, 3}));
}

TEST_F(ContractTest, R052_OtherOverlappingInputsAreLegal) {
  const Tensor window = Int32({3, 2}, {1, 1});
  const Tensor out = Int32({3, 2});
  EXPECT_EQ(Compute<int32_t>(kFloor, window, window, out, {10, 11, 12, 13}, {3, 4, 5, 6}),
            (std::vector<int32_t>{1, 3, 3, 2, 2, 1}));
}

TEST_F(ContractTest, R053_StrideOfASizeOneDimensionIsIrrelevant) {
  for (const UINT stride : {0u, 1u, 7u, 0xFFFFFFFFu}) {
    Tensor a = Int32({1, 3}, {stride, 1});
    Tensor b = a;
    Tensor out = a;
    EXPECT_EQ(Compute<int32_t>(kFloor, a, b, out, {10, 11, 12}, {3, 4, 5}), (std::vector<int32_t>{1, 3, 2}))
        << stride;
  }
}

TEST_F(ContractTest, R054_OutputsMustNotOverlapThemselves) {
  const std::pair<std::vector<UINT>, std::vector<UINT>> layouts[] = {
      {{2, 3}, {0, 1}}, {{2, 3}, {3, 0}}, {{3, 2}, {1, 1}}, {{2, 3}, {2, 1}}, {{4}, {0}}};
  for (const auto& [sizes, strides] : layouts) {
    Tensor out = Float32(sizes, strides);
    out.buffer.TotalTensorSizeInBytes = 64;
    EXPECT_EQ(TryWithOutput(out), E_INVALIDARG);
    Tensor in = out;
    EXPECT_EQ(TryWithA(in), S_OK) << "an input may";
  }
}

TEST_F(ContractTest, R055_MinimumSize) {
  const struct {
    DML_TENSOR_DATA_TYPE type;
    std::vector<UINT> sizes, strides;
    UINT64 minimum;
  } cases[] = {
      {DML_TENSOR_DATA_TYPE_FLOAT32, {1, 2, 3, 4}, {}, 96},
      {DML_TENSOR_DATA_TYPE_UINT8, {18}, {}, 20},
      {DML_TENSOR_DATA_TYPE_FLOAT16, {3}, {}, 8},
      {DML_TENSOR_DATA_TYPE_INT64, {3}, {}, 24},
      {DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}, {10, 2}, 60},
      {DML_TENSOR_DATA_TYPE_INT8, {2, 2}, {5, 1}, 8},
      {DML_TENSOR_DATA_TYPE_FLOAT32, {1000, 1000}, {0, 0}, 4},
  };
  for (const auto& c : cases) {
    Tensor a(c.type, c.sizes, c.strides);
    EXPECT_EQ(a.bytes(), c.minimum) << "the test's own arithmetic";
    EXPECT_EQ(TryWithA(a), S_OK);
    a.buffer.TotalTensorSizeInBytes = c.minimum - 1;
    EXPECT_EQ(TryWithA(a), E_INVALIDARG);
  }
}

TEST_F(ContractTest, R056_TotalSizeBelowTheMinimum) {
  for (const UINT64 total : {UINT64{0}, UINT64{1}, UINT64{92}, UINT64{95}}) {
    Tensor a = Float32({1, 2, 3, 4});
    a.buffer.TotalTensorSizeInBytes = total;
    EXPECT_EQ(TryWithA(a), E_INVALIDARG) << total;
    Tensor out = a;
    EXPECT_EQ(TryWithOutput(out), E_INVALIDARG) << total;
  }
}

TEST_F(ContractTest, R057_NothingBeyondTheTotalSizeIsWritten) {
  Tensor out = Int32({3});
  out.buffer.TotalTensorSizeInBytes = 64;
  Tensor in = Int32({3});
  const auto compiled = Compile(MakeOperator(kFloor, in, in, out).Get());
  Initialize(compiled.Get());
  const auto a = MakeBufferOf<int32_t>({10, 11, 12});
  const auto b = MakeBufferOf<int32_t>({3, 4, 5});
  const auto buffer = MakeBuffer(256);
  std::memset(Data<char>(buffer.Get()), 0x5A, 256);
  Run(compiled.Get(), {a, b}, {{buffer.Get(), 64, 192}});
  const auto bytes = Read<uint8_t>(buffer.Get(), 256);
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(bytes[i], 0x5A);
  for (size_t i = 128; i < 256; ++i) EXPECT_EQ(bytes[i], 0x5A);
  EXPECT_EQ(Read<int32_t>(buffer.Get(), 3, 64), (std::vector<int32_t>{1, 3, 2}));
}

TEST_F(ContractTest, R058_TotalSizeNeedNotBeAMultipleOfFour) {
  Tensor a = Float32({1, 2, 3, 4});
  a.buffer.TotalTensorSizeInBytes = 98;
  EXPECT_EQ(TryWithA(a), S_OK);
  Tensor b(DML_TENSOR_DATA_TYPE_UINT8, {18});
  b.buffer.TotalTensorSizeInBytes = 18;
  EXPECT_EQ(TryWithA(b), E_INVALIDARG);
  b.buffer.TotalTensorSizeInBytes = 21;
  EXPECT_EQ(TryWithA(b), S_OK);
}

TEST_F(ContractTest, R059_AtMostFourBillionElements) {
  Tensor largest(DML_TENSOR_DATA_TYPE_FLOAT32, {0xFFFFFFFF});
  EXPECT_EQ(TryWithA(largest), S_OK);
  Tensor too_many(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 0x80000000});
  EXPECT_EQ(TryWithA(too_many), E_INVALIDARG);
  Tensor bytes(DML_TENSOR_DATA_TYPE_UINT8, {0xFFFFFFFF});
  EXPECT_EQ(bytes.bytes(), UINT64{1} << 32);
  EXPECT_EQ(TryWithA(bytes), E_INVALIDARG) << "its rounded size is one element too many";
  Tensor far_apart = Float32({2}, {0xFFFFFFFF});
  far_apart.buffer.TotalTensorSizeInBytes = UINT64{1} << 40;
  EXPECT_EQ(TryWithA(far_apart), E_INVALIDARG);
  Tensor total = Float32({4});
  total.buffer.TotalTensorSizeInBytes = (UINT64{1} << 34);
  EXPECT_EQ(TryWithA(total), E_INVALIDARG);
  total.buffer.TotalTensorSizeInBytes = (UINT64{1} << 34) - 4;
  EXPECT_EQ(TryWithA(total), S_OK);
  // Sums and products that wrap around 64 bits.
  Tensor wrapping = Float32({4});
  wrapping.sizes = std::vector<UINT>(8, 0xFFFFFFFF);
  wrapping.buffer.DimensionCount = 8;
  wrapping.buffer.TotalTensorSizeInBytes = ~UINT64{0};
  EXPECT_EQ(TryCreate(kFloor, wrapping, wrapping, wrapping), E_INVALIDARG);
  wrapping.strides = std::vector<UINT>(8, 0xFFFFFFFF);
  EXPECT_EQ(TryCreate(kFloor, wrapping, wrapping, wrapping), E_INVALIDARG);
  wrapping.sizes = std::vector<UINT>(8, 0x10000);
  wrapping.strides.clear();
  EXPECT_EQ(TryCreate(kFloor, wrapping, wrapping, wrapping), E_INVALIDARG);
}

TEST_F(ContractTest, R060_GuaranteedAlignment) {
  for (const UINT alignment : {0u, 16u, 32u, 256u, 0x80000000u}) {
    Tensor a = Float32({4});
    a.buffer.GuaranteedBaseOffsetAlignment = alignment;
    EXPECT_EQ(TryWithA(a), S_OK) << alignment;
  }
  for (const UINT alignment : {1u, 2u, 3u, 4u, 6u, 8u, 15u, 17u, 24u, 48u, 0xFFFFFFFFu}) {
    Tensor a = Float32({4});
    a.buffer.GuaranteedBaseOffsetAlignment = alignment;
    EXPECT_EQ(TryWithA(a), E_INVALIDARG) << alignment;
  }
}

TEST_F(ContractTest, R061_Flags) {
  for (const UINT flags : {2u, 3u, 0x80000000u}) {
    Tensor a = Float32({4});
    a.buffer.Flags = AnyNumber<DML_TENSOR_FLAGS>(flags);
    EXPECT_EQ(TryWithA(a), E_INVALIDARG) << flags;
  }
  Tensor owned = Float32({4});
  owned.buffer.Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
  EXPECT_EQ(TryWithA(owned), S_OK);
  EXPECT_EQ(TryWithOutput(owned), E_INVALIDARG);
}

TEST_F(ContractTest, R062_OneDescriptionForSeveralTensors) {
  Tensor one = Float32({1, 2, 3, 4});
  EXPECT_EQ(TryCreate(kFloor, one, one, one), S_OK);
}

TEST_F(ContractTest, R063_LogicalSizeMayExceedPhysicalSize) {
  Tensor scalar = Float32({1, 2, 3, 4}, {0, 0, 0, 0});
  EXPECT_EQ(scalar.bytes(), 4u);
  EXPECT_EQ(TryWithA(scalar), S_OK);
  const Tensor whole = Int32({1, 2, 3, 4});
  const Tensor one = Int32({1, 2, 3, 4}, {0, 0, 0, 0});
  EXPECT_EQ(Compute(kFloor, whole, one, whole, std::vector<int32_t>(24, -5), {3}),
            std::vector<int32_t>(24, 1));
}

// The vectors of the contract, by the size that CreateOperator demands.
TEST_F(ContractTest, R064_CalcBufferTensorSizeVectors) {
  std::ifstream file(RESIDUE_TEST_DATA "/calc_size_vectors.csv");
  std::string line;
  std::getline(file, line);
  ASSERT_EQ(line, "type,sizes,strides,bytes");
  size_t checked = 0;
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    std::string type_name, sizes_text, strides_text, bytes_text;
    std::getline(cells, type_name, ',');
    std::getline(cells, sizes_text, ',');
    std::getline(cells, strides_text, ',');
    std::getline(cells, bytes_text, ',');
    const auto numbers = [](const std::string& text) {
      std::vector<UINT> list;
      std::stringstream items(text == "null" ? "" : text);
      for (UINT item; items >> item;) list.push_back(item);
      return list;
    };
    DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_UNKNOWN;
    for (const DataType known : kAllDataTypes) {
      if (type_name == DirectMlName(known)) type = static_cast<DML_TENSOR_DATA_TYPE>(known);
    }
    if (type == DML_TENSOR_DATA_TYPE_UNKNOWN) continue;  // UINT4, which no operator of ours takes
    EXPECT_EQ(MinimumBytes(type, numbers(sizes_text), numbers(strides_text)), std::stoull(bytes_text))
        << line;
    Tensor in(type, numbers(sizes_text), numbers(strides_text));
    Tensor out(type, numbers(sizes_text));
    ComPtr<IDMLOperator> op;
    in.buffer.TotalTensorSizeInBytes = std::stoull(bytes_text);
    const HRESULT enough = TryCreateIdentity(in, out, nullptr, op.ReleaseAndGetAddressOf());
    in.buffer.TotalTensorSizeInBytes -= 1;
    EXPECT_EQ(TryCreateIdentity(in, out, nullptr, op.ReleaseAndGetAddressOf()), E_INVALIDARG) << line;
    if (std::stoull(bytes_text) / ElementSizeOf(type) <= UINT32_MAX &&
        out.bytes() / ElementSizeOf(type) <= UINT32_MAX) {
      EXPECT_EQ(enough, S_OK) << line;
      ++checked;
    }
  }
  EXPECT_GE(checked, 20u);
}

}  // namespace
}  // namespace residue::testing
