"""What this installation is made of."""
from __future__ import annotations

import numpy as np

from residue import _native

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _target(name: str) -> str:
    """The instruction set that computes mod_floor of a type: what differs between machines."""
    dtype = np.dtype(name)
    operator = _native.operators["mod_floor"]["operator"]
    return _native.describe_row(operator, dtype.num, 2).rpartition("@")[2]


def _delegated() -> dict[str, list[str]]:
    """By ufunc, the types that NumPy's own loops compute."""
    found = {}
    for name, entry in _native.operators.items():
        own = set(entry["loops"])
        others = [loop for loop in dict.fromkeys(entry["ufunc"].types) if own and loop not in own]
        if others:
            found[name] = others
    return found


def _config() -> dict[str, Any]:
    types = [np.dtype(code).name for code in "bBhHiIlLefd"]
    return {
        "version": _native.version,
        "numpy": np.__version__,
        "threads": _native.get_num_threads(),
        "targets": _native.targets(),
        "kernels": {name: _target(name) for name in types},
        "delegated": _delegated(),
    }


def show_config(mode: str = "stdout") -> dict[str, Any] | None:
    """Print the version, the instruction sets of this machine and the one each type uses, the number of threads, and the
    types of each ufunc that NumPy's own loops compute.

    With ``mode="dicts"`` return the same as a dictionary and print nothing.

    >>> import residue
    >>> sorted(residue.show_config(mode="dicts"))
    ['delegated', 'kernels', 'numpy', 'targets', 'threads', 'version']
    """
    config = _config()
    if mode == "dicts":
        return config
    if mode != "stdout":
        raise ValueError(f"mode must be 'stdout' or 'dicts', not {mode!r}")
    threads = config["threads"]
    print(f"residue {config['version']}, NumPy {config['numpy']}, "
          f"{'as many threads as cores' if threads == 0 else f'threads: {threads}'}")
    print(f"instruction sets, best first: {', '.join(config['targets'])}")
    print("kernels:")
    for name, target in config["kernels"].items():
        print(f"  {name:<10} {target}")
    print("computed by NumPy's loops:")
    for name, loops in config["delegated"].items():
        print(f"  {name:<14} {' '.join(loops)}")
    return None
