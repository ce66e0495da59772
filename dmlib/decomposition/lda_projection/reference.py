"""The same axes by scikit-learn, and the code that finds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

EQUAL = 1e-9  # share of the largest eigenvalue up to which two count as equal


def lda_projection_reference(run: Run) -> Any:
    """Return scikit-learn's discriminant analysis, fitted to ``X, y``, with its axes pointing where ours do."""
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as Reference

    fitted = run.fitted
    values = np.append(fitted.eigenvalues_, 0.0)
    if not len(values) > 1 or (-np.diff(values) <= EQUAL * values[0]).any():
        raise Incomparable(
            "two eigenvalues are equal or zero, so that any axis of their plane would do."
        )
    reference = Reference(**model.get_params()).fit(X, y)
    if reference.scalings_.shape == fitted.scalings_.shape:
        reference.scalings_ = reference.scalings_ * np.sign(
            (reference.scalings_ * fitted.scalings_).sum(axis=0)
        )
    return reference


def lda_projection_code(run: Run) -> str:
    """Return code that fits scikit-learn's discriminant analysis as ``reference`` to ``X, y``, after ``model``."""
    axes = "" if run.model.n_components is None else f", n_components={run.model.n_components}"
    return f"""
# The same with scikit-learn; an axis may point the other way. Fisher's ratios are SciPy's
# generalised eigenvalues.
import numpy as np
from scipy import linalg
from sklearn import discriminant_analysis

reference = discriminant_analysis.LinearDiscriminantAnalysis(store_covariance=True{axes})
reference.fit(X, y)
within = reference.covariance_
ratios = linalg.eigvalsh(np.atleast_2d(np.cov(X.T, bias=True)) - within, within)[::-1]
reference.eigenvalues_ = ratios[: min(len(reference.classes_) - 1, X.shape[1])]
"""
