"""What this installation is made of."""
from __future__ import annotations

from typing import Any

import numpy as np

from residue import _native


def _config() -> dict[str, Any]:
    kernels = _native.kernels()
    return {
        "version": _native.version,
        "numpy": np.__version__,
        "threads": _native.get_num_threads(),
        "targets": _native.targets(),
        # "modulus_floor.f32@AVX3": the instruction set is what differs between machines.
        "kernels": {name: kernel.rpartition("@")[2] for name, kernel in kernels.items()},
    }


def show_config(mode: str = "stdout") -> dict[str, Any] | None:
    """Print the version, the instruction sets of this machine and the one each type uses, and the number of threads.

    With ``mode="dicts"`` return the same as a dictionary and print nothing.

    >>> import residue
    >>> sorted(residue.show_config(mode="dicts"))
    ['kernels', 'numpy', 'targets', 'threads', 'version']
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
    return None
