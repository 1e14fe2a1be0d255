"""Threads: off unless asked for, for the process or for a block, and never visible in results."""
import asyncio
import contextlib
import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import residue
from operands import DTYPES, assert_same, random_pairs

LARGE = 3_000_000


def test_the_default_is_one():
    assert residue.get_num_threads() == 1


def test_set_and_get():
    try:
        residue.set_num_threads(3)
        assert residue.get_num_threads() == 3
        residue.set_num_threads(0)
        assert residue.get_num_threads() == 0
    finally:
        residue.set_num_threads(1)


@pytest.mark.parametrize("bad", [-1, 5000, 10**30, -(10**30)])
def test_numbers_out_of_range_are_refused(bad):
    for function in (residue.set_num_threads, residue.threads):
        with pytest.raises(ValueError, match=f"0 .as many as there are cores. to 4096, not {bad}"):
            function(bad)
    assert residue.get_num_threads() == 1


@pytest.mark.parametrize("bad", [1.5, "2", b"2", [2], None])
def test_what_is_no_number_is_refused(bad):
    for function in (residue.set_num_threads, residue.threads):
        with pytest.raises(TypeError):
            function(bad)


def test_blocks_nest_and_end_with_their_exceptions():
    two = residue.threads(2)
    with two:
        assert residue.get_num_threads() == 2
        with residue.threads(0):
            assert residue.get_num_threads() == 0
            with two:
                assert residue.get_num_threads() == 2
            assert residue.get_num_threads() == 0
        with pytest.raises(KeyError):
            with residue.threads(3):
                raise KeyError
        assert residue.get_num_threads() == 2
    assert residue.get_num_threads() == 1
    assert repr(two) == "residue.threads(2)"


def test_a_block_is_its_threads_own():
    seen = []
    with residue.threads(2):
        other = threading.Thread(target=lambda: seen.append(residue.get_num_threads()))
        other.start()
        other.join()
    assert seen == [1]
    try:
        residue.set_num_threads(4)
        with residue.threads(1):
            assert residue.get_num_threads() == 1
        assert residue.get_num_threads() == 4
    finally:
        residue.set_num_threads(1)


def test_threads_inside_blocks_of_one_object_do_not_meet():
    shared = residue.threads(3)
    inside, leave, after = threading.Event(), threading.Event(), []

    def work():
        with shared:
            inside.set()
            leave.wait(60)
            after.append(residue.get_num_threads())
        after.append(residue.get_num_threads())

    other = threading.Thread(target=work)
    with residue.threads(2):
        with shared:
            other.start()
            inside.wait(60)
        assert residue.get_num_threads() == 2
        leave.set()
        other.join()
    assert after == [3, 1]


def elsewhere(function):
    """What the function returns on a new thread; what it raises is raised here."""
    outcome = []

    def work():
        try:
            outcome.append((function(), None))
        except BaseException as error:
            outcome.append((None, error))

    other = threading.Thread(target=work)
    other.start()
    other.join()
    value, error = outcome[0]
    if error is not None:
        raise error
    return value


def test_a_block_left_on_another_thread():
    """It ends where it began, and the thread that leaves it keeps its own number."""
    block = residue.threads(2)
    block.__enter__()

    def leave():
        with residue.threads(5):
            block.__exit__(None, None, None)
            return residue.get_num_threads()

    assert residue.get_num_threads() == 2
    assert elsewhere(leave) == 5
    assert residue.get_num_threads() == 1
    # Below another one, which stays.
    block.__enter__()
    with residue.threads(3):
        elsewhere(lambda: block.__exit__(None, None, None))
        assert residue.get_num_threads() == 3
    assert residue.get_num_threads() == 1
    # Entered on a thread that has ended.
    elsewhere(block.__enter__)
    assert residue.get_num_threads() == 1
    block.__exit__(None, None, None)
    assert residue.get_num_threads() == 1


def test_a_block_that_nobody_entered_is_not_left():
    block = residue.threads(2)
    with pytest.raises(RuntimeError, match=r"residue.threads\(2\) is left, but nobody is inside of it"):
        block.__exit__(None, None, None)
    with block:
        pass
    with pytest.raises(RuntimeError):
        block.__exit__(None, None, None)
    assert residue.get_num_threads() == 1


def counting(count):
    with residue.threads(count):
        while True:
            yield residue.get_num_threads()


