"""Discriminant analysis by scikit-learn, or by SciPy's normal densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from dmlib.classification.discriminant import Discriminant
from dmlib.classification.lda_classifier.quadratic import RegularizedDiscriminantAnalysis
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_linear(X: Floats, y: Any, solver: str, shrinkage: Any, tol: float, priors: Any) -> Any:
    """Fit scikit-learn's linear discriminant analysis."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    reference = LinearDiscriminantAnalysis(
        solver=solver, shrinkage=shrinkage, tol=tol, priors=priors
    )
    return reference.fit(X, y)


def fit_quadratic(
    X: Floats, y: Any, solver: str, shrinkage: Any, reg_param: float, tol: float, priors: Any
) -> Any:
    """Fit scikit-learn's quadratic discriminant analysis."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    reference = QuadraticDiscriminantAnalysis(
        solver=solver, shrinkage=shrinkage, reg_param=reg_param, tol=tol, priors=priors
    )
    return reference.fit(X, y)


def fit_densities(X: Floats, y: Any, matrices: Sequence[Floats], priors: Any) -> Answers:
    """Return the means and the posterior of SciPy's normal densities with these matrices."""
    from scipy.special import softmax
    from scipy.stats import multivariate_normal

    from dmlib.comparison import Answers

    classes, counts = np.unique(y, return_counts=True)
    means = np.array([X[y == c].mean(axis=0) for c in classes])
    densities = [
        multivariate_normal(mean, matrix, allow_singular=True)
        for mean, matrix in zip(means, matrices, strict=True)
    ]

    def predict_proba(X: Floats) -> Floats:
        logs = [np.reshape(density.logpdf(X), len(X)) for density in densities]
        joint = np.column_stack(logs) + np.log(counts / counts.sum() if priors is None else priors)
        shares: Floats = softmax(joint, axis=1)
        return shares

    answers = {"means_": means, "predict_proba": predict_proba}
    return Answers("scipy.stats.multivariate_normal", answers)


def fit_diagonal(X: Floats, y: Any, pooled: bool, priors: Any) -> Answers:
    """Compute normal densities with the variances of the classes, by SciPy."""
    classes, counts = np.unique(y, return_counts=True)
    variances = np.array([X[y == c].var(axis=0) for c in classes])
    if pooled:
        variances[:] = np.average(variances, axis=0, weights=counts)
    return fit_densities(X, y, [np.diag(row) for row in variances], priors)


def class_covariance(rows: Floats, ledoit_wolf: bool) -> Floats:
    """Return the covariance matrix of a class, estimated by Ledoit and Wolf from unit variances."""
    from sklearn.covariance import LedoitWolf

    if not ledoit_wolf:
        return np.atleast_2d(np.cov(rows.T, bias=True))
    unit = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    covariance: Floats = LedoitWolf().fit(rows / unit).covariance_ * np.outer(unit, unit)
    return covariance


def fit_regularised(X: Floats, y: Any, pooling: float, gamma: Any, priors: Any) -> Answers:
    """Compute normal densities with pooled and shrunk covariance matrices, by SciPy."""
    classes, counts = np.unique(y, return_counts=True)
    matrices = [class_covariance(X[y == c], gamma == "auto") for c in classes]
    pooled = np.average(matrices, axis=0, weights=counts)
    own = (1 - pooling) * counts / ((1 - pooling) * counts + pooling * counts.sum())
    for k, share in enumerate(own):
        matrices[k] = share * matrices[k] + (1 - share) * pooled
        if gamma != "auto":
            variance = np.trace(matrices[k]) / X.shape[1]
            matrices[k] = (1 - gamma) * matrices[k] + gamma * variance * np.eye(X.shape[1])
    return fit_densities(X, y, matrices, priors)


def lda_reference(run: Run[Problem, Discriminant]) -> Reference:
    """Return the same probabilities by scikit-learn or, where it has no equivalent, by SciPy.

    Raises
    ------
    dmlib.comparison.Incomparable
        If they cannot estimate a covariance matrix.
    """
    model = run.model
    if isinstance(model, LinearDiscriminantAnalysis):
        return _fitted(
            run,
            fit_linear,
            solver=model.solver,
            shrinkage=model.shrinkage,
            tol=model.tol,
            priors=model.priors,
        )
    if isinstance(model, QuadraticDiscriminantAnalysis):
        return _fitted(
            run,
            fit_quadratic,
            solver=model.solver,
            shrinkage=model.shrinkage,
            reg_param=model.reg_param,
            tol=model.tol,
            priors=model.priors,
        )
    if np.unique(np.asarray(run.problem.training.y), return_counts=True)[1].min() < 2:
        raise Incomparable("SciPy and scikit-learn estimate no covariance matrix from one row.")
    if isinstance(model, DiagonalDiscriminantAnalysis):
        return Reference(
            fit_diagonal,
            "X",
            "y",
            helpers=(fit_densities,),
            pooled=model.pooled,
            priors=model.priors,
        )
    assert isinstance(model, RegularizedDiscriminantAnalysis)
    return Reference(
        fit_regularised,
        "X",
        "y",
        helpers=(fit_densities, class_covariance),
        pooling=model.pooling,
        gamma=model.gamma,
        priors=model.priors,
    )


def _fitted(run: Run[Problem, Discriminant], function: Any, **params: Any) -> Reference:
    """Return a reference of scikit-learn, after checking that it can be fitted."""
    reference = Reference(function, "X", "y", **params)
    try:
        reference.answer(run)
    except np.linalg.LinAlgError:
        raise Incomparable(
            "scikit-learn takes a covariance matrix as singular whose units are small."
        ) from None
    return reference
