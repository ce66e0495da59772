"""Headline numbers: short, honest, and none of a run that was cut off."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from dashboard.results import results
from dashboard.technique import Result, fitted
from dmlib.classification import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    GradientBoostingClassifier,
    LogisticRegression,
    ObliqueTree,
    PrunedTreeClassifier,
)
from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.scene import kmeans_scene
from dmlib.neural import DeepMLPClassifier, MLPClassifier, Perceptron
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import brief, percent
from dmlib.preprocessing import ColumnSummary
from dmlib.problem import prepare
from dmlib.regression import Lasso, LinearRegression, PolynomialRegression, Ridge
from tests.runs import stopped
from tests.visit import technique


def page(answer=fitted, **results):
    """A page with headline numbers."""
    numbers = {
        name: Result(value) if isinstance(value, str) else value for name, value in results.items()
    }
    return SimpleNamespace(headline_numbers=numbers, answer=answer, has_results=lambda run: True)


KMEANS = page(SSE="inertia_")
END = [Frame("")]


def end(technique, run):
    """Return the headline numbers of the end, by label."""
    (numbers,) = results(technique, run, END)
    return {number["label"]: number for number in numbers}


@pytest.fixture
def run():
    return Run.of(
        prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0]}), ["a"]), KMeans(2, random_state=0)
    )


def labelled(n=8, **options):
    """Two classes that a threshold separates but for one row."""
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 10.0, 11.0, 12.0, 2.5], "c": list("aaaabbbb")})
    return prepare(frame, ["x"], target="c", labelled=True, random_state=1, **options)


def test_they_are_those_of_the_answer(run):
    assert end(KMEANS, run) == {"SSE": {"label": "SSE", "text": "1", "note": ""}}


def test_each_frame_has_those_of_its_step(run):
    frames = kmeans_scene(run).frames
    texts = [numbers[0]["text"] for numbers in results(KMEANS, run, frames)]
    inertias = [step.inertia for step in run.trace.steps]
    assert texts[: len(inertias)] == [brief(value) for value in inertias]
    assert len(set(texts)) > 1
    assert {number["note"] for numbers in results(KMEANS, run, frames) for number in numbers} == {
        ""
    }


def test_what_a_step_does_not_know_is_said_to_be_of_the_end(run):
    numbers = results(page(Distances="n_features_in_"), run, kmeans_scene(run).frames)
    assert numbers[0] == [{"label": "Distances", "text": "1", "note": "at the end"}]
    assert numbers[-1] == [{"label": "Distances", "text": "1", "note": ""}]


def test_what_the_last_step_says_is_not_fitted_again(run):
    results(KMEANS, run, END)
    assert "fitted" not in vars(run)


def test_those_of_a_classifier_begin_with_its_errors_and_their_counts():
    problem = labelled(test_size=0.25)
    run = Run.of(problem, DecisionTreeClassifier(max_depth=1))
    numbers = end(page(), run)
    for label, part in (("Training error", problem.training), ("Test error", problem.testing)):
        wrong = np.count_nonzero(run.fitted.predict(part.data) != part.y)
        assert numbers[label]["text"] == percent(wrong / len(part.y))
        assert numbers[label]["note"] == f"{wrong} of {len(part.y)}"


def test_those_of_a_regression_begin_with_its_errors_on_both_parts():
    frame = pd.DataFrame({"x": np.arange(12.0), "z": np.arange(12.0) ** 2})
    problem = prepare(frame, ["x"], target="z", numeric_target=True, test_size=0.25, random_state=0)
    run = Run.of(problem, PolynomialRegression(1))
    numbers = end(page(), run)
    for label, part in (("Training RMSE", problem.training), ("Test RMSE", problem.testing)):
        residuals = part.y - run.fitted.predict(part.data)
        assert numbers[label]["text"] == brief(np.sqrt(np.mean(residuals**2)))


LEARNERS = [
    AdaBoostClassifier(n_estimators=4),
    BaggingClassifier(n_estimators=3, random_state=0),
    DecisionTreeClassifier(),
    DeepMLPClassifier(max_iter=4, random_state=0),
    GradientBoostingClassifier(n_estimators=4),
    LogisticRegression(),
    MLPClassifier(max_iter=5, random_state=0),
    ObliqueTree(),
    Perceptron(max_iter=4),
    PrunedTreeClassifier(),
]


@pytest.mark.parametrize("model", LEARNERS, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_last_step_predicts_what_the_fitted_classifier_predicts(model):
    problem = labelled()
    run = Run.of(problem, model)
    (predicted,) = run.fitted.predict_at(run.trace.steps[-1:], problem.data)
    assert predicted.tolist() == run.fitted.predict(problem.data).tolist()


def test_a_tree_that_is_a_root_predicts_the_most_frequent_class():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "c": list("aabbb")})
    problem = prepare(frame, ["x"], target="c", labelled=True)
    run = Run.of(problem, DecisionTreeClassifier())
    *_, done = run.trace.steps
    first, last = run.fitted.predict_at([run.trace.steps[0], done], problem.data)
    assert first.tolist() == last.tolist() == problem.y.tolist()
    stump = Run.of(problem, AdaBoostClassifier(n_estimators=2))
    assert next(stump.fitted.predict_at(stump.trace.steps[:1], problem.data)) is None


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), Lasso(), PolynomialRegression(2)])
def test_the_last_step_predicts_what_the_fitted_regression_predicts(model):
    frame = pd.DataFrame({"x": np.arange(9.0), "z": np.arange(9.0) ** 2})
    problem = prepare(frame, ["x"], target="z", numeric_target=True)
    run = Run.of(problem, model)
    (predicted,) = run.fitted.predict_at(run.trace.steps[-1:], problem.data)
    assert predicted == pytest.approx(run.fitted.predict(problem.data))


def test_of_clusters_that_a_setting_decides_the_answer_is_asked(run):
    answer = SimpleNamespace(inertia_=7)
    assert end(page(lambda run: answer, Rows="inertia_"), run)["Rows"]["text"] == "7"


def test_the_overview_of_a_table_is_of_the_column_that_is_shown():
    overview = technique("data_overview")
    problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0], "b": [5.0, 6.0, 8.0]}), ["a", "b"])
    numbers = end(overview, Run.of(problem, ColumnSummary(column=2)))
    texts = {label: number["text"] for label, number in numbers.items()}
    assert texts == {"Median": "6", "Variance": "2.33", "Range": "3"}


def test_a_run_that_was_cut_off_has_none(run):
    assert results(KMEANS, stopped(run, 2), END) == []
    assert results(KMEANS, stopped(run, 0), END) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0"),
        (-0.5, "−0.5"),
        (1 / 3, "0.333"),
        (np.int64(12), "12"),
        (1856, "1,856"),
        (-9999.4, "−9,999"),
        (12345.6, "12,346"),
        (1.5e9, "1.5 × 10⁹"),
        (-1.5e-7, "−1.5 × 10⁻⁷"),
        (-np.inf, "−∞"),
        ([1, 2], "1, 2"),
        ([[1, 2], [3, 4]], "1, 2 …"),
    ],
)
def test_numbers_have_three_digits(value, text):
    assert brief(value) == text
