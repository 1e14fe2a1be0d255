"""Values that stand for arrays while a function is traced: what is done to them is written down, not computed."""
from __future__ import annotations

import math
import pathlib
import sys

import numpy as np

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, NoReturn

_OURS = str(pathlib.Path(__file__).parent)
_NUMPYS = str(pathlib.Path(np.__file__).parent)
# NumPy 2 looks at the types of scalars, NumPy 1 at their values; Python's numbers have no type of their own in either.
_SCALARS_ARE_WEAK = int(np.__version__.split(".")[0]) < 2

_UFUNCS_OF_ARRAYS = np.ndarray.__array_ufunc__
DEFAULTS = {bool: np.dtype(bool), int: np.dtype(np.int64), float: np.dtype(np.float64)}
KINDS = {"b": bool, "i": int, "u": int, "f": float}


class TraceError(TypeError):
    """Something in a fused function cannot become part of one pass over memory; says what, and on which line."""

    @property
    def what(self) -> str:
        """Without the line."""
        return str(self).partition(": ")[2]


class _AttributeTraceError(TraceError, AttributeError):
    """The same for what a traced value does not have, so that hasattr() answers."""


class _OverflowTraceError(TraceError, OverflowError):
    """The same for an integer that a type does not hold, which is an OverflowError of NumPy's."""


def _line() -> str:
    """Where the user's code is now."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_OURS, _NUMPYS, "<__array")):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def frames_of_ours() -> int:
    """How many frames of this package are between the caller of this, which is one, and the user's code."""
    frame = sys._getframe(1)
    count = 0
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        frame, count = frame.f_back, count + 1
    return count


def refuse(what: str) -> NoReturn:
    raise TraceError(f"{_line()}: {what}")


def refuse_integer(what: str) -> NoReturn:
    raise _OverflowTraceError(f"{_line()}: {what}")


def what_is_lost(array: Any) -> str | None:
    """Of what is more than its elements, which would lose the rest without a word."""
    if isinstance(array, np.ma.MaskedArray):
        return "a masked array has no mask in a fused function; pass its filled() elements and its mask"
    if isinstance(array, np.matrix):
        return "a matrix is an array of elements in a fused function, and * no product; pass np.asarray(matrix)"
    name = type(array).__name__
    if type(array).__module__.partition(".")[0] == "dask":
        return "a Dask array is not computed by a fused function; use array.map_blocks(function)"
    # What has ufuncs of its own gives them a meaning, such as units, names or alignment.
    if getattr(type(array), "__array_ufunc__", _UFUNCS_OF_ARRAYS) is not _UFUNCS_OF_ARRAYS:
        return (f"a {name} is more than its elements, and a fused function would lose the rest; "
                f"pass {'x.to_numpy()' if hasattr(array, 'to_numpy') else 'np.asarray(x)'}")
    if isinstance(getattr(array, "null_count", None), int) and array.null_count > 0:
        return f"a {name} has nulls, which are no numbers in a fused function; pass its filled elements and its mask"
    return None


class Value:
    """One array of the graph: an argument, a constant, or the result of an operator.

    `weak` is bool, int or float for what has only a kind, such as Python's numbers: it takes the type of what it meets.
    `least` is the smallest type that holds it, where NumPy looks at that. What is computed of such has the type it is
    computed in, as its number is not known.
    """
    __slots__ = ("dtype", "shape", "weak", "source", "number", "least")

    def __init__(self, number: int, dtype: np.dtype[Any], shape: tuple[int, ...], weak: type | None, source: Any,
                 least: np.dtype[Any] | None = None) -> None:
        self.number, self.dtype, self.shape, self.weak, self.source, self.least = number, dtype, shape, weak, source, least


class Argument:
    """Of a function: number `index`, converted to the value's type if it is a scalar."""
    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class Constant:
    __slots__ = ("array",)

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array


class HugeConstant(Constant):
    """An integer beyond the type that integers have by themselves. It has one where it meets a type that holds it, and can
    be compared with all others."""
    __slots__ = ()


class Node:
    """An operator of the library, by number."""
    __slots__ = ("operator", "params", "inputs")

    def __init__(self, operator: int, params: bytes, inputs: tuple[Value, ...]) -> None:
        self.operator, self.params, self.inputs = operator, params, inputs


class View:
    """A value whose axes are others': by their numbers, in this order, and None for one of one element."""
    __slots__ = ("inputs", "axes")

    def __init__(self, base: Value, axes: tuple[int | None, ...]) -> None:
        self.inputs, self.axes = (base,), axes


