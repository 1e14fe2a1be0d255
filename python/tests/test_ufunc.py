"""Everything a NumPy ufunc does, done by ours as by NumPy's."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import numpy.lib.stride_tricks
import numpy.testing
import pytest

import residue
from operands import DTYPES, assert_same, random_pairs

PAIRS = [(residue.mod_floor, np.remainder), (residue.mod_trunc, np.fmod)]
pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning"), pytest.mark.parametrize("ours, numpys", PAIRS)]


def test_they_are_ufuncs(ours, numpys):
    assert isinstance(ours, np.ufunc)
    assert (ours.nin, ours.nout, ours.identity, ours.signature) == (2, 1, None, None)
    # All of NumPy's, and an int64 with a uint64.
    others = set(ours.types) - set(numpys.types)
    assert set(numpys.types) < set(ours.types) and all({*loop[:2].lower()} <= {*"lq"} for loop in others)
    assert ours.__doc__.startswith(f"{ours.__name__}(x1, x2, /, out=None, *, where=True")


@pytest.mark.parametrize("dtype", DTYPES)
def test_out(ours, numpys, dtype):
    a, b = random_pairs(dtype, 1000)
    expected = numpys(a, b)
    out = np.zeros_like(a)
    assert ours(a, b, out) is out
    assert_same(out, expected)
    assert ours(a, b, out=(out[::-1],)).base is out
    assert_same(out[::-1], expected)
    with pytest.raises(ValueError):
        ours(a, b, out=np.zeros(3, dtype))
    with pytest.raises(ValueError, match="read-only"):
        fixed = np.zeros_like(a)
        fixed.flags.writeable = False
        ours(a, b, out=fixed)


@pytest.mark.parametrize("dtype", DTYPES)
def test_where(ours, numpys, dtype):
    a, b = random_pairs(dtype, 5000)
    mask = np.random.default_rng(3).random(5000) < 0.3
    for where in (mask, mask[:, None][:, 0], np.repeat(mask[:2500], 2), False, True):
        got, expected = np.ones_like(a), np.ones_like(a)
        ours(a, b, out=got, where=where)
        numpys(a, b, out=expected, where=where)
        assert_same(got, expected, a, b, ours_only=False)


@pytest.mark.parametrize("count", [1, 7, 100, 3000, 100_000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_in_place_and_overlapping(ours, numpys, dtype, count):
    x, y = random_pairs(dtype, count + 8)
    for out, a, b in [
        (slice(0, count), slice(0, count), None),                # out is a
        (slice(0, count), None, slice(0, count)),                # out is b
        (slice(0, count), slice(0, count), slice(0, count)),     # all the same
        (slice(1, count + 1), slice(0, count), None),            # one behind
        (slice(0, count), slice(1, count + 1), None),            # one ahead
        (slice(3, count + 3), None, slice(0, count)),
        (slice(0, count), slice(5, count + 5), slice(2, count + 2)),
        (slice(0, count), slice(count - 1, None, -1) if count > 1 else slice(0, 1), None),   # backwards
    ]:
        results = []
        for ufunc in (ours, numpys):
            memory = x.copy()
            left = y[:count] if a is None else memory[a]
            right = y[:count] if b is None else memory[b]
            ufunc(left, right, out=memory[out])
            results.append(memory)
        assert_same(results[0], results[1], what=f"{dtype} out {out} a {a} b {b}", ours_only=False)


def test_interleaved_views(ours, numpys):
    x = np.arange(1, 20001, dtype="f4")
    expected = x.copy()
    ours(x[1::2], x[::2], out=x[::2])
    numpys(expected[1::2], expected[::2], out=expected[::2])
    assert_same(x, expected)


def test_an_output_that_overlaps_itself(ours, numpys):
    """Nonsense, but the same nonsense as NumPy's: the last element wins."""
    results = []
    for ufunc in (ours, numpys):
        memory = np.zeros(4, "i4")
        out = np.lib.stride_tricks.as_strided(memory, (6,), (0,))
        ufunc(np.arange(10, 16, dtype="i4"), np.int32(7), out=out)
        results.append(memory)
    assert_same(results[0], results[1])


@pytest.mark.parametrize("shapes", [((3, 1), (1, 4)), ((5, 4, 3), (4, 1)), ((), (7,)), ((2, 0, 3), (3,)), ((1,), (100_000,)),
                                    ((300, 1), (1, 300)), ((2, 3, 1, 5, 1, 2, 1, 2), (1, 1, 4, 1, 3, 1, 2, 1))])
