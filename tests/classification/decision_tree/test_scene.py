"""The picture of a decision tree agrees with the tree, and its arithmetic with a recomputation."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import C45, DecisionTreeClassifier
from dmlib.classification.decision_tree.plan_scene import MAX_FRAMES
from dmlib.classification.decision_tree.scene import MAX_NODES
from dmlib.classification.decision_tree.walk_scene import walk
from dmlib.datasets import make
from dmlib.pictures.encode import encode
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import NO_CLASS, Points, Rects, Segments, Texts
from dmlib.problem import prepare
from dmlib.trace import run
from dmlib.trees.impurity import impurity
from dmlib.trees.split_ledger import SCORES, score_texts
from dmlib.trees.splits import Split
from dmlib.trees.tests_ledger import branch_texts, question
from tests.classification.decision_tree.data import params_of
from tests.classification.decision_tree.pictures import CASES, problem_of, scene_of
from tests.pictures.examples import at, formulas, marks, result, tables


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def places(problem, panel, n=400):
    """Places all over the panel, and what the plane holds there."""
    rng = np.random.default_rng(0)
    spots = rng.uniform((panel.x.low, panel.y.low), (panel.x.high, panel.y.high), (n, 2))
    return spots, problem.table(problem.plane.lift(spots))


def test_regions_are_those_of_the_tree(case):
    problem, params = case
    scene, model, _ = scene_of(problem, **params)
    last, (spots, X) = len(scene.frames) - 1, places(problem, scene.panels[0])
    expected = model.classes_[model.predict_proba(X).argmax(axis=1)]
    drawn_classes = np.full(len(spots), NO_CLASS)
    for mark in marks(scene, Rects):
        x0, x1, y0, y1, color = (
            at(getattr(mark, name), last) for name in ("x0", "x1", "y0", "y1", "color")
        )
        for i in np.flatnonzero(np.isfinite(x0)):
            inside = (
                (x0[i] <= spots[:, 0])
                & (spots[:, 0] <= x1[i])
                & (y0[i] <= spots[:, 1])
                & (spots[:, 1] <= y1[i])
            )
            drawn_classes[inside] = color[i]
    assert (drawn_classes != NO_CLASS).all()
    assert (
        drawn_classes == expected
    ).mean() > 0.99  # where a row would go in parts, the region is that of the node above


def test_the_drawing_has_the_nodes_of_the_tree(case):
    problem, params = case
    scene, model, _ = scene_of(problem, **params)
    assert n_coloured(scene, len(scene.frames) - 1) == model.tree_.node_count
    assert n_coloured(scene, 0) == 1


def n_coloured(scene, frame):
    """Return the number of nodes that are coloured in a frame."""
    circles = [mark for mark in marks(scene, Points, "tree") if not mark.emphasis]
    return sum(
        (np.isfinite(at(mark.x, frame)) & (np.ravel(at(mark.color, frame)) != NO_CLASS)).sum()
        for mark in circles
    )


def test_a_branch_takes_the_place_of_its_node():
    """Of the noise below a good split, error-based pruning leaves the larger branch."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 3, (300, 5)).astype(str), columns=list("abcde"))
    same = (frame["a"] == frame["b"]) ^ (rng.random(300) < 0.2)
    problem = prepare(frame.assign(k=same.astype(str)), list("abcde"), target="k", labelled=True)
    scene, model, trace = scene_of(problem, **params_of(C45))
    assert sum(step.phase == "raise" for step in trace.steps) > 1
    assert n_coloured(scene, len(scene.frames) - 1) == model.tree_.node_count


