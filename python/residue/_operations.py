"""What can be done to traced values: every ufunc of the list, by its own name and NumPy's, and what is made of several."""
from __future__ import annotations

import operator

import numpy as np

from residue import _native
from residue._trace import KINDS, Argument, Node, Trace, Traced, Value, refuse, refuse_integer

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

_BOOL = np.dtype(bool)
_ENTRIES = _native.operators
_NUMBER = {name: entry["operator"] for name, entry in _ENTRIES.items()}
# NumPy's names for ours, and its aliases.
_NAMES = {entry["numpy"]: name for name, entry in _ENTRIES.items() if entry["numpy"]}
_NAMES |= {entry["ufunc"].__name__: name for name, entry in _ENTRIES.items()}
_NAMES |= {"true_divide": "divide"}
# A ufunc is known by what it is: others may have the same name.
_OF_UFUNC = {x: x.__name__ for x in vars(np).values() if isinstance(x, np.ufunc)}
_OF_UFUNC |= {entry["ufunc"]: name for name, entry in _ENTRIES.items()}
# Whose answers are true or false.
_QUESTIONS = {name for name, entry in _ENTRIES.items() if entry["loops"] and all(loop.endswith("?") for loop in entry["loops"])}
# What compares two operands, as Python does it.
_COMPARISONS = {"equal": operator.eq, "greater": operator.gt, "greater_equal": operator.ge, "less": operator.lt,
                "less_equal": operator.le}
# Loops of truth values that NumPy has and the library computes as bytes, with the operator that does it.
_OF_TRUTHS = {"bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_xor": "logical_xor",
              "invert": "logical_not", "add": "logical_or", "multiply": "logical_and", "maximum": "logical_or",
              "minimum": "logical_and", **{name: name for name in _COMPARISONS}}
_OPTIONS = {"dtype"}
# Whose operands may change places. What was computed last comes first: it may still be in registers.
_SYMMETRIC = {"add", "multiply", "maximum", "minimum", "equal", "mean", "bitwise_and", "bitwise_or", "bitwise_xor",
              "logical_and", "logical_or", "logical_xor", "difference_square"}
_MOST_MULTIPLICATIONS = 64


def _number(trace: Trace, number: float, dtype: np.dtype[Any]) -> Value:
    """Of a formula: what is computed of numbers without a type and of this has none either."""
    return trace.constant(number, dtype, KINDS[dtype.kind])


def convert(trace: Trace, value: Value, dtype: np.dtype[Any]) -> Value:
    """The value as elements of another type."""
    if value.dtype == dtype:
        return value
    number = _constant_of(value)
    if dtype == _BOOL and number is not None:
        return trace.constant(number.astype(_BOOL), _BOOL, None if value.weak is None else bool)
    if dtype == _BOOL:
        return _not(trace, _node(trace, "equal", _BOOL, value, _number(trace, 0, value.dtype)))
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        refuse(f"{dtype} cannot be computed in a fused function")
    return trace.node(_NUMBER["cast"], dtype, (_as_bit(trace, value),))


def _as_bit(trace: Trace, value: Value) -> Value:
    """A truth value as 0 or 1. The bytes of an array may be others, as of one that is a view of integers; what is computed
    of them never is, except by choosing."""
    is_given = isinstance(value.source, Argument)
    is_chosen = isinstance(value.source, Node) and value.source.operator == _NUMBER["where"]
    return _node(trace, "logical_or", _BOOL, value, value) if value.dtype == _BOOL and (is_given or is_chosen) else value


def _node(trace: Trace, name: str, dtype: Any, *inputs: Value) -> Value:
    if name in _SYMMETRIC:
        inputs = tuple(sorted(inputs, key=_lateness, reverse=True))
    return trace.node(_NUMBER[name], dtype, inputs, _ENTRIES[name]["params"])


def _lateness(value: Value) -> tuple[bool, int]:
    return isinstance(value.source, Node), value.number


def _not(trace: Trace, value: Value) -> Value:
    return _node(trace, "logical_not", _BOOL, value)


