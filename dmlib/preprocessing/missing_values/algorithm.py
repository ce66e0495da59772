"""Filling the holes of a table, one cell after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, new_rows
from dmlib.params import Choice, Conditions, Flag, Integer, Param, check_params
from dmlib.preprocessing.missing_values.equations import Equation, equation
from dmlib.preprocessing.missing_values.patterns import nearest, searchable
from dmlib.trace import look

STRATEGIES = ("mean", "median", "mode", "sample", "knn", "regression", "category", "drop")
PHASES = {
    "mean": "statistic",
    "median": "statistic",
    "mode": "statistic",
    "sample": "draw",
    "knn": "neighbours",
    "regression": "regress",
    "category": "own",
    "drop": "leave",
}
"""What is done with a hole, by strategy."""
BLOCK = 4_000_000  # distances that are held at a time
MOST_PAIRS = 15_000_000  # distances beyond which trees are grown instead, where they are of use
OWN = "missing"  # the category of its own


@dataclass(frozen=True, eq=False)
class ImputerStep:
    """One hole is filled, or one row left out.

    Attributes
    ----------
    phase : {"holes", "statistic", "draw", "neighbours", "regress", "own", "leave", "done"}
        What is done.
    row, column : int
        The cell; -1 where the step is about none.
    value : float
        What is put there, a code in a nominal column; NaN for nothing.
    n_done : int
        How many holes are filled, or rows left out, so far.
    n_holes : int
        How many holes there are.
    neighbors, distances : ndarray of shape (n_neighbors,)
        The rows that the value comes from, the nearest first, and how far they are; empty where
        there are none.
    """

    phase: str
    row: int
    column: int
    value: float
    n_done: int
    n_holes: int
    neighbors: NDArray[np.intp]
    distances: Floats


class Imputer(TransformerMixin, BaseEstimator):
    r"""Fill the missing values of a table of numbers and names.

    Parameters
    ----------
    strategy : {"mean", "median", "mode", "sample", "knn", "regression", "category", "drop"}, default="knn"
        What is put into a hole: a number that describes its column; a random draw from the column;
        the mean of the nearest rows; what a linear regression on the other columns predicts; a
        category of its own, of numbers the mean and a further column that marks the hole. Or the
        rows with holes are left out. In nominal columns mean and median become the mode, and the
        mean of neighbours their most frequent value.
    n_neighbors : int, default=5
        From how many rows a value comes.
    weights : {"uniform", "distance"}, default="uniform"
        Whether near rows count more: by one over their distance.
    noise : bool, default=False
        Whether a random residual is added to what the regression predicts.
    random_state : int, RandomState or None, default=0
        The seed of what is drawn.

    Attributes
    ----------
    statistics_ : ndarray of shape (n_features,)
        What mean, median or mode put into each column; for other strategies the mean, or the code
        of the mode.
    n_missing_ : ndarray of shape (n_features,)
        How many values of each column were missing.
    n_holes_ : int
        How many in all.
    n_complete_ : int
        How many rows had none.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If a column holds no value at all, or each row would be left out.

    Notes
    -----
    The distance of two rows counts the columns that both have:
    :math:`\sqrt{d / |C| \cdot \sum_{j \in C} (x_j - y_j)^2}`, and 1 for two names that differ. All distances are those
    of the table as it came. O(n m d) for m rows with holes; of large tables with few columns trees
    are searched. Regressions cost O(n d^3). Among equal distances the earlier row is taken, by
    trees any; among equally frequent names the first. A row that shares no known column with any
    neighbour gets the mean of the column, or its most frequent name.

    References
    ----------
    D. B. Rubin (1976), Inference and missing data. Biometrika 63, 581-592.
    O. Troyanskaya et al. (2001), Missing value estimation methods for DNA microarrays.
    Bioinformatics 17, 520-525. R. J. A. Little and D. B. Rubin (2019), Statistical analysis with
    missing data, chapters 3 and 4.

    Examples
    --------
    >>> nan = float("nan")
    >>> Imputer("mean").fit_transform([[1.0, 2.0], [3.0, nan], [5.0, 6.0]]).tolist()
    [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    >>> Imputer("knn", n_neighbors=1).fit_transform([[1.0, 2.0], [1.5, nan], [5.0, 6.0]]).tolist()
    [[1.0, 2.0], [1.5, 2.0], [5.0, 6.0]]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "strategy": Choice(STRATEGIES),
        "n_neighbors": Integer(1, 100_000, shown=(1, 30)),
        "weights": Choice(("uniform", "distance")),
        "noise": Flag(),
    }
    APPLIES: ClassVar[Conditions] = {
        "n_neighbors": ("strategy", ("knn",)),
        "weights": ("strategy", ("knn",)),
        "noise": ("strategy", ("regression",)),
    }

    def __init__(
        self,
        strategy: str = "knn",
        *,
        n_neighbors: int = 5,
        weights: str = "uniform",
        noise: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.strategy = strategy
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.noise = noise
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from a table what will fill holes; ``y`` is ignored."""
        check_params(self.PARAMS, self.get_params(deep=False))
        self._columns, self._known = Columns.read(X)
        validate_data(self, X, skip_check_array=True)
        holes = np.isnan(self._known)
        for name, empty in zip(self._columns.names, np.asarray(holes.all(axis=0)), strict=True):
            if empty:
                raise ValueError(
                    f"The column {name!r} has no value, so it cannot be imputed. Leave it out."
                )
        self.n_missing_ = holes.sum(axis=0)
        self.n_holes_, self.n_complete_ = int(holes.sum()), int((~holes.any(axis=1)).sum())
        if self.strategy == "drop" and not self.n_complete_:
            raise ValueError(
                "Each row has a missing value, so none would be left. Impute the missing values"
                " instead."
            )
        self._typical = self._columns.typical(self._known)
        self.statistics_ = self._typical.copy()
        if self.strategy in ("median", "mode"):
            for j in np.flatnonzero(~self._columns.nominal):
                values = self._known[~holes[:, j], j]
                self.statistics_[j] = (
                    np.median(values) if self.strategy == "median" else _mode(values)
                )
        self._equations: dict[int, Equation] = {}
        return self

    def transform(self, X: Any) -> Any:
        """Return the table without holes: an array of numbers, or a data frame where there are names.

        With "drop" it has fewer rows; with "category" a column more for each column of numbers that
        had holes.
        """
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        holes = np.isnan(matrix)
        if self.strategy == "drop":
            kept = ~holes.any(axis=1)
            if not kept.any():
                raise ValueError(
                    "Each row has a missing value, so none would be left. Impute the missing values"
                    " instead."
                )
            return (
                X.loc[kept]
                if isinstance(X, pd.DataFrame) and self._columns.nominal.any()
                else matrix[kept]
            )
        filled = matrix.copy()
        rng = check_random_state(self.random_state)
        for j in np.flatnonzero(holes.any(axis=0)):
            filled[holes[:, j], j] = self._values(matrix, int(j), rng)
        return self._table(X, filled, holes)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns that ``transform`` gives."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.concatenate([names, [f"{names[j]}_missing" for j in self._marked()]]).astype(
            object
        )

    def steps(self, X: Any, y: Any = None) -> Iterator[ImputerStep]:
        """Yield every hole that is filled, row by row; ``y`` is ignored."""
        fitted = clone(self).fit(X)
        matrix = fitted._known
        holes, phase, none = np.isnan(matrix), PHASES[self.strategy], np.empty(0, np.intp)
        yield ImputerStep("holes", -1, -1, np.nan, 0, fitted.n_holes_, none, np.empty(0))
        rows = np.flatnonzero(holes.any(axis=1))
        if self.strategy == "drop":
            for i, row in enumerate(rows):
                yield ImputerStep(
                    "leave", int(row), -1, np.nan, i + 1, fitted.n_holes_, none, np.empty(0)
                )
            yield ImputerStep("done", -1, -1, np.nan, len(rows), fitted.n_holes_, none, np.empty(0))
            return
        filled, rng = matrix.copy(), check_random_state(self.random_state)
        nearest: dict[int, Iterator[tuple[NDArray[np.intp], Floats]]] = {}
        for j in map(int, np.flatnonzero(holes.any(axis=0))):
            if self.strategy == "knn":
                near, far = fitted.neighbors(matrix[holes[:, j]], j)
                filled[holes[:, j], j] = fitted._agreed(fitted._known[near, j], far, j)
                nearest[j] = zip(near, far, strict=True)
            else:
                filled[holes[:, j], j] = fitted._values(matrix, j, rng)
        for i, (row, j) in enumerate(np.argwhere(holes)):
            near, far = next(nearest[int(j)]) if nearest else (none, np.empty(0))
            yield ImputerStep(
                phase, int(row), int(j), float(filled[row, j]), i + 1, fitted.n_holes_, near, far
            )
            look()
        yield ImputerStep(
            "done", -1, -1, np.nan, fitted.n_holes_, fitted.n_holes_, none, np.empty(0)
        )

    def equation(self, column: int) -> Equation:
        """Return the regression of a column on the others, over the rows that have them all."""
        check_is_fitted(self)
        if column not in self._equations:
            self._equations[column] = equation(self._known, self._columns, column, self._typical)
        return self._equations[column]

    def neighbors(self, matrix: Floats, column: int) -> tuple[NDArray[np.intp], Floats]:
        """Return for rows of codes and numbers the nearest rows that have a column, and their distances.

        Both have the shape (n_rows, n_neighbors); rows that have no column in common are infinitely
        far.
        """
        check_is_fitted(self)
        donors = np.flatnonzero(~np.isnan(self._known[:, column]))
        k = min(self.n_neighbors, len(donors))
        nominal = self._columns.nominal
        if len(matrix) * len(donors) > MOST_PAIRS and searchable(
            matrix, self._known[donors], nominal
        ):
            found, lengths = nearest(matrix, self._known[donors], nominal, k)
            return donors[found], lengths
        size = max(1, BLOCK // max(len(donors), 1))
        near, far = [], []
        for start in range(0, len(matrix), size):
            look()
            distance = _distances(
                matrix[start : start + size], self._known[donors], self._columns.nominal
            )
            if k < len(donors) // 4:
                # Ties at the k-th place go to the earlier row, as a stable sort has it: all that
                # are as near compete.
                bound = np.partition(distance, k - 1, axis=1)[:, [k - 1]]
                order = np.array(
                    [
                        _first(row, limit, k)
                        for row, limit in zip(distance, bound[:, 0], strict=True)
                    ]
                )
            else:
                order = np.argsort(distance, axis=1, kind="stable")[:, :k]
            near.append(donors[order])
            far.append(np.take_along_axis(distance, order, axis=1))
        return np.concatenate(near), np.concatenate(far)

    def searchable(self) -> bool:
        """Return whether the nearest rows of many rows are found by trees: of few columns and patterns of holes."""
        check_is_fitted(self)
        holes = np.isnan(self._known).any(axis=1)
        return searchable(self._known[holes], self._known, self._columns.nominal)

    def _values(self, matrix: Floats, j: int, rng: Any) -> Floats:
        """Return what fills the holes of a column, in the order of the rows."""
        holes = np.flatnonzero(np.isnan(matrix[:, j]))
        values = np.full(len(holes), self.statistics_[j])
        nominal = self._columns.categories[j]
        if self.strategy == "category" and nominal is not None:
            values[:] = len(nominal)
        elif self.strategy == "sample":
            known = self._known[~np.isnan(self._known[:, j]), j]
            values = known[rng.randint(len(known), size=len(holes))]
        elif self.strategy == "knn":
            near, far = self.neighbors(matrix[holes], j)
            values = self._agreed(self._known[near, j], far, j)
        elif self.strategy == "regression":
            values = self.equation(j).predict(matrix[holes], rng if self.noise else None)
        return values

    def _agreed(self, values: Floats, far: Floats, j: int) -> Floats:
        """Return the mean of the neighbours' values, or the name with most weight."""
        weights = np.isfinite(far).astype(float)
        if self.weights == "distance":
            with np.errstate(divide="ignore"):
                zero = (far == 0).any(axis=1, keepdims=True)
                weights = np.where(zero, far == 0, 1 / far)
        total = weights.sum(axis=1)
        names = self._columns.categories[j]
        with np.errstate(invalid="ignore", divide="ignore"):
            if names is None:
                found = (values * weights).sum(axis=1) / total
            else:
                votes = np.array(
                    [(weights * (values == code)).sum(axis=1) for code in range(len(names))]
                )
                found = votes.argmax(axis=0).astype(float)
        return np.asarray(np.where(total > 0, found, self._typical[j]))

    def _marked(self) -> NDArray[np.intp]:
        """Return the columns of numbers whose holes get a column of their own."""
        marked = (self.n_missing_ > 0) & ~self._columns.nominal & (self.strategy == "category")
        return np.flatnonzero(marked)

    def _table(self, X: Any, filled: Floats, holes: NDArray[np.bool_]) -> Any:
        marks = holes[:, self._marked()].astype(float)
        if not self._columns.nominal.any():
            return np.column_stack([filled, marks]) if marks.shape[1] else filled
        columns: dict[Any, Any] = {}
        names = self.get_feature_names_out()
        before = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X, object))
        for j, values in enumerate(self._columns.categories):
            if values is None:
                columns[names[j]] = filled[:, j]
                continue
            column = before.iloc[:, j].astype(object).to_numpy(copy=True)
            told = np.append(np.asarray(values, object), OWN)
            column[holes[:, j]] = told[filled[holes[:, j], j].astype(int)]
            columns[names[j]] = column
        columns |= dict(zip(names[len(self._columns.names) :], marks.T, strict=True))
        return pd.DataFrame(columns, index=before.index)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def _mode(values: Floats) -> float:
    distinct, counts = np.unique(values, return_counts=True)
    return float(distinct[counts.argmax()])


def _first(distance: Floats, bound: float, k: int) -> NDArray[np.intp]:
    near = np.flatnonzero(distance <= bound)
    return near[np.argsort(distance[near], kind="stable")[:k]]


def _distances(rows: Floats, others: Floats, nominal: NDArray[np.bool_]) -> Floats:
    """Return distances over the columns that both have, as if they had them all; infinite where they share none."""
    total, shared = np.zeros((len(rows), len(others))), np.zeros((len(rows), len(others)))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for x, y, names in zip(rows.T, others.T, nominal, strict=True):
            both = ~np.isnan(x)[:, None] & ~np.isnan(y)
            difference = (x[:, None] != y).astype(float) if names else x[:, None] - y
            total += np.where(both, difference**2, 0.0)
            shared += both
        return np.where(shared > 0, np.sqrt(total * len(nominal) / shared), np.inf)
