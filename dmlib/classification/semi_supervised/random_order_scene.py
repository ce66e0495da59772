"""The reference of active learning: labels that are asked for in a random order."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.classification.semi_supervised.active_learning import ActiveLearner
from dmlib.pictures.run import Run
from dmlib.problem import Problem

N_ORDERS = 5


def random_order_errors(run: Run[Problem, ActiveLearner]) -> Floats:
    """Return the number of labels and the mean error of random orders, shape (n_queries + 1, 2).

    They begin with the labels of the run, and what its reader asks for comes first in all. Empty
    where no label is hidden.
    """
    X, y = run.problem.training.arguments
    steps = [step for step in run.trace.steps if step.phase != "done"]
    if not len(steps[0].error):
        return np.empty((0, 2))
    hidden = np.flatnonzero(run.model.start(y).hidden)
    errors = []
    for seed in range(N_ORDERS):
        order = np.random.default_rng(seed).permutation(hidden).tolist()
        own = [*run.model.queries, *(row for row in order if row not in run.model.queries)]
        model = clone(run.model).set_params(queries=tuple(own[: len(hidden)]), n_queries=0)
        errors.append([step.error for _, step in zip(steps, model.steps(X, y), strict=False)])
    shares = np.array(errors, float)[:, :, 0].mean(axis=0) / steps[0].error[1]
    first = steps[0].n_labels
    return np.column_stack([first + np.arange(len(shares)), shares])
