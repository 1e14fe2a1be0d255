// Contract, section 11: feature levels (R165-R169).
#include <map>

#include "directml/feature_level.h"
#include "directml/operator_schema.h"
#include "support/dml_fixture.h"

namespace residue::testing {
namespace {

std::string NameOf(FeatureLevel level) {
  const auto number = static_cast<unsigned>(level);
  return std::to_string(number >> 12) + "_" + std::to_string((number >> 8) % 16);
}

DML_TENSOR_DATA_TYPE Dml(DataType type) { return static_cast<DML_TENSOR_DATA_TYPE>(type); }

TEST_F(ContractTest, R165_LevelsAreSupersets) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const auto op = AnyNumber<DML_OPERATOR_TYPE>(schema.type);
    for (const DataType type : kAllDataTypes) {
      for (UINT rank = 1; rank <= 8; ++rank) {
        bool worked_before = false;
        for (const FeatureLevel level : kAllFeatureLevels) {
          const bool works = TryAtLevel(NameOf(level).c_str(), op, Dml(type), rank) == S_OK;
          EXPECT_TRUE(works || !worked_before) << schema.name << " " << NameOf(level) << " rank " << rank;
          worked_before = works;
        }
      }
    }
  }
}

TEST_F(ContractTest, R166_NumbersOfLevels) {
  const std::map<const char*, UINT> numbers = {
      {"1_0", DML_FEATURE_LEVEL_1_0}, {"2_0", DML_FEATURE_LEVEL_2_0}, {"2_1", DML_FEATURE_LEVEL_2_1},
      {"3_0", DML_FEATURE_LEVEL_3_0}, {"3_1", DML_FEATURE_LEVEL_3_1}, {"4_0", DML_FEATURE_LEVEL_4_0},
      {"4_1", DML_FEATURE_LEVEL_4_1}, {"5_0", DML_FEATURE_LEVEL_5_0}, {"5_1", DML_FEATURE_LEVEL_5_1},
      {"5_2", DML_FEATURE_LEVEL_5_2}, {"6_0", DML_FEATURE_LEVEL_6_0}, {"6_1", DML_FEATURE_LEVEL_6_1},
      {"6_2", DML_FEATURE_LEVEL_6_2}, {"6_3", DML_FEATURE_LEVEL_6_3}, {"6_4", DML_FEATURE_LEVEL_6_4}};
  EXPECT_EQ(numbers.size(), std::size(kAllFeatureLevels));
  for (const auto& [name, number] : numbers) {
    EXPECT_EQ(number, static_cast<UINT>(name[0] - '0') * 0x1000 + static_cast<UINT>(name[2] - '0') * 0x100);
    FeatureLevel level;
    ASSERT_TRUE(ParseFeatureLevel(name, &level)) << name;
    EXPECT_EQ(static_cast<UINT>(level), number);
  }
}

TEST_F(ContractTest, R168_ModulusTypeTable) {
  using enum DataType;
  for (const auto op : {kFloor, kTruncate}) {
    for (const FeatureLevel level : kAllFeatureLevels) {
      for (const DataType type : kAllDataTypes) {
        for (UINT rank = 1; rank <= 8; ++rank) {
          HRESULT expected = S_OK;
          const bool wide = type == kInt64 || type == kUint64;
          if (level < FeatureLevel::k2_1) {
            expected = DXGI_ERROR_UNSUPPORTED;
          } else if (type == kFloat64 || (wide && level < FeatureLevel::k6_0) ||
                     (level < FeatureLevel::k3_0 && rank != 4)) {
            expected = E_INVALIDARG;
          }
          EXPECT_EQ(TryAtLevel(NameOf(level).c_str(), op, Dml(type), rank), expected)
              << NameOf(level) << " " << DirectMlName(type) << " rank " << rank;
        }
      }
    }
  }
}

// The identity operator's own table, as its page has it.
TEST_F(ContractTest, R168_IdentityTypeTable) {
  using enum DataType;
  for (const FeatureLevel level : kAllFeatureLevels) {
    for (const DataType type : kAllDataTypes) {
      for (UINT rank = 1; rank <= 8; ++rank) {
        const bool half_or_single = type == kFloat16 || type == kFloat32;
        const bool wide = type == kInt64 || type == kUint64 || type == kFloat64;
        const bool type_works =
            half_or_single || (wide ? level >= FeatureLevel::k4_1 : level >= FeatureLevel::k2_1);
        const bool rank_works = level >= FeatureLevel::k3_0 || rank == 4 || rank == 5;
        EXPECT_EQ(TryAtLevel(NameOf(level).c_str(), kIdentity, Dml(type), rank),
                  type_works && rank_works ? S_OK : E_INVALIDARG)
            << NameOf(level) << " " << DirectMlName(type) << " rank " << rank;
      }
    }
  }
}

TEST_F(ContractTest, R169_EmulatedLevels) {
  const Environment emulated("RESIDUE_DIRECTML_FEATURE_LEVEL", "2_1");
  ComPtr<IDMLDevice> device;
  EXPECT_EQ(
      DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_3_0, IID_PPV_ARGS(&device)),
      DXGI_ERROR_UNSUPPORTED);
  ASSERT_EQ(
      DMLCreateDevice1(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_2_1, IID_PPV_ARGS(&device)),
      S_OK);
  const DML_FEATURE_LEVEL asked[] = {DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_2_1, DML_FEATURE_LEVEL_6_4};
  const DML_FEATURE_QUERY_FEATURE_LEVELS query = {3, asked};
  UINT answer = 0;
  EXPECT_EQ(
      device->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof(query), &query, sizeof(answer), &answer),
      S_OK);
  EXPECT_EQ(answer, 0x2100u);
}

TEST_F(ContractTest, R169_MisspeltLevelsAreNotIgnored) {
  for (const char* text : {"", "2.1", "7_0", "2_2", "2_1 ", "6_44"}) {
    const Environment emulated("RESIDUE_DIRECTML_FEATURE_LEVEL", text);
    void* device = this;
    EXPECT_EQ(DMLCreateDevice(d3d_.Get(), DML_CREATE_DEVICE_FLAG_NONE, __uuidof(IDMLDevice), &device),
              E_INVALIDARG)
        << text;
    EXPECT_EQ(device, nullptr);
  }
}

}  // namespace
}  // namespace residue::testing
