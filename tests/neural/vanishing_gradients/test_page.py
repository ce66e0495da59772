"""The page of vanishing gradients: its presets show what they say."""

import re
from functools import partial

import pytest

from dmlib.neural.vanishing_gradients.figures.one_change import one_change_data
from tests.visit import open_preset

run_of = partial(open_preset, "vanishing_gradients")


def wrong(run):
    training = run.problem.training
    return int((run.fitted.predict(training.data) != training.y).sum())


@pytest.mark.parametrize(
    "title",
    [
        "Eight layers that do not learn",
        "One change: batch normalisation",
        "One change: tanh",
        "ReLU with He's start",
    ],
)
def test_the_ratio_is_in_the_text(title):
    run, _, look_for = run_of(title)
    numbers = map(float, re.findall(r"\b0\.\d{3,}|\b\d\.\d{3}\b", look_for))
    ratio = pytest.approx(run.fitted.gradient_ratio_, rel=1e-3)
    assert any(number == ratio for number in numbers)


def test_one_change_makes_it_learn():
    run, scene, _ = run_of("Eight layers that do not learn")
    assert wrong(run) == len(run.problem.training.X) / 2
    errors = {change.name: change.error for change in one_change_data(run)}
    assert errors["as it is"] == 0.5
    assert errors["batch normalisation"] == 0.0
    assert errors["ten times the learning rate"] == 0.5
    assert errors["He's start"] == 0.5
    assert wrong(run_of("One change: batch normalisation")[0]) == 0
    # How many rows stay wrong with tanh depends on the rounding of the processor.
    assert wrong(run_of("One change: tanh")[0]) < wrong(run)
    (bars,) = [
        mark for mark in scene["marks"] if mark["kind"] == "Rects" and mark["panel"] == "gradients"
    ]
    assert len(scene["arrays"][bars["x0"]["values"]]) == 9


@pytest.mark.parametrize("title", ["ReLU with He's start", "Start weights that are too small"])
def test_the_errors_are_in_the_text(title):
    run, _, look_for = run_of(title)
    assert f"{wrong(run)} of {len(run.problem.training.X)} training rows" in look_for


def test_too_large_a_start_ends_with_dead_units():
    _, scene, look_for = run_of("Gradients that explode")
    assert "no gradient is left" in look_for
    assert "no gradient is left" in scene["frames"][-1]["caption"]


def test_the_chain_multiplies_slopes_and_weights():
    _, scene, _ = run_of("A chain of single units")
    texts = [
        block["text"] for frame in scene["frames"] for block in frame["ledger"] if "text" in block
    ]
    assert sum("their product" in text for text in texts) == 3
