"""NumPy's ufuncs against residue's and against fused functions: arrays, scalars and 0-d arrays of every type with each other
and with Python's numbers. Types, shapes, values and errors are the same, except for what the guide lists with its reason."""
import itertools
import pathlib

import numpy as np
import pytest

import residue
from conftest import SEED, by_tier

TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]
UFUNCS = {"add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide", "remainder": "mod_floor",
          "fmod": "mod_trunc", "floor_divide": "floor_divide", "maximum": "maximum", "minimum": "minimum", "less": "less",
          "equal": "equal", "greater_equal": "greater_equal", "bitwise_and": "bitwise_and", "logical_or": "logical_or",
          "left_shift": "left_shift", "power": "power", "divmod": "divmod"}
PYTHONS = [True, 3, -3, 300, 70000, 2**40, 2**63, 2**64 - 1, 2**70, -2**70, 2.5, 1e39, float("inf"), float("nan"), 65520.0]
OPERANDS = [*(np.array([1, 0, 1] if name == "bool" else [1, 2, 3], name) for name in TYPES),
            *(np.dtype(name).type(2) for name in TYPES), *(np.array(2, name) for name in TYPES), *PYTHONS]
CALLS = [("ufunc", name) for name in UFUNCS] + [("fuse", name) for name in [*UFUNCS, "not_equal"]]
STEP = by_tier(8, 3, 1)  # of all pairs, one in so many
IS_NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
pytestmark = pytest.mark.filterwarnings("ignore")


def outcome(function, a, b):
    """The results, or the error."""
    with np.errstate(all="ignore"):
        try:
            results = function(a, b)
        except Exception as error:
            return error
    return results if isinstance(results, tuple) else (results,)


def kind_of(result):
    return isinstance(result, np.ndarray), str(getattr(result, "dtype", type(result))), np.shape(result)


def bits(result):
    """Those of its elements, but that zeros have no signs, and NaNs are one."""
    array = np.asarray(result)
    if array.dtype.kind == "O":
        return repr(array.tolist())
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array) + np.array(0, array.dtype)
    return array.tobytes()


def are_same(numpys, ours):
    """An error of ours may say more than NumPy's, but whoever catches NumPy's catches it."""
    if isinstance(numpys, Exception) or isinstance(ours, Exception):
        return isinstance(numpys, Exception) and isinstance(ours, type(numpys))
    return list(map(kind_of, numpys)) == list(map(kind_of, ours)) and list(map(bits, numpys)) == list(map(bits, ours))


def is_python(operand):
    return type(operand) in (bool, int, float)


def is_held(number, other):
    """Whether int64 and the type of the other operand have this number of Python's."""
    if type(number) is int and not -2**63 <= number < 2**63:
        return False
    if is_python(other) or other.dtype.kind == "b":
        return True
    if other.dtype.kind == "f":
        return np.can_cast(np.min_scalar_type(number), other.dtype)
    return type(number) is not int or np.iinfo(other.dtype).min <= number <= np.iinfo(other.dtype).max


def all_are_held(a, b):
    return (not is_python(a) or is_held(a, b)) and (not is_python(b) or is_held(b, a))


def are_integers(operands):
    return all(type(operand) is int if is_python(operand) else operand.dtype.kind in "iu" for operand in operands)


def gives(outcome, *dtypes):
    return not isinstance(outcome, Exception) and all(str(np.asarray(result).dtype) in dtypes for result in outcome)


# What differs: the guide's words for it, a call that shows it, and which calls it is true of.
DIFFERENCES = {
    "`power` in float64": (
        ("ufunc", "power", np.float64(2), np.float64(2)),
        lambda mode, name, operands, numpys, ours:
            name == "power" and isinstance(ours, TypeError) and gives(numpys, "float64")),
    "`power` in float16 and float32": (
        ("ufunc", "power", np.array([1, 2, 3], np.float32), -3),
        lambda mode, name, operands, numpys, ours: name == "power" and any(
            gives(ours, dtype) and gives(numpys, dtype) for dtype in ("float16", "float32"))),
    "`power` of integers with negative exponents": (
        ("ufunc", "power", np.int8(2), -3),
        lambda mode, name, operands, numpys, ours:
            name == "power" and isinstance(numpys, ValueError) and operands[1] < 0),
    "moduli of an int64 and a uint64": (
        ("ufunc", "remainder", np.uint64(7), np.int64(2)),
        lambda mode, name, operands, numpys, ours:
            name in ("remainder", "fmod", "divmod") and gives(numpys, "float64") and are_integers(operands)
            and gives(ours, "int64", "uint64")),
    "fused `logical_or` and its like, with NumPy 2": (
        ("fuse", "logical_or", np.array([1, 2, 3], np.int8), 2**63),
        lambda mode, name, operands, numpys, ours:
            IS_NUMPY_2 and mode == "fuse" and name == "logical_or" and isinstance(numpys, OverflowError) and gives(ours, "bool")),
    "fused functions of Python's numbers, with NumPy 1": (
        ("fuse", "add", np.array([1, 2, 3], np.int8), 300),
        lambda mode, name, operands, numpys, ours:
            not IS_NUMPY_2 and mode == "fuse" and not all_are_held(*operands)),
}


def explain(mode, name, operands, numpys, ours):
    return next((words for words, (_, holds) in DIFFERENCES.items() if holds(mode, name, operands, numpys, ours)), None)


def is_endless(name, operands):
    """NumPy 1 computes with Python's integers what no type holds: powers and shifts of billions of digits."""
    return not IS_NUMPY_2 and name in ("power", "left_shift") and any(np.asarray(operand).dtype == object for operand in operands)


def both(mode, name, operands):
    """What NumPy makes of the operands, and what we do."""
    ufunc = getattr(np, name)
    own = getattr(residue, UFUNCS[name]) if mode == "ufunc" else residue.fuse(lambda a, b: ufunc(a, b))
    return outcome(ufunc, *operands), outcome(own, *operands)


@pytest.mark.parametrize("mode, name", CALLS)
def test_as_numpy(mode, name):
    pairs = [operands for operands in itertools.product(OPERANDS, repeat=2) if not is_endless(name, operands)]
    unexplained = []
    for operands in pairs[SEED % STEP::STEP]:
        numpys, ours = both(mode, name, operands)
        if not are_same(numpys, ours) and explain(mode, name, operands, numpys, ours) is None:
            unexplained.append((operands, numpys, ours))
    assert not unexplained, f"{len(unexplained)} calls differ, such as {unexplained[::max(1, len(unexplained) // 10)]}"


@pytest.mark.parametrize("words", DIFFERENCES)
def test_listed_differences_are_there(words):
    guide = (pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "guides" / "python.md").read_text(encoding="utf-8")
    assert f"| {words} |" in guide
    if words.endswith("with NumPy 1") and IS_NUMPY_2 or words.endswith("with NumPy 2") and not IS_NUMPY_2:
        pytest.skip("of another NumPy")
    mode, name, *operands = DIFFERENCES[words][0]
    numpys, ours = both(mode, name, operands)
    assert not are_same(numpys, ours) and explain(mode, name, operands, numpys, ours) == words
