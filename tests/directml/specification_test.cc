// The list of DirectML's operators against the specification of the element-wise family, fact by fact
// (tests/data/elementwise.json).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>
#include <string>

#include "directml/operator_schema.h"

namespace residue::testing {
namespace {

using rapidjson::Value;

const rapidjson::Document& Specification() {
  static const rapidjson::Document parsed = [] {
    const std::ifstream file(RESIDUE_TEST_DATA "/elementwise.json");
    std::ostringstream text;
    text << file.rdbuf();
    rapidjson::Document document;
    document.Parse(text.str().c_str());
    return document;
  }();
  return parsed;
}

const Value* FindSpecified(const OperatorSchema& schema) {
  for (const Value& one : Specification()["operators"].GetArray()) {
    if (one["value"].GetInt() == schema.type) return &one;
  }
  return nullptr;
}

FeatureLevel LevelOf(const Value& text) {
  FeatureLevel level{};
  EXPECT_TRUE(ParseFeatureLevel(text.GetString(), &level)) << text.GetString();
  return level;
}

TypeSet TypesOf(const Value& names) {
  TypeSet types = 0;
  for (const Value& name : names.GetArray()) {
    for (const DataType type : kAllDataTypes) {
      if (DirectMlName(type) == std::string(name.GetString())) types |= SetOf(type);
    }
  }
  EXPECT_EQ(std::popcount(types), static_cast<int>(names.Size())) << "a type that this library does not have";
  return types;
}

bool Has(const Value& names, const std::string& wanted) {
  return std::ranges::any_of(names.GetArray(), [&](const Value& name) { return name.GetString() == wanted; });
}

std::string TensorField(const OperatorSchema& schema, uint32_t tensor) {
  return std::string(schema.Tensor(tensor).name) + "Tensor";
}

// Members of the structure: kind, name and place.
TEST(SpecificationTest, Fields) {
  const auto kind_of = [](const Value& field) -> std::string {
    const std::string role = field["role"].GetString();
    return role == "attribute" ? field["type"].GetString() : role;
  };
  const auto kind_name = [](const Field& field) -> std::string {
    switch (field.kind) {
      case Field::kInput:
        return "input";
      case Field::kOutput:
        return "output";
      case Field::kScaleBias:
        return "const DML_SCALE_BIAS*";
      case Field::kActivation:
        return "const DML_OPERATOR_DESC*";
      case Field::kType:
      case Field::kTypeOrUnknown:
        return "DML_TENSOR_DATA_TYPE";
      case Field::kElement:
        return "DML_SCALAR_UNION";
      case Field::kFloat32:
      case Field::kSteepness:
      case Field::kBound:
        return "FLOAT";
      case Field::kEnumerator:
        return "a type of its own";
    }
    return "";
  };
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    SCOPED_TRACE(schema.name);
    const Value* specified = FindSpecified(schema);
    ASSERT_NE(specified, nullptr);
    EXPECT_STREQ((*specified)["operator"].GetString(), schema.name);
    EXPECT_EQ((*specified)["input_count"].GetUint(), schema.input_count);
    EXPECT_EQ((*specified)["sizeof_x86_64"].GetUint(), DescBytes(schema.fields));
    const auto fields = (*specified)["fields"].GetArray();
    ASSERT_EQ(fields.Size(), schema.fields.size());
    uint32_t offset = 0;
    for (uint32_t i = 0; i < fields.Size(); ++i) {
      const Field& field = schema.fields[i];
      offset = OffsetOfNext(offset, field);
      EXPECT_EQ(fields[i]["name"].GetString(), std::string(field.name) + (field.is_tensor() ? "Tensor" : ""));
      EXPECT_EQ(fields[i]["offset"].GetUint(), offset) << field.name;
      EXPECT_TRUE(field.kind == Field::kEnumerator || kind_of(fields[i]) == kind_name(field)) << field.name;
      const bool optional =
          field.kind == Field::kScaleBias || field.kind == Field::kActivation || field.is_optional();
      EXPECT_EQ(fields[i]["optional"].GetBool(), optional) << field.name;
      offset += field.bytes();
    }
  }
}

// Types and ranks of every tensor at every level. A specified row replaces all earlier ones; what is accepted
// besides them counts from its level on.
TEST(SpecificationTest, TypesAndRanksByLevel) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const Value* specified = FindSpecified(schema);
    ASSERT_NE(specified, nullptr) << schema.name;
    for (const FeatureLevel level : kAllFeatureLevels) {
      const Value* newest = nullptr;
      for (const Value& row : (*specified)["support"].GetArray()) {
        const FeatureLevel since = LevelOf(row["level"]);
        if (since <= level && (newest == nullptr || since > LevelOf((*newest)["level"]))) newest = &row;
      }
      const Support* support = FindSupport(schema, level);
      ASSERT_EQ(support != nullptr, newest != nullptr) << schema.name << " at " << static_cast<int>(level);
      if (support == nullptr) continue;
      for (uint32_t i = 0; i <= schema.input_count; ++i) {
        const std::string field = TensorField(schema, i);
        const Value& tensor = (*newest)["tensors"][field.c_str()];
        TypeSet types = TypesOf(tensor["types"]);
        for (const Value& also : (*specified)["accept_also"].GetArray()) {
          if (LevelOf(also["level"]) <= level && Has(also["tensors"], field)) types |= TypesOf(also["types"]);
        }
        EXPECT_EQ(support->types[schema.Tensor(i).letter], types) << schema.name << "." << field;
        EXPECT_EQ(support->fewest_dimensions, tensor["dims"][0].GetUint()) << schema.name << "." << field;
        EXPECT_EQ(support->most_dimensions, tensor["dims"][1].GetUint()) << schema.name << "." << field;
      }
    }
  }
}

