"""The Gaussian mixture by scikit-learn."""

from __future__ import annotations

from typing import Any, cast

from dmlib.arrays import Floats
from dmlib.clustering.gaussian_mixture.algorithm import GaussianMixture
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import IDENTITY, Mixture
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def starting_mixture(model: GaussianMixture, X: Floats) -> Mixture:
    """Return the weights, means and covariances from which the best restart began.

    Where a component collapsed later and was started anew, which scikit-learn does not do: those
    after the last time.

    Examples
    --------
    >>> starting_mixture(GaussianMixture(1), [[0.0], [2.0]]).means.tolist()
    [[1.0]]
    """
    return cast(Mixture, _last_start(model, X).mixture)


def _last_start(model: GaussianMixture, X: Floats) -> GaussianMixtureStep:
    """Return the last step of the best restart at which components were started."""
    steps = list(model.steps(X))
    starts = [step for step in steps if step.iteration == 0 or step.phase == "reset"]
    return [step for step in starts if step.restart == steps[-1].restart][-1]


def fit_gaussian_mixture(X: Floats, model: GaussianMixture, **params: Any) -> Any:
    """Fit scikit-learn's GaussianMixture from the same start."""
    import warnings

    from sklearn import exceptions, mixture

    from dmlib.clustering.gaussian_mixture.reference import starting_mixture
    from dmlib.comparison import Incomparable

    start = starting_mixture(model, X)
    reference = mixture.GaussianMixture(
        **params,
        weights_init=start.weights / start.weights.sum(),
        means_init=start.means,
        precisions_init=start.precisions,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", exceptions.ConvergenceWarning)
        try:
            reference.fit(X)
        except ValueError:
            raise Incomparable("a covariance became singular, where scikit-learn stops.") from None
    reference.log_likelihood_ = reference.score_samples(X).sum()
    return reference


def gaussian_mixture_reference(run: Run[Problem, GaussianMixture]) -> Reference:
    """Return the same run by scikit-learn.

    Raises
    ------
    Incomparable
        If a component collapsed, or the covariances are fixed.
    """
    model = run.model
    if model.covariance_type == IDENTITY:
        raise Incomparable("scikit-learn estimates every covariance; none is fixed there.")
    if _last_start(model, run.problem.X).iteration:
        raise Incomparable(
            "a component collapsed and was started again, which scikit-learn does not do."
        )
    names = ("n_components", "covariance_type", "tol", "reg_covar", "max_iter")
    params = {name: getattr(model, name) for name in names}
    return Reference(fit_gaussian_mixture, "X", "model", **params)
