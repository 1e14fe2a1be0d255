"""Fused functions beside the rest of Python and NumPy: methods, help, what errors say, and what else of NumPy's is known."""
import copy
import gc
import pickle
import pydoc
import weakref

import numpy as np
import pytest

import residue
from test_fuse import same


class Model:
    """Whose objects have numbers of their own."""

    def __init__(self, scale):
        self.scale = scale

    @residue.fuse
    def apply(self, x, shift=1.0):
        """Scaled and shifted."""
        return x * self.scale + shift

    @staticmethod
    @residue.fuse
    def twice(x):
        return x * 2

    by_text = residue.compile_expression("a * 3")

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1


def test_methods():
    x = np.float32([1, 2])
    one, two = Model(10), Model(100)
    for _ in range(2):
        assert one.apply(x).tolist() == [11, 21] and two.apply(x).tolist() == [101, 201], "each has its own, though they are equal"
        assert one.apply(x, shift=2).tolist() == one.apply(x=x, shift=2.0).tolist() == [12, 22]
        assert Model(5).apply(x).tolist() == [6, 11], "an object that nothing else holds"
    assert one.twice(x).tolist() == Model.twice(x).tolist() == [2, 4]
    assert one.by_text(x).tolist() == Model.by_text(x).tolist() == [3, 6]
    other = copy.deepcopy(one)
    other.scale = 7
    assert other.apply(x).tolist() == [8, 15] and one.apply(x).tolist() == [11, 21]
    assert residue.fuse(lambda x: one.apply(x) + two.apply(x))(x).tolist() == [112, 222]
    assert pickle.loads(pickle.dumps(one.apply))(x).tolist() == [11, 21]
    assert one.apply.__self__ is one and one.apply.__name__ == "apply" and one.apply.__doc__ == "Scaled and shifted."
    assert one.apply.explain(x).startswith("1 pass")
    with pytest.raises(TypeError, match="argument"):
        one.apply()


def test_methods_hold_no_object():
    model = Model(2)
    model.apply(np.ones(2))
    number, gone = id(model), weakref.ref(model)
    assert number in Model.apply._methods
    del model
    gc.collect()
    assert gone() is None and number not in Model.apply._methods


def test_methods_of_objects_that_have_no_weak_references():
    class Slots:
        __slots__ = ("scale",)

        @residue.fuse
        def apply(self, x):
            return x * self.scale

    slots = Slots()
    slots.scale = 4
    assert slots.apply(np.float32([1])).tolist() == [4]
    slots.scale = 5
    assert slots.apply(np.float32([1])).tolist() == [5]


def test_help_says_how_to_call():
    @residue.fuse
    def axpy(a, x, y=0.0):
        """a x + y."""
        return a * x + y

    text = pydoc.render_doc(axpy, renderer=pydoc.plaintext)
    assert "axpy(a, x, y=0.0)" in text and "a x + y." in text
    assert "apply(x, shift=1.0)" in pydoc.render_doc(Model(1).apply, renderer=pydoc.plaintext)


def test_tab_completion_shows_what_is_for_users():
    names = dir(residue)
    assert {"fuse", "exp", "ufuncs", "functions", "__version__", "__doc__"} <= set(names)
    assert not [name for name in names if name.startswith("_") and not name.startswith("__")]


def test_the_array_apis_names():
    names = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
             "atanh": "arctanh", "pow": "power", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
             "bitwise_right_shift": "right_shift"}
    for alias, name in names.items():
        assert getattr(residue, alias) is getattr(residue, name) and alias in residue.__all__
    x = np.float32([0.25, 0.5])
    same(residue.fuse(lambda x: residue.acos(x) + residue.pow(x, 3))(x), residue.arccos(x) + residue.power(x, np.float32(3)))
    same(residue.compile_expression("atan2(a, b)")(x, x), residue.arctan2(x, x))


def test_what_is_no_number():
    f = residue.fuse(lambda x: x + 1)
    from fractions import Fraction
    for wrong, text in ((None, "None cannot be computed in a fused function; pass a number"),
                        (Fraction(1, 3), r"a Fraction cannot be computed in a fused function; .* as float\(x\)"),
                        (object(), "a object cannot be computed")):
        with pytest.raises(TypeError, match=text):
            f(wrong)
    for wrong in (None, 3, np.ones(3), "a + b"):
        with pytest.raises(TypeError, match="a function is fused, not"):
            residue.fuse(wrong)
    with pytest.raises(TypeError, match="order of bytes of other machines; pass one of float32"):
        f(np.ones(3, np.float32), out=np.ones(3, ">f4"))
    with pytest.raises(residue.TraceError, match=r"bitwise_and does not compute float32, float32: it computes integers"):
        residue.fuse(lambda x: np.bitwise_and(x, x))(np.ones(3, np.float32))