def _fits(value: Value, dtype: np.dtype[Any]) -> bool:
    """Would NumPy convert it without being asked? A number without a type goes to any type of its kind."""
    if value.weak is None:
        return np.can_cast(value.dtype, dtype, "safe")
    order = "biuf"
    kind = {bool: "b", int: "i", float: "f"}[value.weak]
    if dtype.kind not in order or order.index(kind) > order.index(dtype.kind):
        return False
    return isinstance(value.source, Node) or _is_held(value, dtype)  # what is computed of numbers is looked at by _as


def _is_held(value: Value, dtype: np.dtype[Any]) -> bool:
    """Is no number of this least type beyond the float?"""
    return value.least is None or dtype.kind != "f" or np.can_cast(value.least, dtype, "safe")


def _settle(values: list[Value]) -> list[Value]:
    """Numbers without a type have their own if there is nothing whose type they could take."""
    strong = [value for value in values if value.weak is None]
    rank = {"b": 0, "i": 1, "u": 1, "f": 2}
    highest = max((rank.get(value.dtype.kind, 3) for value in strong), default=-1)
    ranks = {bool: 0, int: 1, float: 2}
    return [value if value.weak is None or ranks[value.weak] <= highest
            else Value(value.number, value.dtype, value.shape, None, value.source)
            for value in values]


def _constant_of(value: Value) -> Any:
    array = getattr(value.source, "array", None)
    return array if array is not None and array.ndim == 0 else None


def misfit(number: Any, dtype: np.dtype[Any]) -> str | None:
    """What is wrong with an integer without a type that takes this one, if it does not hold it."""
    if dtype.kind not in "iu" or np.iinfo(dtype).min <= int(number) <= np.iinfo(dtype).max:
        return None
    return f"{int(number)} does not fit {dtype}; convert the array first, as with astype(np.int64)"


def _check_constant(number: Any, dtype: np.dtype[Any]) -> None:
    wrong = misfit(number, dtype)
    if wrong is not None:
        refuse_integer(wrong)


def _as(trace: Trace, value: Value, dtype: np.dtype[Any], is_asked: bool = False, is_compared: bool = False) -> Value:
    """The value in the type of a loop, or in one that was asked for: then NumPy does not look at numbers. What is only
    compared may be beyond the largest float, as infinity."""
    known = trace.values[value.number]
    if isinstance(known.source, Argument) and known.weak is not None and dtype != _BOOL:
        return trace.argument(known.source.index, dtype, known.shape, known.weak, known.least)
    number = _constant_of(known)
    if number is None:
        if known.weak is int and dtype.kind in "iu" and not np.can_cast(known.dtype, dtype, "safe"):
            refuse(f"what is computed from integers without a type may not fit {dtype}; give it one, as with astype(np.{dtype})")
        if not is_asked and not _is_held(known, dtype):
            refuse(f"what is computed from NumPy's scalars may not fit {dtype}; give it the type, as with astype(np.{dtype})")
        return convert(trace, known, dtype)
    if known.weak is int:
        _check_constant(number, dtype)
    with np.errstate(all="ignore"):
        converted = number.astype(dtype)
    if not is_compared and np.isinf(converted) and not np.isinf(float(number)):
        refuse(f"{number} is beyond {dtype}; convert the array first, as with astype(np.float32)")
    return trace.constant(converted, dtype, known.weak, known.least)


def _choose(name: str, values: list[Value], wanted: np.dtype[Any] | None) -> list[np.dtype[Any]]:
    """The types of the first loop that the values fit, inputs and result, as NumPy chooses."""
    ufunc = _ENTRIES[name]["ufunc"]
    settled = _settle(values)
    if name == "divide" and wanted is None and all(value.dtype.kind in "biu" for value in settled):
        return [np.dtype(np.float64)] * 3
    for loop in ufunc.types:
        inputs, _, outputs = loop.partition("->")
        types = [np.dtype(code) for code in inputs + outputs]
        if wanted is not None:
            if types[-1] == wanted and all(np.can_cast(value.dtype, dtype, "same_kind") or _fits(value, dtype)
                                           for value, dtype in zip(settled, types)):
                return types
        elif all(_fits(value, dtype) for value, dtype in zip(settled, types)):
            if types[0] != _BOOL and all(value.dtype == _BOOL for value in settled):
                _require_loop_of_truths(name, ufunc, len(settled))
            return types
    given = ", ".join(str(value.dtype) for value in settled)
    more = ""
    if _ENTRIES[name]["rounds"]:
        more = ": it computes float16 and float32; convert, as with astype(np.float32)"
    refuse(f"residue.{name} does not compute {given}{more}")


