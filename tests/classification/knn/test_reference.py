"""The check on the page really is scikit-learn's answer to the same question."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsClassifier as Reference

from dmlib.classification import KNeighborsClassifier
from dmlib.classification.knn.reference import knn_code, knn_reference
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
    reference = knn_reference(run_of(model, problem))
    assert isinstance(reference, Reference)
    ours = model.fit(*problem.arguments).predict_proba(problem.data)
    assert_allclose(reference.predict_proba(problem.data), ours, atol=1e-9)


@pytest.mark.parametrize("metric", ["mahalanobis", "cosine"])
def test_no_reference_where_ties_would_differ(metric):
    problem = PROBLEMS["iris"]
    with pytest.raises(Incomparable):
        knn_reference(run_of(KNeighborsClassifier(metric=metric), problem))


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"weights": "distance", "metric": "manhattan"},
        {"p": 1.5},
        {"p": float("inf")},
        {"metric": "mahalanobis", "n_neighbors": 9},
        {"metric": "cosine"},
        {"metric": "chebyshev"},
    ],
    ids=lambda params: " ".join(f"{name} {value}" for name, value in params.items()) or "defaults",
)
def test_exported_code_runs_and_agrees(params, capsys):
    X, y = PROBLEMS["wine"].X, PROBLEMS["wine"].y
    model = KNeighborsClassifier(**params).fit(X, y)
    names = {"model": model, "X": X, "y": y}
    exec(knn_code(run_of(model, PROBLEMS["wine"])), names)
    assert_allclose(names["reference"].predict_proba(X), model.predict_proba(X), atol=1e-9)
    ours, theirs = (float(line.rsplit(": ")[1]) for line in capsys.readouterr().out.splitlines())
    assert ours == theirs == (model.predict(X) != y).mean()


def test_exported_code_makes_columns_of_names():
    problem = PROBLEMS["names"]
    model = KNeighborsClassifier(1).fit(problem.data, problem.y)
    names = {"model": model, "X": problem.data, "y": problem.y}
    exec(knn_code(run_of(model, problem)), names)
    assert (names["numbers"] <= 1).all()
    np.testing.assert_array_equal(names["reference"].predict(names["numbers"]), problem.y)
