"""The way of a search through the sets of columns."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dmlib.feature_selection.scores import Score, Subset
from dmlib.feature_selection.search import SearchStep


@dataclass(frozen=True)
class Walk:
    """A run of a search.

    Attributes
    ----------
    steps : sequence of SearchStep
        The run.
    score : Score
        The score of sets.
    features : sequence of str
        The columns.
    best : tuple of int or None
        The best of all sets, where all are scored.
    number : mapping of tuple of int to int
        The numbers of the sets that are drawn, from 1.
    is_small : bool
        Whether all sets are drawn.
    """

    steps: Sequence[SearchStep]
    score: Score
    features: Sequence[str]
    best: Subset | None
    number: Mapping[Subset, int]
    is_small: bool


def all_sets(n_features: int) -> list[Subset]:
    """Return all sets of columns by their size.

    Examples
    --------
    >>> all_sets(2)
    [(), (0,), (1,), (0, 1)]
    """
    sizes = range(n_features + 1)
    return [subset for k in sizes for subset in itertools.combinations(range(n_features), k)]
