"""What an algorithm gets (the chosen, scaled columns) and the plane on which it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Scaling = Literal["none", "z-score", "min-max"]

Holes = Literal["drop", "fill", "keep"]

SENTENCES: Mapping[Scaling, str] = {
    "none": "The columns are used as they are, without scaling.",
    "z-score": "Each column is standardised: (x - mean) / standard deviation (n - 1).",
    "min-max": "Each column is scaled to [0, 1]: (x - min) / (max - min).",
}
"""What a scaling does."""

LARGEST = 1e30
"""The largest size of a number in a table, so that sums of squares stay finite and pictures can be packed."""

MOST_CLASSES = 30
"""A column with more values than this is no class to learn."""

JITTER = 0.56
"""How far around its place on a nominal axis a sample may be drawn; 1 is the distance of two categories."""


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane through the feature space: ``x = base + u @ basis``.

    Attributes
    ----------
    base : ndarray of shape (n_features,)
        The point that is drawn at (0, 0): where the columns that are not shown are held.
    basis : ndarray of shape (2, n_features)
        Orthonormal directions of the two axes.
    labels : tuple of (str, str)
        What the axes measure.
    exact : bool
        Whether the picture shows all that the algorithm sees (two features), not a projection.
    ticks : tuple of (tuple of str, tuple of str)
        For each axis the categories at 0, 1, 2, ...; empty for an axis of numbers.
    """

    base: NDArray[np.float64]
    basis: NDArray[np.float64]
    labels: tuple[str, str]
    exact: bool
    ticks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def project(self, Z: Any) -> NDArray[np.float64]:
        """Return the coordinates in the plane, shape (m, 2), of points of shape (m, n_features)."""
        return (np.asarray(Z, float) - self.base) @ self.basis.T

    def lift(self, U: Any) -> NDArray[np.float64]:
        """Return the points of shape (m, n_features) at plane coordinates of shape (m, 2).

        On a nominal axis the nearest category counts.
        """
        places = np.array(U, float).reshape(-1, 2)
        for axis, names in enumerate(self.ticks):
            if names:
                places[:, axis] = places[:, axis].round().clip(0, len(names) - 1)
        return self.base + places @ self.basis

    def same(self, other: Plane) -> bool:
        """Return whether another plane is this one."""
        return np.array_equal(self.base, other.base) and np.array_equal(self.basis, other.basis)


@dataclass(frozen=True, eq=False)
class Query:
    """A place in the feature space that is asked about: a sample, or a place in the plane.

    Attributes
    ----------
    x : ndarray of shape (n_features,)
        Its values, as in :attr:`Problem.X`.
    place : tuple of (float, float)
        Where it is drawn.
    sample : int or None
        The sample that it is; None for a place between them.
    """

    x: NDArray[np.float64]
    place: tuple[float, float]
    sample: int | None = None


