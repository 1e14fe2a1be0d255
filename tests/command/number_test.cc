// Numbers as people write them: types, values, bits, and the exact quotient.
#include "number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cpu/rows/reference.h"
#include "exact_quotient.h"
#include "verification/values.h"

namespace residue::tool {
namespace {

constexpr auto kFloor = OperatorId::kModulusFloor;
constexpr auto kTruncate = OperatorId::kModulusTruncate;

TEST(NumberTest, TypesByEveryName) {
  for (const DataType type : kAllDataTypes) {
    const std::string name = DirectMlName(type);
    EXPECT_EQ(ParseType(name), type);
    EXPECT_EQ(ParseType("DML_TENSOR_DATA_TYPE_" + name), type);
    EXPECT_EQ(ParseType(TypeText(type)), type);
    EXPECT_EQ(ParseType(ShortName(type)), type);
  }
  EXPECT_EQ(ParseType("UNKNOWN"), std::nullopt);
  EXPECT_EQ(ParseType(""), std::nullopt);
}

TEST(NumberTest, IntegersMustFit) {
  EXPECT_EQ(ParseNumber<int8_t>("-128"), INT8_MIN);
  EXPECT_EQ(ParseNumber<int8_t>("-129"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(ParseNumber<uint64_t>("18446744073709551616"), std::nullopt);
  EXPECT_EQ(ParseNumber<uint8_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseNumber<int32_t>("0x7f"), 127);
  for (const char* text : {"", "-", "0x", "1.5", "1e3", " 1", "1 ", "one"})
    EXPECT_EQ(ParseNumber<int32_t>(text), std::nullopt) << text;
}

TEST(NumberTest, FloatsAreRoundedOnce) {
  EXPECT_EQ(ParseNumber<float>("1e38"), 1e38f);
  EXPECT_EQ(ParseNumber<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*ParseNumber<float>("nan")));
  EXPECT_EQ(ParseNumber<double>("0x1.8p1"), 3.0);
  EXPECT_EQ(ParseNumber<Float16>("65504"), Float16{0x7BFF});
  // Halfway between two halves, and so little more or less that a double does not show it.
  EXPECT_EQ(ParseNumber<Float16>("1.00048828125"), Float16{0x3C00});
  EXPECT_EQ(ParseNumber<Float16>("1.00048828125000000000000000001"), Float16{0x3C01});
  EXPECT_EQ(ParseNumber<Float16>("-1.00048828125000000000000000001"), Float16{0xBC01});
  EXPECT_EQ(ParseNumber<Float16>("1.00146484374999999999999999999"), Float16{0x3C01});
  EXPECT_EQ(ParseNumber<Float16>("-1.00146484374999999999999999999"), Float16{0xBC01});
  EXPECT_EQ(ParseNumber<Float16>("0x1p-25"), Float16{0});
  EXPECT_EQ(ParseNumber<Float16>("0x1.00000000000000001p-25"), Float16{1});
  EXPECT_EQ(ParseNumber<Float16>("-1e-400"), Float16{0x8000});
  EXPECT_EQ(ParseNumber<Float16>("65519.99999999999999999999"), Float16{0x7BFF});
  EXPECT_EQ(ParseNumber<Float16>("1e400"), Float16{0x7C00});
  EXPECT_EQ(ParseNumber<Float16>("-inf"), Float16{0xFC00});
  for (const char* text : {"", "1x", " 1", "1 2"}) EXPECT_EQ(ParseNumber<double>(text), std::nullopt) << text;
}

// Every number of every type gives itself back, as text and as bits.
TEST(NumberTest, TextAndBitsComeBack) {
  for (const DataType type : kAllDataTypes) {
    VisitType(type, []<class T>(T) {
      for (const T value : residue::testing::EdgeValues<T>()) {
        EXPECT_EQ(residue::testing::ToBits(*ParseBits<T>(BitsText(value))), residue::testing::ToBits(value));
        const std::string text = ValueText(value);
        if (text.find("nan") != std::string::npos) continue;
        const std::optional<T> back = ParseNumber<T>(text);
        ASSERT_TRUE(back) << text;
        EXPECT_EQ(residue::testing::ToBits(*back), residue::testing::ToBits(value)) << text;
      }
    });
  }
  EXPECT_EQ(ParseBits<uint8_t>("100"), std::nullopt);
}

TEST(QuotientTest, KnownOnes) {
  EXPECT_EQ(QuotientText<int64_t>(kFloor, -7, 3), "-3");
  EXPECT_EQ(QuotientText<int64_t>(kTruncate, -7, 3), "-2");
  EXPECT_EQ(QuotientText<int64_t>(kFloor, 0, -3), "0");
  EXPECT_EQ(QuotientText<int64_t>(kTruncate, INT64_MIN, -1), "9223372036854775808");
  EXPECT_EQ(QuotientText<int32_t>(kFloor, 5, 0), "none");
  EXPECT_EQ(QuotientText<float>(kTruncate, 1e38f, 1e-3f), "99999992053112171568633491392250753467245");
  EXPECT_EQ(QuotientText<double>(kFloor, -1e-20, 1.0), "-1");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(QuotientText<double>(kFloor, -5.0, infinity), "-1");
  EXPECT_EQ(QuotientText<double>(kTruncate, -5.0, infinity), "0");
  EXPECT_EQ(QuotientText<double>(kFloor, infinity, 2.0), "none");
  // 2^1023 / 2^-1074 = 2^2097, whose last digits are known.
  const std::string huge = QuotientText<double>(kTruncate, 0x1p1023, 0x1p-1074);
  EXPECT_EQ(huge.size(), 632u);
  EXPECT_TRUE(huge.ends_with("72")) << huge;
}

// a = q * b + r, exactly, wherever that fits into 128 bits.
TEST(QuotientTest, BelongsToTheRemainder) {
  residue::testing::PairGenerator<int32_t> generator(1);
  for (int i = 0; i < 20000; ++i) {
    int32_t a;
    int32_t b;
    generator.Next(&a, &b);
    if (b == 0) continue;
    for (const OperatorId op : {kFloor, kTruncate}) {
      const int64_t quotient = std::stoll(QuotientText(op, a, b));
      EXPECT_EQ(quotient * b + reference::Evaluate(op, a, b), a) << a << " " << b;
    }
  }
  residue::testing::PairGenerator<Float16> halves(2);
  for (int i = 0; i < 20000; ++i) {
    Float16 a;
    Float16 b;
    halves.Next(&a, &b);
    const std::string text = QuotientText(kTruncate, a, b);
    if (text == "none" || std::isinf(HalfToFloat(b))) continue;
    // Eleven bits times forty and eleven more: exact in a double.
    const double quotient = std::stod(text);
    const double product = quotient * static_cast<double>(HalfToFloat(b));
    EXPECT_EQ(product + static_cast<double>(HalfToFloat(reference::Evaluate(kTruncate, a, b))),
              static_cast<double>(HalfToFloat(a)));
  }
}

}  // namespace
}  // namespace residue::tool
