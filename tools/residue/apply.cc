#include "apply.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "choices.h"
#include "console.h"
#include "failure.h"
#include "npy.h"
#include "number.h"
#include "operand_text.h"
#include "parameters.h"
#include "problem.h"
#include "residue/residue.h"
#include "tensor_file.h"

namespace residue::tool {
namespace {

constexpr std::string_view kStandardInput = "standard input";

bool IsColumn(const std::string& operand) { return operand == "-"; }

// A text that is a number is one, even if a file has that name: ./360 is the file.
bool IsNumber(const std::string& operand) {
  return ParseNumber<double>(operand) || ParseNumber<uint64_t>(operand);
}

bool IsFile(const std::string& operand) { return !IsColumn(operand) && !IsNumber(operand); }

std::string ReadStandardInput() {
  std::string text;
  std::array<char, 65536> piece{};
  for (ssize_t size = 1; size != 0 && !IsInterrupted();) {
    size = read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && errno != EINTR) Fail("{} cannot be read", kStandardInput);
    text.append(piece.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  }
  return text;
}

std::string ShapeText(std::span<const uint64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// All operands, read in two steps: texts first, because their type may follow from all of them.
class Operands {
 public:
  Operands(const ApplyOptions& options, OperatorId op) : options_(options), op_(op) {
    for (const std::string& name : options.operands)
      tensors_.push_back(IsFile(name) ? ReadTensor(name) : Tensor());
    columns_ = static_cast<size_t>(std::ranges::count_if(options.operands, IsColumn));
    if (columns_ != 0) {
      text_ = ReadStandardInput();
      if (IsInterrupted()) return;  // what was read may end anywhere
      fields_ = ReadColumns(text_, columns_, kStandardInput);
    }
    type_ = FindType();
    if ((InputTypes(op) & SetOf(type_)) == 0) {
      Fail("the elements are {}, but {} takes {}", TypeText(type_), OperatorName(op),
           fmt::join(TypeNames(InputTypes(op)), ", "));
    }
    VisitType(type_, [&]<class T>(T) { Convert<T>(); });
    fields_ = {};
    text_ = {};
  }

  DataType type() const { return type_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }

 private:
  DataType FindType() const {
    std::optional<DataType> type;
    if (!options_.type.empty()) type = ReadTypeName(options_.type);
    for (size_t k = 0; k < tensors_.size(); ++k) {
      const std::string& name = options_.operands[k];
      if (!IsFile(name)) continue;
      const DataType found = tensors_[k].type;
      if (type && *type != found) {
        Fail("{}: the elements are {}, but {} are wanted; astype of NumPy converts", name, TypeText(found),
             TypeText(*type));
      }
      type = found;
    }
    if (type) return *type;
    std::vector<std::string_view> texts;
    texts.reserve(fields_.size() + options_.operands.size());
    for (const Field& field : fields_) texts.push_back(field.text);
    for (const std::string& name : options_.operands) {
      if (!IsColumn(name)) texts.emplace_back(name);
    }
    return GuessType(texts, InputTypes(op_));
  }

  // Columns and numbers; files have their elements.
  template <class T>
  void Convert() {
    size_t column = 0;
    for (size_t k = 0; k < tensors_.size(); ++k) {
      const std::string& name = options_.operands[k];
      Tensor& tensor = tensors_[k];
      if (IsColumn(name)) {
        tensor = {type_, {fields_.size() / columns_}, {}, 0};
        tensor.storage.reserve(tensor.shape[0] * sizeof(T));
        for (size_t i = column; i < fields_.size(); i += columns_)
          Append(ReadField<T>(fields_[i], column + 1), &tensor);
        ++column;
      } else if (IsNumber(name)) {
        tensor = {type_, {}, {}, 0};
        Append(ReadOperand<T>(name, fmt::format("operand {}", k + 1)), &tensor);
      }
    }
  }

  // The name is for messages, of which there are few.
  template <class T>
  static T ReadField(const Field& field, size_t column) {
    if (const std::optional<T> value = ParseNumber<T>(std::string(field.text)); value && !IsInfinite(*value))
      return *value;
    return ReadOperand<T>(field.text, fmt::format("{}:{}: column {}", kStandardInput, field.line, column));
  }

  template <class T>
  static void Append(T value, Tensor* tensor) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    tensor->storage.append(bytes, sizeof(T));
  }

  const ApplyOptions& options_;
  OperatorId op_;
  size_t columns_ = 0;
  std::string text_;
  std::vector<Field> fields_;
  DataType type_{};
  std::vector<Tensor> tensors_;
};

// As NumPy: aligned at the last dimension, sizes of 1 are repeated.
std::vector<uint64_t> CommonShape(const ApplyOptions& options, const std::vector<Tensor>& tensors) {
  std::vector<uint64_t> common;
  for (size_t k = 0; k < tensors.size(); ++k) {
    const std::vector<uint64_t>& shape = tensors[k].shape;
    if (shape.size() > RESIDUE_MAX_RANK) {
      Fail("{}: there are {} dimensions, but at most {} are taken", options.operands[k], shape.size(),
           RESIDUE_MAX_RANK);
    }
    const std::vector<uint64_t> others = common;
    if (shape.size() > common.size()) common.insert(common.begin(), shape.size() - common.size(), 1);
    for (size_t i = 0; i < shape.size(); ++i) {
      uint64_t& size = common[common.size() - shape.size() + i];
      if (shape[i] != 1 && size != 1 && shape[i] != size) {
        Fail("operand {} ({}) has the shape {}, which does not go together with {}", k + 1,
             options.operands[k], ShapeText(shape), ShapeText(others));
      }
      if (size == 1) size = shape[i];
    }
  }
  return common;
}

// Strides in bytes of a packed tensor of this shape, seen in the common shape. One without elements needs
// none.
residue_operand DescribeOperand(DataType type, std::span<const uint64_t> shape, size_t rank) {
  residue_operand operand = {static_cast<residue_type>(type), 0, {}};
  if (std::ranges::find(shape, uint64_t{0}) != shape.end()) return operand;
  auto stride = static_cast<int64_t>(SizeOf(type));
  for (size_t i = shape.size(); i-- > 0;) {
    operand.strides[rank - shape.size() + i] = shape[i] == 1 ? 0 : stride;
    stride *= static_cast<int64_t>(shape[i]);
  }
  return operand;
}

void TellExceptions(uint32_t exceptions, DataType type) {
  const bool is_float = Contains(kFloats, type);
  const std::pair<uint32_t, const char*> texts[] = {
      {RESIDUE_DIVISION_BY_ZERO, is_float
                                     ? "a number was divided by zero, or is a pole; the result is infinite"
                                     : "an integer was divided by zero; the result is 0"},
      {RESIDUE_INVALID_OPERATION, "a result is NaN although its operands are not"},
      {RESIDUE_OVERFLOW, "a result is infinity although its operands are not"}};
  for (const auto& [bit, text] : texts) {
    if ((exceptions & bit) != 0) Tell(text);
  }
}

Tensor Compute(OperatorId op, const Params& params, const Operands& operands, const ApplyOptions& options) {
  const std::vector<Tensor>& tensors = operands.tensors();
  Tensor out{OutputType(op, operands.type()), CommonShape(options, tensors), {}, 0};
  const std::optional<uint64_t> bytes = BytesOf(out.type, out.shape);
  if (!bytes || *bytes > out.storage.max_size())
    Fail("the result has the shape {}, which is too large", ShapeText(out.shape));
  out.storage.resize(*bytes);
  residue_operand described[kMostInputs + 1];
  const void* inputs[kMostInputs];
  for (size_t k = 0; k < tensors.size(); ++k) {
    described[k] = DescribeOperand(operands.type(), tensors[k].shape, out.shape.size());
    inputs[k] = tensors[k].data();
  }
  described[tensors.size()] = DescribeOperand(out.type, out.shape, out.shape.size());
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = static_cast<residue_operator>(op);
  problem.rank = static_cast<uint32_t>(out.shape.size());
  problem.operand_count = static_cast<uint32_t>(tensors.size() + 1);
  std::ranges::copy(out.shape, problem.sizes);
  problem.operands = described;
  problem.params_size = static_cast<uint32_t>(ParamsBytes(op));
  problem.params = problem.params_size == 0 ? nullptr : params.bytes;
  uint32_t exceptions = 0;
  const residue_options how = {options.threads, 0, nullptr, &exceptions};
  RunOrFail(problem, inputs, out.storage.data(), &how);
  TellExceptions(exceptions, operands.type());
  return out;
}

}  // namespace

int Apply(const ApplyOptions& options) {
  const OperatorId op = ReadOperator(options.op, options.operands.size());
  if (options.operands.size() != InputCount(op)) {
    Fail("{} takes {} input{}, but {} {} given", OperatorName(op), InputCount(op),
         InputCount(op) == 1 ? "" : "s", options.operands.size(),
         options.operands.size() == 1 ? "was" : "were");
  }
  CatchInterrupt();
  try {
    const Operands operands(options, op);
    if (IsInterrupted()) return kExitInterrupted;
    const Params params = ReadParameters(op, operands.type(), options.parameters);
    return WriteTensor(Compute(op, params, operands, options), options.output) ? kExitOk : kExitInterrupted;
  } catch (const Failure&) {
    if (IsInterrupted())
      return kExitInterrupted;  // of which a file that cannot be opened may be a consequence
    throw;
  }
}

}  // namespace residue::tool
