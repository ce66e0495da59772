"""The picture and the ledger of pruning."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from dmlib.classification import PrunedTreeClassifier
from dmlib.classification.tree_pruning.pruning import METHODS
from dmlib.classification.tree_pruning.reference import tree_pruning_reference
from dmlib.classification.tree_pruning.scene import tree_pruning_scene
from dmlib.comparison import Incomparable
from dmlib.datasets import make
from dmlib.pictures.marks import NO_CLASS, Line, Points, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at
from tests.runs import stopped

TEN = pd.DataFrame({"x": np.arange(10.0), "y": np.full(10, 5.0), "c": list("AAABAABBBB")})
MOONS = make("moons", n_samples=200, noise=1.0, random_state=0).frame


def run_of(model, frame=TEN, target="c", **how):
    return Run.of(prepare(frame, ["x", "y"], target=target, labelled=True, **how), model)


def marks(scene, kind, panel):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


def texts(frame):
    return " | ".join(block.text for block in frame.ledger if hasattr(block, "text"))


def model_of(method="pessimistic", **how):
    return PrunedTreeClassifier(method, validation_fraction=0.0, random_state=0, **how)


def test_the_grown_tree_stays_and_what_is_cut_turns_grey():
    scene = tree_pruning_scene(run_of(model_of()))
    nodes = marks(scene, Points, "before")[0]
    grey = [int((np.asarray(colors) == NO_CLASS).sum()) for colors in nodes.color.rows]
    assert grey == [0, 0, 4, 4]
    after, _, final, _ = marks(scene, Points, "after")
    assert [int(np.isfinite(x).sum()) for x in after.x.rows] == [7, 7, 3, 0]
    assert [int(np.isfinite(x).sum()) for x in final.x.rows] == [0, 0, 0, 3]


def test_regions_are_those_of_the_tree_of_the_step():
    for method in METHODS:
        run = run_of(PrunedTreeClassifier(method, random_state=0), MOONS, "class", test_size=0.3)
        scene, (boxes,) = tree_pruning_scene(run), marks(tree_pruning_scene(run), Rects, "data")
        steps = list(run.trace.steps)
        assert len(steps) == len(scene.frames)
        place = run.problem.points[7]
        for frame, step in enumerate(steps):
            x0, x1, y0, y1 = (at(getattr(boxes, name), frame) for name in ("x0", "x1", "y0", "y1"))
            inside = (x0 <= place[0]) & (place[0] <= x1) & (y0 <= place[1]) & (place[1] <= y1)
            predicted = run.fitted.classes_[step.tree.decide(step.tree.predict(place[None]))]
            assert set(at(boxes.color, frame)[inside].tolist()) == set(predicted.tolist())


def test_error_against_size_ends_at_the_pruned_tree():
    run = run_of(PrunedTreeClassifier(random_state=0), MOONS, "class", test_size=0.3)
    scene = tree_pruning_scene(run)
    end = marks(scene, Points, "size")[-1]
    X, y = run.problem.testing.arguments
    assert np.asarray(end.x.rows[-1]).tolist() == [run.fitted.n_leaves_]
    assert np.asarray(end.y.rows[-1]).tolist() == [
        pytest.approx((run.fitted.predict(X) != y).mean())
    ]
    assert len(marks(scene, Line, "size")) == 4  # training, test, cross-validated, this run


@pytest.mark.parametrize(
    ("method", "formula"),
    [
        ("pessimistic", "SE = √(e (n − e) / n) = √(2 · (10 − 2) / 10) = 1.265"),
        ("minimum_error", "leaf = 1 − (n_c + m p_c) / (n + m) = 1 − (2 + 2 · 0.5) / (3 + 2) = 0.4"),
        ("mdl", "leaf = 1 + bits of the classes = 1 + 4.699 = 5.699"),
        ("chi2", "χ² = Σ (o − e)² / e = 3, 1 degree of freedom"),
        ("optimal", "allowed errors = (1 − 0.9) · 10 = 1"),
        ("error_based", "leaf = errors + U(n, errors; 0.25) = 1 + 1.044 = 2.044"),
    ],
)
def test_the_ledger_puts_the_numbers_in(method, formula):
    scene = tree_pruning_scene(run_of(model_of(method)))
    assert formula in texts(scene.frames[1])


def test_the_ledger_writes_the_message_out():
    scene = tree_pruning_scene(run_of(model_of("mdl", encoding="mml")))
    words = texts(scene.frames[1])
    assert "leaf = structure + classes = 1 + 3.585 = 4.585" in words
    assert "classes = log₂ [(n + k − 1)! / ((k − 1)! Π n_c!)] = log₂ [4! / (1! · 2!)]" in words
    assert "subtree = structure + test + branches = 1 + 2 + 2 + 2.585 = 7.585" in words


def test_the_ledger_ranks_all_links():
    scene = tree_pruning_scene(run_of(model_of("cost_complexity", cost="error", ccp_alpha=0.06)))
    ranked = next(
        block
        for block in scene.frames[1].ledger
        if getattr(block, "title", "").startswith("All links")
    )
    assert [row[0] for row in ranked.rows] == [2, 5, 1]
    assert [row[-1] for row in ranked.rows] == pytest.approx([0.05, 0.1, 0.1667])
    assert "g = (R(leaf) − R(subtree)) / (leaves − 1) = (0.1 − 0) / 2 = 0.05" in texts(
        scene.frames[1]
    )
    assert (
        scene.frames[1].caption == "Node 2 becomes a leaf: g = 0.05 ≤ α = 0.06; 2 leaves are left."
    )


def test_both_trees_predict_a_place():
    run = run_of(model_of())
    query = run.problem.query((3.0, 5.0))
    scene = tree_pruning_scene(Run(run.problem, run.trace, query=query))
    table = next(
        block
        for block in scene.frames[-1].ledger
        if getattr(block, "title", "") == "The query in both trees"
    )
    assert [row[2] for row in table.rows] == ["B", "A"]


def test_a_run_that_was_stopped_shows_the_data():
    scene = tree_pruning_scene(stopped(run_of(model_of()), 1))
    assert [frame.caption for frame in scene.frames] == ["You stopped."]


def test_components_have_regions_at_the_end_only():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=40), "y": rng.normal(size=40), "c": list("ABCD") * 10}
    )
    scene = tree_pruning_scene(run_of(model_of(), frame, view="pca", scaling="z-score"))
    assert not marks(scene, Rects, "data")
    assert any("not axis-parallel" in note for note in scene.notes)


def test_the_reference_and_its_code_agree():
    run = run_of(PrunedTreeClassifier(random_state=0), MOONS, "class")
    X, y = run.problem.training.arguments
    scope = {"X": X, "y": y, "model": run.fitted}
    exec(tree_pruning_reference(run).code, scope)
    for reference in (tree_pruning_reference(run).answer(run), scope["reference"]):
        assert type(reference) is DecisionTreeClassifier
        assert reference.get_n_leaves() == run.fitted.n_leaves_
        np.testing.assert_allclose(
            reference.predict_proba(X), run.fitted.predict_proba(X), atol=1e-9
        )


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (PrunedTreeClassifier("mdl"), "by impurity only"),
        (PrunedTreeClassifier(cost="error"), "by impurity only"),
        (PrunedTreeClassifier(criterion="error"), "no such criterion"),
    ],
)
def test_what_cannot_be_repeated_has_a_reason(model, reason):
    with pytest.raises(Incomparable, match=reason):
        tree_pruning_reference(run_of(model, MOONS, "class"))
