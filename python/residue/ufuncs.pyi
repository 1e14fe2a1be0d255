# Written by scripts/make_stubs.py from the list of operators.
from typing import Any, Literal

import numpy as np

_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order = Literal["K", "A", "C", "F"]

__all__: list[str]

class Ufunc11(np.ufunc):  # type: ignore[misc]
    def __call__(self, x: Any, /, out: Any = ..., *, where: Any = ..., casting: _Casting = ..., order: _Order = ...,
                 dtype: Any = ..., subok: bool = ..., signature: Any = ...) -> Any: ...

class Ufunc21(np.ufunc):  # type: ignore[misc]
    def __call__(self, x1: Any, x2: Any, /, out: Any = ..., *, where: Any = ..., casting: _Casting = ..., order: _Order = ...,
                 dtype: Any = ..., subok: bool = ..., signature: Any = ...) -> Any: ...

class Ufunc22(np.ufunc):  # type: ignore[misc]
    def __call__(self, x1: Any, x2: Any, /, out: Any = ..., *, where: Any = ..., casting: _Casting = ..., order: _Order = ...,
                 dtype: Any = ..., subok: bool = ..., signature: Any = ...) -> Any: ...

class Ufunc31(np.ufunc):  # type: ignore[misc]
    def __call__(self, x1: Any, x2: Any, x3: Any, /, out: Any = ..., *, where: Any = ..., casting: _Casting = ..., order: _Order = ...,
                 dtype: Any = ..., subok: bool = ..., signature: Any = ...) -> Any: ...

class Ufunc41(np.ufunc):  # type: ignore[misc]
    def __call__(self, x1: Any, x2: Any, x3: Any, x4: Any, /, out: Any = ..., *, where: Any = ..., casting: _Casting = ..., order: _Order = ...,
                 dtype: Any = ..., subok: bool = ..., signature: Any = ...) -> Any: ...

absolute: Ufunc11
add: Ufunc21
arccos: Ufunc11
arccosh: Ufunc11
arcsin: Ufunc11
arcsinh: Ufunc11
arctan: Ufunc11
arctan2: Ufunc21
arctanh: Ufunc11
bit_count: Ufunc11
bitwise_and: Ufunc21
bitwise_or: Ufunc21
bitwise_xor: Ufunc21
cast: Ufunc21
ceil: Ufunc11
celu: Ufunc21
clip: Ufunc31
clip_grad: Ufunc41
cos: Ufunc11
cosh: Ufunc11
dequantize_linear: Ufunc31
difference_square: Ufunc21
divide: Ufunc21
divide_trunc: Ufunc21
divmod: Ufunc22
elu: Ufunc21
equal: Ufunc21
erf: Ufunc11
exp: Ufunc11
floor: Ufunc11
floor_divide: Ufunc21
gelu: Ufunc11
greater: Ufunc21
greater_equal: Ufunc21
hard_swish: Ufunc31
invert: Ufunc11
isinf: Ufunc11
isnan: Ufunc11
isneginf: Ufunc11
isposinf: Ufunc11
leaky_relu: Ufunc21
left_shift: Ufunc21
less: Ufunc21
less_equal: Ufunc21
log: Ufunc11
logical_and: Ufunc21
logical_not: Ufunc11
logical_or: Ufunc21
logical_xor: Ufunc21
maximum: Ufunc21
mean: Ufunc21
minimum: Ufunc21
mod_floor: Ufunc21
mod_trunc: Ufunc21
multiply: Ufunc21
negative: Ufunc11
parameterized_relu: Ufunc21
parametric_softplus: Ufunc31
positive: Ufunc11
power: Ufunc21
quantize_linear: Ufunc31
reciprocal: Ufunc11
relu_grad: Ufunc21
right_shift: Ufunc21
rint: Ufunc11
round_half_away: Ufunc11
scale_bias: Ufunc31
scaled_elu: Ufunc31
scaled_tanh: Ufunc31
shrink: Ufunc31
sigmoid: Ufunc11
sign: Ufunc11
sin: Ufunc11
sinh: Ufunc11
softplus: Ufunc21
softsign: Ufunc11
sqrt: Ufunc11
subtract: Ufunc21
swish: Ufunc21
tan: Ufunc11
tanh: Ufunc11
thresholded_relu: Ufunc21
trunc: Ufunc11
where: Ufunc31
