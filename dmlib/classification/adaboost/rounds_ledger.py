"""What the ledgers of both kinds of boosting share: a start, rounds, and what is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.regions import error_table
from dmlib.pictures.scene import Frame
from dmlib.problem import Problem, Query
from dmlib.trees.tree import Tree


class RoundsTeller:
    """Tells in words and numbers what a round of boosting does.

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
        What is asked about.
    """

    def __init__(
        self, problem: Problem, model: Any, steps: Sequence[Any], training: Floats, query: Query | None
    ) -> None:
        self.problem, self.model, self.steps, self.training, self.query = problem, model, steps, training, query
        self.rows = problem.rows[problem.trained] + 1
        self.names = [problem.classes[code] for code in model.classes_]
        self.codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))

    def frame(self, number: int) -> Frame:
        """Return caption and ledger of a step."""
        step = self.steps[number]
        caption, ledger = self._start(step) if number == 0 else self._round(step, number)
        if number == len(self.steps) - 1:
            ledger.append(error_table(self.problem, self.model))
        return Frame(caption, [*ledger, *self._asked(number)], step.phase)

    def conditions(self, tree: Tree) -> list[str]:
        """Return the condition of each branch of the first test of a tree, as text."""
        split = tree.splits.split(0)
        assert split is not None
        name, values = self.problem.features[split.column], self.problem.categories.get(split.column)
        texts = split.conditions(name, values, x=self.problem.X[:, split.column], digits=4)
        return [text.replace("<=", "≤") for text in texts]

    def _start(self, step: Any) -> tuple[str, Blocks]:
        raise NotImplementedError

    def _round(self, step: Any, number: int) -> tuple[str, Blocks]:
        raise NotImplementedError

    def _asked(self, number: int) -> Blocks:
        """Write out what the trees so far say of what is asked about."""
        raise NotImplementedError
