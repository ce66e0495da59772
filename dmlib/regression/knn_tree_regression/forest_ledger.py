"""Captions and ledgers of bagged regressions: the bag, the mean, and the errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.staged_ledger import left_out_formula
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, count, num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.bag_step import BagStep

MAX_TERMS, MAX_MODELS, MAX_ROWS = 5, 8, 8


class ForestNarrator:
    """Captions and ledgers of models that join.

    Parameters
    ----------
    run : Run
        The run.
    at_query : ndarray of shape (n_estimators,)
        What each model predicts for the query.
    """

    def __init__(self, run: Run[Problem, Any], at_query: Floats) -> None:
        self.run, self.at_query = run, at_query
        self.y = np.asarray(run.problem.training.y, float)
        self.numbers = run.problem.training.rows + 1

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: BagStep = moment.step
        if not moment.index:
            return self._start(), [self._chance(self.run.trace.steps[1])]
        return self._caption(step, moment.index), [
            *self._mean(moment.index),
            *self._bag(step),
            *self._out_of_bag(step),
        ]

    def _start(self) -> str:
        how = "with" if self.run.model.bootstrap else "without"
        n = len(self.run.trace.steps[1].bag)
        return (
            f"No tree yet: each will be grown from {n} rows, drawn {how} replacement from"
            f" {len(self.y)}."
        )

    def _caption(self, step: BagStep, number: int) -> str:
        different = len(np.unique(step.bag))
        errors = f"out-of-bag MSE {num4(step.oob_error)}, training MSE {num4(step.training_error)}"
        if np.isnan(step.oob_error):
            errors = f"no row left out yet, training MSE {num4(step.training_error)}"
        r2 = f"; {NO_R2}" if np.isnan(self.run.fitted.r2_) else ""
        return f"Tree {number} joins, grown from {different} of {len(self.y)} rows: {errors}{r2}."

    def _chance(self, step: BagStep) -> Formula:
        return left_out_formula(len(self.y), len(step.bag), self.run.model.bootstrap)

    def _mean(self, number: int) -> Blocks:
        """Return the predictions for the query, and their mean."""
        values = self.at_query[:number]
        first = max(0, number - MAX_MODELS)
        steps = self.run.trace.steps
        rows: list[list[Cell]] = [
            [i + 1, short(values[i]), *self._leaves(steps[i + 1])] for i in range(first, number)
        ]
        extent = f" (the last {MAX_MODELS} of {number})" if first else ""
        head = ("tree", "predicts", *(("leaves",) if self._leaves(steps[1]) else ()))
        name = self.run.problem.name(self.run.current_query)
        terms = abridged([signed(value, 4) for value in values], MAX_TERMS)
        return [
            LedgerTable(head, rows, f"Predictions for {name}{extent}"),
            Formula(f"ŷ = ({terms}) / {number} = {num4(values.mean())}"),
        ]

    @staticmethod
    def _leaves(step: BagStep) -> list[Cell]:
        tree = getattr(step.estimator, "tree_", None)
        return [] if tree is None else [int(tree.is_leaf.sum())]

    def _bag(self, step: BagStep) -> Blocks:
        times = np.bincount(step.bag, minlength=len(self.y))
        outside = int((times == 0).sum())
        share = num4(outside / len(times))
        top = np.argsort(-times, kind="stable")[:MAX_ROWS]
        rows: list[list[Cell]] = [
            [int(self.numbers[i]), short(self.y[i]), int(times[i])] for i in top
        ]
        return [
            self._chance(step),
            Formula(f"left out: {outside} of {len(times)} rows = {share}"),
            numbered_table(("row", "y", "times drawn"), rows, "Rows drawn most often"),
        ]

    def _out_of_bag(self, step: BagStep) -> Blocks:
        """Return the out-of-bag predictions with the largest errors, and the mean of all."""
        residuals = self.y - step.oob_prediction
        is_judged = step.left_out > 0
        n_judged = int(is_judged.sum())
        if not n_judged:
            return [Formula("every row is in every bag: there is no out-of-bag error")]
        squares = np.where(is_judged, residuals**2, -1.0)
        top = np.argsort(-squares, kind="stable")[: min(MAX_ROWS, n_judged)]
        rows: list[list[Cell]] = [
            [
                int(self.numbers[i]),
                int(step.left_out[i]),
                short(step.oob_prediction[i]),
                short(self.y[i]),
                short(squares[i]),
            ]
            for i in top
        ]
        total = num4(squares[is_judged].sum())
        judged = count(n_judged, "row", "rows")
        return [
            numbered_table(
                ("row", "trees without it", "ŷ of these", "y", "(y − ŷ)²"),
                rows,
                "Largest out-of-bag errors",
            ),
            Formula(
                f"out-of-bag error = Σ (y − ŷ)² / n = {total} / {n_judged} ="
                f" {num4(step.oob_error)} over {judged} left out at least once"
            ),
        ]
