"""Fused functions of arrays of one shape: one program for all shapes, whatever is given and wherever results go."""
import concurrent.futures
import gc
import pickle
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest

import residue
from test_fuse import same

LENGTHS = [0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 1000, 4095, 4097, 70_001]


def numbers(shape, dtype=np.float32, first=1):
    return (np.arange(np.prod(shape, dtype=int)) % 251 + first).astype(dtype).reshape(shape)


def line(a, b, s=3):
    return 2 * a + s * b


def counted(function):
    """The same function, and how often it was traced."""
    traces = []

    def counting(*arguments, **named):
        traces.append(arguments)
        return function(*arguments, **named)

    return residue.fuse(counting), traces


def test_one_program_for_all_lengths():
    f, traces = counted(line)
    for length in LENGTHS + LENGTHS[::-1]:
        a, b = numbers(length), numbers(length, first=-7)
        same(f(a, b), line(a, b), f"{length} elements")
    assert len(traces) == 1


def test_one_program_for_all_shapes_and_orders():
    f, traces = counted(line)
    for shape in [(12,), (3, 4), (1, 12), (12, 1), (2, 3, 2), (1, 1, 1), (2, 0, 3), (2,) * 8, (1,) * 20]:
        for order in "CF":
            a, b = numbers(shape).copy(order), numbers(shape, first=5).copy(order)
            result = f(a, b)
            same(result, line(a, b), f"{shape} {order}")
            assert result.flags.c_contiguous == a.flags.c_contiguous and result.flags.f_contiguous == a.flags.f_contiguous
    a, b = (numbers((4, 3, 2), first=first).transpose(1, 0, 2) for first in (1, 8))
    result = f(a, b)
    same(result, line(a, b))
    assert result.strides == a.strides and not a.flags.forc
    assert len(traces) == 1


def test_types_of_other_sizes_lie_as_the_first():
    f, traces = counted(lambda a, b: (a > b, a + b.astype(np.float64)))
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)):
        a, b = (numbers((4, 3, 2), dtype).transpose(order) for dtype in (np.float64, np.int16))
        greater, total = f(a, b)
        same(greater, a > b)
        same(total, a + b)
        assert greater.strides == (a > b).strides and total.strides == (a + b).strides
    assert len(traces) == 1


def test_what_does_not_lie_alike_is_computed_by_shape():
    f = residue.fuse(line)
    a, b = numbers((6, 4)), numbers((6, 4), first=-3)
    backwards = a[::-1, ::-1].copy()[::-1, ::-1]
    for x, y in ((a, np.asfortranarray(b)), (a[::2], b[::2]), (a[:, :2], b[:, :2]), (a, b[0]), (a, b[:, :1]), (a.T, b.T[::-1]),
                 (backwards, b), (backwards, backwards), (np.broadcast_to(a[:1], a.shape), b),
                 (np.lib.stride_tricks.sliding_window_view(a[0], 2), b[:3, :2])):
        for _ in range(2):
            same(f(x, y), line(x, y))
        same(f(a, b), line(a, b))


def test_functions_that_look_at_shapes_are_of_shapes():
    for look in (lambda x: x.shape[-1], lambda x: x.ndim, lambda x: x.size):
        def scaled(x, look=look):
            seen = look(x)
            return x * float(seen if isinstance(seen, int) else sum(seen))
        f = residue.fuse(scaled)
        for shape in [(3,), (5,), (3, 5), (5, 3), (3,)]:
            x = numbers(shape)
            same(f(x), scaled(x), f"{shape}")
    inner = residue.fuse(lambda x: x / x.size)
    outer = residue.fuse(lambda x: inner(x) + 1)
    for length in (2, 4, 8):
        same(outer(np.ones(length, np.float32)), np.full(length, 1 + 1 / length, np.float32))


def test_constant_arrays_have_shapes():
    table = np.float32([1, 2, 3])
    f = residue.fuse(lambda x: x * table)
    same(f(numbers(3)), numbers(3) * table)
    same(f(numbers((5, 3))), numbers((5, 3)) * table)
    same(f(numbers(1)), numbers(1) * table)
    with pytest.raises(residue.TraceError, match="cannot be broadcast"):
        f(numbers(4))
    same(residue.fuse(lambda x, y=table: x + y)(numbers((2, 3))), numbers((2, 3)) + table)


