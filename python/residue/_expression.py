"""Expressions as text, for those who come from numexpr."""
from __future__ import annotations

import ast
import operator

from residue import functions
from residue._fuse import FusedFunction
from residue._trace import TraceError

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
           ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
           ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift}
_UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
_COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
            ast.GtE: operator.ge}
# Of numbers alone: no result of more bits could be used.
_MOST_BITS = 64
# What numexpr calls otherwise.
_ALIASES = {"abs": "absolute", "mod": "mod_floor", "fmod": "mod_trunc", "min": "minimum", "max": "maximum"}


class _Reader(ast.NodeVisitor):
    """Computes an expression with whatever the names stand for; nothing but arithmetic is understood. Without values it
    only looks whether all is."""

    def __init__(self, text: str, values: dict[str, Any] | None) -> None:
        self._text, self._values = text, values

    def _apply(self, function: Any, *arguments: Any, **named: Any) -> Any:
        return None if self._values is None else function(*arguments, **named)

    def _refuse(self, node: Any, what: str) -> Any:
        place = getattr(node, "col_offset", 0)
        raise SyntaxError(f"{what}, at column {place + 1}", ("<expression>", 1, place + 1, self._text))

    def generic_visit(self, node: ast.AST) -> Any:
        self._refuse(node, f"{type(node).__name__} is not part of an expression of arrays")

    def visit_Expression(self, node: ast.Expression) -> Any:
        return self.visit(node.body)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if type(node.value) not in (bool, int, float):
            self._refuse(node, f"{node.value!r} is no number")
        return node.value

    def visit_Name(self, node: ast.Name) -> Any:
        return None if self._values is None else self._values[node.id]

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if type(node.op) not in _BINARY:
            self._refuse(node, f"{type(node.op).__name__} is not element-wise")
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(left, int) and isinstance(right, int) and self._is_endless(node.op, left, right):
            self._refuse(node, f"the number has more than {_MOST_BITS} bits")
        try:
            return self._apply(_BINARY[type(node.op)], left, right)
        except TraceError:  # of arrays; what follows is of numbers alone
            raise
        except (ArithmeticError, ValueError) as error:
            self._refuse(node, str(error))

    @staticmethod
    def _is_endless(operation: ast.operator, left: int, right: int) -> bool:
        """Would it take long to find out that an integer is too large?"""
        if isinstance(operation, ast.Pow):
            return abs(left) > 1 and right * (abs(left).bit_length() - 1) > _MOST_BITS
        return isinstance(operation, ast.LShift) and left != 0 and right > _MOST_BITS

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if type(node.op) not in _UNARY:
            self._refuse(node, "write ~ instead of not")
        return self._apply(_UNARY[type(node.op)], self.visit(node.operand))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self._refuse(node, "write & and | instead of and and or, with parentheses")

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) != 1:
            self._refuse(node, "write (a < b) & (b < c) instead of a < b < c")
        if type(node.ops[0]) not in _COMPARE:
            self._refuse(node, f"{type(node.ops[0]).__name__} is not element-wise")
        return self._apply(_COMPARE[type(node.ops[0])], self.visit(node.left), self.visit(node.comparators[0]))

    def visit_Call(self, node: ast.Call) -> Any:
        function = _function(node)
        if function is None:
            self._refuse(node, f"{ast.unparse(node.func)} is not known: what can be called is in residue.ufuncs")
        if any(word.arg is None for word in node.keywords):
            self._refuse(node, "** is not part of an expression of arrays")
        arguments = [self.visit(argument) for argument in node.args]
        named = {str(word.arg): self.visit(word.value) for word in node.keywords}
        return self._apply(function, *arguments, **named)


def _function(node: ast.Call) -> Any:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    name = _ALIASES.get(name, name)
    return getattr(functions, name) if name in functions.__all__ else None


def _names(tree: ast.AST) -> list[str]:
    """Of variables, in the order of the text."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in found))


class Expression(FusedFunction):
    """A fused function made of text."""

    def __init__(self, text: str) -> None:
        tree = ast.parse(text.strip(), "<expression>", mode="eval")
        # Refused now, not when arrays come.
        _Reader(text, None).visit(tree)
        self.names = tuple(_names(tree))

        def function(*values: Any) -> Any:
            try:
                return _Reader(text, dict(zip(self.names, values))).visit(tree)
            except TraceError as refused:
                # The line is this file's; the expression is what there is to mend.
                raise type(refused)(f"{text.strip()!r}: {refused.what}") from None

        function.__name__ = function.__qualname__ = f"the expression {text.strip()}"
        function.__doc__ = None
        super().__init__(function)
        self._text = text
        self._take_names(self.names, len(self.names))

    def _order(self, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        values = dict(zip(self.names, arguments), **named)
        unknown = [name for name in values if name not in self.names]
        missing = [name for name in self.names if name not in values]
        if unknown or missing or len(arguments) > len(self.names):
            raise TypeError(f"{self._text!r} takes {', '.join(self.names)}"
                            + (f"; missing: {', '.join(missing)}" if missing else "")
                            + (f"; unknown: {', '.join(unknown)}" if unknown else ""))
        return tuple(values[name] for name in self.names), ()

    def __get__(self, instance: Any, owner: Any = None) -> Expression:
        return self  # it names no instance

    def __reduce_ex__(self, protocol: Any) -> Any:
        return compile_expression, (self._text,)

    def __repr__(self) -> str:
        return f"residue.compile_expression({self._text!r})"


def compile_expression(text: str) -> Expression:
    """A fused function of the arrays that an expression names, in the order in which it names them.

    Understood are numbers, Python's operators (``&``, ``|`` and ``~`` for truth values), comparisons, and the functions
    of `residue` by their names. Nothing else is evaluated.

    >>> import numpy as np
    >>> import residue
    >>> f = residue.compile_expression("sin(a) * 2 + where(b > 0, b, 0)")
    >>> f.names
    ('a', 'b')
    >>> f(np.float32([0, 1]), b=np.float32([3, -3]))
    array([3.       , 1.6829419], dtype=float32)
    """
    return Expression(text)
