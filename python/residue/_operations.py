"""What can be done to traced values: every ufunc of the list, by its own name and NumPy's, and what is made of several."""
from __future__ import annotations

import numpy as np

from residue._comparisons import COMPARISONS, compare_integer, compare_signs
from residue._integers import mixed_modulus, shift
from residue._trace import Argument, Node, Trace, Traced, Value, refuse
from residue._values import (BOOL, ENTRIES, NUMBER, as_bit, as_type, constant_of, convert, fits, formula_constant, make_node,
                             negate, require_fit, settle)

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

# NumPy's names for ours, and its aliases.
_NAMES = {entry["numpy"]: name for name, entry in ENTRIES.items() if entry["numpy"]}
_NAMES |= {entry["ufunc"].__name__: name for name, entry in ENTRIES.items()}
_NAMES |= {"true_divide": "divide"}
# A ufunc is known by what it is: others may have the same name.
_OF_UFUNC = {x: x.__name__ for x in vars(np).values() if isinstance(x, np.ufunc)}
_OF_UFUNC |= {entry["ufunc"]: name for name, entry in ENTRIES.items()}
# Whose answers are true or false.
_QUESTIONS = {name for name, entry in ENTRIES.items() if entry["loops"] and all(loop.endswith("?") for loop in entry["loops"])}
# Loops of truth values that NumPy has and the library computes as bytes, with the operator that does it.
_OF_TRUTHS = {"bitwise_and": "logical_and", "bitwise_or": "logical_or", "bitwise_xor": "logical_xor",
              "invert": "logical_not", "add": "logical_or", "multiply": "logical_and", "maximum": "logical_or",
              "minimum": "logical_and", **{name: name for name in COMPARISONS}}
_OPTIONS = {"dtype"}
_SHIFTS = ("left_shift", "right_shift")
_MOST_MULTIPLICATIONS = 64


def _choose(name: str, values: list[Value], wanted: np.dtype[Any] | None) -> list[np.dtype[Any]]:
    """The types of the first loop that the values fit, inputs and result, as NumPy chooses."""
    ufunc = ENTRIES[name]["ufunc"]
    settled = settle(values)
    if name == "divide" and wanted is None and all(value.dtype.kind in "biu" for value in settled):
        return [np.dtype(np.float64)] * 3
    for loop in ufunc.types:
        inputs, _, outputs = loop.partition("->")
        types = [np.dtype(code) for code in inputs + outputs]
        if types[0].kind == "O":  # takes everything, and computes nothing here
            continue
        if wanted is not None:
            if types[-1] == wanted and all(np.can_cast(value.dtype, dtype, "same_kind") or fits(value, dtype)
                                           for value, dtype in zip(settled, types)):
                return types
        elif all(fits(value, dtype) for value, dtype in zip(settled, types)):
            if types[0] != BOOL and all(value.dtype == BOOL for value in settled):
                _require_loop_of_truths(name, ufunc, len(settled))
            return types
    given = ", ".join(str(value.dtype) for value in settled)
    more = ""
    if ENTRIES[name]["rounds"]:
        more = f": it computes float16 and float32; {_what_widened(settled) or 'convert, as with astype(np.float32)'}"
    elif not any(np.dtype(loop[0]).kind == "f" for loop in ufunc.types):
        more = ": it computes integers; convert, as with astype(np.int64)"
    refuse(f"residue.{name} does not compute {given}{more}")


def _what_widened(values: list[Value]) -> str | None:
    """The single number of NumPy's that made float64 of arrays that are none, and what to write instead."""
    waiting = [value for value in values if value.dtype == np.float64]
    widened_by = None
    for value in waiting:  # which grows
        if isinstance(value.source, Node):
            waiting += [x for x in value.source.inputs if x.dtype == np.float64 and x not in waiting]
        elif value.weak is None:
            if value.shape:
                return None  # it was float64 before
            widened_by = value
    if widened_by is None:
        return None
    is_argument = isinstance(widened_by.source, Argument)
    what = f"argument {widened_by.source.index + 1}" if is_argument else f"np.float64({float(widened_by.source.array)})"
    return f"{what} is a number of NumPy's, which makes float64 of arrays: pass a float of Python's, as float(x)"


