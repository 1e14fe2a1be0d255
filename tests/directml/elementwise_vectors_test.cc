// The vectors of the element-wise family (tests/data/elementwise_vectors.csv) through descriptions and
// lowering, on the rows of every target. They come from exact rational arithmetic, written apart from this
// library; the first line of the file names its columns. Operators that are not in the list are counted and
// left out; what an operator does not take must be refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cpu/rows/target.h"
#include "directml/lower.h"
#include "directml/operator_desc.h"
#include "residue/residue.h"

namespace residue::testing {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

uint64_t FromHex(const std::string& text) { return std::stoull(text, nullptr, 16); }

// Vectors that one graph can compute at once: all columns except inputs and results are equal.
struct Batch {
  std::string name;
  std::string types;  // "FLOAT32+FLOAT32+UINT8>UINT8"; one for all if there is one
  std::string attributes;
  std::string absent;  // 1 for each input that is
  auto operator<=>(const Batch&) const = default;
};
struct Vectors {
  std::vector<std::vector<uint64_t>> inputs;
  std::vector<uint64_t> expected;
};

struct File {
  std::map<Batch, Vectors> batches;
  std::set<std::string> left_out;  // operators
};

const OperatorSchema* FindSchema(const std::string& name) {
  for (const OperatorSchema& schema : AllOperatorSchemas()) {
    if (schema.name == "DML_OPERATOR_" + name) return &schema;
  }
  return nullptr;
}

const File& LoadFile() {
  static const File loaded = [] {
    File file;
    std::ifstream stream(RESIDUE_TEST_DATA "/elementwise_vectors.csv");
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
      const std::vector<std::string> cells = Split(line, ',');
      const OperatorSchema* schema = FindSchema(cells[1]);
      if (schema == nullptr) {
        file.left_out.insert(cells[1]);
        continue;
      }
      const std::vector<std::string> inputs = Split(cells[4], ';');
      Batch batch = {cells[1], cells[2], cells[3], std::string(inputs.size(), '0')};
      for (size_t i = 0; i < inputs.size(); ++i) batch.absent[i] = inputs[i] == "-" ? '1' : '0';
      Vectors& vectors = file.batches[batch];
      vectors.inputs.resize(inputs.size());
      for (size_t i = 0; i < inputs.size(); ++i) {
        vectors.inputs[i].push_back(inputs[i] == "-" ? 0 : FromHex(inputs[i]));
      }
      vectors.expected.push_back(FromHex(cells[5]));
    }
    return file;
  }();
  return loaded;
}

DataType TypeNamed(const std::string& name) {
  for (const DataType type : kAllDataTypes) {
    if (name == DirectMlName(type)) return type;
  }
  ADD_FAILURE() << name;
  return DataType::kUint8;
}

// A description, byte by byte from the list of fields.
class Description {
 public:
  Description(const OperatorSchema& schema, const std::string& attributes) : schema_(schema) {
    for (const std::string& attribute : Split(attributes, ';')) {
      attributes_[attribute.substr(0, attribute.find('='))] = attribute.substr(attribute.find('=') + 1);
    }
  }

  // Of `count` elements; inputs lie `input_step` elements apart.
  const DML_OPERATOR_DESC* Make(const std::vector<DataType>& types, const std::string& absent, uint32_t count,
                                uint32_t input_step, uint32_t output_step) {
    uint32_t offset = 0;
    uint32_t tensor = 0;
    for (const Field& field : schema_.fields) {
      offset = OffsetOfNext(offset, field);
      if (field.is_tensor()) {
        const bool is_output = field.kind == Field::kOutput;
        const bool is_absent = types.empty() || (!is_output && absent[tensor] == '1');
        if (!is_absent) {
          Put(offset, AddTensor(field, types[tensor], count, is_output ? output_step : input_step));
        }
        ++tensor;
      } else {
        PutAttribute(field, offset);
      }
      offset += field.bytes();
    }
    desc_ = {static_cast<DML_OPERATOR_TYPE>(schema_.type), bytes_};
    return &desc_;
  }

  bool Has(const std::string& attribute) const { return attributes_.contains(attribute); }
  uint64_t Number(const std::string& attribute) const { return FromHex(attributes_.at(attribute)); }

 private:
  template <class T>
  void Put(uint32_t offset, const T& value) {
    std::memcpy(bytes_ + offset, &value, sizeof(value));
  }

