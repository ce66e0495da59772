"""The same question as the Gaussian mixture put to scikit-learn, and the code that puts it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.gaussian_mixture.algorithm import GaussianMixture
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import MATRICES, Mixture
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def starting_mixture(model: GaussianMixture, X: ArrayLike) -> Mixture:
    """Return the weights, means and covariances from which the restart began that ``model`` keeps.

    Where a component collapsed later and was started anew, which scikit-learn does not do: those
    after the last time.

    Examples
    --------
    >>> starting_mixture(GaussianMixture(1), [[0.0], [2.0]]).means.tolist()
    [[1.0]]
    """
    return cast(Mixture, _started(_kept_restart(model, X))[-1].mixture)


def _kept_restart(model: GaussianMixture, X: ArrayLike) -> list[GaussianMixtureStep]:
    steps = list(model.steps(X))
    return [step for step in steps if step.restart == steps[-1].restart]


def _started(steps: Sequence[GaussianMixtureStep]) -> list[GaussianMixtureStep]:
    """Return the steps of the start, and those at which components were started anew."""
    return [step for step in steps if step.iteration == 0 or step.phase == "reset"]


def precisions(mixture: Mixture) -> Any:
    """Return the inverses of the covariances, in the form that scikit-learn takes.

    Examples
    --------
    >>> precisions(Mixture("spherical", np.ones(1), np.zeros((1, 2)), np.array([4.0]))).tolist()
    [0.25]
    """
    factors = mixture.factors
    return (
        factors @ np.swapaxes(factors, -1, -2)
        if mixture.covariance_type in MATRICES
        else factors**2
    )


def gaussian_mixture_reference(run: Run) -> Any:
    """Return scikit-learn's GaussianMixture, fitted to ``X`` from the same start."""
    model, X = run.model, run.problem.X
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture as Reference

    *_, last = _started(_kept_restart(model, X))
    if last.iteration:
        raise Incomparable(
            "a component collapsed and was started again, which scikit-learn does not do."
        )
    start = cast(Mixture, last.mixture)
    reference = Reference(
        model.n_components,
        covariance_type=model.covariance_type,
        weights_init=start.weights / start.weights.sum(),
        means_init=start.means,
        precisions_init=precisions(start),
        tol=model.tol,
        reg_covar=model.reg_covar,
        max_iter=model.max_iter,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            reference.fit(X)
        except ValueError:
            raise Incomparable("a covariance became singular, where scikit-learn stops.") from None
    reference.log_likelihood_ = reference.score_samples(X).sum()
    return reference


def gaussian_mixture_code(run: Run) -> str:
    """Return code that fits scikit-learn's GaussianMixture as ``reference`` to ``X``, after ``model``."""
    model = run.model
    return f"""
# The same with scikit-learn, from the same start
from sklearn import mixture

from dmlib.clustering.gaussian_mixture.reference import precisions, starting_mixture

start = starting_mixture(model, X)
reference = mixture.GaussianMixture(
    {model.n_components},
    covariance_type={model.covariance_type!r},
    weights_init=start.weights / start.weights.sum(),
    means_init=start.means,
    precisions_init=precisions(start),
    tol={model.tol!r},
    reg_covar={model.reg_covar!r},
    max_iter={model.max_iter},
)
reference.fit(X)
reference.log_likelihood_ = reference.score_samples(X).sum()
"""
