"""The check on the page of OPTICS really is scikit-learn's answer to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import cluster
from sklearn.datasets import load_iris, make_moons

from dmlib.clustering import OPTICS
from dmlib.clustering.optics.reference import optics_reference
from dmlib.clustering.optics.scene import shown_cut
from tests.runs import run_of

DATA = {
    "iris": load_iris().data,
    "moons": make_moons(120, noise=0.15, random_state=0)[0],
    "equal rows": np.repeat([[0.0, 0.0], [0.2, 0.0], [5.0, 0.0]], 4, axis=0),
}
each_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


@each_data
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"min_samples": 3, "metric": "manhattan"},
        {"max_eps": 0.3, "metric": "chebyshev"},
        {"xi": 0.2, "min_cluster_size": 6, "predecessor_correction": False},
    ],
    ids=["defaults", "manhattan", "short radius", "flanks"],
)
def test_agrees_with_scikit_learn_and_the_exported_code_does_too(X, params):
    model = OPTICS(**params).fit(X)
    names, run = {"model": model, "X": X}, run_of(model, X)
    exec(optics_reference(run).code, names)
    for reference in (optics_reference(run).answer(run), names["reference"]):
        assert type(reference) is cluster.OPTICS
        assert_array_equal(reference.ordering_, model.ordering_)
        assert_array_equal(reference.predecessor_, model.predecessor_)
        assert_array_equal(reference.labels_, model.labels_)
        assert reference.n_clusters_ == model.n_clusters_
        assert reference.n_noise_ == model.n_noise_
        assert_array_equal(reference.labels_below_cut_, model.cut(shown_cut(run)))


def test_the_code_cuts_where_the_picture_does():
    model, X = OPTICS(2, max_eps=5.0), [[0.0], [1.0], [9.0], [10.0]]
    for cut, argument in ((0.5, "cut=0.5"), (7.0, "cut=5.0"), ("auto", "cut=3.0")):
        run = run_of(model, X, options={"cut": cut})
        assert argument in optics_reference(run).code.splitlines()[-1]