def test_candidates_are_ranked_by_gini_gain():
    problem, _ = CASES["iris"]
    scene, _, _ = scene_of(problem)
    X, y = problem.training.X, problem.training.y
    gains = {}
    for j, name in enumerate(problem.features):
        values = np.unique(X[:, j])
        for cut in (values[1:] + values[:-1]) / 2:
            sides = [y[X[:, j] <= cut], y[X[:, j] > cut]]
            after = sum(
                len(side) / len(y) * impurity(np.bincount(side, minlength=3)) for side in sides
            )
            gains[f"{name} ≤ {cut:.6g}"] = impurity(np.bincount(y)) - after
    table = tables(scene.frames[1])[f"{len(gains)} candidates, ranked"]
    scores = [row[2] for row in table.rows]
    assert scores == sorted(scores, reverse=True)
    assert {row[1]: row[2] for row in table.rows} == pytest.approx(gains, rel=1e-3, abs=1e-9)
    assert table.emphasis == [0]


@pytest.mark.parametrize("criterion", SCORES)
def test_the_score_is_written_out(criterion):
    problem = problem_of("heart_disease", ("age", "sex", "st_depression", "vessels"))
    trace = run(DecisionTreeClassifier(criterion=criterion, max_depth=3), problem.data, problem.y)
    splits = [step for step in trace.steps if step.phase == "split"]
    assert splits
    for step in splits:
        (line,) = (
            text
            for text in score_texts(step.chosen, criterion)
            if text.startswith(SCORES[criterion])
        )
        assert result(line) == pytest.approx(step.chosen.score, rel=1e-3, abs=1e-4)


def test_what_the_choice_among_thresholds_costs():
    problem, params = CASES["weather, C4.5"]
    scene, _, trace = scene_of(problem, **params)
    step = next(s for s in trace.steps if s.phase == "split" and s.chosen.split.thresholds)
    frame = next(f for f in scene.frames if f.caption.startswith(f"Node {step.node + 1} is split"))
    line = next(text for text in formulas(frame) if text.startswith("less log₂"))
    assert result(line) == pytest.approx(step.chosen.gain, abs=1e-3)


def test_counts_in_the_branches_add_up(case):
    problem, params = case
    for frame in scene_of(problem, **params)[0].frames:
        if frame.phase == "split":
            table = next(
                block for block in frame.ledger if isinstance(block, LedgerTable) and block.classes
            )
            for _, node, *branches in table.rows:
                assert sum(branches) == pytest.approx(node, abs=0.01 * max(node, 1))


def test_the_query_ends_in_its_leaf(case):
    problem, params = case
    for sample in range(0, len(problem.X), 29):
        scene, model, _ = scene_of(problem, problem.query(sample=sample), **params)
        x = problem.X[sample]
        levels = walk(model.tree_, x)
        leaves = {part.node: part.share for part in levels[-1]}
        assert sum(leaves.values()) == pytest.approx(1)
        probabilities = sum(share * model.tree_.value[leaf, 0] for leaf, share in leaves.items())
        assert probabilities == pytest.approx(model.predict_proba(problem.table(x[None]))[0])
        assert [frame.phase for frame in scene.frames].count("walk") == len(levels) - 1
        probabilities_shown = {
            line.split(" = ")[0]: result(line) for line in formulas(scene.frames[-1])
        }
        for code, probability in zip(model.classes_, probabilities, strict=True):
            assert probabilities_shown[f"P({problem.classes[code]})"] == pytest.approx(
                probability, abs=1e-3
            )


def test_a_row_without_values_goes_in_parts_or_by_surrogates():
    problem, params = CASES["penguins, pruned"]
    empty = problem.query(sample=int(np.flatnonzero(np.isnan(problem.X).sum(axis=1) > 3)[0]))
    captions = [frame.caption for frame in scene_of(problem, empty, **params)[0].frames]
    assert any("surrogate" in caption for caption in captions)
    captions = [frame.caption for frame in scene_of(problem, empty, ccp_alpha=0.02)[0].frames]
    assert any("parts" in caption for caption in captions)


