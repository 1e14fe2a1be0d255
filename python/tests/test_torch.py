"""PyTorch: tensors in, tensors out, without a copy on the way in; and the same values as its own, where those are right."""
import numpy as np
import pytest

torch = pytest.importorskip("torch")

import residue
from operands import assert_same, random_pairs

TYPES = {"uint8": "uint8", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64", "float32": "float32",
         "float64": "float64"}


@pytest.mark.parametrize("dtype", TYPES)
def test_the_same_as_torchs_own(dtype):
    a, b = random_pairs(dtype, 200_000)
    keep = b != 0
    if np.dtype(dtype).kind == "i":
        keep &= ~((a == np.iinfo(dtype).min) & (b == -1))  # the pair that killed it four times
    if np.dtype(dtype).kind == "f":
        # Its fmod is SLEEF's: NaN or wrong for large quotients. Its remainder gives NaN for an infinite divisor.
        keep &= np.isfinite(a) & np.isfinite(b)
        with np.errstate(all="ignore"):
            keep &= np.abs(a / b) < 1e5
    x, y = torch.from_numpy(a[keep]), torch.from_numpy(b[keep])
    got = residue.mod_trunc(x, y)
    assert isinstance(got, torch.Tensor) and got.dtype == getattr(torch, TYPES[dtype])
    assert_same(got.numpy(), torch.fmod(x, y).numpy(), a[keep], b[keep], dtype)
    if np.dtype(dtype).kind != "f":
        assert_same(residue.remainder(x, y).numpy(), torch.remainder(x, y).numpy(), a[keep], b[keep], dtype)


def test_halves_are_exact():
    a, b = random_pairs("float16", 100_000)
    with np.errstate(all="ignore"):
        got = residue.mod_floor(torch.from_numpy(a), torch.from_numpy(b))
    assert got.dtype == torch.float16
    with np.errstate(all="ignore"):
        assert_same(got.numpy(), np.remainder(a, b), a, b)


def test_min_by_minus_one():
    x = torch.tensor([-(2**63), 5], dtype=torch.int64)
    assert residue.remainder(x, torch.tensor([-1, -1])).tolist() == [0, 0]


def test_scalars_shapes_and_views():
    x = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4).transpose(0, 2)
    got = residue.remainder(x, 5)
    assert isinstance(got, torch.Tensor) and got.shape == x.shape
    assert torch.equal(got, torch.remainder(x, 5))


def test_gradients_are_refused_by_torch_itself():
    with pytest.raises(RuntimeError, match="requires grad"):
        residue.remainder(torch.ones(3, requires_grad=True), 2)


class Capsule:
    """Something that speaks DLPack and nothing else."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream=None):
        return self.tensor.__dlpack__()

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


def test_dlpack_alone_is_enough():
    x = torch.tensor([5.5, -5.5])
    got = residue.remainder(Capsule(x), Capsule(torch.tensor([2.0, 2.0])))
    assert isinstance(got, np.ndarray) and got.tolist() == [1.5, 0.5]
