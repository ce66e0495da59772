import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_blobs

from dmlib.clustering import GaussianMixture
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES
from dmlib.clustering.gaussian_mixture.reference import (
    fit_gaussian_mixture,
    gaussian_mixture_reference,
)
from dmlib.comparison import Incomparable
from tests.runs import run_of

X = make_blobs(120, 2, centers=3, cluster_std=2.0, random_state=3)[0]
NAMES = ("weights_", "means_", "covariances_", "log_likelihood_", "lower_bound_", "n_iter_")


@pytest.mark.parametrize("covariance_type", COVARIANCE_TYPES)
@pytest.mark.parametrize(
    "params",
    [{}, {"init": "random", "n_init": 3}, {"init": "k-means++"}],
    ids=["usual", "restarts", "rows"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_code_gives_what_the_reference_gives_and_both_agree(covariance_type, params):
    model = GaussianMixture(3, covariance_type=covariance_type, random_state=1, **params)
    run = run_of(model, X)
    reference = gaussian_mixture_reference(run).answer(run)
    scope = {"model": model.fit(X), "X": X}
    exec(gaussian_mixture_reference(run).code, scope)
    for name in NAMES:
        assert_allclose(getattr(scope["reference"], name), getattr(reference, name))
        assert_allclose(getattr(model, name), getattr(reference, name), rtol=1e-6, atol=1e-9)


def test_there_is_nothing_to_compare_where_a_component_started_anew():
    rows = np.vstack([X[:40], [[90.0, 90.0]]])
    model = GaussianMixture(3, reg_covar=0, random_state=0)
    assert any(step.phase == "reset" and step.iteration for step in model.steps(rows))
    with pytest.raises(Incomparable):
        gaussian_mixture_reference(run_of(model, rows))


def test_the_function_runs_from_where_it_last_started_anew():
    rows = np.vstack([X[:40], [[20.0, 20.0]]])
    model = GaussianMixture(4, reg_covar=0, random_state=2)
    model.fit(rows)
    assert any(step.phase == "reset" and step.iteration for step in model.steps(rows))
    reference = fit_gaussian_mixture(rows, model, n_components=4, reg_covar=0, tol=model.tol)
    assert_allclose(reference.means_, model.means_, rtol=1e-6)
