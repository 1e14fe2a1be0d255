"""Comparisons and truth values: answers need no common type, so Python's integers of any size have them, and integers of
different signs do. Ufuncs, fused functions and expressions answer as NumPy 2 does."""
import operator

import numpy as np
import pytest

import residue
from operands import DTYPES, INTEGERS
from residue import _native

# The ufuncs of two operands whose answers are true or false: comparisons, and logical_and and its like.
QUESTIONS = [name for name, entry in _native.operators.items()
             if entry["numpy"] and entry["inputs"] == 2 and all(loop.endswith("?") for loop in entry["loops"] or ["-"])]
LOGICAL = [name for name in QUESTIONS if name.startswith("logical_")]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
NUMBERS = [0, 1, -1, 100, 127, 128, -128, -129, 255, 256, 300, -300, 65536, -32769, 2**24 + 1, 2**31 - 1, 2**31, 2**32, 2**53 + 1,
           2**63 - 1, 2**63, 2**64 - 1, 2**64, -2**63, -2**63 - 1, 10**30, -10**30]
IS_NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def elements(dtype):
    return np.array([0, 1, 100, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype)


def answered(call, *arguments):
    """What it gives, or the kind of error."""
    try:
        got = call(*arguments)
    except (TypeError, ArithmeticError, AttributeError) as error:  # of an object's lacking method, in NumPy 1
        return type(error)
    return type(got), np.asarray(got).dtype, np.asarray(got).tolist()


def test_the_questions_are_found():
    assert set(LOGICAL) == {"logical_and", "logical_or", "logical_xor"}
    assert set(QUESTIONS) - set(LOGICAL) == {"equal", "greater", "greater_equal", "less", "less_equal"}


@pytest.mark.parametrize("dtype", [*INTEGERS, "longlong", "ulonglong", "bool", "float16", "float32", "float64"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_ufuncs_answer_as_numpys(name, dtype):
    """Of whatever integer, in either order, for arrays and for scalars."""
    ours, numpys = getattr(residue, name), getattr(np, name)
    x = elements(dtype) if np.dtype(dtype).kind in "iu" else np.array([0, 1, 100], dtype)
    for number in NUMBERS:
        for arguments in ((x, number), (number, x), (x[2], number), (number, x[2]), (x[::-2].reshape(-1, 1), number)):
            assert answered(ours, *arguments) == answered(numpys, *arguments), arguments


@pytest.mark.skipif(not IS_NUMPY_2, reason="NumPy 1 computes in float64 what an int64 does not hold")
@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - set(LOGICAL)))
def test_comparisons_are_exact(name):
    compare = {"equal": operator.eq, "greater": operator.gt, "greater_equal": operator.ge, "less": operator.lt,
               "less_equal": operator.le}[name]
    for dtype in INTEGERS:
        x = elements(dtype)
        for number in NUMBERS:
            assert getattr(residue, name)(x, number).tolist() == [compare(v, number) for v in x.tolist()], (dtype, number)


@pytest.mark.parametrize("name", LOGICAL)
def test_truths_of_any_two_types(name):
    ours, numpys = getattr(residue, name), getattr(np, name)
    for left in [*DTYPES, "bool"]:
        for right in [*DTYPES, "bool"]:
            a, b = np.array([0, 3, 0, 5], left), np.array([0, 0, 7, 1], right)
            assert answered(ours, a, b) == answered(numpys, a, b), (left, right)
            fused = residue.fuse(lambda x, y: numpys(x, y))
            assert answered(fused, a, b) == answered(numpys, a, b), (left, right)


@pytest.mark.parametrize("dtype", [*DTYPES, "bool", "object"])
@pytest.mark.parametrize("name", LOGICAL)
def test_truths_reduce_and_accumulate(name, dtype):
    """Numbers too: NumPy takes each for true or false first."""
    ours, numpys = getattr(residue, name), getattr(np, name)
    x = np.array([[0, 3, 0, 5], [1, 2, 3, 4], [0, 0, 0, 0]], dtype)
    for axis in (0, 1, -1):
        for method in ("reduce", "accumulate"):
            for given in (x, x[::-1, ::2], x[:, :0]):
                assert answered(lambda: getattr(ours, method)(given, axis=axis)) == \
                    answered(lambda: getattr(numpys, method)(given, axis=axis)), (method, axis)
        assert answered(ours.reduce, x, axis) == answered(numpys.reduce, x, axis)
    assert answered(lambda: ours.reduce(x, axis=None)) == answered(lambda: numpys.reduce(x, axis=None))
    assert answered(lambda: ours.reduce(x, where=x != 3, initial=True)) == \
        answered(lambda: numpys.reduce(x, where=x != 3, initial=True))
    assert answered(lambda: ours.reduceat(x.ravel(), [0, 3, 2, 11])) == answered(lambda: numpys.reduceat(x.ravel(), [0, 3, 2, 11]))
    assert answered(ours.outer, x[0], x[1]) == answered(numpys.outer, x[0], x[1])


def test_other_types_have_numpys_answers():
    """Strings are compared, and times have truth values, where NumPy has them."""
    words, spans = np.array(["a", "b", ""]), np.array([0, 5, 7], "m8[s]")
    for name in QUESTIONS:
        ours, numpys = getattr(residue, name), getattr(np, name)
        for arguments in ((words, "a"), (words, words[::-1]), (words.astype("S"), b"a"), (words, 3), (spans, spans[::-1]), (spans, 0)):
            assert answered(ours, *arguments) == answered(numpys, *arguments), (name, arguments)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("compare", COMPARISONS)
def test_fused_comparisons_are_exact(compare, dtype):
    """Of constants, of arguments, which are not known when the function is traced, and of what is computed of these."""
    x = elements(dtype)
    forward, backward = residue.fuse(lambda x, n: compare(x, n)), residue.fuse(lambda x, n: compare(n, x))
    for number in NUMBERS:
        expected = [compare(v, number) for v in x.tolist()], [compare(number, v) for v in x.tolist()]
        given = forward(x, number), backward(x, number)
        constant = residue.fuse(lambda x: compare(x, number))(x), residue.fuse(lambda x: compare(number, x))(x)
        assert [got.dtype for got in given + constant] == [bool] * 4
        for i in range(2):
            assert given[i].tolist() == constant[i].tolist() == expected[i], number
        if -(2**62) < number < 2**62 and dtype != "uint64":
            computed = residue.fuse(lambda x, n: compare(x, n * 2))(x, number)
            assert computed.tolist() == [compare(v, number * 2) for v in x.tolist()], number


@pytest.mark.parametrize("compare", COMPARISONS)
def test_fused_comparisons_of_integers_with_and_without_a_sign(compare):
    """Exact with NumPy 2; NumPy 1 computes 64 bits in float64, and so do we."""
    fused = residue.fuse(lambda x, y: compare(x, y))
    for left in INTEGERS:
        for right in INTEGERS:
            x, y = elements(left)[:, None], elements(right)
            got = fused(x, y)
            assert got.tolist() == compare(x, y).tolist(), (left, right)
            if IS_NUMPY_2:
                assert got.tolist() == [[compare(v, w) for w in y.tolist()] for v in x.ravel().tolist()]


def test_fused_truths_of_any_integer():
    x = np.int8([0, 3])
    for number in NUMBERS:
        for numpys, expected in ((np.logical_and, [False, number != 0]), (np.logical_or, [number != 0, True]),
                                 (np.logical_xor, [number != 0, number == 0])):
            assert residue.fuse(lambda x, n: numpys(x, n))(x, number).tolist() == expected
            assert residue.fuse(lambda x: numpys(number, x))(x).tolist() == expected


def test_expressions_compare_with_any_integer():
    x = np.uint8([0, 44, 255])
    for text, expected in (("x == -1", [False] * 3), ("x < 300", [True] * 3), ("300 < x", [False] * 3), ("x != 10**19", [True] * 3),
                           ("logical_or(x, 300)", [True] * 3), ("(x >= 256) | (x == 44)", [False, True, False])):
        assert residue.compile_expression(text)(x).tolist() == expected, text
    assert residue.compile_expression("x > n")(x, 10**30).tolist() == [False] * 3


def test_floats_are_compared_with_what_is_beyond_them():
    x = np.float16([1, -np.inf, np.inf, np.nan])
    for number in (70000, -70000, 70000.0):
        for compare in COMPARISONS:
            expected = compare(x, np.float16(np.inf if number > 0 else -np.inf)).tolist()
            assert residue.fuse(lambda x: compare(x, number))(x).tolist() == expected


def test_arithmetic_with_them_is_refused():
    """An OverflowError as NumPy's, that names the line."""
    x = np.int8([1])
    for number in (128, -129, 300, 2**63, 10**30):
        for call in (lambda x, n: x + n, lambda x, n: n * x, lambda x, n: np.maximum(x, n), lambda x, n: x // n, lambda x, n: x & n,
                     lambda x, n: np.where(x < n, x, n), lambda x, n: (x == n) + (x + n)):
            with pytest.raises(OverflowError, match=r"test_questions\.py:\d+: .*does not fit"):
                residue.fuse(call)(x, number)
            with pytest.raises(residue.TraceError, match=r"test_questions\.py:\d+: .*does not fit"):
                residue.fuse(lambda x: call(x, number))(x)
    for number in (2**63, 2**64 - 1, 2**64, -2**63 - 1, 10**30):
        for call in (lambda n: n, lambda n: -n, lambda n: (n, n), lambda n: n + 1, lambda n: np.array([True]) + n,
                     lambda n: np.round(n), lambda n: np.where(n > 0, n, 0)):
            with pytest.raises(OverflowError, match="does not fit"):
                residue.fuse(call)(number)
        with pytest.raises(OverflowError, match="does not fit"):
            residue.fuse(lambda x: x.astype(bool) + number)(x)
    large = np.uint64([1, 2**63])
    for number in (2**63, 2**64 - 1):
        assert residue.fuse(lambda x, n: x | n)(large, number).tolist() == [int(v) | number for v in large]
        assert residue.fuse(lambda x: np.maximum(x, number))(large).tolist() == [number] * 2
        assert residue.fuse(lambda x, n: x * n)(np.float32([2]), number) == np.float32(2) * np.float32(number)
    with pytest.raises(OverflowError, match="'x [+] 300': 300 does not fit int8"):
        residue.compile_expression("x + 300")(x)
    if IS_NUMPY_2:
        for ufunc in (residue.add, residue.maximum, residue.bitwise_and):
            with pytest.raises(OverflowError):
                ufunc(x, 300)
