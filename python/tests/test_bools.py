"""Truth values whose bytes are others than 0 and 1, as of a view of integers: every operator takes all but 0 for true, as
NumPy's do."""
import operator

import numpy as np
import pytest

import residue
from residue import _native

BYTES = np.array([2, 1, 0, 255, 128, 0, 254, 1], np.uint8)
RAW = BYTES.view(bool)
PLAIN = BYTES != 0
NAMES = sorted(_native.operators)
CODES = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.and_, operator.or_, operator.xor,
         operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
         operator.lshift, operator.rshift, divmod]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def contents(call, *arguments):
    """What it gives, truth values as such; or the kind of error."""
    try:
        results = call(*arguments)
    except TypeError as error:
        return type(error)
    arrays = [np.asarray(x) for x in (results if isinstance(results, tuple) else (results,))]
    return [(x.dtype, (x.view(np.uint8) != 0).tolist() if x.dtype == bool else x.tobytes()) for x in arrays]


def choices(count):
    """Operands of which some are such truth values and others are plain, with the plain ones alone."""
    for which in range(1, 2**count):
        for other in (np.roll(PLAIN, 1), np.arange(8, dtype=np.float32), np.arange(8, dtype=np.int8)):
            yield ([np.roll(RAW, 3 * i) if which >> i & 1 else other for i in range(count)],
                   [np.roll(PLAIN, 3 * i) if which >> i & 1 else other for i in range(count)])


@pytest.mark.parametrize("name", NAMES)
def test_ufuncs(name):
    ufunc = _native.operators[name]["ufunc"]
    for raw, plain in choices(ufunc.nin):
        assert contents(ufunc, *raw) == contents(ufunc, *plain)
    for raw, plain in choices(min(ufunc.nin, 2)):
        if ufunc.nin == 2 and ufunc.nout == 1:
            assert contents(ufunc.reduce, raw[0]) == contents(ufunc.reduce, plain[0])
            assert contents(ufunc.outer, *raw) == contents(ufunc.outer, *plain)


@pytest.mark.parametrize("name", NAMES)
def test_fused(name):
    """As arguments, as constants, and where others have chosen them."""
    ufunc = _native.operators[name]["ufunc"]
    fused = residue.fuse(lambda *x: ufunc(*x))
    chosen = residue.fuse(lambda *x: ufunc(*(np.where(PLAIN, value, value) for value in x)))
    for raw, plain in choices(ufunc.nin):
        expected = contents(fused, *plain)
        assert contents(fused, *raw) == contents(chosen, *raw) == expected
        assert contents(residue.fuse(lambda x: ufunc(x, *raw[1:])), raw[0]) == contents(
            residue.fuse(lambda x: ufunc(x, *plain[1:])), plain[0])


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.__name__)
def test_pythons_operators(code):
    fused = residue.fuse(lambda x, y: code(x, y))
    for raw, plain in choices(2):
        assert contents(fused, *raw) == contents(fused, *plain)
    for other in (True, False, 1, 0.5):
        assert contents(fused, RAW, other) == contents(fused, PLAIN, other)
        assert contents(fused, other, RAW) == contents(fused, other, PLAIN)
    got = contents(fused, RAW, np.roll(RAW, 1))
    assert got is residue.TraceError or got == contents(code, PLAIN, np.roll(PLAIN, 1))


def test_conversions_and_numpys_functions():
    for call in (lambda x: x.astype(np.int16), lambda x: x.astype(np.float32), lambda x: x.astype(bool), lambda x: ~x, lambda x: abs(x),
                 lambda x: x.copy(), lambda x: np.where(x, x, False), lambda x: np.clip(x, False, x), lambda x: np.not_equal(x, x),
                 lambda x: np.isfinite(x), lambda x: residue.cast(x, np.float32), lambda x: residue.cast(x, bool),
                 lambda x: residue.relu(x.astype(np.int8)), lambda x: np.square(x.astype(np.float16))):
        fused = residue.fuse(call)
        assert contents(fused, RAW) == contents(fused, PLAIN)
    many = np.tile(RAW, 1000)
    for to in "?bBhHiIlLefd":
        for raw in (RAW, RAW[::-3], many, many[1::2]):
            assert contents(residue.cast, raw, to) == contents(raw.astype, to)
    assert residue.fuse(lambda m: m == True)(RAW).tolist() == PLAIN.tolist()
