"""The check on the page really is the answer of scikit-learn, or SciPy, to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_blobs

from dmlib.clustering import AgglomerativeClustering
from dmlib.clustering.hierarchical.reference import hierarchical_code, hierarchical_reference
from dmlib.comparison import Incomparable
from tests.runs import run_of

X = make_blobs([30, 20, 10], 3, random_state=1)[0]
QUESTIONS = [("ward", "euclidean"), ("centroid", "euclidean")] + [
    (linkage, metric)
    for linkage in ("single", "complete", "average")
    for metric in ("euclidean", "manhattan", "chebyshev", "cosine")
]
each_question = pytest.mark.parametrize(("linkage", "metric"), QUESTIONS)


@each_question
@pytest.mark.parametrize("n_clusters", [1, 4])
def test_page_agrees_with_scikit_learn(linkage, metric, n_clusters):
    model = AgglomerativeClustering(n_clusters, linkage=linkage, metric=metric)
    if linkage == "centroid":
        with pytest.raises(Incomparable, match="centroid"):
            hierarchical_reference(run_of(model, X))
        return
    reference = hierarchical_reference(run_of(model, X))
    assert type(reference).__module__.startswith("sklearn.")
    model.fit(X)
    for name in ("children_", "labels_"):
        assert_array_equal(getattr(reference, name), getattr(model, name))
    assert_allclose(reference.distances_, model.distances_, rtol=1e-6)


def test_equally_near_pairs_are_merged_in_the_same_order():
    squares = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [5, 0], [5, 1], [6, 0], [6, 1]], float)
    model = AgglomerativeClustering(2, linkage="complete")
    reference = hierarchical_reference(run_of(model, squares))
    assert np.array_equal(reference.children_, model.fit(squares).children_)


@each_question
@pytest.mark.parametrize("height", ["auto", 2.5])
def test_exported_code_gives_the_same_answer(linkage, metric, height, capsys):
    model = AgglomerativeClustering(3, linkage=linkage, metric=metric).fit(X)
    names = {"model": model, "X": X}
    exec(hierarchical_code(run_of(model, X, options={"height": height})), names)
    assert_allclose(names["reference"].distances_, model.distances_, rtol=1e-6)
    assert names["reference"].n_clusters_ == model.n_clusters_ == 3
    if height != "auto":
        assert f"2.5: {model.cut(2.5).max() + 1}" in capsys.readouterr().out
