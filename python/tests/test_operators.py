"""Every ufunc of the list: equal to the library bit for bit, to NumPy where that is exact, and at home with NumPy's other
types. 65536 elements per type in the quick tier, a million in the full one."""
import functools
import importlib
import pickle
import warnings

import numpy as np
import pytest

import library
import residue
from conftest import SEED, by_tier
from operands import edges, random_pairs
from residue import _native, ufuncs

COUNT = by_tier(1 << 16, 1_000_000, 1 << 22)
OPERATORS = _native.operators
LISTED = {name: entry for name, entry in OPERATORS.items() if entry["operator"]}
LOOPS = [(name, loop) for name, entry in LISTED.items() for loop in entry["loops"]]
WITH_PEERS = [name for name, entry in OPERATORS.items() if entry["numpy"]]
# Where NumPy keeps the ufunc of np.clip, which is a function.
UMATH = importlib.import_module("numpy.core.umath" if np.lib.NumpyVersion(np.__version__) < "2.0.0" else "numpy._core.umath")
FUNCTIONS = [name for name, entry in OPERATORS.items() if entry["rounds"]]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def numpys(name):
    peer = OPERATORS[name]["numpy"]
    return getattr(UMATH if peer == "clip" else np, peer)


@functools.lru_cache(maxsize=48)
def pairs(dtype, count, salt):
    made = random_pairs(dtype, count, salt)
    for array in made:
        array.flags.writeable = False
    return made


