"""Base of the problems without a test set."""

from __future__ import annotations

from typing import ClassVar, Self


class Undivided:
    """A problem of which nothing is held out."""

    test: ClassVar[None] = None
    testing: ClassVar[None] = None
    labelled: bool = False

    @property
    def training(self) -> Self:
        """The problem itself: all of it is learned from."""
        return self
