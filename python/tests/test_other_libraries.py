"""Every ufunc on the arrays of others: Dask, xarray, pandas and PyTorch, the real ones; same bits, own kinds of arrays."""
import numpy as np
import pytest

import residue
from operands import random_pairs
from residue import _native

NAMES = sorted(_native.operators)
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def arguments(name, count=1000):
    """Of the first types that all four know."""
    entry = _native.operators[name]
    ufunc = entry["ufunc"]
    loops = [loop for loop in entry["loops"] or ufunc.types if not set(loop) & set("HILQlqgGFDOmM")]
    preferred = [loop for loop in loops if loop[0] in "f"] or loops
    codes, _, _ = preferred[0].partition("->")
    arrays = [np.arange(count) % 2 == 0 if code == "?" else random_pairs(np.dtype(code), count, i)[i % 2]
              for i, code in enumerate(codes)]
    inputs = entry["inputs"]
    return ufunc, arrays[:inputs], [array[0] for array in arrays[inputs:]]


# Where a library takes our ufunc for NumPy's, by its name, and computes that: the same values, except that NaN results
# have the sign that the processor gives them.
BY_NAME = {"pandas": {"add", "subtract", "multiply", "divide", "floor_divide", "divmod"}, "dask": {"divmod"}}


def bits(x, any_nan=False):
    parts = [np.array(part) for part in (x if isinstance(x, tuple) else (x,))]
    for part in parts:
        if any_nan:
            part[np.isnan(part)] = np.nan
    return [part.tobytes() for part in parts]


@pytest.mark.parametrize("name", NAMES)
def test_dask(name):
    da = pytest.importorskip("dask.array")
    ufunc, arrays, parameters = arguments(name)
    lazy = ufunc(*(da.from_array(array, chunks=300) for array in arrays), *parameters)
    parts = lazy if isinstance(lazy, tuple) else (lazy,)
    assert all(isinstance(part, da.Array) for part in parts)
    any_nan = name in BY_NAME["dask"]
    assert bits(tuple(part.compute(scheduler="synchronous") for part in parts), any_nan) == \
        bits(ufunc(*arrays, *parameters), any_nan)


@pytest.mark.parametrize("name", NAMES)
def test_xarray(name):
    xarray = pytest.importorskip("xarray")
    ufunc, arrays, parameters = arguments(name)
    if ufunc.nout > 1:
        pytest.skip("xarray refuses ufuncs of several results")
    got = ufunc(*(xarray.DataArray(array, dims="x", coords={"x": np.arange(1000)}) for array in arrays), *parameters)
    assert isinstance(got, xarray.DataArray) and got.dims == ("x",)
    assert bits(got.values) == bits(ufunc(*arrays, *parameters))


@pytest.mark.parametrize("name", NAMES)
def test_pandas(name):
    pandas = pytest.importorskip("pandas")
    ufunc, arrays, parameters = arguments(name)
    if name == "clip_grad":
        pytest.skip("pandas refuses two series beside numbers")
    got = ufunc(*(pandas.Series(array, index=np.arange(1000) + 5) for array in arrays), *parameters)
    parts = got if isinstance(got, tuple) else (got,)
    assert all(isinstance(part, pandas.Series) and part.index[0] == 5 for part in parts)
    any_nan = name in BY_NAME["pandas"]
    assert bits(tuple(part.to_numpy() for part in parts), any_nan) == \
        bits(ufunc(*arrays, *parameters), any_nan)


@pytest.mark.parametrize("name", NAMES)
def test_torch(name):
    torch = pytest.importorskip("torch")
    ufunc, arrays, parameters = arguments(name)
    tensors = [torch.from_numpy(array) for array in arrays]
    got = ufunc(*tensors, *parameters)
    parts = got if isinstance(got, tuple) else (got,)
    assert all(isinstance(part, torch.Tensor) for part in parts)
    assert bits(tuple(part.numpy() for part in parts)) == bits(ufunc(*arrays, *parameters))


def test_functions_with_parameters():
    """What is no ufunc hands on to one, so it takes all of them too."""
    da = pytest.importorskip("dask.array")
    x = np.linspace(-3, 3, 100, dtype=np.float32)
    for call in (lambda x: residue.elu(x, alpha=2), lambda x: residue.hard_sigmoid(x), lambda x: residue.relu(x),
                 lambda x: residue.clip(x, -1, 1), lambda x: residue.clip(x, max=1), lambda x: residue.cast(x, np.int8)):
        lazy = call(da.from_array(x, chunks=33))
        assert isinstance(lazy, da.Array) and bits(lazy.compute()) == bits(call(x))


def test_fused_functions_read_tensors_in_place():
    """They give arrays: nothing but the kind is lost, and PyTorch refuses what has gradients."""
    torch = pytest.importorskip("torch")
    x = np.linspace(-3, 3, 100, dtype=np.float32)
    fused = residue.fuse(lambda x: np.tanh(x) * 2)
    got = fused(torch.from_numpy(x))
    assert isinstance(got, np.ndarray) and bits(got) == bits(fused(x))
    with pytest.raises(RuntimeError, match="requires grad"):
        fused(torch.from_numpy(x).requires_grad_())


CONTAINERS = {
    "pandas Series": ("pandas", lambda pandas, x: pandas.Series(x, index=range(5, 105)), "to_numpy"),
    "pandas Index": ("pandas", lambda pandas, x: pandas.Index(x), "to_numpy"),
    "pandas DataFrame": ("pandas", lambda pandas, x: pandas.DataFrame({"a": x, "b": x}), "to_numpy"),
    "pandas nullable": ("pandas", lambda pandas, x: pandas.array(x.astype("i8"), dtype="Int64"), "to_numpy"),
    "xarray": ("xarray", lambda xarray, x: xarray.DataArray(x, dims="t"), "to_numpy"),
    "xarray in chunks": ("xarray", lambda xarray, x: xarray.DataArray(x, dims="t").chunk(30), "to_numpy"),
    "polars": ("polars", lambda polars, x: polars.Series(x), "to_numpy"),
    "pint": ("pint", lambda pint, x: pint.Quantity(x, "metre"), "asarray"),
    "astropy": ("astropy.units", lambda units, x: x * units.m, "asarray"),
    "arrow with nulls": ("pyarrow", lambda pyarrow, x: pyarrow.array([1, None, 3]), "nulls"),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_fused_functions_refuse_what_is_more_than_elements(kind):
    """Indices, names, units and missing values would be lost without a word."""
    module, make, advice = CONTAINERS[kind]
    library = pytest.importorskip(module)
    if kind == "xarray in chunks":
        pytest.importorskip("dask.array")
    x = np.linspace(-3, 3, 100, dtype=np.float32)
    fused = residue.fuse(lambda x: x * 2)
    container = make(library, x)
    for call in (lambda: fused(container), lambda: residue.fuse(lambda x: x + container)(x)):
        with pytest.raises(TypeError, match=advice):
            call()
    if advice == "to_numpy":
        elements = container.to_numpy().astype(np.float32)  # of nullable integers they are objects
        assert bits(fused(elements)) == bits(elements * 2)


def test_fused_functions_of_other_containers():
    """Lists, and what has elements and nothing else."""
    import array
    fused = residue.fuse(lambda x: x * 2)
    for x in ([1.0, 2.0], (1.0, 2.0), array.array("d", [1, 2]), memoryview(array.array("d", [1, 2]))):
        assert fused(x).tolist() == [2.0, 4.0]
    pyarrow = pytest.importorskip("pyarrow")
    assert fused(pyarrow.array([1.0, 2.0])).tolist() == [2.0, 4.0]
