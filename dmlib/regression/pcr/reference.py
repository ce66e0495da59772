"""The same regressions by scikit-learn, and the code that fits them."""

from __future__ import annotations

from typing import Any

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.regression.pcr.algorithm import PLSRegression


def pcr_reference(run: Run) -> Any:
    """Return scikit-learn's answers: its components with least squares on their scores, or its PLS.

    Raises
    ------
    Incomparable
        If a column is constant, or there are fewer components than were asked for.
    """
    import numpy as np
    from sklearn.cross_decomposition import PLSRegression as Theirs
    from sklearn.decomposition import PCA
    from sklearn.linear_model import LinearRegression

    model, learned = run.fitted, run.problem.training
    X, y = np.asarray(learned.X, float), np.asarray(learned.y, float)
    k = model.n_components_
    if k < min(run.model.n_components, X.shape[1]) or np.ptp(X, axis=0).min() == 0 or not k:
        raise Incomparable("the columns vary in fewer directions than there are columns.")
    if isinstance(model, PLSRegression):
        theirs = Theirs(k, scale=run.model.scale, tol=1e-14, max_iter=10_000).fit(X, y)
        return Answers("sklearn.cross_decomposition.PLSRegression", {"coef_": theirs.coef_.ravel()})
    Z = (X - model.mean_) / model.scale_
    components = PCA(k, svd_solver="full").fit(Z)
    slopes = LinearRegression().fit(components.transform(Z), y).coef_
    values = {
        "coef_": slopes @ components.components_ / model.scale_,
        "explained_variance_ratio_": components.explained_variance_ratio_,
    }
    return Answers("sklearn.decomposition.PCA and sklearn.linear_model.LinearRegression", values)


def pcr_code(run: Run) -> str:
    """Return code that fits scikit-learn's equivalent as ``reference`` to ``X`` and ``y``."""
    k, scale = run.model.n_components, run.model.scale
    if type(run.model) is PLSRegression:
        made = f"cross_decomposition.PLSRegression(min({k}, X.shape[1]), scale={scale})"
        return f"""
# The same with scikit-learn
from sklearn import cross_decomposition

reference = {made}
reference.fit(X, y)
reference.r2_ = reference.score(X, y)
"""
    scaler = ", preprocessing.StandardScaler()" if scale else ""
    parts = f"pipeline.make_pipeline({scaler[2:] + ', ' if scaler else ''}decomposition.PCA(k), "
    return f"""
# The same with scikit-learn: components, then least squares on their scores
from sklearn import decomposition, linear_model, pipeline, preprocessing

k = min({k}, X.shape[1], len(X) - 1)
reference = {parts}linear_model.LinearRegression())
reference.fit(X, y)
reference.r2_ = reference.score(X, y)
"""
