"""The check on the page really is scikit-learn's answer to the same question."""

import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsClassifier as Reference

from dmlib.classification import PEBLS, KNeighborsClassifier
from dmlib.classification.knn.reference import knn_reference
from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.problem import prepare
from tests.runs import run_of


def table(name, features=None, **how):
    data = load(name)
    features = features or [column for column in data.frame.columns if column != data.target]
    return prepare(data.frame, features, target=data.target, labelled=True, **how).training


PROBLEMS = {
    "iris": table("iris", test_size=0.3),
    "wine": table("wine", scaling="z-score", test_size=0.3),
    "names": table("contact_lenses"),
    "mixed": table("weather_numeric"),
    "penguins": table("penguins", ["bill_length_mm", "island", "sex"], scaling="z-score"),
}
each_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


@each_problem
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", ["minkowski", "euclidean", "manhattan", "chebyshev"])
def test_agrees_with_scikit_learn(problem, weights, metric):
    model = KNeighborsClassifier(5, weights=weights, metric=metric, p=3)
    if metric == "chebyshev" and problem.categories:
        with pytest.raises(Incomparable, match="nominal"):
            knn_reference(run_of(model, problem))
        return
    run = run_of(model, problem)
    reference = knn_reference(run).answer(run)
    assert isinstance(reference, Reference)
    ours = model.fit(*problem.arguments).predict_proba(problem.data)
    assert_allclose(reference.predict_proba(problem.data), ours, atol=1e-9)


@pytest.mark.parametrize("metric", ["mahalanobis", "cosine"])
def test_no_reference_where_ties_would_differ(metric):
    problem = PROBLEMS["iris"]
    with pytest.raises(Incomparable):
        knn_reference(run_of(KNeighborsClassifier(metric=metric), problem))


@each_problem
@pytest.mark.parametrize(
    "params",
    [{}, {"weights": "distance", "metric": "manhattan"}, {"p": 1.5}, {"metric": "chebyshev"}],
    ids=lambda params: " ".join(f"{name} {value}" for name, value in params.items()) or "defaults",
)
def test_exported_code_runs_and_agrees(problem, params):
    if problem.categories and "chebyshev" in params.values():
        pytest.skip("scikit-learn has no maximum of differences for nominal columns")
    X, y = problem.arguments
    model = KNeighborsClassifier(3, **params).fit(X, y)
    names = {"model": model, "X": X, "y": y}
    exec(knn_reference(run_of(model, problem)).code, names)
    assert_allclose(names["reference"].predict_proba(X), model.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_exported_code_of_pebls_runs_and_agrees(weighted):
    problem = PROBLEMS["mixed"]
    X, y = problem.arguments
    model = PEBLS(weighted=weighted).fit(X, y)
    names = {"model": model, "X": X, "y": y}
    exec(knn_reference(run_of(model, problem)).code, names)
    assert_allclose(names["reference"].predict_proba(X), model.predict_proba(X))
