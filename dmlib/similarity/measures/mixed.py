"""Distances of rows with nominal, ordinal and numeric columns: Gower's, HEOM, and weighted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import check_array

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Flag, Integer, Param, Range, Ranges, Spoken
from dmlib.problem.columns import numbers
from dmlib.similarity.measures.algorithm import PairMeasure, Space
from dmlib.similarity.measures.ranges import row_range

NOMINAL, ORDINAL, INTERVAL, ASYMMETRIC = "nominal", "ordinal", "interval", "asymmetric"
ABSENT = frozenset(("0", "0.0", "no", "n", "false", "absent", "never", "none"))
"""Words for the absence of something."""

DISTANCES = {"gower": "Gower", "heom": "HEOM", "weighted": "weighted distances"}
NAME_DISTANCES = {"smc": "1 − simple matching", "jaccard": "1 − Jaccard"}
NUMBER_DISTANCES = {
    "manhattan": "Manhattan / m",
    "euclidean": "Euclidean / √m",
    "chebyshev": "Chebyshev",
}


class MixedSpace(Space):
    """Rows of several scales and Gower's distance.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Numbers, codes of names, ranks of levels; NaN where a value is missing.
    scales : sequence of {"nominal", "ordinal", "interval", "asymmetric"}
        The scale of each column; in an asymmetric one two zeros are not counted.
    """

    distance = "gower"

    def __init__(self, X: Floats, scales: Sequence[str]) -> None:
        self.X, self.scales, self.metric, self.p = X, tuple(scales), self.distance, 1.0
        self.names = np.array([scale in (NOMINAL, ASYMMETRIC) for scale in scales], bool)
        self.asymmetric = np.array([scale == ASYMMETRIC for scale in scales], bool)
        low = np.where(np.isnan(X), np.inf, X).min(axis=0)
        high = np.where(np.isnan(X), -np.inf, X).max(axis=0)
        spread = high - low
        self.ranges = np.where(spread > 0, spread, 1.0)

    def terms(self, a: Floats, b: Floats) -> Floats:
        """Return the distance in each column, from 0 to 1; NaN where it is not counted."""
        gaps = np.where(self.names, (a != b).astype(float), np.abs(a - b) / self.ranges)
        is_missing = np.isnan(a) | np.isnan(b)
        is_absent = self.asymmetric & (a == 0) & (b == 0)
        return np.asarray(np.where(is_missing | is_absent, np.nan, gaps))

    def between(self, a: Floats, b: Floats) -> Any:
        """Return the mean over the columns that are counted; 1 where there is none."""
        terms = self.terms(a, b)
        n_counted = (~np.isnan(terms)).sum(axis=-1)
        means = np.nansum(terms, axis=-1) / np.maximum(n_counted, 1)
        return np.where(n_counted > 0, means, 1.0)[()]


class HeomSpace(MixedSpace):
    """Rows of several scales and the heterogeneous Euclidean-overlap metric."""

    distance = "heom"

    def terms(self, a: Floats, b: Floats) -> Floats:
        """Return the distance in each column, 1 where a value is missing; NaN for absences."""
        is_missing = np.isnan(a) | np.isnan(b)
        return np.where(is_missing, 1.0, super().terms(a, b))

    def between(self, a: Floats, b: Floats) -> Any:
        """Return the root of the sum of the squared terms."""
        return np.sqrt(np.nansum(self.terms(a, b) ** 2, axis=-1))[()]


class WeightedSpace(MixedSpace):
    """Rows of several scales, and a distance of names and one of numbers, weighted by columns.

    Parameters
    ----------
    X, scales
        Those of :class:`MixedSpace`.
    of_names : {"smc", "jaccard"}
        The distance of the nominal and asymmetric columns.
    of_numbers : {"manhattan", "euclidean", "chebyshev"}
        The distance of the others, divided by the ranges.
    """

    distance = "weighted"

    def __init__(self, X: Floats, scales: Sequence[str], of_names: str, of_numbers: str) -> None:
        super().__init__(X, scales)
        self.of_names, self.of_numbers = of_names, of_numbers

    def parts(self, a: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return the distances of names and of numbers, and the numbers of their columns."""
        terms = self.terms(a, b)
        names, others = terms[..., self.names], terms[..., ~self.names]
        n = np.stack([(~np.isnan(part)).sum(axis=-1) for part in (names, others)], axis=-1)
        n_names, n_numbers = np.maximum(n, 1)[..., 0], np.maximum(n, 1)[..., 1]
        n_unequal = np.nansum(names, axis=-1)
        # Of two sets of m pairs (column, name) those that differ are in one of the sets each.
        pairs = n_names + n_unequal if self.of_names == "jaccard" else n_names
        unequal = 2 * n_unequal if self.of_names == "jaccard" else n_unequal
        gaps = np.nan_to_num(others)
        distance = {
            "manhattan": lambda: gaps.sum(axis=-1) / n_numbers,
            "euclidean": lambda: np.sqrt((gaps**2).sum(axis=-1) / n_numbers),
            "chebyshev": lambda: gaps.max(axis=-1, initial=0.0),
        }[self.of_numbers]()
        return np.stack([unequal / pairs, distance], axis=-1), n

    def between(self, a: Floats, b: Floats) -> Any:
        """Return the mean of both distances, weighted by the columns counted; 1 without any."""
        distances, n = self.parts(a, b)
        total = n.sum(axis=-1)
        means = (distances * n).sum(axis=-1) / np.maximum(total, 1)
        return np.where(total > 0, means, 1.0)[()]