def _require_loop_of_truths(name: str, ufunc: Any, count: int) -> None:
    """NumPy does not subtract truth values, say, although it converts them to integers elsewhere."""
    try:
        ufunc(*[np.empty(0, bool)] * count)
    except TypeError:
        refuse(f"residue.{name} does not compute bool; convert, as with astype(np.int8)")


def _params(name: str, values: list[Value], dtype: np.dtype[Any]) -> bytes:
    """Params that are operands of the ufunc are constants here."""
    entry = ENTRIES[name]
    slot = len(entry["params"]) // len(values)
    packed = b""
    for value in values:
        number = constant_of(value)
        if number is None:
            refuse(f"the parameters of residue.{name} must be constants in a fused function")
        element = dtype if name in ("clip", "clip_grad") else np.dtype(np.float32)
        if number.dtype.kind in "biu":
            require_fit(number, element)
        as_element = number.astype(element)
        packed += as_element.tobytes().ljust(slot, b"\0")
    return packed


def _listed(trace: Trace, name: str, values: list[Value], wanted: np.dtype[Any] | None) -> Value:
    """An operator of the list."""
    entry = ENTRIES[name]
    if name == "clip" and any(constant_of(value) is None for value in values[1:]):
        return _bounded(trace, "maximum", _bounded(trace, "minimum", values[0], values[2], wanted), values[1], wanted)
    if wanted == BOOL and name in _QUESTIONS:
        wanted = None  # that is what the answers are, whatever is asked about
    if wanted is None and name.startswith("logical_"):
        values = [convert(trace, value, BOOL) for value in values]
    if wanted is None and name in COMPARISONS:
        for i in range(2):
            answer = compare_integer(trace, name, values, i)
            if answer is not None:
                return answer
    types = _choose(name, values, wanted)
    loop = "".join(dtype.char for dtype in types[:-1]) + "->" + types[-1].char
    inputs = [as_type(trace, value, dtype, wanted is not None, name in COMPARISONS)
              for value, dtype in zip(values[:entry["inputs"]], types)]
    if loop in entry["loops"]:
        if name in ("mod_floor", "mod_trunc") and types[0] != types[1]:
            return mixed_modulus(trace, name, inputs, types[-1])
        parameters = values[entry["inputs"]:]
        if not parameters:
            return make_node(trace, name, types[-1], *inputs)
        return trace.node(entry["operator"], types[-1], tuple(inputs), _params(name, parameters, types[0]))
    if types[0] == BOOL and name in _OF_TRUTHS:
        if name in COMPARISONS:
            inputs = [as_bit(trace, value) for value in inputs]
        return trace.node(NUMBER[_OF_TRUTHS[name]], types[-1], tuple(inputs))
    if name in COMPARISONS and {types[0].kind, types[1].kind} == {"i", "u"}:
        return compare_signs(trace, name, inputs)
    if name in ("absolute", "positive") and types[0].kind in "bu":
        return inputs[0]
    if name in _SHIFTS and types[0].kind == "i":
        return shift(trace, name, inputs)
    refuse(f"residue.{name} of {', '.join(str(dtype) for dtype in types[:-1])} cannot be fused")


def _bounded(trace: Trace, name: str, value: Value, bound: Value, wanted: np.dtype[Any] | None) -> Value:
    """The maximum or minimum of both; a bound that is NaN is none."""
    number = constant_of(bound)
    if number is not None and number.dtype.kind == "f" and np.isnan(number):
        return value
    result = _listed(trace, name, [value, bound], wanted)
    if result.dtype.kind != "f":
        return result
    is_none = _listed(trace, "isnan", [as_type(trace, bound, result.dtype)], None)
    return make_node(trace, "where", result.dtype, is_none, as_type(trace, value, result.dtype), result)


def _square(trace: Trace, values: list[Value]) -> Value:
    if values[0].dtype == BOOL:
        refuse("residue.square does not compute bool; convert, as with astype(np.int8)")
    return _listed(trace, "multiply", [values[0], values[0]], None)


