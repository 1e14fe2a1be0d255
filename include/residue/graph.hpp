// Graphs: several operators, computed together in as few walks over memory as their shapes allow.
#ifndef RESIDUE_GRAPH_HPP_
#define RESIDUE_GRAPH_HPP_

#include <residue/detail/call.hpp>
#include <residue/detail/graph_operators.hpp>
#include <residue/graph_binding.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace residue {
inline namespace v2 {

class Graph;

/// A tensor of a graph, by number.
template <Element T>
class GraphTensor {
 private:
  friend class Graph;
  GraphTensor(uint64_t graph, uint32_t number) noexcept : graph_(graph), number_(number) {}
  uint64_t graph_;
  uint32_t number_;
};

namespace detail {

// A number that no other graph has. What a graph was moved from is another graph.
class GraphNumber {
 public:
  GraphNumber() noexcept = default;
  GraphNumber(GraphNumber&& other) noexcept : value_(std::exchange(other.value_, Next())) {}
  GraphNumber& operator=(GraphNumber&& other) noexcept {
    value_ = std::exchange(other.value_, Next());
    return *this;
  }
  uint64_t value() const noexcept { return value_; }

 private:
  static uint64_t Next() noexcept {
    static std::atomic<uint64_t> next{0};
    return next.fetch_add(1, std::memory_order_relaxed);
  }
  uint64_t value_ = Next();
};

// The elements of a tensor; void for everything else.
template <class X>
struct TensorElement {
  using Type = void;
};
template <class T>
struct TensorElement<GraphTensor<T>> {
  using Type = T;
};
template <class T>
struct ValueOf<GraphTensor<T>> {
  using Type = T;
};

// The elements of the first tensor among operands.
template <class X, class... Rest>
struct FirstElement {
  using Type = typename FirstElement<Rest...>::Type;
};
template <class T, class... Rest>
struct FirstElement<GraphTensor<T>, Rest...> {
  using Type = T;
};

}  // namespace detail

/// A formula on tensors, built as it is written, compiled once, run many times.
///
///   residue::Graph graph;
///   auto a = graph.Input<float>({rows, columns});
///   auto y = graph.ModulusFloor(graph.ScaleBias(a, 2.0f, 1.0f), 360.0f);
///   graph.Output(y);
///   if (const auto result = graph.Compile(); !result) return Complain(result.message());
///   if (!graph.Run({a_array}, {y_array})) return 1;
///
/// Tensors are packed. Inputs of an operator have the same sizes, or 1 where they are repeated, or fewer
/// dimensions, aligned at the last. What does not fit together is remembered, and Compile says what
/// it is. Building is one thread's business and may throw std::bad_alloc; a compiled graph may be run by any
/// number of threads at once.
class Graph : public detail::GraphOperators<Graph> {
 public:
  /// A tensor that every run is given.
  template <class T>
  auto Input(std::initializer_list<Extent> sizes) {
    constexpr bool is_element = Element<T>;
    static_assert(is_element, RESIDUE_SAYS_NO_ELEMENT);
    if constexpr (is_element) return AddInput<T>(StridedView<const T>(nullptr, sizes));
  }
  template <class T, class Sizes>
  auto Input(const Sizes& sizes) {
    constexpr bool is_element = Element<T>;
    static_assert(is_element, RESIDUE_SAYS_NO_ELEMENT);
    constexpr bool has_sizes = detail::ExtentRange<Sizes>;
    static_assert(has_sizes, RESIDUE_SAYS_NO_SIZES);
    if constexpr (is_element && has_sizes) return AddInput<T>(StridedView<const T>(nullptr, sizes));
  }

  /// A tensor that is the same in every run; the elements are copied now. An array has one dimension.
  template <class X>
  auto Constant(const X& elements) {
    constexpr bool is_contiguous = !detail::Number<X>;
    static_assert(is_contiguous, RESIDUE_SAYS_SCATTERED);
    constexpr bool is_element = !is_contiguous || Element<detail::Value<X>>;
    static_assert(is_element, RESIDUE_SAYS_NO_ELEMENT);
    if constexpr (is_contiguous && is_element) {
      using T = detail::Value<X>;
      Step step(this);
      const detail::Shape shape = detail::ShapeOf(elements);
      const uint32_t number = AddTensor<T>(Kind::kConstant, shape);
      if (result_) CopyConstant<T>(shape, number);
      step.Done();
      return GraphTensor<T>(id_.value(), number);
    }
  }

  /// a mod b with the sign of the divisor; either may be a number.
  template <class A, class B>
  auto ModulusFloor(const A& a, const B& b) {
    return AddNode<RESIDUE_MODULUS_FLOOR>(nullptr, 0, a, b);
  }

  /// a mod b with the sign of the dividend; either may be a number.
  template <class A, class B>
  auto ModulusTruncate(const A& a, const B& b) {
    return AddNode<RESIDUE_MODULUS_TRUNCATE>(nullptr, 0, a, b);
  }

  /// a itself.
  template <class A>
  auto Identity(const A& a) {
    return AddNode<RESIDUE_IDENTITY>(nullptr, 0, a);
  }

  /// a * scale + bias, as DirectML's identity has it.
  template <class A, class S, class B>
  auto Identity(const A& a, S scale, B bias) {
    return ScaleBias(a, scale, bias);
  }

  /// a * scale + bias, each operation rounded to nearest.
  template <class A, class S, class B>
  auto ScaleBias(const A& a, S scale, B bias) {
    const residue_scale_bias params = detail::MakeScaleBias(scale, bias);
    return AddNode<RESIDUE_SCALE_BIAS>(&params, sizeof(params), a);
  }

  /// a + b; either may be a number.
  template <class A, class B>
  auto Add(const A& a, const B& b) {
    return AddNode<RESIDUE_ADD>(nullptr, 0, a, b);
  }

  /// a - b; either may be a number.
  template <class A, class B>
  auto Subtract(const A& a, const B& b) {
    return AddNode<RESIDUE_SUBTRACT>(nullptr, 0, a, b);
  }

  /// a * b; either may be a number.
  template <class A, class B>
  auto Multiply(const A& a, const B& b) {
    return AddNode<RESIDUE_MULTIPLY>(nullptr, 0, a, b);
  }

  /// What a run writes, in the order of these calls.
  template <Element T>
  void Output(GraphTensor<T> tensor) {
    if (result_ && graph_ != nullptr) result_ = RESIDUE_NOT_COMPILED;
    const bool computed = Has<T>(tensor) && tensors_[tensor.number_].kind == Kind::kComputed;
    if (result_ && !computed) tensor = Identity(tensor);  // an input, a constant, or an output already
    if (!result_) return;
    outputs_.push_back(tensor.number_);
    tensors_[tensor.number_].kind = Kind::kOutput;
  }

  /// After it, nothing can be added. The refusal of the first step that did not fit, if there is one.
  Result Compile() {
    if (!result_ || graph_ != nullptr) return graph_ != nullptr ? Result(RESIDUE_NOT_COMPILED) : result_;
    residue_graph* graph = nullptr;
    if (const residue_status status = residue_graph_create(&graph); status != RESIDUE_OK) return status;
    std::unique_ptr<residue_graph, Destroy> made(graph);
    if (result_ = Build(graph); !result_) return result_;
    if (const residue_status status = residue_graph_compile(graph); status != RESIDUE_OK) return status;
    graph_ = std::move(made);
    return {};
  }

  /// Computes all outputs, from arrays, spans or addresses in the order of Input and of Output. `temporary`
  /// is nullptr, to have it allocated, or temporary_size() bytes that nobody else uses meanwhile.
  Result Run(std::initializer_list<GraphInput> inputs, std::initializer_list<GraphOutput> outputs,
             const Options& options = kDefaultOptions, void* temporary = nullptr) const noexcept {
    const std::span<const GraphInput> reads(inputs.begin(), inputs.size());
    const std::span<const GraphOutput> writes(outputs.begin(), outputs.size());
    const detail::Addresses<const void*> from(reads);
    const detail::Addresses<void*> to(writes);
    if (from.data() == nullptr || to.data() == nullptr) return RESIDUE_OUT_OF_MEMORY;
    Result result = CheckBindings(reads, inputs_, "inputs");
    if (result) result = CheckBindings(writes, outputs_, "outputs");
    if (!result) {
      detail::ClearExceptions(options);
      return result;
    }
    return Run(std::span(from.data(), reads.size()), std::span(to.data(), writes.size()), options, temporary);
  }

  /// The same for any number of addresses of which nothing else is known.
  Result Run(std::span<const void* const> inputs, std::span<void* const> outputs,
             const Options& options = kDefaultOptions, void* temporary = nullptr) const noexcept {
    detail::ClearExceptions(options);
    if (graph_ == nullptr) return RESIDUE_NOT_COMPILED;
    if (inputs.size() != inputs_.size())
      return detail::WrongNumber("number of inputs", inputs.size(), inputs_.size());
    if (outputs.size() != outputs_.size())
      return detail::WrongNumber("number of outputs", outputs.size(), outputs_.size());
    return residue_graph_run(graph_.get(), inputs.data(), outputs.data(), temporary, detail::ToC(options));
  }

  /// Bytes of temporary memory that a run needs; 0 before the graph is compiled.
  uint64_t temporary_size() const noexcept { return residue_graph_temporary_size(graph_.get()); }

  /// A line for each walk over memory of a compiled graph: what is computed in it.
  std::string description() const {
    if (graph_ == nullptr) return {};
    for (size_t size = 1024;; size *= 2) {  // until nothing is cut
      std::string text(size, '\0');
      if (residue_graph_describe(graph_.get(), text.data(), size) != RESIDUE_OK) return {};
      text.resize(std::strlen(text.c_str()));
      if (text.size() + 1 < size) return text;
    }
  }

 private:
  friend detail::GraphOperators<Graph>;
  friend detail::GraphFunctions<Graph>;

  enum class Kind : uint8_t { kInput, kConstant, kComputed, kOutput };

  struct TensorInfo {
    Kind kind;
    residue_type type;
    uint32_t element_bytes;
    uint64_t bytes;
    detail::Shape shape;  // packed
    std::vector<std::byte> constant;
  };

  struct Node {
    residue_operator op;
    uint32_t params_size;
    std::array<std::byte, 32> params;
    std::vector<uint32_t> operands;
  };

  struct Destroy {
    void operator()(residue_graph* graph) const noexcept { residue_graph_destroy(graph); }
  };

  // Memory that runs out in the middle of a step leaves a graph that cannot be compiled.
  class Step {
   public:
    explicit Step(Graph* graph) noexcept : graph_(graph) {}
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() {
      if (!done_) graph_->result_ = RESIDUE_OUT_OF_MEMORY;
    }
    void Done() noexcept { done_ = true; }

   private:
    Graph* graph_;
    bool done_ = false;
  };

  template <class T>
  bool Has(GraphTensor<T> tensor) {
    const bool here = tensor.graph_ == id_.value() && tensor.number_ < tensors_.size();
    if (result_ && (!here || tensors_[tensor.number_].type != kTypeOf<T>)) {
      result_ = RESIDUE_INVALID_TENSOR;
    }
    return static_cast<bool>(result_);
  }

  // As far as both have elements; a wrong number of them is found by Run.
  template <class Binding>
  Result CheckBindings(std::span<const Binding> bindings, const std::vector<uint32_t>& numbers,
                       const char* field) const noexcept {
    for (size_t i = 0; i < std::min(bindings.size(), numbers.size()); ++i) {
      const TensorInfo& info = tensors_[numbers[i]];
      const uint64_t count = info.bytes / info.element_bytes;
      if (const Result result = bindings[i].Check(info.type, count, field, i); !result) return result;
    }
    return {};
  }

  template <class T>
  GraphTensor<T> AddInput(const StridedView<const T>& view) {
    Step step(this);
    const uint32_t number = AddTensor<T>(Kind::kInput, detail::ShapeOf(view));
    if (result_) inputs_.push_back(number);
    step.Done();
    return GraphTensor<T>(id_.value(), number);
  }

  // The sizes of the shape, packed.
  template <class T>
  uint32_t AddTensor(Kind kind, const detail::Shape& shape) {
    if (result_ && graph_ != nullptr) result_ = RESIDUE_NOT_COMPILED;
    if (result_ && shape.refusal.status != RESIDUE_OK) result_ = Result(shape.refusal, "tensor");
    TensorInfo info = {kind, kTypeOf<T>, sizeof(T), sizeof(T), shape, {}};
    for (uint32_t i = shape.rank; i-- > 0;) {
      info.shape.strides[i] = static_cast<int64_t>(info.bytes / sizeof(T));
      if (__builtin_mul_overflow(info.bytes, shape.sizes[i], &info.bytes) && result_)
        result_ = RESIDUE_TOO_LARGE;
    }
    tensors_.push_back(std::move(info));
    return static_cast<uint32_t>(tensors_.size() - 1);
  }

  template <class T>
  void CopyConstant(const detail::Shape& shape, uint32_t number) {
    TensorInfo& info = tensors_[number];
    if (info.bytes > info.constant.max_size()) {
      result_ = RESIDUE_TOO_LARGE;
      return;
    }
    info.constant.resize(static_cast<size_t>(info.bytes));
    detail::Problem problem(RESIDUE_IDENTITY, 2, nullptr, 0);
    result_ = problem.Set(kTypeOf<T>, sizeof(T), info.shape, 1);
    if (result_) result_ = problem.Set(kTypeOf<T>, sizeof(T), shape, 0);
    const void* const inputs[] = {shape.data};
    if (!result_) return;
    const residue_status status = residue_run(&problem.problem, inputs, info.constant.data(), nullptr);
    if (status != RESIDUE_OK) result_ = problem.Explain(status);
  }

  // The operand's number; numbers become constants. The name is what messages call it.
  template <class T, class X>
  uint32_t Find(const X& operand, const char* name) {
    if constexpr (detail::IsTensor<X>) {
      Has(operand);
      return operand.number_;
    } else {
      if (result_ && !detail::IsRepresentable<T>(operand))
        result_ = detail::NotRepresentable<T>(operand, name);
      const uint32_t number = AddTensor<T>(Kind::kConstant, detail::Shape());
      const T value = static_cast<T>(operand);
      tensors_[number].constant.resize(sizeof(T));
      std::memcpy(tensors_[number].constant.data(), &value, sizeof(T));
      return number;
    }
  }

  // What a result of these operands has: each size once, or repeated from 1.
  void Broadcast(const detail::Shape& operand, const char* name, detail::Shape* shape) {
    const uint32_t rank = std::max(operand.rank, shape->rank);
    detail::Shape wide;
    wide.rank = rank;
    for (uint32_t i = 0; i < rank; ++i) {
      const uint64_t x = i < rank - shape->rank ? 1 : shape->sizes[i - (rank - shape->rank)];
      const uint64_t y = i < rank - operand.rank ? 1 : operand.sizes[i - (rank - operand.rank)];
      if (x != y && x != 1 && y != 1 && result_) {
        result_ = detail::Mismatch(name, "sizes", static_cast<int32_t>(i - (rank - operand.rank)), y, x);
      }
      wide.sizes[i] = x == 1 ? y : x;
    }
    *shape = wide;
  }

  template <residue_operator kOp, class... In>
  auto AddNode(const void* params, uint32_t params_size, const In&... in) {
    constexpr bool has_tensor = (detail::IsTensor<In> || ...);
    static_assert(has_tensor, RESIDUE_SAYS_NO_TENSOR);
    if constexpr (has_tensor) {
      using T = typename detail::FirstElement<In...>::Type;
      constexpr bool are_operands = ((detail::IsTensor<In> || detail::Number<In>)&&...);
      static_assert(are_operands, RESIDUE_SAYS_NO_OPERAND);
      constexpr bool are_elements = !are_operands || detail::kAreElements<In...>;
      static_assert(are_elements, RESIDUE_SAYS_NO_ELEMENT);
      constexpr bool are_of_type =
          ((!detail::IsTensor<In> || std::same_as<typename detail::TensorElement<In>::Type, T>)&&...);
      static_assert(are_of_type, RESIDUE_SAYS_TYPES_DIFFER);
      constexpr bool fit_float =
          !std::same_as<T, float> || ((detail::IsTensor<In> || detail::kNumbersFit<T, In>)&&...);
      static_assert(fit_float, RESIDUE_SAYS_DOUBLE_FOR_FLOAT);
      constexpr bool fit_others =
          std::same_as<T, float> || ((detail::IsTensor<In> || detail::kNumbersFit<T, In>)&&...);
      static_assert(fit_others, RESIDUE_SAYS_OTHER_NUMBER);
      using Rule = detail::RuleOf<kOp>;
      constexpr bool is_taken = Rule::template kTakes<T>;
      static_assert(is_taken, RESIDUE_SAYS_TYPE_NOT_TAKEN);
      using TOut = typename Rule::template Output<T>;
      GraphTensor<TOut> made(id_.value(), 0);
      if constexpr (are_operands && are_elements && are_of_type && fit_float && fit_others && is_taken) {
        Step step(this);
        size_t index = 0;
        made = AddCheckedNode<TOut>(kOp, params, params_size,
                                    {Find<T>(in, detail::NameOfInput(index++, sizeof...(In)))...});
        step.Done();
      }
      return made;
    }
  }

  // The same of an operator whose inputs have types of their own.
  template <residue_operator kOp, class TOut, class... T, class... In>
  auto AddMixedNode(detail::Types<T...>, const In&... in) {
    constexpr bool has_tensor = (detail::IsTensor<In> || ...);
    static_assert(has_tensor, RESIDUE_SAYS_NO_TENSOR);
    constexpr bool are_operands = ((detail::IsTensor<In> || detail::Number<In>)&&...);
    static_assert(are_operands, RESIDUE_SAYS_NO_OPERAND);
    constexpr bool are_elements = !are_operands || (detail::kAreElements<TOut, T, In> && ...);
    static_assert(are_elements, RESIDUE_SAYS_NO_ELEMENT);
    constexpr bool are_of_type =
        !are_elements || ((!detail::IsTensor<In> || std::same_as<detail::Value<In>, T>)&&...);
    static_assert(are_of_type, RESIDUE_SAYS_TYPES_OF_THEIR_OWN);
    constexpr bool fit = !are_elements || ((detail::IsTensor<In> || detail::kNumbersFit<T, In>)&&...);
    static_assert(fit, RESIDUE_SAYS_OTHER_NUMBER);
    constexpr bool is_taken = !are_elements || detail::MixedRuleOf<kOp>::template kTakes<TOut, T...>;
    static_assert(is_taken, RESIDUE_SAYS_TYPE_NOT_TAKEN);
    if constexpr (has_tensor && are_operands && are_elements && are_of_type && fit && is_taken) {
      Step step(this);
      size_t index = 0;
      const GraphTensor<TOut> made = AddCheckedNode<TOut>(
          kOp, nullptr, 0, {Find<T>(in, detail::NameOfInput(index++, sizeof...(In)))...});
      step.Done();
      return made;
    }
  }

  template <class T>
  GraphTensor<T> AddCheckedNode(residue_operator op, const void* params, uint32_t params_size,
                                std::vector<uint32_t> operands) {
    Node node = {op, params_size, {}, std::move(operands)};
    if (params_size != 0) std::memcpy(node.params.data(), params, params_size);
    detail::Shape shape;
    for (size_t i = 0; result_ && i < node.operands.size(); ++i) {
      Broadcast(tensors_[node.operands[i]].shape, detail::NameOfInput(i, node.operands.size()), &shape);
    }
    const uint32_t number = AddTensor<T>(Kind::kComputed, shape);
    node.operands.push_back(number);
    nodes_.push_back(std::move(node));
    return GraphTensor<T>(id_.value(), number);
  }

  // Outputs are numbered as they were asked for, and inputs as they were made.
  Result Build(residue_graph* graph) const {
    std::vector<uint32_t> numbers(tensors_.size());
    const auto add = [&](uint32_t tensor, residue_tensor_kind kind) {
      const TensorInfo& info = tensors_[tensor];
      return residue_graph_add_tensor(graph, kind, info.bytes, info.constant.data(), &numbers[tensor]);
    };
    residue_status status = RESIDUE_OK;
    for (size_t i = 0; i < outputs_.size() && status == RESIDUE_OK; ++i)
      status = add(outputs_[i], RESIDUE_TENSOR_OUTPUT);
    for (uint32_t i = 0; i < tensors_.size() && status == RESIDUE_OK; ++i) {
      if (tensors_[i].kind == Kind::kOutput) continue;
      status = add(i, tensors_[i].kind == Kind::kInput      ? RESIDUE_TENSOR_INPUT
                      : tensors_[i].kind == Kind::kConstant ? RESIDUE_TENSOR_CONSTANT
                                                            : RESIDUE_TENSOR_TEMPORARY);
    }
    if (status != RESIDUE_OK) return status;
    for (const Node& node : nodes_) {
      if (const Result result = AddNode(graph, node, numbers); !result) return result;
    }
    return {};
  }

  Result AddNode(residue_graph* graph, const Node& node, const std::vector<uint32_t>& numbers) const {
    const auto count = static_cast<uint32_t>(node.operands.size());
    detail::Problem problem(node.op, count, node.params_size == 0 ? nullptr : node.params.data(),
                            node.params_size);
    uint32_t tensors[detail::Problem::kMost];
    Result result;
    for (uint32_t i = count; i-- > 0 && result;) {  // the output first, whose sizes are the node's
      const TensorInfo& info = tensors_[node.operands[i]];
      tensors[i] = numbers[node.operands[i]];
      result = problem.Set(info.type, info.element_bytes, info.shape, i);
    }
    if (!result) return result;
    const residue_status status = residue_graph_add_node(graph, &problem.problem, tensors, nullptr);
    return status == RESIDUE_OK ? Result() : problem.Explain(status);
  }

  std::vector<TensorInfo> tensors_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> inputs_;
  std::vector<uint32_t> outputs_;
  std::unique_ptr<residue_graph, Destroy> graph_;
  detail::GraphNumber id_;
  Result result_;
};

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_GRAPH_HPP_