def test_a_suspended_generator_keeps_its_number_to_itself():
    two, three = counting(2), counting(3)
    for _ in range(3):
        assert (next(two), residue.get_num_threads(), next(three), residue.get_num_threads()) == (2, 1, 3, 1)
    # Between the blocks of others, in any order.
    with residue.threads(5):
        assert (next(two), residue.get_num_threads()) == (2, 5)
        two.close()
        assert (next(three), residue.get_num_threads()) == (3, 5)
    assert residue.get_num_threads() == 1
    del three
    gc.collect()
    assert residue.get_num_threads() == 1


def test_a_generator_takes_its_number_from_thread_to_thread():
    generator = counting(2)
    assert next(generator) == 2
    assert elsewhere(lambda: (next(generator), residue.get_num_threads())) == (2, 1)
    running, go_on, seen = threading.Event(), threading.Event(), []

    def wait():
        with residue.threads(4):
            running.set()
            go_on.wait(60)
            yield residue.get_num_threads()

    waiting = wait()
    other = threading.Thread(target=lambda: seen.append(next(waiting)))
    other.start()
    running.wait(60)
    assert residue.get_num_threads() == 1, "the generator runs, but not on this thread"
    go_on.set()
    other.join()
    assert seen == [4]
    # Closed on another thread than it began on.
    elsewhere(generator.close)
    elsewhere(waiting.close)
    assert residue.get_num_threads() == 1
    assert elsewhere(residue.get_num_threads) == 1


def test_blocks_inside_and_outside_of_generators():
    def inner():
        with residue.threads(6):
            yield residue.get_num_threads()
        yield residue.get_num_threads()

    def ordinary():
        with residue.threads(5):
            return residue.get_num_threads()

    def outer():
        with residue.threads(2):
            yield ordinary()
            yield from inner()
            with contextlib.ExitStack() as stack:
                stack.enter_context(residue.threads(7))
                yield residue.get_num_threads()
            yield residue.get_num_threads()

    generator = outer()
    seen = []
    with residue.threads(3):
        for number in generator:
            seen.append((number, residue.get_num_threads()))
    assert seen == [(5, 3), (6, 3), (2, 3), (7, 3), (2, 3)]


def test_one_object_inside_of_many():
    """Everybody leaves the block that they entered, in any order."""
    shared = residue.threads(2)

    def inside():
        with shared:
            while True:
                yield residue.get_num_threads()

    first, second = inside(), inside()
    assert (next(first), next(second)) == (2, 2)
    with shared:
        first.close()
        assert (residue.get_num_threads(), next(second)) == (2, 2)
        third = inside()
        next(third)
    assert (residue.get_num_threads(), next(second), next(third)) == (1, 2, 2)
    elsewhere(second.close)
    assert (residue.get_num_threads(), next(third)) == (1, 2)
    third.close()


def test_generators_that_are_context_managers():
    """What np.errstate allows: a setting of one's own, made of others."""
    @contextlib.contextmanager
    def fast():
        with residue.threads(2):
            yield

    @contextlib.contextmanager
    def faster():
        with fast(), residue.threads(3):
            yield

    with fast():
        assert residue.get_num_threads() == 2
        with faster():
            assert residue.get_num_threads() == 3
        assert residue.get_num_threads() == 2
    assert residue.get_num_threads() == 1
    assert fast()(residue.get_num_threads)() == 2

    def generator():
        with faster():
            while True:
                yield residue.get_num_threads()

    suspended = generator()
    assert (next(suspended), residue.get_num_threads(), next(suspended)) == (3, 1, 3)
    suspended.close()
    # Entered here, left by somebody else.
    with contextlib.ExitStack() as stack:
        stack.enter_context(faster())
        kept = stack.pop_all()
    assert residue.get_num_threads() == 3
    elsewhere(kept.close)
    assert residue.get_num_threads() == 1


def test_tasks_have_their_own_numbers():
    async def task(count, seen):
        with residue.threads(count):
            for _ in range(3):
                await asyncio.sleep(0)
                seen.append(residue.get_num_threads())

    async def numbers():
        for count in (4, 5):
            with residue.threads(count):
                yield residue.get_num_threads()

    @contextlib.asynccontextmanager
    async def fast():
        with residue.threads(6):
            yield

    async def main():
        two, three = [], []
        await asyncio.gather(task(2, two), task(3, three))
        assert (two, three) == ([2] * 3, [3] * 3)
        assert [(n, residue.get_num_threads()) async for n in numbers()] == [(4, 1), (5, 1)]
        async with fast():
            await asyncio.sleep(0)
            assert residue.get_num_threads() == 6
            assert await asyncio.create_task(asyncio.sleep(0, 7)) == 7
        assert residue.get_num_threads() == 1

    asyncio.run(main())
    assert residue.get_num_threads() == 1


