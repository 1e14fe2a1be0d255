"""xarray and pandas: names, coordinates and laziness survive."""
import numpy as np
import pytest

xarray = pytest.importorskip("xarray")

import residue


@pytest.fixture
def angles():
    return xarray.DataArray(np.array([[-30.0, 370.0, 725.0], [5.0, -365.0, 360.0]]), dims=("time", "station"),
                            coords={"time": [10, 20], "station": ["a", "b", "c"]}, name="angle",
                            attrs={"units": "degree"})


def test_coordinates_are_kept(angles):
    wrapped = residue.mod_floor(angles, 360)
    assert isinstance(wrapped, xarray.DataArray)
    assert wrapped.dims == ("time", "station") and wrapped.name == "angle"
    xarray.testing.assert_identical(wrapped.coords.to_dataset(), angles.coords.to_dataset())
    assert wrapped.values.tolist() == [[330, 10, 5], [5, 355, 0]]
    with xarray.set_options(keep_attrs=True):
        assert residue.mod_floor(angles, 360).attrs == {"units": "degree"}


def test_broadcasting_by_name(angles):
    divisors = xarray.DataArray([100.0, 7.0], dims="time", coords={"time": [10, 20]})
    got = residue.remainder(angles, divisors)
    assert got.dims == ("time", "station")
    np.testing.assert_array_equal(got, np.remainder(angles.values, divisors.values[:, None]))


def test_datasets_and_dask(angles):
    pytest.importorskip("dask.array")
    dataset = residue.mod_trunc(angles.to_dataset().chunk({"time": 1}), 360)
    assert isinstance(dataset, xarray.Dataset) and dataset.angle.chunks is not None
    assert dataset.angle.values.tolist() == [[-30, 10, 5], [5, -5, 0]]


def test_fused_functions_keep_coordinates_by_apply_ufunc(angles):
    fused = residue.fuse(lambda x: residue.mod_floor(x, 360) * 2)
    doubled = xarray.apply_ufunc(fused, angles)
    xarray.testing.assert_identical(doubled, residue.mod_floor(angles, 360) * 2)
    pytest.importorskip("dask.array")
    lazy = xarray.apply_ufunc(fused, angles.chunk({"time": 1}), dask="parallelized", output_dtypes=[float])
    assert lazy.chunks is not None
    xarray.testing.assert_identical(lazy.compute(), doubled)


def test_pandas_keeps_names_and_index():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series([370.0, -10.0], index=["a", "b"], name="angle")
    wrapped = residue.mod_floor(series, 360)
    pandas.testing.assert_series_equal(wrapped, pandas.Series([10.0, 350.0], index=["a", "b"], name="angle"))
    frame = residue.mod_trunc(pandas.DataFrame({"x": [7, -7], "y": [8, -8]}), 3)
    assert frame.to_dict("list") == {"x": [1, -1], "y": [2, -2]}