def _broadcast(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        refuse(f"shapes {', '.join(map(str, shapes))} cannot be broadcast together")


class Trace:
    """All values of one function for arguments of given types and shapes. Equal operations are one value."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.looks_at_shape = False  # whether the function does, so that it may compute something else for others
        self._known: dict[Any, Value] = {}

    def _add(self, key: Any, dtype: np.dtype[Any], shape: tuple[int, ...], weak: type | None, source: Any,
             least: np.dtype[Any] | None = None) -> Value:
        value = self._known.get(key)
        if value is None:
            value = self._known[key] = Value(len(self.values), dtype, shape, weak, source, least)
            self.values.append(value)
        return value

    def argument(self, index: int, dtype: np.dtype[Any], shape: tuple[int, ...], weak: type | None = None,
                 least: np.dtype[Any] | None = None) -> Value:
        return self._add(("argument", index, dtype), dtype, shape, weak, Argument(index), least)

    def constant(self, number: Any, dtype: np.dtype[Any], weak: type | None = None,
                 least: np.dtype[Any] | None = None) -> Value:
        array = np.array(number, dtype)
        if dtype == bool:  # bytes of a view may be others than 0 and 1
            array = np.not_equal(array, 0)
        key = ("constant", dtype, weak, least, array.tobytes(), array.shape)
        return self._add(key, dtype, array.shape, weak, Constant(array), least)

    @staticmethod
    def require_type(value: Value) -> Value:
        """What is computed has one."""
        if isinstance(value.source, HugeConstant):
            refuse_integer(f"{value.source.array} does not fit {value.dtype}, the type of an integer that meets no other")
        return value

    def node(self, operator: int, dtype: Any, inputs: tuple[Value, ...], params: bytes = b"") -> Value:
        dtype = np.dtype(dtype)
        inputs = tuple(map(self.require_type, inputs))
        weak = KINDS.get(dtype.kind) if all(value.weak is not None for value in inputs) else None
        least = dtype if weak is not None and any(value.least is not None for value in inputs) else None
        shape = _broadcast([value.shape for value in inputs])
        key = (operator, dtype, params, *(value.number for value in inputs))
        return self._add(key, dtype, shape, weak, Node(operator, params, inputs), least)

    def view(self, base: Value, axes: tuple[int | None, ...]) -> Value:
        shape = tuple(1 if axis is None else base.shape[axis] for axis in axes)
        return self._add(("view", base.number, axes), base.dtype, shape, None, View(base, axes))

    @staticmethod
    def weak_kind(array: np.ndarray[Any, Any]) -> type | None:
        """Of a single number if NumPy does not insist on its type."""
        return KINDS.get(array.dtype.kind) if array.ndim == 0 and _SCALARS_ARE_WEAK else None

    @staticmethod
    def least_type(array: np.ndarray[Any, Any]) -> np.dtype[Any] | None:
        """What NumPy insists on if it does not insist on the type: that the number is not beyond another's largest."""
        is_weak_number = array.ndim == 0 and array.dtype.kind in "iuf" and _SCALARS_ARE_WEAK
        return np.min_scalar_type(array) if is_weak_number else None

    def value_of(self, x: Any) -> Value:
        """Of whatever a function computes with."""
        if isinstance(x, Value):
            return x
        if isinstance(x, Traced):
            if x._trace is not self:
                refuse("a value of another fused function was kept, and is used here")
            return x._value
        if type(x) in DEFAULTS:
            if type(x) is int and not -(2**63) <= x < 2**63:
                return self._add(("constant", x), DEFAULTS[int], (), int, HugeConstant(np.array(x, object)))
            return self.constant(x, DEFAULTS[type(x)], type(x))
        lost = what_is_lost(x)
        if lost is not None:
            refuse(lost)
        if isinstance(x, (np.generic, np.ndarray, list, tuple)):
            array = np.asarray(x)
            if array.dtype.kind in KINDS and array.dtype.itemsize <= 8:
                return self.constant(array, array.dtype.newbyteorder("="), self.weak_kind(array), self.least_type(array))
        refuse(f"{type(x).__name__} {x!r:.40} is no number, array or argument of the function")


def _no(what: str) -> Any:
    def method(self: Any, *_: Any, **__: Any) -> NoReturn:
        refuse(what)
    return method


_BRANCH = "the function branches on data, which is not known yet: use residue.where"
_ARRAY = "only element-wise operations can be fused, and this needs the elements themselves"


class Traced:
    """What a fused function gets for its arguments. It has a type and a shape, and no elements yet."""
    __slots__ = ("_trace", "_value", "_is_given")

    def __init__(self, trace: Trace, value: Value, is_given: bool = False) -> None:
        self._trace, self._value, self._is_given = trace, value, is_given

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._value.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        self._trace.looks_at_shape = True
        return self._value.shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def astype(self, dtype: Any, copy: bool = True) -> Traced:
        from residue import _values
        return Traced(self._trace, _values.convert(self._trace, self._value, np.dtype(dtype)))

    def copy(self) -> Traced:
        return Traced(self._trace, self._value)

    def round(self, decimals: int = 0) -> Any:
        return np.round(self, decimals)

    @property
    def T(self) -> Traced:
        return self.transpose()

    @property
    def mT(self) -> Traced:
        count = self.ndim
        if count < 2:
            refuse(".mT needs two dimensions or more")
        return self.transpose(*range(count - 2), count - 1, count - 2)

    def transpose(self, *axes: Any) -> Traced:
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = tuple(axes[0] or ())
        order = [axis + self.ndim if axis < 0 else axis for axis in axes] or [*range(self.ndim)][::-1]
        if sorted(order) != [*range(self.ndim)]:
            refuse(f"transpose{axes} does not name each of the {self.ndim} axes once")
        return _TracedView(self, tuple(order))

    def __getitem__(self, index: Any) -> Traced:
        """Of what leaves all elements: new axes of one element, as in x[:, None]."""
        parts = index if isinstance(index, tuple) else (index,)
        count = sum(1 for part in parts if type(part) is slice)
        if any(part is not None and part is not Ellipsis and not (type(part) is slice and part == slice(None)) for part in parts) \
                or sum(part is Ellipsis for part in parts) > 1 or count > self.ndim or not self.ndim:
            refuse(_ARRAY)
        if Ellipsis not in parts:
            parts = (*parts, Ellipsis)
        left = iter(range(self.ndim))
        axes: list[int | None] = []
        for part in parts:
            axes += [None] if part is None else [next(left) for _ in range(self.ndim - count if part is Ellipsis else 1)]
        return _TracedView(self, tuple(axes))

    def clip(self, min: Any = None, max: Any = None) -> Any:
        from residue import functions
        return functions.clip(self, min, max)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        from residue import _operations
        if method != "__call__":
            refuse(f"{ufunc.__name__}.{method} is not element-wise, so it cannot be fused")
        return _operations.apply(self._trace, _operations.name_of(ufunc), inputs, options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _AttributeTraceError(f"{_line()}: .{name} is not element-wise or not known, so it cannot be fused")

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        from residue import _operations
        return _operations.apply_function(self._trace, function.__name__, arguments, options)

    def __repr__(self) -> str:
        return f"<a value of type {self.dtype} and shape {self._value.shape} in a fused function>"

    __bool__ = _no(_BRANCH)
    __array__ = __setitem__ = __iter__ = __len__ = __contains__ = _no(_ARRAY)
    __float__ = __int__ = __index__ = __complex__ = _no("the value is not known yet: only element-wise operations "
                                                         "can be fused")
    __matmul__ = __rmatmul__ = _no("a matrix product is not element-wise, so it cannot be fused")
    __hash__ = None  # type: ignore[assignment]


class _TracedView(Traced):
    """Sees what becomes of the value that it is of, as NumPy's views do, and is not changed itself."""
    __slots__ = ("_base", "_axes")

    def __init__(self, base: Traced, axes: tuple[int | None, ...]) -> None:
        self._trace, self._is_given, self._base, self._axes = base._trace, True, base, axes

    @property
    def _value(self) -> Value:  # type: ignore[override]
        return self._trace.view(self._base._value, self._axes)


def _binary(name: str) -> tuple[Any, Any]:
    def forward(self: Traced, other: Any) -> Any:
        from residue import _operations
        return _operations.apply(self._trace, name, (self, other), {})

    def backward(self: Traced, other: Any) -> Any:
        from residue import _operations
        return _operations.apply(self._trace, name, (other, self), {})
    return forward, backward


def _in_place(name: str, symbol: str) -> Any:
    def method(self: Traced, other: Any) -> Any:
        from residue import _operations, _values
        old = self._value
        new = _operations.apply(self._trace, name, (self, other), {})
        if not old.shape:
            return new  # numbers do not change: the name stands for another
        if self._is_given:
            what = "what it is a view of" if isinstance(self, _TracedView) else "an argument"
            refuse(f"{symbol}= would change {what}, which fused functions never do: write x = x {symbol} y")
        if new.shape != old.shape:
            refuse(f"{symbol}= gives the shape {new.shape}, which does not fit into {old.shape}: write x = x {symbol} y")
        if not np.can_cast(new.dtype, old.dtype, "same_kind"):
            refuse(f"{symbol}= gives {new.dtype}, which does not go into {old.dtype}: write x = x {symbol} y")
        self._value = _values.convert(self._trace, new._value, old.dtype)
        return self
    return method


def _unary(name: str) -> Any:
    def method(self: Traced) -> Any:
        from residue import _operations
        return _operations.apply(self._trace, name, (self,), {})
    return method


# Python's operators, by the names of the ufuncs that they are.
for _python, _name, _symbol in (
        ("add", "add", "+"), ("sub", "subtract", "-"), ("mul", "multiply", "*"), ("truediv", "divide", "/"),
        ("floordiv", "floor_divide", "//"), ("mod", "remainder", "%"), ("divmod", "divmod", ""), ("pow", "**", "**"),
        ("and", "bitwise_and", "&"), ("or", "bitwise_or", "|"), ("xor", "bitwise_xor", "^"), ("lshift", "left_shift", "<<"),
        ("rshift", "right_shift", ">>")):
    _forward, _backward = _binary(_name)
    setattr(Traced, f"__{_python}__", _forward)
    setattr(Traced, f"__r{_python}__", _backward)
    if _symbol:
        setattr(Traced, f"__i{_python}__", _in_place(_name, _symbol))
for _python, _name in {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
                       "ge": "greater_equal"}.items():
    setattr(Traced, f"__{_python}__", _binary(_name)[0])
for _python, _name in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
    setattr(Traced, f"__{_python}__", _unary(_name))
