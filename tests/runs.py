"""Runs for tests of what needs a run, but not its steps."""

from dataclasses import replace

import numpy as np

from dmlib.pictures.run import Run
from dmlib.problem import Problem, plane
from dmlib.trace import Trace


def run_of(model, data, y=None, **settings):
    """Return a run without steps of an estimator on a problem or on an array."""
    if not isinstance(data, Problem):
        X = np.asarray(data, float)
        names = tuple(f"c{j}" for j in range(X.shape[1]))
        codes = None if y is None else np.unique(y, return_inverse=True)[1]
        classes = () if y is None else tuple(map(str, np.unique(y)))
        data = Problem(
            X, names, plane(X, names), np.arange(len(X)), codes, classes, labelled=y is not None
        )
    return Run(data, Trace(model, (), True, "", 0.0), **settings)


def stopped(run, n):
    """Return a run as if it had been stopped after some steps."""
    return replace(run, trace=Trace(run.model, run.trace.steps[:n], False, "You stopped.", 0.0))
