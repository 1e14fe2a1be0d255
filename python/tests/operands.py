"""Operands that break modulus implementations, whole arrays at a time, and the comparison of results bit by bit."""
import numpy as np

from conftest import SEED

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]
DTYPES = INTEGERS + FLOATS


def bits_of(dtype):
    return np.dtype(f"u{np.dtype(dtype).itemsize}")


def edges(dtype):
    """Zeros, ones, extremes, powers of two and their neighbours with both signs; of floats also subnormals, infinities,
    and quiet and signalling NaN."""
    dtype = np.dtype(dtype)
    width = 8 * dtype.itemsize
    unsigned = bits_of(dtype)
    if dtype.kind in "iu":
        powers = np.array([1 << k for k in range(width)], unsigned)
        small = np.array([0, 1, 2, 3], unsigned)
        near = np.concatenate([powers - small[i] for i in range(4)] + [powers + small[i] for i in range(4)])
        return np.unique(np.concatenate([near, (~near) + small[1]])).view(dtype)
    fraction = {2: 10, 4: 23, 8: 52}[dtype.itemsize]
    exponents = np.arange(0, 1 << (width - 1 - fraction), dtype=np.uint64) << np.uint64(fraction)
    if exponents.size > 64:
        exponents = np.concatenate([exponents[:4], exponents[4:-4:max(1, exponents.size // 48)], exponents[-4:]])
    tails = np.array([0, 1, (1 << fraction) - 1, 1 << (fraction - 1), (1 << (fraction - 1)) - 1], np.uint64)
    positive = (exponents[:, None] | tails).ravel()
    return np.concatenate([positive, positive | np.uint64(1 << (width - 1))]).astype(unsigned).view(dtype)


def random_pairs(dtype, count, salt=0):
    """`count` pairs of every hard class: full width, edges, small, near multiples, huge quotients."""
    dtype = np.dtype(dtype)
    unsigned = bits_of(dtype)
    random = np.random.default_rng([SEED, salt, dtype.num])

    def full(n):
        return random.integers(0, np.iinfo(unsigned).max, n, dtype=unsigned, endpoint=True).view(dtype)

    def some_edges(n):
        return random.choice(edges(dtype), n)

    parts = [count // 8] * 7
    parts.append(count - sum(parts))
    a, b = [], []
    for kind, n in enumerate(parts):
        if kind == 0:
            pair = some_edges(n), some_edges(n)
        elif kind == 1:
            pair = full(n), some_edges(n)
        elif kind == 2:
            pair = some_edges(n), full(n)
        elif kind == 3:
            pair = full(n), full(n)
        elif dtype.kind in "iu":
            width = 8 * dtype.itemsize
            shift = random.integers(0, width, n, dtype=unsigned)
            divisor = (full(n).view(unsigned) >> shift).view(dtype)
            if kind % 2 and dtype.kind == "i":
                divisor = (~divisor.view(unsigned) + unsigned.type(1)).view(dtype)
            multiple = (divisor.view(unsigned) * (full(n).view(unsigned) >> shift)
                        + random.integers(0, 3, n, dtype=unsigned) - unsigned.type(1)).view(dtype)
            pair = (full(n) if kind == 4 else multiple), divisor
        else:
            # Quotients that fit and such that do not; multiples and their neighbours.
            divisor = np.ldexp(random.uniform(-1, 1, n), random.integers(-8, 8, n)).astype(dtype)
            dividend = np.ldexp(random.uniform(-1, 1, n), random.integers(-12, 12, n)).astype(dtype)
            if kind >= 6:
                with np.errstate(over="ignore"):
                    dividend = (divisor.astype("f8") * random.integers(-1000, 1000, n)).astype(dtype)
                dividend = (dividend.view(unsigned) + random.integers(0, 2, n, dtype=unsigned)).view(dtype)
            pair = dividend, divisor
        a.append(pair[0])
        b.append(pair[1])
    order = random.permutation(count)
    return np.concatenate(a)[order], np.concatenate(b)[order]


def assert_same(got, expected, a=None, b=None, what="", ours_only=True):
    """Equal shapes and types, and equal bits, but that any NaN equals any other: NumPy's NaNs have the sign and payload
    that the C library happens to give them, ours are always the one quiet NaN (of elements that we computed all)."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape, what
    unsigned = bits_of(expected.dtype)
    differ = got.view(unsigned) != expected.view(unsigned) if got.ndim else np.array(got.tobytes() != expected.tobytes())
    if expected.dtype.kind == "f":
        differ &= ~(np.isnan(got) & np.isnan(expected))
    if expected.dtype.kind == "f" and ours_only:
        quiet = np.array(np.nan, expected.dtype).tobytes()
        assert all(x.tobytes() == quiet for x in got[np.isnan(got)].ravel()[:1000]), f"{what}: not the quiet NaN"
    if not differ.any():
        return
    i = np.argmax(differ.ravel())
    operands = "" if a is None else f"{np.ravel(a)[i]!r} mod {np.ravel(b)[i]!r} "
    raise AssertionError(f"{what} element {i}: {operands}is {got.ravel()[i]!r}, expected {expected.ravel()[i]!r}; "
                         f"RESIDUE_SEED={SEED}")