def _require_loop_of_truths(name: str, ufunc: Any, count: int) -> None:
    """NumPy does not subtract truth values, say, although it converts them to integers elsewhere."""
    try:
        ufunc(*[np.empty(0, bool)] * count)
    except TypeError:
        refuse(f"residue.{name} does not compute bool; convert, as with astype(np.int8)")


def _params(name: str, values: list[Value], dtype: np.dtype[Any]) -> bytes:
    """Params that are operands of the ufunc are constants here."""
    entry = _ENTRIES[name]
    slot = len(entry["params"]) // len(values)
    packed = b""
    for value in values:
        number = _constant_of(value)
        if number is None:
            refuse(f"the parameters of residue.{name} must be constants in a fused function")
        element = dtype if name in ("clip", "clip_grad") else np.dtype(np.float32)
        if number.dtype.kind in "biu":
            _check_constant(number, element)
        as_element = number.astype(element)
        packed += as_element.tobytes().ljust(slot, b"\0")
    return packed


def _listed(trace: Trace, name: str, values: list[Value], wanted: np.dtype[Any] | None) -> Value:
    """An operator of the list."""
    entry = _ENTRIES[name]
    if name == "clip" and any(_constant_of(value) is None for value in values[1:]):
        return _bounded(trace, "maximum", _bounded(trace, "minimum", values[0], values[2], wanted), values[1], wanted)
    if wanted == _BOOL and name in _QUESTIONS:
        wanted = None  # that is what the answers are, whatever is asked about
    if wanted is None and name.startswith("logical_"):
        values = [convert(trace, value, _BOOL) for value in values]
    if wanted is None and name in _COMPARISONS:
        for i in range(2):
            answer = _compare_integer(trace, name, values, i)
            if answer is not None:
                return answer
    types = _choose(name, values, wanted)
    loop = "".join(dtype.char for dtype in types[:-1]) + "->" + types[-1].char
    inputs = [_as(trace, value, dtype, wanted is not None, name in _COMPARISONS)
              for value, dtype in zip(values[:entry["inputs"]], types)]
    if loop in entry["loops"]:
        if name in ("mod_floor", "mod_trunc") and types[0] != types[1]:
            refuse(f"residue.{name} of {types[0]} and {types[1]} cannot be fused; convert one of them")
        parameters = values[entry["inputs"]:]
        if not parameters:
            return _node(trace, name, types[-1], *inputs)
        return trace.node(entry["operator"], types[-1], tuple(inputs), _params(name, parameters, types[0]))
    if types[0] == _BOOL and name in _OF_TRUTHS:
        if name in _COMPARISONS:
            inputs = [_as_bit(trace, value) for value in inputs]
        return trace.node(_NUMBER[_OF_TRUTHS[name]], types[-1], tuple(inputs))
    if name in _COMPARISONS and {types[0].kind, types[1].kind} == {"i", "u"}:
        return _compare_signs(trace, name, inputs)
    if name in ("absolute", "positive") and types[0].kind in "bu":
        return inputs[0]
    if name in ("left_shift", "right_shift"):
        refuse(f"residue.{name} of {types[0]} cannot be fused; convert, as with astype(np.uint64)")
    refuse(f"residue.{name} of {', '.join(str(dtype) for dtype in types[:-1])} cannot be fused")