@pytest.mark.parametrize("dtype", DTYPES)
def test_broadcasting(ours, numpys, dtype, shapes):
    x, y = random_pairs(dtype, 200_000)
    a = x[:np.prod(shapes[0], dtype=int)].reshape(shapes[0])
    b = y[:np.prod(shapes[1], dtype=int)].reshape(shapes[1])
    assert_same(ours(a, b), numpys(a, b), what=dtype)


def is_mixed(a, b):
    """Integers for which NumPy has no common type but float64; ours are exact there (test_operators.py)."""
    return a.dtype.kind in "iu" and b.dtype.kind in "iu" and np.result_type(a.dtype, b.dtype).kind == "f"


def test_promotion_is_numpys(ours, numpys):
    types = DTYPES + ["bool", "longlong", "ulonglong"]
    for left in types:
        for right in types:
            a, b = np.array([7, 100], "u1").astype(left), np.array([3, 1], "u1").astype(right)
            if is_mixed(a, b):
                assert ours(a, b).dtype.kind in "iu" and ours(a, b).tolist() == [1, 0]
                continue
            assert_same(ours(a, b), numpys(a, b), what=f"{left}, {right}")
        a = np.array([7, 100], "u1").astype(left)
        for scalar in (3, -3, 2.5, True, 70000):
            if is_mixed(a, np.asarray(scalar)) and scalar < 0:
                continue
            try:
                expected = numpys(a, scalar)
            except OverflowError:  # NumPy 2 refuses integers that do not fit
                with pytest.raises(OverflowError):
                    ours(a, scalar)
                continue
            assert_same(ours(a, scalar), expected, what=f"{left}, {scalar!r}")


def test_casting_and_dtype(ours, numpys):
    a, b = np.array([7.9, -7.9]), np.array([2, 3])
    assert ours(a, b, dtype="f4").dtype == "f4"
    assert_same(ours(a, b, dtype="f4"), numpys(a, b, dtype="f4"))
    assert_same(ours(a, b, dtype="i2", casting="unsafe"), numpys(a, b, dtype="i2", casting="unsafe"))
    with pytest.raises(TypeError, match="Cannot cast"):
        ours(a, b, dtype="i2")
    with pytest.raises(TypeError, match="Cannot cast"):
        ours(a, b, out=np.zeros(2, "i8"))
    assert_same(ours(a, b, signature="ff->f", casting="same_kind"), numpys(a, b, signature="ff->f", casting="same_kind"))
    out = np.zeros(2)
    ours(np.array([7, 8], "i1"), np.array([3, 3], "i1"), out=out)
    assert out.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("unsupported", [np.array([1], "F"), np.array(["1"]), np.array([1], "M8[s]")],
                         ids=lambda x: x.dtype.name)
def test_what_is_not_supported_says_so(ours, numpys, unsupported):
    with pytest.raises(TypeError, match=ours.__name__):
        ours(unsupported, unsupported)


@pytest.mark.parametrize("dtype", DTYPES)
def test_unaligned(ours, numpys, dtype):
    a, b = random_pairs(dtype, 20_000)
    size = a.itemsize
    raw = np.zeros(a.nbytes + 1, "u1")
    unaligned = raw[1:].view(dtype)
    unaligned[...] = a
    assert size == 1 or not unaligned.flags.aligned
    assert_same(ours(unaligned, b), numpys(a, b), a, b)
    ours(a, b, out=unaligned)
    assert_same(unaligned.copy(), numpys(a, b), a, b)


def test_empty_and_zero_dimensional(ours, numpys):
    assert ours(np.zeros((0,)), np.zeros((0,))).shape == (0,)
    assert ours(np.zeros((3, 0, 2), "i4"), np.int32(0)).shape == (3, 0, 2)
    scalar = ours(np.float32(7), np.float32(4))
    assert type(scalar) is np.float32 and scalar == 3
    assert type(ours(7, 4)) is type(numpys(7, 4))
    zero_dimensional = ours(np.array(7), np.array(4), out=np.array(0))
    assert zero_dimensional.shape == () and zero_dimensional == 3


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_masked_arrays(ours, numpys, dtype):
    """A masked array keeps its mask, and what divided by zero is masked too."""
    a = np.ma.array([7, 8, 9, 10, 11], dtype, mask=[0, 1, 0, 0, 0])
    b = np.ma.array([3, 3, 0, 4, 5], dtype, mask=[0, 0, 0, 1, 0])
    got, expected = ours(a, b), numpys(a, b)
    assert isinstance(got, np.ma.MaskedArray)
    assert got.mask.tolist() == expected.mask.tolist() == [False, True, True, True, False]
    assert got.compressed().tolist() == expected.compressed().tolist() == [1, 1]
    assert got.data.tolist() == expected.data.tolist()


