"""Fused functions: the same bits as operator by operator, whatever the types, shapes, layouts and threads."""
import concurrent.futures
import gc
import pickle
import sys
import warnings
import weakref

import numpy as np
import pytest

import residue
from conftest import SEED, by_tier
from operands import random_pairs

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

UNARY = ["exp", "sin", "tanh", "sqrt", "absolute", "negative", "floor", "rint", "sigmoid", "gelu", "reciprocal", "erf",
         "relu", "hard_sigmoid", "sign", "ceil", "trunc", "log"]
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "mod_floor", "mod_trunc", "mean",
          "difference_square", "floor_divide", "arctan2"]
INTEGER_BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "mod_floor", "mod_trunc", "bitwise_and", "bitwise_or",
                  "bitwise_xor", "divide_trunc", "floor_divide", "mean"]
COMPARISONS = ["equal", "less", "greater_equal"]


def same(got, expected, what=""):
    got, expected = np.asarray(got), np.asarray(expected)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape), what
    differ = got.reshape(-1).view(f"u{got.itemsize}") != expected.reshape(-1).view(f"u{got.itemsize}") if got.size else \
        np.zeros(0, bool)
    if got.dtype.kind == "f":
        differ &= ~(np.isnan(got.reshape(-1)) & np.isnan(expected.reshape(-1)))
    assert not differ.any(), f"{what}: {got.reshape(-1)[differ][:3]} instead of {expected.reshape(-1)[differ][:3]}"


def random_program(random, dtypes):
    """Steps of a function, as (name, numbers of values); values 0 and on are the arguments."""
    kinds = [np.dtype(dtype).kind for dtype in dtypes]
    types = [np.dtype(dtype) for dtype in dtypes]
    steps = []
    for _ in range(random.integers(2, 40)):
        i, j = (int(random.integers(0, len(types))) for _ in range(2))
        # The operands' own types: promotion is another test's business.
        same_type = [k for k, dtype in enumerate(types) if dtype == types[i]]
        j = same_type[j % len(same_type)]
        dtype = types[i]
        choice = random.integers(0, 10)
        if dtype == bool:
            others = [k for k, other in enumerate(types) if other != bool]
            k = others[int(random.integers(0, len(others)))]
            steps.append(("where", (i, k, k if choice < 2 else [m for m in others if types[m] == types[k]][-1])))
            types.append(types[k])
            continue
        if choice == 0:
            steps.append((str(random.choice(COMPARISONS)), (i, j)))
            types.append(np.dtype(bool))
        elif choice == 1 and len(set(dtypes)) > 1:
            to = np.dtype(random.choice(dtypes))
            steps.append(("cast", (i, to)))
            types.append(to)
        elif dtype.kind == "f" and choice < 6:
            names = UNARY if dtype != np.float64 else [name for name in UNARY if name in
                                                       ("sqrt", "absolute", "negative", "floor", "rint", "reciprocal", "relu",
                                                        "sign", "ceil", "trunc")]
            steps.append((str(random.choice(names)), (i,)))
            types.append(dtype if steps[-1][0] != "hard_sigmoid" or dtype == np.float16 else np.dtype(np.float32))
        else:
            names = BINARY if dtype.kind == "f" else INTEGER_BINARY
            if dtype == np.float64:
                names = [name for name in names if name != "arctan2"]
            steps.append((str(random.choice(names)), (i, j)))
            types.append(dtype)
    assert kinds
    return steps


