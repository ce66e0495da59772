"""The check on the page of DBSCAN really is scikit-learn's answer to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import cluster
from sklearn.datasets import load_iris, make_moons

from dmlib.clustering import DBSCAN
from dmlib.clustering.dbscan.reference import dbscan_reference
from tests.runs import run_of

DATA = {
    "iris": load_iris().data,
    "moons": make_moons(120, noise=0.15, random_state=0)[0],
    "equal rows": np.repeat([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 4, axis=0),
}
each_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


@each_data
@pytest.mark.parametrize("order", ["index", "reverse", "random"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_agrees_with_scikit_learn_whatever_the_order(X, order, metric):
    model = DBSCAN(0.2, min_samples=4, metric=metric, order=order, random_state=3).fit(X)
    names = {"model": model, "X": X}
    run = run_of(model, X)
    exec(dbscan_reference(run).code, names)
    for reference in (dbscan_reference(run).answer(run), names["reference"]):
        assert type(reference) is cluster.DBSCAN
        assert_array_equal(reference.labels_, model.labels_)
        assert reference.n_clusters_ == model.n_clusters_
        assert reference.n_noise_ == model.n_noise_
        assert_array_equal(reference.core_sample_indices_, model.core_sample_indices_)
        assert_array_equal(reference.components_, model.components_)


def test_nothing_but_noise():
    model = DBSCAN(0.1, min_samples=3).fit([[0.0], [1.0]])
    run = run_of(model, [[0.0], [1.0]])
    reference = dbscan_reference(run).answer(run)
    assert reference.labels_.tolist() == [-1, -1]
    assert reference.n_clusters_ == model.n_clusters_ == 0
    assert reference.components_.shape == model.components_.shape
