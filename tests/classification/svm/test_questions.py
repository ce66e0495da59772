"""Questions about support vector machines: scikit-learn has the same slacks and the same margin."""

import numpy as np
import pytest
from sklearn.svm import SVC

from dmlib.classification.svm.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


@pytest.mark.parametrize("seed", range(6))
def test_slacks_and_margin_are_those_of_scikit_learn(seed):
    run, by_topic = round_by_topic("svm", seed)
    X, signs = run.problem.X, 2 * np.asarray(run.problem.y) - 1
    model = SVC(kernel="linear", C=run.model.C, tol=1e-6).fit(X, signs)
    values = signs * model.decision_function(X)
    for question in by_topic["rows with a slack"]:
        inside = [i + 1 for i, value in enumerate(values) if value < 1 - 0.01]
        assert judge(question, inside).is_right
        vectors = [int(i) + 1 for i in model.support_]
        assert judge(question, vectors).rule is Rule.SUPPORT or vectors == inside
    for question in by_topic["slack"]:
        assert judge(question, float(1 - values[question.about[0] - 1])).is_right
    for question in by_topic["margin"]:
        assert judge(question, 2 / float(np.linalg.norm(model.coef_))).is_right


@pytest.mark.parametrize("seed", range(6))
def test_the_sum_of_signed_multipliers_stays(seed):
    run, by_topic = round_by_topic("svm", seed)
    for question in (*by_topic["partner"], *by_topic["box"]):
        step, before = (run.trace.steps[question.step - back] for back in (0, 1))
        assert step.bound[0] == 1
        moved = question.about[-1] - 1
        (k,) = np.flatnonzero(step.rows == moved)
        others = np.arange(len(step.alpha)) != k
        change = (step.sign * (step.alpha - before.alpha))[others].sum()
        assert judge(question, float(before.alpha[k] - step.sign[k] * change)).is_right
