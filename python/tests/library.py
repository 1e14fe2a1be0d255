"""libresidue itself, by its C interface: the one that the package brings, or the one that its module has loaded."""
import ctypes
import pathlib

import numpy as np

import residue
from residue import _native

PACKAGE = pathlib.Path(residue.__file__).parent
MOST_DIMENSIONS = 8


class Operand(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("reserved", ctypes.c_uint32), ("strides", ctypes.c_int64 * MOST_DIMENSIONS)]


class Problem(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("op", ctypes.c_int32), ("rank", ctypes.c_uint32),
                ("operand_count", ctypes.c_uint32), ("sizes", ctypes.c_uint64 * MOST_DIMENSIONS),
                ("operands", ctypes.POINTER(Operand)), ("params", ctypes.c_void_p), ("params_size", ctypes.c_uint32),
                ("flags", ctypes.c_uint32), ("max_target", ctypes.c_char_p)]


def _load():
    bundled = sorted(PACKAGE.glob("libresidue*.so.*"))
    return ctypes.CDLL(str(bundled[0]) if bundled else "libresidue.so.2")


_LIBRARY = _load()


def run(operator, inputs, dtype, params=b""):
    """One operator on contiguous arrays of one size, into a new one."""
    out = np.empty(inputs[0].shape, dtype)
    operands = (Operand * (len(inputs) + 1))()
    for operand, array in zip(operands, [*inputs, out]):
        operand.type = _native.types[array.dtype.name]
        operand.strides[0] = array.itemsize
    problem = Problem(size=ctypes.sizeof(Problem), op=operator, rank=1, operand_count=len(operands), operands=operands,
                      params=ctypes.cast(ctypes.c_char_p(params), ctypes.c_void_p) if params else None,
                      params_size=len(params))
    problem.sizes[0] = out.size
    addresses = (ctypes.c_void_p * len(inputs))(*(array.ctypes.data for array in inputs))
    status = _LIBRARY.residue_run(ctypes.byref(problem), addresses, ctypes.c_void_p(out.ctypes.data), None)
    assert status == 0, f"operator {operator}: status {status}"
    return out