def run_program(steps, arguments):
    values = list(arguments)
    for name, operands in steps:
        if name == "cast":
            values.append(residue.cast(values[operands[0]], operands[1]))
        else:
            values.append(getattr(residue, name)(*(values[k] for k in operands)))
    return values[-1], values[len(values) // 2]


def random_layout(random, array):
    choice = random.integers(0, 5)
    if choice == 0 or array.ndim == 0:
        return array
    if choice == 1:
        return np.asfortranarray(array)
    if choice == 2:
        room = np.empty((*array.shape[:-1], 2 * array.shape[-1] + 1), array.dtype)
        room[..., 1::2] = array
        return room[..., 1::2]
    if choice == 3:
        return array[..., ::-1].copy()[..., ::-1]
    raw = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    raw[...] = array
    return raw


@pytest.mark.parametrize("seed", range(by_tier(100, 400, 3000)))
def test_random_functions_are_the_same_bits(seed):
    random = np.random.default_rng([SEED, seed])
    pool = [["float32"], ["float64"], ["float16"], ["int32"], ["float32", "int16"], ["uint8", "float32"], ["int64", "float64"]]
    dtypes = pool[seed % len(pool)] * 2
    steps = random_program(random, dtypes)
    full = tuple(int(n) for n in random.integers(1, 9, random.integers(1, 4)))
    arguments = []
    for i, dtype in enumerate(dtypes):
        shape = full if i == 0 else tuple(1 if random.random() < 0.2 else n for n in full)[random.integers(0, len(full)):]
        values = random_pairs(dtype, max(1, int(np.prod(shape))), salt=seed)[i % 2]
        if random.random() < 0.7 and values.dtype.kind == "f":
            values = random.uniform(-3, 3, values.size).astype(dtype)
        arguments.append(random_layout(random, values[:int(np.prod(shape))].reshape(shape)))
    fused = residue.fuse(lambda *values: run_program(steps, values))
    for got, expected in zip(fused(*arguments), run_program(steps, arguments)):
        same(got, expected, f"seed {seed} {dtypes} {steps}; RESIDUE_SEED={SEED}")


@pytest.mark.parametrize("count", [0, 1, 1000, 300_000])
@pytest.mark.parametrize("threads", [1, 2])
def test_long_chains_and_threads(count, threads):
    def chain(x, y):
        for _ in range(8):
            x = residue.sin(x) * 2 + y
            y = np.where(x > 0, np.tanh(y), y - 1)
        return x, y

    x, y = (np.random.default_rng(i).uniform(-3, 3, count).astype(np.float32) for i in range(2))
    with residue.threads(threads):
        got = residue.fuse(chain)(x, y)
    with residue.threads(1):
        expected = run_unfused(x, y)
    for ours, theirs in zip(got, expected):
        same(ours, theirs)


def run_unfused(x, y):
    two, one = np.float32(2), np.float32(1)
    for _ in range(8):
        x = residue.add(residue.multiply(residue.sin(x), two), y)
        y = residue.where(residue.greater(x, np.float32(0)), residue.tanh(y), residue.subtract(y, one))
    return x, y


def test_one_pass_over_memory():
    f = residue.fuse(lambda x, y: np.exp(x * 2 + y) / (1 + np.abs(y)))
    x = np.ones((300, 400), np.float32)
    text = f.explain(x, x)
    assert text.startswith("1 pass over memory, 0 bytes of temporary memory") and "exp.f32" in text
    assert f.explain(x.T, x.T).startswith("1 pass"), "transposed alike is still one"
    # What is computed for a row is computed once, and then read by all.
    row = f.explain(x, x[0])
    assert "passes" in row.splitlines()[0]


def test_pythons_operators():
    @residue.fuse
    def f(x, n):
        return (-x + 3) * 2 / (x - 0.5) ** 2 % 7 // 1, abs(x) ** 3, (n & 6 | 1) ^ 3, ~n, (n >= 2) & (n != 5) | ~(n < 1), +x, divmod(n, 3)[1]

    x = np.linspace(-4, 4, 101, dtype=np.float32)
    n = np.arange(101, dtype=np.int32)
    got = f(x, n)
    square = residue.multiply(x - np.float32(0.5), x - np.float32(0.5))
    left = residue.divide((-x + np.float32(3)) * np.float32(2), square)
    expected = (residue.floor_divide(residue.mod_floor(left, np.float32(7)), np.float32(1)),
                residue.power(np.abs(x), np.float32(3)), (n & 6 | 1) ^ 3, ~n, (n >= 2) & (n != 5) | ~(n < 1), x, n % 3)
    for ours, theirs in zip(got, expected):
        same(ours, theirs)


def test_numpys_functions():
    @residue.fuse
    def f(x):
        return (np.clip(x, -1, 1), np.where(np.isnan(x), 0, x), np.round(x), np.square(x), np.isfinite(x), np.maximum(x, 0),
                np.logical_and(x, x > 1), np.float32(3) * x, np.divmod(x, 2)[0])

    x = np.float32([-3, -0.5, 0, 0.5, 1.5, np.nan, np.inf])
    with np.errstate(all="ignore"):
        expected = (np.clip(x, -1, 1), np.where(np.isnan(x), np.float32(0), x), np.round(x), np.square(x), np.isfinite(x),
                    np.maximum(x, 0), np.logical_and(x, x > 1), 3 * x, np.floor_divide(x, np.float32(2)))
    for ours, theirs in zip(f(x), expected):
        same(ours, theirs)


def test_types_are_numpys():
    """Promotion as NumPy has it; Python's numbers take the type they meet."""
    f = residue.fuse(lambda a, b: a + b)
    for left in "?bBhHiIlLefd":
        for right in "?bBhHiIlLefd":
            a, b = np.array([1, 2], left), np.array([3, 1], right)
            same(f(a, b), np.add(a, b), f"{left} + {right}")
    x = np.array([1, 2], np.float32)
    assert f(x, 2).dtype == f(x, 2.5).dtype == f(True, x).dtype == np.float32
    assert f(np.int8([1]), 2).dtype == np.int8 and f(np.int8([1]), 2.5).dtype == np.float64
    assert f(np.array([True]), 2).dtype == np.int64
    assert f(2, 3) == 5 and isinstance(f(2, 3), np.int64) and f(2, 0.5) == 2.5
    scaled = residue.fuse(lambda x, a: x * (a * 2))
    assert scaled(x, 0.1).dtype == np.float32 and scaled(x, 0.1)[0] == np.float32(0.2)
    with pytest.raises((OverflowError, TypeError, residue.TraceError)):
        residue.fuse(lambda x: x + 300)(np.int8([1]))


def test_integers_that_do_not_fit():
    """Constants, arguments and bounds take the type of what they meet, or are refused; they never wrap."""
    add = residue.fuse(lambda x, n: x + n)
    assert add(np.int8([1]), 3) == 4
    for call in (lambda: add(np.int8([1]), 300), lambda: add(np.uint8([1]), -1),
                 lambda: residue.fuse(lambda x: np.clip(x, 0, 256))(np.uint8([200])),
                 lambda: residue.fuse(lambda x: x.clip(0, 255))(np.int8([5]))):
        with pytest.raises((OverflowError, residue.TraceError), match="does not fit"):
            call()
    with pytest.raises(residue.TraceError, match="may not fit int8"):
        residue.fuse(lambda x, n: x + n * 300)(np.int8([1]), 1)
    assert residue.fuse(lambda x, n: x + (n * 3).astype(np.int8))(np.int8([1]), 1) == 4
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":  # there, a scalar of NumPy's has a type of its own
        with pytest.raises(OverflowError, match="300 does not fit int8"):
            add(np.int8([1]), np.int64(300))


def test_where_of_truths():
    choose = residue.fuse(lambda x: np.where(x > 0, x > 1, x < -1))
    x = np.float32([-2, -1, 0, 1, 2])
    same(choose(x), np.where(x > 0, x > 1, x < -1))
    same(residue.fuse(lambda x: ~np.where(x > 0, x > 1, False))(x), ~np.where(x > 0, x > 1, False))
    same(residue.where(x > 0, x > 1, x < -1), np.where(x > 0, x > 1, x < -1))
    same(residue.where(x > 0, True, np.int8(3)), np.where(x > 0, True, np.int8(3)))


def test_special_values_are_the_ufuncs():
    """Bounds that are NaN are none, and the power 0.5 is no square root where these differ."""
    x = np.float32([5, -5, np.nan, -np.inf, -0.0, 0.0, 2.0])
    high = np.float32([np.nan, 1, 1, np.nan, 0, -1, 1])
    clip = residue.fuse(lambda x, h: residue.clip(x, -2, h))
    assert clip(x, high).tobytes() == residue.clip(x, np.float32(-2), high).tobytes()
    same(residue.clip([1.0, 5.0], max=np.nan), np.array([1.0, 5.0]))
    same(residue.fuse(lambda x, h: residue.clip(x, max=h))(x, high), residue.clip(x, max=high))
    for dtype in (np.float16, np.float32):
        same(residue.fuse(lambda x: residue.power(x, 0.5))(x.astype(dtype)), residue.power(x.astype(dtype), 0.5))
    with np.errstate(invalid="ignore"):
        for base in (x, x.astype(np.float64)):
            same(residue.fuse(lambda x: x ** 0.5)(base), base ** 0.5)
            # NumPy's since 2.4 is a square root too.
            power = np.sqrt(np.where(np.isneginf(base), -base, base + base.dtype.type(0)))
            same(residue.fuse(lambda x: np.power(x, 0.5))(base), power)


def test_questions_with_a_type():
    calls = {"isfinite": (np.float32([np.inf, 1]),), "not_equal": (np.int32([1, 2]), np.int32([2, 2])),
             "greater": (np.float32([1.0001, 256]), np.float32([1, 0]))}
    for name, arguments in calls.items():
        ufunc = getattr(np, name)
        same(residue.fuse(lambda *x, ufunc=ufunc: ufunc(*x, dtype=bool))(*arguments), ufunc(*arguments))


def test_fabs_and_round_of_integers():
    for dtype in (np.int8, np.uint16, np.int32, np.float32):
        x = np.array([1, 100], dtype)
        same(residue.fuse(lambda x: np.fabs(x))(x), np.fabs(x))
    assert residue.fuse(lambda x: np.fabs(x))(np.int8([-128])) == 128
    same(residue.fuse(lambda x: np.round(x))(np.int64([2**53 + 1])), np.int64([2**53 + 1]))


def test_arguments_are_not_kept():
    class Array(np.ndarray):
        """One that may be referred to weakly."""

    x = np.ones(100_000, np.float32).view(Array)
    out = np.empty(100_000, np.float32).view(Array)
    references = [weakref.ref(x), weakref.ref(out)]
    f = residue.fuse(lambda x: x + 1)
    f(x, out=out)
    del x, out
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_defaults_stay_what_they_are():
    @residue.fuse
    def line(x, alpha=1.0, beta=0.0, *, exponent=2, flag=None):
        return (x * alpha + beta) ** exponent if flag is None else x

    x = np.array([1.0])
    same(line(np.float32([1]), beta=2.0), np.float32([9]))
    same(line(x=x), np.array([1.0]))  # float64 has constant exponents only
    same(line(x, 2.0), np.array([4.0]))
    with pytest.raises(TypeError, match="unexpected keyword argument 'gamma'"):
        line(x, gamma=1)


def test_whatever_can_be_called():
    """Ufuncs, whose options have defaults that cannot be given; and every kind of default."""
    x = np.float32([1, 2])
    for function in (np.sqrt, np.exp, residue.exp, residue.elu, np.round):
        same(residue.fuse(function)(x), np.round(x) if function is np.round else getattr(residue, function.__name__)(x))
    same(residue.fuse(np.add)(x, 1), x + 1)
    same(residue.fuse(np.clip)(x, 0, 1.5), np.clip(x, 0, np.float32(1.5)))

    def rest(x, *more, **named):
        return x * 2 + len(more) + len(named)

    def positional(x, n=None, w=np.float32(2), table=np.ones(2, np.float32), /, *, flag=False):
        return x * w * table if n is None and not flag else x

    same(residue.fuse(rest)(x), x * 2)
    same(residue.fuse(rest)(x, 1, 2), x * 2 + 2)
    same(residue.fuse(positional)(x), x * 2)


def test_fused_functions_are_parts_of_others():
    inner = residue.fuse(lambda x, y=1.0: x * 2 + y)
    outer = residue.fuse(lambda x: np.sqrt(inner(x)) + inner(x, y=3.0))
    x = np.float32([4, 12])
    same(outer(x), np.sqrt(inner(x)) + inner(x, y=3.0))
    assert outer.explain(x).startswith("1 pass")
    with pytest.raises(residue.TraceError, match="out= of a fused function"):
        residue.fuse(lambda x: inner(x, out=x))(x)


def augmented(x, y):
    z = x * 1
    other = z
    z += y
    other *= 2
    z -= x
    return z, other


def test_augmented_assignment_is_numpys():
    for left, right in (("f4", "f4"), ("f4", "f8"), ("f2", "f4"), ("i4", "i2"), ("i8", "i1"), ("f8", "i4")):
        x, y = np.array([[1, 2, 3]] * 2, left), np.array([4, 5, 6], right)
        expected = augmented(x, y)
        for got, wanted in zip(residue.fuse(augmented)(x, y), expected):
            same(got, wanted, f"{left} {right}")
    # A number is not changed: its name stands for another.
    def bump(x, n):
        n += 1
        return x * n
    assert residue.fuse(bump)(np.float32([2]), 3)[0] == 8

    def into_argument(x, y):
        x += y
        return x

    def into_copy(x, y):
        x = x.copy()
        x += y
        return x
    f4, f8, i1 = np.float32([1, 2, 3]), np.array([[1.0, 2, 3]] * 2), np.int8([1, 2, 3])
    same(residue.fuse(into_copy)(f4, f8[0]), np.float32([2, 4, 6]))
    for function, x, y, text in ((into_argument, f4, f4, "would change an argument"), (into_copy, f4, f8, "does not fit into"),
                                 (into_copy, i1, f4, "does not go into int8")):
        with pytest.raises(residue.TraceError, match=text + r".*: write x = x \+ y"):
            residue.fuse(function)(x, y)


def test_what_is_more_than_an_array_is_refused():
    f = residue.fuse(lambda x: x * x)
    x = np.float32([[1, 2], [3, 4]])
    for more, text in ((np.ma.masked_array(x, x > 2), "has no mask"), (np.asmatrix(x), "is an array of elements")):
        with pytest.raises(TypeError, match=text):
            f(more)
        with pytest.raises(TypeError, match=text):
            f(x, out=more)
        for call in (lambda x: x * more, lambda x: f(x) + f(more), lambda x, y=more: x + y):
            with pytest.raises(TypeError, match=text):
                residue.fuse(call)(x)
    da = pytest.importorskip("dask.array")
    with pytest.raises(TypeError, match="map_blocks"):
        f(da.from_array(x))


class Metres(np.ndarray):
    """As of a package of units: what ufuncs do to it is its own business."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        raise ValueError("metres")


class Duck:
    """No array, but it has ufuncs."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        raise ValueError("quack")

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)