  const DML_TENSOR_DESC* AddTensor(const Field& field, DataType type, uint32_t count, uint32_t step) {
    const bool one = field.one_element;
    const uint32_t* sizes = &numbers_.emplace_back(std::vector<uint32_t>{one ? 1 : count})[0];
    const uint32_t* strides = &numbers_.emplace_back(std::vector<uint32_t>{one ? 1 : step})[0];
    const uint64_t elements = one ? 1 : uint64_t{count - 1} * step + 1;
    buffers_.push_back({static_cast<DML_TENSOR_DATA_TYPE>(type), DML_TENSOR_FLAG_NONE, 1, sizes, strides,
                        (elements * SizeOf(type) + 3) / 4 * 4, 0});
    tensors_.push_back({DML_TENSOR_TYPE_BUFFER, &buffers_.back()});
    return &tensors_.back();
  }

  void PutAttribute(const Field& field, uint32_t offset) {
    if (field.kind == Field::kScaleBias) {
      if (!Has("Scale")) return;
      scale_bias_ = {std::bit_cast<float>(static_cast<uint32_t>(Number("Scale"))),
                     std::bit_cast<float>(static_cast<uint32_t>(Number("Bias")))};
      Put(offset, static_cast<const DML_SCALE_BIAS*>(&scale_bias_));
    } else if (field.kind == Field::kActivation) {
      if (Has("Fused")) Put(offset, MakeActivation(attributes_.at("Fused")));
    } else if (field.kind == Field::kEnumerator || field.kind == Field::kType ||
               field.kind == Field::kTypeOrUnknown) {
      Put(offset, static_cast<uint32_t>(std::stoul(attributes_.at(field.name))));
    } else if (field.kind == Field::kElement) {
      Put(offset, Number(field.name));
    } else {
      Put(offset, static_cast<uint32_t>(Number(field.name)));
    }
  }

  // "ACTIVATION_SHRINK(Bias=3e800000 Threshold=3f000000)"
  const DML_OPERATOR_DESC* MakeActivation(const std::string& text) {
    const size_t open = std::min(text.find('('), text.size());
    std::string attributes = open < text.size() ? text.substr(open + 1, text.size() - open - 2) : "";
    std::ranges::replace(attributes, ' ', ';');
    const OperatorSchema* schema = FindSchema(text.substr(0, open));
    if (schema == nullptr) return nullptr;
    activation_ = std::make_unique<Description>(*schema, attributes);
    return activation_->Make({}, "", 0, 0, 0);
  }

  const OperatorSchema& schema_;
  std::map<std::string, std::string> attributes_;
  alignas(8) std::byte bytes_[128] = {};
  DML_OPERATOR_DESC desc_{};
  DML_SCALE_BIAS scale_bias_{};
  std::deque<std::vector<uint32_t>> numbers_;
  std::deque<DML_BUFFER_TENSOR_DESC> buffers_;
  std::deque<DML_TENSOR_DESC> tensors_;
  std::unique_ptr<Description> activation_;
};

// The nodes of one operator as a residue_graph of one target.
class GraphSink final : public ILoweringSink {
 public:
  GraphSink(const OperatorRequest& request, Target target) : request_(request), target_(target) {
    EXPECT_EQ(residue_graph_create(&graph_), RESIDUE_OK);
  }
  ~GraphSink() { residue_graph_destroy(graph_); }

  uint32_t AddTensor(residue_tensor_kind kind, uint64_t bytes, const void* data = nullptr) {
    uint32_t tensor = 0;
    EXPECT_EQ(residue_graph_add_tensor(graph_, kind, bytes, data, &tensor), RESIDUE_OK);
    return tensor;
  }
  uint32_t AddTemporary(uint64_t bytes) override { return AddTensor(RESIDUE_TENSOR_TEMPORARY, bytes); }
  uint32_t AddElement(uint64_t bits, uint32_t bytes) override {
    return AddTensor(RESIDUE_TENSOR_CONSTANT, bytes, &bits);
  }
  uint32_t AddIndex() override { return AddTensor(RESIDUE_TENSOR_INDEX, 0); }
  void AddNode(residue_operator op, std::span<const LoweredValue> operands, const void* params,
               uint32_t params_size) override {
    residue_operand described[4];
    uint32_t tensors[4];
    for (size_t k = 0; k < operands.size(); ++k) {
      described[k] = operands[k].operand;
      tensors[k] = operands[k].tensor;
    }
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = op;
    problem.rank = request_.output().rank;
    problem.sizes[0] = request_.output().sizes[0];
    problem.operand_count = static_cast<uint32_t>(operands.size());
    problem.operands = described;
    problem.params = params_size == 0 ? nullptr : params;
    problem.params_size = params_size;
    problem.max_target = TargetName(target_);
    ASSERT_EQ(residue_graph_add_node(graph_, &problem, tensors, nullptr), RESIDUE_OK);
  }

