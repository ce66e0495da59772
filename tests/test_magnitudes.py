"""With very small or large numbers answers are the usual ones, or refused in a sentence."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from dmlib.classification import (
    C45,
    SVC,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    NaiveBayes,
    NuSVC,
    OneR,
)
from dmlib.clustering import (
    OPTICS,
    AgglomerativeClustering,
    BisectingKMeans,
    GaussianMixture,
    KMeans,
    SpectralClustering,
    XMeans,
)
from dmlib.decomposition import PCA

X, Y = make_blobs(60, 2, centers=[[0, 0], [5, 5], [0, 6]], cluster_std=0.8, random_state=0)
X = (X - X.mean(axis=0)) / np.abs(X).max()
# scikit-learn's check of finite numbers may add up to infinity and say so
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in reduce:RuntimeWarning")

UNITS = (
    1e-310,
    1e-160,
    1e-145,
    1e-100,
    1e-80,
    1e-30,
    1e30,
    1e79,
    1e100,
    1e150,
    1e160,
    1e300,
    1.7e308,
)
REFUSED = "(Standardise|Scale|[Rr]escale) |overflow"


def in_unit(model, unit, y=None):
    """Return the model of the rows in another unit; None where it refuses them with a sentence."""
    try:
        return clone(model).fit(X * unit, y)
    except ValueError as error:
        refusal = str(error)
    assert not 1e-100 <= unit <= 1e79, refusal
    assert re.search(REFUSED, refusal)
    return None


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "model",
    [
        KMeans(3, random_state=0),
        BisectingKMeans(3, random_state=0),
        XMeans(random_state=0),
        OPTICS(min_samples=5),
        AgglomerativeClustering(3, linkage="single"),
        AgglomerativeClustering(3, linkage="ward"),
        GaussianMixture(3, random_state=0, reg_covar=0.0),
        SpectralClustering(3, affinity="knn", random_state=0),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else None,
)
def test_clusters_do_not_depend_on_the_unit(model, unit):
    rescaled = in_unit(model, unit)
    if rescaled is not None:
        assert adjusted_rand_score(clone(model).fit(X).labels_, rescaled.labels_) == 1


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(C=np.inf),
        SVC(),
        SVC(kernel="linear", C=np.inf),
        NuSVC(nu=0.1),
        KNeighborsClassifier(),
        NaiveBayes(),
        DecisionTreeClassifier(),
        C45(),
        OneR(),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else None,
)
# Blobs may be separable.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_classes_do_not_depend_on_the_unit(model, unit):
    y = Y > 0
    rescaled = in_unit(model, unit, y)
    if rescaled is not None:
        assert (rescaled.predict(X * unit) == clone(model).fit(X, y).predict(X)).all()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("solver", ["full", "covariance_eigh", "power"])
def test_components_do_not_depend_on_the_unit(solver, scale, unit):
    model = PCA(scale=scale, svd_solver=solver, random_state=0)
    rescaled, plain = in_unit(model, unit), clone(model).fit(X)
    if rescaled is not None:
        assert_allclose(np.abs(rescaled.components_), np.abs(plain.components_), atol=1e-6)
        assert_allclose(
            rescaled.explained_variance_ratio_, plain.explained_variance_ratio_, atol=1e-6
        )


def test_a_tiny_column_beside_others_is_no_constant():
    rows = X * [1, 1e-160]
    with pytest.raises(ValueError, match="Standardise the columns"):
        PCA(scale=True).fit(rows)
    assert_allclose(PCA().fit(rows).components_[0], [1, 0], atol=1e-9)
