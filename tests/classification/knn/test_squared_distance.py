"""Votes of 1 / d²: the same as scikit-learn's with such a function, and written out."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn import neighbors
from sklearn.datasets import make_moons

from dmlib.classification import KNeighborsClassifier
from tests.visit import open_settings, technique

X, Y = make_moons(80, noise=0.3, random_state=1)


def test_votes_are_those_of_the_library():
    theirs = neighbors.KNeighborsClassifier(7, weights=lambda d: 1 / d**2).fit(X, Y)
    ours = KNeighborsClassifier(7, weights="squared_distance").fit(X, Y)
    queries = X + 0.01
    assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries))


def test_a_row_at_the_same_place_outvotes_all_others():
    model = KNeighborsClassifier(3, weights="squared_distance")
    model.fit([[0.0], [1.0], [1.1]], [0, 1, 1])
    assert model.predict_proba([[0.0]]).tolist() == [[1.0, 0.0]]


def test_the_page_shows_the_square_and_the_library_agrees():
    run, scene = open_settings(
        "knn", source="generator", generator="moons", weights="squared_distance"
    )
    assert any("1 / d² = 1 / " in str(frame["ledger"]) for frame in scene["frames"])
    answer, rows = technique("knn").check.answer(run), run.problem.training.X
    assert_allclose(answer.predict_proba(rows), run.fitted.predict_proba(rows))
    labels = [panel[axis]["label"] for panel in scene["panels"] for axis in "xy"]
    assert "votes, Σ 1 / d²" in labels
    assert np.isfinite(run.fitted.predict_proba(rows)).all()
