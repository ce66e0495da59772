"""The prediction of one row with holes by each treatment of missing values, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.classification.tree_variants.missing import TREATMENTS, holes, tree_by
from dmlib.classification.tree_variants.variant import VariantTree
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, percent
from dmlib.problem import Problem
from dmlib.trees.splits import Split

MAX_TERMS = 5  # leaves whose shares are written out


@dataclass(frozen=True)
class HolePrediction:
    """The prediction of a row by a treatment of missing values.

    Attributes
    ----------
    treatment : str
        One of ``TREATMENTS``.
    at_root : str
        The branch of the row at the first test.
    arithmetic : str
        The class frequencies of its leaves, and their mean.
    predicted, truth : str
        The predicted class and the true class.
    """

    treatment: str
    at_root: str
    arithmetic: str
    predicted: str
    truth: str


@dataclass(frozen=True)
class Holes:
    """A table with artificial holes: its training rows, and those that are predicted."""

    run: Run[Problem, VariantTree]
    train: pd.DataFrame
    test: pd.DataFrame
    y: NDArray[np.intp]
    y_test: NDArray[np.intp]
    numbers: NDArray[np.intp]  # of the rows that are predicted, in the data, from 1

    @classmethod
    def in_run(cls, run: Run[Problem, VariantTree], share: float, mechanism: str) -> Holes:
        """Make holes in the training rows and the test rows of a run.

        Without test rows the training rows are predicted.
        """
        problem = run.problem
        X, y = problem.training.arguments
        X_test, y_test, rows = X, y, problem.trained
        if problem.testing is not None:
            X_test, y_test = problem.testing.arguments
            rows = np.setdiff1d(np.arange(len(problem.X)), problem.trained)
        train = holes(X, share, mechanism, run.seed)
        test = holes(X_test, share, mechanism, run.seed + 500)
        for table in (train, test):
            table.columns = list(problem.features)
        return cls(run, train, test, np.asarray(y), np.asarray(y_test), problem.rows[rows] + 1)

    @property
    def with_holes(self) -> NDArray[np.intp]:
        """The rows to predict with a hole, first those with a hole in the column of the root."""
        model = tree_by("fractional", self.train, self.y, self.test)[0]
        is_missing = self.test.isna().to_numpy()
        root_column = model.tree_.feature[0]
        at_root = np.zeros(len(is_missing), bool)
        if root_column >= 0:
            at_root = is_missing[:, root_column]
        in_another = is_missing.any(axis=1) & ~at_root
        return np.concatenate([np.flatnonzero(at_root), np.flatnonzero(in_another)])

    def predictions(self, row: int) -> list[HolePrediction]:
        """Return the prediction of a row by each treatment.

        Examples
        --------
        >>> from dmlib.classification import ObliqueTree
        >>> from dmlib.problem import prepare
        >>> frame = pd.DataFrame({"a": range(20), "b": range(20), "c": ["x"] * 10 + ["y"] * 10})
        >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
        >>> table = Holes.in_run(Run.of(problem, ObliqueTree()), 0.2, "MCAR")
        >>> predictions = table.predictions(int(table.with_holes[0]))
        >>> [prediction.treatment for prediction in predictions]
        ['fractional', 'surrogate', 'category', 'impute', 'drop']
        """
        return [self._prediction(treatment, row) for treatment in TREATMENTS]

    def _prediction(self, treatment: str, row: int) -> HolePrediction:
        model, filled, n_rows = tree_by(treatment, self.train, self.y, self.test)
        names, truth = self.run.problem.classes, self.run.problem.classes[self.y_test[row]]
        if model is None:
            reason = "Every training row has a hole, so no row is left."
            return HolePrediction(treatment, reason, "", "none", truth)
        tree, x = model.tree_, model._matrix(filled.iloc[[row]])
        at_root = self._at_root(model, x, row)
        if treatment == "drop":
            at_root = f"{n_rows} of {len(self.train)} training rows have no hole. {at_root}"
        shares = model.predict_proba(filled.iloc[[row]])[0]
        winner = int(shares.argmax())
        code = int(model.classes_[winner])
        _, nodes, parts = tree.leaves(x)
        largest = np.argsort(-parts, kind="stable")
        terms = [f"{num4(parts[i])} · {num4(tree.value[nodes[i], 0, winner])}" for i in largest]
        further = f" + … ({len(terms)} leaves)" if len(terms) > MAX_TERMS else ""
        total = " + ".join(terms[:MAX_TERMS]) + further
        arithmetic = f"P({names[code]}) = {total} = {num4(shares[winner])}"
        return HolePrediction(treatment, at_root, arithmetic, names[code], truth)

    def _at_root(self, model: Any, x: Any, row: int) -> str:
        """Return the branch of a row at the first test, as a sentence."""
        tree = model.tree_
        split = tree.splits.split(0)
        if split is None:
            return "The tree is a single leaf."
        name = self.test.columns[split.column]
        texts = self._conditions(model, split)
        branch = int(split.branch(x[:, split.column])[0])
        if not np.isnan(x[0, split.column]):
            filled = pd.isna(self.test.iloc[row, split.column])
            categories, value = model._columns.categories[split.column], x[0, split.column]
            value_text = num4(value) if categories is None else str(categories[int(value)])
            return f"{'Filled: ' if filled else ''}{name} = {value_text}, so {texts[branch]}."
        if branch >= 0:
            return f"{name} is missing, a value of its own: {texts[branch]}."
        if tree.surrogates is not None:
            return self._by_surrogate(model, x, texts)
        fan = tree.children[0][tree.children[0] >= 0]
        pairs = zip(fan, texts, strict=False)
        sent = ", ".join(f"{num4(tree.shares[child])} to {text}" for child, text in pairs)
        return f"{name} is missing: the row is divided as those with a value are, {sent}."

    def _conditions(self, model: Any, split: Split) -> list[str]:
        """Return the condition of each branch of a test, as text."""
        name, names = self.test.columns[split.column], model._columns.categories[split.column]
        x = None if names else self.train.iloc[:, split.column]
        return [text.replace("<=", "≤") for text in split.conditions(name, names, x=x, digits=4)]

    def _by_surrogate(self, model: Any, x: Any, texts: list[str]) -> str:
        for surrogate in model.tree_.surrogates.get(0, ()):
            split = surrogate.split
            branch = int(surrogate.branch(x, np.array([0]))[0])
            if branch >= 0:
                side = 1 - branch if surrogate.swapped else branch
                text = self._conditions(model, split)[side]
                return (
                    f"Surrogate: {text} stands for {texts[branch]}; they agree on"
                    f" {percent(surrogate.agreement)} of the rows."
                )
        return (
            "No other column with a value stands for it well enough, so the row takes the larger"
            " branch."
        )
