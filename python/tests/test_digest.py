"""Digests: the same for the same bits, whatever the layout, and another for others."""
import subprocess
import sys

import numpy as np
import pytest

import residue
from operands import DTYPES, random_pairs


def by_definition(array):
    """The sum over all elements of a mix of bits and place, in Python's integers."""
    mask = 2**64 - 1

    def mix(z):
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    total = mix(array.dtype.itemsize << 8 | ord(array.dtype.kind))
    if array.dtype.kind == "M":
        for byte in str(np.datetime_data(array.dtype)).encode():
            total = mix(total + byte & mask)
    for extent in array.shape:
        total = mix(total + extent & mask)
    elements = array.astype(array.dtype.newbyteorder("=")).ravel().view(f"u{array.itemsize}").tolist()
    return (total + sum(mix(x + mix((i + 1) * 0x9E3779B97F4A7C15 & mask) & mask) for i, x in enumerate(elements))) & mask


@pytest.mark.parametrize("dtype", [*DTYPES, "bool", "M8[s]"])
def test_every_layout(dtype):
    x = np.array(random_pairs("int8", 24)[0] > 0) if dtype == "bool" else \
        random_pairs(dtype, 24)[0] if dtype != "M8[s]" else np.arange(24).astype("M8[s]")
    x = x.reshape(2, 3, 4)
    expected = by_definition(x)
    padded = np.zeros((2, 3, 9), x.dtype)
    padded[..., ::2][..., :4] = x
    raw = np.empty(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    raw[...] = x
    for layout in (x, np.asfortranarray(x), x[::-1].copy()[::-1], padded[..., ::2][..., :4], raw,
                   x.astype(x.dtype.newbyteorder("S"))):
        assert residue.digest(layout) == expected


def test_what_differs_differs():
    x = np.arange(6, dtype=np.float32)
    others = [x[::-1], x.reshape(2, 3), x.astype("f8"), x.view("i4"), np.append(x, 0).astype("f4"), x[:5], -x, x + 0j]
    digests = [residue.digest(y) for y in (x, *others)]
    assert len(set(digests)) == len(digests)
    assert residue.digest(np.float32(0.0)) != residue.digest(np.float32(-0.0))
    assert residue.digest([]) != residue.digest(np.zeros((0, 2)))
    times = [np.zeros(2, f"M8[{unit}]") for unit in ("s", "ns", "2s")] + [np.zeros(2, "m8[s]"), np.zeros(2, "i8")]
    assert len({residue.digest(time) for time in times}) == len(times)
    payload = np.array([0x7FC00001], np.uint32).view(np.float32)
    assert residue.digest(payload) != residue.digest(np.float32([np.nan]))
    for refused in (np.zeros(2, "g"), np.array([None]), np.array(["a"]), np.zeros(2, [("a", "f4")])):
        with pytest.raises(TypeError, match="differ between machines"):
            residue.digest(refused)


def test_large_arrays_in_parts():
    x = np.random.default_rng(1).random((500, 700)).astype(np.float32)
    assert residue.digest(x.T) == residue.digest(np.ascontiguousarray(x.T)) == by_definition(np.ascontiguousarray(x.T))


CODE = """
import numpy as np, residue
f = residue.compile_expression("gelu(sin(x) * 3 + mod_floor(x, 0.7)) / (1 + exp(-x))")
x = np.linspace(-20, 20, 200_000, dtype=np.float32)
print(residue.digest(f(x)), residue.digest(residue.tanh(x)), residue.digest(f(x.reshape(400, 500).T)))
"""


def test_one_number_on_every_target():
    seen = set()
    for target in residue.show_config(mode="dicts")["targets"]:
        if target == "REFERENCE":
            continue
        result = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True,
                                env={"RESIDUE_MAX_TARGET": target})
        seen.add(result.stdout)
    assert len(seen) == 1


def test_verify():
    """The number of docs/functions.md and of `residue verify --digest`."""
    assert residue.verify() == "8b2ad2f268a3511d"
