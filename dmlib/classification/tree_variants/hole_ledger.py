"""How one row with holes is predicted, by each way with missing values, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.classification.tree_variants.missing import WAYS, holes, tree_by
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.trees.splits import Split

MAX_TERMS = 5  # leaves whose shares are written out


@dataclass(frozen=True)
class HoleWay:
    """How one way predicts a row.

    Attributes
    ----------
    way : str
        One of ``WAYS``.
    at_root : str
        What happens to the row at the first test.
    arithmetic : str
        The shares of the leaves that it comes to, and their sum.
    predicted, truth : str
        The class that is predicted, and the class that it has.
    """

    way: str
    at_root: str
    arithmetic: str
    predicted: str
    truth: str


@dataclass(frozen=True)
class Holes:
    """A table in which holes were made on purpose: its training rows, and those that are predicted."""

    run: Run
    train: pd.DataFrame
    test: pd.DataFrame
    y: NDArray[np.intp]
    y_test: NDArray[np.intp]
    numbers: NDArray[np.intp]  # of the rows that are predicted, in the data, from 1

    @classmethod
    def made(cls, run: Run, share: float, mechanism: str) -> Holes:
        """Make holes in the training rows and the test rows of a run; without test rows, in the training rows."""
        problem = run.problem
        X, y = problem.training.arguments
        held = problem.testing
        X_test, y_test = (X, y) if held is None else held.arguments
        rows = (
            problem.trained
            if held is None
            else np.setdiff1d(np.arange(len(problem.X)), problem.trained)
        )
        train, test = (
            holes(each, share, mechanism, run.seed + k) for k, each in ((0, X), (500, X_test))
        )
        for each in (train, test):
            each.columns = list(problem.features)
        return cls(run, train, test, np.asarray(y), np.asarray(y_test), problem.rows[rows] + 1)

    @property
    def with_holes(self) -> NDArray[np.intp]:
        """The rows to predict that have a hole, first those that have it where the tree asks first."""
        model = tree_by("fractional", self.train, self.y, self.test)[0]
        gone = self.test.isna().to_numpy()
        first = (
            gone[:, model.tree_.feature[0]]
            if model.tree_.feature[0] >= 0
            else np.zeros(len(gone), bool)
        )
        return np.concatenate([np.flatnonzero(first), np.flatnonzero(gone.any(axis=1) & ~first)])

    def ways(self, row: int) -> list[HoleWay]:
        """Return how each way predicts one of the rows.

        Examples
        --------
        >>> from dmlib.classification import ObliqueTree
        >>> from dmlib.problem import prepare
        >>> frame = pd.DataFrame({"a": range(20), "b": range(20), "c": ["x"] * 10 + ["y"] * 10})
        >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
        >>> made = Holes.made(Run.of(problem, ObliqueTree()), 0.2, "MCAR")
        >>> [way.way for way in made.ways(int(made.with_holes[0]))]
        ['fractional', 'surrogate', 'category', 'impute', 'drop']
        """
        return [self._way(way, row) for way in WAYS]

    def _way(self, way: str, row: int) -> HoleWay:
        model, given, n_rows = tree_by(way, self.train, self.y, self.test)
        names, truth = self.run.problem.classes, self.run.problem.classes[self.y_test[row]]
        if model is None:
            return HoleWay(
                way, "Every training row has a hole, so no row is left.", "", "none", truth
            )
        tree, x = model.tree_, model._matrix(given.iloc[[row]])
        before = (
            f"{n_rows} of {len(self.train)} training rows have no hole. " if way == "drop" else ""
        )
        shares = model.predict_proba(given.iloc[[row]])[0]
        winner = int(shares.argmax())
        code = int(model.classes_[winner])
        _, nodes, parts = tree.leaves(x)
        largest = np.argsort(-parts, kind="stable")
        terms = [f"{num4(parts[i])} · {num4(tree.value[nodes[i], 0, winner])}" for i in largest]
        more = f" + … ({len(terms)} leaves)" if len(terms) > MAX_TERMS else ""
        said = f"P({names[code]}) = {' + '.join(terms[:MAX_TERMS])}{more} = {num4(shares[winner])}"
        return HoleWay(way, before + self._at_root(model, x, row), said, names[code], truth)

    def _at_root(self, model: Any, x: Any, row: int) -> str:
        """Return what happens to a row at the first test."""
        tree = model.tree_
        split = tree.splits.split(0)
        if split is None:
            return "The tree is a single leaf."
        name = self.test.columns[split.column]
        texts = self._conditions(model, split)
        taken = int(split.branch(x[:, split.column])[0])
        if not np.isnan(x[0, split.column]):
            filled = pd.isna(self.test.iloc[row, split.column])
            value = model._columns.categories[split.column]
            known = (
                num4(x[0, split.column]) if value is None else str(value[int(x[0, split.column])])
            )
            return f"{'Filled: ' if filled else ''}{name} = {known}, so {texts[taken]}."
        if taken >= 0:
            return f"{name} is missing, a value of its own: {texts[taken]}."
        if tree.surrogates is not None:
            return self._by_surrogate(model, x, texts)
        fan = tree.children[0][tree.children[0] >= 0]
        sent = ", ".join(
            f"{num4(tree.shares[c])} to {text}" for c, text in zip(fan, texts, strict=False)
        )
        return f"{name} is missing: the row is divided as those with a value are, {sent}."

    def _conditions(self, model: Any, split: Split) -> list[str]:
        """Return the condition of each branch of a test, as text."""
        name, names = self.test.columns[split.column], model._columns.categories[split.column]
        x = None if names else self.train.iloc[:, split.column]
        return [text.replace("<=", "≤") for text in split.conditions(name, names, x=x, digits=4)]

    def _by_surrogate(self, model: Any, x: Any, texts: list[str]) -> str:
        for surrogate in model.tree_.surrogates.get(0, ()):
            split = surrogate.split
            taken = int(surrogate.branch(x, np.array([0]))[0])
            if taken >= 0:
                side = 1 - taken if surrogate.swapped else taken
                text = self._conditions(model, split)[side]
                return (
                    f"Surrogate: {text} stands for {texts[taken]}; they agree on"
                    f" {surrogate.agreement:.0%} of the rows."
                )
        return (
            "No other column with a value stands for it well enough, so the row takes the larger"
            " branch."
        )
