"""1 minus the correlation as the distance of rows: SciPy's, and refused where there is none."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

from dmlib.clustering import AgglomerativeClustering, KMedoids
from tests.visit import open_settings, technique

X = np.random.default_rng(0).normal(size=(25, 5))


def test_trees_are_those_of_scipy():
    model = AgglomerativeClustering(3, linkage="average", metric="correlation").fit(X)
    assert_allclose(model.distances_, linkage(pdist(X, "correlation"), "average")[:, 2])


def test_medoids_are_those_of_the_matrix_of_distances():
    D = squareform(pdist(X, "correlation"))
    ours = KMedoids(3, metric="correlation").fit(X)
    theirs = KMedoids(3, metric="precomputed").fit(D)
    assert ours.medoid_indices_.tolist() == theirs.medoid_indices_.tolist()


@pytest.mark.parametrize("model", [AgglomerativeClustering(2, linkage="single"), KMedoids(2)])
def test_rows_that_do_not_vary_are_refused(model):
    rows = np.vstack([X, np.full(5, 2.0)])
    with pytest.raises(ValueError, match="correlate with none"):
        model.set_params(metric="correlation").fit(rows)


@pytest.mark.parametrize("slug", ["hierarchical", "kmedoids"])
def test_the_pages_offer_it_and_agree_with_the_library(slug):
    settings = {"linkage": "average"} if slug == "hierarchical" else {}
    run, scene = open_settings(
        slug, source="library", data="iris", metric="correlation", **settings
    )
    assert run.model.metric == "correlation"
    assert technique(slug).check.answer(run) is not None
    if slug == "hierarchical":
        assert "1 − ((" in str([frame["ledger"] for frame in scene["frames"]])
