"""Boosting in words and numbers: the start, the rounds, and the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.regions import error_table
from dmlib.pictures.story import Moment
from dmlib.problem import Problem, Query
from dmlib.trees.tree import Tree


class RoundsNarrator:
    """Captions and ledgers of boosting.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : classifier
        Fitted to the training samples.
    steps : sequence
        The whole run.
    training : ndarray of shape (n_steps,)
        The training error after each step.
    query : Query or None
        The place or sample that is asked about.
    """

    def __init__(
        self,
        problem: Problem,
        model: Any,
        steps: Sequence[Any],
        training: Floats,
        query: Query | None,
    ) -> None:
        self.problem, self.model, self.steps, self.training, self.query = (
            problem,
            model,
            steps,
            training,
            query,
        )
        self.rows = problem.rows[problem.trained] + 1
        self.names = [problem.classes[code] for code in model.classes_]
        self.codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        caption, ledger = self._round(now.step, now.index) if now.index else self._start(now.step)
        if now.is_last:
            ledger.append(error_table(self.problem, self.model))
        return caption, [*ledger, *self._query(now.index)]

    def conditions(self, tree: Tree) -> list[str]:
        """Return the condition of each branch of the first test of a tree, as text."""
        split = tree.splits.split(0)
        assert split is not None
        name, values = (
            self.problem.features[split.column],
            self.problem.categories.get(split.column),
        )
        texts = split.conditions(name, values, x=self.problem.X[:, split.column], digits=4)
        return [text.replace("<=", "≤") for text in texts]

    def _start(self, step: Any) -> tuple[str, Blocks]:
        raise NotImplementedError

    def _round(self, step: Any, number: int) -> tuple[str, Blocks]:
        raise NotImplementedError

    def _query(self, number: int) -> Blocks:
        """Return what the trees so far predict for the query."""
        raise NotImplementedError
