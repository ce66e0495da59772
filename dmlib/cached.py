"""Values of an object that are computed when they are first asked for."""

from __future__ import annotations

import functools
from contextlib import nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # To mypy this one is a property, whose type is known before its module is checked.
    from functools import cached_property as cached_property  # noqa: PLC0414, TID251
else:

    class cached_property(functools.cached_property):  # noqa: N801, TID251
        """``functools.cached_property`` without the lock that it has in Python 3.11.

        That lock belongs to the class: while one object's value is computed, all other objects
        wait, those of other visitors too. Python 3.12 has none. Two threads that ask one object at
        once may compute its value twice.

        Examples
        --------
        >>> class Square:
        ...     side = 2
        ...
        ...     @cached_property
        ...     def area(self):
        ...         print("computed")
        ...         return self.side**2
        >>> square = Square()
        >>> square.area + square.area
        computed
        8
        """

        def __init__(self, func):
            super().__init__(func)
            self.lock = nullcontext()
