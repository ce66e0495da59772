"""Cells that are switched on the stage, as the browser sends them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


def cells_of(text: Any, shape: tuple[int, ...]) -> Bits | None:
    """Return the cells that the browser sent, one character each; None if they are none of this shape.

    Examples
    --------
    >>> cells_of("10", (1, 1, 2)).tolist(), cells_of("1", (1, 1, 2)), cells_of(7, (1, 1, 2))
    ([[[True, False]]], None, None)
    """
    right = isinstance(text, str) and len(text) == int(np.prod(shape)) and set(text) <= {"0", "1"}
    return (np.array(list(text)) == "1").reshape(shape) if right else None
