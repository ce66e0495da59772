"""Questions about Fisher's projection: the answers are computed again with scikit-learn."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.decomposition.lda_projection.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=range(4))
def questions(request):
    """Return the rows and classes of a round, and its questions by topic."""
    page = technique("lda_projection")
    view = view_of(page, practice_settings(page, request.param))
    each = questions_of(view)
    problem = view.run.problem
    return problem.X, np.asarray(problem.y), {one.question.topic: one.question for one in each}


def angle(axis):
    return float(np.degrees(np.arctan2(axis[1], axis[0])))


def test_the_variance_has_a_part_within_and_one_between_the_classes(questions):
    X, y, by_topic = questions
    x = X[:, 0]
    means = np.array([x[y == k].mean() for k in y])
    within, between = ((x - means) ** 2).mean(), ((means - x.mean()) ** 2).mean()
    assert judge(by_topic["within the classes"], float(within)).is_right
    assert judge(by_topic["between the classes"], float(between)).is_right
    assert judge(by_topic["within the classes"], float(x.var())).rule is Rule.TOTAL


def test_directions_are_those_of_scikit_learn(questions):
    X, y, by_topic = questions
    model = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    assert judge(by_topic["best axis"], angle(model.scalings_[:, 0])).is_right
    share = 100 * float(model.explained_variance_ratio_[0])
    assert judge(by_topic["share of an axis"], share).is_right
    component = angle(PCA(1).fit(X).components_[0])
    assert judge(by_topic["principal component"], component).is_right
    assert judge(by_topic["best axis"], component).rule in (Rule.COMPONENT, None)
