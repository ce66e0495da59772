"""The k sweep against scikit-learn."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

from dmlib.clustering import KMeans, k_sweep


def test_sweep_is_k_means_for_each_k():
    X, _ = make_blobs(150, centers=3, random_state=0)
    sweep = k_sweep(X, range(1, 6), n_init=3, random_state=0)
    assert sweep.k.tolist() == [1, 2, 3, 4, 5]
    assert sweep.notes == ()
    assert np.isnan(sweep.silhouette[0])
    for k, inertia, silhouette in zip(
        sweep.k[1:], sweep.inertia[1:], sweep.silhouette[1:], strict=True
    ):
        model = KMeans(int(k), n_init=3, random_state=0).fit(X)
        assert_allclose([inertia, silhouette], [model.inertia_, silhouette_score(X, model.labels_)])
    assert sweep.k[np.nanargmax(sweep.silhouette)] == 3


def test_many_rows_are_sampled_and_that_is_told():
    X, _ = make_blobs(500, centers=3, random_state=0)
    sweep = k_sweep(X, [3], max_rows=100, random_state=0)
    assert sweep.notes == ("The silhouette is measured on a random sample of 100 of the 500 rows.",)
    full = k_sweep(X, [3], random_state=0)
    assert_allclose(sweep.silhouette, full.silhouette, atol=0.1)
    assert sweep.inertia == full.inertia


def test_k_ends_at_the_distinct_rows():
    X = np.repeat(np.arange(3.0), 5)[:, None]
    sweep = k_sweep(X, range(1, 9), random_state=0)
    assert sweep.k.tolist() == [1, 2, 3]
    assert sweep.notes == ("Only 3 rows are distinct, so k ends there.",)
    assert sweep.inertia[-1] == 0
