#!/usr/bin/env python3
"""What a new result costs beside one that is written into memory that exists: the modulus, and an addition of NumPy's.

usage: new_memory.py [MiB]

Prints milliseconds of one call and the page faults of the process meanwhile: the median of 15 calls of each, by turns.
"""
import resource
import statistics
import sys
import time

import numpy as np

import residue


def main():
    count = (int(sys.argv[1]) if len(sys.argv) > 1 else 32) * (1 << 20) // 4
    x, out = np.arange(count, dtype=np.float32), np.zeros(count, np.float32)
    divisor, one = np.float32(7.5), np.float32(1)
    calls = {"residue.mod_floor, memory that exists": lambda: residue.mod_floor(x, divisor, out=out),
             "residue.mod_floor, new memory": lambda: residue.mod_floor(x, divisor),
             "np.add, memory that exists": lambda: np.add(x, one, out=out),
             "np.add, new memory": lambda: np.add(x, one)}
    found = {name: ([], []) for name in calls}
    for _ in range(15):
        for name, call in calls.items():
            faults, begin = resource.getrusage(resource.RUSAGE_SELF).ru_minflt, time.perf_counter()
            call()
            found[name][0].append((time.perf_counter() - begin) * 1e3)
            found[name][1].append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults)
    for name, (times, faults) in found.items():
        print(f"{name:<40}{statistics.median(times):7.1f} ms {statistics.median(faults):7.0f} page faults")


if __name__ == "__main__":
    main()
