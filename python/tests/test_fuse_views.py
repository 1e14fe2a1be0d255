"""Views in fused functions: other orders of axes, and new axes of one element."""
import numpy as np
import pytest

import residue
from test_fuse import same


def numbers(*shape, dtype=np.float32):
    return (np.arange(np.prod(shape, dtype=int)) + 1).astype(dtype).reshape(shape)


FUNCTIONS = {
    "x.T": lambda x: x.T,
    "x.T + 1": lambda x: x.T + 1,
    "x.T.T": lambda x: x.T.T * 2,
    "computed": lambda x: np.exp(x / 9).T * 2,
    "outer": lambda x: x[..., None] * x[..., None, :],
    "both": lambda x: (x * 2, (x * 2).T, x.T),
    "new first": lambda x: x[None] + 1,
    "new last": lambda x: x[..., None] - x[..., None],
    "new ones": lambda x: (x * 2)[None, ..., None] + 3,
    "np.transpose": lambda x: np.transpose(x) - 1,
    "by axes": lambda x: x.transpose([*range(x.ndim)][::-1]) + 1,
    "expand_dims": lambda x: np.expand_dims(x, 0) + np.expand_dims(x, axis=0),
    "comparison": lambda x: (x > 3).T | (x.T < 2),
    "where": lambda x: np.where(x.T > 3, x.T, -x.T),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_views_are_numpys(name):
    function = FUNCTIONS[name]
    fused = residue.fuse(function)
    # One first: what it does to one axis is not what it does to several.
    for shape in [(5,), (1,), (3, 4), (4, 3), (3, 3), (0,), (2, 0), (2, 3, 4), (1, 5, 1), (70, 90)]:
        if shape == (70, 90) and name == "outer":
            continue
        x = numbers(*shape)
        for given in (x, x[::-1], np.asfortranarray(x), x.T.copy().T, np.repeat(x, 2, axis=0)[::2]):
            with np.errstate(all="ignore"):
                if name == "computed":
                    expected = residue.exp(given / 9).T * 2
                else:
                    expected = function(given)
            got = fused(given)
            for one, other in zip(got if isinstance(got, tuple) else [got], expected if isinstance(got, tuple) else [expected]):
                same(one, other, f"{name} {shape}")


def test_views_of_two_dimensions():
    f = residue.fuse(lambda x, y: x.mT + y[:, None] * y[None, :])
    for length in (2, 3, 40):
        x, y = numbers(length, length), numbers(length)
        same(f(x, y), x.swapaxes(-1, -2) + y[:, None] * y[None, :])
    g = residue.fuse(lambda x: x.transpose(1, 2, 0) + x.transpose((1, -1, 0)))
    x = numbers(2, 3, 4)
    same(g(x), x.transpose(1, 2, 0) * 2)


def test_truths_of_views_are_0_and_1():
    x = np.array([[0, 2, 255], [1, 0, 7]], np.uint8).view(bool)
    same(residue.fuse(lambda x: (x.T.astype(np.int32), x.T == True))(x)[0], (x.view(np.uint8) != 0).T.astype(np.int32))  # noqa: E712


def test_views_see_what_becomes_of_their_values():
    def change(x):
        z = x * 1
        w = z.T
        z += 1
        return w * 10

    x = numbers(3, 3)
    same(residue.fuse(change)(x), change(x))

    def through(x):
        w = (x * 1).T
        w += 1
        return w

    with pytest.raises(residue.TraceError, match=r"\+= would change what it is a view of"):
        residue.fuse(through)(x)


def test_out_may_be_what_is_seen_transposed():
    f = residue.fuse(lambda x: x.T + x)
    for side in (2, 5, 64):
        x = numbers(side, side)
        expected = x.T + x
        assert f(x, out=x) is x
        same(x, expected)


def test_what_takes_elements_away_is_refused():
    for function in (lambda x: x[0], lambda x: x[:, 0], lambda x: x[:1], lambda x: x[x > 0], lambda x: x[..., ..., None],
                     lambda x: x[:, :, :], lambda x: x[1:], lambda x: x["a"], lambda x: x[[0]], lambda x: x[True]):
        with pytest.raises(residue.TraceError, match="this needs the elements themselves"):
            residue.fuse(function)(numbers(2, 2))
    with pytest.raises(residue.TraceError, match="needs two dimensions"):
        residue.fuse(lambda x: x.mT)(numbers(3))
    with pytest.raises(residue.TraceError, match="does not name each of the 2 axes once"):
        residue.fuse(lambda x: x.transpose(0, 0))(numbers(2, 2))
