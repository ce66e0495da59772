"""Hits on the target: their mean is the bias, their scatter the variance, as in the simulation."""

import numpy as np
import pytest

from dmlib.evaluation.bias_variance.figures.target import AIMS, plot_targets, targets_data
from tests.visit import open_settings


@pytest.mark.parametrize(
    ("model", "settings"), [("polynomial", {"degree": 4}), ("knn", {"n_neighbors": 7})]
)
def test_hits_have_the_bias_and_the_variance_of_the_simulation(model, settings):
    run, _ = open_settings("bias_variance", model=model, **settings)
    simple, chosen, complex_ = targets_data(run)
    fitted = run.fitted
    assert chosen.hits == pytest.approx((fitted.curves_ - fitted.truth_)[:, AIMS])
    assert chosen.middle == pytest.approx((fitted.mean_curve_ - fitted.truth_)[list(AIMS)])
    assert np.hypot(*simple.middle) > np.hypot(*chosen.middle)
    assert simple.hits.var(axis=0).sum() < complex_.hits.var(axis=0).sum()
    figure = plot_targets((simple, chosen, complex_))
    hits = [trace for trace in figure.data if trace.mode == "markers"]
    assert [len(trace.x) for trace in hits] == [len(chosen.hits)] * 3
    assert str(settings[next(iter(settings))]) in figure.layout.annotations[1].text


def test_classes_are_aimed_at_by_their_probabilities():
    run, _ = open_settings("bias_variance", loss="zero_one", degree=1)
    _, chosen, _ = targets_data(run)
    assert len(np.unique(chosen.hits)) > 10
