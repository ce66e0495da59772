"""Neighbours and k-distances against R and brute force."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph

from dmlib.clustering import DBSCAN, k_distances
from dmlib.clustering.neighbors import Neighbors

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "dbscan_iris.json").read_text())


@pytest.fixture
def table():
    return np.random.default_rng(0).normal(size=(90, 3))


@pytest.mark.parametrize("k", [4, 5])
def test_the_k_distances_of_r(k):
    assert_allclose(k_distances(load_iris().data, k), GOLDEN[f"k{k}_distances"], rtol=1e-8)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine", "canberra"])
@pytest.mark.parametrize("algorithm", ["auto", "brute"])
def test_every_search_gives_what_brute_force_gives(table, metric, algorithm):
    distances = pairwise_distances(table, metric=metric)
    neighbors = Neighbors(table, metric=metric, algorithm=algorithm)
    radius = np.quantile(distances, 0.1)
    expected = np.argwhere(np.triu(distances <= radius, 1))
    pairs = neighbors.pairs(radius)
    assert_array_equal(pairs[np.lexsort(pairs.T[::-1])], expected)
    assert_allclose(neighbors.kth(7), np.sort(distances, axis=1)[:, 6], rtol=1e-7)
    for row in (0, 40):
        rows, row_distances = neighbors.within(row, radius)
        assert_array_equal(rows, np.flatnonzero(distances[row] <= radius))
        assert_allclose(row_distances, distances[row, rows], atol=1e-7)
        assert_array_equal(neighbors.within(row, np.inf)[0], np.arange(90))


def test_distances_that_are_given(table):
    distances = pairwise_distances(table)
    graph = kneighbors_graph(table, 12, mode="distance")
    graph = graph.maximum(graph.T).tocsr()
    dense, thin = Neighbors(distances, metric="precomputed"), Neighbors(graph, metric="precomputed")
    assert_allclose(dense.kth(5), k_distances(table, 4))
    assert_allclose(thin.kth(5), k_distances(table, 4))
    assert_array_equal(dense.distances(3), distances[3])
    assert np.isinf(thin.distances(3)).any()
    assert_allclose(thin.distances(3)[graph[[3]].indices], distances[3, graph[[3]].indices])


def test_a_core_point_has_a_k_distance_within_eps(table):
    for min_samples in (2, 5, 9):
        core = DBSCAN(0.8, min_samples=min_samples).fit(table).core_sample_indices_
        assert_array_equal(core, np.flatnonzero(k_distances(table, min_samples - 1) <= 0.8))


@pytest.mark.parametrize("k", [0, 3, 1.5, True, None])
def test_a_neighbour_that_there_is_not(k):
    sentence = f"k must be a whole number from 1 to 2, the number of other rows; it was {k!r}."
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        k_distances([[0.0], [1.0], [2.0]], k)


def test_a_metric_that_there_is_not(table):
    with pytest.raises(
        ValueError, match=r"^metric must be a function or one of .*euclidean.*; it was 'euclid'"
    ):
        Neighbors(table, metric="euclid")
