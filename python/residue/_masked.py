"""Masked arrays: what divides by zero becomes masked, as with np.remainder and np.fmod."""
import numpy as np
from numpy.ma import core

from residue import _native


def register() -> None:
    """Enters the ufuncs into the tables in which numpy.ma looks up what is outside a function's domain, and what to put
    there, beside the ones that have the same."""
    for ours, numpys in ((_native.floor, np.remainder), (_native.trunc, np.fmod)):
        for table in (getattr(core, "ufunc_domain", {}), getattr(core, "ufunc_fills", {})):
            if numpys in table:
                table[ours] = table[numpys]


register()
