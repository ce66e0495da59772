"""Parts of a picture that are made when they are asked for: while a control moves, one frame of a run is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar, overload

Item = TypeVar("Item")


class Deferred(Sequence[Item], Generic[Item]):
    """What a function makes of the items of sequences of equal length, as ``map`` does, each when it is asked for.

    Parameters
    ----------
    make : callable
        Takes one item of each sequence; called once for each.
    *items : sequence
        What it takes.

    Examples
    --------
    >>> squares = Deferred(lambda x: x * x, [3, 4, 5])
    >>> squares[-1], len(squares), squares[:2], list(squares)
    (25, 3, [9, 16], [9, 16, 25])
    """

    def __init__(self, make: Callable[..., Item], *items: Sequence[Any]) -> None:
        self._places = range(len(items[0]))
        self._made = lru_cache(None)(lambda i: make(*(each[i] for each in items)))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        place = self._places[index]
        return [self._made(i) for i in place] if isinstance(place, range) else self._made(place)
