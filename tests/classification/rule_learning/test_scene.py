"""The picture of rule learning: areas, the list of rules, coverage space."""

import numpy as np
import pytest

from dmlib.classification import PRISM, RIPPER, C45Rules, OneRule, SequentialCovering
from dmlib.classification.rule_learning.boxes_scene import FILL
from dmlib.classification.rule_learning.scene import MAX_FRAMES, REMOVED, rule_learning_scene
from dmlib.datasets import load, make
from dmlib.pictures.marks import Line, Points, Rects, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, tables
from tests.runs import stopped

MOONS = make("moons", n_samples=120, noise=1.0, random_state=0).frame
EACH = [
    PRISM(),
    SequentialCovering(),
    SequentialCovering(pruning=False),
    RIPPER(),
    C45Rules(),
    OneRule(),
]


def run_of(model, frame=MOONS, columns=("x", "y"), target="class", **how):
    attributes = {name: how.pop(name) for name in ("query", "selected") if name in how}
    problem = prepare(frame, list(columns), target=target, labelled=True, **how)
    return Run.of(problem, model, **attributes)


def lenses(model):
    frame = load("contact_lenses").frame
    return run_of(model, frame, frame.columns[:-1], "lenses", view=("tear_rate", "astigmatism"))


@pytest.mark.parametrize("model", EACH, ids=repr)
def test_the_error_ends_at_that_of_the_rules_and_every_frame_says_something(model):
    run = run_of(model, test_size=0.3)
    scene = rule_learning_scene(run)
    X, y = run.problem.testing.arguments
    end = marks(scene, Points, "error")[-1]
    error = (run.fitted.predict(X) != y).mean()
    assert at(end.y, len(scene.frames) - 1)[0] == pytest.approx(error)
    assert all(frame.caption.endswith(".") and frame.ledger for frame in scene.frames)
    assert len(scene.frames) <= MAX_FRAMES


@pytest.mark.parametrize("model", EACH, ids=repr)
def test_a_run_that_was_stopped_shows_the_data(model):
    run = run_of(model)
    for n in range(0, len(run.trace.steps), 4):
        assert rule_learning_scene(stopped(run, n)).frames[0].caption


def test_areas_are_the_rules_so_far():
    run = run_of(SequentialCovering())
    scene = rule_learning_scene(run)
    (areas,) = marks(scene, Rects)
    for i, step in enumerate(run.trace.steps[:-1]):
        assert (at(areas.opacity, i) == FILL).sum() == len(step.rules)
    assert not at(areas.opacity, len(scene.frames) - 1).any()


def test_points_in_an_area_are_those_that_the_rule_covers():
    run = run_of(SequentialCovering(pruning=False))
    scene, X = rule_learning_scene(run), run.problem.X
    solid, dashed = marks(scene, Line)
    for i, step in enumerate(run.trace.steps):
        if step.phase == "grow":
            x, y = at(solid.x, i), at(solid.y, i)
            inside = (X[:, 0] >= x.min()) & (X[:, 0] <= x.max())
            inside &= (X[:, 1] >= y.min()) & (X[:, 1] <= y.max())
            assert (inside == step.rule.covers(X)).all()
            assert not len(at(dashed.x, i))


def test_a_rule_with_conditions_out_of_the_plane_is_dashed():
    run = lenses(PRISM())
    solid, dashed = marks(rule_learning_scene(run), Line)
    hidden = {0, 1}
    for i, step in enumerate(run.trace.steps):
        if step.phase == "grow":
            is_hidden = bool({each.column for each in step.rule.conditions} & hidden)
            assert (len(at(dashed.x, i)) > 0) == is_hidden
            assert (len(at(solid.x, i)) > 0) != is_hidden


def test_removed_rows_are_pale():
    run = run_of(PRISM())
    (rows,) = marks(rule_learning_scene(run), Points, data=True)
    for i, step in enumerate(run.trace.steps[:MAX_FRAMES]):
        if step.phase == "rule" and len(run.trace.steps) <= MAX_FRAMES:
            assert ((at(rows.opacity, i) == REMOVED) == ~step.active).all()


