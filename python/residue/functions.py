"""What `residue` exports of the operators: the ufuncs themselves, and functions for those that have parameters."""
from __future__ import annotations

import inspect

import numpy as np

from residue import _native, ufuncs

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

# As of every ufunc.
_OPTIONS = ("out", "where", "casting", "order", "dtype", "subok")
_REQUIRED = inspect.Parameter.empty


def _read_parameters(text: str) -> list[tuple[str, Any]]:
    """[("alpha", 0.01), ...] of "alpha=0.01, ..."."""
    words = [word.strip().partition("=") for word in text.split(",")]
    return [(name, float(default) if default else _REQUIRED) for name, _, default in words]


def _as_operand(value: Any) -> Any:
    """Parameters are float32; arrays say for themselves what they are."""
    return np.float32(value) if isinstance(value, (int, float)) else value


def _as_array(number: Any) -> Any:
    """A number that NumPy need not look at again in every call."""
    array = np.asarray(number)
    array.flags.writeable = False
    return array


def _signature(inputs: int, parameters: list[tuple[str, Any]]) -> inspect.Signature:
    kind = inspect.Parameter
    names = ["x"] if inputs == 1 else [f"x{i + 1}" for i in range(inputs)]
    return inspect.Signature(
        [kind(name, kind.POSITIONAL_ONLY) for name in names]
        + [kind(name, kind.POSITIONAL_OR_KEYWORD, default=default) for name, default in parameters]
        + [kind("options", kind.VAR_KEYWORD)])


