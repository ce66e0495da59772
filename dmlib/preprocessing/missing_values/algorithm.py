"""Imputation of the missing values of a table, one cell after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, new_rows
from dmlib.params import Choice, Conditions, Flag, Integer, Param, Spoken, check_params
from dmlib.preprocessing.missing_values.distributions import KnownValues
from dmlib.preprocessing.missing_values.equations import Equation, equation
from dmlib.preprocessing.missing_values.patterns import nearest, searchable
from dmlib.trace import look

FITTED = ("normal", "density")  # distributions from which a value is drawn
STRATEGIES = ("mean", "median", "mode", "sample", *FITTED, "knn", "regression", "category", "drop")
Phase = Literal["holes", "statistic", "draw", "neighbours", "regress", "own", "leave", "done"]
PHASES: dict[str, Phase] = {
    "mean": "statistic",
    "median": "statistic",
    "mode": "statistic",
    "sample": "draw",
    "normal": "draw",
    "density": "draw",
    "knn": "neighbours",
    "regression": "regress",
    "category": "own",
    "drop": "leave",
}
"""The phase in which a hole is filled, by strategy."""
BLOCK = 4_000_000  # distances in memory at a time
MAX_PAIRS = 15_000_000  # distances beyond which trees are grown instead, where they are of use
OWN = "missing"  # the category of its own
NO_COMPLETE_ROW = (
    "Each row has a missing value, so none would be left. Impute the missing values instead."
)


@dataclass(frozen=True, eq=False)
class ImputerStep:
    """One hole is filled, or one row left out.

    Attributes
    ----------
    phase : str
        One of ``Phase``; see ``PHASES``.
    row, column : int
        The cell; -1 where the step is about none.
    value : float
        The value that is imputed, a code in a nominal column; NaN for none.
    n_done : int
        How many holes are filled, or rows left out, so far.
    n_holes : int
        How many holes there are.
    neighbors, distances : ndarray of shape (n_neighbors,)
        The nearest rows, from which the value comes, and their distances; empty for other phases.
        Of a kernel density, the row from whose value the draw starts.
    """

    phase: Phase
    row: int = -1
    column: int = -1
    value: float = float("nan")
    n_done: int = 0
    n_holes: int = 0
    neighbors: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    distances: Floats = field(default_factory=lambda: np.empty(0))


class Imputer(TransformerMixin, BaseEstimator):
    r"""Fill the missing values of a table of numbers and names.

    Parameters
    ----------
    strategy : str, default="knn"
        The imputed value. "mean", "median", "mode": that of the column; in nominal columns always
        the mode. "sample": a random draw from the column; "normal": from a normal distribution of
        its mean and standard deviation; "density": from its kernel density with normal kernels of
        Silverman's bandwidth; names always from the column. "knn": the mean of the nearest rows, of
        names the most frequent. "regression": the prediction of a linear regression on the other
        columns. "category": a category of its own, of numbers the mean and an indicator column that
        marks the hole. "drop": rows with holes are left out.
    n_neighbors : int, default=5
        The number of neighbours from which a value comes.
    weights : {"uniform", "distance"}, default="uniform"
        Whether nearer rows count more: by one over their distance.
    noise : bool, default=False
        Whether a random residual is added to the prediction of the regression.
    random_state : int, RandomState or None, default=0
        The seed of draws.

    Attributes
    ----------
    statistics_ : ndarray of shape (n_features,)
        Mean, median or mode of each column; for other strategies the mean, or the code of the mode.
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
    :math:`\sqrt{d / |C| \cdot \sum_{j \in C} (x_j - y_j)^2}`, and 1 for two names that differ. All
    distances are those of the table as it came. O(n m d) for m rows with holes; of large tables
    with few columns trees are searched. Regressions cost O(n d^3). Among equal distances the
    earlier row is taken, by trees any; among equally frequent names the first. A row that shares no
    known column with any neighbour gets the mean of the column, or its most frequent name.

    References
    ----------
    D. B. Rubin (1976), Inference and missing data. Biometrika 63, 581-592.
    O. Troyanskaya et al. (2001), Missing value estimation methods for DNA microarrays.
    Bioinformatics 17, 520-525. B. W. Silverman (1986), Density estimation for statistics and data
    analysis. R. J. A. Little and D. B. Rubin (2019), Statistical analysis with
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
    SPOKEN: ClassVar[Spoken] = {"strategy": {"normal": "normal draw", "density": "density draw"}}
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
        """Fit the imputer to a table; ``y`` is ignored."""
        check_params(self.PARAMS, self.get_params(deep=False))
        self._columns, self._matrix = Columns.read(X)
        validate_data(self, X, skip_check_array=True)
        holes = np.isnan(self._matrix)
        for name, empty in zip(self._columns.names, np.asarray(holes.all(axis=0)), strict=True):
            if empty:
                raise ValueError(
                    f"The column {name!r} has no value, so it cannot be imputed. Leave it out."
                )
        self.n_missing_ = holes.sum(axis=0)
        self.n_holes_ = int(holes.sum())
        self.n_complete_ = int((~holes.any(axis=1)).sum())
        if self.strategy == "drop" and not self.n_complete_:
            raise ValueError(NO_COMPLETE_ROW)
        self._typical = self._columns.typical(self._matrix)
        self.statistics_ = self._typical.copy()
        if self.strategy in ("median", "mode"):
            for j in np.flatnonzero(~self._columns.nominal):
                values = self._matrix[~holes[:, j], j]
                statistic = np.median if self.strategy == "median" else _mode
                self.statistics_[j] = statistic(values)
        self._equations: dict[int, Equation] = {}
        return self

    def transform(self, X: Any) -> Any:
        """Return the table without holes: an array of numbers, or a data frame if it has names.

        With "drop" it has fewer rows; with "category" a column more for each column of numbers that
        had holes.
        """
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        holes = np.isnan(matrix)
        if self.strategy == "drop":
            is_complete = ~holes.any(axis=1)
            if not is_complete.any():
                raise ValueError(NO_COMPLETE_ROW)
            has_names = isinstance(X, pd.DataFrame) and self._columns.nominal.any()
            return X.loc[is_complete] if has_names else matrix[is_complete]
        filled = matrix.copy()
        rng = check_random_state(self.random_state)
        for j in np.flatnonzero(holes.any(axis=0)):
            filled[holes[:, j], j] = self._values(matrix, int(j), rng)
        return self._table(X, filled, holes)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns of a transformed table."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        indicators = [f"{names[j]}_missing" for j in self._with_indicators()]
        return np.concatenate([names, indicators]).astype(object)

    def steps(self, X: Any, y: Any = None) -> Iterator[ImputerStep]:
        """Yield every hole as it is filled, row by row; ``y`` is ignored."""
        fitted = clone(self).fit(X)
        matrix = fitted._matrix
        holes, phase = np.isnan(matrix), PHASES[self.strategy]
        step = partial(ImputerStep, n_holes=fitted.n_holes_)
        yield step("holes")
        if self.strategy == "drop":
            dropped = np.flatnonzero(holes.any(axis=1)).tolist()
            for i, row in enumerate(dropped, start=1):
                yield step(phase, row, n_done=i)
            yield step("done", n_done=len(dropped))
            return
        filled, rng = matrix.copy(), check_random_state(self.random_state)
        nearest_rows: dict[int, Iterator[tuple[NDArray[np.intp], Floats]]] = {}
        for j in np.flatnonzero(holes.any(axis=0)).tolist():
            if self.strategy == "knn":
                rows, distances = fitted.neighbors(matrix[holes[:, j]], j)
                filled[holes[:, j], j] = fitted._average(fitted._matrix[rows, j], distances, j)
                nearest_rows[j] = zip(rows, distances, strict=True)
            elif self.strategy in FITTED and not fitted._columns.nominal[j]:
                known, n = fitted.known_values(j), int(holes[:, j].sum())
                filled[holes[:, j], j], rows = known.draw(self.strategy, n, rng)
                nearest_rows[j] = zip(rows, np.empty((n, 0)), strict=True)
            else:
                filled[holes[:, j], j] = fitted._values(matrix, j, rng)
        for i, (row, j) in enumerate(np.argwhere(holes).tolist(), start=1):
            details: dict[str, Any] = {"n_done": i}
            if j in nearest_rows:
                details["neighbors"], details["distances"] = next(nearest_rows[j])
            yield step(phase, row, j, float(filled[row, j]), **details)
            look()
        yield step("done", n_done=fitted.n_holes_)

    def equation(self, column: int) -> Equation:
        """Return the regression of a column on the others, over the rows that have them all."""
        check_is_fitted(self)
        if column not in self._equations:
            self._equations[column] = equation(self._matrix, self._columns, column, self._typical)
        return self._equations[column]

    def known_values(self, column: int) -> KnownValues:
        """Return the known values of a column of numbers, with their distributions."""
        check_is_fitted(self)
        return KnownValues.of(self._matrix[:, column])

    def neighbors(self, matrix: Floats, column: int) -> tuple[NDArray[np.intp], Floats]:
        """Return the nearest rows that have a column for rows of codes and numbers, with distances.

        Both have the shape (n_rows, n_neighbors); rows that have no column in common are infinitely
        far.
        """
        check_is_fitted(self)
        donors = np.flatnonzero(~np.isnan(self._matrix[:, column]))
        k = min(self.n_neighbors, len(donors))
        nominal = self._columns.nominal
        candidates = self._matrix[donors]
        n_pairs = len(matrix) * len(donors)
        if n_pairs > MAX_PAIRS and searchable(matrix, candidates, nominal):
            places, lengths = nearest(matrix, candidates, nominal, k)
            return donors[places], lengths
        size = max(1, BLOCK // max(len(donors), 1))
        parts = []
        for start in range(0, len(matrix), size):
            look()
            distance = _distances(matrix[start : start + size], candidates, nominal)
            order = np.array([_nearest_first(row, k) for row in distance])
            parts.append((donors[order], np.take_along_axis(distance, order, axis=1)))
        rows, distances = zip(*parts, strict=True)
        return np.concatenate(rows), np.concatenate(distances)

    def searchable(self) -> bool:
        """Return whether trees find the nearest rows of many rows."""
        check_is_fitted(self)
        holes = np.isnan(self._matrix).any(axis=1)
        return searchable(self._matrix[holes], self._matrix, self._columns.nominal)

    def _values(self, matrix: Floats, j: int, rng: Any) -> Floats:
        """Return the imputed values of a column, in the order of the rows."""
        holes = np.flatnonzero(np.isnan(matrix[:, j]))
        values = np.full(len(holes), self.statistics_[j])
        nominal = self._columns.categories[j]
        if self.strategy == "category" and nominal is not None:
            values[:] = len(nominal)
        elif self.strategy in FITTED and nominal is None:
            values, _ = self.known_values(j).draw(self.strategy, len(holes), rng)
        elif self.strategy in ("sample", *FITTED):
            column = self._matrix[~np.isnan(self._matrix[:, j]), j]
            values = column[rng.randint(len(column), size=len(holes))]
        elif self.strategy == "knn":
            rows, distances = self.neighbors(matrix[holes], j)
            values = self._average(self._matrix[rows, j], distances, j)
        elif self.strategy == "regression":
            values = self.equation(j).predict(matrix[holes], rng if self.noise else None)
        return values

    def _average(self, values: Floats, distances: Floats, j: int) -> Floats:
        """Return the mean of the neighbours' values, or the name with most weight."""
        weights = np.isfinite(distances).astype(float)
        if self.weights == "distance":
            with np.errstate(divide="ignore"):
                is_same = distances == 0
                has_same = is_same.any(axis=1, keepdims=True)
                weights = np.where(has_same, is_same, 1 / distances)
        total = weights.sum(axis=1)
        names = self._columns.categories[j]
        with np.errstate(invalid="ignore", divide="ignore"):
            if names is None:
                average = (values * weights).sum(axis=1) / total
            else:
                codes = range(len(names))
                votes = np.array([(weights * (values == code)).sum(axis=1) for code in codes])
                average = votes.argmax(axis=0).astype(float)
        return np.asarray(np.where(total > 0, average, self._typical[j]))

    def _with_indicators(self) -> NDArray[np.intp]:
        """Return the columns of numbers whose holes get an indicator column."""
        if self.strategy != "category":
            return np.empty(0, np.intp)
        return np.flatnonzero((self.n_missing_ > 0) & ~self._columns.nominal)

    def _table(self, X: Any, filled: Floats, holes: NDArray[np.bool_]) -> Any:
        indicators = holes[:, self._with_indicators()].astype(float)
        if not self._columns.nominal.any():
            return np.column_stack([filled, indicators])
        columns: dict[Any, Any] = {}
        names = self.get_feature_names_out()
        before = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X, object))
        for j, values in enumerate(self._columns.categories):
            if values is None:
                columns[names[j]] = filled[:, j]
                continue
            column = before.iloc[:, j].astype(object).to_numpy(copy=True)
            categories = np.append(np.asarray(values, object), OWN)
            column[holes[:, j]] = categories[filled[holes[:, j], j].astype(int)]
            columns[names[j]] = column
        columns |= dict(zip(names[len(self._columns.names) :], indicators.T, strict=True))
        return pd.DataFrame(columns, index=before.index)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags


