"""A number of threads for the length of a block."""
from __future__ import annotations

import operator
import threading
from types import TracebackType

from residue._native import exchange_threads


class threads:
    """Let the calls of this thread inside the block use up to `count` threads; 0 means as many as there are cores.

    Other threads are not affected. Blocks may be nested, and an object may be used again.

    >>> import residue
    >>> with residue.threads(2):
    ...     residue.get_num_threads()
    2
    >>> residue.get_num_threads()
    1
    """

    def __init__(self, count: int) -> None:
        # Refused here if it is no number of threads, not at the beginning of the block.
        exchange_threads(exchange_threads(operator.index(count)))
        self._count = count
        self._own = threading.local()

    def __enter__(self) -> threads:
        # A thread may be inside several blocks of one object, and others meanwhile inside theirs.
        before: list[int | None] = self._own.__dict__.setdefault("before", [])
        before.append(exchange_threads(self._count))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        exchange_threads(self._own.before.pop())

    def __repr__(self) -> str:
        return f"residue.threads({self._count})"
