import json
import re

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_samples, silhouette_score

from dmlib.clustering import KMeans
from dmlib.pictures.figures.silhouette import plot_silhouette, silhouette_data


@pytest.fixture
def X():
    return make_blobs(90, 3, centers=3, cluster_std=3, random_state=2)[0]


def test_values_are_scikit_learns_sorted_within_clusters(X):
    labels = KMeans(3, random_state=0).fit(X).labels_
    data = silhouette_data(X, labels)
    reference = silhouette_samples(X, labels)
    assert data.clusters == (0, 1, 2)
    assert sorted(np.concatenate(data.samples)) == list(range(90))
    for cluster, values, samples in zip(data.clusters, data.values, data.samples, strict=True):
        assert (labels[samples] == cluster).all()
        assert (np.diff(values) <= 0).all()
        np.testing.assert_allclose(values, reference[samples])
    assert data.mean == pytest.approx(silhouette_score(X, labels))


def test_a_cluster_of_one_row_has_silhouette_zero():
    data = silhouette_data([[0.0], [1.0], [50.0]], [0, 0, 1])
    assert data.values[1].tolist() == [0.0]


def test_many_rows_are_sampled_and_the_figure_says_so():
    X, labels = make_blobs(500, random_state=0)
    data = silhouette_data(X, labels, max_rows=100)
    assert sum(map(len, data.values)) == 100
    assert data.n_samples == 500
    assert "sample of 100 of" in re.sub(
        "<[^>]*>", " ", plot_silhouette(data).layout.title.text
    ).replace("  ", " ").replace("  ", " ")


@pytest.mark.parametrize(
    ("labels", "says"),
    [([0, 0, 0], "only one"), ([0, 1, 2], "cluster of its own")],
    ids=["one", "all"],
)
def test_undefined_silhouettes_are_refused_with_a_sentence(labels, says):
    with pytest.raises(ValueError, match=says):
        silhouette_data([[0.0], [1.0], [2.0]], labels)


def test_figure_names_the_rows_of_the_table(X):
    data = silhouette_data(X, KMeans(3, random_state=0).fit(X).labels_)
    figure = plot_silhouette(data, np.arange(90) + 1000)
    numbers = np.concatenate([bars.customdata for bars in figure.data])
    assert sorted(numbers) == list(range(1001, 1091))
    assert f"{data.mean:.3f}" in figure.layout.title.text


def test_the_largest_figure_is_small():
    X, labels = make_blobs(5000, centers=10, random_state=0)
    figure = plot_silhouette(silhouette_data(X, labels))
    assert len(figure.to_json()) < 40_000
    assert len(json.loads(figure.to_json())["data"]) == 10
