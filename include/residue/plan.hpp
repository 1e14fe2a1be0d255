// A layout that is analysed once, to run many times.
#ifndef RESIDUE_PLAN_HPP_
#define RESIDUE_PLAN_HPP_

#include <residue/detail/call.hpp>

#include <memory>

namespace residue {
inline namespace v2 {

/// An operator on layouts that do not change, to run on any memory. Any number of threads may run one plan at
/// once. Prepare takes views or arrays, of which the layout counts. Out is the type of the results, where
/// that is another than T.
///
///     residue::Plan<float> plan;
///     if (!plan.Prepare(RESIDUE_MODULUS_FLOOR, a, b, out)) return 1;
///     if (!plan.Run(a_data, b_data, out_data)) return 1;
template <Element T, Element Out = T>
class Plan {
 public:
  /// The operator's inputs, then the output; it has no params, or its defaults.
  template <class... Operands>
  Result Prepare(residue_operator op, const Operands&... operands) noexcept {
    return PrepareAny(op, nullptr, 0, operands...);
  }

  /// The same with the operator's params, such as residue_scale_bias.
  template <class Params, class... Operands>
  Result PrepareWithParams(residue_operator op, const Params& params, const Operands&... operands) noexcept {
    constexpr bool are_params =
        (std::is_class_v<Params> && std::is_trivially_copyable_v<Params>) || std::unsigned_integral<Params>;
    static_assert(are_params, RESIDUE_SAYS_NO_PARAMS);
    return PrepareAny(op, &params, sizeof(params), operands...);
  }

  /// On the memory of an operator with one input. Before a plan is prepared, RESIDUE_NULL_POINTER.
  Result Run(const T* a, Out* out, const Options& options = kDefaultOptions) const noexcept {
    const void* const inputs[] = {a};
    return RunAny(inputs, 1, out, options);
  }

  /// On the memory of an operator with two inputs. The output's type is deduced, so that {} is none.
  template <std::same_as<Out> O>
  Result Run(const T* a, const T* b, O* out, const Options& options = kDefaultOptions) const noexcept {
    const void* const inputs[] = {a, b};
    return RunAny(inputs, 2, out, options);
  }

  /// On the memory of an operator with three inputs of one type.
  template <std::same_as<Out> O>
  Result Run(const T* a, const T* b, const T* c, O* out,
             const Options& options = kDefaultOptions) const noexcept {
    const void* const inputs[] = {a, b, c};
    return RunAny(inputs, 3, out, options);
  }

 private:
  struct Destroy {
    void operator()(residue_plan* plan) const noexcept { residue_plan_destroy(plan); }
  };

  // The last is the output's.
  template <class... Values>
  static consteval bool AreOfType() {
    const bool inputs[] = {std::same_as<Values, T>..., false};
    const bool outputs[] = {std::same_as<Values, Out>..., false};
    for (size_t i = 0; i < sizeof...(Values); ++i) {
      if (!(i + 1 == sizeof...(Values) ? outputs[i] : inputs[i])) return false;
    }
    return true;
  }

  template <class... Operands>
  Result PrepareAny(residue_operator op, const void* params, uint32_t params_size,
                    const Operands&... operands) noexcept {
    constexpr uint32_t kCount = sizeof...(Operands);
    constexpr bool has_operands = kCount > 0 && kCount <= detail::Problem::kMost;
    static_assert(has_operands, RESIDUE_SAYS_NO_OPERANDS);
    constexpr bool are_layouts = (!detail::Number<Operands> && ...);
    static_assert(are_layouts, RESIDUE_SAYS_NUMBER_IN_PLAN);
    constexpr bool are_elements = detail::kAreElements<Operands...>;
    static_assert(are_elements, RESIDUE_SAYS_NO_ELEMENT);
    constexpr bool are_of_type = AreOfType<detail::Value<Operands>...>();
    static_assert(are_of_type, RESIDUE_SAYS_TYPES_DIFFER);
    if constexpr (has_operands && are_layouts && are_elements && are_of_type) {
      const detail::Shape shapes[] = {detail::ShapeOf(operands)...};
      detail::Problem problem(op, kCount, params, params_size);
      Result result;
      for (uint32_t i = kCount; i-- > 0 && result;) {
        result = i + 1 == kCount ? problem.Set(kTypeOf<Out>, sizeof(Out), shapes[i], i)
                                 : problem.Set(kTypeOf<T>, sizeof(T), shapes[i], i);
      }
      if (!result) return result;
      residue_plan* plan = nullptr;
      const residue_status status = residue_plan_create(&problem.problem, &plan);
      if (status != RESIDUE_OK) return problem.Explain(status);
      plan_.reset(plan);
      input_count_ = kCount - 1;
      return {};
    } else {
      return RESIDUE_INVALID_TYPE;
    }
  }

  Result RunAny(const void* const* inputs, uint32_t count, Out* out, const Options& options) const noexcept {
    detail::ClearExceptions(options);
    if (plan_ == nullptr)
      return Result({RESIDUE_NULL_POINTER, RESIDUE_NO_NUMBER, "plan", -1, 0, 0, 0}, nullptr);
    if (count != input_count_) return detail::WrongNumber("number of inputs", count, input_count_);
    return residue_plan_run(plan_.get(), inputs, out, detail::ToC(options));
  }

  std::unique_ptr<residue_plan, Destroy> plan_;
  uint32_t input_count_ = 0;
};

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_PLAN_HPP_