def test_calls_ask_while_a_generator_is_inside():
    """The number is looked up without the GIL, and the lookup leaves errors and results alone."""
    a = np.arange(1, LARGE + 1, dtype="f4")
    expected = residue.mod_floor(a, np.float32(7)).tobytes()
    generator = counting(2)
    next(generator)

    def compute():
        with residue.threads(3):
            while True:
                yield residue.mod_floor(a, np.float32(7)).tobytes()

    workers = [threading.Thread(target=lambda: residue.mod_floor(a, np.float32(7))) for _ in range(3)]
    for worker in workers:
        worker.start()
    inside = compute()
    assert next(inside) == expected and residue.mod_floor(a, np.float32(7)).tobytes() == expected
    with np.errstate(divide="raise", invalid="raise"), pytest.raises(FloatingPointError):
        residue.mod_floor(a, np.float32(0))
    for worker in workers:
        worker.join()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_and_reports_do_not_depend_on_threads(dtype):
    a, b = random_pairs(dtype, LARGE)
    if np.dtype(dtype).kind == "f":
        # Long divisions would make this a test of patience.
        a = np.where(np.abs(a) < 1e4, a, np.ones(1, dtype))
    for ufunc in (residue.mod_floor, residue.mod_trunc):
        expected = ufunc(a, b)
        for count in (0, 2, 5):
            with residue.threads(count):
                assert_same(ufunc(a, b), expected, a, b, f"{ufunc} {dtype} {count} threads")
                assert_same(ufunc(a[::-2], b[::-2]), expected[::-2], a[::-2], b[::-2], f"{ufunc} {dtype} strided")
    good = np.full(LARGE, 3, dtype)
    with residue.threads(2), np.errstate(all="raise"):
        residue.mod_floor(good, good)
        good[LARGE - 7] = 0
        with pytest.raises(FloatingPointError):
            residue.mod_floor(np.full(LARGE, 5, dtype), good)


def test_the_gil_is_released():
    """Another Python thread goes on while a long call runs."""
    a = np.random.default_rng(1).random(30_000_000) * 1e300
    stop = threading.Event()
    ticks = 0

    def tick():
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0)

    other = threading.Thread(target=tick)
    other.start()
    while ticks == 0:
        time.sleep(0)
    before = ticks
    residue.mod_floor(a, 1e-3, out=a)
    after = ticks
    stop.set()
    other.join()
    assert after - before > 10


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_many_python_threads_at_once():
    a, b = random_pairs("float32", 300_000)
    expected = residue.mod_floor(a, b)
    wrong = []

    def work(count):
        with residue.threads(count):
            for _ in range(10):
                if residue.mod_floor(a, b).tobytes() != expected.tobytes():
                    wrong.append(count)

    workers = [threading.Thread(target=work, args=(count,)) for count in (0, 1, 2, 3) * 2]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_after_a_fork():
    """A child of a process whose threads have run computes too, threads asked for or not."""
    code = """
import os, sys
import numpy as np
import residue
residue.set_num_threads(0)
a = np.arange(4_000_000, dtype='f4')
expected = residue.mod_floor(a, np.float32(7)).sum()
child = os.fork()
got = residue.mod_floor(a, np.float32(7)).sum()
if child == 0:
    os._exit(0 if got == expected else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_leaks():
    a, b = np.arange(1, 1001, dtype="f4"), np.full(1000, 7, "f4")
    objects = [a, b, residue.mod_floor, residue.remainder]

    def everything():
        residue.mod_floor(a, b)
        residue.mod_trunc(a[::2], b[::-2])
        residue.mod_floor.reduce(a)
        residue.mod_floor.accumulate(a)
        residue.remainder(a, 3)
        residue.show_config(mode="dicts")
        with residue.threads(2):
            next(counting(3))
        for bad in (lambda: residue.set_num_threads(-1), lambda: residue.threads("x"), lambda: residue.mod_floor(a, "x")):
            with pytest.raises((ValueError, TypeError)):
                bad()

    for _ in range(200):
        everything()
    gc.collect()
    counts, memory = [sys.getrefcount(x) for x in objects], resident_bytes()
    for _ in range(2000):
        everything()
    gc.collect()
    assert [sys.getrefcount(x) for x in objects] == counts
    assert resident_bytes() - memory < 4 << 20
