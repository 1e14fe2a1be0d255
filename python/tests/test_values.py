"""Equal to np.remainder and np.fmod bit for bit, in every layout NumPy has: 65536 pairs per type and layout in the quick
tier, a quarter of a million in the full one, four million at night."""
import functools

import numpy as np
import pytest

import residue
from conftest import by_tier
from operands import DTYPES, assert_same, edges, random_pairs

PAIRS = {"mod_floor": (residue.mod_floor, np.remainder), "mod_trunc": (residue.mod_trunc, np.fmod)}
SIDE = by_tier(1 << 8, 1 << 9, 1 << 11)
COUNT = SIDE * SIDE


@functools.lru_cache(maxsize=4)
def case(name, dtype):
    """Pairs, and NumPy's results."""
    a, b = random_pairs(dtype, COUNT)
    with np.errstate(all="ignore"):
        expected = PAIRS[name][1](a, b)
    for array in (a, b, expected):
        array.flags.writeable = False
    return a, b, expected


def contiguous(x):
    return x.copy()


def strided(x):
    room = np.empty(3 * x.size, x.dtype)
    room[::3] = x
    return room[::3]


def reversed_(x):
    return x[::-1].copy()[::-1]


def reversed_strided(x):
    return strided(x[::-1])[::-1]


def transposed(x):
    return x.reshape(SIDE, SIDE).T.copy().T


def padded(x):
    room = np.empty((SIDE, SIDE + 5), x.dtype)
    room[:, :SIDE] = x.reshape(SIDE, SIDE)
    return room[:, :SIDE]


def cube(x):
    """Three dimensions in an order of their own."""
    return np.ascontiguousarray(x.reshape(64, SIDE, SIDE // 64).transpose(1, 2, 0)).transpose(2, 0, 1)


def field(x):
    """One field of a structured array."""
    room = np.empty(x.size, [("before", "u1"), ("x", x.dtype), ("after", "u1", 7)])
    room["x"] = x
    return room["x"]


def swapped(x):
    return x.astype(x.dtype.newbyteorder())


LAYOUTS = [contiguous, strided, reversed_, reversed_strided, transposed, padded, cube, field, swapped]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__.strip("_"))
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PAIRS)
def test_every_layout(name, dtype, layout):
    a, b, expected = case(name, dtype)
    ours = PAIRS[name][0]
    left = layout(a)
    expected = expected.reshape(left.shape)
    others = [contiguous, layout] if layout is not contiguous else LAYOUTS[:4]
    for other in others:
        right = other(b)
        if right.ndim != left.ndim:
            right = right.reshape(left.shape)
        assert_same(ours(left, right), expected, a, b, f"{name} {dtype} {layout.__name__}, {other.__name__}")
        # And with the operands' roles in memory exchanged.
        if other is not layout:
            right = layout(b)
            assert_same(ours(other(a).reshape(right.shape), right), expected, a, b,
                        f"{name} {dtype} {other.__name__}, {layout.__name__}")
    out = layout(np.zeros_like(a))
    assert ours(left, b.reshape(left.shape), out=out) is out
    assert_same(out.astype(a.dtype.newbyteorder("=")), expected, a, b, f"{name} {dtype} out {layout.__name__}")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PAIRS)
def test_one_operand_for_all(name, dtype):
    """Every edge as a scalar divisor and as a scalar dividend; rows and columns broadcast."""
    ours, numpys = PAIRS[name]
    a, b, _ = case(name, dtype)
    for i, edge in enumerate(edges(dtype)):
        some = slice(i * 1000 % (COUNT // 2), None, 197)
        assert_same(ours(a[some], edge), numpys(a[some], edge), a[some], np.full_like(a[some], edge), name)
        assert_same(ours(edge, b[some]), numpys(edge, b[some]), np.full_like(b[some], edge), b[some], name)
    rows = a.reshape(SIDE, SIDE)[: SIDE // 8]  # NumPy takes a microsecond for a pair of far exponents
    for row in (b[:SIDE], b[: SIDE // 8, None], b[None, :1]):
        assert_same(ours(rows, row), numpys(rows, row), what=f"{name} {dtype} {row.shape}")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PAIRS)
def test_every_pair_of_edges(name, dtype):
    ours, numpys = PAIRS[name]
    values = edges(dtype)
    a, b = np.meshgrid(values, values)
    assert_same(ours(a, b), numpys(a, b), a, b, name)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PAIRS)
def test_every_short_length(name, dtype):
    """Lengths around the vectors' and the short cut's, at every offset in a line."""
    ours, numpys = PAIRS[name]
    a, b, expected = case(name, dtype)
    for count in [*range(0, 140), 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097]:
        start = count * 131 % 5000
        some = slice(start, start + count)
        assert_same(ours(a[some], b[some]), expected[some], a[some], b[some], f"{name} {dtype} {count} elements")


@pytest.mark.parametrize("name", PAIRS)
def test_python_integers(name):
    """The same as Python's own arithmetic, which has no widths."""
    ours = PAIRS[name][0]
    a, b = random_pairs("int64", 20000, salt=5)
    a, b = a[b != 0], b[b != 0]
    for x, y, got in zip(a.tolist(), b.tolist(), ours(a, b).tolist()):
        expected = x % y if name == "mod_floor" else (abs(x) % abs(y)) * (1 if x >= 0 else -1)
        assert got == expected, f"{x} mod {y}"
