"""The two moduli in a minute."""
import numpy as np

import residue

print(residue.mod_floor([7, -7, 7, -7], [3, 3, -3, -3]))  # Python's %: the sign of the divisor
print(residue.mod_trunc([7, -7, 7, -7], [3, 3, -3, -3]))  # C's % and fmod: the sign of the dividend

# Exact for every quotient, and of the type you brought.
print(residue.mod_floor(np.float32(1e38), np.float32(3)))
print(residue.mod_floor(np.int64(-(2**63)), np.int64(-1)))

# As every ufunc: in place, where you say, in any shape.
angles = np.array([-30.0, 370.0, 725.0, np.nan])
residue.mod_floor(angles, 360, out=angles, where=~np.isnan(angles))
print(angles)

# Large arrays on more cores, for as long as you say.
grid = np.arange(12_000_000, dtype=np.float32).reshape(3000, 4000)
with residue.threads(2):
    print(residue.mod_trunc(grid.T, np.float32(0.75)).max())