def _compare_integer(trace: Trace, name: str, values: list[Value], i: int) -> Value | None:
    """The comparison of integers with number i, if that has no type and those need not hold it."""
    integer, other = trace.values[values[i].number], values[1 - i]
    if integer.weak is not int or other.dtype.kind not in "iu":
        return None
    number, another = _constant_of(integer), _constant_of(other)
    if number is None:
        # What is computed of such numbers is an int64.
        if not isinstance(integer.source, Node) or not np.can_cast(other.dtype, integer.dtype, "safe"):
            return None
        wide = [convert(trace, value, integer.dtype) for value in values]
        return _node(trace, name, _BOOL, *wide)
    if misfit(number, other.dtype) is None:
        return None
    # All that the type holds is on the same side of the number.
    side = int(np.iinfo(other.dtype).min if another is None else another)
    numbers = (int(number), side) if i == 0 else (side, int(number))
    answer = _COMPARISONS[name](*numbers)
    if another is not None:
        return trace.constant(answer, _BOOL, bool if other.weak else None)
    return _node(trace, "equal" if answer else "greater", _BOOL, other, other)


def _compare_signs(trace: Trace, name: str, values: list[Value]) -> Value:
    """The comparison of integers of which one has a sign: below 0 it is less than any other, and else it has none."""
    i = 0 if values[0].dtype.kind == "i" else 1
    zero = _number(trace, 0, values[i].dtype)
    positive = convert(trace, _node(trace, "maximum", values[i].dtype, values[i], zero), values[1 - i].dtype)
    answer = _node(trace, name, _BOOL, *((positive, values[1]) if i == 0 else (values[0], positive)))
    is_less = _node(trace, "less", _BOOL, values[i], zero)
    if _COMPARISONS[name](*((0, 1) if i == 0 else (1, 0))):  # what is less is an answer
        return _node(trace, "logical_or", _BOOL, is_less, answer)
    return _node(trace, "logical_and", _BOOL, _not(trace, is_less), answer)


def _bounded(trace: Trace, name: str, value: Value, bound: Value, wanted: np.dtype[Any] | None) -> Value:
    """The maximum or minimum of both; a bound that is NaN is none."""
    number = _constant_of(bound)
    if number is not None and number.dtype.kind == "f" and np.isnan(number):
        return value
    result = _listed(trace, name, [value, bound], wanted)
    if result.dtype.kind != "f":
        return result
    limit = _as(trace, bound, result.dtype)
    return _node(trace, "where", result.dtype, _listed(trace, "isnan", [limit], None), _as(trace, value, result.dtype), result)


def _square(trace: Trace, values: list[Value]) -> Value:
    if values[0].dtype == _BOOL:
        refuse("residue.square does not compute bool; convert, as with astype(np.int8)")
    return _listed(trace, "multiply", [values[0], values[0]], None)


def _not_equal(trace: Trace, values: list[Value]) -> Value:
    return _not(trace, _listed(trace, "equal", values, None))


def _isfinite(trace: Trace, values: list[Value]) -> Value:
    if values[0].dtype.kind != "f":
        return _node(trace, "equal", _BOOL, values[0], values[0])
    either = _node(trace, "logical_or", _BOOL, _listed(trace, "isnan", values, None), _listed(trace, "isinf", values, None))
    return _not(trace, either)


def _where(trace: Trace, values: list[Value]) -> Value:
    condition = convert(trace, values[0], _BOOL)
    return _listed(trace, "where", [condition, values[1], values[2]], None)


def _floor_divide(trace: Trace, values: list[Value]) -> Value:
    """The quotient that goes with mod_floor, by the formula that residue.floor_divide has."""
    dtype = _choose("floor_divide", values, None)[-1]
    if dtype.kind not in "iuf":
        refuse(f"residue.floor_divide of {dtype} cannot be fused")
    a, b = (_as(trace, value, dtype) for value in values)
    zero = _number(trace, 0, dtype)
    if dtype.kind in "iu":
        rest = _node(trace, "mod_trunc", dtype, a, b)
        quotient = trace.node(_NUMBER["divide_trunc"], dtype, (a, b))
        if dtype.kind == "u":
            return quotient
        lower = _differs(trace, b, rest, zero)
        return _node(trace, "subtract", dtype, quotient, convert(trace, lower, dtype))
    # Quotients by 0 are computed apart, so that nothing else warns of them: elsewhere they are 0 / 1.
    is_zero = _node(trace, "equal", _BOOL, b, zero)
    dividend = _node(trace, "where", dtype, is_zero, zero, a)
    divisor = _node(trace, "where", dtype, is_zero, _number(trace, 1, dtype), b)
    rest = _node(trace, "mod_trunc", dtype, dividend, divisor)
    wide = np.dtype(np.float32) if dtype == np.float16 else dtype
    a, b, dividend, divisor, rest = (convert(trace, x, wide) for x in (a, b, dividend, divisor, rest))
    floor = _floor_of_floats(trace, dividend, divisor, rest)
    infinite = _node(trace, "divide", wide, a, b)
    return convert(trace, _node(trace, "where", wide, is_zero, infinite, floor), dtype)


