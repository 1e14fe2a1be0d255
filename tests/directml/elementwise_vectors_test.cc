// The vectors of the element-wise family (tests/data/elementwise_vectors.csv) on the rows of every target.
// They come from exact rational arithmetic, written apart from this library; the first line of the file names
// its columns. Operators that are not in the list are counted and left out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "directml/operator_schema.h"
#include "support/row_run.h"

namespace residue::testing {
namespace {

struct Vectors {
  std::vector<uint64_t> inputs[kMostInputs];
  std::vector<uint64_t> expected;
};

// Vectors that one row can compute at once: an operator, its params, a type.
struct Batch {
  OperatorId op;
  DataType type;
  std::string attributes;
  auto operator<=>(const Batch&) const = default;
};

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

uint64_t FromHex(const std::string& text) { return std::stoull(text, nullptr, 16); }

// "Scale=3f800000;Bias=00000000" is two floats, one after the other, as in the params of the operator.
Params ReadAttributes(const std::string& text) {
  Params params;
  size_t offset = 0;
  for (const std::string& attribute : Split(text, ';')) {
    const auto bits = static_cast<uint32_t>(FromHex(attribute.substr(attribute.find('=') + 1)));
    std::memcpy(params.bytes + offset, &bits, sizeof(bits));
    offset += sizeof(bits);
  }
  return params;
}

struct File {
  std::map<Batch, Vectors> batches;
  std::set<std::string> left_out;  // operators
  size_t refused = 0;              // vectors with a type that the operator does not take
};

const File& LoadFile() {
  static const File loaded = [] {
    File file;
    std::ifstream stream(RESIDUE_TEST_DATA "/elementwise_vectors.csv");
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
      const std::vector<std::string> cells = Split(line, ',');
      const OperatorSchema* schema = nullptr;
      for (const OperatorSchema& one : AllOperatorSchemas()) {
        if (one.name == "DML_OPERATOR_" + cells[1]) schema = &one;
      }
      if (schema == nullptr) {
        file.left_out.insert(cells[1]);
        continue;
      }
      Batch batch = {schema->op, DataType{}, cells[3]};
      const std::string input_type = cells[2].substr(0, cells[2].find('>'));
      for (const DataType type : kAllDataTypes) {
        if (input_type == DirectMlName(type)) batch.type = type;
      }
      EXPECT_NE(batch.type, DataType{}) << cells[2] << ": inputs of several types are not read yet";
      if (cells[3].starts_with("Scale=")) batch.op = OperatorId::kScaleBias;
      if (!Contains(InputTypes(batch.op), batch.type)) {
        ++file.refused;
        continue;
      }
      Vectors& vectors = file.batches[batch];
      const std::vector<std::string> inputs = Split(cells[4], ';');
      for (size_t i = 0; i < inputs.size(); ++i) vectors.inputs[i].push_back(FromHex(inputs[i]));
      vectors.expected.push_back(FromHex(cells[5]));
    }
    return file;
  }();
  return loaded;
}

template <class T>
std::vector<T> ToElements(const std::vector<uint64_t>& bits) {
  std::vector<T> elements;
  for (const uint64_t one : bits) elements.push_back(FromBits<T>(one));
  return elements;
}

std::vector<std::byte> ToBytes(const std::vector<uint64_t>& bits, size_t element_size) {
  std::vector<std::byte> bytes(bits.size() * element_size);
  for (size_t i = 0; i < bits.size(); ++i) std::memcpy(&bytes[i * element_size], &bits[i], element_size);
  return bytes;
}

// All vectors of a batch at once; and each with one operand for all, in a row that has more than a vector and
// a rest. Results may have another type than the operands.
template <class T>
void Check(const Batch& batch, const Vectors& vectors) {
  const std::vector<T> a = ToElements<T>(vectors.inputs[0]);
  const std::vector<T> b = InputCount(batch.op) > 1 ? ToElements<T>(vectors.inputs[1]) : a;
  const size_t out_size = SizeOf(OutputType(batch.op, batch.type));
  const Params params = batch.attributes.empty() ? DefaultParams(batch.op) : ReadAttributes(batch.attributes);
  const auto run = [&](Form form, Target target, const std::vector<T>& x, const std::vector<T>& y,
                       const std::vector<uint64_t>& expected) {
    std::vector<std::byte> out(expected.size() * out_size);
    TestTile tile = MakeTile<T>(form, x.data(), y.data(), nullptr, x.size());
    tile.out = out.data();
    tile.column_stride.out = static_cast<ptrdiff_t>(out_size);
    tile.params = params;
    RunTile(batch.op, batch.type, target, tile);
    const std::vector<std::byte> wanted = ToBytes(expected, out_size);
    const auto at = static_cast<size_t>(std::ranges::mismatch(wanted, out).in1 - wanted.begin()) / out_size;
    ASSERT_EQ(at, expected.size()) << OperatorName(batch.op) << " on " << TargetName(target) << " "
                                   << FormName(form) << ": " << Describe(x[at % x.size()]) << " and "
                                   << Describe(y[at % y.size()]) << " " << batch.attributes << ", expected "
                                   << std::hex << expected[at % expected.size()];
  };
  constexpr size_t kRow = 200 / sizeof(T) + 3;
  for (const Target target : VectorTargets(batch.type)) {
    ASSERT_NO_FATAL_FAILURE(run(Form::kVectorVector, target, a, b, vectors.expected));
    for (size_t i = 0; i < a.size(); ++i) {
      const std::vector<T> x(kRow, a[i]);
      const std::vector<T> y(kRow, b[i]);
      const std::vector<uint64_t> expected(kRow, vectors.expected[i]);
      ASSERT_NO_FATAL_FAILURE(run(Form::kVectorScalar, target, x, y, expected));
      ASSERT_NO_FATAL_FAILURE(run(Form::kScalarVector, target, x, y, expected));
    }
  }
}

TEST(ElementwiseVectorsTest, EveryTargetAndForm) {
  const File& file = LoadFile();
  size_t checked = 0;
  for (const auto& entry : file.batches) {  // Clang 14 cannot give names of its parts to a function
    VisitType(entry.first.type, [&]<class T>(T) { Check<T>(entry.first, entry.second); });
    if (HasFatalFailure()) return;
    checked += entry.second.expected.size();
  }
  RecordProperty("vectors", std::to_string(checked));
  RecordProperty("operators_left_out", std::to_string(file.left_out.size()));
  // What is left out is what the list does not have: the file has vectors for 89 operators. Of the others,
  // only a ScaleBias on integers is not taken yet.
  EXPECT_EQ(file.left_out.size() + AllOperatorSchemas().size(), 89u);
  EXPECT_EQ(file.refused, 512u);
  std::set<OperatorId> seen;
  for (const auto& [batch, vectors] : file.batches) seen.insert(batch.op);
  for (const OperatorSchema& schema : AllOperatorSchemas())
    EXPECT_TRUE(seen.contains(schema.op)) << schema.name;
}

}  // namespace
}  // namespace residue::testing
