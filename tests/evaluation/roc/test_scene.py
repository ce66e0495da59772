"""The picture of a sweep: its arithmetic, and that everything in it moves with the threshold."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from dmlib.datasets import load
from dmlib.evaluation import Counts, Payoff, ThresholdSweep, confusion, lift_curve, roc_curve
from dmlib.evaluation.measures_ledger import SHORT, measure_cell, quotients
from dmlib.evaluation.roc.curves_scene import iso_line
from dmlib.evaluation.roc.scene import roc_scene
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Line, Points, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, tables
from tests.runs import stopped

ROWS = pd.DataFrame(
    {"score": [0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1], "ill": list("yynynnynnn")}
)
HAND = prepare(ROWS, ["score"], target="ill", labelled=True, positive="y")
HEART = load("heart_disease").frame
PAYOFF = {"benefit_tp": 1.0, "benefit_tn": 0.0, "cost_fp": 1.0, "cost_fn": 0.0}


def heart(**options):
    return prepare(
        HEART,
        ["age", "max_heart_rate"],
        target="narrowing",
        labelled=True,
        positive="yes",
        **options,
    )


def by_hand(selected=None, **options):
    return roc_scene(Run.of(HAND, ThresholdSweep("column"), selected=selected, options=options))


def swept(problem, model="naive_bayes", scoring="cross_validation", selected=None, **options):
    sweep = ThresholdSweep(model, scoring=scoring, random_state=0)
    run = Run.of(problem, sweep, selected=selected, options=options)
    return roc_scene(run), run.fitted


def rates(frame):
    return {row[0]: row[1:] for row in tables(frame)["Rates"].rows}


def test_the_folds_need_not_be_played():
    full, short = (swept(heart(), play_folds=played)[0] for played in (True, False))
    n_folds = len(full.frames) - len(short.frames)
    assert n_folds == ThresholdSweep().folds
    assert [frame.phase for frame in full.frames[:n_folds]] == ["score"] * n_folds
    assert [frame.caption for frame in short.frames] == [
        frame.caption for frame in full.frames[n_folds:]
    ]
    lines = [[mark for mark in scene.marks if isinstance(mark, Line)] for scene in (short, full)]
    for short_line, full_line in zip(*lines, strict=True):
        for frame, full_frame in ((0, n_folds), (-1, -1)):
            np.testing.assert_array_equal(at(short_line.y, frame), at(full_line.y, full_frame))


def test_ledger_of_the_example_by_hand():
    scene = by_hand()
    frame = scene.frames[5]
    assert (
        frame.caption
        == "The threshold falls to 0.6: 2 rows with this score are predicted positive, 1 true and 1"
        " false positives."
    )
    counted = tables(frame)["Predicted + at score ≥ 0.6"].rows
    assert counted == [("y (+)", "TP = 3", "FN = 1"), ("n (−)", "FP = 2", "TN = 4")]
    assert rates(frame)["Precision"] == ("3 / 5", 0.6)
    assert rates(frame)["Recall, TPR"] == ("3 / 4", 0.75)
    assert rates(frame)["Accuracy"] == ("7 / 10", 0.7)
    assert rates(frame)["Kappa"][1] == pytest.approx(0.4)
    assert formulas(frame) == ["Area: 2 + 2.5 = 4.5 of 24 pairs."]
    assert formulas(scene.frames[-1])[0] == "AUC = 19.5 pairs / (4 · 6) = 0.8125"


def test_captions_of_single_rows():
    captions = [frame.caption for frame in by_hand().frames]
    assert captions[0] == "The column score is the score: no model is trained."
    assert (
        captions[1]
        == "The threshold is above all scores: no row is predicted positive, so TPR and FPR are 0."
    )
    assert (
        captions[2] == "The threshold falls to 0.9: row 1 is predicted positive and is; up, TP = 1."
    )
    assert captions[4].endswith(
        "falls to 0.7: row 3 is predicted positive but is negative; to the right, FP = 1."
    )
    assert (
        captions[-1]
        == "Every row is predicted positive: the area is 0.8125, and the threshold 0.8 is optimal."
    )


def test_every_rate_equals_its_quotient():
    rng = np.random.default_rng(0)
    for counts in [Counts(*map(int, rng.integers(1, 50, 4))) for _ in range(20)]:
        for name, text in quotients(counts).items():
            source = re.sub(r"√\((.*)\)", r"np.sqrt(\1)", text).replace("·", "*").replace("−", "-")
            assert_allclose(eval(source, {"np": np}), getattr(counts, name), rtol=0.02)
        assert set(quotients(counts)) == set(SHORT)


def test_kappa_of_four_counts_is_that_of_the_matrix():
    counts = Counts(13, 7, 40, 5)
    truth, called = np.repeat([1, 0, 0, 1], [13, 7, 40, 5]), np.repeat([1, 1, 0, 0], [13, 7, 40, 5])
    assert_allclose(counts.kappa, confusion(truth, called).kappa)
    assert_allclose(counts.chance, confusion(truth, called).chance)
    assert np.isnan(Counts(5, 0, 0, 0).kappa)


def test_undefined_rates_are_told():
    assert rates(by_hand().frames[1])["Precision"] == ("0 / 0", "0 / 0")
    assert rates(by_hand().frames[1])["LR+"][1] == "0 / 0"
    assert rates(by_hand().frames[2])["LR+"][1] == "∞"
    assert measure_cell(float("inf")) == "∞"


def test_everything_moves_with_the_threshold():
    problem = heart()
    scene, fitted = swept(problem)
    curve, lift = (
        roc_curve(fitted.positive_, fitted.scores_),
        lift_curve(fitted.positive_, fitted.scores_),
    )
    moving = {
        p: marks(scene, Points, p, labels=("this threshold",))[0]
        for p in ("data", "pr", "gains", "profit")
    }
    for i, frame in enumerate(scene.frames):
        if frame.phase not in {"threshold", "done"}:
            continue
        x, y = at(moving["data"].x, i)[0], at(moving["data"].y, i)[0]
        k = int(np.flatnonzero(np.isclose(curve.fpr, x) & np.isclose(curve.tpr, y))[-1])
        assert_allclose(at(moving["pr"].x, i), y)
        assert_allclose(at(moving["pr"].y, i), curve.counts.precision[k])
        assert_allclose(at(moving["gains"].x, i), lift.depth[k])
        profit = (curve.counts.tp[k] - curve.counts.fp[k]) / 303
        assert_allclose(at(moving["profit"].y, i), profit, atol=1e-12)
        (line,) = marks(scene, Line, "scores", color="accent")
        assert_allclose(at(line.x, i)[0], curve.thresholds[k])
        (side,) = marks(scene, Rects, "scores")
        assert_allclose(at(side.x0, i)[0], curve.thresholds[k])


def answers(scene, frame, title):
    """Return the rows of a table with the mark that each answers to, None for nothing."""
    table = next(table for name, table in tables(frame).items() if name.startswith(title))
    numbers = table.numbers or [row[list(table.head).index(table.by)] for row in table.rows]
    points_by_number = {
        number: mark
        for mark in scene.marks
        if mark.of == table.by
        for number in at(mark.numbers, -1)
    }
    return {
        row[0]: (row[-1], points_by_number.get(number))
        for row, number in zip(table.rows, numbers, strict=True)
    }


def test_rates_answer_to_the_points_that_show_them():
    scene = by_hand()
    for i in range(3, len(scene.frames) - 1):
        measures = answers(scene, scene.frames[i], "Rates")
        shows = {
            "Recall, TPR": lambda x, y: y,
            "FPR": lambda x, y: x,
            "Youden's J": lambda x, y: y - x,
            "Precision": lambda x, y: y,
            "Lift": lambda x, y: y / x,
            "Profit per row": lambda x, y: y,
        }
        assert {name for name, (_, mark) in measures.items() if mark} == set(shows)
        for name, read_off in shows.items():
            value, point = measures[name]
            assert value == pytest.approx(
                float(read_off(at(point.x, i)[0], at(point.y, i)[0])), rel=1e-4
            )


def test_areas_and_the_optimum_answer_to_their_curves_and_points():
    scene = by_hand(cost_fp=2.0)
    areas, worth = (answers(scene, scene.frames[-1], title) for title in ("Areas", "Profit"))
    auc, curve = areas["Area under ROC, AUC"]
    assert auc == pytest.approx(np.trapezoid(at(curve.y, -1), at(curve.x, -1)))
    assert areas["Average precision"][1].panel == "pr"
    (slope, line), (rate, point) = worth["Slope of equal profit"], worth["FPR there"]
    assert slope == pytest.approx(np.diff(at(line.y, -1))[0] / np.diff(at(line.x, -1))[0])
    assert (rate, worth["TPR there"][0]) == (at(point.x, -1)[0], at(point.y, -1)[0])
    profit, best = worth["Profit per row there"]
    assert (best.panel, profit) == ("profit", at(best.y, -1)[0])


def test_parts_answer_to_their_share_below_the_gains():
    scene = by_hand()
    (bars,) = marks(scene, Rects, "gains")
    (table,) = [t for name, t in tables(scene.frames[-1]).items() if name.startswith("Best rows")]
    assert table.by == bars.of
    for part, n, _, gain, *_ in table.rows:
        (i,) = np.flatnonzero(at(bars.numbers, -1) == part)
        bar = tuple(at(channel, -1)[i] for channel in (bars.x0, bars.x1, bars.y1))
        assert bar == pytest.approx(((n - 1) / 10, n / 10, gain))
    assert not any(at(bars.x0, i).size for i in range(len(scene.frames) - 1))


def test_every_threshold_is_a_step_and_leads_the_picture():
    scene, fitted = swept(heart())
    assert [f.phase for f in scene.frames].count("threshold") == len(fitted.thresholds_) - 1
    assert not any("Long run" in note for note in scene.notes)
    leading = {mark.panel: mark for mark in scene.marks if getattr(mark, "leads", "")}
    assert leading.keys() == {"data", "scores", "pr", "gains", "profit"}
    first = next(i for i, frame in enumerate(scene.frames) if frame.phase == "threshold")
    assert [at(leading["scores"].x, first + k)[0] for k in range(5)] == fitted.thresholds_[
        1:6
    ].tolist()
    assert len(encode(scene)) < 150_000


def test_many_thresholds_are_thinned_and_that_is_told(monkeypatch):
    monkeypatch.setattr("dmlib.evaluation.roc.sweep_scene.MAX_THRESHOLDS", 60)
    problem = heart()
    scene, _ = swept(problem)
    assert len(scene.frames) < 85
    assert "Long run: every 6th step is shown." in scene.notes
    (tenths,) = (t for name, t in tables(scene.frames[-1]).items() if name.startswith("Best rows"))
    assert tenths.rows[-1][:3] == (10, 303, 139.0)
    assert len(by_hand().notes) == 1


def test_lines_of_equal_profit_touch_the_curve_from_above():
    scene, fitted = swept(heart(), cost_fp=2.0, cost_fn=1.0, prior=0.3)
    payoff = Payoff(1.0, 0.0, 2.0, 1.0, 0.3)
    (line,) = marks(scene, Line, color="ink", width=1.5)
    x, y = at(line.x, -1), at(line.y, -1)
    rise = (y[1] - y[0]) / (x[1] - x[0])
    assert_allclose(rise, payoff.slope)
    above = y[0] + rise * (fitted.fpr_ - x[0])
    assert (above >= fitted.tpr_ - 1e-9).all()
    (best,) = marks(scene, Points, labels=("optimal",))
    profit = payoff.profit(fitted.tpr_, fitted.fpr_)
    assert_allclose(payoff.profit(at(best.y, -1)[0], at(best.x, -1)[0]), profit.max())


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0, 7.0, np.inf])
def test_iso_lines_stay_in_the_unit_square(slope):
    x, y = iso_line(slope, 0.4, 0.7)
    assert (x >= 0).all()
    assert (x <= 1).all()
    assert (y >= -1e-9).all()
    assert (y <= 1 + 1e-9).all()


def test_without_costs_there_is_no_line():
    scene = by_hand(benefit_tp=0.0, cost_fp=0.0)
    assert marks(scene, Line, color="ink", width=1.5) == []


def test_rows_are_faint_until_they_are_scored():
    problem = heart()
    scene, _ = swept(problem)
    (rows,) = (mark for mark in scene.marks if getattr(mark, "data", False))
    shares = [(at(rows.opacity, i) == 1).mean() for i in range(6)]
    assert shares[:4] == sorted(shares[:4])
    assert shares[4] == shares[5] == 1


def test_held_out_rows_are_scored_by_the_model_of_the_others():
    problem = heart(test_size=0.3)
    scene, fitted = swept(problem)
    (rows,) = (mark for mark in scene.marks if getattr(mark, "data", False))
    assert at(rows.hollow, -1).tolist() == problem.test.tolist()
    assert_allclose(at(rows.x, -1)[problem.test], fitted.decision_function(problem.X[problem.test]))
    part, sweep = swept(heart(), scoring="held_out")
    (rows,) = (mark for mark in part.marks if getattr(mark, "data", False))
    unscored = np.isnan(sweep.scores_)
    assert_allclose(at(rows.x, -1)[unscored], sweep.decision_function(heart().X[unscored]))
    assert (at(rows.opacity, 3)[unscored] < 1).all()


def test_a_selected_row_tells_its_losses():
    problem = heart()
    scene, fitted = swept(problem, selected=4)
    p = fitted.scores_[4] if problem.y[4] else 1 - fitted.scores_[4]
    lines = formulas(scene.frames[10])
    assert lines[0].startswith(f"Row 5 is {'positive' if problem.y[4] else 'negative'}")
    assert_allclose(float(lines[1].rsplit("= ", 1)[1]), 2 * (1 - p) ** 2, rtol=1e-3)
    assert_allclose(float(lines[2].split("= ")[1].split()[0]), -np.log2(p), rtol=1e-3)


def test_a_column_has_losses_if_it_holds_probabilities():
    lines = formulas(by_hand(selected=3).frames[3])
    assert lines[1] == "Row 4, quadratic loss: (1 − 0.6)² + (0 − 0.4)² = 0.32"
    last = tables(by_hand().frames[-1])["Losses of the probabilities"].rows
    assert_allclose(last[0][1], 2 * np.mean((HAND.X[:, 0] - HAND.y) ** 2), rtol=1e-4)
    percent = prepare(
        ROWS.assign(score=100 * ROWS["score"]), ["score"], target="ill", labelled=True, positive="y"
    )
    scene = roc_scene(Run.of(percent, ThresholdSweep("column"), selected=3))
    assert formulas(scene.frames[3])[1] == "Row 4: 3 rows score higher"
    assert (
        "Quadratic and informational loss need probabilities; these scores are none."
        in formulas(scene.frames[-1])
    )


def test_another_column_holds_the_scores():
    frame = ROWS.assign(fold=[1, 2] * 5)[["fold", "score", "ill"]]
    problem = prepare(frame, ["fold", "score"], target="ill", labelled=True, positive="y")
    scene = roc_scene(Run.of(problem, ThresholdSweep("column", column=2)))
    assert scene.frames[0].caption == "The column score is the score: no model is trained."
    assert [frame.caption for frame in scene.frames[1:]] == [
        frame.caption for frame in by_hand().frames[1:]
    ]


def test_one_curve_beside_the_scores():
    scene = by_hand(beside="gains")
    assert [panel.name for panel in scene.panels] == ["data", "scores", "gains"]
    assert {mark.panel for mark in scene.marks} == {"data", "scores", "gains"}


def test_a_run_that_was_stopped_shows_the_data():
    problem = heart()
    run = Run.of(problem, ThresholdSweep(random_state=0))
    for n in (0, 2):
        assert [frame.caption for frame in roc_scene(stopped(run, n)).frames] == ["You stopped."]