@pytest.mark.skipif(int(np.__version__.split(".")[0]) < 2, reason="NumPy 1 does not look at the types of scalars")
def test_the_number_that_widened_is_named():
    x = np.ones(3, np.float32)
    root = np.sqrt(2)
    with pytest.raises(residue.TraceError, match=r"np\.float64\(1\.414\d+\) is a number of NumPy's.*pass a float of Python's"):
        residue.fuse(lambda x: np.exp(x * root + 1))(x)
    with pytest.raises(residue.TraceError, match=r"argument 2 is a number of NumPy's.*as float\(x\)"):
        residue.fuse(lambda x, s: np.sin(x * s))(x, root)
    for call in (lambda: residue.fuse(np.exp)(np.ones(3)), lambda: residue.fuse(lambda x: np.exp(x * root))(np.ones(3))):
        with pytest.raises(residue.TraceError, match=r"convert, as with astype\(np\.float32\)"):
            call()


SIGNED = [np.int8, np.int16, np.int32, np.int64]


def test_shifts_of_integers_that_have_a_sign():
    for dtype in SIGNED:
        info = np.iinfo(dtype)
        bits = info.bits
        values = np.array([0, 1, -1, 2, -2, 77, -77, info.max, info.min, info.max // 3, info.min // 3], dtype)
        counts = np.array([0, 1, 2, bits - 2, bits - 1, bits, bits + 1, 2 * bits - 1, -1, info.max, info.min, 100], dtype)
        x, n = (array.ravel() for array in np.meshgrid(values, counts))
        for name in ("left_shift", "right_shift"):
            f = residue.fuse(getattr(residue, name))
            same(f(x, n), getattr(np, name)(x, n), f"{name} {dtype.__name__}")
            same(f(x, 3), getattr(np, name)(x, 3), f"{name} {dtype.__name__} by 3")
        same(residue.fuse(lambda x, n: (x << n) >> n)(x, n), (x << n) >> n)
    a, b = np.int8([-128, 5, -1]), np.int32([1, 2, 3])
    same(residue.fuse(lambda a, b: (a << b, b >> a))(a, b)[0], a << b)
    same(residue.fuse(lambda a, b: (a << b, b >> a))(a, b)[1], b >> a)


def test_moduli_of_an_integer_with_a_sign_and_one_without():
    random = np.random.default_rng(3)
    for dtype in SIGNED:
        info = np.iinfo(dtype)
        edges = [0, 1, -1, 2, -2, 3, -3, info.max, info.min, info.max - 1, info.min + 1]
        signed = np.concatenate([np.array(edges, dtype), random.integers(info.min, info.max, 20, dtype, endpoint=True)])
        unsigned = np.concatenate([np.array([0, 1, 2, 3, 7, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1], np.uint64),
                                   random.integers(0, 2**64 - 1, 20, np.uint64, endpoint=True)])
        a, b = (array.ravel() for array in np.meshgrid(signed, unsigned))
        for name in ("mod_floor", "mod_trunc"):
            ufunc = getattr(residue, name)
            f = residue.fuse(lambda a, b, ufunc=ufunc: ufunc(a, b))
            with np.errstate(all="ignore"):
                same(f(a, b), ufunc(a, b), f"{name} {dtype.__name__}, uint64")
                same(f(b, a), ufunc(b, a), f"{name} uint64, {dtype.__name__}")
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        residue.fuse(lambda a, b: residue.mod_floor(a, b))(np.int64([1]), np.uint64([0]))
    residue.fuse(lambda a, b: residue.mod_floor(a, b))(np.int64([-1]), np.uint64([3]))


def test_divmod_of_mixed_integers_has_the_types_of_the_ufunc():
    a, b = np.int64([7, -7, 2**62 + 1]), np.uint64([3, 3, 5])
    for x, y in ((a, b), (b, a), (a.astype(np.int8), b), (a, b.astype(np.uint32)), (a, a), (b, b), (a, 3), (b, 3)):
        for got, expected in zip(residue.fuse(divmod)(x, y), residue.divmod(x, y)):
            same(got, expected, f"{x.dtype} {y}")


def test_rounding_to_decimals():
    x = np.concatenate([np.linspace(-30, 30, 4001), [0.125, 0.375, 2.5, -2.5, 1e5, np.inf, -np.inf, np.nan, -0.0]])
    for dtype in (np.float32, np.float64):
        y = x.astype(dtype)
        for decimals in (0, 1, 2, 3, -1, -2):
            for function in (lambda y: np.round(y, decimals), lambda y: np.around(y, decimals=decimals), lambda y: y.round(decimals)):
                same(residue.fuse(function)(y), function(y), f"{dtype.__name__} {decimals}")
    n = np.int32([149, -151, 7])
    same(residue.fuse(lambda n: np.round(n, 2))(n), n)
    for function, text in ((lambda n: np.round(n, -1), "round of int32 to -1 decimals cannot be fused"),
                           (lambda n: np.round(n, 0, out=n), "out=")):
        with pytest.raises(residue.TraceError, match=text):
            residue.fuse(function)(n)


@pytest.mark.skipif(not hasattr(np, "astype"), reason="NumPy has no astype")
def test_numpys_astype():
    x = np.float32([1.5, -2.5])
    for function in (lambda x: np.astype(x, np.int32), lambda x: np.astype(x, "f8", copy=False) * 2):
        same(residue.fuse(function)(x), function(x))
