"""From a trace to a compiled graph: which bytes each value has, for arrays of given layouts or for rows of any length."""
from __future__ import annotations

import math

import numpy as np

from residue import _native
from residue._trace import Argument, Constant, Node, Value, View

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_IDENTITY: int = _native.operators["positive"]["operator"]
_TYPES = {np.dtype(name): number for name, number in _native.types.items()}


def _axes_by_stride(array: np.ndarray[Any, Any]) -> list[int]:
    """The axes of an array, the one with the longest steps first."""
    return sorted(range(array.ndim), key=lambda axis: (-abs(array.strides[axis]), axis))


def _packed_strides(shape: tuple[int, ...], itemsize: int, order: list[int]) -> tuple[int, ...]:
    """Without gaps, the axes in the given order. Shorter shapes have the last of the axes."""
    missing = len(order) - len(shape)
    strides = [0] * len(shape)
    step = itemsize
    for axis in reversed(order):
        if axis >= missing:
            strides[axis - missing] = step
            step *= shape[axis - missing]
    return tuple(strides)


def _broadcast_strides(strides: tuple[int, ...], shape: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...]:
    missing = len(to) - len(shape)
    return (0,) * missing + tuple(0 if extent == 1 else step for extent, step in zip(shape, strides))


def _first_offset(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """How far the first element is from where the memory begins."""
    return -sum(min(0, (extent - 1) * step) for extent, step in zip(shape, strides) if extent > 0)


def empty(dtype: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """A new array without gaps whose axes are in the order of the strides."""
    array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, strides=strides, buffer=None)
    return array


def _count(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


class _Place:
    """A tensor of the graph, and how a value lies in it."""

    def __init__(self, tensor: int, value_type: np.dtype[Any], shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self.tensor, self.type, self.shape, self.strides = tensor, _TYPES[value_type], shape, strides
        self.offset = _first_offset(shape, strides)

    def operand(self, sizes: tuple[int, ...]) -> tuple[int, int, int, tuple[int, ...]]:
        return self.tensor, self.type, self.offset, _broadcast_strides(self.strides, self.shape, sizes)


def needed_for(results: list[Value]) -> list[Value]:
    """What results depend on, each after what it depends on: the first input of a node last, right before the node,
    because what goes on from there stays in registers. What is computed once for many elements comes before all."""
    found: dict[int, Value] = {}
    waiting = [(value, False) for value in reversed(results)]
    while waiting:
        value, is_ready = waiting.pop()
        if value.number in found:
            continue
        inputs = value.source.inputs if isinstance(value.source, (Node, View)) else ()
        if is_ready or not inputs:
            found[value.number] = value
            continue
        waiting.append((value, True))
        # The last that is put there is the first that is looked at.
        waiting += [(x, False) for x in inputs]
    return sorted(found.values(), key=lambda value: (len(value.shape), _count(value.shape) or math.inf))


def are_rows(results: list[Value], shape: tuple[int, ...]) -> bool:
    """Are results arrays of this shape, and depend on such and on single numbers alone? Then what is computed is the same
    for arrays of any other shape."""
    def is_one(value: Value) -> bool:
        return value.shape == () or (value.shape == shape and not isinstance(value.source, (Constant, View)))
    return any(value.shape for value in results) and all(map(is_one, needed_for(results)))


class Lowered:
    """A compiled graph, the arguments it reads with the types they are converted to, and what it writes. Of rows it has no
    arrays: shapes are those of the trace, whatever arrays will have."""

    def __init__(self, results: list[Value], arrays: list[Any], outs: list[Any], is_of_rows: bool = False) -> None:
        self._is_of_rows = is_of_rows
        self._tensors: list[tuple[str, Any]] = []
        self._nodes: list[Any] = []
        self._places: dict[int, _Place] = {}
        self._order = self._find_order(results, arrays)
        self.arguments: list[tuple[int, np.dtype[Any]]] = []
        self.outputs = [(value.dtype, value.shape, self._packed(value)) for value in results]
        needed = needed_for(results)
        for value in needed:
            self._add_source(value, arrays)
        placed = self._add_outputs(results, outs)
        self._add_nodes(needed, placed)
        for value, out in zip(results, placed):
            if self._places[value.number] is not out:
                shape = self._shape(value)
                self._nodes.append((_IDENTITY, shape, b"",
                                    (self._places[value.number].operand(shape), out.operand(shape))))
        self.graph = _native.Graph(self._tensors, self._nodes)
        # They hold the arrays that the function was called with.
        del self._tensors, self._nodes, self._places

    def _find_order(self, results: list[Value], arrays: list[Any]) -> list[int]:
        """Results lie in memory as the first argument of their shape does, as NumPy has it."""
        shape = max(map(self._shape, results), key=len)
        for array in arrays:
            if isinstance(array, np.ndarray) and array.shape == shape:
                return _axes_by_stride(array)
        return list(range(len(shape)))

    def _shape(self, value: Value) -> tuple[int, ...]:
        return (_native.longest_row,) if self._is_of_rows and value.shape else value.shape

    def _packed(self, value: Value) -> tuple[int, ...]:
        return _packed_strides(self._shape(value), value.dtype.itemsize, self._order)

    def _place(self, kind: str, value: Value, array: Any = None) -> _Place:
        """A new tensor for a value: an array, or packed memory."""
        shape = self._shape(value)
        self._tensors.append((kind, _count(shape) * value.dtype.itemsize if array is None else array))
        strides = self._packed(value) if array is None else array.strides
        return _Place(len(self._tensors) - 1, value.dtype, shape, strides)

    def _add_source(self, value: Value, arrays: list[Any]) -> None:
        source = value.source
        if isinstance(source, Constant):
            packed = np.ascontiguousarray(source.array).reshape(value.shape)
            self._places[value.number] = self._place("constant", value, packed)
        elif isinstance(source, Argument):
            array = None if self._is_of_rows else arrays[source.index]
            if not self._is_of_rows and (not isinstance(array, np.ndarray) or array.dtype != value.dtype):
                array = np.empty(value.shape, value.dtype)
            self.arguments.append((source.index, value.dtype))
            self._places[value.number] = self._place("input", value, array)

    def _add_outputs(self, results: list[Value], outs: list[Any]) -> list[_Place]:
        placed = []
        for value, out in zip(results, outs):
            if out is None and not self._is_of_rows:
                out = empty(value.dtype, value.shape, self._packed(value))
            place = self._place("output", value, out)
            placed.append(place)
            if not isinstance(value.source, View):  # it is computed elsewhere, and copied
                self._places.setdefault(value.number, place)
        return placed

    def _seen(self, value: Value, view: View) -> _Place:
        """Where the elements of a view are: where the value has them that it is of."""
        base = self._places[view.inputs[0].number]
        strides = tuple(0 if axis is None else base.strides[axis] for axis in view.axes)
        return _Place(base.tensor, value.dtype, value.shape, strides)

    def _add_nodes(self, needed: list[Value], placed: list[_Place]) -> None:
        for value in needed:
            if isinstance(value.source, View):
                self._places[value.number] = self._seen(value, value.source)
            if not isinstance(value.source, Node):
                continue
            place = self._places.get(value.number)
            if place is None:
                place = self._places[value.number] = self._place("temporary", value)
            shape = self._shape(value)
            operands = tuple(self._places[x.number].operand(shape) for x in value.source.inputs)
            self._nodes.append((value.source.operator, shape, value.source.params, (*operands, place.operand(shape))))
