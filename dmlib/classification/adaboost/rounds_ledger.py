"""Boosting in words and numbers: the start, the rounds, and the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.classification.staged_ledger import last_error_table
from dmlib.pictures.ledger import Blocks
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
    errors : mapping of str to ndarray of shape (n_steps,)
        The errors after each step: "training" and, where rows are held out, "test".
    query : Query or None
        The place or sample that is asked about.
    """

    def __init__(
        self,
        problem: Problem,
        model: AdaBoostClassifier | GradientBoostingClassifier,
        steps: Sequence[Any],
        errors: Mapping[str, Floats],
        query: Query | None,
    ) -> None:
        self.problem, self.model, self.steps, self.query = problem, model, steps, query
        self.errors, self.training = errors, errors["training"]
        self.rows = problem.rows[problem.trained] + 1
        self.names = [problem.classes[code] for code in model.classes_]
        self.codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        if moment.index:
            caption, ledger = self._round(moment.step, moment.index)
        else:
            caption, ledger = self._start(moment.step)
        if moment.is_last:
            ledger.append(last_error_table(self.problem, self.errors))
        return caption, [*ledger, *self._query(moment.index)]

    def conditions(self, tree: Tree) -> list[str]:
        """Return the condition of each branch of the first test of a tree, as text."""
        split = tree.splits.split(0)
        assert split is not None
        name = self.problem.features[split.column]
        values = self.problem.categories.get(split.column)
        texts = split.conditions(name, values, x=self.problem.X[:, split.column], digits=4)
        return [text.replace("<=", "≤") for text in texts]

    def _start(self, step: Any) -> tuple[str, Blocks]:
        raise NotImplementedError

    def _round(self, step: Any, number: int) -> tuple[str, Blocks]:
        raise NotImplementedError

    def _query(self, number: int) -> Blocks:
        """Return the prediction of the trees so far for the query."""
        raise NotImplementedError
