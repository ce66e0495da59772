"""Regression on components by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.pcr.algorithm import PLSRegression


def fit_pcr(X: Floats, y: Floats, n_components: int, scale: bool) -> Answers:
    """Fit scikit-learn's least squares to the scores of its principal components."""
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LinearRegression

    from dmlib.comparison import Answers

    spread = X.std(axis=0, ddof=1) if scale else np.ones(X.shape[1])
    pca = PCA(n_components, svd_solver="full")
    scores = pca.fit_transform((X - X.mean(axis=0)) / spread)
    regression = LinearRegression().fit(scores, y)
    values = {
        "coef_": regression.coef_ @ pca.components_ / spread,
        "r2_": regression.score(scores, y),
        "explained_variance_ratio_": pca.explained_variance_ratio_,
    }
    return Answers("sklearn.decomposition.PCA and sklearn.linear_model.LinearRegression", values)


def fit_pls(X: Floats, y: Floats, n_components: int, scale: bool) -> Answers:
    """Fit scikit-learn's partial least squares."""
    from sklearn.cross_decomposition import PLSRegression

    from dmlib.comparison import Answers

    regression = PLSRegression(n_components, scale=scale, tol=1e-14, max_iter=10_000).fit(X, y)
    values = {"coef_": regression.coef_.ravel(), "r2_": regression.score(X, y)}
    return Answers("sklearn.cross_decomposition.PLSRegression", values)


def pcr_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same regression by scikit-learn.

    Raises
    ------
    Incomparable
        If a column is constant, or the columns have fewer components than were asked for.
    """
    model = run.fitted
    X = np.asarray(run.problem.training.X, float)
    n_components = model.n_components_
    n_expected = min(run.model.n_components, X.shape[1])
    if n_components < max(n_expected, 1) or np.ptp(X, axis=0).min() == 0:
        raise Incomparable("the columns vary in fewer directions than there are columns.")
    fit = fit_pls if isinstance(model, PLSRegression) else fit_pcr
    return Reference(fit, "X", "y", n_components=n_components, scale=run.model.scale)