def _not_equal(trace: Trace, values: list[Value]) -> Value:
    return negate(trace, _listed(trace, "equal", values, None))


def _isfinite(trace: Trace, values: list[Value]) -> Value:
    if values[0].dtype.kind != "f":
        return make_node(trace, "equal", BOOL, values[0], values[0])
    either = make_node(trace, "logical_or", BOOL, _listed(trace, "isnan", values, None), _listed(trace, "isinf", values, None))
    return negate(trace, either)


def _where(trace: Trace, values: list[Value]) -> Value:
    condition = convert(trace, values[0], BOOL)
    return _listed(trace, "where", [condition, values[1], values[2]], None)


def _floor_divide(trace: Trace, values: list[Value]) -> Value:
    """The quotient that goes with mod_floor, by the formula that residue.floor_divide has."""
    dtype = _choose("floor_divide", values, None)[-1]
    if dtype.kind not in "iuf":
        refuse(f"residue.floor_divide of {dtype} cannot be fused")
    a, b = (as_type(trace, value, dtype) for value in values)
    zero = formula_constant(trace, 0, dtype)
    if dtype.kind in "iu":
        rest = make_node(trace, "mod_trunc", dtype, a, b)
        quotient = trace.node(NUMBER["divide_trunc"], dtype, (a, b))
        if dtype.kind == "u":
            return quotient
        lower = _differs(trace, b, rest, zero)
        return make_node(trace, "subtract", dtype, quotient, convert(trace, lower, dtype))
    # Quotients by 0 are computed apart, so that nothing else warns of them: elsewhere they are 0 / 1.
    is_zero = make_node(trace, "equal", BOOL, b, zero)
    dividend = make_node(trace, "where", dtype, is_zero, zero, a)
    divisor = make_node(trace, "where", dtype, is_zero, formula_constant(trace, 1, dtype), b)
    rest = make_node(trace, "mod_trunc", dtype, dividend, divisor)
    wide = np.dtype(np.float32) if dtype == np.float16 else dtype
    a, b, dividend, divisor, rest = (convert(trace, x, wide) for x in (a, b, dividend, divisor, rest))
    floor = _floor_of_floats(trace, dividend, divisor, rest)
    infinite = make_node(trace, "divide", wide, a, b)
    return convert(trace, make_node(trace, "where", wide, is_zero, infinite, floor), dtype)


def _differs(trace: Trace, b: Value, rest: Value, zero: Value) -> Value:
    """Is there a remainder, with another sign than the divisor?"""
    signs = make_node(trace, "logical_xor", BOOL, make_node(trace, "less", BOOL, b, zero),
                      make_node(trace, "less", BOOL, rest, zero))
    some = negate(trace, make_node(trace, "equal", BOOL, rest, zero))
    return make_node(trace, "logical_and", BOOL, signs, some)


def _floor_of_floats(trace: Trace, a: Value, b: Value, rest: Value) -> Value:
    dtype = a.dtype

    def constant(number: float) -> Value:
        return formula_constant(trace, number, dtype)

    def node(name: str, *inputs: Value) -> Value:
        return make_node(trace, name, dtype, *inputs)

    zero = constant(0)
    quotient = node("divide", node("subtract", a, rest), b)
    quotient = node("where", _differs(trace, b, rest, zero), node("subtract", quotient, constant(1)), quotient)
    floor = node("floor", quotient)
    is_far = make_node(trace, "greater", BOOL, node("subtract", quotient, floor), constant(0.5))
    floor = node("where", is_far, node("add", floor, constant(1)), floor)
    # A quotient of 0 has the sign that the signs of both give: as bits.
    signed = node("bitwise_and", node("bitwise_xor", a, b), constant(-0.0))
    return node("where", make_node(trace, "equal", BOOL, quotient, zero), signed, floor)