def _with_parameters(name: str, entry: Any) -> Callable[..., Any]:
    ufunc: Any = entry["ufunc"]
    parameters = _read_parameters(entry["parameters"])
    # Bounds have the elements' type.
    converts = all(default is not _REQUIRED for _, default in parameters)
    inputs = ufunc.nin - len(parameters)
    signature = _signature(inputs, parameters)
    defaults = tuple(_as_operand(default) for _, default in parameters)
    arrays = tuple(map(_as_array, defaults)) if converts else ()
    fewest = inputs if converts else ufunc.nin

    def function(*operands: Any, **options: Any) -> Any:
        if arrays and not options and len(operands) == inputs and type(operands[0]) is np.ndarray:
            return ufunc(*operands, *arrays)
        values: Any = operands[inputs:]
        if options or not fewest <= len(operands) <= ufunc.nin:
            values = _read_values(name, signature, operands, options)[inputs:]
        if converts:
            values = (*map(_as_operand, values), *defaults[len(values):])
        return ufunc(*operands[:inputs], *values, **options)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "residue"
    function.__doc__ = ufunc.__doc__.partition("\n\n")[2]
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _read_values(name: str, signature: inspect.Signature, operands: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
    """Operands and parameters in order, defaults among them; takes the parameters out of the options."""
    given = {key: options.pop(key) for key in list(options) if key not in _OPTIONS}
    named = dict(given)
    values = list(operands)
    for parameter in list(signature.parameters.values())[len(operands):-1]:
        value = named.pop(parameter.name, parameter.default) if parameter.kind is not parameter.POSITIONAL_ONLY else _REQUIRED
        if value is _REQUIRED:
            break
        values.append(value)
    if named or len(values) != len(signature.parameters) - 1:
        signature.bind(*operands, **given)  # says what is missing, given twice, or too much
        raise TypeError(f"residue.{name}() got an unexpected keyword argument {next(iter(named))!r}")
    return values


def _make() -> dict[str, Any]:
    return {name: _with_parameters(name, entry) if entry["parameters"] else entry["ufunc"]
            for name, entry in _native.operators.items() if name not in ("clip", "cast")}


globals().update(_make())
# By type, what asks the ufunc for it. NumPy has two types for integers of 64 bits; here they are one.
_CASTS = {dtype: _as_array(np.dtype(dtype.str).type())
          for dtype in map(np.dtype, sorted({loop[-1] for loop in _native.operators["cast"]["loops"]}))}
_u: Any = ufuncs


def clip(x: Any, min: Any = None, max: Any = None, **options: Any) -> Any:
    """``maximum(min, minimum(x, max))``; without a bound, or with one that is NaN, there is none.

    See Also
    --------
    numpy.clip : the same, except of NaN bounds, and that here the lower bound wins if it is above the upper.

    Examples
    --------
    >>> import residue
    >>> residue.clip([1, 5, 9], 2, 7)
    array([2, 5, 7])
    >>> residue.clip([1, 5, 9], max=7)
    array([1, 5, 7])
    """
    if min is None and max is None:
        raise ValueError("one of min and max must be given")
    if min is None or max is None:
        bound = max if min is None else min
        if not (_is_float(x) or _is_float(bound)):
            return (_u.minimum if min is None else _u.maximum)(x, bound, **options)
        none = np.float16(np.nan)
        min, max = (none, max) if min is None else (min, none)
    return _u.clip(x, min, max, **options)


def _is_float(x: Any) -> bool:
    kind = getattr(getattr(x, "dtype", None), "kind", None)
    return (np.asarray(x).dtype.kind if kind is None else kind) == "f"


def cast(x: Any, dtype: Any, **options: Any) -> Any:
    """Another type: floats become integers truncated and saturated, and NaN becomes 0, on every machine.

    See Also
    --------
    numpy.ndarray.astype : undefined for floats that the integers do not hold.

    Examples
    --------
    >>> import numpy as np
    >>> import residue
    >>> residue.cast(np.array([1e10, np.nan, -1.5]), np.int32)
    array([2147483647,          0,         -1], dtype=int32)
    """
    wanted = np.dtype(dtype)
    array = _CASTS.get(wanted)
    if array is None:
        if wanted == bool:
            return np.not_equal(x, 0, **options)
        array = _CASTS.get(wanted.newbyteorder("="))
    if array is None:
        raise TypeError(f"residue.cast does not compute {wanted}; it computes integers of 8 to 64 bits, float16, float32 "
                        "and float64")
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.char in "qQ":
        x = x.view(np.dtype(x.dtype.str))
    return _u.cast(x, array if type(x) is np.ndarray else array[()], **options)


def relu(x: Any, **options: Any) -> Any:
    """``maximum(x, 0)``.

    Examples
    --------
    >>> import residue
    >>> residue.relu([-2, 2])
    array([0, 2])
    """
    return _u.maximum(x, 0, **options)


def hard_sigmoid(x: Any, alpha: float = 0.2, beta: float = 0.5, **options: Any) -> Any:
    """``max(0, min(alpha * x + beta, 1))`` of float16 and float32, computed in float32.

    Examples
    --------
    >>> import numpy as np
    >>> import residue
    >>> residue.hard_sigmoid(np.array([-4, 0, 1], np.float32))
    array([0. , 0.5, 0.7], dtype=float32)
    """
    given = getattr(x, "dtype", None)
    if not isinstance(given, np.dtype):  # as of lists and of tensors
        given = np.asarray(x).dtype
    if given.kind == "f" and given.itemsize > 4:
        raise TypeError(f"residue.hard_sigmoid does not compute {given}: it computes float16 and float32; convert, as with "
                        "astype(np.float32)")
    line = _u.scale_bias(x, _as_operand(alpha), _as_operand(beta), dtype=np.float32)
    if given.kind != "f" or given.itemsize != 2:
        return _u.clip(line, np.float32(0), np.float32(1), **options)
    return cast(_u.clip(line, np.float32(0), np.float32(1)), np.float16, **options)


# The array API's names.
ALIASES = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
           "atanh": "arctanh", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
           "bitwise_right_shift": "right_shift", "pow": "power"}
globals().update({alias: globals()[name] for alias, name in ALIASES.items()})

__all__ = sorted({*_native.operators, *ALIASES, "relu", "hard_sigmoid"})