def test_results_that_are_no_rows():
    f = residue.fuse(lambda x, s: (x * s, s * s, 7.0))
    for length in (0, 3, 5):
        x = numbers(length)
        row, square, constant = f(x, 3.0)
        same(row, x * 3)
        assert (square, constant) == (9.0, 7.0) and type(square) is type(constant) is np.float64
    assert residue.fuse(lambda x, s: s + 1)(numbers(3), 2.0) == 3.0
    out = np.zeros(3, np.float32), np.zeros(()), np.zeros(())
    returned = f(numbers(3), 2.0, out=out)
    assert all(given is back for given, back in zip(out, returned))
    assert out[0].tolist() == [2, 4, 6] and float(out[1]) == 4 and float(out[2]) == 7


def test_a_tuple_of_one_is_one():
    f = residue.fuse(lambda x: (x + 1,))
    x, out = numbers(3), np.zeros(3, np.float32)
    for _ in range(2):
        (result,) = f(x)
        same(result, x + 1)
        for given in (out, (out,)):
            (result,) = f(x, out=given)
            assert result is out
    g = residue.fuse(lambda x: x + 1)
    for _ in range(2):
        assert g(x, out=out) is out and g(x, out=(out,)) is out


def test_numbers_of_every_kind():
    f = residue.fuse(lambda x, s: x * s)
    for dtype in (np.float16, np.float32, np.float64, np.int8, np.uint8, np.int64, np.uint64):
        x = numbers(5, dtype)
        for number in (True, 2, 0.5, np.float32(0.5), np.float64(0.5), np.int8(3), np.uint64(2), np.array(2.0), np.array(7, np.int16),
                       np.bool_(True), np.float16(3)):
            try:
                expected = residue.multiply(x, number)
            except TypeError:
                continue
            for _ in range(2):
                same(f(x, number), expected, f"{dtype.__name__} {number!r}")


def test_integers_that_do_not_fit_are_seen_at_every_call():
    f = residue.fuse(lambda x, n: x + n)
    less = residue.fuse(lambda x, n: x < n)
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        x = np.ones(3, dtype)
        lowest, highest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        for _ in range(2):
            same(f(x, 1), np.full(3, 2, dtype))
            same(f(np.zeros(3, dtype), highest), np.full(3, highest, dtype))
            same(f(np.zeros(3, dtype), lowest), np.full(3, lowest, dtype))
            for beyond in (highest + 1, lowest - 1, 2**64, -2**63 - 1, 10**30):
                if lowest <= beyond <= highest:
                    continue
                with pytest.raises(OverflowError):
                    f(x, beyond)
                assert less(x, beyond).tolist() == [beyond > 0] * 3
                assert less(x, 1).tolist() == [False] * 3
    assert residue.fuse(lambda x, n: x * n)(np.ones(2, np.float64), 2**70).tolist() == [2.0**70] * 2
    with pytest.raises(OverflowError):
        residue.fuse(lambda x, n: x * n)(np.ones(2, np.float32), 10**400)


