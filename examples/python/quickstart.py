"""Ufuncs, a fused function and a digest, in a minute."""
from typing import Any

import numpy as np

import residue

# Correctly rounded functions: there is one answer, on every processor.
print(residue.exp(np.float32(1)), residue.gelu(np.array([-1, 0, 1], np.float32)))

# Python's % and C's fmod, exact for every quotient.
print(residue.mod_floor([7, -7, 7, -7], [3, 3, -3, -3]), residue.mod_trunc(np.float32(1e38), np.float32(3)))


# Several operations, one pass over memory.
@residue.fuse
def activate(angle: Any, bias: Any) -> Any:
    wrapped = residue.mod_floor(angle, 360) / 180 - 1
    return np.where(wrapped > 0, wrapped, np.tanh(wrapped)) + bias


angles = np.linspace(-1000, 1000, 1_000_000, dtype=np.float32)
result = activate(angles, 0.25)
print(result[:3], activate.explain(angles, 0.25).splitlines()[0])

# Two people compare one number.
print(f"{residue.digest(result):016x}")

# For those who come from numexpr.
sines = residue.compile_expression("sin(a) * 2 + where(b > 0, b, 0)")
print(sines(np.array([0, 1], np.float32), np.array([3, -3], np.float32)))

# As every ufunc: in place, where you say, in any shape.
degrees = np.array([-30.0, 370.0, 725.0, np.nan])
residue.mod_floor(degrees, 360, out=degrees, where=~np.isnan(degrees))
print(degrees)

# Large arrays on more cores, for as long as you say.
grid = np.arange(12_000_000, dtype=np.float32).reshape(3000, 4000)
with residue.threads(2):
    print(residue.mod_trunc(grid.T, np.float32(0.75)).max())