@dataclass(frozen=True, eq=False)
class Problem:
    """A table made ready for an algorithm.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The chosen columns, scaled. A nominal column holds the codes of its categories; NaN where a value is missing.
    features : tuple of str
        Their names.
    plane : Plane
        Where it is drawn.
    rows : ndarray of shape (n_samples,)
        Row number in the table of each sample.
    y : ndarray of shape (n_samples,) or None
        Class codes of the target, where there is one.
    classes : tuple of str
        Names of the codes.
    notes : tuple of str
        What was done to the table, one sentence each.
    window : tuple of (float, float, float, float) or None
        x0, x1, y0, y1 of the part of the plane that is shown; None for where the samples are.
    categories : mapping of int to tuple of str
        For each nominal column, by its index, the names of its codes.
    test : ndarray of bool of shape (n_samples,) or None
        Which samples are held out; None if all are learned from.
    shift, unit : ndarray of shape (n_features,) or None
        What the scaling took away from each column, and what it divided it by; None without scaling.
    names : tuple of str
        What tooltips call the samples besides their row numbers; empty for nothing.
    """

    X: NDArray[np.float64]
    features: tuple[str, ...]
    plane: Plane
    rows: NDArray[np.intp]
    y: NDArray[np.intp] | None = None
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    window: tuple[float, float, float, float] | None = None
    categories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    test: NDArray[np.bool_] | None = None
    shift: NDArray[np.float64] | None = None
    unit: NDArray[np.float64] | None = None
    names: tuple[str, ...] = ()

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """The samples in the plane, shape (n_samples, 2).

        A missing value is drawn where the plane holds its column. Samples of one category are spread around it.
        """
        filled = np.where(np.isnan(self.X), self._typical, self.X)
        places = self.plane.project(filled)
        for axis, (names, step) in enumerate(zip(self.plane.ticks, (0.61803398875, 0.7548776662), strict=True)):
            if names:
                places[:, axis] += JITTER * (np.arange(1, len(places) + 1) * step % 1 - 0.5)
        return places

    @cached_property
    def _typical(self) -> NDArray[np.float64]:
        return _typical(self.X, self.categories)

    @property
    def labels(self) -> list[str]:
        """What a tooltip says of each sample."""
        names = [f"row {i + 1}" for i in self.rows]
        if self.names:
            names = [f"{row}, {name}" if name else row for row, name in zip(names, self.names, strict=True)]
        if self.y is not None:
            names = [f"{name} · {self.classes[code]}" for name, code in zip(names, self.y, strict=True)]
        if self.test is not None:
            names = [f"{name} · test" if held else name for name, held in zip(names, self.test, strict=True)]
        return names

    @property
    def data(self) -> Any:
        """What an algorithm gets: ``X``, or a data frame if there are nominal columns."""
        return self.table(self.X)

    def table(self, X: NDArray[np.float64]) -> Any:
        """Return rows of the feature space, shape (m, n_features), in the form that an algorithm gets."""
        if not self.categories:
            return X
        columns = {}
        for j, name in enumerate(self.features):
            names = self.categories.get(j)
            if names is None:
                columns[name] = X[:, j]
            else:
                codes = np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(int)
                columns[name] = pd.Categorical.from_codes(codes, pd.Index(names, dtype=object))
        return pd.DataFrame(columns)

    def value(self, column: int, x: float) -> str | float | None:
        """Return a value of a column for people: a category's name, a number, None where it is missing."""
        if np.isnan(x):
            return None
        return self.categories[column][int(x)] if column in self.categories else float(x)

    def unscaled(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return rows of the feature space, shape (m, n_features), in the units of the table."""
        return X if self.shift is None or self.unit is None else X * self.unit + self.shift

    def query(self, place: tuple[float, float] | None = None, *, sample: int | None = None) -> Query:
        """Return a place in the plane, by default the middle of the samples, or a sample, as a query.

        The columns that the plane does not show are held where it holds them.
        """
        if sample is not None:
            x, y = self.points[sample]
            return Query(self.X[sample], (float(x), float(y)), sample)
        x, y = self.points.mean(axis=0) if place is None else place
        return Query(self.plane.lift([(x, y)])[0], (float(x), float(y)))

    def name(self, query: Query) -> str:
        """Return what a sentence calls a query."""
        return "the place" if query.sample is None else f"row {self.rows[query.sample] + 1}"

    def only(self, mask: NDArray[np.bool_]) -> Self:
        """Return the problem of some of the samples, none of them held out."""
        y = None if self.y is None else self.y[mask]
        names = tuple(name for name, kept in zip(self.names, mask, strict=True) if kept) if self.names else ()
        return replace(self, X=self.X[mask], rows=self.rows[mask], y=y, test=None, names=names)

    @cached_property
    def training(self) -> Self:
        """The problem of the samples that are learned from."""
        return self if self.test is None else self.only(~self.test)

    @cached_property
    def testing(self) -> Self | None:
        """The problem of the samples that are held out; None if there are none."""
        return None if self.test is None else self.only(self.test)


def prepare(
    frame: pd.DataFrame,
    features: Sequence[str],
    *,
    scaling: Scaling = "none",
    view: Sequence[str] | Literal["pca"] | None = None,
    target: str | None = None,
    labelled: bool = False,
    positive: str | None = None,
    test_size: float = 0.0,
    random_state: int = 0,
    holes: Holes = "drop",
) -> Problem:
    """Choose columns, drop rows with holes, scale, and choose the plane to look at.

    Parameters
    ----------
    frame : DataFrame
        The table.
    features : sequence of str
        The columns that the algorithm uses. A column that does not hold numbers is nominal.
    scaling : {"none", "z-score", "min-max"}
        ``z-score`` divides by the standard deviation with n - 1, as R's ``scale``. Only the samples that are learned
        from say how, and nominal columns stay as they are.
    view : pair of str or "pca", optional
        Two of the features, or the first two principal components; by default the first two features.
    target : str, optional
        A column of known classes.
    labelled : bool
        Whether the classes are learned: a row without a class is then left out.
    positive : str, optional
        The class that is told from all the others: it gets the code 1, they get 0.
    test_size : float
        The share of each class that is held out, at most so many that one sample of it is left.
    random_state : int
        Seed of the choice of those.
    holes : {"drop", "fill", "keep"}
        What becomes of missing values: ``drop`` leaves out their rows, ``fill`` puts the mean of the column in their
        place (of the rows that are learned from; in a nominal column the most frequent category), ``keep`` leaves
        them to an algorithm that skips them.

    Returns
    -------
    Problem
        What the algorithm gets, with notes on what was done.

    Raises
    ------
    ValueError
        If nothing is left to work on; the sentence says why and what to do.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [3.0, None, 5.0]})
    >>> problem = prepare(frame, ["a", "b"], scaling="min-max")
    >>> problem.X.tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    >>> problem.notes[0]
    '1 of 3 rows has a missing value in the chosen columns and is left out.'

    Nominal columns become codes, and a data frame again for the algorithms that can use them:

    >>> frame = pd.DataFrame({"sky": ["sun", "rain", "sun"], "play": ["yes", "no", "yes"]})
    >>> problem = prepare(frame, ["sky"], target="play", labelled=True)
    >>> problem.X.ravel().tolist(), problem.categories, problem.y.tolist()
    ([1.0, 0.0, 1.0], {0: ('rain', 'sun')}, [1, 0, 1])
    """
    if not features:
        raise ValueError("No column is chosen. Choose at least one, or another data set.")
    notes = []
    if target and labelled and (n_unknown := int(frame[target].isna().sum())):
        verb = "has" if n_unknown == 1 else "have"
        notes.append(f"{n_unknown} of {len(frame)} rows {verb} no class and cannot be used.")
    known = ~frame[target].isna().to_numpy() if target and labelled else np.ones(len(frame), bool)
    raw, categories = _numbers(frame, features)
    raw = np.where(np.isfinite(raw), raw, np.nan)  # an infinite number is none that can be computed with
    kept = known & np.isfinite(raw).all(axis=1) if holes == "drop" else known
    rows = np.flatnonzero(kept)
    if len(rows) < 2:
        raise ValueError(
            f"Of {len(raw)} rows, {len(rows)} {'is' if len(rows) == 1 else 'are'} complete in the chosen columns; "
            "at least 2 are needed. "
            "Choose columns with fewer missing values."
        )
    X = raw[rows]
    if holes != "fill":
        notes += _missing(int(known.sum()), X)
    _check_size(features, X)
    constant = [name for name, x in zip(features, X.T, strict=True) if len(np.unique(x[np.isfinite(x)])) < 2]
    if constant:
        notes.append(f"Constant, so without any influence: {', '.join(constant)}.")
    y, classes = _target(frame, target, rows, labelled, positive)
    test = _held_out(y, test_size, random_state) if y is not None and test_size else None
    if holes == "fill" and np.isnan(X).any():
        learned = X if test is None else X[~test]
        notes.append(_filled_note(X))
        X = np.where(np.isnan(X), _typical(learned, categories), X)
    numeric = [j for j in range(len(features)) if j not in categories]
    shift = unit = None
    if numeric:
        notes.append(SENTENCES[scaling])
    if numeric and scaling != "none":
        shift, unit = _scale(X if test is None else X[~test], scaling, numeric)
        X = (X - shift) / unit
    if test is not None:
        notes.append(f"{len(X) - test.sum()} rows are learned from and {test.sum()} are held out for the test.")
    where = plane(X, features, view, scaling, categories)
    return Problem(X, tuple(features), where, rows, y, classes, tuple(notes), None, categories, test, shift, unit)


def _numbers(frame: pd.DataFrame, features: Sequence[str]) -> tuple[NDArray[np.float64], dict[int, tuple[str, ...]]]:
    """Return the columns as numbers, and the categories of those that hold none."""
    X, categories = np.empty((len(frame), len(features))), {}
    for j, name in enumerate(features):
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            X[:, j] = column.to_numpy(float, na_value=np.nan)
        else:
            codes, categories[j] = codes_of(column)
            X[:, j] = np.where(codes < 0, np.nan, codes)
    return X, categories


def _missing(n_rows: int, X: NDArray[np.float64]) -> list[str]:
    """Return the sentence on rows with missing values: left out or, where the algorithm skips them, kept."""
    if n_rows > len(X):
        missing = n_rows - len(X)
        verb = "has a missing value in the chosen columns and is" if missing == 1 else "have missing values and are"
        return [f"{missing} of {n_rows} rows {verb} left out."]
    holes = int(np.isnan(X).any(axis=1).sum())
    if not holes:
        return []
    return [
        f"{holes} of {n_rows} rows {'has' if holes == 1 else 'have'} missing values; only those values are skipped."
    ]


def _check_size(features: Sequence[str], X: NDArray[np.float64]) -> None:
    large = [name for name, x in zip(features, X.T, strict=True) if np.abs(x[np.isfinite(x)]).max(initial=0) > LARGEST]
    if large:
        raise ValueError(
            f"Numbers beyond {LARGEST:g} are too large to be squared and summed: {', '.join(large)}. "
            "Choose other columns, or divide them by a power of ten in the file."
        )


def _filled_note(X: NDArray[np.float64]) -> str:
    n_missing, n_rows = int(np.isnan(X).sum()), int(np.isnan(X).any(axis=1).sum())
    values = "1 missing value is" if n_missing == 1 else f"{n_missing} missing values in {n_rows} rows are"
    return f"{values} replaced by the mean of the column, in nominal columns by the most frequent category."


def _scale(
    learned: NDArray[np.float64], scaling: Scaling, numeric: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what is taken away from each column and what it is divided by, as the rows that are learned from say."""
    shift, unit = np.zeros(learned.shape[1]), np.ones(learned.shape[1])
    for j in numeric:
        some = learned[:, j][np.isfinite(learned[:, j])]
        if some.size:
            low, spread = _shift(some, scaling)
            shift[j], unit[j] = low, spread if spread > 0 else 1.0
    return shift, unit


