"""The picture and the ledger of the tree variants."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import FuzzyTree, IncrementalTree, ObliqueTree, ObliviousTree
from dmlib.classification.tree_variants.reference import LeafReference, tree_variants_reference
from dmlib.classification.tree_variants.scene import MAX_FRAMES, tree_variants_scene
from dmlib.datasets import make
from dmlib.pictures.marks import Line, Points
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.runs import stopped

MOONS = make("moons", n_samples=120, noise=0.6, random_state=0).frame
EACH = [
    ObliqueTree(random_state=0),
    ObliqueTree("lda"),
    ObliqueTree("linear_programming"),
    ObliqueTree("quest"),
    ObliviousTree(),
    FuzzyTree(),
    IncrementalTree(random_state=0),
]


def run_of(model, frame=MOONS, columns=("x", "y"), target="class", **how):
    return Run.of(prepare(frame, list(columns), target=target, labelled=True, **how), model)


def marks(scene, kind, panel):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


def texts(frame):
    return " | ".join(block.text for block in frame.ledger if hasattr(block, "text"))


@pytest.mark.parametrize("model", EACH, ids=repr)
def test_the_error_ends_at_that_of_the_tree_and_every_frame_says_something(model):
    run = run_of(model, test_size=0.3)
    scene = tree_variants_scene(run)
    X, y = run.problem.testing.arguments
    end = marks(scene, Points, "error")[-1]
    assert float(np.asarray(end.y.rows[-1])[0]) == pytest.approx(
        (run.fitted.predict(X) != y).mean()
    )
    assert all(frame.caption.endswith(".") and frame.ledger for frame in scene.frames)


def test_an_oblivious_tree_draws_the_lines_of_all_levels():
    run = run_of(ObliviousTree(max_depth=3, significance=1.0))
    scene = tree_variants_scene(run)
    lines = marks(scene, Line, "data")[0]
    assert [int(np.isnan(np.asarray(x)).sum()) for x in lines.x.rows] == [0, 1, 2, 3, 3]


def test_a_fuzzy_split_draws_the_edges_of_its_strip():
    run = run_of(FuzzyTree(max_depth=1))
    scene = tree_variants_scene(run)
    middle, edges = marks(scene, Line, "data")
    step = run.trace.steps[1]
    axis = "x" if step.weights[0] else "y"
    place = np.asarray(getattr(middle, axis).rows[1])[:2]
    np.testing.assert_allclose(place, step.threshold)
    sides = np.asarray(getattr(edges, axis).rows[1])
    np.testing.assert_allclose(np.ptp(sides[np.isfinite(sides)]), step.width)
    assert f"w = {step.width:.4g}" in texts(scene.frames[1])
    assert "gain = " in texts(scene.frames[1])


def test_an_oblique_line_is_drawn_where_its_test_changes():
    run = run_of(ObliqueTree(random_state=0))
    scene = tree_variants_scene(run)
    line = marks(scene, Line, "data")[0]
    for step, x, y in zip(run.trace.steps, line.x.rows, line.y.rows, strict=True):
        if step.weights is not None:
            ends = np.column_stack([x, y])[:2]
            np.testing.assert_allclose(ends @ step.weights, step.threshold, atol=1e-9)


def test_of_a_long_run_some_steps_have_a_frame_and_its_curve_counts_all():
    noisy = make("moons", n_samples=400, noise=2.0, random_state=0).frame
    model = ObliqueTree(max_depth=12, min_samples_leaf=1, min_gain=0.0, random_state=0)
    run = run_of(model, noisy)
    scene = tree_variants_scene(run)
    assert len(scene.frames) <= MAX_FRAMES < len(run.trace.steps)
    assert scene.notes[-1].startswith("Long run: every ")
    curve = marks(scene, Line, "error")[0]
    last = len(run.trace.steps) - 1
    assert [int(x[-1]) for x in curve.x.rows][:: len(scene.frames) - 1] == [0, last]
    assert scene.panels[-1].x.high >= last


def test_rows_that_arrive_are_clear_and_others_faded():
    run = run_of(IncrementalTree(random_state=0))
    scene = tree_variants_scene(run)
    rows = next(mark for mark in scene.marks if getattr(mark, "data", False))
    clear = [int((np.asarray(o) == 1).sum()) for o in rows.opacity.rows]
    assert clear[0] == 0
    assert clear[:-1] == sorted(clear[:-1])


def test_a_place_adds_up_its_leaves():
    run = run_of(FuzzyTree())
    query = run.problem.query((5.0, 5.0))
    last = tree_variants_scene(Run(run.problem, run.trace, query=query)).frames[-1]
    table = next(
        block for block in last.ledger if getattr(block, "title", "") == "Leaves of the place"
    )
    assert sum(row[1] for row in table.rows) == pytest.approx(1.0, abs=1e-3)
    shares = run.fitted.predict_proba([[5.0, 5.0]])[0]
    assert f"= {float(f'{shares.max():.4g}'):g}" in texts(last)


def test_names_have_no_lines_and_a_stopped_run_shows_the_data():
    frame = pd.DataFrame({"sky": list("sscr") * 5, "wind": list("ynyy") * 5, "c": list("abab") * 5})
    run = run_of(ObliviousTree(significance=1.0), frame, ("sky", "wind"), "c")
    assert not marks(tree_variants_scene(run), Line, "data")
    assert [frame.caption for frame in tree_variants_scene(stopped(run, 1)).frames] == [
        "You stopped."
    ]


@pytest.mark.parametrize("model", EACH, ids=repr)
def test_the_reference_and_its_code_agree(model):
    run = run_of(model)
    X, y = run.problem.training.arguments
    scope = {"X": X, "y": y, "model": run.fitted}
    exec(tree_variants_reference(run).code, scope)
    answer = tree_variants_reference(run).answer(run)
    assert isinstance(model, IncrementalTree) != isinstance(answer, LeafReference)
    for reference in (answer, scope["reference"]):
        np.testing.assert_allclose(
            reference.predict_proba(X), run.fitted.predict_proba(X), atol=1e-9
        )


def test_the_margins_of_a_linear_programme_are_drawn_and_its_slacks_add_up():
    frame = pd.DataFrame({"x": [1.0, 2, 3, 6, 4, 7, 8, 9], "y": 5.0, "class": list("AAAABBBB")})
    run = run_of(ObliqueTree("linear_programming", min_samples_leaf=1, max_depth=1), frame)
    scene = tree_variants_scene(run)
    middle, edges = marks(scene, Line, "data")
    places = [np.unique(np.round(line.x.rows[1], 6)) for line in (middle, edges)]
    assert [place[~np.isnan(place)].tolist() for place in places] == [[5], [3, 7]]
    solved = scene.frames[1]
    assert "objective 0.75" in solved.caption
    assert "1.5/4 + 1.5/4 = 0.75" in texts(solved)
    slacks = next(b for b in solved.ledger if getattr(b, "title", "") == "Rows with slack")
    assert [list(row) for row in slacks.rows] == [[4, "A", 0.5, 1.5], [5, "B", -0.5, 1.5]]


def test_quest_shows_both_bells_and_where_they_are_equal():
    scene = tree_variants_scene(run_of(ObliqueTree("quest")))
    projected = scene.frames[1]
    groups = next(b for b in projected.ledger if "discriminant" in getattr(b, "title", ""))
    assert sum(row[1] for row in groups.rows) == len(MOONS)
    assert "the densities, times the rows, are equal at" in texts(projected)
    constant = pd.DataFrame({"x": np.ones(8), "y": np.ones(8), "class": list("abab") * 2})
    for search, reason in (("quest", "in one place"), ("linear_programming", "w = 0 is optimal")):
        assert (
            reason in tree_variants_scene(run_of(ObliqueTree(search), constant)).frames[1].caption
        )
