"""The page of anomaly detection: its presets and its lesson say what is so."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dmlib.anomaly_detection import (
    BoxPlotFences,
    IsolationForest,
    KthNeighborDistance,
    LocalOutlierFactor,
    MahalanobisDistance,
)
from dmlib.anomaly_detection.figures.rankings import plot_rankings, rankings_data
from dmlib.anomaly_detection.known import likely_class
from dmlib.anomaly_detection.scene import anomaly_detection_scene
from dmlib.pictures.marks import Points
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.anomaly_detection.test_detectors import POINTS
from tests.contract.test_lessons import section, text_of
from tests.gestures import move
from tests.pictures.examples import PROBLEMS, at, formulas, marks, problem, tables
from tests.runs import stopped
from tests.visit import open_preset, sound, stage, technique, turn, visit

SLUG = "anomaly_detection"
DETECTORS = [
    BoxPlotFences(),
    IsolationForest(n_estimators=5, random_state=0),
    KthNeighborDistance(3),
    LocalOutlierFactor(3),
    MahalanobisDistance(),
]


def fitted(run, **changed):
    return clone(run.model).set_params(**changed).fit(run.problem.X, run.problem.y)


def by_method(run, detector, **params):
    model = detector(anomaly_class=run.model.anomaly_class, **params)
    return model.fit(run.problem.X, run.problem.y)


def marked(run):
    return (run.problem.rows[run.fitted.anomalies_] + 1).tolist()


# Presets and lesson
# ---------------------------------------------------------------------------------------------


def test_dense_beside_loose():
    run, _, look_for = open_preset(SLUG, "Dense beside loose")
    assert marked(run) == [121, 122, 123]
    assert (run.fitted.precision_, run.fitted.recall_) == (1, 1)
    assert "exactly these three" in look_for
    near, _, _ = open_preset(SLUG, "One distance for all")
    assert near.fitted.n_anomalies_ == 4
    assert near.fitted.recall_ == 0
    # The three are nearer to their group than many rows of the loose group to each other.
    assert (near.fitted.scores_[60:120] > near.fitted.scores_[120:].max()).any()


def test_four_points():
    run, scene, look_for = open_preset(SLUG, "Four points by hand")
    assert run.problem.X.tolist() == POINTS.tolist()
    texts = [f"{score:.4g}" for score in run.fitted.scores_]
    assert look_for.startswith("LOF with k = 2: {}, {}, {} and {}.".format(*texts))
    assert marked(run) == [4]
    hand = section(text_of(SLUG), "By hand")
    first, second, *_, last = run.trace.steps
    lines = dict(re.findall(r"^\| ([\w -]+) \| (.+) \|$", hand, re.M))
    assert lines["k-distance"].split(" | ") == [f"{each:g}" for each in first.k_distances]
    assert lines["lrd"].split(" | ") == [f"{each:.4g}" for each in second.densities]
    assert lines["LOF"].split(" | ") == [f"**{each:.4g}**" for each in last.scores]
    (*_, d, _) = scene["frames"]
    assert "LOF(4) = 0.3667 / 0.2 = 1.833" in [
        block["text"] for block in d["ledger"] if "text" in block
    ]


def test_the_answer_about_the_moved_point():
    X = POINTS.copy()
    X[3, 0] = 10
    score = LocalOutlierFactor(2).fit(X).scores_[3]
    assert f"{score:.4g}" in section(text_of(SLUG), "Answers")


def test_random_cuts():
    run, scene, _ = open_preset(SLUG, "Random cuts")
    tree, sample = run.trace.steps[0].trees[0], run.trace.steps[0].sample
    alone = np.flatnonzero(tree.sizes[1:3] == 1)
    leaves = np.array([tree.path(row)[1] for row in run.problem.X[sample]])
    assert (sample[leaves == 1 + alone[0]] + 1).tolist() == [63]
    assert (np.argsort(-run.fitted.scores_)[:3] + 1).tolist() == [63, 64, 62]
    assert {frame["phase"] for frame in scene["frames"]} == {"sample", "cut", "score", "mark"}


def test_rare_rows():
    run, _, look_for = open_preset(SLUG, "Rare rows, as in card payments")
    assert (len(run.problem.X), run.problem.X.shape[1]) == (1010, 5)
    assert (run.fitted.n_anomalies_, run.fitted.recall_) == (11, 1)
    forest = by_method(run, IsolationForest, contamination=0.01, random_state=0)
    assert f"it finds {round(10 * forest.recall_)}." in look_for


def test_unusual_combinations():
    run, _, _ = open_preset(SLUG, "An unusual combination")
    assert round(8 * (1 - run.fitted.recall_)) == 4
    assert round(8 * (1 - by_method(run, MahalanobisDistance).recall_)) == 1


def test_masking():
    run, _, look_for = open_preset(SLUG, "Masking")
    n_known = int((run.problem.y == 1).sum())
    hidden = round(n_known * (1 - run.fitted.recall_))
    assert look_for.startswith(f"{n_known} anomalies widen")
    assert f"that {hidden} of them" in look_for
    assert by_method(run, BoxPlotFences).recall_ == 1


def test_swamping():
    run, _, look_for = open_preset(SLUG, "Swamping")
    n = run.fitted.n_anomalies_
    assert look_for.startswith(f"{round(n * (1 - run.fitted.precision_))} of {n} marked rows")
    assert fitted(run, max_samples=32).precision_ == 1


def test_a_clump():
    run, _, look_for = open_preset(SLUG, "A clump hides from few neighbours")
    n_known = int((run.problem.y == 1).sum())
    assert look_for.startswith(f"{n_known} anomalies lie together")
    assert round(n_known * run.fitted.recall_) == 1
    assert fitted(run, n_neighbors=20).recall_ == 1


def test_noise():
    run, _, _ = open_preset(SLUG, "Sixteen columns of noise")
    scores = run.fitted.scores_
    assert (round(scores.min()), round(scores.max())) == (9, 14)
    assert run.fitted.n_anomalies_ == 10
    two = KthNeighborDistance().fit(run.problem.X[:, :2]).scores_
    assert (round(two.min(), 1), round(two.max(), 1)) == (0.5, 2.1)


# The picture
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("model", DETECTORS, ids=lambda model: type(model).__name__)
def test_any_part_of_a_trace_can_be_drawn(name, model):
    run = Run.of(PROBLEMS[name], model)
    for n in range(0, len(run.trace.steps) + 1, 5):
        assert anomaly_detection_scene(stopped(run, n)).frames[0].caption


def test_marked_rows_have_a_colour_and_the_larger_score_the_larger_size():
    run = Run.of(problem(POINTS), LocalOutlierFactor(2))
    scene = anomaly_detection_scene(run)
    end = len(scene.frames) - 1
    rows = next(mark for mark in marks(scene, Points) if len(at(mark.color, end)) == len(POINTS))
    assert at(rows.color, end).tolist() == [255, 255, 255, 1]
    assert np.argsort(at(rows.size, end))[-1] == 3


def test_scores_appear_one_by_one_in_their_final_order():
    run = Run.of(problem(POINTS), LocalOutlierFactor(2))
    scores, _ = marks(anomaly_detection_scene(run), Points, panel="scores")
    n_scored = [int(np.isfinite(at(scores.y, i)).sum()) for i in range(7)]
    assert n_scored == [0, 0, 1, 2, 3, 4, 4]
    assert (np.diff(at(scores.y, 6)) <= 0).all()


def test_the_distance_is_written_out():
    X = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [1.0, 6.0]]
    frame = anomaly_detection_scene(Run.of(problem(X), MahalanobisDistance())).frames[-2]
    assert formulas(frame) == [
        "x − m = (0, 4)",
        "d² = 1·0² + 2·0·0·4 + 0.1667·4² = 2.667",
        "d = √2.667 = 1.633",
    ]


def test_the_quality_is_in_the_ledger_where_anomalies_are_known():
    _, scene, _ = open_preset(SLUG, "Masking")
    texts = [block["text"] for block in scene["frames"][-1]["ledger"] if "text" in block]
    assert "recall: 6 of 19 known anomalies = 31.6 %" in texts
    plain = Run.of(problem(POINTS), LocalOutlierFactor(2))
    assert not [
        text for text in formulas(anomaly_detection_scene(plain).frames[-1]) if "recall" in text
    ]
    assert len(tables(anomaly_detection_scene(plain).frames[-1])["Highest scores"].head) == 3


def test_headlines_have_the_quality_only_where_anomalies_are_known():
    page = sound(visit(SLUG, source="generator", generator="blobs"))
    assert [each["label"] for each in stage(page)["results"][-1]] == ["Anomalies", "Threshold"]
    turned = sound(turn(page, f"{SLUG}.anomaly_class", "B"))
    labels = [each["label"] for each in stage(turned)["results"][-1]]
    assert labels == ["Anomalies", "Threshold", "Precision", "Recall", "AUC"]


def test_the_line_stands_at_the_threshold_and_sets_it():
    page = sound(visit(SLUG, **{f"{SLUG}.threshold": "2.5"}))
    (handle,) = stage(page)["handles"]
    assert (handle["name"], handle["panel"], handle["kind"], handle["y"]) == (
        "threshold",
        "scores",
        "y",
        2.5,
    )
    message = {"name": "threshold", "x": None, "y": 1.731234}
    assert move(message, technique(SLUG)) == {f"{SLUG}.threshold": ["1.731"]}


def test_a_rare_class_is_taken_for_the_anomalies():
    frame = pd.DataFrame({"a": np.arange(31.0), "state": ["ok"] * 30 + ["broken"]})
    assert likely_class(prepare(frame, ["a"], target="state")) == "broken"
    frame["state"] = ["ok"] * 20 + ["broken"] * 11
    assert likely_class(prepare(frame, ["a"], target="state")) == ""
    assert likely_class(prepare(frame, ["a"])) == ""


# Figure
# ---------------------------------------------------------------------------------------------


def test_ranks_are_those_of_the_scores():
    run, _, _ = open_preset(SLUG, "Masking")
    data = rankings_data(run)
    column = data.names.index("Mahalanobis")
    for row, rank in zip(data.rows, data.ranks[:, column], strict=True):
        scores = run.fitted.scores_
        assert rank > (scores > scores[row - 1]).sum()
    assert data.aucs[column] == run.fitted.auc_
    assert "AUC" in plot_rankings(data).data[0].x[0]
