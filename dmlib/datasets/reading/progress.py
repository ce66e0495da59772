"""Progress of reading a file, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]
_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def report(stage: str) -> None:
    """Report how far reading is, as words that stand behind "Reading the file:".

    Examples
    --------
    >>> with reporting(print):
    ...     report("20,000 rows")
    20,000 rows
    """
    listener = _LISTENER.get()
    if listener is not None:
        listener(stage)


@contextmanager
def reporting(listener: Listener) -> Iterator[None]:
    """Hand every report of what is read inside to a listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)
