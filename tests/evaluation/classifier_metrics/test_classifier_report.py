"""All measures of a classifier, step by step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics
from sklearn.datasets import load_iris, make_classification

from dmlib.datasets import make
from dmlib.evaluation import ClassifierReport, ConfusionStep, MeasureStep, ScoreStep, confusion
from dmlib.evaluation.classifier_metrics.classifier_report import MEASURES
from dmlib.evaluation.scores import MODELS
from dmlib.trace import run

IRIS, SPECIES = load_iris(return_X_y=True)
X, Y = make_classification(120, 4, flip_y=0.2, random_state=3)


def parts(report, X, y):
    steps = run(report, X, y).steps
    return [
        [step for step in steps if isinstance(step, kind)]
        for kind in (ScoreStep, ConfusionStep, MeasureStep)
    ]


@pytest.mark.parametrize("scoring", ["cross_validation", "held_out", "training"])
@pytest.mark.parametrize("model", [name for name in MODELS if name != "column"])
@pytest.mark.parametrize("data", [(IRIS, SPECIES), (X, Y)], ids=["three", "two"])
def test_fit_and_steps_tell_the_same(model, scoring, data):
    report = ClassifierReport(model, scoring=scoring, cost_fn=5.0, random_state=0)
    scored, counted, measured = parts(report, *data)
    fitted = report.fit(*data)
    assert_array_equal(counted[-1].matrix, fitted.confusion_.matrix)
    values = {step.name: step.value for step in measured}
    assert tuple(values) == (*MEASURES, "")
    for name in "accuracy", "kappa":
        assert_allclose(values[name], getattr(fitted, f"{name}_"))
    for name in "expected_cost", "quadratic_loss", "informational_loss":
        assert_allclose(values[name], getattr(fitted, f"{name}_"))
    assert (
        sum(len(step.rows) for step in scored)
        == counted[-1].matrix.sum()
        == (fitted.predictions_ >= 0).sum()
    )


def test_measures_are_those_of_scikit_learn():
    report = ClassifierReport("naive_bayes", random_state=0).fit(IRIS, SPECIES)
    scored, counted, measured = parts(
        ClassifierReport("naive_bayes", random_state=0), IRIS, SPECIES
    )
    predicted, proba = report.predictions_, np.empty((150, 3))
    for step in scored:
        proba[step.rows] = step.scores
    values = {step.name: step.value for step in measured}
    assert_array_equal(report.confusion_.matrix, metrics.confusion_matrix(SPECIES, predicted))
    assert_allclose(
        values["precision"], metrics.precision_score(SPECIES, predicted, average="macro")
    )
    assert_allclose(values["kappa"], metrics.cohen_kappa_score(SPECIES, predicted))
    assert_allclose(values["quadratic_loss"], metrics.brier_score_loss(SPECIES, proba))
    assert_allclose(values["informational_loss"] * np.log(2), metrics.log_loss(SPECIES, proba))
    for step in counted:
        assert step.matrix[step.truth[0], step.predicted[0]] > 0
        assert SPECIES[step.rows[0]] == step.truth[0]


def test_the_threshold_trades_false_alarms_for_misses():
    fitted = [
        ClassifierReport(threshold=t, random_state=0).fit(X, Y).confusion_
        for t in (0.0, 0.3, 0.7, 1.1)
    ]
    assert [result.fp for result in fitted] == sorted(
        (result.fp for result in fitted), reverse=True
    )
    assert [result.fn for result in fitted] == sorted(result.fn for result in fitted)
    assert fitted[0].recall == 1
    assert np.isnan(fitted[-1].precision)


def test_the_other_class_is_positive():
    first, second = (
        ClassifierReport(positive=p, random_state=0).fit(X, Y).confusion_ for p in (1, 2)
    )
    assert (first.tp, first.fp, first.tn, first.fn) == (second.tn, second.fn, second.tp, second.fp)


@pytest.mark.parametrize("positive", [1, 2])
def test_a_column_is_the_score_of_the_positive_class(positive):
    p = np.array([0.9, 0.7, 0.4, 0.2])
    y = np.array([0, 0, 1, 1]) if positive == 1 else np.array([1, 1, 0, 0])
    report = ClassifierReport("column", positive=positive).fit(p[:, None], y)
    assert report.accuracy_ == 1
    assert_allclose(report.quadratic_loss_, 2 * np.mean((1 - np.array([0.9, 0.7, 0.6, 0.8])) ** 2))
    assert_array_equal(report.predict(p[:, None]), y)
    wide = ClassifierReport("column", positive=positive, threshold=50.0).fit(100 * p[:, None], y)
    assert wide.accuracy_ == 1
    assert np.isnan(wide.informational_loss_)


def test_a_machine_without_probabilities_decides_as_usual():
    report = ClassifierReport("svm", random_state=0).fit(X, Y)
    assert_array_equal(report.predict(X), report.model_.predict(X))
    assert np.isnan(report.quadratic_loss_)


def test_costs():
    report = ClassifierReport(cost_fp=2.0, cost_fn=7.0, random_state=0).fit(X, Y)
    result = report.confusion_
    assert_allclose(report.expected_cost_, (2 * result.fp + 7 * result.fn) / 120)
    three = ClassifierReport(cost_fp=2.0, cost_fn=7.0, positive=2, random_state=0)
    (_, _, measured) = parts(three, IRIS, SPECIES)
    assert measured[0].costs.tolist() == [[0, 2, 1], [7, 0, 7], [1, 2, 0]]


def test_cells_have_their_own_costs_and_weights():
    counts = make("confusion_counts", tp=150, fn=40, fp=60, tn=250).frame
    truth = (counts["class"] == "positive").to_numpy()
    dearer = {(True, True): -1.0, (True, False): 100.0}
    report = ClassifierReport("column", costs=dearer).fit(counts[["decision"]], truth)
    assert report.confusion_.matrix.tolist() == [[250, 60], [40, 150]]
    # Tan, Steinbach and Kumar (2006), section 5.7.2: the cost of model M1.
    assert report.expected_cost_ * 500 == pytest.approx(3910)
    w = {(True, True): 2.0, (True, False): 3.0, (False, True): 4.0, (False, False): 5.0}
    weighted = ClassifierReport("column", weights=w)
    (_, _, measured) = parts(weighted, counts[["decision"]].to_numpy(), truth)
    value = next(step.value for step in measured if step.name == "weighted_accuracy")
    assert value == pytest.approx((2 * 150 + 5 * 250) / (2 * 150 + 3 * 40 + 4 * 60 + 5 * 250))


@pytest.mark.parametrize("costs", [{0: 1.0}, {(0, 1): np.inf}, {(0, 1): "2"}])
def test_costs_that_are_none_are_refused(costs):
    with pytest.raises(ValueError, match="costs"):
        ClassifierReport(costs=costs).fit(X, Y)


@pytest.mark.parametrize(("p", "q"), [(0.0, 1.0), (-2.0, 5.0), (3.0, 3.0)])
def test_accuracy_decides_where_correct_predictions_and_errors_cost_the_same(p, q):
    costs = {(i, j): p if i == j else q for i in (0, 1) for j in (0, 1)}
    report = ClassifierReport(costs=costs, random_state=0).fit(X, Y)
    assert report.expected_cost_ == pytest.approx(q - (q - p) * report.accuracy_)


def test_predictions_are_those_of_the_cells():
    report = ClassifierReport("knn", scoring="held_out", random_state=0).fit(IRIS, SPECIES)
    is_scored = report.predictions_ >= 0
    result = confusion(SPECIES[is_scored], report.predictions_[is_scored])
    assert_array_equal(result.matrix, report.confusion_.matrix)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: ClassifierReport(positive=3).fit(X, Y),
            "positive=3, but there are only 2 classes",
        ),
        (lambda: ClassifierReport("column").fit(IRIS, SPECIES), "of 3 it must hold"),
        (lambda: ClassifierReport().fit(X, np.zeros(120)), "There is only one class"),
        (lambda: ClassifierReport(None).fit(X, Y), "model must be one of"),
    ],
)
def test_refusals_are_sentences(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
