"""Dask: lazily through NumPy's dispatch, and for real on worker processes, with more data than they have memory."""
import __main__
import os

import numpy as np
import pytest

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

import residue
from operands import assert_same, random_pairs

GIB = 1 << 30


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_lazy():
    x, y = random_pairs("int64", 10_000)
    lazy = residue.mod_floor(da.from_array(x, chunks=1000), da.from_array(y, chunks=700))
    assert isinstance(lazy, da.Array) and lazy.dtype == "i8"
    assert_same(lazy.compute(scheduler="threads"), np.remainder(x, y), x, y)
    assert isinstance(residue.remainder(da.ones(3), 2), da.Array)


@pytest.fixture(scope="module")
def cluster():
    """Two processes of one thread each, on this machine, talking over TCP."""
    with dask.config.set({"distributed.worker.daemon": False, "distributed.comm.timeouts.connect": "60s"}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, memory_limit="768MiB",
                                      dashboard_address=None, protocol="tcp://") as cluster:
            with distributed.Client(cluster) as client:
                client.wait_for_workers(2, timeout=120)
                yield client


def sum_of_remainders(first, last, divisor):
    """The sum of Python's i % divisor for i from first to last - 1: whole cycles, and the rest one by one."""
    cycles, rest = divmod(last - first, divisor)
    return cycles * (divisor * (divisor - 1) // 2) + sum(i % divisor for i in range(last - rest, last))


def test_four_gigabytes_on_two_workers_of_less(cluster):
    workers = cluster.scheduler_info()["workers"]
    memory = sum(worker["memory_limit"] for worker in workers.values())
    count = 4 * GIB // 8
    assert memory < 4 * GIB / 2, "the workers could hold the whole array"
    divisor = 1_000_003
    x = da.arange(-count // 2, count // 2, chunks=(32 << 20) // 8, dtype="i8")
    assert x.nbytes == 4 * GIB
    remainders = residue.mod_floor(x, divisor)
    smallest, largest, total = dask.compute(remainders.min(), remainders.max(), remainders.sum())
    assert (smallest, largest) == (0, divisor - 1)
    assert total == sum_of_remainders(-count // 2, count // 2, divisor)


def test_the_work_is_done_in_other_processes(cluster):
    def who():
        import residue as theirs
        return os.getpid(), theirs.get_num_threads(), theirs.__file__

    answers = cluster.run(who)
    assert len({pid for pid, _, _ in answers.values()} - {os.getpid()}) == 2
    assert {threads for _, threads, _ in answers.values()} == {1}, "Dask owns the cores"
    assert {file for _, _, file in answers.values()} == {residue.__file__}


def test_the_ufunc_itself_travels(cluster):
    """Submitted as it is, mapped over blocks, and in both directions of a transposition."""
    assert cluster.submit(residue.mod_trunc, -7, 3).result() == -1
    a, b = random_pairs("float32", 1 << 20)
    a, b = a.reshape(1024, 1024), b.reshape(1024, 1024)
    with np.errstate(all="ignore"):
        expected = np.fmod(a, b.T)
    x, y = da.from_array(a, chunks=(256, 1024)), da.from_array(b, chunks=(100, 333))
    assert_same(residue.mod_trunc(x, y.T).compute(), expected, a, b.T)
    assert_same(da.map_blocks(residue.mod_trunc, x, y.T.rechunk(x.chunks)).compute(), expected, a, b.T)


@residue.fuse
def folded(x):
    """A wave of whole numbers, folded: the exact sum of its results is known."""
    return np.where(residue.mod_floor(x, 8) >= 4, 1.0, 0.0) * 2 + np.abs(x) * 0


def test_fused_functions_map_over_blocks(cluster):
    """4 GiB through workers that could not hold it, in one pass per block; a lambda travels too."""
    count = 4 * GIB // 8
    x = da.arange(count, chunks=(32 << 20) // 8, dtype="f8")
    assert x.map_blocks(folded, dtype="f8").sum().compute() == count
    twice = residue.fuse(lambda x: x * 2)
    assert da.map_blocks(twice, da.arange(1000, chunks=100, dtype="f8")).sum().compute() == 999_000
    expression = residue.compile_expression("a * 2 + 1")
    assert da.map_blocks(expression, da.arange(1000, chunks=100, dtype="f8")).sum().compute() == 1_000_000


def test_fused_functions_of_the_script_travel(cluster):
    """By what they contain: the workers' script is another."""
    exec("import residue\n@residue.fuse\ndef of_the_script(x):\n    return x * 3\n", vars(__main__))
    assert __main__.of_the_script.__module__ == "__main__"
    x = da.arange(1000, chunks=100, dtype="f8")
    assert da.map_blocks(__main__.of_the_script, x).sum().compute() == 1_498_500
    assert cluster.submit(__main__.of_the_script, np.float32([2])).result().tolist() == [6]
