"""Coefficients of sets, baskets and bags of words: what two of them have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Tags
from sklearn.utils.validation import check_array

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.params import Choice, Integer, Param, Ranges, Spoken
from dmlib.similarity.measures.algorithm import PairMeasure, Rows, Space
from dmlib.similarity.measures.mixed import chosen_rows
from dmlib.similarity.measures.ranges import row_range

COEFFICIENTS: Mapping[str, str] = {
    "jaccard": "Jaccard",
    "dice": "Dice",
    "overlap": "overlap",
    "smc": "simple matching",
    "cosine": "cosine",
    "tanimoto": "Tanimoto",
}
COUNTED = ("cosine", "tanimoto")
"""Those that use how often an item is there, not only whether."""
FEW = 200  # bags up to which all pairs are no more work than some
CORNERS = ("in both", "only in A", "only in B", "in neither")


class BagSpace(Space):
    """Bags and a coefficient between them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_items)
        How often each item is in each bag.
    metric : str
        One of :data:`COEFFICIENTS`.
    """

    def __init__(self, X: Floats, metric: str) -> None:
        self.X, self.metric, self.p = X, metric, 1.0

    def seen(self, row: Floats) -> Floats:
        """Return a bag as the coefficient sees it: counts, or which items are there."""
        return row if self.metric in COUNTED else (row > 0).astype(float)

    def terms(self, a: Floats, b: Floats) -> Floats:
        """Return how many items are in both, only in the first, only in the second, in neither."""
        one, other = a > 0, b > 0
        both = float((one & other).sum())
        return np.array([both, one.sum() - both, other.sum() - both, (~one & ~other).sum()])

    def between(self, a: Floats, b: Floats) -> Any:
        """Return 1 less the coefficient of two bags, or of each pair of bags."""
        one, other = self.seen(a), self.seen(b)
        both = (one * other).sum(axis=-1)
        return 1 - coefficient(
            self.metric, both, (one**2).sum(axis=-1), (other**2).sum(axis=-1), a.shape[-1]
        )

    def cross(self, rows: Rows, others: Rows) -> Floats:
        """Return the distance of each of some bags from each of others: of many items, one product is soon there."""
        some, rest = self.seen(self.X[rows]), self.seen(self.X[others])
        sizes = (some**2).sum(axis=1)[:, None], (rest**2).sum(axis=1)
        return np.asarray(1 - coefficient(self.metric, some @ rest.T, *sizes, some.shape[1]))

    def pairs(self, rows: Rows, others: Rows) -> Floats:
        """Return the distance of each of some bags, by their places, from another one."""
        if len(self.X) > FEW:
            return super().pairs(rows, others)
        return np.asarray(self._all[rows, others])

    @cached_property
    def _all(self) -> Floats:
        return self.distances(np.arange(len(self.X)))


def coefficient(name: str, both: Any, one: Any, other: Any, n_items: int) -> Any:
    """Return a coefficient of two bags from their products: with each other, and each with itself; 1 of two empty bags.

    Parameters
    ----------
    name : str
        One of :data:`COEFFICIENTS`.
    both, one, other : array of float
        Of sets, how many items are in both, in the one and in the other.
    n_items : int
        How many items there are.

    Examples
    --------
    >>> [round(float(coefficient(name, 2.0, 3.0, 4.0, 10)), 3) for name in COEFFICIENTS]
    [0.4, 0.571, 0.667, 0.7, 0.577, 0.4]
    """
    part, whole = {
        "smc": lambda: (n_items - one - other + 2 * both, n_items + 0.0 * both),
        "dice": lambda: (2 * both, one + other),
        "overlap": lambda: (both, np.minimum(one, other)),
        "cosine": lambda: (both, np.sqrt(one * other)),
    }.get(name, lambda: (both, one + other - both))()
    undefined = np.where(one + other > 0, 0.0, 1.0) if name == "cosine" else 1.0
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), undefined)[()]


class BagSimilarity(PairMeasure):
    r"""Measure how alike two sets, baskets or texts are by what they have in common.

    Parameters
    ----------
    coefficient : str, default="jaccard"
        "jaccard", "dice", "overlap", "smc" (simple matching) ask whether an item is there; "cosine"
        and "tanimoto" how often.
    first, second : int, default=1, 2
        The numbers of both bags, from 1.
    n_neighbors : int, default=5
        How many of the bags nearest to the first one are looked for.

    Attributes
    ----------
    distance_ : float
        1 less the coefficient of both bags.
    terms_ : ndarray of shape (4,)
        How many items are in both, only in the first, only in the second, in neither.
    nearest_ : ndarray of shape (n_neighbors,)
        The bags nearest to the first one.
    to_rows_ : ndarray of shape (n_samples,)
        1 less the coefficient of the first bag and each.
    violations_ : float
        The share of triples of bags in which the way over the third is shorter than the direct one.
    counterexample_ : ndarray of int
        Such a triple, the third bag in the middle; empty if there is none.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Raises
    ------
    ValueError
        If a count is negative or missing, or there are fewer bags than ``first`` or ``second``.

    Notes
    -----
    With :math:`f_{11}` items in both, :math:`f_{10}` and :math:`f_{01}` in one, :math:`f_{00}` in
    none: simple matching
    :math:`(f_{11} + f_{00}) / p`, Jaccard :math:`f_{11} / (f_{11} + f_{10} + f_{01})`, Dice
    :math:`2 f_{11} / (2 f_{11} + f_{10} + f_{01})`, overlap :math:`f_{11} / \min(f_{11} + f_{10}, f_{11} + f_{01})`.
    Two empty bags are alike by every coefficient; by the overlap an empty bag is like any other.
    O(p) for two bags, O(n p) for the nearest ones.

    References
    ----------
    P. Jaccard (1901), Étude comparative de la distribution florale. Bulletin de la Société Vaudoise
    des Sciences Naturelles 37, 547-579. P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction
    to Data Mining, section 2.4.

    Examples
    --------
    >>> bags = [[1, 1, 1, 0, 0], [1, 1, 0, 1, 0]]  # bread, milk, eggs; bread, milk, beer
    >>> [round(1 - BagSimilarity(name).fit(bags).distance_, 3) for name in ("jaccard", "dice", "overlap", "smc")]
    [0.5, 0.667, 0.667, 0.6]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "coefficient": Choice(tuple(COEFFICIENTS)),
        "first": Integer(1, 100_000, shown=(1, 10)),
        "second": Integer(1, 100_000, shown=(1, 10)),
        "n_neighbors": Integer(1, 50, shown=(1, 15)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(row_range)
    SPOKEN: ClassVar[Spoken] = {"coefficient": COEFFICIENTS}

    def __init__(
        self, coefficient: str = "jaccard", *, first: int = 1, second: int = 2, n_neighbors: int = 5
    ) -> None:
        self.coefficient = coefficient
        self.first = first
        self.second = second
        self.n_neighbors = n_neighbors

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def space(self, X: ArrayLike) -> BagSpace:
        """Return the bags of ``X`` and the coefficient between them."""
        counts = np.asarray(check_array(X, dtype=np.float64, estimator=self))
        if (counts < 0).any():
            raise ValueError(
                "Negative values in data passed to BagSimilarity: a bag holds an item 0, 1 or more"
                " times. Choose other columns."
            )
        return BagSpace(counts, self.coefficient)

    def points(self, X: Floats) -> tuple[Floats, Floats]:
        """Return both bags."""
        a, b = chosen_rows(len(X), self.first, self.second)
        return X[a], X[b]
