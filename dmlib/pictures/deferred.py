"""Parts of a picture that are made when they are asked for, since one frame may be enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar, overload

Item = TypeVar("Item")


class Deferred(Sequence[Item], Generic[Item]):
    """A lazy ``map`` of sequences of equal length, with an item made when it is asked for.

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
        self._item = lru_cache(None)(lambda i: make(*(each[i] for each in items)))

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        place = self._places[index]
        return [self._item(i) for i in place] if isinstance(place, range) else self._item(place)


class Film(Sequence[Item], Generic[Item]):
    """Items in all frames, made when one is asked for, and more cheaply in a single frame.

    Parameters
    ----------
    make : callable
        Returns the items; called once.
    frame : callable
        Takes the number of a frame and returns the items as they are in it.

    Examples
    --------
    >>> film = Film(lambda: [["low", "high"]], lambda frame: [["low", "high"][frame]])
    >>> film[0], film.frame(1)
    (['low', 'high'], ['high'])
    """

    def __init__(
        self, make: Callable[[], Sequence[Any]], frame: Callable[[int], Sequence[Any]]
    ) -> None:
        self._make = lru_cache(None)(make)
        self.frame = frame

    def __len__(self) -> int:
        return len(self._make())

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self._make()[index]
