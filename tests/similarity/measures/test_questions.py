"""Questions about measures: distances with scipy, and sets with Python's own."""

import numpy as np
import pytest
from scipy.spatial import distance

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_bags
from dmlib.similarity import BagSimilarity
from dmlib.similarity.measures.questions import Rule, questions
from tests.visit import technique


@pytest.fixture(params=range(5))
def parts(request):
    """Return the rows and the questions of a round by topic; A is the first row, B the middle."""
    page = technique("similarity")
    view = view_of(page, practice_settings(page, request.param))
    by_topic = {}
    for each in questions_of(view):
        by_topic.setdefault(each.question.topic, []).append(each.question)
    return view.run.problem.X, by_topic


def test_terms_and_distances(parts):
    X, by_topic = parts
    a, b = X[0], X[len(X) // 2]
    for question, term in zip(by_topic["term"], (a - b) ** 2, strict=True):
        assert judge(question, float(term)).is_right
    (question,) = by_topic["distance"]
    assert judge(question, distance.euclidean(a, b)).is_right
    assert judge(question, distance.sqeuclidean(a, b)).rule is Rule.NO_ROOT
    manhattan, chebyshev = by_topic["other measures"]
    assert judge(manhattan, distance.cityblock(a, b)).is_right
    (place,) = chebyshev.answer.right
    assert float(chebyshev.answer.options[place]) == pytest.approx(distance.chebyshev(a, b), 1e-3)


def test_near_rows(parts):
    X, by_topic = parts
    middle = len(X) // 2
    away = distance.cdist(X[:1], X)[0]
    for question in by_topic.get("ball", []):
        rows = [i + 1 for i in range(1, len(X)) if i != middle and away[i] < away[middle]]
        assert judge(question, rows).is_right
    (question,) = by_topic["nearest row"]
    assert judge(question, [int(np.argmin(away[1:])) + 2]).is_right


@pytest.mark.parametrize("coefficient", ["jaccard", "dice", "overlap", "smc"])
def test_sets(coefficient):
    bags = [["bread", "milk", "eggs"], ["bread", "milk", "beer"], ["jam"]]
    run = Run.of(prepare_bags(bags), BagSimilarity(coefficient))
    *counts, value = questions(run)
    a, b = map(set, bags[:2])
    for question, n in zip(counts, (len(a & b), len(a - b), len(b - a)), strict=True):
        assert judge(question, n).is_right
    right = {"jaccard": 2 / 4, "dice": 4 / 6, "overlap": 2 / 3, "smc": 3 / 5}[coefficient]
    assert judge(value, right).is_right