// Two tensors have one letter if and only if the specification wants their types to be equal.
TEST(SpecificationTest, LettersAreEqualTypes) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const Value& constraints = (*FindSpecified(schema))["constraints"];
    for (uint32_t i = 0; i <= schema.input_count; ++i) {
      for (uint32_t k = 0; k < i; ++k) {
        bool equal = false;
        for (const Value& group : constraints["same_type"].GetArray()) {
          equal |= Has(group, TensorField(schema, i)) && Has(group, TensorField(schema, k));
        }
        EXPECT_EQ(schema.Tensor(i).letter == schema.Tensor(k).letter, equal)
            << schema.name << ": " << schema.Tensor(i).name << " and " << schema.Tensor(k).name;
      }
    }
  }
}

// All tensors have equal sizes, except those that have one element.
TEST(SpecificationTest, Sizes) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const Value& same = (*FindSpecified(schema))["constraints"]["same_sizes"];
    for (uint32_t i = 0; i < schema.input_count; ++i) {
      EXPECT_EQ(schema.Tensor(i).one_element, !Has(same, TensorField(schema, i))) << schema.name << " " << i;
    }
  }
}

// Every operator of the family, except reductions.
TEST(SpecificationTest, NoOperatorIsLeftOut) {
  for (const Value& specified : Specification()["operators"].GetArray()) {
    const bool reduces = specified["group"] == "e";
    EXPECT_EQ(FindOperatorSchema(specified["value"].GetInt()) == nullptr, reduces)
        << specified["operator"].GetString();
  }
}

TEST(SpecificationTest, InPlaceScaleBiasAndFusion) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    const Value& specified = *FindSpecified(schema);
    for (uint32_t i = 0; i < schema.input_count; ++i) {
      EXPECT_EQ((schema.in_place >> i & 1) != 0,
                Has(specified["in_place"]["with_inputs"], TensorField(schema, i)))
          << schema.name << " " << i;
    }
    const Value& fused = specified["fused_activation"];
    const std::string restriction = fused["restriction"].GetString();
    const bool anywhere =
        fused["may_be_fused"].GetBool() && (restriction.empty() || restriction.starts_with("from "));
    EXPECT_EQ(IsFusable(schema), anywhere) << schema.name;
    EXPECT_EQ(schema.has_scale_bias(), specified["scale_bias"]["present"].GetBool()) << schema.name;
  }
}

}  // namespace
}  // namespace residue::testing
