"""Ellipses of normal distributions, in the plane of a picture."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.problem import Problem

FLAT = 0.35  # half height of an ellipse where there is one column only


def ellipses(problem: Problem, matrices: Floats) -> tuple[Floats, Floats, Floats]:
    """Return semi-axes and angles of one-standard-deviation ellipses of covariance matrices.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0]}), ["a", "b"])
    >>> sides = ellipses(problem, np.array([[[4.0, 0.0], [0.0, 1.0]]]))[:2]
    >>> [side.round(3).tolist() for side in sides]
    [[2.0], [1.0]]
    """
    if not len(matrices):
        return np.empty(0), np.empty(0), np.empty(0)
    basis = problem.plane.basis
    values, vectors = np.linalg.eigh(basis @ matrices @ basis.T)
    long, short = np.sqrt(np.maximum(values[:, ::-1], 0)).T
    if len(problem.features) == 1:
        return long, np.full_like(long, FLAT), np.zeros_like(long)
    return long, short, np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1])