def mixed_range(model: PairMeasure, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the ranges of the numbers of rows, and whether a column can be asymmetric.

    Examples
    --------
    >>> mixed_range(MixedDistances(), pd.DataFrame({"sex": ["f", "m", "f"]}))["skip_absent"]
    'No binary column has a value for absence (no, false, 0).'
    """
    ranges = row_range(model, X)
    scales = MixedDistances(skip_absent=True).space(X).scales
    if ASYMMETRIC not in scales:
        ranges["skip_absent"] = "No binary column has a value for absence (no, false, 0)."
    return ranges


class MixedDistances(PairMeasure):
    r"""Compute a distance of two rows of nominal, ordinal and numeric columns.

    Parameters
    ----------
    first, second : int, default=1, 2
        The numbers of both rows, from 1.
    distance : {"gower", "heom", "weighted"}, default="gower"
        "gower": the mean over the columns. "heom": the root of the sum of squares. "weighted": a
        distance of the names and one of the numbers, weighted by the numbers of their columns.
    of_names : {"smc", "jaccard"}, default="smc"
        Of "weighted": simple matching, or Jaccard of the sets of (column, name).
    of_numbers : {"manhattan", "euclidean", "chebyshev"}, default="euclidean"
        Of "weighted": of the differences divided by the ranges; the first two are divided by the
        number m of numeric columns, or its root, so that each is from 0 to 1.
    skip_absent : bool, default=False
        Whether binary columns are asymmetric: joint absences (no, false, 0) are not counted.
    n_neighbors : int, default=5
        Number of rows nearest to the first one.

    Attributes
    ----------
    distance_ : float
        The distance of both rows, from 0 to 1; of HEOM up to the root of the number of columns.
    terms_ : ndarray of shape (n_features,)
        The distance in each column; NaN where it is not counted.
    nearest_ : ndarray of shape (n_neighbors,)
        The rows nearest to the first one.
    to_rows_ : ndarray of shape (n_samples,)
        The distances of the first row to all rows.
    violations_ : float
        The share of triples of rows that violate the triangle inequality.
    counterexample_ : ndarray of int
        Such a triple, the third row in the middle; empty if there is none.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows than ``first`` or ``second``, or a number is too large to be
        squared.

    Notes
    -----
    In each column names are 0 apart if they are equal and else 1; levels, by their ranks, and
    numbers by the difference divided by the range of the column. A column that misses a value is
    not counted; rows without any other are 1 apart. For HEOM it is 1 apart, so that a row that
    misses values is not 0 from itself. "weighted" by "smc" and "manhattan" is Gower's distance.
    O(p) for two rows, O(n p) for the nearest ones.

    References
    ----------
    J. C. Gower (1971), A general coefficient of similarity and some of its properties. Biometrics
    27, 857-871. D. R. Wilson and T. R. Martinez (1997), Improved heterogeneous distance functions.
    J. Artificial Intelligence Research 6, 1-34, equations 4 to 7.

    Examples
    --------
    >>> X = pd.DataFrame({"colour": ["red", "red", "blue"], "size": [0.0, 5.0, 10.0]})
    >>> model = MixedDistances().fit(X)
    >>> model.distance_, model.terms_.tolist(), model.to_rows_.tolist()
    (0.25, [0.0, 0.5], [0.0, 0.25, 1.0])
    >>> MixedDistances(1, 3, distance="heom").fit(X).distance_.__round__(4)
    1.4142
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "first": Integer(1, 100_000, shown=(1, 10)),
        "second": Integer(1, 100_000, shown=(1, 10)),
        "distance": Choice(tuple(DISTANCES)),
        "of_names": Choice(tuple(NAME_DISTANCES)),
        "of_numbers": Choice(tuple(NUMBER_DISTANCES)),
        "skip_absent": Flag(),
        "n_neighbors": Integer(1, 50, shown=(1, 15)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(mixed_range)
    APPLIES: ClassVar[Conditions] = dict.fromkeys(
        ("of_names", "of_numbers"), ("distance", ("weighted",))
    )
    SPOKEN: ClassVar[Spoken] = {
        "distance": DISTANCES,
        "of_names": NAME_DISTANCES,
        "of_numbers": NUMBER_DISTANCES,
    }

    def __init__(
        self,
        first: int = 1,
        second: int = 2,
        *,
        distance: str = "gower",
        of_names: str = "smc",
        of_numbers: str = "euclidean",
        skip_absent: bool = False,
        n_neighbors: int = 5,
    ) -> None:
        self.first = first
        self.second = second
        self.distance = distance
        self.of_names = of_names
        self.of_numbers = of_numbers
        self.skip_absent = skip_absent
        self.n_neighbors = n_neighbors

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def space(self, X: Any) -> MixedSpace:
        """Return the rows of ``X``, names and levels as codes, with the distance."""
        if not isinstance(X, pd.DataFrame):
            cells = check_array(X, dtype=None, ensure_all_finite="allow-nan", estimator=self)
            X = pd.DataFrame(cells).infer_objects()
        elif not X.shape[1] or not len(X):
            raise ValueError("There are no rows or no columns to compare. Choose other data.")
        codes, categories = numbers(X, list(X))
        scales = [NOMINAL if j in categories else INTERVAL for j in range(X.shape[1])]
        for j, (_, column) in enumerate(X.items()):
            if self.skip_absent and asymmetric(codes[:, j], categories.get(j)):
                scales[j] = ASYMMETRIC
            elif isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
                scales[j] = ORDINAL
        if self.distance == "weighted":
            return WeightedSpace(codes, scales, self.of_names, self.of_numbers)
        return (HeomSpace if self.distance == "heom" else MixedSpace)(codes, scales)

    def points(self, X: Floats) -> tuple[Floats, Floats]:
        """Return both rows."""
        a, b = chosen_rows(len(X), self.first, self.second)
        return X[a], X[b]


def asymmetric(codes: Floats, names: Sequence[str] | None) -> bool:
    """Return whether the first value of a binary column means absence.

    Examples
    --------
    >>> codes = np.array([0.0, 1.0])
    >>> asymmetric(codes, ("no", "yes")), asymmetric(codes, ("female", "male"))
    (True, False)
    """
    if names is None:
        return set(codes[~np.isnan(codes)]) == {0.0, 1.0}
    return len(names) == 2 and names[0].lower() in ABSENT


def chosen_rows(n: int, first: int, second: int) -> NDArray[np.intp]:
    """Return the places of two rows by their numbers from 1.

    Raises
    ------
    ValueError
        If there are fewer rows.

    Examples
    --------
    >>> chosen_rows(5, 1, 3).tolist()
    [0, 2]
    """
    if n < 2:
        raise ValueError(
            "Two rows are compared, and there is 1 sample. Choose data with more rows."
        )
    for name, row in (("first", first), ("second", second)):
        if row > n:
            raise ValueError(
                f"{name} must be at most {n}, the number of rows, got {row}."
                " Choose a smaller number."
            )
    return np.array([first - 1, second - 1], np.intp)
