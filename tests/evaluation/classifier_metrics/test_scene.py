"""The picture of a confusion matrix: its cells, its arithmetic, and what lights up."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

from dmlib.datasets import load
from dmlib.evaluation import ClassifierReport
from dmlib.evaluation.classifier_metrics.cells_scene import DENOMINATOR, NUMERATOR, UNUSED, Cells
from dmlib.evaluation.classifier_metrics.classifier_report import MEASURES
from dmlib.evaluation.classifier_metrics.panels_scene import BARS
from dmlib.evaluation.classifier_metrics.scene import classifier_metrics_scene
from dmlib.evaluation.classifier_metrics.texts_ledger import SENTENCES, TITLES
from dmlib.evaluation.counts import FORMULAS
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Points, Rects, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, tables
from tests.runs import stopped

ROWS = pd.DataFrame({"score": [0.9, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.7], "ill": list("yynynnny")})
HAND = prepare(ROWS, ["score"], target="ill", labelled=True)
IRIS = load("iris").frame
HEART = load("heart_disease").frame


def iris(**options):
    return prepare(IRIS, list(IRIS.columns[:2]), target=IRIS.columns[4], labelled=True, **options)


def heart(**options):
    return prepare(HEART, ["age", "max_heart_rate"], target="narrowing", labelled=True, **options)


def reported(problem, model="naive_bayes", selected=None, **params):
    report = ClassifierReport(model, random_state=0, **params)
    run = Run.of(problem, report, selected=selected)
    return classifier_metrics_scene(run), run.fitted


def measured(scene):
    """Return the frames of the measures by name."""
    return dict(
        zip(MEASURES, [frame for frame in scene.frames if frame.phase == "measure"], strict=True)
    )


def test_rows_fall_into_their_cells_one_by_one():
    scene, _ = reported(HAND, "column")
    counted = [frame for frame in scene.frames if frame.phase == "count"]
    assert [frame.caption for frame in counted[:3]] == [
        "Row 1 is y and is predicted y: TP = 1.",
        "Row 2 is y and is predicted y: TP = 2.",
        "Row 3 is n and is predicted y: FP = 1.",
    ]
    assert tables(counted[-1])["Counted so far"].rows == [("n", 3, 1), ("y", 1, 3)]
    assert formulas(counted[-1]) == ["correct so far: 6 / 8 = 0.75"]
    (dots,) = marks(scene, Points, data=True)
    assert [int(at(dots.opacity, i).sum()) for i in range(len(scene.frames))][:9] == list(range(9))


def test_each_dot_is_in_the_cell_of_its_true_and_called_class():
    problem = iris()
    scene, fitted = reported(problem)
    (dots,) = marks(scene, Points, data=True)
    x, y = at(dots.x, -1), at(dots.y, -1)
    assert_allclose(np.round(x), fitted.predictions_)
    assert_allclose(np.round(y), 2 - problem.y)
    assert len(set(zip(x.tolist(), y.tolist(), strict=True))) == len(problem.X)


def test_counts_above_the_dots_are_those_of_the_matrix():
    scene, fitted = reported(iris())
    last = len(scene.frames) - 1
    (texts,) = (mark for mark in marks(scene, Texts, "data") if len(at(mark.x, last)))
    assert list(texts.text) == [str(n) for n in fitted.confusion_.matrix.ravel()]
    assert not any(len(at(mark.x, 0)) for mark in marks(scene, Texts, "data"))


@pytest.mark.parametrize("problem", [HAND, iris()], ids=["two classes", "three classes"])
def test_rows_of_the_matrix_answer_to_their_cells(problem):
    scene, _ = reported(problem, "column" if problem is HAND else "naive_bayes")
    _, cells = marks(scene, Rects, "data")
    ticks = scene.panels[0].y.ticks
    numbers, middles = at(cells.numbers, -1), (at(cells.y0, -1) + at(cells.y1, -1)) / 2
    lanes = {number: {ticks[round(y)] for y in middles[numbers == number]} for number in numbers}
    linked = [
        table for frame in scene.frames for table in tables(frame).values() if table.by == cells.of
    ]
    assert {"Counted so far", "Confusion matrix", "Cost matrix"} <= {
        table.title for table in linked
    }
    for table in linked:
        assert [lanes[number] for number in table.numbers] == [{row[0]} for row in table.rows]


def test_measures_answer_to_their_bars():
    scene, _ = reported(HAND, "column")
    for panel, table in (
        ("measures", "All measures; rates are of y"),
        ("chance", "Compared with chance"),
    ):
        (bars,), (texts,) = marks(scene, Rects, panel), marks(scene, Texts, panel)
        rows = tables(scene.frames[-1])[table]
        assert rows.by == bars.of
        lengths = dict(
            zip(at(bars.numbers, -1), zip(at(bars.x1, -1), texts.text, strict=True), strict=True)
        )
        answered = [
            (row[1], *lengths[n]) for row, n in zip(rows.rows, rows.numbers, strict=True) if n
        ]
        assert len(answered) == len(texts.text)
        for value, length, text in answered:
            assert value == pytest.approx(length, rel=1e-4)
            assert float(text.split()[-1]) == pytest.approx(length, abs=1e-3)


def test_the_arithmetic_of_the_example_by_hand():
    frames = measured(reported(HAND, "column", cost_fn=4.0)[0])
    assert formulas(frames["precision"]) == ["Precision = TP / (TP + FP) = 3 / (3 + 1) = 0.75"]
    assert frames["precision"].caption == "Of the 4 rows predicted y, 3 are y: precision 0.75."
    assert formulas(frames["kappa"]) == [
        "chance = Σ true · predicted / n² = (4 · 4 + 4 · 4) / 8² = 0.5",
        "kappa = (accuracy − chance) / (1 − chance) = (0.75 − 0.5) / (1 − 0.5) = 0.5",
    ]
    assert formulas(frames["expected_cost"]) == [
        "cost per row = (1 · 1 + 4 · 1) / 8 = 5 / 8 = 0.625"
    ]
    assert formulas(frames["weighted_accuracy"])[0].endswith(
        "= (1 · 3 + 1 · 3) / (1 · 3 + 1 · 1 + 4 · 1 + 1 · 3) = 0.545455"
    )
    assert tables(frames["accuracy"])["Compared with chance"].rows == [
        ("this model", 0.75, 0.75, 0.5, 0.625),
        ("ZeroR (n)", 0.5, 0.5, 0.0, 2.0),
        ("random", 0.5, 0.5, 0.0, 1.25),
    ]


def test_the_losses_by_hand():
    frames = measured(reported(HAND, "column")[0])
    p = np.array([0.9, 0.8, 0.4, 0.4, 0.7, 0.8, 0.9, 0.7])
    quadratic, bits = (2 * (1 - p) ** 2).mean(), -np.log2(p).mean()
    lines = formulas(frames["quadratic_loss"])
    assert_allclose(float(lines[0].rsplit("= ", 1)[1]), quadratic, rtol=1e-5)
    assert_allclose(
        float(lines[1].rsplit(": ", 1)[1]),
        metrics.brier_score_loss(HAND.y, HAND.X[:, 0]),
        rtol=1e-5,
    )
    assert lines[2].endswith("1 − (0.5² + 0.5²) = 0.5")
    lines = formulas(frames["informational_loss"])
    assert_allclose(float(lines[0].rsplit("= ", 1)[1].split()[0]), bits, rtol=1e-5)
    assert_allclose(
        float(lines[1].rsplit("= ", 1)[1]), metrics.log_loss(HAND.y, HAND.X[:, 0]), rtol=1e-5
    )
    assert lines[2].endswith("their entropy: 1 bits")


def test_several_classes_get_a_line_each_and_three_means():
    problem = iris()
    scene, fitted = reported(problem)
    frames = measured(scene)
    for name, average in ("precision", None), ("recall", None), ("f1", None):
        rates = tables(frames[name])["Each class against the rest"].rows
        score = getattr(metrics, f"{name}_score")
        assert_allclose(
            [row[-1] for row in rates],
            score(problem.y, fitted.predictions_, average=average),
            rtol=1e-4,
        )
        means = [row[-1] for row in tables(frames[name])["Means"].rows]
        expected = [
            score(problem.y, fitted.predictions_, average=mean)
            for mean in ("macro", "weighted", "micro")
        ]
        assert_allclose(means, expected, rtol=1e-4)
    weighted = {
        row[0]: row[1]
        for row in tables(frames["kappa"])[
            "If the classes are ordered: distant errors weigh more"
        ].rows
    }
    for weights, value in weighted.items():
        assert_allclose(
            value,
            metrics.cohen_kappa_score(problem.y, fitted.predictions_, weights=weights),
            rtol=1e-4,
        )


def test_what_a_measure_is_made_of_lights_up():
    cells = Cells.of(("n", "y"), 1)
    tn, fp, fn, tp = cells.weights("precision")
    assert (tp, fp, fn, tn) == (NUMERATOR, DENOMINATOR, UNUSED, UNUSED)
    tn, fp, fn, tp = cells.weights("recall")
    assert (tp, fn, fp, tn) == (NUMERATOR, DENOMINATOR, UNUSED, UNUSED)
    assert cells.weights("accuracy").tolist() == [NUMERATOR, DENOMINATOR, DENOMINATOR, NUMERATOR]
    assert cells.weights("expected_cost").tolist() == [
        DENOMINATOR,
        NUMERATOR,
        NUMERATOR,
        DENOMINATOR,
    ]
    swapped = Cells.of(("n", "y"), 0)
    assert swapped.weights("precision").tolist() == cells.weights("precision")[::-1].tolist()
    scene, _ = reported(HAND, "column")
    _, rects = marks(scene, Rects, "data")
    place = 1 + 8 + MEASURES.index("recall")
    assert_allclose(at(rects.opacity, place), cells.weights("recall"))


def test_bars_grow_with_the_measures():
    scene, fitted = reported(heart())
    (rects,) = marks(scene, Rects, "measures")
    last = len(scene.frames) - 1
    result = fitted.confusion_
    assert_allclose(at(rects.x1, last), [getattr(result, name) for name in BARS])
    n_bars = [len(at(rects.x1, i)) for i in range(len(scene.frames))]
    assert n_bars == sorted(n_bars)
    (chance,) = marks(scene, Rects, "chance")
    truth = heart().y
    assert_allclose(
        at(chance.x1, last), [result.accuracy, np.bincount(truth).max() / len(truth), result.chance]
    )


def test_undefined_measures_say_why():
    scene, _ = reported(heart(), "zero_r")
    frames = measured(scene)
    assert frames["precision"].caption == "Precision is undefined: no row was predicted positive."
    (texts,) = marks(scene, Texts, "measures")
    assert texts.text[1] == "precision 0 / 0"
    assert "kappa 0" in scene.frames[-1].caption
    machine, _ = reported(heart(), "svm")
    sentence = "Quadratic loss is undefined: it needs probabilities, and these scores are none."
    assert measured(machine)["quadratic_loss"].caption == sentence
    assert [panel.name for panel in machine.panels] == ["data", "scores", "measures", "chance"]
    assert machine.notes[-1].startswith("The threshold is compared with 1 / (1 + exp(−decision))")


def test_the_threshold_can_be_dragged_where_it_decides():
    two, _ = reported(heart(), threshold=0.3)
    (handle,) = two.handles
    assert (handle.name, handle.panel, handle.x) == ("threshold", "scores", 0.3)
    (side,) = marks(two, Rects, "scores")
    assert at(side.x0, -1) == [0.3]
    three, _ = reported(iris())
    assert not three.handles
    assert "scores" not in {panel.name for panel in three.panels}


@pytest.mark.parametrize("model", ["naive_bayes", "svm"])
def test_a_selected_row_tells_why_it_is_called_so(model):
    problem = heart()
    scene, fitted = reported(problem, model, selected=7)
    name = problem.classes[fitted.predictions_[7]]
    first = formulas(scene.frames[20])[0]
    assert first.startswith(
        f"Row 8 is {problem.classes[problem.y[7]]}: score {fitted.scores_[7]:.4g} "
    )
    assert first.endswith(f"so {name} is predicted")
    assert len([text for text in formulas(scene.frames[20]) if text.startswith("Row 8")]) == (
        3 if model != "svm" else 1
    )


def test_rows_that_are_held_out_are_not_counted():
    problem = heart(test_size=0.3)
    test_row = int(np.flatnonzero(problem.test)[0])
    scene, fitted = reported(problem, selected=test_row)
    last = scene.frames[-1]
    assert formulas(last)[0].endswith("it is a training or test row, so it is not counted.")
    (dots,) = marks(scene, Points, data=True)
    assert not at(dots.opacity, len(scene.frames) - 1)[problem.test].any()
    n_training, n_test = (row[1] for row in tables(last)["Errors"].rows)
    assert (n_training, n_test) == ((~problem.test).sum(), problem.test.sum())
    assert fitted.confusion_.n == n_training


def test_every_measure_has_a_title_and_a_sentence():
    assert set(TITLES) == set(MEASURES) == set(SENTENCES)
    assert set(FORMULAS) < set(MEASURES)


def test_many_rows_come_in_few_frames():
    frame = pd.DataFrame({"x": np.arange(2000.0), "group": np.arange(2000) % 10})
    problem = prepare(frame, ["x"], target="group", labelled=True)
    scene, _ = reported(problem, "zero_r")
    assert sum(frame.phase == "count" for frame in scene.frames) == 5
    assert len(encode(scene)) < 150_000


def test_a_run_that_was_stopped_shows_the_data():
    problem = heart()
    run = Run.of(problem, ClassifierReport(random_state=0))
    for n in (0, 2):
        assert [frame.caption for frame in classifier_metrics_scene(stopped(run, n)).frames] == [
            "You stopped."
        ]


def test_empty_cells_of_large_matrices_stay_empty():
    frame = pd.DataFrame({"x": np.arange(120.0), "group": np.arange(120) // 20})
    scene, fitted = reported(prepare(frame, ["x"], target="group", labelled=True))
    last = len(scene.frames) - 1
    (texts,) = (mark for mark in marks(scene, Texts, "data") if len(at(mark.x, last)))
    assert list(texts.text) == [str(n) if n else "" for n in fitted.confusion_.matrix.ravel()]
