"""Exact modulus at memory speed: two NumPy ufuncs.

>>> import residue
>>> residue.mod_floor([7, -7], 3)       # Python's %: the sign of the divisor
array([1, 2])
>>> residue.mod_trunc([7, -7], 3)       # C's % and fmod: the sign of the dividend
array([ 1, -1])

Both do what NumPy's own ufuncs do for int8 to int64, uint8 to uint64, float16, float32 and float64, including ``out=``,
``where=``, broadcasting, masked arrays, and the arrays of Dask, xarray and PyTorch.
"""
from residue import _masked
from residue._config import show_config
# The ufuncs have their names here and nowhere else, because that is where a pickle looks for them.
from residue._native import floor as mod_floor
from residue._native import get_num_threads, set_num_threads
from residue._native import trunc as mod_trunc
from residue._native import version as __version__
from residue._remainder import remainder
from residue._threads import threads

__all__ = ["__version__", "get_num_threads", "mod_floor", "mod_trunc", "remainder", "set_num_threads", "show_config",
           "threads"]