def _differs(trace: Trace, b: Value, rest: Value, zero: Value) -> Value:
    """Is there a remainder, with another sign than the divisor?"""
    signs = _node(trace, "logical_xor", _BOOL, _node(trace, "less", _BOOL, b, zero), _node(trace, "less", _BOOL, rest, zero))
    some = _not(trace, _node(trace, "equal", _BOOL, rest, zero))
    return _node(trace, "logical_and", _BOOL, signs, some)


def _floor_of_floats(trace: Trace, a: Value, b: Value, rest: Value) -> Value:
    dtype = a.dtype

    def constant(number: float) -> Value:
        return _number(trace, number, dtype)

    def node(name: str, *inputs: Value) -> Value:
        return _node(trace, name, dtype, *inputs)

    zero = constant(0)
    quotient = node("divide", node("subtract", a, rest), b)
    quotient = node("where", _differs(trace, b, rest, zero), node("subtract", quotient, constant(1)), quotient)
    floor = node("floor", quotient)
    is_far = _node(trace, "greater", _BOOL, node("subtract", quotient, floor), constant(0.5))
    floor = node("where", is_far, node("add", floor, constant(1)), floor)
    # A quotient of 0 has the sign that the signs of both give: as bits.
    signed = node("bitwise_and", node("bitwise_xor", a, b), constant(-0.0))
    return node("where", _node(trace, "equal", _BOOL, quotient, zero), signed, floor)


def _power(trace: Trace, values: list[Value]) -> Value:
    """Some constant exponents are short cuts; float64 has no other power than these and multiplications."""
    base, exponent = values
    number = _constant_of(exponent)
    if number is not None and base.dtype.kind == "f" and _fits(exponent, base.dtype):
        plain = {1.0: "positive", -1.0: "reciprocal"}.get(float(number))
        if float(number) == 2.0:
            return _square(trace, [base])
        if float(number) == 0.5:
            return _root(trace, base)
        if plain is not None:
            return _listed(trace, plain, [base], None)
        if base.dtype == np.float64:
            return _by_multiplications(trace, base, float(number))
    return _listed(trace, "power", values, None)


def _root(trace: Trace, base: Value) -> Value:
    """The power 0.5: a square root, except of -0 and of minus infinity."""
    def constant(number: float) -> Value:
        return _number(trace, number, base.dtype)
    lowest = _node(trace, "equal", _BOOL, base, constant(-np.inf))
    base = _node(trace, "where", base.dtype, lowest, constant(np.inf), base)
    return _node(trace, "sqrt", base.dtype, _node(trace, "add", base.dtype, base, constant(0.0)))


def _operator_power(trace: Trace, values: list[Value]) -> Value:
    """Python's **, which is NumPy's square root where the exponent is 0.5."""
    number = _constant_of(values[1])
    if number is not None and values[0].dtype.kind == "f" and float(number) == 0.5:
        return _listed(trace, "sqrt", [values[0]], None)
    return _power(trace, values)


def _fabs(trace: Trace, values: list[Value]) -> Value:
    """Of integers too, as the float that holds them."""
    dtype = values[0].dtype
    if dtype.kind != "f":
        dtype = next(np.dtype(code) for code in "efd" if code == "d" or np.can_cast(dtype, code, "safe"))
    return _listed(trace, "absolute", [convert(trace, values[0], dtype)], None)


