// The memory of a graph's inputs and outputs for one run.
#ifndef RESIDUE_GRAPH_BINDING_HPP_
#define RESIDUE_GRAPH_BINDING_HPP_

#include <residue/detail/call.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>

namespace residue {
inline namespace v2 {

/// Elements that a run reads: an array or a span, whose type and number are compared with the graph's; an
/// address, whose type is; or a void address, of which nothing is known.
class GraphInput {
 public:
  template <detail::Array X>
  GraphInput(const X& elements) noexcept  // NOLINT(google-explicit-constructor)
      : GraphInput(std::ranges::data(elements)) {
    count_ = static_cast<uint64_t>(std::ranges::size(elements));
  }
  // Not T*, which an array would be taken for: its number of elements would be lost.
  template <class P>
  requires std::is_pointer_v<P> GraphInput(const P& data)
  noexcept : data_(data) {  // NOLINT
    using T = std::remove_cv_t<std::remove_pointer_t<P>>;
    constexpr bool is_element = std::is_void_v<T> || Element<T>;
    static_assert(is_element, RESIDUE_SAYS_NO_ELEMENT);
    if constexpr (Element<T>) type_ = kTypeOf<T>;
  }
  GraphInput(std::nullptr_t) noexcept : data_(nullptr) {}  // NOLINT(google-explicit-constructor)

  const void* data() const noexcept { return data_; }

  /// Why it is no tensor of this type and number of elements, if it is none.
  Result Check(residue_type type, uint64_t count, const char* field, size_t index) const noexcept {
    const auto at = static_cast<int32_t>(index);
    if (type_ != 0 && type_ != type)
      return Result({RESIDUE_TYPE_MISMATCH, RESIDUE_EQUAL_TO, field, at, 0, type_, type}, nullptr);
    if (count_ && *count_ != count) return detail::Mismatch(nullptr, field, at, *count_, count);
    return {};
  }

 private:
  const void* data_;
  std::optional<uint64_t> count_;
  residue_type type_ = 0;  // 0: unknown
};

/// The same for elements that a run writes.
class GraphOutput {
 public:
  template <class X>
  requires detail::Array<std::remove_cvref_t<X>> GraphOutput(X&& elements)
  noexcept  // NOLINT
      : input_(elements) {
    constexpr bool is_writable = detail::IsWritable<X>();
    static_assert(is_writable, RESIDUE_SAYS_CONST_OUTPUT);
    constexpr bool is_kept = detail::kIsKept<X>;
    static_assert(is_kept, RESIDUE_SAYS_LOST_OUTPUT);
    if constexpr (is_writable && is_kept) data_ = std::ranges::data(elements);
  }
  template <class P>
  requires std::is_pointer_v<P> GraphOutput(const P& data)
  noexcept : input_(data) {  // NOLINT
    constexpr bool is_writable = !std::is_const_v<std::remove_pointer_t<P>>;
    static_assert(is_writable, RESIDUE_SAYS_CONST_OUTPUT);
    if constexpr (is_writable) data_ = data;
  }
  GraphOutput(std::nullptr_t) noexcept : input_(nullptr) {}  // NOLINT(google-explicit-constructor)

  void* data() const noexcept { return data_; }
  Result Check(residue_type type, uint64_t count, const char* field, size_t index) const noexcept {
    return input_.Check(type, count, field, index);
  }

 private:
  GraphInput input_;
  void* data_ = nullptr;
};

namespace detail {

// The addresses alone, as the C interface wants them; without an allocation for as many as graphs have.
template <class Pointer>
class Addresses {
 public:
  template <class Binding>
  explicit Addresses(std::span<const Binding> bindings) noexcept {
    if (bindings.size() > few_.size()) {
      many_.reset(new (std::nothrow) Pointer[bindings.size()]);
      data_ = many_.get();
    }
    for (size_t i = 0; i < bindings.size() && data_ != nullptr; ++i) data_[i] = bindings[i].data();
  }
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;

  const Pointer* data() const noexcept { return data_; }  // nullptr: there is no memory

 private:
  std::array<Pointer, 16> few_;
  std::unique_ptr<Pointer[]> many_;
  Pointer* data_ = few_.data();
};

}  // namespace detail

}  // namespace v2
}  // namespace residue

#endif  // RESIDUE_GRAPH_BINDING_HPP_
