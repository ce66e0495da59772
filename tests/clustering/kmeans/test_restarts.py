import numpy as np
import pytest
from sklearn.datasets import make_blobs

from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.figures.restarts import plot_restarts, restarts_data
from dmlib.trace import run


@pytest.fixture
def X():
    return make_blobs(100, centers=6, random_state=1)[0]


def test_the_best_is_the_one_that_the_algorithm_keeps(X):
    model = KMeans(6, init="random", n_init=8, random_state=3)
    data = restarts_data(run(model, X))
    assert len(data.curves) == 8
    assert data.finals[data.best] == model.fit(X).inertia_ == data.finals.min()
    for curve, final in zip(data.curves, data.finals, strict=True):
        assert (np.diff(curve) <= 1e-9 * curve[0]).all()
        assert curve[-1] == pytest.approx(final)


@pytest.mark.parametrize("max_steps", range(1, 40, 3))
def test_any_part_of_a_trace_can_be_drawn(X, max_steps):
    data = restarts_data(run(KMeans(3, n_init=4, random_state=0), X, max_steps=max_steps))
    assert (data.best is None) == bool(np.isnan(data.finals).all())
    figure = plot_restarts(data)
    if np.isnan(data.finals).any() and len(data.finals) > 1 and data.best is not None:
        assert "did not end" in figure.layout.title.text


def test_one_restart_is_drawn_with_advice(X):
    figure = plot_restarts(restarts_data(run(KMeans(3, random_state=0), X)))
    assert "Restarts above 1" in figure.layout.title.text.replace("<br>", " ")


def test_figure_counts_how_often_the_best_was_reached(X):
    data = restarts_data(run(KMeans(6, init="random", n_init=10, random_state=0), X))
    reached = int(np.isclose(data.finals, data.finals.min(), rtol=1e-9).sum())
    text = plot_restarts(data).layout.title.text.replace("<br>", " ")
    assert ("once" if reached == 1 else f"{reached} times") in text
    assert f"{data.finals.min():.6g}" in text


def test_every_final_is_drawn_once_and_the_best_has_its_own_symbol(X):
    data = restarts_data(run(KMeans(6, init="random", n_init=10, random_state=0), X))
    strips = [trace for trace in plot_restarts(data).data if trace.mode == "markers"]
    assert sorted(np.concatenate([trace.x for trace in strips])) == list(range(1, 11))
    assert (
        len({trace.marker.symbol for trace in strips})
        == len({trace.marker.color for trace in strips})
        == 2
    )


def test_a_hundred_restarts_stay_small(X):
    data = restarts_data(run(KMeans(6, n_init=100, random_state=0), X, max_steps=2000))
    assert len(plot_restarts(data).to_json()) < 40_000
