import numpy as np
import pytest
from sklearn import cluster
from sklearn.datasets import make_blobs

from dmlib.clustering import DBSCAN, OPTICS
from dmlib.clustering.dbscan.figures.eps_sweep import eps_sweep_data
from dmlib.clustering.optics.figures.cut_sweep import cut_sweep_data
from dmlib.clustering.radius_figures import plot_eps_sweep


@pytest.fixture
def X():
    return make_blobs(120, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)[0]


def between(data):
    """Return a radius in each of some ranges, with its number of clusters and share of noise."""
    middles = (data.eps[:-1] + data.eps[1:]) / 2
    return list(zip(middles, data.n_clusters[:-1], data.noise[:-1], strict=True))[::7]


@pytest.mark.parametrize(
    ("min_samples", "metric"), [(1, "euclidean"), (4, "manhattan"), (9, "chebyshev")]
)
@pytest.mark.parametrize("outlier", [0.0, 90.0])
def test_numbers_are_those_of_scikit_learn(X, min_samples, metric, outlier):
    rows = np.vstack([X, [[outlier, outlier]]])
    data = eps_sweep_data(DBSCAN(0.8, min_samples=min_samples, metric=metric), rows)
    for eps, n_clusters, noise in between(data):
        labels = cluster.DBSCAN(eps=eps, min_samples=min_samples, metric=metric).fit_predict(rows)
        assert n_clusters == labels.max() + 1
        assert noise == pytest.approx((labels == -1).mean())
    assert (data.current, data.name) == (0.8, "eps")


def test_cuts_are_those_of_scikit_learn(X):
    data = cut_sweep_data(OPTICS(6).fit(X), 1.5)
    reference = cluster.OPTICS(min_samples=6).fit(X)
    curve = {
        name: getattr(reference, f"{name}_")
        for name in ("reachability", "core_distances", "ordering")
    }
    for eps, n_clusters, noise in between(data):
        labels = cluster.cluster_optics_dbscan(**curve, eps=eps)
        assert n_clusters == labels.max() + 1
        assert noise == pytest.approx((labels == -1).mean())
    assert (data.current, data.name) == (1.5, "cut")


def test_the_widest_range_has_the_four_groups(X):
    for data in (eps_sweep_data(DBSCAN(0.8), X), cut_sweep_data(OPTICS(5).fit(X), "auto")):
        number, low, high = data.widest
        assert number == 4
        inside = (low <= data.eps) & (data.eps < high)
        assert (data.n_clusters[inside] == 4).all()
    assert low < data.current < high


def test_figure_says_what_is_found(X):
    data = eps_sweep_data(DBSCAN(1.0), X)
    figure = plot_eps_sweep(data)
    clusters, noise = figure.data
    np.testing.assert_array_equal(clusters.y, data.n_clusters)
    np.testing.assert_array_equal(noise.y, 100 * data.noise)
    assert "gives 4 clusters." in figure.layout.title.text.replace("<br>", " ")
    assert len(figure.layout.shapes) == 2, "the current radius in both parts"


def test_a_radius_beyond_the_curves_has_no_line(X):
    assert not plot_eps_sweep(eps_sweep_data(DBSCAN(1000.0), X)).layout.shapes


def test_an_outlier_does_not_press_the_curves_together(X):
    figure = plot_eps_sweep(eps_sweep_data(DBSCAN(1.0), np.vstack([X, [[900.0, 900.0]]])))
    assert figure.layout.xaxis.range[1] < 20


@pytest.mark.parametrize(
    "X", [np.zeros((9, 2)), np.arange(9.0)[:, None]], ids=["equal rows", "one after the other"]
)
def test_no_two_clusters_anywhere(X):
    for data in (
        eps_sweep_data(DBSCAN(1.0, min_samples=3), X),
        cut_sweep_data(OPTICS(3).fit(X), "auto"),
    ):
        assert data.widest == (0, 0.0, 0.0)
        assert "gives two clusters" in plot_eps_sweep(data).layout.title.text.replace("<br>", " ")


def test_nothing_to_compare_is_told():
    with pytest.raises(ValueError, match=r"needs 5 rows, and there are 2\. Lower"):
        eps_sweep_data(DBSCAN(), [[0.0], [1.0]])
    with pytest.warns(UserWarning, match="All reachability values are inf"):
        model = OPTICS(2, max_eps=0.5).fit([[0.0], [1.0]])
    with pytest.raises(
        ValueError, match=r"No two rows are within the radius.* Choose a larger radius\."
    ):
        cut_sweep_data(model, "auto")