  // Inputs by number, absent ones left out of the graph.
  std::vector<std::byte> Run(const std::vector<const void*>& inputs) {
    std::vector<uint32_t> tensors;
    std::vector<const void*> given;
    for (uint32_t i = 0; i < request_.schema->input_count; ++i) {
      const bool present = request_.input(i).is_present();
      tensors.push_back(present ? AddTensor(RESIDUE_TENSOR_INPUT, request_.input(i).total_bytes)
                                : UINT32_MAX);
      if (present) given.push_back(inputs[i]);
    }
    tensors.push_back(AddTensor(RESIDUE_TENSOR_OUTPUT, request_.output().total_bytes));
    LowerOperator(request_, tensors, *this);
    std::vector<std::byte> out(request_.output().total_bytes, std::byte{0x5A});
    EXPECT_EQ(residue_graph_compile(graph_), RESIDUE_OK);
    void* const outputs[] = {out.data()};
    residue_options options = {};
    options.num_threads = 1;
    EXPECT_EQ(residue_graph_run(graph_, given.data(), outputs, nullptr, &options), RESIDUE_OK);
    return out;
  }

 private:
  const OperatorRequest& request_;
  Target target_;
  residue_graph* graph_ = nullptr;
};

class BatchCheck {
 public:
  BatchCheck(const Batch& batch, const Vectors& vectors)
      : batch_(batch), vectors_(vectors), schema_(*FindSchema(batch.name)) {
    const std::string types = batch.types.substr(0, batch.types.find('>'));
    const std::vector<std::string> names = Split(types, '+');
    for (uint32_t i = 0; i < schema_.input_count; ++i)
      types_.push_back(TypeNamed(names[names.size() == 1 ? 0 : i]));
    const size_t arrow = batch.types.find('>');
    types_.push_back(TypeNamed(arrow == std::string::npos ? names[0] : batch.types.substr(arrow + 1)));
  }

  // The description with all vectors as elements; nullptr if it is refused.
  bool Read(uint32_t count, uint32_t input_step, uint32_t output_step, OperatorRequest* request) {
    description_ = std::make_unique<Description>(schema_, batch_.attributes);
    const Refusal refusal =
        ReadOperatorDesc(description_->Make(types_, batch_.absent, count, input_step, output_step),
                         kHighestFeatureLevel, request);
    refusal_ = refusal.text;
    return refusal.ok();
  }
  // Its types.
  bool IsTaken() const {
    const Support& support = *FindSupport(schema_, kHighestFeatureLevel);
    for (uint32_t i = 0; i <= schema_.input_count; ++i) {
      if (!Contains(support.types[schema_.Tensor(i).letter], types_[i])) return false;
    }
    return true;
  }
  const std::string& refusal() const { return refusal_; }

  // Vectors [first, first + count), each `repeat` times.
  void Run(size_t first, uint32_t count, uint32_t repeat, uint32_t input_step, uint32_t output_step) {
    OperatorRequest request;
    const uint32_t elements = count * repeat;
    ASSERT_TRUE(Read(elements, repeat > 1 ? 0 : input_step, output_step, &request)) << refusal_;
    std::vector<std::vector<std::byte>> bytes(schema_.input_count);
    std::vector<const void*> inputs;
    for (uint32_t i = 0; i < schema_.input_count; ++i) {
      const size_t size = SizeOf(types_[i]);
      bytes[i].resize(std::max<uint64_t>(request.input(i).total_bytes, 8));
      for (uint32_t n = 0; n < (request.schema->Tensor(i).one_element ? 1 : count); ++n) {
        if (request.input(i).is_present()) {
          std::memcpy(&bytes[i][n * size * input_step], &vectors_.inputs[i][first + n], size);
        }
      }
      inputs.push_back(bytes[i].data());
    }
    for (const Target target : SupportedTargets()) {
      const std::vector<std::byte> out = GraphSink(request, target).Run(inputs);
      const size_t size = SizeOf(types_.back());
      for (uint32_t n = 0; n < elements; ++n) {
        uint64_t got = 0;
        std::memcpy(&got, &out[size_t{n} * size * output_step], size);
        const size_t v = first + n / repeat;
        ASSERT_EQ(got, vectors_.expected[v])
            << std::hex << batch_.name << " " << batch_.types << " " << batch_.attributes << " on "
            << TargetName(target) << ", vector " << v << ", first input "
            << (vectors_.inputs.empty() ? 0 : vectors_.inputs[0][v]) << ", steps " << input_step << " "
            << output_step;
      }
    }
  }

