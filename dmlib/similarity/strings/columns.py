"""The columns of an alignment: two strings with gaps, along a path of cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

GAP = "-"


def aligned(a: str, b: str, cells: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """Return two strings with gaps along a path of cells.

    Examples
    --------
    >>> aligned("ab", "b", [(0, 0), (1, 0), (2, 1)])
    ('ab', '-b')
    """
    first, second = [], []
    for (i, j), (k, m) in pairwise(cells):
        length = max(k - i, m - j)
        first.append(a[i:k] or GAP * length)
        second.append(b[j:m] or GAP * length)
    return "".join(first), "".join(second)


def columns(a: str, b: str, cells: Sequence[tuple[int, int]]) -> list[str]:
    """Return whether each column of an alignment has equal or different letters, or a gap.

    Examples
    --------
    >>> columns("ab", "b", [(0, 0), (1, 0), (2, 1)])
    ['gap', 'equal']
    """
    kinds = []
    for (i, j), (k, m) in pairwise(cells):
        if i == k or j == m:
            kinds.append("gap")
            continue
        for x, y in zip(a[i:k], b[j:m], strict=True):
            kinds.append("equal" if x == y else "different")
    return kinds
