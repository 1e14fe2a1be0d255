"""Functions of arrays that are computed in one pass over memory."""
from __future__ import annotations

import collections
import functools
import inspect
import sys
import threading
import warnings
import weakref

import numpy as np

from residue import _native
from residue._lowering import Lowered, are_rows, empty
from residue._methods import FusedMethod, bind
from residue._trace import DEFAULTS, Trace, Traced, Value, frames_of_ours, refuse, what_is_lost
from residue._values import misfit

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

# Compiled graphs that a function keeps: the latest used for some shapes, and the latest made for rows.
_MOST_KEPT = 64
# The library's bit, NumPy's names, and NumPy's number for handlers.
_EXCEPTIONS = ((1, "divide", "divide by zero", 1), (2, "invalid", "invalid value", 8), (4, "over", "overflow", 2))
_SUPPORTED = frozenset("?bBhHiIlLqQefd")


def _report(exceptions: int, name: str) -> None:
    """As np.errstate says, the way NumPy does for its own."""
    modes = np.geterr()
    for bit, kind, text, number in _EXCEPTIONS:
        mode = modes[kind] if exceptions & bit else "ignore"  # type: ignore[literal-required]
        message = f"{text} encountered in {name}"
        if mode == "warn":
            warnings.warn(message, RuntimeWarning, stacklevel=frames_of_ours() + 1)
        elif mode == "raise":
            raise FloatingPointError(message)
        elif mode == "print":
            print(f"Warning: {message}", file=sys.stdout)
        elif mode == "call":
            handler: Any = np.geterrcall()
            handler(text, number)
        elif mode == "log":
            handler = np.geterrcall()
            handler.write(f"Warning: {message}\n")


def _require_plain(array: Any) -> None:
    lost = what_is_lost(array)
    if lost is not None:
        raise TypeError(lost)