def _shift(x: NDArray[np.float64], scaling: Scaling) -> tuple[float, float]:
    """Return what is taken away from a column, and what it is divided by."""
    if scaling == "min-max":
        return float(x.min()), float(np.ptp(x))
    return float(x.mean()), float(x.std(ddof=1)) if x.size > 1 else 1.0


def codes_of(column: pd.Series[Any]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return codes and names of a column's values: in the declared order, else sorted; -1 where missing.

    Examples
    --------
    >>> codes, names = codes_of(pd.Series(["b", None, "a"]))
    >>> codes.tolist(), names
    ([1, -1, 0], ('a', 'b'))
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        used = column.cat.remove_unused_categories().cat
        return np.asarray(used.codes, np.intp), tuple(map(str, used.categories))
    categorical = pd.Categorical(column.astype(object).where(column.isna(), column.astype(str)))
    return np.asarray(categorical.codes, np.intp), tuple(map(str, categorical.categories))


def _target(
    frame: pd.DataFrame, target: str | None, rows: NDArray[np.intp], labelled: bool, positive: str | None
) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """Return the class codes of the rows and their names."""
    if target is None:
        return None, ()
    codes, names = codes_of(frame[target].iloc[rows])
    if (codes < 0).any():
        codes, names = np.where(codes < 0, len(names), codes), (*names, "(missing)")
    if not labelled:
        return codes, names
    if len(names) > MOST_CLASSES:
        raise ValueError(
            f"The column {target!r} has {len(names)} different values; a class to learn may have at most "
            f"{MOST_CLASSES}. Choose another column as the class."
        )
    if len(names) < 2:
        raise ValueError(
            f"All rows are of the class {names[0]!r}, so there is nothing to tell apart. "
            "Choose another column as the class, or add rows of a second class."
        )
    if positive is None:
        return codes, names
    if positive not in names:
        raise ValueError(f"There is no class {positive!r} in the column {target!r}; it has {', '.join(names)}.")
    one = names.index(positive)
    other = names[1 - one] if len(names) == 2 else f"not {positive}"
    return (codes == one).astype(np.intp), (other, positive)


def _held_out(y: NDArray[np.intp], test_size: float, random_state: int) -> NDArray[np.bool_] | None:
    """Return a mask of the samples for the test: so large a share of each class, at random."""
    order = np.random.default_rng(random_state).permutation(len(y))
    test = np.zeros(len(y), bool)
    for code in np.unique(y):
        members = order[y[order] == code]
        test[members[: min(round(test_size * len(members)), len(members) - 1)]] = True
    return test if test.any() else None


def _typical(X: NDArray[np.float64], categories: Mapping[int, Sequence[str]]) -> NDArray[np.float64]:
    """Return the mean of each column, of a nominal column its most frequent code."""
    values = np.zeros(X.shape[1])
    for j, column in enumerate(X.T):
        seen = column[np.isfinite(column)]
        if seen.size:
            values[j] = np.bincount(seen.astype(int)).argmax() if j in categories else seen.mean()
    return values


def plane(
    X: NDArray[np.float64],
    features: Sequence[str],
    view: Sequence[str] | Literal["pca"] | None = None,
    scaling: Scaling = "none",
    categories: Mapping[int, tuple[str, ...]] | None = None,
) -> Plane:
    """Choose the plane through the samples: two features, or the first two principal components.

    A single feature is drawn on a line: its second axis is empty. The columns that are not shown are held at their
    mean, nominal ones at the most frequent category.
    """
    categories = categories or {}
    n_features = X.shape[1]
    units = ["" if scaling == "none" or j in categories else f" ({scaling})" for j in range(n_features)]
    if n_features == 1:
        ticks = (categories.get(0, ()), ())
        return Plane(np.zeros(1), np.array([[1.0], [0.0]]), (features[0] + units[0], ""), exact=True, ticks=ticks)
    if view == "pca":
        mean = _typical(X, categories)
        _, singular, axes = np.linalg.svd(np.where(np.isnan(X), 0.0, X - mean), full_matrices=False)
        axes = np.vstack([axes, np.zeros_like(axes)])[:2]
        axes *= np.where(axes[np.arange(2), np.abs(axes).argmax(axis=1)] < 0, -1, 1)[:, None]
        share = np.append(singular**2, [0.0, 0.0]) / max(float((singular**2).sum()), np.finfo(float).tiny)
        labels = (f"component 1 ({share[0]:.0%} of the variance)", f"component 2 ({share[1]:.0%})")
        return Plane(mean, axes, labels, exact=n_features == 2)
    across, up = (list(features).index(name) for name in (view or features[:2]))
    basis = np.zeros((2, n_features))
    basis[[0, 1], [across, up]] = 1
    base = _typical(X, categories)
    base[[across, up]] = 0
    return Plane(
        base,
        basis,
        (features[across] + units[across], features[up] + units[up]),
        exact=n_features == 2,
        ticks=(categories.get(across, ()), categories.get(up, ())),
    )
