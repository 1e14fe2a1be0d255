// Models: everything DxDispatch's format has that we take, and one line for everything that is wrong.
#include <wsl/winadapter.h>

#include "model_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "failure.h"

namespace residue::tool {
namespace {

constexpr char kModel[] = R"({
  // comments and trailing commas are fine
  "resources": {
    "A": {"initialValuesDataType": "FLOAT32", "initialValues": [1, "nan", "-INF", 2.5,]},
    "B": {"initialValuesDataType": "DML_TENSOR_DATA_TYPE_FLOAT32", "initialValues": {"valueCount": 4, "value": 3}},
    "C": {"initialValuesDataType": "FLOAT32", "initialValues": {"valueCount": 4, "valueStart": 1, "valueDelta": 0.5}},
  },
  "dispatchables": {
    "mod": {
      "type": "ELEMENT_WISE_MODULUS_FLOOR",
      "desc": {
        "ATensor": {"DataType": "FLOAT32", "Sizes": [2, 2]},
        "BTensor": {"Type": "BUFFER", "Desc": {"DataType": "FLOAT32", "Sizes": [2, 2], "Strides": [0, 1]}},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [2, 2], "Flags": "NONE"},
      },
      "executionFlags": ["DISABLE_META_COMMANDS", "DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION"],
      "dmlCompileType": "DmlCompileGraph",
    },
  },
  "commands": [
    {"type": "dispatch", "dispatchable": "mod",
     "bindings": {"ATensor": "A", "BTensor": {"name": "B", "elementOffset": 1}, "OutputTensor": ["C"]}},
    {"type": "print", "resource": "C", "verbose": true},
    {"type": "writeFile", "resource": "C", "targetPath": "c.npy", "dimensions": [2, 2]},
  ],
})";

ModelLimits Limits() {
  ModelLimits limits;
  limits.output_folder = "out";
  limits.most_bytes = 1 << 20;
  return limits;
}

Model Parse(const std::string& text) { return ParseModel(text, "m", Limits()); }

template <class T>
std::vector<T> Values(const Resource& resource) {
  std::vector<T> values(resource.initial_values.size() / sizeof(T));
  std::memcpy(values.data(), resource.initial_values.data(), resource.initial_values.size());
  return values;
}

