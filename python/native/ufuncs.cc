#include "ufuncs.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <string_view>

#include "core/operator_id.h"
#include "core/type_set.h"
#include "element_types.h"
#include "loop_table.h"
#include "loops.h"
#include "mixed_modulus.h"
#include "quotient.h"

namespace residue::python {
namespace {

struct UfuncRow {
  OperatorId op;
  TypeSet types;
  const char* name;
  const char* numpy;
  const char* parameters;
  Params params;
  const char* summary;
  const char* example;
  const char* result;
};

constexpr UfuncRow kRows[] = {
#define RESIDUE_UFUNC(Operator, name, numpy, types, parameters, params, summary, example, result) \
  {OperatorId::k##Operator, types, #name, numpy, parameters, Params::Of(params), summary, example, result},
#include "ufuncs.def"
};

// Some operators ask or answer questions. What NumPy calls a truth value is a byte of theirs.
bool TakesTruths(OperatorId op) noexcept { return InputTypes(op) == kTruths || op == OperatorId::kIf; }
bool GivesTruths(OperatorId op) noexcept {
  return InputTypes(op) == kTruths || (TraitsOf(op).results == kBytes && op != OperatorId::kBitCount);
}

uint32_t ParameterCount(const UfuncRow& row) noexcept {
  const std::string_view text = row.parameters;
  return text.empty() ? 0 : 1 + static_cast<uint32_t>(std::ranges::count(text, ','));
}

// Bounds are elements; all other params that are operands are float32.
bool HasElementParameters(OperatorId op) noexcept {
  return op == OperatorId::kClip || op == OperatorId::kClipGrad;
}

DataType ToDataType(const ElementType& type) noexcept { return static_cast<DataType>(type.type); }

// The loop for a first input and a result of these types, if the operator has it.
const LoopKind* MakeKind(const UfuncRow& row, const ElementType& first, const ElementType& result) {
  const OperatorTraits& traits = TraitsOf(row.op);
  if (!Contains(row.types, ToDataType(first)) || !Gives(row.op, ToDataType(first), ToDataType(result)))
    return nullptr;
  auto* kind = new LoopKind;
  kind->op = static_cast<residue_operator>(row.op);
  kind->inputs = traits.inputs;
  kind->parameters = ParameterCount(row);
  // Nobody reads what a cast's second operand is, only its type.
  kind->parameter_bytes = row.op == OperatorId::kCast    ? 0
                          : HasElementParameters(row.op) ? static_cast<uint32_t>(first.size)
                                                         : sizeof(float);
  kind->params_bytes = static_cast<uint32_t>(traits.params_bytes);
  kind->params = row.params;
  for (uint32_t i = 0; i <= traits.inputs; ++i) {
    kind->types[i] = static_cast<residue_type>(OperandType(row.op, i, ToDataType(first), ToDataType(result)));
  }
  return kind;
}

// NumPy's numbers of a loop's operands.
std::vector<char> NumpyTypes(const UfuncRow& row, const ElementType& first, const ElementType& result) {
  const OperatorTraits& traits = TraitsOf(row.op);
  std::vector<char> types;
  for (uint32_t i = 0; i < traits.inputs; ++i)
    types.push_back(static_cast<char>(traits.letters[i] == 'T' ? first.numpy : result.numpy));
  const int parameter = row.op == OperatorId::kCast    ? result.numpy
                        : HasElementParameters(row.op) ? first.numpy
                                                       : int{NPY_FLOAT};
  types.insert(types.end(), ParameterCount(row), static_cast<char>(parameter));
  types.push_back(static_cast<char>(result.numpy));
  return types;
}

TypedLoop OwnLoop(const LoopKind* kind, std::vector<char> types) {
  // What NumPy calls a truth value is another number to a cast.
  const bool are_truths = kind->op == RESIDUE_CAST && types.front() == NPY_BOOL;
  return {are_truths ? &RunLoopOfTruths : &RunLoop, const_cast<LoopKind*>(kind), std::move(types)};
}

// NumPy finds the other of two integers that are the same by itself; a ufunc takes longer to make with both.
bool IsAlias(const ElementType& type) noexcept {
  return (type.numpy == NPY_LONGLONG && sizeof(npy_long) == sizeof(npy_longlong)) ||
         (type.numpy == NPY_ULONGLONG && sizeof(npy_ulong) == sizeof(npy_ulonglong));
}

std::vector<ElementType> ResultsOf(const UfuncRow& row, const ElementType& first) {
  if (GivesTruths(row.op)) return {kTruth};
  if (IsUniform(row.op)) return {first};
  std::vector<ElementType> results;
  if (row.op == OperatorId::kIf) results.push_back(kTruth);  // one of two truth values is one
  for (const ElementType& type : kElementTypes) {
    if (!IsAlias(type) && Contains(TraitsOf(row.op).results, ToDataType(type))) results.push_back(type);
  }
  return results;
}

// All combinations of types that the operator has.
std::vector<TypedLoop> OwnLoops(const UfuncRow& row) {
  std::vector<ElementType> inputs;
  std::ranges::remove_copy_if(kElementTypes, std::back_inserter(inputs), IsAlias);
  if (row.op == OperatorId::kIf) inputs = {kTruth};
  if (row.op == OperatorId::kCast) inputs.insert(inputs.begin(), kTruth);
  std::vector<TypedLoop> loops;
  for (const ElementType& first : inputs) {
    for (const ElementType& result : ResultsOf(row, first)) {
      if (const LoopKind* kind = MakeKind(row, first, result))
        loops.push_back(OwnLoop(kind, NumpyTypes(row, first, result)));
    }
  }
  return loops;
}

// What the operator makes of a type of a loop of NumPy's, or nullptr.
const ElementType* TypeInLoop(char numpy, bool truths) noexcept {
  if (numpy == NPY_BOOL) return truths ? &kTruth : nullptr;
  return FindElementType(numpy);
}

const LoopKind* ReplacementOf(const UfuncRow& row, const TypedLoop& loop) {
  const ElementType* first = TypeInLoop(loop.types.front(), TakesTruths(row.op));
  const ElementType* result = TypeInLoop(loop.types.back(), GivesTruths(row.op));
  if (first == nullptr || result == nullptr || loop.types != NumpyTypes(row, *first, *result)) return nullptr;
  return MakeKind(row, *first, *result);
}

// NumPy's loops, with ours in the place of those for the same types.
std::vector<TypedLoop> LoopsLike(const UfuncRow& row, const PyUFuncObject& peer) {
  std::vector<TypedLoop> loops = LoopsOf(peer);
  for (TypedLoop& loop : loops) {
    if (const LoopKind* kind = ReplacementOf(row, loop)) loop = OwnLoop(kind, loop.types);
  }
  AddMixedModulus(static_cast<residue_operator>(row.op), &loops);
  return loops;
}

const char* PublicName(const PyUFuncObject& ufunc) noexcept {
  return std::string_view(ufunc.name) == "power_rounded" ? "power" : ufunc.name;
}

// NumPy's numbers of the types of loop i.
const char* TypesOf(const PyUFuncObject& ufunc, int i) noexcept {
  return ufunc.types + static_cast<ptrdiff_t>(i) * ufunc.nargs;
}

std::string TypeNames(const PyUFuncObject& ufunc) {
  std::string names;
  for (const ElementType& type : kElementTypes) {
    for (int i = 0; i < ufunc.ntypes && !IsAlias(type); ++i) {
      if (TypesOf(ufunc, i)[0] != type.numpy) continue;
      names += (names.empty() ? "" : ", ") + std::string(type.name);
      break;
    }
  }
  return names;
}

std::string OperandNames(const PyUFuncObject& ufunc, PyArrayObject* const* operands) {
  std::string names;
  for (int i = 0; i < ufunc.nin; ++i) {
    PyObject* text = PyObject_Str(reinterpret_cast<PyObject*>(PyArray_DESCR(operands[i])));
    const char* name = text == nullptr ? nullptr : PyUnicode_AsUTF8AndSize(text, nullptr);
    names += (i == 0 ? "" : ", ") + std::string(name == nullptr ? "?" : name);
    Py_XDECREF(text);
  }
  return names;
}

// The loop for exactly the types of the operands, if there is one: NumPy 1 would look at the values of
// scalars first.
const char* FindExactLoop(const PyUFuncObject& ufunc, PyArrayObject* const* operands) noexcept {
  for (int i = 0; i < ufunc.ntypes; ++i) {
    const char* types = TypesOf(ufunc, i);
    bool same = true;
    for (int k = 0; k < ufunc.nin; ++k) same = same && PyArray_TYPE(operands[k]) == types[k];
    if (same) return types;
  }
  return nullptr;
}

// What is found is one reference each; nothing if the results do not go where they are wanted.
int TakeLoop(PyUFuncObject* ufunc, NPY_CASTING casting, PyArrayObject** operands, const char* types,
             PyArray_Descr** found) {
  for (int k = 0; k < ufunc->nargs; ++k) found[k] = PyArray_DescrFromType(types[k]);
  const int result = PyUFunc_ValidateCasting(ufunc, casting, operands, found);
  for (int k = 0; result < 0 && k < ufunc->nargs; ++k) Py_CLEAR(found[k]);
  return result;
}

// NumPy's choice; if there is none, says which types there are. Functions of float64 would have other bits on
// other machines, so there are none.
int Resolve(PyUFuncObject* ufunc, NPY_CASTING casting, PyArrayObject** operands, PyObject* types,
            PyArray_Descr** found) {
  const bool looks = types == nullptr && ufunc->nout == 1 && ufunc->nin > 1;
  if (const char* exact = looks ? FindExactLoop(*ufunc, operands) : nullptr; exact != nullptr)
    return TakeLoop(ufunc, casting, operands, exact, found);
  const int result = PyUFunc_DefaultTypeResolver(ufunc, casting, operands, types, found);
  if (result >= 0 || PyErr_ExceptionMatches(PyExc_TypeError) == 0) return result;
  PyErr_Clear();
  try {
    const std::string own = TypeNames(*ufunc);
    const bool rounds = own == "float16, float32";
    PyErr_Format(PyExc_TypeError, "residue.%s does not compute %s: it computes %s%s", PublicName(*ufunc),
                 OperandNames(*ufunc, operands).c_str(), own.empty() ? "other combinations" : own.c_str(),
                 rounds ? ", correctly rounded; ask for one of them with dtype=np.float32" : "");
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  return -1;
}

const char* OwnName(const UfuncRow& row) noexcept {
  return row.op == OperatorId::kPow ? "power_rounded" : row.name;
}

// Kept for the life of the process, as NumPy wants it.
const char* Document(const UfuncRow& row) {
  std::string text = std::string(row.summary) + "\n\n";
  if (*row.numpy != 0) text += std::string("See Also\n--------\nnumpy.") + row.numpy + " : the same.\n\n";
  text += std::string("Examples\n--------\n>>> import numpy as np\n>>> import residue\n>>> ") + row.example +
          "\n" + row.result + "\n";
  auto* kept = new std::string(std::move(text));
  return kept->c_str();
}

// The types of the loops that are computed here, as NumPy writes them.
PyObject* OwnTypes(const std::vector<TypedLoop>& loops, const std::vector<TypedLoop>& numpys, int inputs) {
  PyObject* list = PyList_New(0);
  for (const TypedLoop& loop : loops) {
    const bool is_numpys = std::ranges::any_of(numpys, [&](const TypedLoop& other) {
      return other.function == loop.function && other.data == loop.data;
    });
    if (list == nullptr || is_numpys) continue;
    std::string text;
    for (size_t i = 0; i < loop.types.size(); ++i) {
      PyArray_Descr* type = PyArray_DescrFromType(loop.types[i]);
      if (static_cast<int>(i) == inputs) text += "->";
      text += type == nullptr ? '?' : type->type;
      Py_XDECREF(type);
    }
    PyObject* entry = PyUnicode_FromString(text.c_str());
    if (entry == nullptr || PyList_Append(list, entry) < 0) Py_CLEAR(list);
    Py_XDECREF(entry);
  }
  return list;
}

PyObject* MakeEntry(const UfuncRow& row) {
  const PyUFuncObject* peer = nullptr;
  if (*row.numpy != 0 && (peer = FindNumpyUfunc(row.numpy)) == nullptr) return nullptr;
  const std::vector<TypedLoop> numpys = peer == nullptr ? std::vector<TypedLoop>() : LoopsOf(*peer);
  const std::vector<TypedLoop> loops = peer == nullptr ? OwnLoops(row) : LoopsLike(row, *peer);
  const int inputs = static_cast<int>(TraitsOf(row.op).inputs + ParameterCount(row));
  PyObject* ufunc = MakeUfunc({OwnName(row), Document(row)}, loops, inputs, 1, peer, &Resolve);
  PyObject* own = ufunc == nullptr ? nullptr : OwnTypes(loops, numpys, inputs);
  if (own == nullptr) {
    Py_XDECREF(ufunc);
    return nullptr;
  }
  const OperatorTraits& traits = TraitsOf(row.op);
  const auto params_bytes = static_cast<Py_ssize_t>(traits.params_bytes);
  return Py_BuildValue("{s:N,s:i,s:i,s:O,s:y#,s:y#,s:s,s:s,s:N,s:s}", "ufunc", ufunc, "operator",
                       static_cast<int>(row.op), "inputs", static_cast<int>(traits.inputs), "rounds",
                       IsFunction(row.op, DataType::kFloat32) ? Py_True : Py_False, "params",
                       reinterpret_cast<const char*>(row.params.bytes), params_bytes, "default_params",
                       reinterpret_cast<const char*>(traits.default_params.bytes), params_bytes, "numpy",
                       row.numpy, "parameters", row.parameters, "loops", own, "summary", row.summary);
}

// Made of several operators.
PyObject* MakeCompositeEntry(PyObject* ufunc, const char* numpy, const char* summary) {
  if (ufunc == nullptr) return nullptr;
  constexpr Py_ssize_t kNone = 0;
  return Py_BuildValue("{s:N,s:i,s:i,s:O,s:y#,s:y#,s:s,s:s,s:[],s:s}", "ufunc", ufunc, "operator", 0,
                       "inputs", 2, "rounds", Py_False, "params", "", kNone, "default_params", "", kNone,
                       "numpy", numpy, "parameters", "", "loops", "summary", summary);
}

// Takes over the reference to the entry, which may be nullptr.
bool Add(PyObject* all, const char* name, PyObject* entry) {
  const bool added = entry != nullptr && PyDict_SetItemString(all, name, entry) == 0;
  Py_XDECREF(entry);
  return added;
}

}  // namespace

PyObject* MakeUfuncs() {
  PyObject* all = PyDict_New();
  try {
    for (const UfuncRow& row : kRows) {
      if (all != nullptr && !Add(all, row.name, MakeEntry(row))) Py_CLEAR(all);
    }
    if (all != nullptr &&
        (!Add(all, "floor_divide",
              MakeCompositeEntry(MakeFloorDivide(), "floor_divide", "Python's ``//``.")) ||
         !Add(all, "divmod", MakeCompositeEntry(MakeDivmod(), "divmod", "Python's ``divmod``."))))
      Py_CLEAR(all);
  } catch (const std::bad_alloc&) {
    Py_CLEAR(all);
    PyErr_NoMemory();
  }
  return all;
}

}  // namespace residue::python