  // The last element of a sequence that is long enough.
  void RunSequence() {
    constexpr uint64_t kMost = 65'536;
    const Description description(schema_, batch_.attributes);
    const uint64_t index = std::stoull(batch_.attributes.substr(batch_.attributes.find("Index=") + 6));
    if (index > kMost) return;
    OperatorRequest request;
    ASSERT_TRUE(Read(static_cast<uint32_t>(index) + 1, 1, 1, &request)) << refusal_;
    for (const Target target : SupportedTargets()) {
      const std::vector<std::byte> out = GraphSink(request, target).Run({});
      uint64_t got = 0;
      std::memcpy(&got, &out[index * SizeOf(types_.back())], SizeOf(types_.back()));
      ASSERT_EQ(got, vectors_.expected[0]) << batch_.attributes << " on " << TargetName(target);
    }
  }

  bool has_one_element_inputs() const {
    return std::ranges::any_of(schema_.fields, [](const Field& field) { return field.one_element; });
  }

 private:
  const Batch& batch_;
  const Vectors& vectors_;
  const OperatorSchema& schema_;
  std::vector<DataType> types_;
  std::unique_ptr<Description> description_;
  std::string refusal_;
};

void Check(const Batch& batch, const Vectors& vectors, size_t* refused) {
  BatchCheck check(batch, vectors);
  if (!check.IsTaken()) {
    OperatorRequest request;
    EXPECT_FALSE(check.Read(1, 1, 1, &request)) << batch.name << " " << batch.types;
    *refused += vectors.expected.size();
    return;
  }
  if (batch.name == "FILL_VALUE_SEQUENCE") return check.RunSequence();
  const auto count = static_cast<uint32_t>(vectors.expected.size());
  if (!check.has_one_element_inputs()) {
    ASSERT_NO_FATAL_FAILURE(check.Run(0, count, 1, 1, 1));
    ASSERT_NO_FATAL_FAILURE(check.Run(0, count, 1, 3, 2));
  }
  // One element for all, in a row that has more than a vector and a rest; and alone.
  for (uint32_t n = 0; n < count; n += check.has_one_element_inputs() ? 1 : 1 + count / 5) {
    ASSERT_NO_FATAL_FAILURE(check.Run(n, 1, 70, 1, 1));
    ASSERT_NO_FATAL_FAILURE(check.Run(n, 1, 1, 1, 1));
  }
}

// Of fused activations, those that the list has.
bool IsComplete(const Batch& batch) {
  const size_t fused = batch.attributes.find("Fused=");
  if (fused == std::string::npos) return true;
  const std::string text = batch.attributes.substr(fused + 6);
  return FindSchema(text.substr(0, std::min(text.find('('), text.size()))) != nullptr;
}

TEST(ElementwiseVectorsTest, EveryTargetAndLayout) {
  const File& file = LoadFile();
  size_t checked = 0;
  size_t refused = 0;
  size_t incomplete = 0;
  std::set<std::string> seen;
  for (const auto& entry : file.batches) {  // Clang 14 cannot give names of its parts to a function
    seen.insert(entry.first.name);
    if (!IsComplete(entry.first)) {
      incomplete += entry.second.expected.size();
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(Check(entry.first, entry.second, &refused)) << entry.first.name;
    checked += entry.second.expected.size();
  }
  RecordProperty("vectors", std::to_string(checked));
  RecordProperty("refused", std::to_string(refused));
  RecordProperty("with_an_activation_left_out", std::to_string(incomplete));
  RecordProperty("operators_left_out", std::to_string(file.left_out.size()));
  // The file has vectors for 89 operators: those of the list, and those that are left out.
  EXPECT_EQ(file.left_out.size() + AllOperatorSchemas().size(), 89u);
  EXPECT_EQ(seen.size(), AllOperatorSchemas().size());
}

}  // namespace
}  // namespace residue::testing
