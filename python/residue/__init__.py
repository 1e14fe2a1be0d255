"""Element-wise maths with the same bits on every machine: ufuncs, and functions fused into one pass over memory.

>>> import numpy as np
>>> import residue
>>> residue.exp(np.float32(1))              # correctly rounded, so there is one answer
np.float32(2.7182817)
>>> residue.mod_floor([7, -7], 3)           # Python's %: the sign of the divisor
array([1, 2])
>>> @residue.fuse
... def wrap(angle, scale):
...     return residue.mod_floor(angle, 360) * scale
>>> wrap(np.float32([-30, 370]), 0.5)       # one pass, no temporaries
array([165.,   5.], dtype=float32)

Ufuncs do all that NumPy's do: ``out=``, ``where=``, broadcasting, masked arrays, and the arrays of Dask, xarray and
PyTorch.
"""
from residue import _masked
from residue import functions as _functions
from residue._config import show_config
from residue._digest import digest, verify
from residue._expression import compile_expression
from residue._fuse import FusedFunction, fuse
from residue._native import get_num_threads, set_num_threads
from residue._native import version as __version__
from residue._onnxruntime import add_onnxruntime_provider, onnxruntime_library
from residue._remainder import remainder
from residue._threads import threads
from residue._trace import TraceError
from residue.functions import *

__all__ = ["FusedFunction", "TraceError", "__version__", "add_onnxruntime_provider", "compile_expression", "digest", "fuse", "get_num_threads",
           "onnxruntime_library", "remainder", "set_num_threads", "show_config", "threads", "verify"]
__all__ += _functions.__all__


def __dir__() -> list[str]:
    """What there is for users, without the modules that it is made of."""
    return sorted({*__all__, "functions", "ufuncs", *(name for name in globals() if name.startswith("__"))})