def test_a_draft_does_not_reveal_the_best_split():
    problem, _ = CASES["iris"]
    scene, _, trace = scene_of(problem, draft="r.0", choices="r_0_4.8~r.0_1_0.3")
    phases = [frame.phase for frame in scene.frames]
    assert phases[-1] == "choose"
    assert "done" not in phases
    assert [handle.name for handle in scene.handles] == ["split", "query"]
    assert (scene.handles[0].kind, scene.handles[0].y) == ("y", 0.3)
    first, last = scene.frames[1], scene.frames[-1]
    assert first.caption.startswith("You split the root by petal_length ≤ 4.8")
    assert "is lost" in first.caption
    tried = next(step for step in trace.steps if step.path == "r.0")
    text = " ".join([last.caption, *formulas(last), *tables(last)])
    assert question(tried.best.split, problem) not in text
    own = tables(last)["Your splits and the algorithm's"]
    assert [row[1] for row in own.rows] == ["you", "best"]


def test_very_large_trees_are_drawn_with_less():
    table = make("uniform_noise", random_state=1, n_samples=600)
    problem = prepare(table.frame, list(table.numeric)[:2], target=table.target, labelled=True)
    scene, model, trace = scene_of(problem)
    assert len(trace.steps) > 300
    assert len(scene.frames) <= MAX_FRAMES + model.get_depth() + 3
    assert sum(frame.phase == "leaf" for frame in scene.frames) == 0
    assert not marks(scene, Rects, "tree")
    assert len([mark for mark in marks(scene, Segments, "tree") if mark.width == 1.0]) == 1


def test_texts_of_tests():
    problem, params = CASES["weather, binary"]
    trace = run(DecisionTreeClassifier(**params), problem.data, problem.y)
    split = trace.steps[0].chosen.split
    assert question(split, problem) == "outlook in {sunny, rainy}"
    assert branch_texts(split, problem) == ["in {sunny, rainy}", "= overcast"]


def test_texts_of_splits_that_place_missing_values():
    problem, _ = CASES["heart, CHAID"]
    thal, age = problem.features.index("thal"), problem.features.index("age")
    assert question(Split(age, (50.0,), missing=0), problem) == "age ≤ 50 or missing"
    assert question(Split(age, (np.inf,), missing=1), problem) == "age is known"
    assert branch_texts(Split(age, (np.inf,), missing=1), problem) == ["known", "missing"]
    assert branch_texts(Split(age, (50.0,), missing=2), problem) == ["≤ 50", "> 50", "missing"]
    assert (
        branch_texts(Split(thal, branches=(0, 1, 1), missing=0), problem)[0]
        == "in {normal, missing}"
    )
    assert branch_texts(Split(thal, branches=(0, 1, 2), missing=3), problem)[3] == "= missing"


def test_the_drawing_of_a_huge_tree_ends_and_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 2))
    X[rng.random(X.shape) < 0.03] = np.nan
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(k=rng.choice(list("xyz"), 1500))
    problem = prepare(frame, ["a", "b"], target="k", labelled=True, holes="keep")
    scene, model, _ = scene_of(problem)
    circles = sum(len(at(mark.y, 0)) for mark in marks(scene, Points, "tree") if not mark.emphasis)
    assert circles <= MAX_NODES < model.tree_.node_count
    assert any("levels below the root are drawn" in note for note in scene.notes)
    assert len(encode(scene)) < 150_000


def test_missing_values_are_skipped_or_a_value_of_their_own():
    problem, _ = CASES["heart, CHAID"]
    assert any("are skipped" in note for note in scene_of(problem, max_depth=1)[0].notes)
    notes = scene_of(problem, max_depth=1, missing="category")[0].notes
    assert any(
        note.endswith("have missing values; missing is a separate category.") for note in notes
    )


def test_words_below_the_deepest_leaves_have_room(case):
    problem, params = case
    scene, _, _ = scene_of(problem, **params)
    (panel,) = [panel for panel in scene.panels if panel.name == "tree"]
    texts = [at(mark.y, len(scene.frames) - 1) for mark in marks(scene, Texts, "tree")]
    assert np.nanmin(np.concatenate(texts)) - panel.y.low > 0.6
