"""A number of threads for the length of a block."""
from __future__ import annotations

import contextlib
import inspect
import operator
from types import FrameType, TracebackType

from residue._native import check_threads, enter_block, leave_block

_SUSPENDS = (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE
             | inspect.CO_ASYNC_GENERATOR)


def _suspends(frame: FrameType | None) -> bool:
    return frame is not None and bool(frame.f_code.co_flags & _SUSPENDS)


def _is_contextlibs(frame: FrameType | None) -> bool:
    return frame is not None and frame.f_globals is vars(contextlib)


def _inside() -> FrameType | None:
    """Who enters or leaves: the caller of the method that asks.

    ExitStack and generators that @contextmanager drives do it for somebody else: for who called them.
    """
    here = inspect.currentframe()
    method = here.f_back if here is not None else None
    frame = method.f_back if method is not None else None
    while frame is not None:
        if not _is_contextlibs(frame) and not (_suspends(frame) and _is_contextlibs(frame.f_back)):
            break
        frame = frame.f_back
    return frame


class threads:
    """Let the calls inside the block use up to `count` threads; 0 means as many as there are cores.

    Other threads are not affected. Blocks may be nested, an object may be used again, and a block may be left on
    another thread. A generator or coroutine that is suspended inside the block takes its number with it, and brings
    it back when it goes on, on whatever thread. A generator made a context manager by `contextlib` gives its number
    to the block it is used for.

    >>> import residue
    >>> with residue.threads(2):
    ...     residue.get_num_threads()
    2
    >>> residue.get_num_threads()
    1
    """

    def __init__(self, count: int) -> None:
        # Refused here if it is no number of threads, not at the beginning of the block.
        self._count = check_threads(operator.index(count))

    def __enter__(self) -> threads:
        frame = _inside()
        enter_block(self, self._count, frame, _suspends(frame))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        leave_block(self, _inside())

    def __repr__(self) -> str:
        return f"residue.threads({self._count})"