def _power(trace: Trace, values: list[Value]) -> Value:
    """Some constant exponents are short cuts; float64 has no other power than these and multiplications."""
    base, exponent = values
    number = constant_of(exponent)
    if number is not None and base.dtype.kind == "f" and fits(exponent, base.dtype):
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
        return formula_constant(trace, number, base.dtype)
    lowest = make_node(trace, "equal", BOOL, base, constant(-np.inf))
    base = make_node(trace, "where", base.dtype, lowest, constant(np.inf), base)
    return make_node(trace, "sqrt", base.dtype, make_node(trace, "add", base.dtype, base, constant(0.0)))


def _operator_power(trace: Trace, values: list[Value]) -> Value:
    """Python's **, which is NumPy's square root where the exponent is 0.5."""
    number = constant_of(values[1])
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
        result = make_node(trace, "multiply", base.dtype, result, result)
        if bit == "1":
            result = make_node(trace, "multiply", base.dtype, result, base)
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
        if not (np.can_cast(value.dtype, wanted, "same_kind") or (value.weak is not None and fits(value, wanted))):
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
        both = inputs
        if len({value.dtype.kind for value in values} & {"i", "u"}) == 2 and _choose("floor_divide", values, wanted)[-1].kind == "f":
            both = tuple(convert(trace, value, np.dtype(np.float64)) for value in values)  # of which the quotient is one
        return (apply(trace, "floor_divide", both, options), apply(trace, "mod_floor", both, options))
    if name == "cast":
        return Traced(trace, convert(trace, values[0], values[1].dtype))
    if name in _MADE:
        count, make = _MADE[name]
        if len(values) != count:
            refuse(f"{name} takes {count} arrays, not {len(values)}")
        if wanted is not None and not (wanted == BOOL and name in ("not_equal", "isfinite")):
            _require_same_kind(name, values, wanted)
            values = [convert(trace, value, wanted) if value.weak is None else as_type(trace, value, wanted, is_asked=True)
                      for value in values]
        return Traced(trace, make(trace, values))
    if name not in ENTRIES:
        refuse(f"numpy.{name} is not known: what can be fused is in residue.ufuncs")
    if len(values) != ENTRIES[name]["ufunc"].nin:
        refuse(f"{name} takes {ENTRIES[name]['ufunc'].nin} arrays, not {len(values)}")
    return Traced(trace, _listed(trace, name, values, wanted))


def _round(trace: Trace, x: Any, decimals: int = 0, out: Any = None) -> Any:
    """As NumPy has it: to an integer between a multiplication by a power of ten and a division by it."""
    if out is not None:
        refuse("round(..., out=...) cannot be fused; return the value")
    value = trace.value_of(x)
    if value.dtype.kind in "iu" and decimals >= 0:
        return Traced(trace, value)
    if value.dtype.kind != "f" and decimals != 0:
        refuse(f"round of {value.dtype} to {decimals} decimals cannot be fused; convert, as with astype(np.float64)")
    if decimals == 0:
        return apply(trace, "rint", (x,), {})
    power = 10.0 ** abs(decimals)
    before, after = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    return apply(trace, after, (apply(trace, "rint", (apply(trace, before, (x, power), {}),), {}), power), {})


def apply_function(trace: Trace, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A function of NumPy's that is no ufunc."""
    from residue import functions
    if name == "where" and len(arguments) == 3 and not options:
        return apply(trace, "where", arguments, {})
    if name == "clip":
        renamed = {{"a_min": "min", "a_max": "max"}.get(key, key): value for key, value in options.items()}
        return functions.clip(*arguments, **renamed)
    if name in ("round", "around", "round_"):
        return _round(trace, *arguments, **options)
    if name in ("transpose", "matrix_transpose") and isinstance(arguments[0], Traced):
        return arguments[0].mT if name == "matrix_transpose" else arguments[0].transpose(*arguments[1:], *options.values())
    if name == "expand_dims" and options.get("axis", arguments[-1]) in (0, -1) and isinstance(arguments[0], Traced):
        return arguments[0][(None, ...) if options.get("axis", arguments[-1]) == 0 else (..., None)]
    if name == "astype" and len(arguments) == 2 and not options.keys() - {"copy"}:
        return Traced(trace, convert(trace, trace.value_of(arguments[0]), np.dtype(arguments[1])))
    refuse(f"numpy.{name} is not element-wise or not known, so it cannot be fused")
