"""Wraps more angles than fit into memory, on worker processes: Dask does the rest because mod_floor is a ufunc.

    python3 dask_angles.py [gibibytes] [workers]
"""
from __future__ import annotations

import sys

import dask.array as da
import distributed

import residue


def main() -> None:
    gibibytes = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    count = int(gibibytes * 2**30) // 8
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit="1GiB",
                                  dashboard_address=None) as cluster, distributed.Client(cluster):
        # A steady rotation, sampled for a long time: degrees that grow and grow.
        degrees = da.arange(count, chunks=4 << 20, dtype="i8") * 0.25
        wrapped = residue.mod_floor(degrees, 360.0)
        print(f"{wrapped.nbytes / 2**30:g} GiB in {wrapped.npartitions} chunks on {workers} processes")
        histogram, _ = da.histogram(wrapped, bins=4, range=(0, 360))
        future = histogram.persist()
        if sys.stdout.isatty():
            distributed.progress(future)
        for quadrant, found in enumerate(future.compute()):
            print(f"{90 * quadrant:3d} to {90 * (quadrant + 1):3d} degrees: {found} samples")


if __name__ == "__main__":
    main()
