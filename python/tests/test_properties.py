"""What must hold for any arrays whatever: shapes, types, strides and values chosen by Hypothesis."""
import os

import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis")

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as strategies

import residue
from residue import _native
from operands import assert_same

# It chooses its own seeds; what it finds it prints, with a line that repeats it.
hypothesis.settings.register_profile("residue", deadline=None, max_examples=int(os.environ.get("RESIDUE_EXAMPLES", "400")), print_blob=True, database=None)
hypothesis.settings.load_profile("residue")

DTYPES = strategies.one_of(arrays.integer_dtypes(endianness="?"), arrays.unsigned_integer_dtypes(endianness="?"),
                           arrays.floating_dtypes(endianness="?", sizes=(16, 32, 64)))
# Ufuncs of two arrays with a peer of NumPy's: every one whose results are the same.
PAIRS = strategies.sampled_from([(entry["ufunc"], getattr(np, entry["numpy"])) for entry in _native.operators.values()
                                 if entry["numpy"] and (entry["ufunc"].nin, entry["ufunc"].nout) == (2, 1)])
PLAIN = strategies.sampled_from([entry["ufunc"] for entry in _native.operators.values()
                                 if entry["operator"] and not entry["parameters"] and entry["ufunc"].nin <= 2])


@strategies.composite
def views(draw, shape):
    """An array of that shape, or of fewer dimensions or single elements, seen through steps."""
    if draw(strategies.booleans()):
        shape = shape[draw(strategies.integers(0, len(shape))):]
    shape = tuple(1 if draw(strategies.integers(0, 9)) == 0 else n for n in shape)
    steps = [draw(strategies.sampled_from([1, 1, 2, 3, -1, -2])) for _ in shape]
    room = tuple(n * abs(step) for n, step in zip(shape, steps))
    order = draw(strategies.permutations(range(len(room))))
    dtype = draw(DTYPES)
    x = draw(arrays.arrays(dtype, [room[i] for i in order])).transpose(np.argsort(order, kind="stable").astype(int))
    return x[tuple(slice(None, None, step) for step in steps)]


@strategies.composite
def operands(draw):
    shape = draw(arrays.array_shapes(min_dims=0, max_dims=5, max_side=6))
    return draw(views(shape)), draw(views(shape))


def native(x):
    return x.astype(x.dtype.newbyteorder("="))


@hypothesis.given(PAIRS, operands())
def test_any_two_arrays(pair, operands):
    ours, numpys = pair
    a, b = operands
    with np.errstate(all="ignore"):
        try:
            expected = native(np.asarray(numpys(a, b)))
        except TypeError:
            with pytest.raises(TypeError):
                ours(a, b)
            return
        got = native(np.asarray(ours(a, b)))
    if got.dtype != expected.dtype:
        # An int64 and a uint64, which NumPy computes in float64.
        assert ours.__name__.startswith("mod_") and got.dtype.itemsize == 8 and got.dtype.kind in "iu"
        return
    if ours.__name__ in ("maximum", "minimum") and got.dtype.kind == "f":
        # Which of 0 and -0 NumPy returns depends on the processor.
        got, expected = got + got.dtype.type(0), expected + expected.dtype.type(0)
    assert_same(got, expected, ours_only=False)


@hypothesis.given(PLAIN, operands())
def test_the_layout_does_not_matter(ufunc, operands):
    a, b = operands
    views = np.broadcast_arrays(a, b)[:ufunc.nin]
    with np.errstate(all="ignore"):
        try:
            got = np.asarray(ufunc(*views))
        except TypeError:
            return
        packed = np.asarray(ufunc(*(np.ascontiguousarray(native(view)).reshape(view.shape) for view in views)))
    assert native(got).tobytes() == native(packed).tobytes()


@hypothesis.given(arrays.arrays(np.float64, 20), arrays.arrays(np.float64, 20))
def test_the_law_of_the_remainder(a, b):
    """Smaller than the divisor, with the right sign, for whatever is finite."""
    with np.errstate(all="ignore"):
        floor, truncate = residue.mod_floor(a, b), residue.mod_trunc(a, b)
    usable = np.isfinite(a) & (b != 0) & ~np.isnan(b)
    a, b, floor, truncate = a[usable], b[usable], floor[usable], truncate[usable]
    assert (np.abs(truncate) < np.abs(b)).all()
    assert (np.signbit(truncate) == np.signbit(a)).all()
    # Rounding may take the sum of a tiny remainder and the divisor to the divisor itself.
    assert (np.abs(floor) <= np.abs(b)).all()
    assert (np.signbit(floor) == np.signbit(b)).all()


@hypothesis.given(strategies.integers(-(2**63), 2**63 - 1), strategies.integers(-(2**63), 2**63 - 1))
def test_pythons_own_arithmetic(a, b):
    with np.errstate(all="ignore"):
        got = int(residue.mod_floor(np.int64(a), np.int64(b)))
    assert got == (a % b if b else 0)


@hypothesis.given(arrays.arrays(np.int32, strategies.integers(1, 50)))
def test_accumulate_is_a_loop(x):
    with np.errstate(all="ignore"):
        got = residue.mod_floor.accumulate(x).tolist()
    expected = x.tolist()
    for i in range(1, len(expected)):
        expected[i] = expected[i - 1] % expected[i] if expected[i] else 0
    assert got == expected
