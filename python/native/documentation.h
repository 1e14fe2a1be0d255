// The documentation of what is written in C++; its examples are run by the tests.
#pragma once

namespace residue::python {

inline constexpr char kModFloorDocumentation[] =
    R"(Element-wise remainder of division rounded down: Python's ``%``, exactly.

The result has the sign of the divisor `x2`. It is computed without intermediate rounding: the exact
remainder, or for operands of opposite signs the exact sum of remainder and divisor rounded once.

Parameters
----------
x1 : array_like
    Dividend.
x2 : array_like
    Divisor, of a shape that can be broadcast against `x1`.
out, where, casting, order, dtype, subok
    As of every NumPy ufunc.

Returns
-------
ndarray or scalar
    Of the common type of `x1` and `x2`: int8 to int64, uint8 to uint64, float16, float32 or float64.

See Also
--------
mod_trunc : the remainder with the sign of the dividend.
numpy.remainder : the same values.

Notes
-----
An integer divisor of 0 gives 0 and NumPy's "divide" warning; a float divisor of 0 or an infinite dividend
gives NaN and the "invalid" warning. The smallest integer modulo -1 is 0.

Examples
--------
>>> import numpy as np
>>> import residue
>>> residue.mod_floor([7, -7, 7, -7], [3, 3, -3, -3])
array([ 1,  2, -2, -1])
>>> residue.mod_floor(np.float32(5.5), np.float32(-2))
-0.5
>>> hours = np.arange(-3, 4)
>>> residue.mod_floor(hours, 12, out=hours)
array([ 9, 10, 11,  0,  1,  2,  3])
)";

inline constexpr char kModTruncDocumentation[] =
    R"(Element-wise remainder of division rounded towards zero: C's ``%`` and ``fmod``, exactly.

The result has the sign of the dividend `x1` and is always exact.

Parameters
----------
x1 : array_like
    Dividend.
x2 : array_like
    Divisor, of a shape that can be broadcast against `x1`.
out, where, casting, order, dtype, subok
    As of every NumPy ufunc.

Returns
-------
ndarray or scalar
    Of the common type of `x1` and `x2`: int8 to int64, uint8 to uint64, float16, float32 or float64.

See Also
--------
mod_floor : the remainder with the sign of the divisor.
numpy.fmod : the same values.

Notes
-----
An integer divisor of 0 gives 0 and NumPy's "divide" warning; a float divisor of 0 or an infinite dividend
gives NaN and the "invalid" warning. The smallest integer modulo -1 is 0.

Examples
--------
>>> import numpy as np
>>> import residue
>>> residue.mod_trunc([7, -7, 7, -7], [3, 3, -3, -3])
array([ 1, -1,  1, -1])
>>> residue.mod_trunc(np.float64(1e308), 3.0)
2.0
)";

inline constexpr char kSetNumThreadsDocumentation[] = R"(set_num_threads(count, /)
--

Let every call use up to `count` threads; 0 means as many as there are cores.

The default is 1: schedulers such as Dask keep all cores busy already. Threads are used where they help, on
contiguous or evenly strided arrays of 256 KiB or more, and results do not depend on them. `threads` does the
same for the calls of one thread inside a ``with`` block.

Examples
--------
>>> import residue
>>> residue.set_num_threads(2)
>>> residue.get_num_threads()
2
>>> residue.set_num_threads(1)
)";

inline constexpr char kGetNumThreadsDocumentation[] = R"(get_num_threads()
--

How many threads a call from this thread may use; 0 means as many as there are cores.

Examples
--------
>>> import residue
>>> residue.get_num_threads()
1
)";

}  // namespace residue::python
