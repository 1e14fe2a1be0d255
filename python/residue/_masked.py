"""Masked arrays: what is outside a function's domain becomes masked, as with NumPy's ufuncs of the same meaning."""
from __future__ import annotations

import numpy as np
from numpy.ma import core

from residue import _native


def register() -> None:
    """Enters the ufuncs into the tables in which numpy.ma looks up what is outside a function's domain, and what to put
    there, beside the ones that have the same."""
    tables = (getattr(core, "ufunc_domain", {}), getattr(core, "ufunc_fills", {}))
    for name, entry in _native.operators.items():
        numpys = getattr(np, entry["numpy"] or name, None)
        for table in tables:
            if isinstance(numpys, np.ufunc) and numpys in table:
                table[entry["ufunc"]] = table[numpys]


register()