class Unwilling(Duck):
    __array_ufunc__ = None


def test_what_has_ufuncs_of_its_own_is_refused():
    """It gives them a meaning, which would be lost; as an argument, a constant, a default, or to be written into."""
    f = residue.fuse(lambda x: x * 2)
    x = np.ones(3)
    for more in (x.view(Metres), Duck(), Unwilling(), x.view(Metres)[0:0], np.array(1.0).view(Metres)):
        text = rf"a {type(more).__name__} is more than its elements.*pass np\.asarray\(x\)"
        for call in (lambda: f(more), lambda: f.explain(more), lambda: residue.fuse(lambda x: x + more)(x),
                     lambda: residue.fuse(lambda x, y=more: x + y)(x), lambda: residue.fuse(lambda x: f(x) + f(more))(x),
                     lambda: residue.compile_expression("a + b")(x, more)):
            with pytest.raises(TypeError, match=text):
                call()
        assert f(np.asarray(more)).tolist() == (np.asarray(more) * 2).tolist()
    with pytest.raises(TypeError, match="Metres is more than its elements"):
        f(x, out=x.view(Metres))


def test_subclasses_without_ufuncs_of_their_own_are_arrays(tmp_path):
    class Named(np.ndarray):
        """As most are."""

    x = np.float32([1, 2, 3])
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=3)
    mapped[...] = x
    record = np.rec.fromarrays([x, x], names="a,b")
    f = residue.fuse(lambda x: x * 2)
    for array in (mapped, x.view(Named), x.view(np.recarray), record.a, record["b"]):
        same(f(array), x * 2)
        same(residue.fuse(lambda x: x + array)(x), x * 2)
    f(x, out=mapped)
    same(mapped, x * 2)


