"""The array API's remainder, for whoever brings an array."""
from __future__ import annotations

import numpy as np

from residue import ufuncs

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _operand(x: Any) -> Any:
    """What NumPy can dispatch on as it is, or else the memory behind a DLPack capsule, without a copy."""
    if hasattr(x, "__array_ufunc__") or hasattr(x, "__array__") or not hasattr(x, "__dlpack__"):
        return x
    return np.from_dlpack(x)


def remainder(x1: Any, x2: Any, /) -> Any:
    """The array API's ``remainder``: Python's ``%``, for arrays of any library.

    NumPy, Dask and xarray arrays, PyTorch tensors in main memory, and whatever else NumPy's dispatch knows give a result
    of their own kind. Other objects with ``__dlpack__`` are read in place and give a NumPy array.

    >>> import numpy as np
    >>> import residue
    >>> residue.remainder(np.array([5.5, -5.5]), 2.0)
    array([1.5, 0.5])
    """
    return ufuncs.mod_floor(_operand(x1), _operand(x2))
