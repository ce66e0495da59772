"""Similarity graphs and cuts against definitions, a textbook's numbers and networkx."""

import json
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.spatial.distance import cdist

from dmlib.clustering import graph_cuts
from dmlib.clustering.spectral.similarity_graph import MAX_ROWS, similarity_graph

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "graph_cuts.json").read_text())


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(40, 3))


def test_gaussian_weights_have_the_squared_distance(rows):
    assert_allclose(similarity_graph(rows, "rbf", gamma=0.7), np.exp(-0.7 * cdist(rows, rows) ** 2))


def test_neighbours_join_wholly_if_both_agree_and_half_if_one_does(rows):
    distances = cdist(rows, rows)
    is_near = distances <= np.sort(distances, axis=1)[:, [5]]  # itself and five others
    assert_allclose(
        similarity_graph(rows, "knn", n_neighbors=6).toarray(),
        (is_near + is_near.T.astype(float)) / 2,
    )


def test_eps_joins_up_to_and_with_the_distance():
    W = similarity_graph(np.array([[0.0], [1.0], [3.0]]), "epsilon", eps=2.0).toarray()
    assert W.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.coo_matrix])
def test_cuts_of_the_textbook(kind):
    W = np.zeros((9, 9))
    for a, b in GOLDEN["edges"]:
        W[a - 1, b - 1] = W[b - 1, a - 1] = 1
    node = np.arange(1, 10)
    for labels, expected in zip((node == 9, node <= 4), GOLDEN["expected"].values(), strict=True):
        cuts = graph_cuts(kind(W), labels)
        assert_allclose([cuts.cut, cuts.ratio_cut, cuts.normalized_cut], list(expected.values()))


def test_cuts_against_networkx_with_three_parts_and_self_similarity():
    rng = np.random.default_rng(1)
    W = rng.uniform(size=(12, 12))
    W = W + W.T
    labels = np.repeat([7, 3, 5], 4)
    cuts = graph_cuts(W, labels)
    G = nx.from_numpy_array(W - np.diag(np.diag(W)))
    for i, label in enumerate((3, 5, 7)):
        part = np.flatnonzero(labels == label)
        assert_allclose(cuts.cuts[i], nx.cut_size(G, part, weight="weight"))
        assert_allclose(cuts.volumes[i], nx.volume(G, part, weight="weight"))
    assert_allclose(cuts.normalized_cut, np.mean(cuts.cuts / cuts.volumes))
    assert_allclose(cuts.ratio_cut, np.mean(cuts.cuts / 4))


def test_a_part_without_edges_costs_nothing():
    cuts = graph_cuts([[0, 1, 0], [1, 0, 0], [0, 0, 0]], [0, 0, 1])
    assert (cuts.cut, cuts.ratio_cut, cuts.normalized_cut) == (0, 0, 0)


@pytest.mark.parametrize(
    ("affinity", "options", "X", "sentence"),
    [
        (
            "epsilon",
            {"eps": 0.0},
            [[0.0], [1.0]],
            (
                "No two rows are similar: the graph has no edge. "
                "Scale the columns, lower gamma, raise eps or neighbours."
            ),
        ),
        (
            "rbf",
            {"gamma": 1e12},
            [[0.0], [1.0]],
            (
                "No two rows are similar: the graph has no edge. "
                "Scale the columns, lower gamma, raise eps or neighbours."
            ),
        ),
        (
            "knn",
            {"n_neighbors": 3},
            [[0.0], [1.0]],
            "n_neighbors=3 needs at least as many rows, but n_samples=2. Choose fewer neighbours.",
        ),
        (
            "rbf",
            {},
            [[1e200], [-1e200]],
            (
                "The squares of the values are too large for a computer number. "
                "Standardise the columns."
            ),
        ),
        (
            "rbf",
            {},
            np.zeros((MAX_ROWS + 1, 1)),
            (
                "The similarities of all pairs of 8,001 rows take 0.5 GB. "
                "Use affinity='knn', or a sample of at most 8,000 rows."
            ),
        ),
    ],
)
def test_refusals_are_sentences(affinity, options, X, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        similarity_graph(np.asarray(X), affinity, **options)


@pytest.mark.parametrize("n_features", [2, 20])
@pytest.mark.parametrize(
    "graph", [{"affinity": "rbf"}, {"affinity": "knn"}, {"affinity": "epsilon", "eps": 6.0}]
)
def test_an_offset_changes_nothing(graph, n_features):
    X = (
        np.round(np.random.default_rng(0).normal(size=(60, n_features)) * 64) / 64
    )  # adding an offset rounds nothing
    weights, *shifted_weights = (
        np.asarray(_dense(similarity_graph(X + offset, **graph))) for offset in (0, 1e6, 1e9)
    )
    for shifted in shifted_weights:
        np.testing.assert_array_equal(shifted, weights)
    assert weights.any(axis=1).all()


def _dense(W):
    return W.toarray() if hasattr(W, "toarray") else W