def test_inner_functions_change_no_argument():
    def double(x, w):
        w *= 2
        return x * w

    inner = residue.fuse(double)
    table = np.ones(3)
    for w in (table, [1.0, 1.0, 1.0]):
        with pytest.raises(residue.TraceError, match="would change an argument"):
            residue.fuse(lambda x: inner(x, w))(np.ones(3))
    assert (table == 1).all()
    with pytest.raises(residue.TraceError, match="would change an argument"):
        residue.fuse(lambda x: inner(x, x * 2))(np.ones(3))
    triple = residue.fuse(lambda x, w: x * (w * 3))
    same(residue.fuse(lambda x: triple(x, (1.0, 2.0)))(np.ones(2)), np.array([3.0, 6.0]))
    same(residue.fuse(lambda x: triple(w=2, x=x))(np.float32([1])), np.float32([6]))


def test_inner_functions_are_called_as_outer_ones():
    pair = residue.fuse(lambda x, w: (x, x * (1 / w)))
    single = np.float32([1, 2])

    def outer(x):
        same_x, scaled = pair(x * 2, np.array(0.5))  # a number, not an array
        same_x += 1  # a result, not an argument
        return same_x, scaled

    got = residue.fuse(outer)(single)
    same(got[0], single * 2 + np.float32(1))
    same(got[1], single * 2 * (1 / np.float64(0.5)))  # in whose type is NumPy's business

    def weighted(x, weights, kind="sum"):
        return x * weights[0] + weights[1] if kind == "sum" else x

    inner = residue.fuse(weighted)
    same(residue.fuse(lambda x: inner(x, (x, 2.0)))(single), single * single + np.float32(2))
    same(residue.fuse(lambda x: inner(x, ("a", "b"), kind="none") + x)(single), single * 2)
    scaled = residue.fuse(lambda x, w: residue.leaky_relu(x, w * 2))
    same(residue.fuse(lambda x: scaled(x, np.array(0.25)))(-single), single * np.float32(-0.5))


