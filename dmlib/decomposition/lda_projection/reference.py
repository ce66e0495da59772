"""Fisher's axes by scikit-learn, and his ratios by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.lda_classifier.algorithm import LinearDiscriminantAnalysis
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

EQUAL = 1e-9  # share of the largest eigenvalue up to which two count as equal


def fit_discriminant_analysis(
    X: Floats, y: NDArray[np.intp], scalings: Floats, n_components: int | None
) -> Any:
    """Fit scikit-learn's discriminant analysis; its axes point where ours do."""
    from scipy import linalg
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    reference = LinearDiscriminantAnalysis(n_components=n_components, store_covariance=True)
    reference.fit(X, y)
    if reference.scalings_.shape == scalings.shape:
        reference.scalings_ *= np.sign((reference.scalings_ * scalings).sum(axis=0))
    # Fisher's ratios are the eigenvalues of the scatter between the classes by that within.
    within = reference.covariance_
    between = np.atleast_2d(np.cov(X.T, bias=True)) - within
    ratios = np.sort(linalg.eigvals(linalg.pinv(within) @ between).real)[::-1]
    reference.eigenvalues_ = ratios[: min(len(reference.classes_) - 1, X.shape[1])]
    return reference


def lda_projection_reference(run: Run[Problem, LinearDiscriminantAnalysis]) -> Reference:
    """Return the same axes by scikit-learn, where they are unique."""
    values = np.append(run.fitted.eigenvalues_, 0.0)
    if len(values) == 1 or (-np.diff(values) <= EQUAL * values[0]).any():
        raise Incomparable(
            "two eigenvalues are equal or zero, so that any axis of their plane would do."
        )
    n_components = run.model.n_components
    return Reference(
        fit_discriminant_analysis, "X", "y", "model.scalings_", n_components=n_components
    )
