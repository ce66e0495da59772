"""Questions about measures: computed again with scikit-learn from the predictions."""

import pandas as pd
import pytest
from sklearn import metrics

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.classifier_metrics.questions import ROLES, Rule, questions
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import technique

MEASURES = {
    "accuracy": metrics.accuracy_score,
    "recall": metrics.recall_score,
    "F1": metrics.f1_score,
    "balanced": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "false positive rate": lambda y, p: 1 - metrics.recall_score(y, p, pos_label=0),
}


@pytest.fixture(params=range(4))
def parts(request):
    """Return truth, predictions and questions of a round."""
    page = technique("classifier_metrics")
    view = view_of(page, practice_settings(page, request.param))
    run = view.run
    all_questions = questions_of(view)
    return run.problem.y, run.fitted.predictions_, [each.question for each in all_questions]


def test_measures_are_those_of_scikit_learn(parts):
    y, predicted, all_questions = parts
    n_asked = 0
    for question in all_questions:
        if question.topic not in ("cell", "denominator"):
            name = next(name for name in reversed(MEASURES) if name in question.prompt)
            assert judge(question, float(MEASURES[name](y, predicted))).is_right, question.prompt
            n_asked += 1
    assert n_asked > 3


def test_rows_are_counted_by_true_and_predicted_class(parts):
    y, predicted, all_questions = parts
    for question in (each for each in all_questions if each.topic == "cell"):
        row = int(question.prompt.split()[1]) - 1
        role = "TF"[int(y[row] != predicted[row])] + "NP"[predicted[row]]
        assert judge(question, ROLES.index(role)).is_right
        if role in ("FP", "FN"):
            swapped = ROLES.index({"FP": "FN", "FN": "FP"}[role])
            assert judge(question, swapped).rule is Rule.TRANSPOSED


def test_denominators_are_rows_or_columns_of_the_matrix(parts):
    _, _, all_questions = parts
    cells = {"precision": [2, 4], "specificity": [1, 2], "false negative": [3, 4]}
    cells["negative predictive"] = [1, 3]
    for question in (each for each in all_questions if each.topic == "denominator"):
        name = next(name for name in cells if name in question.prompt)
        assert judge(question, cells[name]).is_right


def test_three_classes_have_questions():
    frame = pd.DataFrame({"a": range(12), "c": list("uuuuvvvvwwww")})
    problem = prepare(frame, ["a"], target="c", labelled=True)
    run = Run.of(problem, ClassifierReport("knn", folds=2, random_state=0))
    topics = {question.topic for question in questions(run)}
    assert topics == {"cell", "accuracy", "kappa"}
