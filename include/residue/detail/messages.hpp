// What compilers say of mistakes: the sentences of every static_assert. They are macros because an assertion
// wants a literal, and stand where the caller's function calls, not deeper, because compilers print three
// lines for each call between.
#ifndef RESIDUE_DETAIL_MESSAGES_HPP_
#define RESIDUE_DETAIL_MESSAGES_HPP_

#define RESIDUE_SAYS_NO_ELEMENT                                                                            \
  "residue: this is not an element type; elements are float, double, a 16-bit float, or integers of 8 to " \
  "64 "                                                                                                    \
  "bits"
#define RESIDUE_SAYS_SCATTERED                                                                          \
  "residue: the elements do not lie one behind the other; use std::vector, std::array, std::span or a " \
  "StridedView"
#define RESIDUE_SAYS_FLOAT_PARAMS "residue: scale and bias are of type float; write 2.0f"
#define RESIDUE_SAYS_BOUNDS "residue: bounds have the type of the elements; write 1.0f for float"
#define RESIDUE_SAYS_NO_PARAMS \
  "residue: the params of an operator are its structure, such as residue_scale_bias, by value"
#define RESIDUE_SAYS_NO_EXCEPTIONS "residue: without exceptions a call on arrays needs an output"
#define RESIDUE_SAYS_TYPES_DIFFER \
  "residue: the element types of inputs and output differ; give all of them the same one"
#define RESIDUE_SAYS_TYPES_OF_THEIR_OWN \
  "residue: an input has another element type than the operator wants; its description says which"
#define RESIDUE_SAYS_TYPE_NOT_TAKEN \
  "residue: the operator does not take elements of this type; its description says which"
#define RESIDUE_SAYS_OTHER_RESULT \
  "residue: the results of this operator have another type than the output; its description says which"
#define RESIDUE_SAYS_DOUBLE_FOR_FLOAT \
  "residue: a double does not fit the float elements; write 2.5f instead of 2.5"
#define RESIDUE_SAYS_OTHER_NUMBER "residue: the number has another type than the elements; cast it to theirs"
#define RESIDUE_SAYS_NO_ARRAY \
  "residue: the output is no array and no view; a single result is the value of a call without output"
#define RESIDUE_SAYS_CONST_OUTPUT "residue: the output is const"
#define RESIDUE_SAYS_LOST_OUTPUT "residue: the output is a temporary that nobody keeps; give it a name"
#define RESIDUE_SAYS_LOST_SHAPE "residue: a vector would lose the shape of the view; give an output"
#define RESIDUE_SAYS_NUMBERS_DIFFER "residue: the numbers have different types; give both the same one"
#define RESIDUE_SAYS_NO_SIZES \
  "residue: sizes and strides are lists of integers, such as {2, 3}, a std::array or a std::vector"
#define RESIDUE_SAYS_OTHER_ADDRESS \
  "residue: the address is not one of the view's elements; StridedView<const float> takes const float*"
#define RESIDUE_SAYS_NO_INTEGER "residue: sizes and strides are integers"
#define RESIDUE_SAYS_NO_OPERANDS "residue: a plan has the operator's inputs and its output"
#define RESIDUE_SAYS_NUMBER_IN_PLAN \
  "residue: a plan is made of arrays and views; a number is an array of one element"
#define RESIDUE_SAYS_NO_OPERAND \
  "residue: a node of a graph reads tensors and numbers; make a Constant of an array"
#define RESIDUE_SAYS_NO_TENSOR "residue: a node of a graph reads at least one of its tensors"

#endif  // RESIDUE_DETAIL_MESSAGES_HPP_
