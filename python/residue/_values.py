"""Values in the types of the loops that compute them, and the nodes of which operations are made."""
from __future__ import annotations

import numpy as np

from residue import _native
from residue._trace import KINDS, Argument, Node, Trace, Value, View, refuse, refuse_integer

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BOOL = np.dtype(bool)
ENTRIES = _native.operators
NUMBER = {name: entry["operator"] for name, entry in ENTRIES.items()}
# Whose operands may change places. What was computed last comes first: it may still be in registers.
_SYMMETRIC = {"add", "multiply", "maximum", "minimum", "equal", "mean", "bitwise_and", "bitwise_or", "bitwise_xor",
              "logical_and", "logical_or", "logical_xor", "difference_square"}


def formula_constant(trace: Trace, number: float, dtype: np.dtype[Any]) -> Value:
    """Of a formula: what is computed of numbers without a type and of this has none either."""
    return trace.constant(number, dtype, KINDS[dtype.kind])


def convert(trace: Trace, value: Value, dtype: np.dtype[Any]) -> Value:
    """The value as elements of another type."""
    if value.dtype == dtype:
        return value
    number = constant_of(value)
    if dtype == BOOL and number is not None:
        return trace.constant(number.astype(BOOL), BOOL, None if value.weak is None else bool)
    if dtype == BOOL:
        return negate(trace, make_node(trace, "equal", BOOL, value, formula_constant(trace, 0, value.dtype)))
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        refuse(f"{dtype} cannot be computed in a fused function")
    return trace.node(NUMBER["cast"], dtype, (as_bit(trace, value),))


def as_bit(trace: Trace, value: Value) -> Value:
    """A truth value as 0 or 1. The bytes of an array may be others, as of one that is a view of integers; what is computed
    of them never is, except by choosing."""
    is_given = isinstance(value.source, (Argument, View))
    is_chosen = isinstance(value.source, Node) and value.source.operator == NUMBER["where"]
    return make_node(trace, "logical_or", BOOL, value, value) if value.dtype == BOOL and (is_given or is_chosen) else value


def make_node(trace: Trace, name: str, dtype: Any, *inputs: Value) -> Value:
    if name in _SYMMETRIC:
        inputs = tuple(sorted(inputs, key=_lateness, reverse=True))
    return trace.node(NUMBER[name], dtype, inputs, ENTRIES[name]["params"])


def _lateness(value: Value) -> tuple[bool, int]:
    return isinstance(value.source, Node), value.number


def negate(trace: Trace, value: Value) -> Value:
    """The other truth value."""
    return make_node(trace, "logical_not", BOOL, value)


def fits(value: Value, dtype: np.dtype[Any]) -> bool:
    """Would NumPy convert it without being asked? A number without a type goes to any type of its kind."""
    if value.weak is None:
        return np.can_cast(value.dtype, dtype, "safe")
    order = "biuf"
    kind = {bool: "b", int: "i", float: "f"}[value.weak]
    if dtype.kind not in order or order.index(kind) > order.index(dtype.kind):
        return False
    return isinstance(value.source, Node) or _is_held(value, dtype)  # what is computed of numbers is looked at by as_type


def _is_held(value: Value, dtype: np.dtype[Any]) -> bool:
    """Is no number of this least type beyond the float?"""
    return value.least is None or dtype.kind != "f" or np.can_cast(value.least, dtype, "safe")


def settle(values: list[Value]) -> list[Value]:
    """Numbers without a type have their own if there is nothing whose type they could take."""
    strong = [value for value in values if value.weak is None]
    rank = {"b": 0, "i": 1, "u": 1, "f": 2}
    highest = max((rank.get(value.dtype.kind, 3) for value in strong), default=-1)
    ranks = {bool: 0, int: 1, float: 2}
    return [value if value.weak is None or ranks[value.weak] <= highest
            else Value(value.number, value.dtype, value.shape, None, value.source)
            for value in values]


def constant_of(value: Value) -> Any:
    array = getattr(value.source, "array", None)
    return array if array is not None and array.ndim == 0 else None


def misfit(number: Any, dtype: np.dtype[Any]) -> str | None:
    """What is wrong with an integer without a type that takes this one, if it does not hold it."""
    if dtype.kind not in "iu" or np.iinfo(dtype).min <= int(number) <= np.iinfo(dtype).max:
        return None
    return f"{int(number)} does not fit {dtype}; convert the array first, as with astype(np.int64)"


def require_fit(number: Any, dtype: np.dtype[Any]) -> None:
    wrong = misfit(number, dtype)
    if wrong is not None:
        refuse_integer(wrong)


def as_type(trace: Trace, value: Value, dtype: np.dtype[Any], is_asked: bool = False, is_compared: bool = False) -> Value:
    """The value in the type of a loop, or in one that was asked for: then NumPy does not look at numbers. What is only
    compared may be beyond the largest float, as infinity."""
    known = trace.values[value.number]
    if isinstance(known.source, Argument) and known.weak is not None and dtype != BOOL:
        return trace.argument(known.source.index, dtype, known.shape, known.weak, known.least)
    number = constant_of(known)
    if number is None:
        if known.weak is int and dtype.kind in "iu" and not np.can_cast(known.dtype, dtype, "safe"):
            refuse(f"what is computed from integers without a type may not fit {dtype}; give it one, as with astype(np.{dtype})")
        if not is_asked and not _is_held(known, dtype):
            refuse(f"what is computed from NumPy's scalars may not fit {dtype}; give it the type, as with astype(np.{dtype})")
        return convert(trace, known, dtype)
    if known.weak is int:
        require_fit(number, dtype)
    with np.errstate(all="ignore"):
        converted = number.astype(dtype)
    if not is_compared and np.isinf(converted) and not np.isinf(float(number)):
        refuse(f"{number} is beyond {dtype}; convert the array first, as with astype(np.float32)")
    return trace.constant(converted, dtype, known.weak, known.least)
