import numpy as np
import pytest
from sklearn.cluster import KMeans as Reference
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.figures.k_sweep import k_sweep_data, knee, plot_k_sweep


@pytest.fixture
def X():
    centers = [[0, 0], [10, 0], [0, 10], [10, 10]]
    return make_blobs(120, centers=centers, cluster_std=0.6, random_state=0)[0]


def test_both_hints_find_four_separate_groups(X):
    data = k_sweep_data(KMeans(3, n_init=10, random_state=0), X)
    assert (data.current, data.knee, data.highest) == (3, 4, 4)
    assert data.sweep.k.tolist() == list(range(1, 11))


def test_numbers_agree_with_scikit_learn(X):
    data = k_sweep_data(KMeans(3, n_init=10, random_state=0), X)
    for k in (2, 3, 4):
        reference = Reference(k, n_init=20, random_state=1).fit(X)
        assert data.sweep.inertia[k - 1] == pytest.approx(reference.inertia_)
        assert data.sweep.silhouette[k - 1] == pytest.approx(silhouette_score(X, reference.labels_))


def test_current_k_has_the_numbers_of_the_model(X):
    model = KMeans(5, init="random", n_init=3, random_state=7).fit(X)
    assert k_sweep_data(model, X).sweep.inertia[4] == model.inertia_


def test_given_centres_are_left_out(X):
    model = KMeans(2, init=X[:2], random_state=0)
    expected = k_sweep_data(KMeans(2, random_state=0), X)
    np.testing.assert_array_equal(k_sweep_data(model, X).sweep.inertia, expected.sweep.inertia)


@pytest.mark.parametrize(
    ("X", "ks"),
    [
        ([[0.0], [1.0]], [1]),
        ([[0.0], [1.0], [5.0]], [1, 2]),
        ([[1.0, 1.0]] * 9, [1]),
        ([[0.0]] * 5 + [[1.0]] * 5, [1, 2]),
    ],
    ids=["two rows", "three rows", "all equal", "two distinct"],
)
def test_few_rows_give_few_k(X, ks):
    data = k_sweep_data(KMeans(1, random_state=0), X)
    assert data.sweep.k.tolist() == ks
    assert data.knee is None
    assert plot_k_sweep(data).layout.title.text


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        ([10, 2, 1, 0], 2),
        ([9, 6, 3, 0], None),
        ([9, 8, 6, 0], None),
        ([5, 5, 5, 5], None),
        ([9, 8, 2, 1], 3),
        ([9, 8], None),
        ([], None),
    ],
)
def test_knee(y, expected):
    assert knee(range(1, len(y) + 1), y) == expected


def test_figure_marks_the_hints_and_the_current_k(X):
    figure = plot_k_sweep(k_sweep_data(KMeans(3, n_init=5, random_state=0), X))
    assert [list(trace.marker.symbol).index("star") + 1 for trace in figure.data] == [4, 4]
    assert {shape.x0 for shape in figure.layout.shapes} == {3}
    assert "k = 4" in figure.layout.title.text
    assert len(figure.to_json()) < 40_000
