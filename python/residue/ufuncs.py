"""Every operator as a NumPy ufunc, generated from one list. Parameters such as `alpha` are operands here, so they may be
arrays too; the functions of the same names in `residue` have them with defaults.

>>> import numpy as np
>>> from residue import ufuncs
>>> ufuncs.leaky_relu(np.array([-2, 2], np.float32), np.array([0.5, 0.5], np.float32))
array([-1.,  2.], dtype=float32)
"""
from residue import _native

__all__ = sorted(_native.operators)

# A pickle finds a ufunc by its own name in a module, and this is the module.
for _name, _entry in _native.operators.items():
    globals()[_name] = globals()[_entry["ufunc"].__name__] = _entry["ufunc"]
