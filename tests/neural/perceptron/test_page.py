"""The page of the perceptron: its presets show what they say."""

from functools import partial

import numpy as np
import pytest

from dmlib.datasets import load
from dmlib.neural import Adaline, Perceptron
from dmlib.neural.perceptron.scene import perceptron_scene
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, marks
from tests.visit import open_preset, open_settings

open_link = partial(open_settings, "perceptron")
run_of = partial(open_preset, "perceptron")


def formulas(frame):
    return [block["text"] for block in frame["ledger"] if "text" in block]


def error(run):
    training = run.problem.training
    return float((run.fitted.predict(training.data) != training.y).mean())


def test_a_line_turns():
    run, scene, look_for = run_of("A line turns")
    assert run.fitted.n_mistakes_ == 3
    assert "≤ (R / γ)² = (2.50061 / 0.379672)² = 43.3786" in formulas(scene["frames"][-1])[0]
    assert "Three mistakes" in look_for
    assert "bound allows 43" in look_for


def test_by_hand_is_in_the_lesson():
    run, scene, _ = run_of("Three rows by hand")
    lesson = section(text_of("perceptron"), "By hand")
    bound = "mistakes so far: 3 ≤ (R / γ)² = (4.58258 / 0.707107)² = 42"
    assert bound in formulas(scene["frames"][-1])
    assert "w ← w + η y x; y: −4 + 1 · (+1) · 1 = −3" in formulas(scene["frames"][2])
    for weights in [(-1, -2, -4), (0, 0, -3), (1, 2, -2)]:
        assert "$b = {}$, $w = ({}, {})$".format(*weights) in lesson
    assert run.fitted.coef_.tolist() == [[2, -2]]


def test_xor_never_ends():
    run, scene, look_for = run_of("XOR never ends")
    caption = scene["frames"][-1]["caption"]
    assert "No line separates these classes, so the perceptron never converges." in caption
    assert "The weights after epoch 2 are those after epoch 1: everything repeats." in caption
    assert f"{run.fitted.n_mistakes_} mistakes in {run.fitted.n_iter_} epochs" in look_for
    assert error(run) == 0.25


def test_adaline_settles():
    run, scene, look_for = run_of("Adaline settles between the classes")
    costs = [step.cost for step in run.trace.steps if step.phase == "epoch"]
    assert costs[0] > 1.3 * costs[5]
    assert costs[-1] == pytest.approx(0.25, abs=0.02)
    assert "stays near 0.25" in look_for
    assert f"{100 * error(run):.4g} %" in look_for
    assert np.isfinite(scene["panels"][1]["y"]["high"])


def test_a_learning_rate_that_is_too_large():
    _, scene, look_for = run_of("The learning rate is too large")
    assert "grow without bound in epoch 1" in scene["frames"][-1]["caption"]
    assert "Lower the learning rate to 0.1" in look_for
    run, *_ = run_of("The learning rate is too large", learning_rate=0.1)
    assert run.fitted.converged_


def test_the_pocket_is_better_than_the_last():
    best, _, look_for = run_of("A pocket for classes that overlap")
    average, *_ = run_of("A pocket for classes that overlap", keep="average")
    last, *_ = run_of("A pocket for classes that overlap", keep="last")
    assert f"{100 * error(best):.3g} %" in look_for
    assert error(average) == error(best)
    assert f"{100 * error(last):.2g} %" in look_for


def test_three_vectors_vote():
    run, scene, look_for = run_of("Three vectors vote")
    assert run.fitted.votes_.tolist() == [0, 1, 3, 5]
    assert "survive 1, 3 and 5 rows" in look_for
    table = [block for block in scene["frames"][-1]["ledger"] if "head" in block][1]
    assert [row[2] for row in table["rows"]] == [5, 3, 1, 0]
    lesson = section(text_of("perceptron"), "By hand")
    sums = [0, *(run.fitted.intercepts_ + run.fitted.coefs_ @ [2, 1])[1:]]
    assert sums == [0, -9, -3, 3]
    assert "their sums are 0, −9, −3 and +3" in lesson
    average = np.average(sums, weights=run.fitted.votes_)
    assert f"{average:.3f}".replace("-", "−") in lesson
    assert error(run) == 0


def test_a_vote_beside_the_last_weights():
    run, _, look_for = run_of("A vote beside the last weights")
    last, *_ = run_of("A vote beside the last weights", method="Perceptron", max_iter=10)
    for each in (run, last):
        testing = each.problem.testing
        share = float((each.fitted.predict(testing.data) != testing.y).mean())
        assert f"{100 * share:.1f} %" in look_for
    assert f"after {run.fitted.n_mistakes_} mistakes" in look_for


@pytest.mark.parametrize(
    "settings", [{"shuffle": True, "init": "random"}, {"fit_intercept": False}]
)
def test_scenes_of_other_settings(settings):
    run, scene = open_link(**settings)
    assert len(scene["frames"]) == len(run.trace.steps)
    assert all(value == getattr(run.model, name) for name, value in settings.items())


@pytest.mark.parametrize(
    "model", [Perceptron(max_iter=2), Perceptron(max_iter=2, keep="best"), Adaline(max_iter=2)]
)
def test_the_arrow_answers_to_the_weights_that_it_shows(model):
    """Two of four columns are drawn: only their weights are linked, and no table of the memory."""
    columns = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
    frame, view = load("penguins").frame.query("species != 'Gentoo'"), columns[1::2]
    problem = prepare(frame, columns, target="species", labelled=True, view=view, scaling="z-score")
    scene = perceptron_scene(Run.of(problem, model))
    (arrow,) = marks(scene, Segments, of="weights")
    frames = [i for i, x in enumerate(arrow.x0.rows) if len(x)]
    for i in (*frames[:3], frames[-1]):
        ledger = scene.frames[i].ledger
        table, *unlinked = [block for block in ledger if isinstance(block, LedgerTable)]
        w = table.head.index("new w" if "new w" in table.head else "w")
        numbers = at(arrow.numbers, i)
        lines = zip(table.rows, table.numbers, strict=True)
        linked = {row[0]: row[w] for row, number in lines if number in numbers}
        assert [*linked] == view
        across = at(arrow.x1, i)[0] - at(arrow.x0, i)[0]
        up = at(arrow.y1, i)[0] - at(arrow.y0, i)[0]
        assert across * linked[view[1]] == pytest.approx(up * linked[view[0]], rel=1e-3, abs=1e-9)
        assert not any(block.by for block in unlinked)
