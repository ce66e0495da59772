"""The page of many classes: presets show what they promise; classifiers and places change."""

from functools import partial

import numpy as np
import pytest

from dmlib.classification.multiclass.binary import BINARY, binary_classifiers
from dmlib.classification.multiclass.binary_step import agreeing, contradictory
from dmlib.classification.multiclass.figures.reductions import reductions, reductions_data
from dmlib.pictures.regions import errors
from tests.visit import open_preset, sound, stage, visit, warnings, watched_runs

run_of = partial(open_preset, "multiclass")


def error(run, part="test"):
    (share,) = (
        wrong / size for name, size, wrong in errors(run.problem, run.fitted) if name == part
    )
    return f"{100 * share:.2g} %"


def missed(run):
    return [int((step.predicted != step.positive).sum()) for step in run.trace.steps[:-1]]


def tied(run):
    return int(
        contradictory(
            agreeing(run.fitted.signs, run.fitted.answers(run.problem.training.data)[1])
        ).sum()
    )


def test_each_against_the_rest():
    run, _, look_for = run_of("Five blobs, each against the rest")
    assert f"misclassifies {max(missed(run))} of 140 rows" in look_for
    assert f"At {tied(run)} rows" in look_for
    assert f"decide: {error(run)} test error" in look_for
    pairs, _, look_for = run_of("Five blobs, each against each")
    assert len(pairs.fitted.estimators_) == 10
    assert tied(pairs) == 0
    assert f"{error(pairs)} test error" in look_for


def test_the_class_in_the_middle_has_no_place():
    run, _, look_for = run_of("The class in the middle")
    assert missed(run) == [0, 20, 0]
    assert "all 20 rows of B" in look_for
    assert not run.fitted.answers(run.problem.X)[1][run.problem.y == 1, 1].any()
    assert error(run, "training") == "0 %"
    assert tied(run) == 20


def test_three_points():
    run, _, look_for = run_of("Three points, three pairs")
    values = run.fitted.answers(run.current_query.x[None])[0][0]
    assert values == pytest.approx([0.5, -0.25, -1.5], abs=1e-6)
    assert "0.5, −0.25 and −1.5" in look_for


def test_stumps():
    run, _, look_for = run_of("Stumps against the rest")
    assert f": {error(run)} test error" in look_for
    assert (
        f"One-versus-one: {error(run_of('Stumps against the rest', method='One-versus-one').run)}"
        in look_for
    )
    words, _, look_for = run_of("Fifteen bits of stumps")
    signs = words.fitted.signs
    distances = {int((a != b).sum()) for i, a in enumerate(signs) for b in signs[:i]}
    assert f"differ in {min(distances)} of {signs.shape[1]} bits" in look_for
    assert f"up to {100 * max(missed(words)) / 140:.0f} %" in look_for
    assert f"test error of {error(words)}" in look_for


def test_two_bits_for_five_classes():
    run, _, look_for = run_of("Five classes, two bits")
    words = run.fitted.code_book_
    assert words[0].tolist() == words[1].tolist()
    assert words[2].tolist() == words[3].tolist()
    assert not {1, 3} & set(run.fitted.predict(run.problem.X).tolist())
    assert f"test error is {error(run)}." in look_for
    assert f"code: {error(run_of('Five classes, two bits', code='exhaustive').run)}" in look_for


def test_two_classes_are_one_problem():
    run, _, look_for = run_of("Two classes, one problem")
    assert len(run.fitted.estimators_) == 1
    assert f"{error(run)} test error" in look_for
    assert f"boundary: {error(run_of('Two classes, one problem', estimator='svm').run)}" in look_for


# --- the rest of the page -------------------------------------------------------------------------


@pytest.mark.parametrize("name", BINARY)
def test_every_binary_classifier_can_be_chosen(name):
    run = run_of("Five blobs, each against the rest", estimator=name).run
    assert {type(each) for each in run.fitted.estimators_} == {binary_classifiers()[name]}


def test_names_need_a_classifier_that_takes_them():
    page = visit("multiclass", source="library", data="weather_numeric")
    assert "or choose naive_bayes or decision_tree or knn" in stage(page)["frames"][0]["caption"]
    bayes = {"multiclass.estimator": "naive_bayes"}
    assert (
        warnings(sound(visit("multiclass", source="library", data="weather_numeric", **bayes)))
        == []
    )


@pytest.mark.parametrize("method", ["One-versus-rest", "One-versus-one", "Output code"])
def test_a_click_adds_up_the_votes(method):
    with watched_runs() as runs:
        page = sound(visit("multiclass", query="4,5", **{"multiclass.method": method}))
    run = runs[-1]
    texts = [block["text"] for block in stage(page)["frames"][-1]["ledger"] if "text" in block]
    name = run.problem.classes[int(run.fitted.predict(run.query.x[None])[0])]
    assert texts[-1].endswith(f"the class is {name}")


def test_the_figure_compares_the_three_over_the_same_classifier():
    run = run_of("Stumps against the rest").run
    data = reductions_data(run)
    assert data.n_problems == (5, 10, 7)
    pairs = run_of("Stumps against the rest", method="One-versus-one").run
    assert data.test[1] == np.mean(
        pairs.fitted.predict(pairs.problem.testing.data) != pairs.problem.testing.y
    )
    assert "one-versus-one" in reductions(run).layout.title.text.replace("<br>", "")
