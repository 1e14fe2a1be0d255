"""Functions whose operators have parameters, as arguments of every kind and as defaults; and where results go."""
import numpy as np
import pytest

import residue


def test_parameters_in_every_way():
    x = np.float32([-2, 0, 3])
    for f, ufunc, defaults in ((residue.leaky_relu, residue.ufuncs.leaky_relu, {"alpha": 0.01}),
                               (residue.hard_swish, residue.ufuncs.hard_swish, {"alpha": 1 / 6, "beta": 0.5}),
                               (residue.scaled_tanh, residue.ufuncs.scaled_tanh, {"alpha": 1, "beta": 1})):
        names = list(defaults)
        for given in ({}, {names[0]: 2}, {names[-1]: 0.25}, {name: 3.5 for name in names}, {names[0]: x}):
            expected = ufunc(x, *[value if isinstance(value, np.ndarray) else np.float32(value)
                                  for value in {**defaults, **given}.values()])
            for call in (lambda: f(x, **given), lambda: f(x, *{**defaults, **given}.values()),
                         lambda: f(x, out=np.empty(3, np.float32), **given), lambda: f(x, where=True, **given),
                         lambda: f(x.tolist(), dtype=np.float32, **given)):
                result = call()
                assert result.dtype == np.float32 and result.tobytes() == expected.tobytes()
            assert type(f(x[0])) is np.float32 and f(x.astype(np.float16)).dtype == np.float16
    for call, text in ((lambda: residue.leaky_relu(), "missing a required argument: 'x'"),
                       (lambda: residue.leaky_relu(x, 1, 2), "too many positional arguments"),
                       (lambda: residue.leaky_relu(x, 1, alpha=2), "multiple values for argument 'alpha'"),
                       (lambda: residue.leaky_relu(x, gain=2), "unexpected keyword argument 'gain'"),
                       (lambda: residue.leaky_relu(x=x), "'x'"),
                       (lambda: residue.clip_grad(x, x), "missing a required argument: 'min'"),
                       (lambda: residue.clip_grad(x, x, max=1), "missing a required argument: 'min'")):
        with pytest.raises(TypeError, match=text):
            call()
    assert residue.clip_grad(x, x, max=1, min=-1).tolist() == residue.clip_grad(x, x, -1, 1).tolist() == [0, 0, 0]


def test_results_go_where_they_are_wanted():
    """As NumPy has it, of loops that are there for exactly these types too."""
    x = np.float32([1.5, 2.5])
    out = np.empty(2)
    assert residue.add(x, x, out=out) is out and out.tolist() == [3, 5]
    for ufunc in (residue.add, np.add):
        with pytest.raises(TypeError, match="output"):
            ufunc(x, x, out=np.empty(2, np.int8))
        assert ufunc(x, x, out=np.empty(2, np.int8), casting="unsafe").tolist() == [3, 5]
        with pytest.raises(TypeError, match="output"):
            ufunc(out, out, out=np.empty(2, np.float32), casting="safe")
        assert ufunc(x.astype(">f4"), x).dtype == np.float32


def test_what_is_unknown_is_named_beside_what_is_needed():
    with pytest.raises(TypeError, match="unexpected keyword argument 'gain'"):
        residue.clip_grad(np.ones(2), np.ones(2), min=0, max=1, gain=3)