def test_defaults_are_not_changed():
    table = np.ones(2, np.float32)

    def doubled(x, w=table, n=2):
        w *= n
        return x * w

    f = residue.fuse(doubled)
    for call in (f, residue.fuse(lambda x: f(x) + f(x))):
        with pytest.raises(residue.TraceError, match="would change an argument"):
            call(np.float32([1, 2]))
    assert (table == 1).all()


def test_integers_do_not_wrap_into_types_that_are_asked_for():
    for call, array in ((lambda x: np.floor_divide(x, -1, dtype=np.uint8), np.uint8([7])),
                        (lambda x: np.floor_divide(x, 300, dtype=np.int8), np.int16([7])),
                        (lambda x: np.not_equal(x, 300, dtype=np.int8), np.int8([44]))):
        with pytest.raises(residue.TraceError, match="does not fit u?int8"):
            residue.fuse(call)(array)
    with pytest.raises(OverflowError, match="300 does not fit int8"):
        residue.fuse(lambda x, n: np.floor_divide(x, n, dtype=np.int8))(np.int16([7]), 300)
    same(residue.fuse(lambda x: np.floor_divide(x, 3, dtype=np.int8))(np.int16([7])), np.int8([2]))


def test_ufuncs_are_known_by_what_they_are():
    stranger = np.frompyfunc(lambda x: 42, 1, 1)
    with pytest.raises(residue.TraceError, match="neither NumPy's nor Residue's"):
        residue.fuse(lambda x: stranger(x))(np.float32([1]))


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) >= "2.0.0", reason="there, a scalar of NumPy's has a type of its own")
def test_scalars_have_numpys_rule():
    half, single = np.float16([1, 2]), np.float32([1, 2])
    for array, number in ((half, np.float64(1e5)), (half, np.float32(0.1)), (single, np.array(1e300)), (single, np.float64(0.5)),
                          (half, np.float64(np.inf)), (single, np.float16(3)), (single, np.int64(65535)),
                          (single, np.int64(16777217)), (half, np.int64(100000)), (half, np.uint8(255)), (half, np.int64(-300))):
        expected = residue.multiply(array, number)
        same(residue.fuse(lambda x, n: x * n)(array, number), expected)
        same(residue.fuse(lambda x, n=number: x * n)(array), expected)
    with pytest.raises(residue.TraceError, match="70000 is beyond float16"):
        residue.fuse(lambda x: x * 70000)(half)
    # What is computed of scalars is not known when the type is chosen.
    for call, array, number in ((lambda x, n: x * (1 / n), single, np.float64(1e-40)), (lambda x, n: x * (n * 2), half, np.float64(1e5)),
                                (lambda x, n: x + (n + n), single, np.int64(65535))):
        with pytest.raises(residue.TraceError, match="computed from NumPy's scalars may not fit float"):
            residue.fuse(call)(array, number)
    same(residue.fuse(lambda x, n: x * (n * 2).astype(np.float32))(single, np.float64(3)), single * 6)
    same(residue.fuse(lambda x, n: x * (n * 2))(single.astype(np.float64), np.float64(3)), single.astype(np.float64) * 6)
    same(residue.fuse(lambda x, n: x * (n * 2))(single, 3.0), single * 6)
    # Formulas of several operators have types as single ones do; and where a type is asked for, no number is looked at.
    same(residue.fuse(lambda x, n: x * (n // 2.0))(single, 7.0), single * 3)
    same(residue.fuse(lambda x, n: x * np.power(n, 0.5))(single, 4.0), single * 2)
    for call in (lambda x, n: x * (n // 2.0), lambda x, n: x * divmod(n, 2.0)[0], lambda x, n: x * np.power(n, 0.5)):
        with pytest.raises(residue.TraceError, match="may not fit float32"):
            residue.fuse(call)(single, np.float64(7))
    with pytest.raises(residue.TraceError, match="may not fit int8"):
        residue.fuse(lambda x, n: x + n // 2)(np.int8([1]), 7)
    for call in (lambda x, n: np.multiply(x, n * 2, dtype=np.float32), lambda x, n: np.floor_divide(x, n * 2, dtype=np.float32)):
        same(residue.fuse(call)(single, np.float64(3)), call(single, np.float64(3)))
    assert residue.fuse(lambda n: residue.hard_sigmoid(n + n))(np.int64(3)) == residue.hard_sigmoid(np.int64(6))


def test_truths_are_not_subtracted():
    truths = np.array([True, False])
    for call in (lambda b: b - b, lambda b: -b, lambda b: np.sign(b)):
        with pytest.raises(TypeError):
            call(truths)
        with pytest.raises(residue.TraceError, match="does not compute bool"):
            residue.fuse(call)(truths)
    with pytest.raises(residue.TraceError, match="square does not compute bool"):  # NumPy gives int8
        residue.fuse(lambda b: np.square(b))(truths)


def test_types_that_are_asked_for_must_go():
    single, double = np.float32([1.5, 2]), np.array([1.5, 2])
    for call in (lambda x, y: np.square(x, dtype=np.int32), lambda x, y: np.floor_divide(x, 1.5, dtype=np.int8),
                 lambda x, y: np.add(x, y, casting="no")):
        with pytest.raises(TypeError):
            call(single, double)
        with pytest.raises(residue.TraceError):
            residue.fuse(call)(single, double)
    same(residue.fuse(lambda x: np.square(x, dtype=np.float32, casting="same_kind"))(double), np.square(single))


def test_quotients_by_zero_warn_of_that_alone():
    for x, flags in (([1, 0.5, -3], {"divide"}), ([0], {"invalid"}), ([5], {"divide"}), ([np.inf, -np.inf, np.nan], set())):
        for dtype in (np.float16, np.float32, np.float64):
            seen = set()
            with np.errstate(all="call", call=lambda text, flag: seen.add(text.split()[0])):
                got = residue.fuse(lambda a, b: a // b)(np.array(x, dtype), np.zeros(len(x), dtype))
            assert seen == flags, (x, dtype)
            with np.errstate(all="ignore"):
                same(got, residue.floor_divide(np.array(x, dtype), np.zeros(len(x), dtype)))


def test_handlers_get_numpys_numbers():
    heard = []
    with np.errstate(all="call"):
        before = np.seterrcall(lambda text, number: heard.append((text.split()[0], number)))
        try:
            residue.fuse(lambda x: 1 / x)(np.float32([0]))
            residue.fuse(lambda x: x - x)(np.float32([np.inf]))
            residue.fuse(lambda x: x * x)(np.float32([1e30]))
        finally:
            np.seterrcall(before)
    assert heard == [("divide", 1), ("invalid", 8), ("overflow", 2)]


def test_float64_without_functions():
    f = residue.fuse(lambda x: 0.25 * x ** 3 + 0.75 * x ** 2 - 1.5 * x - 2)
    x = np.linspace(-10, 10, 1001)
    expected = 0.25 * (x * (x * x)) + 0.75 * (x * x) - 1.5 * x - 2
    same(f(x), expected)
    for call in (lambda x: np.sin(x), lambda x: x ** 0.3, lambda x: x ** x):
        with pytest.raises(residue.TraceError, match=r"test_fuse\.py:\d+.*astype\(np\.float32\)|does not compute float64"):
            residue.fuse(call)(x)


def test_out():
    f = residue.fuse(lambda x, y: x * 2 + y)
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(3, np.float32)
    out = np.zeros((3, 2), np.float32).T
    assert f(x, y, out=out) is out and (out == x * 2 + 1).all()
    # In place, and shifted: as if the arguments had been copied.
    memory = np.arange(10, dtype=np.float32)
    expected = memory[:-1] * 2 + memory[1:]
    f(memory[:-1], memory[1:], out=memory[1:])
    assert (memory[1:] == expected).all()
    with pytest.raises(TypeError, match=r"out is float64, but the function returns float32.*astype\(np\.float64\)"):
        f(x, y, out=np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"out has the shape \(3, 2\), but the function returns \(2, 3\)"):
        f(x, y, out=np.zeros((3, 2), np.float32))
    with pytest.raises(ValueError, match="read-only"):
        fixed = np.zeros((2, 3), np.float32)
        fixed.flags.writeable = False
        f(x, y, out=fixed)
    two = residue.fuse(lambda x: (x, x, x + 1))
    a, b, c = two(x)
    assert (a == x).all() and (b == x).all() and (c == x + 1).all() and a is not x
    with pytest.raises(ValueError, match="out has 1 arrays, but the function returns 3"):
        two(x, out=np.empty((2, 3), np.float32))


def test_results_lie_in_memory_as_arguments_do():
    f = residue.fuse(lambda x: x + 1)
    for x in (np.zeros((3, 4)), np.zeros((4, 3)).T, np.zeros((2, 3, 4)).transpose(1, 2, 0)):
        assert f(x).strides == (x + 1).strides


REFUSED = {
    "branches on data": lambda x: x if x > 0 else -x,
    "needs the elements": lambda x: x[0],
    "not element-wise": lambda x: np.add.reduce(x),
    "numpy.sum is not": lambda x: np.sum(x),
    "numpy.hypot is not known": lambda x: np.hypot(x, x),
    "only element-wise": lambda x: float(x),
    "matrix product": lambda x: x @ x,
    "is no number": lambda x: x + "a",
    "must be constants": lambda x: residue.leaky_relu(x, x),
    "cannot be broadcast": lambda x: x + np.zeros(7, np.float32),
    "where=": lambda x: np.add(x, 1, where=x > 0),
    "complex128 cannot": lambda x: x.astype(complex),
    ".sum is not element-wise": lambda x: x.sum(),
    ".reshape is not element-wise": lambda x: x.reshape(-1),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_traced_names_the_line(text):
    with pytest.raises(residue.TraceError) as refused:
        residue.fuse(REFUSED[text])(np.zeros(3, np.float32))
    line = REFUSED[text].__code__.co_firstlineno
    assert f"{__file__}:{line}: " in str(refused.value) and text.rstrip("=") in str(refused.value)


def test_arguments_that_cannot_be_computed():
    f = residue.fuse(lambda x: x)
    for x in (np.zeros(2, complex), np.array(["a"]), np.zeros(2, "M8[s]"), np.zeros(2, object), np.zeros(2, "g")):
        with pytest.raises(TypeError, match="cannot be computed in a fused function"):
            f(x)
    same(f(np.zeros((1,) * 9)), np.zeros((1,) * 9))
    with pytest.raises(ValueError, match="at most 8 can be fused"):
        residue.fuse(lambda x, y: x + y)(np.zeros((2,) * 9), np.zeros((2,) * 8))
    same(f(np.zeros(3, ">f4")), np.zeros(3, "f4"))
    with pytest.raises(TypeError, match="missing 1 required positional"):
        f()


def test_warnings_are_numpys():
    f = residue.fuse(lambda x: np.log(x))
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in <lambda>"):
        f(np.zeros(3, np.float32))
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        f(np.zeros(3, np.float32))
    seen = []
    with np.errstate(all="call", call=lambda text, flag: seen.append(text)):
        f(np.float32([-1]))
    assert seen == ["invalid value"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f(np.ones(3, np.float32))


def test_expressions():
    f = residue.compile_expression("sin(a) * 2 + where(b > 0, b, 0) - max(a, b) % 3")
    a, b = (np.random.default_rng(i).uniform(-3, 3, 100).astype(np.float32) for i in range(2))
    two, zero, three = np.float32(2), np.float32(0), np.float32(3)
    expected = residue.sin(a) * two + np.where(b > zero, b, zero) - residue.mod_floor(np.maximum(a, b), three)
    same(f(a, b), expected)
    same(f(b=b, a=a), expected)
    assert f.names == ("a", "b") and repr(f).startswith("residue.compile_expression(")
    same(pickle.loads(pickle.dumps(f))(a, b), expected)
    same(residue.compile_expression("leaky_relu(x, alpha=0.5)")(a), residue.leaky_relu(a, 0.5))
    with pytest.raises(TypeError, match="takes a, b; missing: b"):
        f(a)
    for text, error in {"__import__('os')": "is not known", "a.b": "Attribute is not part", "a and b": "write & and",
                        "a < b < c": r"\(a < b\) & \(b < c\)", "f(a)": "f is not known", "[a]": "List is not part",
                        "a if b else c": "IfExp", "'text'": "is no number", "lambda: 1": "Lambda", "a @ b": "MatMult",
                        "(a := 1)": "NamedExpr", "not a": "write ~"}.items():
        with pytest.raises(SyntaxError, match=error):
            residue.compile_expression(text)
    with pytest.raises(SyntaxError):
        residue.compile_expression("a +")
    for text, error in {"a + 9**9**9": "more than 64 bits", "a + (1 << 9999999999)": "more than 64 bits", "a + 1//0": "by zero",
                        "a + 2.0**9999": "too large|range", "a + (1 << -1)": "negative shift"}.items():
        with pytest.raises(SyntaxError, match=error):
            residue.compile_expression(text)(np.ones(3, np.float32))
    same(residue.compile_expression("a + 2**10 % 7 - (3 << 2)")(a), a + np.float32(2) - np.float32(12))
    with pytest.raises(residue.TraceError, match=r"^'sin\(a\)': residue.sin does not compute float64"):
        residue.compile_expression("sin(a)")(np.ones(3))


def test_many_threads_at_once():
    f = residue.fuse(lambda x: np.sin(x) * 2)
    arrays = [np.full(n, 0.5, np.float32) for n in (1, 1000, 70000)] * 20
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for x, y in zip(arrays, pool.map(f, arrays)):
            same(y, residue.multiply(residue.sin(x), np.float32(2)))


def test_what_is_kept_is_bounded():
    f = residue.fuse(lambda x: x + 1)
    for n in range(200):
        f(np.zeros((n, 2), np.float32)[:, 0])
    assert len(f._kept) == 64


def allocated_after(count, call):
    for _ in range(count):
        call()
    gc.collect()
    return sys.getallocatedblocks()


def test_nothing_leaks():
    """Neither calls nor traced functions keep anything."""
    f = residue.fuse(lambda x: np.exp(x) * 2 + 1)
    x = np.ones(4, np.float32)
    calls = by_tier(2000, 20_000, 100_000)
    for call, count in ((lambda: f(x), calls), (lambda: residue.exp(x), calls), (lambda: residue.leaky_relu(x, 0.5), calls),
                        (lambda: residue.fuse(lambda x: np.exp(x) * 2 + 1)(x), calls // 10),
                        (lambda: pytest.raises(residue.TraceError, residue.fuse(lambda x: x[0]), x), calls // 10)):
        before = allocated_after(50, call)
        assert allocated_after(count, call) - before < 60


def test_references_are_returned():
    x = np.ones(4, np.float32)
    f = residue.fuse(lambda x: x + 1)
    f(x)
    before = sys.getrefcount(x)
    for _ in range(1000):
        f(x)
        with pytest.raises(TypeError):
            f(x, x)
    assert sys.getrefcount(x) == before
