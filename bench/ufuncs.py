#!/usr/bin/env python3
"""The ufuncs against NumPy's and PyTorch's, in one process and by turns.

usage: ufuncs.py [--types f4,i4,...] [--rounds N] [--into FILE.md]

Prints a Markdown table of how many times faster residue is at 16 elements, 512 KiB and 16 MiB per array, on one thread,
or puts it into FILE.md between the lines <!-- ufuncs --> and <!-- end of ufuncs -->. Each figure is the smallest time of
many rounds in which all take turns, because whatever else the machine does only ever adds to a time. Dividends have both
signs and up to a thousand (or the type's largest), divisors a tenth of that.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

import residue
from page import put_table

DTYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
# Elements for the smallest size, bytes per array for the others.
SIZES = {"16 elements": 0, "512 KiB": 512 << 10, "16 MiB": 16 << 20}
NO_TORCH = {"uint16", "uint32", "uint64"}


def operands(dtype, count):
    random = np.random.default_rng(1)
    largest = 1000 if np.dtype(dtype).kind == "f" else min(1000, np.iinfo(dtype).max)
    signs = [1] if np.dtype(dtype).kind == "u" else [-1, 1]
    a = random.uniform(0, largest, count) * random.choice(signs, count)
    b = random.uniform(1, largest / 10, count) * random.choice(signs, count)
    return a.astype(dtype), b.astype(dtype), np.zeros(count, dtype)


def smallest_times(calls, repeat, rounds):
    """Seconds of one call of each, the smallest of all rounds."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            begin = time.perf_counter()
            for _ in range(repeat):
                call()
            best[i] = min(best[i], (time.perf_counter() - begin) / repeat)
    return best


def peers(dtype, a, b, out):
    """By name: (floor, truncate), as calls without arguments."""
    found = {"residue": (residue.mod_floor, residue.mod_trunc), "NumPy": (np.remainder, np.fmod)}
    calls = {name: [lambda f=f: f(a, b, out) for f in functions] for name, functions in found.items()}
    try:
        import torch
        torch.set_num_threads(1)
    except ImportError:
        return calls
    if dtype not in NO_TORCH:
        x, y, z = (torch.from_numpy(array) for array in (a, b, out))
        calls["PyTorch"] = [lambda f=f: f(x, y, out=z) for f in (torch.remainder, torch.fmod)]
    return calls


def measure(dtype, rounds):
    """{(size, operator): {peer: how many times its time is ours}}, and our GB/s at the largest size."""
    ratios, rate = {}, {}
    for size, nbytes in SIZES.items():
        count = nbytes // np.dtype(dtype).itemsize if nbytes else 16
        a, b, out = operands(dtype, count)
        calls = peers(dtype, a, b, out)
        slow = nbytes > 1 << 20
        repeat, turns = (2000, 15 * rounds) if not nbytes else (2, 6 * rounds) if not slow else (1, rounds)
        for i, operator in enumerate(("mod_floor", "mod_trunc")):
            times = dict(zip(calls, smallest_times([pair[i] for pair in calls.values()], repeat, turns)))
            ratios[size, operator] = {name: times[name] / times["residue"] for name in times if name != "residue"}
            rate[size, operator] = 3 * count * np.dtype(dtype).itemsize / times["residue"] / 1e9
    return ratios, rate


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def show(ratio):
    if ratio is None:
        return "-"
    return f"{ratio:.2f}x" if ratio < 3 else f"{ratio:.1f}x" if ratio < 20 else f"{ratio:.0f}x"


def table(dtypes, rounds):
    lines = ["| type | | " + " | ".join(f"{size}: NumPy | PyTorch" for size in SIZES) + " | GB/s at 16 MiB |",
             "|" + "---|" * (3 + 2 * len(SIZES))]
    for i, dtype in enumerate(dtypes):
        progress(f"{dtype} ({i + 1} of {len(dtypes)})")
        ratios, rate = measure(dtype, rounds)
        for operator in ("mod_floor", "mod_trunc"):
            cells = [show(ratios[size, operator].get(peer)) for size in SIZES for peer in ("NumPy", "PyTorch")]
            lines.append(f"| {dtype} | {operator} | {' | '.join(cells)} | {rate['16 MiB', operator]:.1f} |")
    progress("")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", default=",".join(DTYPES))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--into", type=pathlib.Path)
    arguments = parser.parse_args()
    np.seterr(all="ignore")
    text = table([np.dtype(name).name for name in arguments.types.split(",")], arguments.rounds)
    if arguments.into is None:
        print(text, end="")
    else:
        put_table(arguments.into, "ufuncs", text)


if __name__ == "__main__":
    main()