def test_the_list_has_the_rules_with_what_they_cover():
    run = lenses(PRISM())
    scene = rule_learning_scene(run)
    right, wrong = marks(scene, Rects, "rules")
    first, *_ = marks(scene, Texts, "rules")
    for i, step in enumerate(run.trace.steps):
        rules = [*step.rules, *([step.candidate] if step.candidate else [])][-6:]
        assert at(right.x1, i).tolist() == [rule.n_right for rule in rules]
        assert at(wrong.x1, i).tolist() == [rule.n_covered for rule in rules]
        assert np.isfinite(at(first.y, i)).sum() == len(rules)
    assert "4. hard if astigmatism = yes and tear_rate = normal" in first.text


def test_conditions_stand_at_the_rows_that_they_leave():
    run = lenses(SequentialCovering(pruning=False))
    scene = rule_learning_scene(run)
    rings, end = marks(scene, Points, "coverage")
    for i, (step, frame) in enumerate(zip(run.trace.steps, scene.frames, strict=True)):
        if step.phase != "grow":
            continue
        ranked = step.candidates
        assert (at(rings.y, i) == ranked.right).all()
        assert (at(rings.x, i) == ranked.covered - ranked.right).all()
        assert at(end.y, i)[0] == step.rule.n_right
        table = tables(frame)["Conditions that can be added"]
        assert table.rows[0][1:3] == (step.rule.n_right, step.rule.n_covered)
        assert table.numbers[0] == step.chosen + 1
        assert formulas(frame)[1].endswith(f"= {ranked.scores[step.chosen]:.4g}")


def test_the_ledger_of_variants_has_their_bits():
    run = run_of(RIPPER(k=1))
    scene = rule_learning_scene(run)
    for step, frame in zip(run.trace.steps, scene.frames, strict=True):
        if step.variants:
            table = tables(frame)["Variants, with the other rules"]
            assert [row[0] for row in table.rows] == [each.kind for each in step.variants]
            for row, each in zip(table.rows, step.variants, strict=True):
                assert row[2] + row[3] == pytest.approx(row[4]) == each.length.total
            assert list(table.emphasis) == ([step.chosen] if step.phase == "choose" else [])
        if step.phase == "choose":
            assert frame.caption.startswith(f"The {step.variants[step.chosen].kind} of rule")


def test_the_ledger_of_a_drop_has_the_error_without_each_condition():
    run = lenses(C45Rules())
    scene = rule_learning_scene(run)
    rings, _ = marks(scene, Points, "coverage")
    drops = 0
    for i, (step, frame) in enumerate(zip(run.trace.steps, scene.frames, strict=True)):
        if step.phase == "drop":
            table = tables(frame)["The rule without a condition"]
            assert [row[3] for row in table.rows] == pytest.approx(step.candidates.scores, rel=1e-3)
            assert list(table.emphasis) == [step.chosen] == [np.argmin(step.candidates.scores)]
            assert (at(rings.y, i) == step.candidates.right).all()
            assert frame.caption.startswith("Dropped: ")
            drops += 1
        if step.phase == "select":
            table = tables(frame)["One rule more or less"]
            assert [row[3] for row in table.rows] == pytest.approx(
                [length.total for length in step.lengths[1:]], rel=1e-3
            )
            for row in table.rows:
                assert row[1] + row[2] == pytest.approx(row[3], rel=1e-3)
        if step.phase == "order":
            table = tables(frame)["Classes without a place"]
            assert table.rows[table.emphasis[0]][2] == min(row[2] for row in table.rows)
    assert drops == 4


def test_the_query_is_told_which_rules_fire():
    run = run_of(PRISM())
    problem, model = run.problem, run.fitted
    several = np.flatnonzero(model.firing(problem.data).sum(axis=1) > 1)
    sample = int(several[0])
    run = run_of(PRISM(), query=problem.query(sample=sample))
    text = formulas(rule_learning_scene(run).frames[-1])[0]
    fires = (np.flatnonzero(model.firing(problem.data)[sample]) + 1).tolist()
    number = model.deciding(problem.data)[sample] + 1
    assert text.startswith(f"rules {', '.join(map(str, fires))} fire, and {number} decides")


def test_a_long_run_is_thinned_and_says_so():
    frame = make("uniform_noise", n_samples=300, random_state=0).frame
    frame["class"] = np.where(np.arange(300) % 2, "a", "b")
    scene = rule_learning_scene(run_of(PRISM(), frame))
    assert len(scene.frames) <= MAX_FRAMES
    assert any(note.startswith("Long run") for note in scene.notes)
    assert any("the tab Rules has all" in note for note in scene.notes)