TEST(ModelReaderTest, EverythingAtOnce) {
  const Model model = Parse(kModel);
  ASSERT_EQ(model.resources.size(), 3u);
  const std::vector<float> a = Values<float>(model.resources[0]);
  EXPECT_EQ(a[0], 1.0f);
  EXPECT_TRUE(a[1] != a[1]);
  EXPECT_EQ(a[2], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(Values<float>(model.resources[1]), (std::vector<float>{3, 3, 3, 3}));
  EXPECT_EQ(Values<float>(model.resources[2]), (std::vector<float>{1, 1.5, 2, 2.5}));
  ASSERT_EQ(model.dispatchables.size(), 1u);
  const Dispatchable& mod = model.dispatchables[0];
  EXPECT_EQ(mod.schema->op, OperatorId::kModulusFloor);
  EXPECT_TRUE(mod.as_graph);
  EXPECT_EQ(mod.flags, 3);
  EXPECT_EQ(mod.tensors[1].strides, (std::vector<UINT>{0, 1}));
  EXPECT_EQ(mod.tensors[0].total_bytes, 16u);
  EXPECT_EQ(mod.tensors[1].total_bytes, 8u);
  ASSERT_EQ(model.commands.size(), 3u);
  EXPECT_EQ(std::get<DispatchCommand>(model.commands[0].action).bindings.at("BTensor").element_offset, 1u);
  EXPECT_TRUE(std::get<PrintCommand>(model.commands[1].action).verbose);
  EXPECT_EQ(std::get<WriteFileCommand>(model.commands[2].action).path, "out/c.npy");
}

TEST(ModelReaderTest, ResourcesOfEveryKind) {
  const auto resource = [](const std::string& text) {
    return Parse(R"({"resources": {"R": )" + text + R"(}, "dispatchables": {}, "commands": []})")
        .resources[0];
  };
  EXPECT_EQ(Values<int8_t>(resource(R"({"initialValuesDataType": "INT8", "initialValues": [-128, 127]})")),
            (std::vector<int8_t>{-128, 127}));
  const Resource padded = resource(R"({"initialValuesDataType": "UINT8", "initialValues": [1, 2, 3, 4, 5]})");
  EXPECT_EQ(padded.bytes, 8u);
  EXPECT_EQ(padded.value_bytes, 5u);
  const Resource sized = resource(
      R"({"initialValuesDataType": "UINT8", "initialValues": [1], "sizeInBytes": 12, "initialValuesOffsetInBytes": 4})");
  EXPECT_EQ(sized.bytes, 12u);
  EXPECT_EQ(sized.value_bytes, 1u);
  EXPECT_EQ(sized.initial_offset, 4u);
  const Resource mixed = resource(
      R"({"initialValuesDataType": "UNKNOWN", "initialValues": [{"type": "UINT8", "value": 7}, {"type": "INT16", "value": -1}]})");
  EXPECT_EQ(mixed.type, std::nullopt);
  EXPECT_EQ(mixed.initial_values.size(), 3u);
  EXPECT_EQ(Values<uint64_t>(
                resource(R"({"initialValuesDataType": "UINT64", "initialValues": [18446744073709551615]})")),
            std::vector<uint64_t>{UINT64_MAX});
  EXPECT_EQ(
      Values<double>(resource(
          R"({"initialValuesDataType": "FLOAT64", "initialValues": [0E0100, 0.0000000000000000000000000000, 1e-400, 0.1]})")),
      (std::vector<double>{0, 0, 0, 0.1}));
  const std::vector<float> zeros =
      Values<float>(resource(R"({"initialValuesDataType": "FLOAT32", "initialValues": [-0, -0.0, 0]})"));
  EXPECT_EQ(zeros, (std::vector<float>{0, 0, 0}));
  EXPECT_TRUE(std::signbit(zeros[0]) && std::signbit(zeros[1]) && !std::signbit(zeros[2]));
  EXPECT_EQ(Values<int8_t>(resource(R"({"initialValuesDataType": "INT8", "initialValues": [-0, 0]})")),
            (std::vector<int8_t>{0, 0}));
  // Sequences wrap, as DxDispatch's do.
  EXPECT_EQ(
      Values<uint8_t>(resource(
          R"({"initialValuesDataType": "UINT8", "initialValues": {"valueCount": 3, "valueStart": 254, "valueDelta": 1}})")),
      (std::vector<uint8_t>{254, 255, 0}));
}

// What is put in the place of something in the model above, and what must be said about it.
struct Break {
  std::string from;
  std::string to;
  std::string complaint;
};

TEST(ModelReaderTest, EveryMistakeHasItsLine) {
  const std::vector<Break> breaks = {
      {"[1, \"nan\"", "[1, \"nun\"", "m.resources.A.initialValues[1]: must be a number"},
      {"[1, \"nan\"", "[1, null", "m.resources.A.initialValues[1]: must be a number"},
      {"\"FLOAT32\", \"initialValues\": [1", "\"FLOAT33\", \"initialValues\": [1", "the type is 'FLOAT33'"},
      {"\"FLOAT32\", \"initialValues\": [1", "\"UINT8\", \"initialValues\": [256",
       "must be an integer from 0 to 255"},
      {"\"valueCount\": 4, \"value\": 3", "\"valueCount\": -1, \"value\": 3",
       "initialValues.valueCount: must be an integer from 0"},
      {"\"valueCount\": 4, \"value\": 3", "\"valueCount\": 4294967295, \"value\": 3", "bytes, but only"},
      {"\"valueCount\": 4, \"value\": 3", "\"valueCount\": 0, \"value\": 3", "must not be empty"},
      {"\"valueCount\": 4, \"value\": 3", "\"valueCount\": 4",
       "must have one of value, valueStart and sourcePath"},
      {"{\"valueCount\": 4, \"value\": 3}", "{\"sourcePath\": \"nowhere\"}", "there is no file 'nowhere'"},
      {"{\"valueCount\": 4, \"value\": 3}", "{\"sourcePath\": \".\"}", "there is no file '.'"},
      {"{\"valueCount\": 4, \"value\": 3}", "{\"sourcePath\": \"/dev/zero\"}",
       "sourcePath: '/dev/zero' is outside the folder '"},
      {"{\"valueCount\": 4, \"value\": 3}", "{\"sourcePath\": \"here/../../x\"}",
       "sourcePath: 'here/../../x' is outside the folder '"},
      {"\"c.npy\"", "\"/tmp/c.npy\"", "targetPath: '/tmp/c.npy' is outside the folder '"},
      {"\"c.npy\"", "\"../c.npy\"", "/out'; --output_path names another"},
      {"{\"valueCount\": 4, \"value\": 3}", "\"deferred\"", "must be an array of numbers or an object"},
      {"\"B\": {", "\"A\": {", "the name 'A' is there twice"},
      {"\"B\": {", "\"B\\u001b[31m\": {", "the name 'B\\x1b[31m' has control characters"},
      {"ELEMENT_WISE_MODULUS_FLOOR", "GE\\nMM", "the operator is 'GE\\x0aMM'"},
      {"ELEMENT_WISE_MODULUS_FLOOR", "GEMM", "the operator is 'GEMM', which Residue does not have"},
      {"\"Sizes\": [2, 2]}", "\"Sizes\": [2, -2]}",
       "Sizes[1]: must be an integer from 0 to 4294967295, but is -2"},
      {"\"Sizes\": [2, 2]}", "\"Sizes\": [2, 2], \"DimensionCount\": 3}",
       "DimensionCount: is 3, but Sizes has 2"},
      {"\"Strides\": [0, 1]", "\"Strides\": [0]", "Strides: has 1 numbers, but Sizes has 2"},
      {"\"Type\": \"BUFFER\"", "\"Type\": \"TEXTURE\"", "must be DML_TENSOR_TYPE_BUFFER"},
      {"\"Flags\": \"NONE\"", "\"Flags\": \"SOME\"", "'SOME' is not a flag"},
      {"\"DmlCompileGraph\"", "\"DmlCompileAll\"", "must be DmlCompileOp or DmlCompileGraph"},
      {"\"ATensor\": {", "\"XTensor\": {", "the field 'ATensor' is missing"},
      {"\"ATensor\": \"A\", ", "", "ATensor is not bound"},
      {"\"ATensor\": \"A\", ", "\"ATensor\": \"A\", \"CTensor\": \"A\", ",
       "'CTensor' is not a tensor of the operator; those are ATensor"},
      {"\"ATensor\": \"A\"", "\"ATensor\": \"Z\"", "there is no resource 'Z'"},
      {"[\"C\"]", "[\"C\", \"C\"]", "must name one resource"},
      {"\"dispatchable\": \"mod\"", "\"dispatchable\": \"mud\"", "there is no dispatchable 'mud'"},
      {"{\"type\": \"print\"", "{\"type\": \"paint\"",
       "is 'paint', but must be dispatch, print or writeFile"},
      {"\"verbose\": true", "\"verbose\": 1", "must be true or false, but is a number"},
      {"\"commands\"", "\"orders\"", "the field 'commands' is missing"},
      {"\"verbose\": true}", "\"verbose\": true", "m:24:5: "},
  };
  for (const Break& one : breaks) {
    std::string text = kModel;
    const size_t at = text.find(one.from);
    ASSERT_NE(at, std::string::npos) << one.from;
    text.replace(at, one.from.size(), one.to);
    try {
      (void)Parse(text);
      ADD_FAILURE() << "accepted: " << one.to;
    } catch (const Failure& failure) {
      EXPECT_NE(std::string(failure.what()).find(one.complaint), std::string::npos)
          << failure.what() << "\nexpected: " << one.complaint;
      EXPECT_EQ(std::string(failure.what()).find('\n'), std::string::npos);
    }
  }
}

TEST(ModelReaderTest, WhatIsNoModelAtAll) {
  for (const std::string& text : {std::string(), std::string("[]"), std::string("1"), std::string("null"),
                                  std::string("{}"), std::string("\0", 1), std::string(100000, '['),
                                  std::string("{\"resources\": 1}"), std::string("\xff\xfe")}) {
    EXPECT_THROW(Parse(text), Failure) << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace residue::tool