def operands(codes, count, salt=0):
    """An array for each type: edges and full width, and for truth values both."""
    made = []
    for i, code in enumerate(codes):
        if code == "?":
            made.append(np.random.default_rng([SEED, salt, i]).random(count) < 0.5)
        else:
            made.append(pairs(np.dtype(code), count, salt + i // 2)[i % 2])
    return made


def same_bits(got, expected, what, any_nan=False, except_where=None):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape, what
    unsigned = np.dtype(f"u{got.dtype.itemsize}")
    differ = np.ascontiguousarray(got).view(unsigned) != np.ascontiguousarray(expected).view(unsigned)
    if any_nan and got.dtype.kind == "f":
        differ &= ~(np.isnan(got) & np.isnan(expected))
    if except_where is not None:
        differ &= ~except_where
    if differ.any():
        i = np.flatnonzero(differ.ravel())[0]
        raise AssertionError(f"{what}, element {i}: {got.ravel()[i]!r}, expected {expected.ravel()[i]!r}; RESIDUE_SEED={SEED}")


@pytest.mark.parametrize("name, loop", LOOPS, ids=[f"{name}-{loop}" for name, loop in LOOPS])
def test_equal_to_the_library(name, loop):
    entry = LISTED[name]
    codes, _, result = loop.partition("->")
    if len(set(codes[:2])) == 2 and name.startswith("mod_"):
        pytest.skip("an int64 and a uint64: Python's loop, which test_an_int64_and_a_uint64 compares")
    arrays = operands(codes[:entry["inputs"]], COUNT)
    parameters = [random_pairs(np.dtype(code), 100, 7 + i)[0][60 + i] for i, code in enumerate(codes[entry["inputs"]:])]
    params = entry["params"]
    if parameters and name != "cast":
        slot = len(params) // len(parameters)
        params = b"".join(value.tobytes().ljust(slot, b"\0") for value in parameters)
    got = entry["ufunc"](*arrays, *parameters, signature=loop)
    same_bits(got, library.run(entry["operator"], arrays, np.dtype(result), params), f"{name} {loop} {parameters}")


@pytest.mark.parametrize("name", [name for name, entry in LISTED.items() if "=" in entry["parameters"]])
def test_defaults_are_the_librarys(name):
    x = np.float32([-2, -0.75, -0.1, 0, 0.3, 2.5])
    same_bits(getattr(residue, name)(x), library.run(LISTED[name]["operator"], [x], np.dtype(np.float32)), name)


@pytest.mark.parametrize("name", [name for name, entry in LISTED.items() if entry["parameters"].count("=") > 1])
def test_parameters_are_named_in_any_order(name):
    x = np.float32([-2, -0.75, 0, 2.5])
    words = [word.strip().partition("=")[0] for word in LISTED[name]["parameters"].split(",")]
    values = dict(zip(words, (0.25, 1.75)))
    whole = getattr(residue, name)(x, *values.values())
    same_bits(getattr(residue, name)(x, **dict(reversed(values.items()))), whole, name)
    defaults = getattr(residue, name).__signature__.parameters
    last = words[-1]
    same_bits(getattr(residue, name)(x, **{last: values[last]}),
              getattr(residue, name)(x, *(defaults[word].default for word in words[:-1]), values[last]), name)
    with pytest.raises(TypeError, match="unexpected keyword argument 'gain'"):
        getattr(residue, name)(x, gain=1)


# Where ours differ from NumPy's, and why; nothing else may.
DIFFERENCES = {
    "sign": lambda x: np.isnan(x) if x.dtype.kind == "f" else np.zeros(x.shape, bool),       # 0, not NaN
    # The lower bound wins, and one that is NaN is none; zeros as below.
    "clip": lambda x, low, high: ~(low <= high) | (low == 0) | (high == 0),
    "maximum": lambda a, b: (a == 0) & (b == 0),      # 0 is larger than -0, always
    "minimum": lambda a, b: (a == 0) & (b == 0),
}


@pytest.mark.parametrize("name", WITH_PEERS)
def test_equal_to_numpy(name):
    """Every type that is computed here; NaN results are one quiet NaN, where NumPy's have a sign and payload."""
    entry = OPERATORS[name]
    for loop in entry["loops"] or [loop for loop in entry["ufunc"].types if loop[0] in "bBhHiIlLefd"]:
        codes = loop.partition("->")[0]
        if len(set(codes)) > 1:
            continue
        arrays = operands(codes, COUNT, salt=20)
        got, expected = entry["ufunc"](*arrays), numpys(name)(*arrays)
        apart = DIFFERENCES[name](*arrays) if name in DIFFERENCES else None
        if isinstance(got, tuple):
            for ours, theirs in zip(got, expected):
                same_bits(ours, theirs, f"{name} {loop}", any_nan=True)
        else:
            same_bits(got, expected, f"{name} {loop}", any_nan=True, except_where=apart)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_differences_are_there(name):
    """Each is one, and is as documented."""
    if name == "sign":
        assert residue.sign(np.nan) == 0 and np.isnan(np.sign(np.nan))
    elif name != "clip":
        # Which of both NumPy returns depends on the processor and on the place in the array.
        results = {np.signbit(getattr(residue, name)(np.full(n, a), np.full(n, -a))).tolist()[-1]
                   for n in range(1, 40) for a in (0.0, -0.0)}
        assert results == {name == "minimum"}
    else:
        assert residue.clip(5, 7, 3) == 7 and np.clip(5, 7, 3) == 3
        assert residue.clip(5.0, np.nan, 3.0) == 3 and np.isnan(numpys("clip")(5.0, np.nan, 3.0))


@pytest.mark.parametrize("name", WITH_PEERS)
def test_other_types_are_numpys(name):
    """Times, long doubles, complex numbers, objects and strings: the same results, types and refusals."""
    ours, theirs = OPERATORS[name]["ufunc"], numpys(name)
    assert set(theirs.types) <= set(ours.types) and ours.identity == theirs.identity
    samples = [np.array([5, 7, 9], "m8[s]"), np.array([5, 7, 9], "M8[D]"), np.array([5.5, -7, 9], "g"),
               np.array([5.5 - 1j, 7j, 9], "F"), np.array([2**70, -3, 5], object), np.array([True, False, True]),
               np.array(["a", "b", "c"])]
    for sample in samples:
        arguments = [sample, np.roll(sample, 1), sample][:ours.nin]
        try:
            expected = theirs(*arguments)
        except Exception as error:
            with pytest.raises(type(error)):
                ours(*arguments)
            continue
        for got, wanted in zip(np.atleast_1d(ours(*arguments), expected), (expected,)) if ours.nout == 1 else \
                zip(ours(*arguments), expected):
            assert got.dtype == wanted.dtype
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_refuse_what_would_differ_between_machines(name):
    """Never NumPy's bits: float64 is an error that says what to do, and doing it helps."""
    function = getattr(residue, name)
    inputs = OPERATORS[name]["inputs"]
    for dtype in ("float64", "longdouble", "complex64", "int64") if name != "power" else ("float64", "longdouble"):
        with pytest.raises(TypeError, match=rf"residue\.{name} does not compute {np.dtype(dtype)}"):
            function(*[np.ones(3, dtype)] * inputs)
    if name != "power":
        with pytest.raises(TypeError, match=r"dtype=np\.float32"):
            function(*[np.ones(3)] * inputs)
    x = np.linspace(0.25, 0.75, 50)
    asked = function(*[x] * inputs, dtype=np.float32)
    same_bits(asked, function(*[x.astype(np.float32)] * inputs), name)
    # Halves and what fits them have their own.
    assert function(*[np.ones(3, np.float16)] * inputs).dtype == np.float16


@pytest.mark.parametrize("name", OPERATORS)
def test_pickles_by_a_public_name(name):
    ufunc = OPERATORS[name]["ufunc"]
    assert isinstance(ufunc, np.ufunc) and getattr(ufuncs, name) is ufunc
    pickled = pickle.dumps(ufunc)
    assert getattr(ufuncs, ufunc.__name__) is ufunc
    assert pickle.loads(pickled) is ufunc and b"_native" not in pickled


PARAMETERS = {name: entry for name, entry in LISTED.items() if entry["parameters"] and name != "cast"}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_that_differ_between_elements(name):
    """As if each element were computed with its own."""
    entry = PARAMETERS[name]
    ufunc, inputs = entry["ufunc"], entry["inputs"]
    for loop in entry["loops"]:
        codes = loop.partition("->")[0]
        arrays = [array.copy() for array in operands(codes, 300, salt=40)]
        for parameter in arrays[inputs:]:
            parameter[100:200] = parameter[100]
        got = ufunc(*arrays, signature=loop)
        for i in [*range(0, 20), *range(95, 105), 199, 200, 299]:
            one = ufunc(*(array[i:i + 1] for array in arrays), signature=loop)
            assert one.tobytes() == got[i:i + 1].tobytes(), f"{name} {loop} element {i}"


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_have_names_and_defaults(name):
    function = getattr(residue, name)
    x = [np.linspace(-2, 2, 20, dtype=np.float32)] * PARAMETERS[name]["inputs"]
    names = [word.strip().partition("=") for word in PARAMETERS[name]["parameters"].split(",")]
    values = {key: float(default or i) for i, (key, _, default) in enumerate(names)}
    named = function(*x, **values)
    same_bits(function(*x, *values.values()), named, name)
    if all(default for _, _, default in names):
        same_bits(function(*x), named, name)
    out = np.empty(20, np.float32)
    assert function(*x, **values, out=out) is out
    with pytest.raises(TypeError, match="unexpected keyword argument 'gain'|got an unexpected"):
        function(*x, **values, gain=3)
    with pytest.raises(TypeError):
        function()


@pytest.mark.parametrize("floor", [True, False])
def test_an_int64_and_a_uint64(floor):
    """As Python computes it; NumPy goes through float64, in which 2^63 + 807 is 2^63 + 1024."""
    ufunc = residue.mod_floor if floor else residue.mod_trunc
    signed, unsigned = random_pairs("i8", 5000)[0], random_pairs("u8", 5000, salt=1)[1]

    def expected(x, y):
        if y == 0:
            return 0
        return x % y if floor else abs(x) % abs(y) * (1 if x >= 0 else -1)

    for a, b in ((signed, unsigned), (unsigned, signed), (signed.astype("i4"), unsigned), (unsigned, np.int64(-7))):
        got = ufunc(a, b)
        like = b if floor else a
        assert got.dtype == like.dtype.newbyteorder("=") or got.dtype.itemsize == 8 and got.dtype.kind == like.dtype.kind
        a, b = np.broadcast_arrays(a, b)
        assert got.tolist() == [expected(x, y) for x, y in zip(a.tolist(), b.tolist())]
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        ufunc(signed, np.zeros(5000, "u8"))


def test_warnings_of_functions():
    one = np.ones(3, np.float32)
    for call, text in ((lambda: residue.exp(one * 1000), "overflow"), (lambda: residue.log(-one), "invalid"),
                       (lambda: residue.log(one * 0), "divide by zero"), (lambda: residue.arctanh(one), "divide by zero"),
                       (lambda: residue.divide(one, 0 * one), "divide by zero"),
                       (lambda: residue.add(one * 3e38, one * 3e38), "overflow")):
        with pytest.warns(RuntimeWarning, match=text):
            call()
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error")
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        residue.exp(one), residue.log(one), residue.sqrt(one), residue.multiply(one, one)


def test_reductions_and_masks():
    x = np.arange(1, 11, dtype=np.float32)
    assert residue.add.reduce(x) == 55 and residue.multiply.accumulate(x[:4]).tolist() == [1, 2, 6, 24]
    assert residue.maximum.reduce(x.reshape(2, 5), axis=0).tolist() == [6, 7, 8, 9, 10]
    assert residue.add.reduce(np.zeros(0)) == 0 and residue.logical_and.reduce([True, False]) == np.False_
    masked = np.ma.array([-1.0, 4.0, 9.0], mask=[0, 0, 1])
    assert residue.sqrt(masked).tolist() == np.sqrt(masked).tolist() == [None, 2.0, None]
    assert residue.log(np.ma.array([0, 1], dtype=np.float32)).tolist() == [None, 0.0]


def test_casts_by_every_name_of_a_type():
    """NumPy has two types of 64-bit integers; truth is another than 0; other types are refused."""
    x = np.array([1000.0, -2.5, 0.5, np.nan])
    for to in (np.longlong, np.int64, "q", ">i8"):
        assert residue.cast(x, to).tolist() == [1000, -2, 0, 0] and residue.cast(x, to).dtype == np.int64
    for given in (np.longlong, np.ulonglong):
        assert residue.cast(np.array([1000], given), np.int32).tolist() == [1000]
    assert residue.cast(x, bool).tolist() == [True, True, True, True]
    assert residue.cast(np.array([0.0, 2]), bool).dtype == bool
    for to in (np.longdouble, np.complex64, "M8[s]"):
        if np.dtype(to) != np.float64:
            with pytest.raises(TypeError, match="does not compute"):
                residue.cast(x, to)


def test_quotients_that_are_nan_are_the_quiet_nan():
    for dtype in ("f2", "f4", "f8"):
        a = np.array([0.0, np.inf, np.nan, -np.nan, 1.0], dtype)
        b = np.array([0.0, 1.0, 2.0, 2.0, np.nan], dtype)
        quiet = np.full(5, np.nan, dtype).view(f"u{a.itemsize}")
        with np.errstate(all="ignore"):
            for quotient in (residue.floor_divide(a, b), residue.divmod(a, b)[0]):
                assert (quotient.view(f"u{a.itemsize}") == quiet)[[0, 2, 3, 4]].all(), dtype


def test_edges_of_casts():
    """Defined everywhere, unlike astype."""
    for dtype in ("float16", "float32", "float64"):
        x = edges(dtype)
        for to in "bBhHiIlL":
            limits = np.iinfo(to)
            got = residue.cast(x, to)
            with np.errstate(all="ignore"):
                whole = [0 if np.isnan(v) else int(np.clip(v, -1e300, 1e300)) if np.isfinite(v) else int(np.sign(v)) * 2**70
                         for v in x.astype("f8")]
            assert got.tolist() == [min(max(v, limits.min), limits.max) for v in whole], f"{dtype} to {to}"


def test_hard_sigmoid_of_long_floats_is_refused():
    for x in (np.array([0.3]), np.array([0.3], ">f8"), np.array([0.3], np.longdouble), [0.3], 0.3):
        with pytest.raises(TypeError, match="does not compute"):
            residue.hard_sigmoid(x)
    for code in ("f4", "f2"):
        assert residue.hard_sigmoid(np.array([1], ">" + code)) == residue.hard_sigmoid(np.array([1], code))
        assert residue.hard_sigmoid(np.array([1], ">" + code)).dtype == code