def _as_array(argument: Any) -> Any:
    """A number of Python's, or an array that can be read where it lies."""
    if type(argument) in DEFAULTS:
        return argument
    if type(argument) is not np.ndarray:
        _require_plain(argument)
    array = np.asarray(argument)
    if array.dtype.kind == "O" and not isinstance(argument, np.ndarray):
        what = "None" if argument is None else f"a {type(argument).__name__}"
        raise TypeError(f"{what} cannot be computed in a fused function; pass a number or an array of numbers, as float(x)")
    if array.dtype.char not in _SUPPORTED:
        raise TypeError(f"{array.dtype} cannot be computed in a fused function; convert it, as with astype(np.float32)")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _is_of_numbers(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return len(x) > 0 and all(map(_is_of_numbers, x))
    return type(x) in DEFAULTS or isinstance(x, (np.generic, np.ndarray))


def _protected(trace: Trace, argument: Any) -> Any:
    """As an argument of a function that is traced: nothing that it does changes what stands outside."""
    if isinstance(argument, Traced):
        return Traced(trace, trace.value_of(argument), is_given=True)
    if type(argument) is np.ndarray and argument.ndim == 0:
        return argument[()]
    if isinstance(argument, np.ndarray) or (isinstance(argument, (list, tuple)) and _is_of_numbers(argument)):
        return Traced(trace, trace.value_of(argument), is_given=True)
    return argument


class _Known:
    """An integer that does not fit the type it was traced with. What it is decides what can be done with it."""
    __slots__ = ("number",)

    def __init__(self, number: Any) -> None:
        self.number = number


def _fits(argument: Any, dtype: np.dtype[Any]) -> bool:
    is_integer = np.ndim(argument) == 0 and np.asarray(argument).dtype.kind not in "bf"
    return not is_integer or misfit(argument, dtype) is None


def _key(array: Any) -> Any:
    if isinstance(array, _Known):
        return type(array.number), int(array.number)
    if isinstance(array, np.ndarray):
        if array.ndim == 0:
            return array.dtype.char, Trace.least_type(array)
        return array.dtype.char, array.shape, array.strides
    return type(array)


def _by_name(module: str, name: str) -> Any:
    """What a module has by that name, or None."""
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _carrier_of(fused: FusedFunction) -> Callable[[], Any]:
    """A function that pickle knows by its name in the fused function, and that brings the function it was made of where
    functions are pickled with what they contain. Nothing else tells the two apart."""
    function = fused._function

    def carrier() -> Any:
        return function

    carrier.__module__ = getattr(fused, "__module__", None) or __name__
    carrier.__qualname__ = f"{getattr(fused, '__qualname__', '')}._carrier"
    return carrier


def _restore(kind: type[FusedFunction], carrier: Callable[[], Any]) -> FusedFunction:
    """The fused function whose carrier it is, or a new one where the carrier was brought."""
    found = _by_name(carrier.__module__, carrier.__qualname__.rpartition(".")[0])
    return found if isinstance(found, FusedFunction) and found._carrier is carrier else kind(carrier())


def _signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    """None if it does not say what arguments it takes, as some that are not written in Python."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


class _Traced:
    """What a function does with arguments of some types and shapes."""

    def __init__(self, trace: Trace, results: list[Value], is_tuple: bool) -> None:
        self._trace, self.results, self.is_tuple = trace, results, is_tuple

    def program_for(self, arrays: tuple[Any, ...]) -> _native.Program | None:
        """What computes rows of any length, if these are such and the function does not look at the length."""
        shape = next(array.shape for array in arrays if getattr(array, "ndim", 0) != 0)
        if self._trace.looks_at_shape or not are_rows(self.results, shape):
            return None
        lowered = Lowered(self.results, [None] * len(arrays), [None] * len(self.results), is_of_rows=True)
        return _native.Program(lowered.graph, [(index, dtype.num) for index, dtype in lowered.arguments],
                               [(value.shape != (), value.dtype.num) for value in self.results], self.is_tuple)


class FusedFunction(_native.Fused):
    """A function of arrays that is traced once for each combination of types, and then computed in as few passes over
    memory as its shapes allow: usually one. Made by `fuse` and `compile_expression`.

    Calls with arrays of one shape and order, and numbers, have one program for all shapes. What looks at shapes, broadcasts
    arrays, or steps over memory, is compiled for each combination of shapes and strides.

    >>> import numpy as np
    >>> import residue
    >>> axpy = residue.FusedFunction(lambda a, x, y: a * x + y)
    >>> axpy(2, np.float32([1, 2]), np.float32([10, 20]))
    array([12., 24.], dtype=float32)
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"a function is fused, not {function!r:.40}")
        functools.update_wrapper(self, function)  # first: it brings what a function has been given, by any name
        self._function = function
        self._signature = _signature_of(function)
        self._take_parameters()
        self._kept: collections.OrderedDict[Any, tuple[Lowered, bool]] = collections.OrderedDict()
        self._lock = threading.Lock()
        self._carrier = _carrier_of(self)
        self._methods: dict[int, tuple[weakref.ref[Any], FusedFunction]] = {}

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As functions of classes do: called on an instance, it has that as its first argument, which is a constant."""
        return self if instance is None else FusedMethod(self, instance, self._method_of(instance))

    def _method_of(self, instance: Any) -> FusedFunction:
        """The function without its first argument: one for each instance, as long as that lives."""
        number, methods = id(instance), self._methods
        found = methods.get(number)
        if found is not None and found[0]() is instance:
            return found[1]
        try:
            reference = weakref.ref(instance, lambda _: methods.pop(number, None))
        except TypeError:  # then it is traced whenever it is looked up
            return FusedFunction(bind(self._function, self._signature, lambda: instance))
        method = FusedFunction(bind(self._function, self._signature, reference))
        methods[number] = reference, method
        return method

    def _take_parameters(self) -> None:
        """Tells the base by which names arguments may be given. It orders them where the function takes no others."""
        parameters = () if self._signature is None else self._signature.parameters.values()
        kinds = [parameter.kind for parameter in parameters]
        if not {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD} & set(kinds):
            only_by_place = inspect.Parameter.POSITIONAL_ONLY
            names = tuple(None if parameter.kind is only_by_place else parameter.name for parameter in parameters)
            self._take_names(names, len(kinds) - kinds.count(inspect.Parameter.KEYWORD_ONLY))

    def _call_slowly(self, *arguments: Any, out: Any = None, **named: Any) -> Any:
        """A call for which the base has no program of rows: there may be one now."""
        given, names = self._order(arguments, named)
        if any(isinstance(argument, Traced) for argument in given):
            return self._inline(given, names, out)
        arrays = tuple(map(_as_array, given))
        outs = self._read_out(out)
        program, traced = self._find_program(arrays, names)
        if program is not None:
            result = self._run_rows(arrays, names, None if outs is None else tuple(map(np.asarray, outs)))
            if result is not NotImplemented:
                return result if outs is None else tuple(outs) if isinstance(result, tuple) else outs[0]
        return self._run_shapes(list(arrays), names, outs, traced)

    def _run_shapes(self, arrays: list[Any], names: tuple[str, ...], outs: list[Any] | None, traced: _Traced | None) -> Any:
        """A call that is compiled for its shapes and strides."""
        lowered, is_tuple = self._find(arrays, names, outs, traced)
        misfits = {index for index, dtype in lowered.arguments if not _fits(arrays[index], dtype)}
        if misfits:
            arrays = [_Known(array) if index in misfits else array for index, array in enumerate(arrays)]
            lowered, is_tuple = self._find(arrays, names, outs, None)
        results = [empty(*layout) for layout in lowered.outputs] if outs is None else outs
        inputs = tuple(np.asarray(arrays[index], dtype) for index, dtype in lowered.arguments)
        exceptions = lowered.graph.run(inputs, tuple(results))
        if exceptions:
            self._report(exceptions)
        if outs is None:
            results = [result if result.ndim else result[()] for result in results]
        return tuple(results) if is_tuple else results[0]

    def _report(self, exceptions: int) -> None:
        _report(exceptions, getattr(self, "__name__", "a fused function"))

    def explain(self, *arguments: Any, out: Any = None, **named: Any) -> str:
        """The passes over memory for such arguments, a line for each, and the temporary memory between them."""
        given, names = self._order(arguments, named)
        arrays = tuple(map(_as_array, given))
        outs = self._read_out(out)
        program, traced = self._find_program(arrays, names)
        if program is None or outs is not None:
            graph = self._find(list(arrays), names, outs, traced)[0].graph
            temporary = graph.temporary_bytes()
        else:
            graph = program.graph
            temporary = graph.temporary_bytes(max(np.size(array) for array in arrays))
        passes: str = graph.describe()
        count = len(passes.strip().splitlines())
        return (f"{count} {'pass' if count == 1 else 'passes'} over memory, "
                f"{temporary} bytes of temporary memory\n{passes.rstrip()}")

    def _order(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """What is given, and the names of the last of it. Defaults stay what they are, constants mostly."""
        if not named:
            return arguments, ()
        signature = self._signature or inspect.signature(self._function)  # which says what is wrong with it
        bound = signature.bind(*arguments, **named)
        return (*bound.args, *bound.kwargs.values()), tuple(bound.kwargs)

    def _call(self, trace: Trace, given: Any, names: tuple[str, ...]) -> Any:
        """What is not given are the defaults. Arrays among them are constants, which the function does not change."""
        first = len(given) - len(names)
        named = dict(zip(names, given[first:]))
        try:
            bound = inspect.signature(self._function, follow_wrapped=False).bind(*given[:first], **named)
        except (TypeError, ValueError):  # it says nothing of its arguments, or says best itself what is wrong with these
            return self._function(*given[:first], **named)
        known = set(bound.arguments)
        bound.apply_defaults()
        for name in bound.arguments.keys() - known:
            default = bound.arguments[name]
            bound.arguments[name] = _protected(trace, default)
            # What stays as it is need not be given, and NumPy's ufuncs do not take all that is theirs.
            is_positional = bound.signature.parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY
            if bound.arguments[name] is default and not is_positional:
                del bound.arguments[name]
        return self._function(*bound.args, **bound.kwargs)

    def _inline(self, given: tuple[Any, ...], names: tuple[str, ...], out: Any) -> Any:
        """In another fused function: a part of that, whose values it does not change either. Its results are new."""
        if out is not None:
            refuse("out= of a fused function cannot be part of another")
        trace = next(argument._trace for argument in given if isinstance(argument, Traced))
        returned = self._call(trace, [_protected(trace, argument) for argument in given], names)
        if isinstance(returned, (tuple, list)):
            return tuple(Traced(trace, trace.value_of(value)) for value in returned)
        return Traced(trace, trace.value_of(returned))

    @staticmethod
    def _read_out(out: Any) -> list[Any] | None:
        if out is None:
            return None
        outs = list(out) if isinstance(out, tuple) else [out]
        for array in outs:
            if not isinstance(array, np.ndarray):
                raise TypeError(f"out must be an array or a tuple of arrays, not {type(array).__name__}")
            if not array.dtype.isnative:
                raise TypeError(f"out has the order of bytes of other machines; pass one of {array.dtype.name}")
            _require_plain(array)
        return outs

    def _find_program(self, arrays: tuple[Any, ...], names: tuple[str, ...]) -> tuple[_native.Program | None, _Traced | None]:
        """The program of rows for such arguments, if there is one; and what was traced to make it, if that was now."""
        key = self._rows_key(arrays, names)
        if key is None or key in self._programs:
            return None if key is None else self._programs.get(key), None
        traced = self._trace(list(arrays), names)
        program = traced.program_for(arrays)
        with self._lock:
            if len(self._programs) >= _MOST_KEPT:
                self._programs.pop(next(iter(self._programs)), None)
            self._programs[key] = program
        return program, traced

    def _find(self, arrays: list[Any], names: tuple[str, ...], outs: list[Any] | None,
              traced: _Traced | None) -> tuple[Lowered, bool]:
        key = (*map(_key, arrays), names, None if outs is None else tuple(map(_key, outs)))
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        traced = traced or self._trace(arrays, names)
        if outs is not None:
            self._check_out(traced.results, outs)
        found = Lowered(traced.results, arrays, [None] * len(traced.results) if outs is None else outs), traced.is_tuple
        with self._lock:
            self._kept[key] = found
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def _trace(self, arrays: list[Any], names: tuple[str, ...]) -> _Traced:
        trace = Trace()
        given = [Traced(trace, self._argument(trace, i, array), is_given=True) for i, array in enumerate(arrays)]
        returned = self._call(trace, given, names)
        is_tuple = isinstance(returned, (tuple, list))
        results = [trace.require_type(trace.value_of(value)) for value in (returned if is_tuple else [returned])]
        if not results:
            refuse("the function returns nothing")
        return _Traced(trace, results, is_tuple)

    @staticmethod
    def _argument(trace: Trace, index: int, array: Any) -> Any:
        if isinstance(array, np.ndarray):
            return trace.argument(index, array.dtype, array.shape, trace.weak_kind(array), trace.least_type(array))
        if isinstance(array, _Known):
            return trace.value_of(array.number)
        return trace.argument(index, DEFAULTS[type(array)], (), type(array))

    @staticmethod
    def _check_out(results: list[Any], outs: list[Any]) -> None:
        if len(outs) != len(results):
            raise ValueError(f"out has {len(outs)} arrays, but the function returns {len(results)}")
        for value, out in zip(results, outs):
            if out.dtype != value.dtype:
                raise TypeError(f"out is {out.dtype}, but the function returns {value.dtype}; convert in the function, "
                                f"as with astype(np.{out.dtype.name})")
            if out.shape != value.shape:
                raise ValueError(f"out has the shape {out.shape}, but the function returns {value.shape}")

    def __reduce_ex__(self, protocol: Any) -> Any:
        """As functions are: by name where it can be found by name; otherwise as the function it was made of. Functions of
        __main__ go by name to processes that have the same, and as what they contain with cloudpickle."""
        name = getattr(self, "__qualname__", "")
        if _by_name(self.__module__, name) is not self:
            return type(self), (self._function,)
        # Older protocols know no name of what is inside another.
        if self.__module__ != "__main__" or protocol < 4:
            return name
        return _restore, (type(self), self._carrier)

    def __repr__(self) -> str:
        return f"<fused function {getattr(self, '__qualname__', self._function)}>"


def fuse(function: Callable[..., Any]) -> FusedFunction:
    """Let a function of arrays be computed in one pass over memory.

    The function is called with values that stand for its arguments, and what it does to them is written down: Python's
    operators, the ufuncs of `residue` and NumPy's of the same meaning, ``np.where``, ``np.clip``, constants, ``astype``.
    The result is compiled once for each combination of types and layouts. Calls on 16 KiB or more release the GIL and use
    as many threads as `set_num_threads` allows; all take ``out=``. What cannot be traced is a `TraceError` that names the line.

    >>> import numpy as np
    >>> import residue
    >>> @residue.fuse
    ... def activate(x, bias):
    ...     return np.where(x > 0, x, np.exp(x) - 1) + bias
    >>> x = np.array([[-1, 0, 1]], np.float32)
    >>> activate(x, np.float32([[1], [2]]))
    array([[0.36787945, 1.        , 2.        ],
           [1.3678794 , 2.        , 3.        ]], dtype=float32)
    >>> print(activate.explain(x, 1.0).splitlines()[0])
    1 pass over memory, 0 bytes of temporary memory
    """
    return FusedFunction(function)
