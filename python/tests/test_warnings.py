"""Floating-point errors are reported as NumPy reports its own: which, when, and how the user asked for it."""
import ctypes
import platform
import warnings

import numpy as np
import pytest

import residue
from operands import DTYPES, FLOATS, INTEGERS, edges

PAIRS = [(residue.mod_floor, np.remainder), (residue.mod_trunc, np.fmod)]


def reported(ufunc, a, b):
    """The kinds of error of one call."""
    kinds = set()
    with np.errstate(all="call", call=lambda kind, flag: kinds.add(kind)):
        ufunc(a, b)
    return kinds


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ours, numpys", PAIRS)
def test_every_pair_of_edges_reports_the_same(ours, numpys, dtype):
    values = edges(dtype)
    if values.size > 150:
        values = np.concatenate([values[:: values.size // 100], values[:6], values[-6:]])
        if np.dtype(dtype).kind == "f":
            values = np.append(values, np.array([0, -0.0, np.inf, -np.inf, np.nan], dtype))
    for a in values:
        for b in values:
            one, other = np.array([a]), np.array([b])
            assert reported(ours, one, other) == reported(numpys, one, other), (a, b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [1, 7, 16, 100, 1000, 10_000, 300_000])
def test_one_bad_element_is_reported_wherever_it_is(dtype, count):
    kind = "divide by zero" if dtype in INTEGERS else "invalid value"
    a, b = np.full(count, 5, dtype), np.full(count, 3, dtype)
    with np.errstate(all="raise"):
        residue.mod_floor(a, b)
        residue.mod_floor(a, b[0])
        for place in {0, count // 2, count - 1}:
            b[place] = 0
            with pytest.raises(FloatingPointError, match=f"{kind} encountered in mod_floor"):
                residue.mod_floor(a, b)
            with pytest.raises(FloatingPointError, match=f"{kind} encountered in mod_trunc"):
                residue.mod_trunc(a[::-1], b[::-1])
            b[place] = 3
        with pytest.raises(FloatingPointError):
            residue.mod_trunc(a, np.array(0, dtype))
        # What is not computed is not reported.
        b[count // 2] = 0
        residue.mod_floor(a, b, out=a.copy(), where=b != 0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_quiet_nan_is_silent_and_signalling_nan_is_not(dtype):
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    signalling = (np.array(np.inf, dtype).view(unsigned) + unsigned.type(1)).view(dtype).reshape(1)
    with np.errstate(all="raise"):
        assert np.isnan(residue.mod_floor(np.array([np.nan], dtype), np.array([0], dtype)))[0]
        assert np.isnan(residue.mod_floor(np.array([np.inf], dtype), np.array([np.nan], dtype)))[0]
        with pytest.raises(FloatingPointError):
            residue.mod_trunc(signalling, np.ones(1, dtype))


def test_integer_zero_gives_zero_and_the_warning():
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in mod_floor"):
        assert residue.mod_floor(np.int32(7), np.int32(0)) == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(divide="ignore", invalid="ignore"):
            residue.mod_floor([1, 2], [0, 0])
            residue.mod_floor([1.0, np.inf], [0.0, 1.0])
        residue.mod_floor(np.iinfo("i8").min, np.int64(-1))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", [1, 2, 7, 33, 100, 1000])
@pytest.mark.parametrize("ours, numpys", PAIRS)
def test_rows_of_nan_against_one_number_are_silent(ours, numpys, dtype, count):
    nans = np.full(count, np.nan, dtype)
    for number in np.array([0, -0.0, np.inf, 1, np.nan], dtype):
        for a, b in ((nans, number), (number, nans)):
            assert reported(ours, a, b) == reported(numpys, a, b) == set()


def test_huge_and_tiny_quotients_report_nothing():
    with np.errstate(all="raise"):
        residue.mod_floor(1e300, 1e-300)
        residue.mod_floor(np.float32(1e-40), np.float32(3e-41))
        residue.mod_trunc(np.float16(65504), np.float16(6e-8))


def test_flags_of_others_are_neither_reported_nor_lost():
    """What the C library knows as raised before a call is raised after it, and nothing else."""
    library = ctypes.CDLL("libm.so.6")
    # The numbers are the processor's.
    overflow, everything = {"x86_64": (8, 0x3D), "aarch64": (4, 0x1F)}[platform.machine()]
    a, b = np.full(1000, 5.0), np.full(1000, 3.0)
    for raised in (0, overflow):
        library.feclearexcept(everything)
        library.feraiseexcept(raised)
        with np.errstate(all="ignore"):
            residue.mod_floor(a[:3], b[:3])
            residue.mod_floor(a, b)
        # NumPy itself clears the flags that it looks at.
        assert library.fetestexcept(overflow) in (0, raised)
    with np.errstate(all="raise"):
        residue.mod_floor(a, b)