def test_large_floats_are_numpys():
    f = residue.fuse(lambda x, s: x * s)
    x = np.ones(2, np.float32)
    f(x, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f(x, 1e300).tolist() == f(x, float("inf")).tolist() == [np.inf] * 2
    assert np.isnan(f(x, float("nan"))).all()


def test_arguments_by_name():
    def plain(a, b, s=3, *, t=1):
        return 2 * a + s * b + t

    f = residue.fuse(plain)
    for length in (4, 9, 4):
        a, b = numbers(length), numbers(length, first=9)
        for positional, named in (((a, b), {}), ((a,), {"b": b}), ((), {"a": a, "b": b}), ((), {"b": b, "a": a}), ((a, b, 5), {}),
                                  ((a, b), {"s": 5}), ((a, b), {"t": 5}), ((a, b), {"t": 5, "s": 7}), ((a, b, 2), {"t": b}),
                                  ((), {"t": 2, "s": b, "b": b, "a": a}), ((a,), {"b": b, "t": 4})):
            for _ in range(2):
                same(f(*positional, **named), plain(*positional, **named), f"{len(positional)} and {sorted(named)}")
    for positional, named in (((a, b), {"u": 1}), ((a, b), {"a": a}), ((a,), {}), ((), {"b": b}), ((a, b, 1, 2), {}),
                              ((a,), {"s": 1})):
        for _ in range(2):
            with pytest.raises(TypeError, match="argument"):
                f(*positional, **named)

    def by_place(a, b, /, s=2):
        return a * b * s

    g = residue.fuse(by_place)
    same(g(a, b, s=4), by_place(a, b, s=4))
    same(g(a, b, s=4), by_place(a, b, s=4))
    with pytest.raises(TypeError):
        g(a, b=b)
    h = residue.compile_expression("a * 2 + b")
    for named in ({"a": a, "b": b}, {"b": b, "a": a}):
        same(h(**named), 2 * a + b)
    same(h(a, b=b), 2 * a + b)
    for positional, named in (((a,), {}), ((), {"b": b}), ((a, b), {"c": a})):
        with pytest.raises(TypeError, match="takes a, b"):
            h(*positional, **named)


def test_out_may_be_and_overlap_arguments():
    f = residue.fuse(line)
    for length in (5, 1000, 50_000):
        for shift in (0, 1, -1, length // 2, length):
            memory = numbers(3 * length)
            a, out = memory[length:2 * length], memory[length + shift:2 * length + shift]
            expected = line(a.copy(), a.copy())
            assert f(a, a, out=out) is out
            same(out.copy(), expected, f"{length} {shift}")
        both = numbers(2 * length)
        a, b = both[:length], both[length:]
        expected = line(a.copy(), b.copy())
        same(f(a, b, out=b), expected)
    # The other way round: what is read lies behind what is written, in another type.
    g = residue.fuse(lambda x: x.astype(np.float64) * 2)
    memory = np.zeros(64, np.float64)
    x = memory.view(np.float32)[:64]
    x[:] = numbers(64)
    same(g(x.copy(), out=memory), numbers(64).astype(np.float64) * 2)
    x[:] = numbers(64)
    same(g(x, out=memory), numbers(64).astype(np.float64) * 2)


def test_out_of_another_kind(tmp_path):
    f = residue.fuse(line)
    a, b = numbers((4, 6)), numbers((4, 6), first=2)
    expected = line(a, b)
    f(a, b)
    for out in (np.zeros((4, 6), np.float32, order="F"), np.zeros((4, 12), np.float32)[:, ::2], np.zeros((6, 4), np.float32).T,
                np.memmap(tmp_path / "out", np.float32, "w+", shape=(4, 6)), np.zeros(97, np.uint8)[1:].view(np.float32).reshape(4, 6)):
        assert f(a, b, out=out) is out
        same(np.asarray(out), expected)
    read_only = np.zeros((4, 6), np.float32)
    read_only.flags.writeable = False
    for out, error in ((np.zeros((4, 5), np.float32), ValueError), (np.zeros(24, np.float32), ValueError),
                       (np.zeros((4, 6)), TypeError), (read_only, ValueError), ([0], TypeError), ((a, b), ValueError),
                       (np.ma.zeros((4, 6), np.float32), TypeError), (np.zeros((4, 6), ">f4"), TypeError)):
        for _ in range(2):
            with pytest.raises(error):
                f(a, b, out=out)
    two = residue.fuse(lambda x: (x + 1, x + 2))
    x, out = numbers(8), np.zeros(12, np.float32)
    two(x)
    with pytest.raises(ValueError, match="share no bytes"):
        two(x, out=(out[:8], out[4:]))
    for _ in range(2):
        first, second = two(x[:4], out=(out[:4], out[4:8]))
        assert first.tolist() == (x[:4] + 1).tolist() and second.tolist() == (x[:4] + 2).tolist()


def test_arguments_of_other_kinds(tmp_path):
    f = residue.fuse(line)
    a = numbers(12)
    a.flags.writeable = False
    mapped = np.memmap(tmp_path / "x", np.float32, "w+", shape=12)
    mapped[:] = a
    unaligned = np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(np.float32)
    for other in (a, a.astype(">f4"), mapped, unaligned, memoryview(a)):
        for _ in range(2):
            result = f(a, other)
            same(result, line(a, a))
            assert type(result) is np.ndarray and result.flags.writeable
    same(f(a.astype(float), a.tolist()), line(a.astype(float), a.astype(float)))
    for _ in range(2):
        with pytest.raises(TypeError, match="has no mask"):
            f(a, np.ma.masked_array(a))
        with pytest.raises(TypeError, match="cannot be computed"):
            f(a, a.astype(complex))
        with pytest.raises(TypeError, match="cannot be computed"):
            f(a, None)


def test_warnings_are_of_this_line():
    f = residue.fuse(lambda x, y: x / y)
    x = np.float32([1, 2])
    for length in (2, 2, 3, 20_000):
        x, zero = np.ones(length, np.float32), np.zeros(length, np.float32)
        with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
            f(x, zero)
        assert caught[0].filename == __file__
        with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
            f(x=x[:1], y=np.zeros((length, 1), np.float32))
        assert caught[0].filename == __file__
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
            f(x, zero)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(RuntimeWarning):
                f(x, zero)
            f(x, x)


def test_a_handler_may_call_the_function():
    f = residue.fuse(lambda x, y: x / y)
    seen = []

    def handler(kind, flag):
        seen.append(f(np.float32([6, 8, 9]), np.float32([2, 2, 3])).tolist())

    with np.errstate(divide="call", call=handler):
        for length in (1, 5):
            assert np.isinf(f(np.ones(length, np.float32), np.zeros(length, np.float32))).all()
    assert seen == [[3, 4, 3]] * 2


def test_a_function_may_call_itself_while_it_is_traced():
    def half(x):
        if not seen:
            seen.append(1)
            seen.append(f(np.float32([8])).tolist())
        return x / 2

    seen = []
    f = residue.fuse(half)
    assert f(np.float32([4, 2])).tolist() == [2, 1] and seen == [1, [4]]


def test_errors_of_the_function_leave_nothing_behind():
    def fails(x):
        if wrong:
            raise KeyError("as it was")
        return x + 1

    f = residue.fuse(fails)
    x = np.ones(3, np.float32)
    wrong = [True]
    for _ in range(2):
        with pytest.raises(KeyError):
            f(x)
    wrong.clear()
    assert f(x).tolist() == [2, 2, 2]


def test_many_threads_with_lengths_and_types_of_their_own():
    f = residue.fuse(lambda a, b, s: np.where(a > b, a * s, b - a) + 1)

    def work(seed):
        random = np.random.default_rng(seed)
        for _ in range(300):
            dtype = random.choice([np.float32, np.float64, np.int32])
            length = int(random.integers(0, 9000))
            a, b = numbers(length, dtype, seed), numbers(length, dtype, 5)[::-1].copy()
            result = f(a, b, s=2) if seed % 2 else f(a, b, 2)
            assert (result == np.where(a > b, a * 2, b - a) + 1).all() and result.dtype == dtype
        return True

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_threads_compute_the_same_bits():
    f = residue.fuse(lambda x: np.exp(np.sin(x) * 3) / x)
    for length in (65_536, 300_001, 1_000_003):
        x = np.linspace(1, 9, length, dtype=np.float32)
        alone = f(x)
        with residue.threads(2):
            same(f(x), alone)
        same(f(x[:1000]), alone[:1000])


def test_temporaries_are_those_of_the_length():
    def many(x):
        values = [x]
        for _ in range(40):
            values.append(values[-1] + 1)
        for value in values:
            x = x - value
        return x

    f = residue.fuse(many)
    for length in (10, 1000, 100_000):
        x = numbers(length)
        same(f(x), many(x))
        text = f.explain(x)
        temporary = int(text.split("over memory, ")[1].split()[0])
        assert 0 < temporary <= 45 * (4 * length + 256), text
    x = numbers(1000)
    f(x)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for length in range(1000, 1200):
        f(x[:length])
    gc.collect()
    assert tracemalloc.get_traced_memory()[0] - before < 20_000, "something is kept for each length"
    tracemalloc.stop()


def test_programs_that_are_kept_are_bounded():
    f = residue.fuse(lambda *arrays: sum(arrays[1:], arrays[0]))
    kinds = [np.float32, np.float64, np.int8, np.int16, np.int32, np.uint8]
    for a in kinds:
        for b in kinds:
            for c in kinds:
                x = [np.ones(2, kind) for kind in (a, b, c)]
                same(f(*x), x[0] + x[1] + x[2])
    assert len(f._programs) <= 64 and len(f._kept) <= 64


def test_nothing_is_held():
    class Kept(np.ndarray):
        pass

    def add(x, y):
        return x + y

    f = residue.fuse(add)
    f.itself = f
    f(np.ones(3), np.ones(3))
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None
    g = residue.fuse(add)
    x = np.ones(5).view(Kept)
    gone = weakref.ref(x)
    assert g(x, 1.0).tolist() == g(np.ones(5), 1.0).tolist() == [2] * 5
    del x
    gc.collect()
    assert gone() is None


def test_more_arguments_than_the_fast_way_takes():
    def total(*arrays):
        result = arrays[0]
        for array in arrays[1:]:
            result = result + array
        return result

    f = residue.fuse(total)
    for count in (1, 31, 32, 33, 40):
        arrays = [numbers(6, first=i) for i in range(count)]
        for _ in range(2):
            same(f(*arrays), total(*arrays))


def test_a_pickle_computes_rows():
    f = pickle.loads(pickle.dumps(residue.fuse(line)))
    for length in (3, 4):
        same(f(numbers(length), numbers(length)), line(numbers(length), numbers(length)))
