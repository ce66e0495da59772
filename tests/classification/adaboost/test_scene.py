"""Picture and ledger of boosting."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import AdaBoostClassifier, GradientBoostingClassifier
from dmlib.classification.adaboost.scene import adaboost_scene
from dmlib.classification.adaboost.trees_scene import WINDOW
from dmlib.pictures.marks import Points, Rects, Segments, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare

TEN = pd.DataFrame({"x": np.arange(10.0), "y": np.full(10, 5.0), "c": list("AAABBBAAAB")})


def run_of(model, frame=TEN, **how):
    return Run.of(prepare(frame, ["x", "y"], target="c", labelled=True, **how), model)


def marks(scene, kind, panel="data"):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


def texts(frame):
    return [block.text for block in frame.ledger if hasattr(block, "text")]


def test_a_row_is_as_large_as_its_weight_and_ringed_where_it_is_misclassified():
    run = run_of(AdaBoostClassifier(n_estimators=3))
    scene = adaboost_scene(run)
    rings, rows = marks(scene, Points)
    assert [sorted(np.asarray(x).tolist()) for x in rings.x.rows] == [
        [],
        [6, 7, 8],
        [3, 4, 5],
        [0, 1, 2, 9],
    ]
    sizes = [np.asarray(size) for size in rows.size.rows]
    assert len(set(sizes[1])) == 1
    assert (sizes[2][[6, 7, 8]] > sizes[2][0]).all()
    assert sizes[3][3] > sizes[3][6] > sizes[3][0]
    areas = sizes[3] ** 2
    assert areas[3] / areas[0] == pytest.approx(
        run.trace.steps[3].before[3] / run.trace.steps[3].before[0], rel=0.35
    )


def test_the_tree_of_the_round_is_its_line_and_the_last_few_stand_side_by_side():
    scene = adaboost_scene(run_of(AdaBoostClassifier(n_estimators=9)))
    (lines,) = marks(scene, Segments)
    assert [np.asarray(x).tolist() for x in lines.x0.rows][:4] == [[], [2.5], [8.5], [5.5]]
    (leaves,) = marks(scene, Rects, "trees")
    assert [len(x) for x in leaves.x0.rows] == [2 * min(i, WINDOW) for i in range(10)]
    numbers, votes = marks(scene, Texts, "trees")
    assert numbers.text == [str(i) for i in range(1, 10)]
    assert votes.text[:3] == ["0.85", "1.3", "1.5"]


def test_of_a_long_run_the_last_trees_are_those_of_the_last_rounds():
    scene = adaboost_scene(run_of(GradientBoostingClassifier(n_estimators=100)))
    assert any("every 2nd step is shown" in note for note in scene.notes)
    numbers, _ = marks(scene, Texts, "trees")
    visible = [np.flatnonzero(np.isfinite(np.asarray(x))) for x in numbers.x.rows]
    assert [[numbers.text[i] for i in places] for places in visible[:3]] == [
        [],
        ["1", "2"],
        ["2", "3", "4"],
    ]


def test_the_ledger_has_the_arithmetic_of_the_round():
    frame = adaboost_scene(run_of(AdaBoostClassifier(n_estimators=3))).frames[2]
    text = " | ".join(texts(frame))
    assert "tree: x ≤ 8.5 → A; x > 8.5 → B" in text
    assert "ε = weight of the misclassified = 0.07143 + 0.07143 + 0.07143 = 0.214286" in text
    assert "factor = (1 − ε) / ε = (1 − 0.214286) / 0.214286 = 3.66667" in text
    assert "α = ½ · ln 3.66667 = 0.649641; vote = 2α = 1.29928" in text
    assert "bound = 0.9165 · 2√(0.2143 · (1 − 0.2143)) = 0.7521 ≥ training error 0.3" in text


def test_the_ledger_of_residuals_has_leaves_and_shrinkage():
    frame = adaboost_scene(run_of(GradientBoostingClassifier(n_estimators=2))).frames[1]
    text = " | ".join(texts(frame))
    assert "γ of the first leaf = Σ r / Σ p(1 − p) = −1.2 / 0.72 = −1.66667" in text
    assert "F ← F + ν γ = F + 0.1 · (−1.66667) = F + (−0.166667)" in text


@pytest.mark.parametrize(
    "model", [AdaBoostClassifier(n_estimators=5), GradientBoostingClassifier(n_estimators=5)]
)
def test_a_view_of_components_draws_no_lines(model):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=40), "y": rng.normal(size=40), "c": list("ABCD") * 10}
    )
    scene = adaboost_scene(run_of(model, frame, view="pca", scaling="z-score"))
    assert not marks(scene, Segments)
    assert "trees" not in [panel.name for panel in scene.panels]
    assert any("not axis-parallel" in note for note in scene.notes)


def test_a_run_that_was_cut_off_says_so():
    run = run_of(AdaBoostClassifier())
    cut = Run(
        run.problem, type(run.trace)(run.model, run.trace.steps[:2], False, "You stopped.", 0.0)
    )
    assert [frame.caption for frame in adaboost_scene(cut).frames] == ["You stopped."]
