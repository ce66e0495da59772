"""Cutting a tree, and the formula of Lance and Williams, against their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster import hierarchy
from scipy.spatial.distance import cdist
from sklearn import cluster

from dmlib.clustering.hierarchical.dendrogram import (
    clusters_below,
    cut_tree,
    lance_williams,
    merged_distances,
)


def between(linkage, A, B):
    """The definition of the distance of two clusters."""
    if linkage in ("centroid", "ward"):
        distance = np.linalg.norm(A.mean(axis=0) - B.mean(axis=0))
        # what a merge adds to the SSE is n m / (n + m) times the squared distance of the means;
        # Ward's is its double
        return distance * (
            np.sqrt(2 * len(A) * len(B) / (len(A) + len(B))) if linkage == "ward" else 1
        )
    return {"single": np.min, "complete": np.max, "average": np.mean}[linkage](cdist(A, B))


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "centroid", "ward"])
def test_the_formula_gives_what_the_definition_gives(linkage):
    rng = np.random.default_rng(0)
    for _ in range(20):
        A, B, C = (rng.normal(size=(rng.integers(1, 6), 3)) for _ in range(3))
        got = merged_distances(
            linkage,
            np.array([between(linkage, A, C)]),
            np.array([between(linkage, B, C)]),
            between(linkage, A, B),
            (len(A), len(B)),
            np.array([len(C)]),
        )
        assert_allclose(got, between(linkage, np.vstack([A, B]), C))


def test_coefficients_of_the_literature():
    # Lance and Williams (1967), for clusters of 2 and 3 rows and a third of 5
    assert lance_williams("single", 2, 3, 5) == (0.5, 0.5, 0, -0.5)
    assert lance_williams("complete", 2, 3, 5) == (0.5, 0.5, 0, 0.5)
    assert lance_williams("average", 2, 3, 5) == (2 / 5, 3 / 5, 0, 0)
    assert lance_williams("centroid", 2, 3, 5) == (2 / 5, 3 / 5, -6 / 25, 0)
    assert lance_williams("ward", 2, 3, 5) == (7 / 10, 8 / 10, -5 / 10, 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10_000), st.sampled_from(["complete", "average", "ward"]))
def test_cuts_are_numbered_as_by_scikit_learn(n, seed, linkage):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    tree = hierarchy.linkage(X, linkage)
    for k in {1, 2, n // 2 + 1, n - 1, n} - {0}:
        assert_array_equal(
            cut_tree(tree, k), cluster.AgglomerativeClustering(k, linkage=linkage).fit(X).labels_
        )


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 30), st.integers(0, 10_000), st.sampled_from(["single", "average", "centroid"])
)
def test_a_cut_at_a_height_is_scipys(n, seed, linkage):
    X = np.random.default_rng(seed).integers(0, 9, size=(n, 2)).astype(float)
    tree = hierarchy.linkage(X, linkage)
    for height in (0.5, 1.2, 2.1, 3.3, 50.0):
        theirs = hierarchy.fcluster(
            tree, height, "distance"
        )  # numbered otherwise, and it keeps merges at the height
        assert clusters_below(tree, height) == len(set(theirs))
        ours = cut_tree(tree, clusters_below(tree, height))
        assert len(set(zip(ours, theirs, strict=True))) == len(set(theirs))


def test_a_merge_at_the_height_is_undone():
    tree = [[0, 1, 1.0, 2], [2, 3, 4.0, 3]]
    assert [clusters_below(tree, height) for height in (0, 1, 1.001, 4, 5)] == [3, 3, 2, 2, 1]


def test_a_long_chain_is_followed_to_its_end():
    tree = hierarchy.linkage(np.cumsum(np.arange(300.0))[:, None], "single")
    assert cut_tree(tree, 1).tolist() == [0] * 300
    assert np.bincount(cut_tree(tree, 2)).tolist() in ([299, 1], [1, 299])
