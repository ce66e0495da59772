"""The check on the page really is scikit-learn's answer to the same question."""

from contextlib import nullcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris, load_wine

from dmlib.comparison import Incomparable
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.reference import pca_reference
from tests.runs import run_of

DATA = {
    "iris": load_iris().data,
    "wine": load_wine().data,
    "long": np.random.default_rng(0).normal(size=(90, 6)),
}


@pytest.mark.parametrize("X", DATA.values(), ids=DATA)
@pytest.mark.parametrize("n_components", [1, 3, None])
@pytest.mark.parametrize("whiten", [False, True])
def test_scikit_learn_agrees(X, n_components, whiten):
    model = PCA(n_components, whiten=whiten).fit(X)
    names = {"model": model, "X": X}
    run = run_of(model, X)
    exec(pca_reference(run).code, names)
    for reference in (pca_reference(run).answer(run), names["reference"]):
        assert type(reference).__module__.startswith("sklearn.")
        assert_allclose(reference.components_, model.components_, atol=1e-8)
        assert_allclose(reference.explained_variance_, model.explained_variance_, atol=1e-8)
        assert_allclose(reference.transform(X), model.transform(X), atol=1e-6)


@pytest.mark.parametrize(
    "X",
    [[[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], [[0.0, 1.0, 2.0], [3.0, 1.0, 0.0]]],
    ids=["equal variances", "no variance left"],
)
def test_no_reference_where_any_axis_would_do(X):
    with pytest.raises(Incomparable):
        pca_reference(run_of(PCA(), X))
    with pytest.raises(Incomparable) if len(X) == 4 else nullcontext():
        pca_reference(run_of(PCA(1), X))
