"""Questions about thresholds: rows, rates, precision and area with scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import auc, precision_score, roc_curve

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.evaluation.roc.questions import Rule
from dmlib.pictures.question import judge
from tests.visit import technique


@pytest.fixture(params=range(4))
def parts(request):
    """Return run, truth, scores and questions of a round."""
    page = technique("roc")
    view = view_of(page, practice_settings(page, request.param))
    run = view.run
    score, y = run.fitted.scores_, run.problem.y[run.problem.trained]
    return run, y, score, questions_of(view)


def test_rows_rates_precision_and_area(parts):
    run, y, score, all_questions = parts
    assert {each.question.topic for each in all_questions} == {"rows", "curve", "precision", "area"}
    fpr, tpr, thresholds = roc_curve(y, score, drop_intermediate=False)
    for question in (each.question for each in all_questions):
        threshold = run.trace.steps[question.step].threshold
        k = int(np.argmin(np.abs(thresholds - threshold)))
        area = (auc(fpr[: k + 1], tpr[: k + 1]) - (auc(fpr[:k], tpr[:k]) if k > 1 else 0)) * (
            y.sum() * (y == 0).sum()
        )
        right = {
            "rows": lambda t=threshold: (np.flatnonzero(np.isclose(score, t)) + 1).tolist(),
            "curve": lambda k=k: (float(fpr[k]), float(tpr[k])),
            "precision": lambda t=threshold: precision_score(y, score >= t),
            "area": lambda area=area: float(area),
        }[question.topic]()
        assert judge(question, right).is_right, question.prompt


def test_a_wrong_denominator_is_recognised(parts):
    run, y, _, all_questions = parts
    for question in (each.question for each in all_questions if each.question.topic == "precision"):
        step = run.trace.steps[question.step]
        verdict = judge(question, step.tp / int(y.sum()))
        assert verdict.is_right or verdict.rule is Rule.RECALL
