#!/usr/bin/env python3
"""Weak scaling on Dask: the same work per worker process, with one worker and with two.

usage: scale.py [--gib-per-worker N] [--rounds N] [--into FILE.md]

Prints a Markdown table, or puts it into FILE.md between the lines <!-- scale --> and <!-- end of scale -->. Chunks of 32 MiB
are made where they are used, so that nothing but a sum travels; efficiency is the time of one worker over the time of two
with twice the work. Numbers of workers take turns, and each figure is the smallest time of all rounds; NumPy, which is slow, gets
one round.
"""
import argparse
import contextlib
import pathlib
import sys
import time

import dask.array as da
import distributed
import numpy as np

import residue
from page import put_table

CHUNK = (32 << 20) // 4
DIVISOR = np.float32(7.5)
OPERATIONS = {
    "arange, sum": lambda x: x,
    "... and residue.mod_floor": lambda x: residue.mod_floor(x, DIVISOR),
    "... and np.remainder": lambda x: np.remainder(x, DIVISOR),
}


def block(block_info=None):
    """Chunk number i: the same numbers in each, to be made as cheaply as possible."""
    return np.arange(CHUNK, dtype=np.float32)


def seconds(client, operation, chunks):
    x = da.map_blocks(block, chunks=((CHUNK,) * chunks,), dtype=np.float32)
    total = operation(x).sum(dtype="f8")
    begin = time.perf_counter()
    client.compute(total).result()
    return time.perf_counter() - begin


def empty_task(client, tasks=1000):
    """What the scheduler costs: tasks that do nothing."""
    begin = time.perf_counter()
    client.gather(client.map(lambda i: None, range(tasks), pure=False))
    return (time.perf_counter() - begin) / tasks


def measure(clients, chunks, rounds):
    """{(operation, workers): seconds}; NumPy's, which is slow and steady, in the first round only."""
    best = {}
    for number in range(rounds):
        for name, operation in OPERATIONS.items():
            if number > 0 and "np." in name:
                continue
            for workers, client in clients.items():
                if sys.stderr.isatty():
                    print(f"\r\033[Kround {number + 1} of {rounds}: {name}", end="", file=sys.stderr, flush=True)
                found = seconds(client, operation, chunks * workers)
                best[name, workers] = min(best.get((name, workers), found), found)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gib-per-worker", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--into", type=pathlib.Path)
    arguments = parser.parse_args()
    chunks = max(1, int(arguments.gib_per_worker * 2**30) // (4 * CHUNK))

    with contextlib.ExitStack() as stack:
        clients = {}
        for workers in (1, 2):
            cluster = stack.enter_context(distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, memory_limit="1GiB", dashboard_address=":0"))
            clients[workers] = stack.enter_context(distributed.Client(cluster))
        best = measure(clients, chunks, arguments.rounds)
        overhead = min(empty_task(clients[1]) for _ in range(3))

    gib = chunks * 4 * CHUNK / 2**30
    lines = [f"| in chunks of 32 MiB | 1 worker, {gib:g} GiB | 2 workers, {2 * gib:g} GiB | efficiency |",
             "|---|---|---|---|"]
    for name in OPERATIONS:
        one, two = best[name, 1], best[name, 2]
        lines.append(f"| {name} | {one:.2f} s | {two:.2f} s | {one / two:.2f} |")
    lines.append(f"| a task that does nothing | {overhead * 1e3:.2f} ms | | |")
    text = "\n".join(lines) + "\n"
    if arguments.into is None:
        print(text, end="")
    else:
        put_table(arguments.into, "scale", text)


if __name__ == "__main__":
    main()
