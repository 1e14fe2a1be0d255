# Written by scripts/make_stubs.py from the list of operators.
from typing import Any, Literal

import numpy as np

_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order = Literal["K", "A", "C", "F"]

from residue.ufuncs import absolute as absolute
from residue.ufuncs import add as add
from residue.ufuncs import arccos as arccos
from residue.ufuncs import arccosh as arccosh
from residue.ufuncs import arcsin as arcsin
from residue.ufuncs import arcsinh as arcsinh
from residue.ufuncs import arctan as arctan
from residue.ufuncs import arctan2 as arctan2
from residue.ufuncs import arctanh as arctanh
from residue.ufuncs import bit_count as bit_count
from residue.ufuncs import bitwise_and as bitwise_and
from residue.ufuncs import bitwise_or as bitwise_or
from residue.ufuncs import bitwise_xor as bitwise_xor
from residue.ufuncs import ceil as ceil
from residue.ufuncs import cos as cos
from residue.ufuncs import cosh as cosh
from residue.ufuncs import dequantize_linear as dequantize_linear
from residue.ufuncs import difference_square as difference_square
from residue.ufuncs import divide as divide
from residue.ufuncs import divide_trunc as divide_trunc
from residue.ufuncs import divmod as divmod
from residue.ufuncs import equal as equal
from residue.ufuncs import erf as erf
from residue.ufuncs import exp as exp
from residue.ufuncs import floor as floor
from residue.ufuncs import floor_divide as floor_divide
from residue.ufuncs import gelu as gelu
from residue.ufuncs import greater as greater
from residue.ufuncs import greater_equal as greater_equal
from residue.ufuncs import invert as invert
from residue.ufuncs import isinf as isinf
from residue.ufuncs import isnan as isnan
from residue.ufuncs import isneginf as isneginf
from residue.ufuncs import isposinf as isposinf
from residue.ufuncs import left_shift as left_shift
from residue.ufuncs import less as less
from residue.ufuncs import less_equal as less_equal
from residue.ufuncs import log as log
from residue.ufuncs import logical_and as logical_and
from residue.ufuncs import logical_not as logical_not
from residue.ufuncs import logical_or as logical_or
from residue.ufuncs import logical_xor as logical_xor
from residue.ufuncs import maximum as maximum
from residue.ufuncs import mean as mean
from residue.ufuncs import minimum as minimum
from residue.ufuncs import mod_floor as mod_floor
from residue.ufuncs import mod_trunc as mod_trunc
from residue.ufuncs import multiply as multiply
from residue.ufuncs import negative as negative
from residue.ufuncs import parameterized_relu as parameterized_relu
from residue.ufuncs import positive as positive
from residue.ufuncs import power as power
from residue.ufuncs import quantize_linear as quantize_linear
from residue.ufuncs import reciprocal as reciprocal
from residue.ufuncs import relu_grad as relu_grad
from residue.ufuncs import right_shift as right_shift
from residue.ufuncs import rint as rint
from residue.ufuncs import round_half_away as round_half_away
from residue.ufuncs import sigmoid as sigmoid
from residue.ufuncs import sign as sign
from residue.ufuncs import sin as sin
from residue.ufuncs import sinh as sinh
from residue.ufuncs import softsign as softsign
from residue.ufuncs import sqrt as sqrt
from residue.ufuncs import subtract as subtract
from residue.ufuncs import tan as tan
from residue.ufuncs import tanh as tanh
from residue.ufuncs import trunc as trunc
from residue.ufuncs import where as where
from residue.ufuncs import arccos as acos
from residue.ufuncs import arccosh as acosh
from residue.ufuncs import arcsin as asin
from residue.ufuncs import arcsinh as asinh
from residue.ufuncs import arctan as atan
from residue.ufuncs import arctan2 as atan2
from residue.ufuncs import arctanh as atanh
from residue.ufuncs import invert as bitwise_invert
from residue.ufuncs import left_shift as bitwise_left_shift
from residue.ufuncs import right_shift as bitwise_right_shift
from residue.ufuncs import power as pow

__all__ = [
    'absolute',
    'acos',
    'acosh',
    'add',
    'arccos',
    'arccosh',
    'arcsin',
    'arcsinh',
    'arctan',
    'arctan2',
    'arctanh',
    'asin',
    'asinh',
    'atan',
    'atan2',
    'atanh',
    'bit_count',
    'bitwise_and',
    'bitwise_invert',
    'bitwise_left_shift',
    'bitwise_or',
    'bitwise_right_shift',
    'bitwise_xor',
    'cast',
    'ceil',
    'celu',
    'clip',
    'clip_grad',
    'cos',
    'cosh',
    'dequantize_linear',
    'difference_square',
    'divide',
    'divide_trunc',
    'divmod',
    'elu',
    'equal',
    'erf',
    'exp',
    'floor',
    'floor_divide',
    'gelu',
    'greater',
    'greater_equal',
    'hard_sigmoid',
    'hard_swish',
    'invert',
    'isinf',
    'isnan',
    'isneginf',
    'isposinf',
    'leaky_relu',
    'left_shift',
    'less',
    'less_equal',
    'log',
    'logical_and',
    'logical_not',
    'logical_or',
    'logical_xor',
    'maximum',
    'mean',
    'minimum',
    'mod_floor',
    'mod_trunc',
    'multiply',
    'negative',
    'parameterized_relu',
    'parametric_softplus',
    'positive',
    'pow',
    'power',
    'quantize_linear',
    'reciprocal',
    'relu',
    'relu_grad',
    'right_shift',
    'rint',
    'round_half_away',
    'scale_bias',
    'scaled_elu',
    'scaled_tanh',
    'shrink',
    'sigmoid',
    'sign',
    'sin',
    'sinh',
    'softplus',
    'softsign',
    'sqrt',
    'subtract',
    'swish',
    'tan',
    'tanh',
    'thresholded_relu',
    'trunc',
    'where',
]

def celu(x: Any, /, alpha: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def clip_grad(x1: Any, x2: Any, /, min: Any, max: Any, *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def elu(x: Any, /, alpha: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def hard_swish(x: Any, /, alpha: Any = ..., beta: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def leaky_relu(x: Any, /, alpha: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def parametric_softplus(x: Any, /, alpha: Any = ..., beta: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def scale_bias(x: Any, /, scale: Any = ..., bias: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def scaled_elu(x: Any, /, alpha: Any = ..., gamma: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def scaled_tanh(x: Any, /, alpha: Any = ..., beta: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def shrink(x: Any, /, bias: Any = ..., threshold: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def softplus(x: Any, /, steepness: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def swish(x: Any, /, alpha: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def thresholded_relu(x: Any, /, alpha: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def clip(x: Any, min: Any = ..., max: Any = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def cast(x: Any, dtype: Any, *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., subok: bool = ...) -> Any: ...
def relu(x: Any, *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., dtype: Any = ..., subok: bool = ...) -> Any: ...
def hard_sigmoid(x: Any, alpha: float = ..., beta: float = ..., *, out: Any = ..., where: Any = ..., casting: _Casting = ..., order: _Order = ..., subok: bool = ...) -> Any: ...
