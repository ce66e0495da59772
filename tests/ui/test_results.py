"""Headline numbers: short, honest, and none of a run that was cut off."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

from dashboard.results import brief, results
from dashboard.technique import fitted
from dmlib.classification import DecisionTreeClassifier, LogisticRegression
from dmlib.clustering import KMeans
from dmlib.pictures.run import Run
from dmlib.preprocessing import ColumnSummary
from dmlib.problem import prepare
from tests.runs import stopped
from tests.visit import technique

KMEANS = SimpleNamespace(results={"SSE": "inertia_", "Centres": "cluster_centers_"}, answer=fitted)


@pytest.fixture
def run():
    return Run.of(
        prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0]}), ["a"]), KMeans(2, random_state=0)
    )


def test_they_are_those_of_the_answer(run):
    sse, centers = results(KMEANS, run)
    assert sse == {"label": "SSE", "text": "1"}
    assert centers["label"] == "Centres"
    assert set(centers["text"].split(", ")) == {"0.5", "9.5"}


def test_what_the_last_step_says_is_not_fitted_again(run):
    results(SimpleNamespace(results={"SSE": "inertia_"}, answer=fitted), run)
    assert "fitted" not in vars(run)


def test_those_of_a_classifier_begin_with_its_errors():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 10.0, 11.0, 12.0, 2.5], "c": list("aaaabbbb")})
    problem = prepare(frame, ["x"], target="c", labelled=True, test_size=0.25, random_state=1)
    run = Run.of(problem, DecisionTreeClassifier(max_depth=1))
    texts = {
        result["label"]: result["text"]
        for result in results(SimpleNamespace(results={}, answer=fitted), run)
    }
    for label, part in (("Training error", problem.training), ("Test error", problem.testing)):
        assert texts[label] == brief(1 - accuracy_score(part.y, run.fitted.predict(part.data)))


def test_coefficients_are_those_of_the_columns_and_not_the_steps_with_the_constant(run):
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("aababb")})
    run = Run.of(prepare(frame, ["x"], target="c", labelled=True), LogisticRegression())
    (_, coefficients) = results(
        SimpleNamespace(results={"Coefficients": "coef_"}, answer=fitted), run
    )
    assert coefficients == {"label": "Coefficients", "text": brief(run.fitted.coef_[0])}


def test_of_clusters_that_a_setting_decides_the_answer_is_asked(run):
    page = SimpleNamespace(
        results={"Rows": "inertia_"}, answer=lambda run: SimpleNamespace(inertia_=7)
    )
    assert results(page, run) == [{"label": "Rows", "text": "7"}]


def test_the_overview_of_a_table_is_of_the_column_that_is_shown():
    page = technique("data_overview")
    problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0], "b": [5.0, 6.0, 8.0]}), ["a", "b"])
    items = results(page, Run.of(problem, ColumnSummary(column=2)))
    assert [(item["label"], item["text"]) for item in items] == [
        ("Median", "6"),
        ("Variance", "2.333"),
        ("Range", "3"),
    ]


def test_a_run_that_was_cut_off_has_none(run):
    assert results(KMEANS, stopped(run, 2)) == []
    assert results(KMEANS, stopped(run, 0)) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.5, "−0.5"),
        (1 / 3, "0.3333"),
        (True, "1"),
        (np.int64(12), "12"),
        (9999.4, "9999"),
        (12345.6, "12346"),
        (1.5e7, "1.5e+07"),
        (-1.5e-7, "−1.5e−07"),
        (np.inf, "∞"),
        ([1, 2, 3, 4], "1, 2, 3, 4"),
        ([[1, 2], [3, 4], [5, 6]], "1, 2, 3, 4 …"),
        ([], ""),
    ],
)
def test_numbers_are_short(value, text):
    assert brief(value) == text
