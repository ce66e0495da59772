"""Similarity coefficients of sets, baskets and bags of words."""

from __future__ import annotations

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
from dmlib.similarity.measures.registry import COEFFICIENTS

COUNTED = ("cosine", "tanimoto")
"""Coefficients of counts; the others use only whether an item is present."""
MAX_ALL_PAIRS = 200  # bags up to which the distances of all pairs are computed at once
CORNERS = ("in both", "only in A", "only in B", "in neither")


class BagSpace(Space):
    """Bags and a coefficient between them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_items)
        The count of each item in each bag.
    metric : str
        One of :data:`COEFFICIENTS`.
    """

    def __init__(self, X: Floats, metric: str) -> None:
        self.X, self.metric, self.p = X, metric, 1.0

    def transformed(self, row: Floats) -> Floats:
        """Return the counts of a bag or, by the coefficient, whether they are above 0."""
        return row if self.metric in COUNTED else (row > 0).astype(float)

    def terms(self, a: Floats, b: Floats) -> Floats:
        """Return the numbers of items in both bags, only in the first or second, in neither."""
        in_a, in_b = a > 0, b > 0
        corners = (in_a & in_b, in_a & ~in_b, ~in_a & in_b, ~in_a & ~in_b)
        return np.array([float(corner.sum()) for corner in corners])

    def between(self, a: Floats, b: Floats) -> Any:
        """Return 1 minus the coefficient of two bags, or of each pair of bags."""
        first, second = self.transformed(a), self.transformed(b)
        shared = (first * second).sum(axis=-1)
        sizes = (first**2).sum(axis=-1), (second**2).sum(axis=-1)
        return 1 - coefficient(self.metric, shared, *sizes, a.shape[-1])

    def cross(self, first: Rows, second: Rows) -> Floats:
        """Return the distances of all first bags to all second ones, by one matrix product."""
        a, b = self.transformed(self.X[first]), self.transformed(self.X[second])
        sizes = (a**2).sum(axis=1)[:, None], (b**2).sum(axis=1)
        return np.asarray(1 - coefficient(self.metric, a @ b.T, *sizes, a.shape[1]))

    def pairs(self, first: Rows, second: Rows) -> Floats:
        """Return the distances of pairs of bags, given by their places."""
        if len(self.X) > MAX_ALL_PAIRS:
            return super().pairs(first, second)
        return np.asarray(self._all[first, second])

    @cached_property
    def _all(self) -> Floats:
        return self.distances(np.arange(len(self.X)))


def coefficient(name: str, shared: Any, first: Any, second: Any, n_items: int) -> Any:
    """Return a coefficient of two bags from their inner products; 1 of two empty bags.

    Parameters
    ----------
    name : str
        One of :data:`COEFFICIENTS`.
    shared, first, second : array of float
        The product of both, and of each with itself; of sets the numbers of items in both, in the
        first and in the second.
    n_items : int
        The number of all items.

    Examples
    --------
    >>> [round(float(coefficient(name, 2.0, 3.0, 4.0, 10)), 3) for name in COEFFICIENTS]
    [0.4, 0.571, 0.667, 0.7, 0.577, 0.4]
    """
    part, total = shared, first + second - shared
    if name == "smc":
        part, total = n_items - total + shared, n_items + 0.0 * shared
    elif name == "dice":
        part, total = 2 * shared, first + second
    elif name == "overlap":
        total = np.minimum(first, second)
    elif name == "cosine":
        total = np.sqrt(first * second)
    undefined = np.where(first + second > 0, 0.0, 1.0) if name == "cosine" else 1.0
    return np.where(total > 0, part / np.where(total > 0, total, 1.0), undefined)[()]


class BagSimilarity(PairMeasure):
    r"""Compute the similarity of two sets, baskets or texts by their common items.

    Parameters
    ----------
    coefficient : str, default="jaccard"
        "jaccard", "dice", "overlap", "smc" (simple matching) use whether an item is present;
        "cosine" and "tanimoto" its count.
    first, second : int, default=1, 2
        The numbers of both bags, from 1.
    n_neighbors : int, default=5
        Number of bags nearest to the first one.

    Attributes
    ----------
    distance_ : float
        1 minus the coefficient of both bags.
    terms_ : ndarray of shape (4,)
        The numbers of items in both, only in the first, only in the second, in neither.
    nearest_ : ndarray of shape (n_neighbors,)
        The bags nearest to the first one.
    to_rows_ : ndarray of shape (n_samples,)
        1 minus the coefficient of the first bag and each.
    violations_ : float
        The share of triples of bags that violate the triangle inequality.
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
    :math:`2 f_{11} / (2 f_{11} + f_{10} + f_{01})`, overlap
    :math:`f_{11} / \min(f_{11} + f_{10}, f_{11} + f_{01})`.
    Every coefficient of two empty bags is 1, and the overlap of an empty bag with any bag.
    O(p) for two bags, O(n p) for the nearest ones.

    References
    ----------
    P. Jaccard (1901), Étude comparative de la distribution florale. Bulletin de la Société Vaudoise
    des Sciences Naturelles 37, 547-579. P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction
    to Data Mining, section 2.4.

    Examples
    --------
    >>> bags = [[1, 1, 1, 0, 0], [1, 1, 0, 1, 0]]  # bread, milk, eggs; bread, milk, beer
    >>> names = ("jaccard", "dice", "overlap", "smc")
    >>> [round(1 - BagSimilarity(name).fit(bags).distance_, 3) for name in names]
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
                "Negative values in data passed to BagSimilarity:"
                " a bag holds an item 0, 1 or more times. Choose other columns."
            )
        return BagSpace(counts, self.coefficient)

    def points(self, X: Floats) -> tuple[Floats, Floats]:
        """Return both bags."""
        a, b = chosen_rows(len(X), self.first, self.second)
        return X[a], X[b]
