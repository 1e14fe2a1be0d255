"""Fused functions as methods of classes."""
from __future__ import annotations

import functools
import inspect

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from residue._fuse import FusedFunction


def bind(function: Callable[..., Any], signature: inspect.Signature | None, first: Callable[[], Any]) -> Callable[..., Any]:
    """The function of the other arguments, with what `first` returns as the first."""
    @functools.wraps(function)
    def bound(*arguments: Any, **named: Any) -> Any:
        return function(first(), *arguments, **named)

    if signature is not None:
        others = list(signature.parameters.values())[1:]
        bound.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
    return bound


class FusedMethod:
    """A fused function of a class, looked up on an instance, which it keeps alive."""

    def __init__(self, function: FusedFunction, instance: Any, method: FusedFunction) -> None:
        functools.update_wrapper(self, method, updated=())
        self.__func__, self.__self__, self._method = function, instance, method

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._method(*arguments, **named)

    def __get__(self, instance: Any, owner: Any = None) -> FusedMethod:
        return self  # as other methods, which help() knows by that

    def explain(self, *arguments: Any, **named: Any) -> str:
        """As that of the function."""
        return self._method.explain(*arguments, **named)

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, getattr(self, "__name__"))

    def __repr__(self) -> str:
        return f"<fused method {getattr(self, '__qualname__', self.__func__)} of {self.__self__!r}>"
