"""Draws how fast residue, NumPy and PyTorch compute float32 remainders on this machine, from small arrays to large ones.

    python3 speed.py [speed.svg]

Written in cells ("# %%"), which Jupyter, Spyder and Visual Studio Code run one by one.
"""
# %% What is compared: the same arrays, one thread each, results written to the same place.
from __future__ import annotations

import sys
import time
from typing import Any, Callable

import matplotlib
import numpy as np

import residue

matplotlib.use("svg")
import matplotlib.pyplot as plt

random = np.random.default_rng(1)
LARGEST = 1 << 22
a = random.uniform(-1000, 1000, LARGEST).astype(np.float32)
b = random.uniform(1, 100, LARGEST).astype(np.float32)
out = np.empty_like(a)

Call = Callable[[int], Any]
contenders: dict[str, Call] = {
    "residue.mod_trunc": lambda n: residue.mod_trunc(a[:n], b[:n], out=out[:n]),
    "numpy.fmod": lambda n: np.fmod(a[:n], b[:n], out=out[:n]),
}
try:
    import torch
    torch.set_num_threads(1)
    x, y, z = (torch.from_numpy(array) for array in (a, b, out))
    contenders["torch.fmod"] = lambda n: torch.fmod(x[:n], y[:n], out=z[:n])
except ImportError:
    print("PyTorch is not installed; going on without it")


# %% The smallest time of several, because whatever else runs here only ever adds.
def seconds(call: Call, n: int) -> float:
    repeat = max(1, 20_000 // n)
    best = float("inf")
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(repeat):
            call(n)
        best = min(best, (time.perf_counter() - begin) / repeat)
    return best


sizes = [1 << k for k in range(4, LARGEST.bit_length(), 2)]
nanoseconds: dict[str, list[float]] = {name: [] for name in contenders}
for n in sizes:
    for name, call in contenders.items():
        nanoseconds[name].append(seconds(call, n) * 1e9 / n)

# %% Per element, on logarithmic axes.
figure, axes = plt.subplots(figsize=(7, 4.2), constrained_layout=True)
for name, values in nanoseconds.items():
    axes.loglog(sizes, values, marker="o", label=name)
axes.set_xlabel("elements")
axes.set_ylabel("nanoseconds per element")
axes.set_title("float32 remainders, one thread")
axes.grid(True, which="major", alpha=0.3)
axes.legend()
picture = sys.argv[1] if len(sys.argv) > 1 else "speed.svg"
figure.savefig(picture, metadata={"Date": None})

# %% The same as numbers.
print(f"{'elements':>10}" + "".join(f"{name:>20}" for name in contenders) + "   (ns per element)")
for i, n in enumerate(sizes):
    print(f"{n:>10}" + "".join(f"{nanoseconds[name][i]:>20.2f}" for name in contenders))
print(f"drawn: {picture}")
