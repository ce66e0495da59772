"""The check on the page really is the answer of scikit-learn, or SciPy, to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_blobs

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.reference import hierarchical_reference
from dmlib.comparison import Incomparable
from tests.runs import run_of

X = make_blobs([30, 20, 10], 3, random_state=1)[0]
QUESTIONS = [("ward", "euclidean"), ("centroid", "euclidean")] + [
    (linkage, metric)
    for linkage in ("single", "complete", "average")
    for metric in ("euclidean", "manhattan", "chebyshev", "cosine")
]
each_question = pytest.mark.parametrize(("linkage", "metric"), QUESTIONS)
each_comparable_question = pytest.mark.parametrize(
    ("linkage", "metric"), [question for question in QUESTIONS if question[0] != "centroid"]
)


@each_question
@pytest.mark.parametrize("n_clusters", [1, 4])
def test_page_agrees_with_scikit_learn(linkage, metric, n_clusters):
    model = AgglomerativeClustering(n_clusters, linkage=linkage, metric=metric)
    run = run_of(model, X)
    if linkage == "centroid":
        with pytest.raises(Incomparable, match="centroid"):
            hierarchical_reference(run)
        return
    reference = hierarchical_reference(run).answer(run)
    assert type(reference).__module__.startswith("sklearn.")
    model.fit(X)
    for name in ("children_", "labels_"):
        assert_array_equal(getattr(reference, name), getattr(model, name))
    assert_allclose(reference.distances_, model.distances_, rtol=1e-6)


def test_equally_near_pairs_are_merged_in_the_same_order():
    squares = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [5, 0], [5, 1], [6, 0], [6, 1]], float)
    model = AgglomerativeClustering(2, linkage="complete")
    run = run_of(model, squares)
    reference = hierarchical_reference(run).answer(run)
    assert np.array_equal(reference.children_, model.fit(squares).children_)


@each_comparable_question
@pytest.mark.parametrize("height", ["auto", 2.5])
def test_exported_code_gives_the_same_answer(linkage, metric, height):
    model = AgglomerativeClustering(3, linkage=linkage, metric=metric).fit(X)
    names = {"model": model, "X": X}
    exec(hierarchical_reference(run_of(model, X, options={"height": height})).code, names)
    assert_array_equal(names["reference"].labels_, model.labels_)
    assert_allclose(names["reference"].distances_, model.distances_, rtol=1e-6)
    assert names["reference"].n_clusters_ == model.n_clusters_ == 3
    if height != "auto":
        assert names["reference"].n_clusters_at_cut_ == model.cut(2.5).max() + 1