class Metres(np.ndarray):
    """A subclass with an attribute and opinions about ufuncs."""
    unit = None

    def __array_finalize__(self, parent):
        self.unit = getattr(parent, "unit", None)


class Recorder:
    """An object that is no array, but takes part."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return ufunc, method, len(inputs), options


def test_subclasses_and_duck_arrays(ours, numpys):
    lengths = np.array([1.5, 2.5, 3.5]).view(Metres)
    lengths.unit = "m"
    got = ours(lengths, 1.0)
    assert type(got) is Metres and got.unit == "m" and got.tolist() == [0.5, 0.5, 0.5]
    assert type(ours(lengths, 1.0, subok=False)) is np.ndarray
    assert ours(Recorder(), 3, dtype="f4") == (ours, "__call__", 2, {"dtype": "f4"})
    assert ours.reduce(Recorder()) == (ours, "reduce", 1, {})


@pytest.mark.parametrize("dtype", DTYPES)
def test_reduce_and_accumulate(ours, numpys, dtype):
    """Where each element depends on the one before; along each axis, and over all of them."""
    x = random_pairs(dtype, 3 * 50 * 7)[0].reshape(3, 50, 7)
    for axis in range(3):
        assert_same(ours.accumulate(x, axis=axis), numpys.accumulate(x, axis=axis), what=f"{dtype} accumulate {axis}", ours_only=False)
        assert_same(ours.reduce(x, axis=axis), numpys.reduce(x, axis=axis), what=f"{dtype} reduce {axis}", ours_only=False)
        assert_same(ours.accumulate(x[::-1, ::2, ::-1], axis=axis), numpys.accumulate(x[::-1, ::2, ::-1], axis=axis), ours_only=False)
    flat = x.ravel()
    assert_same(ours.accumulate(flat), numpys.accumulate(flat), ours_only=False)
    assert_same(ours.reduce(flat), numpys.reduce(flat), ours_only=False)
    assert_same(ours.reduce(flat[::-2], keepdims=True), numpys.reduce(flat[::-2], keepdims=True), ours_only=False)
    # Into the array itself.
    got, expected = flat.copy(), flat.copy()
    ours.accumulate(got, out=got)
    numpys.accumulate(expected, out=expected)
    assert_same(got, expected, ours_only=False)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reduceat_outer_and_at(ours, numpys, dtype):
    x, y = random_pairs(dtype, 400)
    indices = [0, 5, 3, 100, 100, 250, 399]
    assert_same(ours.reduceat(x, indices), numpys.reduceat(x, indices), ours_only=False)
    assert_same(ours.outer(x[:60], y[:70]), numpys.outer(x[:60], y[:70]))
    got, expected = x.copy(), x.copy()
    where = np.random.default_rng(7).integers(0, 400, 1000)
    ours.at(got, where, y[where])
    numpys.at(expected, where, y[where])
    assert_same(got, expected, ours_only=False)


def test_reductions_report_errors(ours, numpys):
    with np.errstate(all="raise"):
        with pytest.raises(FloatingPointError, match="divide by zero"):
            ours.reduce(np.array([7, 3, 0, 5]))
        # 9 mod 3 is 0, by which nothing is divided.
        assert ours.reduce(np.array([9, 3, 5])) == 0


def test_pickling_and_copying(ours, numpys):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        pickled = pickle.dumps(ours, protocol)
        assert pickle.loads(pickled) is ours
        assert b"_native" not in pickled, "a private name that may change"
    assert copy.deepcopy(ours) is ours
    # In another process, by name alone.
    code = ("import pickle, sys\n"
            "ufunc = pickle.loads(sys.stdin.buffer.read())\n"
            "print(ufunc.__name__, int(ufunc(-7, 3)))")
    result = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(ours), capture_output=True, check=True)
    assert result.stdout.decode().split() == [ours.__name__, str(int(numpys(-7, 3)))]


def test_vectorised_functions_and_lists(ours, numpys):
    assert ours([[7, 8]], [[5], [6]]).tolist() == [[2, 3], [1, 2]]
    assert ours(np.arange(5), 2).tolist() == [0, 1, 0, 1, 0]
    assert ours(range(5), 2).tolist() == [0, 1, 0, 1, 0]
    with pytest.raises(TypeError):
        ours(1)
    with pytest.raises(TypeError):
        ours(1, 2, 3, 4)
    with pytest.raises(ValueError):
        ours(np.zeros(3), np.zeros(4))
