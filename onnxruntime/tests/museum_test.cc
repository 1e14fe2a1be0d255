// The museum through ONNX Runtime: every entry with numbers, both operators.
#include <gtest/gtest.h>

#include "core/data_type.h"
#include "mod_model.h"
#include "support/museum.h"

namespace residue::ort::testing {
namespace {

ElementType OnnxTypeOf(DataType type) {
  for (const TypeCase& known : kTypeCases) {
    if (known.type == static_cast<residue_type>(type)) return known.onnx;
  }
  return ElementType::kUndefined;
}

template <class T>
void CheckNumbers(const rapidjson::Value& entry, const char* field, int64_t fmod, size_t* checked) {
  const auto [a, b, expected] = residue::testing::ReadMuseumNumbers<T>(entry, field);
  if (expected.empty()) return;
  const ElementType type = OnnxTypeOf(kDataTypeOf<T>);
  const auto count = static_cast<int64_t>(a.size());
  const Session session(ModModel(type, fmod), {Use::kReplaced, 1});
  const Tensor y = session.Run({Tensor::Of(type, {count}, a), Tensor::Of(type, {count}, b)})[0];
  EXPECT_EQ(y.bytes, Tensor::Of(type, {count}, expected).bytes);
  *checked += a.size();
}

TEST(MuseumTest, EveryEntryWithNumbers) {
  const rapidjson::Document museum = residue::testing::LoadMuseum();
  ASSERT_TRUE(museum.IsObject());
  size_t checked = 0;
  for (const auto& entry : museum["entries"].GetArray()) {
    SCOPED_TRACE(entry["id"].GetString());
    for (const DataType type : kAllDataTypes) {
      if (std::string(entry["dtype"].GetString()) != DirectMlName(type)) continue;
      VisitType(type, [&]<class T>(T) {
        CheckNumbers<T>(entry, "floor", 0, &checked);
        CheckNumbers<T>(entry, "trunc", 1, &checked);
      });
    }
  }
  EXPECT_GT(checked, 300u);
}

}  // namespace
}  // namespace residue::ort::testing
