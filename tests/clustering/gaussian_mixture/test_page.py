"""The page of Gaussian mixtures: its presets show what they say."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from dmlib.clustering import KMeans
from dmlib.clustering.gaussian_mixture.figures.mixture_sweep import mixture_sweep_data
from dmlib.pictures.words import brief
from dmlib.trace import run as trace_of
from tests.visit import linked, open_part, open_preset, sound, stage, visit, warnings, watched_runs


def run_of(title, **link_values):
    """Open a preset as a link with other values; return the run, captions, and what to look for."""
    run, scene, look_for = open_preset("gaussian_mixture", title, **link_values)
    return run, [frame["caption"] for frame in scene["frames"]], look_for


def bic(run):
    return run.fitted.bic(run.problem.X)


def likelihood(run):
    return run.trace.steps[-1].log_likelihood


def agreement(run):
    return adjusted_rand_score(run.problem.y, run.fitted.labels_)


def agreement_of_kmeans(run):
    k = len(run.problem.classes)
    return adjusted_rand_score(
        run.problem.y, KMeans(k, n_init=10, random_state=0).fit(run.problem.X).labels_
    )


def minus(value):
    return f"{value:.2f}".replace("-", "−")


@pytest.mark.parametrize("max_iter", [0, 2, 100])
def test_the_headline_is_the_likelihood_of_the_parameters_that_are_shown(max_iter):
    """The formula with the fitted parameters gives the number beside the picture."""
    link = {"gaussian_mixture.max_iter": str(max_iter), "gaussian_mixture.n_init": "2"}
    with watched_runs() as runs:
        page = sound(visit("gaussian_mixture", **link))
    run = runs[-1]
    densities = sum(
        weight * multivariate_normal(mean, covariance).pdf(run.problem.X)
        for weight, mean, covariance in zip(
            run.fitted.weights_, run.fitted.means_, run.fitted.covariances_, strict=True
        )
    )
    total = np.log(densities).sum()
    assert run.fitted.log_likelihood_ == pytest.approx(total)
    headline = {"label": "Log-likelihood", "text": brief(total), "note": ""}
    assert headline in stage(page)["results"][-1]


def test_old_faithful():
    run, _, look_for = run_of("Old Faithful: two kinds of eruption")
    assert f"{bic(run):.2f}" in look_for
    assert mixture_sweep_data(clone(run.model), run.problem.X).sweep.best == ("full", 2)


def test_from_three_random_rows():
    run, captions, look_for = run_of("From three random rows")
    values = [step.log_likelihood for step in run.trace.steps]
    seen = [value for value in values if np.isfinite(value) and value > 2 * min(values[-3:])]
    assert f"in {run.fitted.n_iter_} iterations" in look_for
    assert f"from {seen[0]:.1f} to {seen[-1]:.1f}".replace("-", "−") in look_for
    assert not any("e+" in caption for caption in captions)  # a bound far below is not told
    leaning, _, _ = run_of("Three that lean alike")
    assert likelihood(run) == pytest.approx(likelihood(leaning), abs=0.05)


def test_leaning_groups():
    run, _, look_for = run_of("Three that lean alike")
    tied, _, _ = run_of("Three that lean alike", covariance_type="tied")
    round_, _, _ = run_of("Three that lean alike", covariance_type="spherical")
    assert agreement_of_kmeans(run) < 0.5
    assert min(agreement(run), agreement(tied)) > 0.9
    assert agreement(round_) < 0.6
    assert f"falls from {bic(run):.1f} to {bic(tied):.1f}" in look_for


def test_unequal_densities():
    run, *_ = run_of("A tight group beside a loose one")
    variances = run.fitted.covariances_
    assert variances.max() > 10 * variances.min()
    assert agreement(run) > agreement_of_kmeans(run) + 0.05


def test_units():
    run, *_ = run_of("Circles, where units differ")
    standardised, *_ = run_of("Circles, where units differ", scaling="z-score")
    assert run.fitted.covariances_.min() > run.problem.X[:, 0].var() * 100
    assert agreement(standardised) > agreement(run) + 0.2


def test_an_outlier():
    run, captions, _ = run_of("A component for one outlier")
    assert run.fitted.weights_[0] == pytest.approx(1 / len(run.problem.X), rel=1e-3)
    assert (
        "variance of component 1 is reg_covar, 1e−06; without that it could collapse."
        in captions[-1]
    )
    smaller, *_ = run_of("A component for one outlier", reg_covar=1e-8)
    assert likelihood(smaller) > likelihood(run) + 1


def test_collapse():
    run, captions, _ = run_of("Collapse")
    restarts = [caption for caption in captions if "starts anew" in caption]
    assert "Component 1 had collapsed" in restarts[0]
    assert "at row " in restarts[-1]
    assert run.fitted.converged_


def test_a_short_walk():
    run, _, look_for = run_of("Random shares, and a short walk")
    assert run.fitted.n_iter_ == 2
    assert f"ends at {minus(likelihood(run))}" in look_for
    patient, *_ = run_of("Random shares, and a short walk", tol=0)
    assert f"continues to {minus(likelihood(patient))}" in look_for


def test_moons():
    run, _, look_for = run_of("Two moons")
    assert agreement(run) < 0.5
    assert "smallest for five" in look_for
    assert mixture_sweep_data(clone(run.model), run.problem.X).sweep.best[1] == 5


def test_restarts_can_be_looked_at():
    link = linked("gaussian_mixture", {"init": "random", "n_init": 3})
    page = sound(visit("gaussian_mixture", **link))
    with watched_runs() as runs:
        second_restart = sound(
            visit("gaussian_mixture", **link, **{"gaussian_mixture.restart": "1"})
        )
    assert warnings(second_restart) == []
    best_restart = trace_of(runs[-1].model, runs[-1].problem.X).steps[-1].restart
    assert (stage(page)["frames"] == stage(second_restart)["frames"]) == (
        best_restart == runs[-1].restart
    )


def test_data_without_classes_say_so_where_classes_are_compared():
    page = visit("gaussian_mixture", source="library", data="faithful")
    sound(open_part(page, **{"gaussian_mixture.tab": "Known classes"}))
    assert any(
        "no known classes" in text.value for text in [*page.info, *page.warning, *page.caption]
    )