def _mode(values: Floats) -> float:
    distinct, counts = np.unique(values, return_counts=True)
    return float(distinct[counts.argmax()])


def _nearest_first(distance: Floats, k: int) -> NDArray[np.intp]:
    """Return the places of the k smallest distances; ties go to the earlier row."""
    if k >= len(distance) // 4:
        return np.argsort(distance, kind="stable")[:k]
    candidates = np.flatnonzero(distance <= np.partition(distance, k - 1)[k - 1])
    return candidates[np.argsort(distance[candidates], kind="stable")[:k]]


def _distances(rows: Floats, candidates: Floats, nominal: NDArray[np.bool_]) -> Floats:
    """Return distances over the columns that both rows have, extrapolated to all columns.

    Rows without a common column are infinitely far.
    """
    total = np.zeros((len(rows), len(candidates)))
    shared = total.copy()
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for x, y, is_nominal in zip(rows.T, candidates.T, nominal, strict=True):
            is_shared = ~np.isnan(x)[:, None] & ~np.isnan(y)
            difference = (x[:, None] != y).astype(float) if is_nominal else x[:, None] - y
            total += np.where(is_shared, difference**2, 0.0)
            shared += is_shared
        return np.where(shared > 0, np.sqrt(total * len(nominal) / shared), np.inf)
