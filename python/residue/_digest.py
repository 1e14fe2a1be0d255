"""Numbers by which two people see that they have the same bits."""
from __future__ import annotations

import numpy as np

from residue import _native, ufuncs

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MASK = 2**64 - 1


def _mix(z: int) -> int:
    """The finalizer of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def _elements(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """As elements of 1, 2, 4 or 8 bytes, in any layout."""
    if array.dtype.kind == "c" and array.dtype.itemsize <= 16:
        parts = np.empty(array.shape + (2,), array.real.dtype)
        parts[..., 0], parts[..., 1] = array.real, array.imag
        return parts
    if array.dtype.kind not in "biufmM" or array.dtype.itemsize > 8:
        raise TypeError(f"the bits of {array.dtype} differ between machines: convert it first, as with astype")
    return array


def digest(array: Any) -> int:
    """A number of 64 bits that depends on the type, the shape, and the bits of every element at its place.

    It is the same on every machine and for every layout of the same array in memory. NaN counts with its sign and
    payload, and -0 is not 0.

    >>> import numpy as np
    >>> import residue
    >>> x = np.arange(6, dtype=np.float32).reshape(2, 3)
    >>> hex(residue.digest(x))
    '0x3841f6a78160fa5c'
    >>> residue.digest(x) == residue.digest(np.asfortranarray(x)) == residue.digest(x.astype(">f4"))
    True
    """
    array = np.asanyarray(array)
    total = _mix(array.dtype.itemsize << 8 | ord(array.dtype.kind))
    if array.dtype.kind in "mM":
        for byte in str(np.datetime_data(array.dtype)).encode():
            total = _mix(total + byte & _MASK)
    for extent in array.shape:
        total = _mix(total + extent & _MASK)
    elements = _elements(array)
    native = elements.dtype.newbyteorder("=")
    if elements.flags.c_contiguous and elements.dtype.isnative:
        return (total + _native.digest_elements(np.asarray(elements).reshape(-1), 0)) & _MASK
    # Any other layout is walked in order, some at a time.
    place = 0
    parts: Any = np.nditer(elements, ["external_loop", "buffered", "zerosize_ok"], [["readonly"]], op_dtypes=[native],
                           order="C", buffersize=1 << 16, casting="equiv")
    for part in parts:
        total += _native.digest_elements(np.ascontiguousarray(part), place)
        place += part.size
    return total & _MASK


# One of each 256 float32 numbers that follow one another, never the same of them, as `residue verify --digest` has it.
_INPUTS = 1 << 24
_PART = 1 << 20


def _function_names() -> list[str]:
    """Functions of one number, in the order of the library's list."""
    entries = [(entry["operator"], name) for name, entry in _native.operators.items()
               if entry["rounds"] and entry["inputs"] == 1]
    return [name for _, name in sorted(entries)]


def verify() -> str:
    """Compute every function on 2^24 numbers and return the digest of the results, some seconds later.

    The same number is in docs/functions.md, printed by ``residue verify --digest`` on any machine: if this one differs,
    this installation computes something else.

    >>> import residue
    >>> residue.verify()
    '8b2ad2f268a3511d'
    """
    digests = dict.fromkeys(_function_names(), 0)
    for first in range(0, _INPUTS, _PART):
        n = np.arange(first, first + _PART, dtype=np.uint64)
        bits = n << np.uint64(8) | n * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(56)
        x = bits.astype(np.uint32).view(np.float32)
        for name in digests:
            ufunc: Any = getattr(ufuncs, name)
            parameters = np.frombuffer(_native.operators[name]["default_params"], np.float32)
            with np.errstate(all="ignore"):
                digests[name] += _native.digest_function(x, ufunc(x, *parameters))
    total = 0
    for one in digests.values():
        total = (((total << 1) | (total >> 63)) + (one & _MASK)) & _MASK
    return f"{total:016x}"