def _by_multiplications(trace: Trace, base: Value, exponent: float) -> Value:
    if not exponent.is_integer() or not 0 < exponent <= _MOST_MULTIPLICATIONS:
        refuse(f"residue.power of float64 computes exponents of 0.5, -1 and 1 to {_MOST_MULTIPLICATIONS}, not {exponent:g}; "
               "convert, as with astype(np.float32)")
    # By squaring: of the exponent's bits, the highest first.
    result = base
    for bit in f"{int(exponent):b}"[1:]:
        result = _node(trace, "multiply", base.dtype, result, result)
        if bit == "1":
            result = _node(trace, "multiply", base.dtype, result, base)
    return result


_MADE: dict[str, tuple[int, Callable[[Trace, list[Value]], Value]]] = {
    "square": (1, _square), "not_equal": (2, _not_equal), "isfinite": (1, _isfinite), "where": (3, _where),
    "floor_divide": (2, _floor_divide), "power": (2, _power), "**": (2, _operator_power), "fabs": (1, _fabs),
}


def name_of(ufunc: np.ufunc) -> str:
    name = _OF_UFUNC.get(ufunc)
    if name is None:
        refuse(f"the ufunc {ufunc.__name__} is neither NumPy's nor Residue's, so it cannot be fused")
    return name


def _require_same_kind(name: str, values: list[Value], wanted: np.dtype[Any]) -> None:
    for value in values:
        if not (np.can_cast(value.dtype, wanted, "same_kind") or (value.weak is not None and _fits(value, wanted))):
            refuse(f"{name}(..., dtype={wanted}) of {value.dtype} is not what NumPy converts by itself; convert, as with "
                   f"astype(np.{wanted})")


def apply(trace: Trace, name: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A ufunc, by its own name or NumPy's."""
    if options.get("casting") == "same_kind":  # as it is without
        options = {key: value for key, value in options.items() if key != "casting"}
    unknown = {key for key, value in options.items() if value is not None} - _OPTIONS
    if unknown:
        refuse(f"{name}(..., {sorted(unknown)[0]}=...) cannot be fused; use residue.where, or return the value")
    name = _NAMES.get(name, name)
    values = [trace.value_of(x) for x in inputs]
    wanted = None if options.get("dtype") is None else np.dtype(options["dtype"])
    if name == "divmod":
        return (apply(trace, "floor_divide", inputs, options), apply(trace, "mod_floor", inputs, options))
    if name == "cast":
        return Traced(trace, convert(trace, values[0], values[1].dtype))
    if name in _MADE:
        count, make = _MADE[name]
        if len(values) != count:
            refuse(f"{name} takes {count} arrays, not {len(values)}")
        if wanted is not None and not (wanted == _BOOL and name in ("not_equal", "isfinite")):
            _require_same_kind(name, values, wanted)
            values = [convert(trace, value, wanted) if value.weak is None else _as(trace, value, wanted, is_asked=True) for value in values]
        return Traced(trace, make(trace, values))
    if name not in _ENTRIES:
        refuse(f"numpy.{name} is not known: what can be fused is in residue.ufuncs")
    if len(values) != _ENTRIES[name]["ufunc"].nin:
        refuse(f"{name} takes {_ENTRIES[name]['ufunc'].nin} arrays, not {len(values)}")
    return Traced(trace, _listed(trace, name, values, wanted))


def apply_function(trace: Trace, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A function of NumPy's that is no ufunc."""
    from residue import functions
    if name == "where" and len(arguments) == 3 and not options:
        return apply(trace, "where", arguments, {})
    if name == "clip":
        renamed = {{"a_min": "min", "a_max": "max"}.get(key, key): value for key, value in options.items()}
        return functions.clip(*arguments, **renamed)
    if name in ("round", "around", "round_") and len(arguments) == 1 and not options:
        value = trace.value_of(arguments[0])
        return Traced(trace, value) if value.dtype.kind in "iu" else apply(trace, "rint", arguments, {})
    refuse(f"numpy.{name} is not element-wise or not known, so it cannot be fused")
