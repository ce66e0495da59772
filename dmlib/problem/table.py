"""A table as a problem: chosen, scaled columns, a target, and the plane of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.problem.columns import typical
from dmlib.problem.view import Plane

JITTER = 0.56
"""How far around its place on a nominal axis a sample may be drawn; 1 is the distance of two
categories."""


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
        The chosen columns, scaled. A nominal column holds the codes of its categories; NaN where a
        value is missing.
    features : tuple of str
        Their names.
    plane : Plane
        Where it is drawn.
    rows : ndarray of shape (n_samples,)
        Row number in the table of each sample.
    y : ndarray of shape (n_samples,) or None
        Class codes of the target, or its numbers, where there is one.
    classes : tuple of str
        Names of the codes; empty where the target is a number.
    notes : tuple of str
        What was done to the table, one sentence each.
    window : tuple of (float, float, float, float) or None
        x0, x1, y0, y1 of the part of the plane that is shown; None for where the samples are.
    categories : mapping of int to tuple of str
        For each nominal column, by its index, the names of its codes.
    test : ndarray of bool of shape (n_samples,) or None
        Which samples are held out; None if all are learned from.
    shift, unit : ndarray of shape (n_features,) or None
        What the scaling took away from each column, and what it divided it by; None without
        scaling.
    names : tuple of str
        What tooltips call the samples besides their row numbers; empty for nothing.
    labelled : bool
        Whether an algorithm is given the target too.
    target : str
        Name of the target; empty for none.
    ordered : tuple of int
        The nominal columns whose categories are levels in their order.
    source : DataFrame or None
        The table that it was made of, with the columns that are not used.
    """

    X: NDArray[np.float64]
    features: tuple[str, ...]
    plane: Plane
    rows: NDArray[np.intp]
    y: NDArray[Any] | None = None
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    window: tuple[float, float, float, float] | None = None
    categories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    test: NDArray[np.bool_] | None = None
    shift: NDArray[np.float64] | None = None
    unit: NDArray[np.float64] | None = None
    names: tuple[str, ...] = ()
    labelled: bool = False
    target: str = ""
    ordered: tuple[int, ...] = ()
    source: pd.DataFrame | None = None

    @property
    def trained(self) -> NDArray[np.intp]:
        """The samples that are trained on, by number."""
        return np.arange(len(self.X)) if self.test is None else np.flatnonzero(~self.test)

    @property
    def numeric_target(self) -> bool:
        """Whether the target is a number to predict, not a class."""
        return self.y is not None and not self.classes

    @property
    def upright(self) -> bool:
        """Whether the second axis of the plane is the target: a number over a single feature."""
        return self.numeric_target and len(self.features) == 1

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """The samples in the plane, shape (n_samples, 2).

        A missing value is drawn where the plane holds its column. Samples of one category are
        spread around it. A number that is predicted from a single feature is the height of its
        sample.
        """
        filled = np.where(np.isnan(self.X), typical(self.X, self.categories), self.X)
        places = self.plane.project(filled)
        for axis, (names, step) in enumerate(
            zip(self.plane.ticks, (0.61803398875, 0.7548776662), strict=True)
        ):
            if names:
                places[:, axis] += JITTER * (np.arange(1, len(places) + 1) * step % 1 - 0.5)
        if self.upright:
            places[:, 1] = self.y
        return places

    @cached_property
    def cache(self) -> dict[str, Any]:
        """Results that depend on these samples alone, by name."""
        return {}

    @cached_property
    def labels(self) -> list[str]:
        """The tooltip of each sample."""
        names = [f"row {i + 1}" for i in self.rows]
        if self.names:
            names = [
                f"{row}, {name}" if name else row
                for row, name in zip(names, self.names, strict=True)
            ]
        if self.y is not None:
            targets = [
                f"{self.target} {y:.6g}" if self.numeric_target else self.classes[y] for y in self.y
            ]
            names = [f"{name} · {target}" for name, target in zip(names, targets, strict=True)]
        if self.test is not None:
            names = [
                f"{name} · test" if is_test else name
                for name, is_test in zip(names, self.test, strict=True)
            ]
        return names

    @property
    def data(self) -> Any:
        """``X``, or a data frame if there are nominal columns, as an algorithm gets it."""
        return self.table(self.X)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of ``fit`` and ``steps``: the data and, if labelled, the target."""
        return (self.data, self.y) if self.labelled else (self.data,)

    def table(self, X: NDArray[np.float64]) -> Any:
        """Return rows of shape (m, n_features) in the form that an algorithm gets."""
        if not self.categories:
            return X
        columns = {}
        for j, name in enumerate(self.features):
            names = self.categories.get(j)
            if names is None:
                columns[name] = X[:, j]
            else:
                codes = np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(int)
                levels = pd.Index(names, dtype=object)
                columns[name] = pd.Categorical.from_codes(codes, levels, ordered=j in self.ordered)
        return pd.DataFrame(columns)

    def unused_column(self, name: str) -> NDArray[np.float64] | None:
        """Return the numbers of a column that is not used, shape (n_samples,); None without it."""
        if self.source is None or name in self.features or name not in self.source:
            return None
        column = self.source[name]
        if not pd.api.types.is_numeric_dtype(column):
            return None
        values: NDArray[np.float64] = column.to_numpy(float, na_value=np.nan)[self.rows]
        return values

    def value(self, column: int, x: float) -> str | float | None:
        """Return a value as a category's name or a number; None where it is missing."""
        if np.isnan(x):
            return None
        return self.categories[column][int(x)] if column in self.categories else float(x)

    def unscaled(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return rows of the feature space, shape (m, n_features), in the units of the table."""
        return X if self.shift is None or self.unit is None else X * self.unit + self.shift

    def query(
        self, place: tuple[float, float] | None = None, *, sample: int | None = None
    ) -> Query:
        """Return a query: a place in the plane, a sample, or by default the middle of the samples.

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
        names = (
            tuple(name for name, is_chosen in zip(self.names, mask, strict=True) if is_chosen)
            if self.names
            else ()
        )
        return replace(self, X=self.X[mask], rows=self.rows[mask], y=y, test=None, names=names)

    @cached_property
    def training(self) -> Self:
        """The problem of the training samples."""
        return self if self.test is None else self.only(~self.test)

    @cached_property
    def testing(self) -> Self | None:
        """The problem of the samples that are held out; None if there are none."""
        return None if self.test is None else self.only(self.test)
