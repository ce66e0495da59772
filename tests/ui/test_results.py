"""Headline numbers: short, honest, and none of a run that was cut off."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from dashboard.results import Headline, results
from dashboard.technique import Result, fitted
from dmlib.classification import (
    SVC,
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    GradientBoostingClassifier,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    NaiveBayes,
    NuSVC,
    ObliqueTree,
    PrunedTreeClassifier,
    QuadraticDiscriminantAnalysis,
)
from dmlib.classification.svm.machine import Machine
from dmlib.clustering import KMeans
from dmlib.clustering.kmeans.scene import kmeans_scene
from dmlib.evaluation import ThresholdSweep
from dmlib.neural import ConvNet, DeepMLPClassifier, MLPClassifier, Perceptron
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
    return SimpleNamespace(
        headline_numbers=lambda run: numbers, answer=answer, has_results=lambda run: True
    )


KMEANS = page(SSE="inertia_")
END = [Frame("")]


def end(technique, run):
    """Return the headline numbers of the end, by label."""
    (numbers,) = results(technique, run, END)
    return {number.label: number for number in numbers}


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
    assert end(KMEANS, run) == {"SSE": Headline("SSE", "1")}


def test_each_frame_has_those_of_its_step(run):
    frames = kmeans_scene(run).frames
    texts = [numbers[0].text for numbers in results(KMEANS, run, frames)]
    inertias = [step.inertia for step in run.trace.steps]
    assert texts[: len(inertias)] == [brief(value) for value in inertias]
    assert len(set(texts)) > 1
    assert {number.note for numbers in results(KMEANS, run, frames) for number in numbers} == {""}


def test_what_a_step_does_not_know_is_said_to_be_of_the_end(run):
    numbers = results(page(Distances="n_features_in_"), run, kmeans_scene(run).frames)
    assert numbers[0] == [Headline("Distances", "1", "at the end")]
    assert numbers[-1] == [Headline("Distances", "1")]


def test_what_the_last_step_says_is_not_fitted_again(run):
    results(KMEANS, run, END)
    assert "fitted" not in vars(run)


def test_those_of_a_classifier_begin_with_its_errors_and_their_counts():
    problem = labelled(test_size=0.25)
    run = Run.of(problem, DecisionTreeClassifier(max_depth=1))
    numbers = end(page(), run)
    for label, part in (("Training error", problem.training), ("Test error", problem.testing)):
        wrong = np.count_nonzero(run.fitted.predict(part.data) != part.y)
        assert numbers[label].text == percent(wrong / len(part.y))
        assert numbers[label].note == f"{wrong} of {len(part.y)}"


def test_those_of_a_regression_begin_with_its_errors_on_both_parts():
    frame = pd.DataFrame({"x": np.arange(12.0), "z": np.arange(12.0) ** 2})
    problem = prepare(frame, ["x"], target="z", numeric_target=True, test_size=0.25, random_state=0)
    run = Run.of(problem, PolynomialRegression(1))
    numbers = end(page(), run)
    for label, part in (("Training RMSE", problem.training), ("Test RMSE", problem.testing)):
        residuals = part.y - run.fitted.predict(part.data)
        assert numbers[label].text == brief(np.sqrt(np.mean(residuals**2)))
    assert numbers["Test MAE"].text == brief(np.abs(residuals).mean())
    assert "Training MAE" not in numbers


LEARNERS = [
    AdaBoostClassifier(n_estimators=4),
    BaggingClassifier(n_estimators=3, random_state=0),
    DecisionTreeClassifier(),
    DeepMLPClassifier(max_iter=4, random_state=0),
    GradientBoostingClassifier(n_estimators=4),
    LinearDiscriminantAnalysis(),
    LogisticRegression(),
    MLPClassifier(max_iter=5, random_state=0),
    NaiveBayes(),
    NuSVC(),
    ObliqueTree(),
    Perceptron(max_iter=4),
    PrunedTreeClassifier(),
    QuadraticDiscriminantAnalysis(),
    SVC(C=10),
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


def columns(n_rows=60):
    """Two classes that overlap in three columns."""
    rng = np.random.default_rng(0)
    codes = np.arange(n_rows) % 2
    frame = pd.DataFrame(rng.normal(codes[:, None] * [0.5, 1.0, 1.5], 1.0), columns=list("xyz"))
    frame["c"] = np.array(list("ab"))[codes]
    return prepare(frame, list("xyz"), target="c", labelled=True)


@pytest.mark.parametrize("model", [SVC(C=10), SVC(kernel="linear"), NuSVC()], ids=str)
def test_a_support_vector_machine_predicts_by_the_multipliers_of_a_step(model):
    problem = columns()
    run = Run.of(problem, model)
    first, *later = run.trace.steps
    machine = Machine(problem, first)
    n_wrong = []
    for step, predicted in zip(later, run.fitted.predict_at(later, problem.data), strict=True):
        assert predicted.tolist() == (machine.decision(problem.X, step) >= 0).astype(int).tolist()
        n_wrong.append((predicted != problem.y).sum())
    assert len(set(n_wrong)) > 2
    assert run.trace.steps[-1].n_support.tolist() == run.fitted.n_support_.tolist()
    frames = [Frame("", step=step, is_last=False) for step in run.trace.steps]
    numbers = [numbers[-1] for numbers in results(technique("svm"), run, frames)]
    counts = [str(np.count_nonzero(step.alpha)) for step in run.trace.steps]
    assert [(each.text, each.note) for each in numbers] == [(n, "") for n in counts]
    (at_start,) = run.fitted.predict_at([first], problem.data)
    assert (at_start is None) == (not first.alpha.any())


def test_machines_that_vote_predict_nothing_before_the_end():
    X, y = np.arange(9.0)[:, None], np.repeat([0, 1, 2], 3)
    model = SVC().fit(X, y)
    steps = list(model.steps(X, y))
    assert set(model.predict_at(steps, X)) == {None}


@pytest.mark.parametrize(
    "model", [LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()], ids=str
)
def test_there_is_no_discriminant_analysis_before_all_discriminants(model):
    run = Run.of(columns(), model)
    numbers = results(page(), run, [Frame("", step=s, is_last=False) for s in run.trace.steps])
    texts = {s.phase: n[0].text for s, n in zip(run.trace.steps, numbers, strict=True)}
    assert texts["mean"] == texts["covariance"] == "–"
    assert texts["discriminant"] == texts["done"] == end(page(), run)["Training error"].text
    first = next(i for i, step in enumerate(run.trace.steps) if step.phase == "discriminant")
    assert numbers[first][0].text == "–"


@pytest.mark.parametrize("numeric", ["gaussian", "interval", "discretised"])
def test_naive_bayes_predicts_by_the_columns_of_a_step(numeric):
    problem = columns()
    run = Run.of(problem, NaiveBayes(numeric=numeric, laplace=1))
    learning = run.trace.steps[:4]
    for step, predicted in zip(
        learning, run.fitted.predict_at(learning, problem.data), strict=True
    ):
        n_columns = len(step.tables)
        if n_columns:
            part = problem.data[:, :n_columns]
            expected = NaiveBayes(numeric=numeric, laplace=1).fit(part, problem.y).predict(part)
        else:
            expected = np.zeros(len(problem.y))
        assert predicted.tolist() == expected.tolist()


def test_a_convolutional_network_has_the_errors_of_each_epoch():
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 4, 4)), np.arange(60) % 3
    model = ConvNet(2, max_iter=3, validation_fraction=0.0, random_state=0)
    steps = list(model.steps(X, y))
    model.fit_from(steps, X, y)
    shares = [np.mean(predicted == y) for predicted in model.predict_at(steps, X)]
    assert shares == [step.score for step in steps]
    assert len(set(shares)) > 1


def test_sums_are_those_so_far_and_not_known_before_they_begin():
    frame = pd.DataFrame({"x": [5.0, 4.0, 4.0, 3.0, 2.0, 1.0], "c": list("babbaa")})
    problem = prepare(frame, ["x"], target="c", labelled=True)
    run = Run.of(problem, ThresholdSweep("column"))
    frames = [Frame("", step=step, is_last=step.phase == "done") for step in run.trace.steps]
    numbers = results(technique("roc"), run, frames)
    areas, precisions = zip(*numbers, strict=True)
    assert [area.text for area in areas] == ["–", "0", "0", "0.167", "0.167", "0.5", *2 * ["0.833"]]
    assert [each.text for each in precisions[:5]] == ["–", "0", "0.333", "0.556", "0.806"]
    assert {each.text for each in precisions[5:]} == {"0.806"}
    notes = ["", *6 * ["so far"], ""]
    assert [[each.note for each in column] for column in (areas, precisions)] == [notes, notes]
    assert areas[3].compared(areas[5])["note"] == "difference −0.333, so far"


def test_differences_of_any_size_are_written():
    one, huge = (Headline.of("R²", value) for value in (1.0, -1e20))
    assert one.compared(huge)["note"] == "difference +1 × 10²⁰"
    assert huge.compared(one)["note"] == "difference −1 × 10²⁰"
    assert Headline.of("n", 7).compared(Headline.of("n", 3))["note"] == "difference +4"


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), Lasso(), PolynomialRegression(2)])
def test_the_last_step_predicts_what_the_fitted_regression_predicts(model):
    frame = pd.DataFrame({"x": np.arange(9.0), "z": np.arange(9.0) ** 2})
    problem = prepare(frame, ["x"], target="z", numeric_target=True)
    run = Run.of(problem, model)
    (predicted,) = run.fitted.predict_at(run.trace.steps[-1:], problem.data)
    assert predicted == pytest.approx(run.fitted.predict(problem.data))


def test_of_clusters_that_a_setting_decides_the_answer_is_asked(run):
    answer = SimpleNamespace(inertia_=7)
    assert end(page(lambda run: answer, Rows="inertia_"), run)["Rows"].text == "7"


def test_the_overview_of_a_table_is_of_the_column_that_is_shown():
    overview = technique("data_overview")
    problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0], "b": [5.0, 6.0, 8.0]}), ["a", "b"])
    numbers = end(overview, Run.of(problem, ColumnSummary(column=2)))
    texts = {label: number.text for label, number in numbers.items()}
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
