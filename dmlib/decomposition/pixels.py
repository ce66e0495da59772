"""Columns that are the pixels of pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence

PIXEL = re.compile(r"pixel_(\d+)_(\d+)")


def pixel_grid(features: Sequence[str]) -> tuple[int, int] | None:
    """Return the height and width of the pictures whose pixels are the columns, or None.

    Parameters
    ----------
    features : sequence of str
        Names of all columns. Those of pixels are ``pixel_<row>_<column>``, counted from 0, row by
        row.

    Examples
    --------
    >>> pixel_grid(["pixel_0_0", "pixel_0_1", "pixel_0_2", "pixel_1_0", "pixel_1_1", "pixel_1_2"])
    (2, 3)
    >>> pixel_grid(["pixel_0_0", "age"]) is None
    True
    """
    matches = [PIXEL.fullmatch(name) for name in features]
    places = [(int(match[1]), int(match[2])) for match in matches if match]
    if len(places) < len(features) or not places:
        return None
    height, width = (max(place[axis] for place in places) + 1 for axis in (0, 1))
    is_grid = places == [(i, j) for i in range(height) for j in range(width)]
    return (height, width) if is_grid else None
