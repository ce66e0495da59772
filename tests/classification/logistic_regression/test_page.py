"""The page of logistic regression: its presets show what they promise; the query is dragged."""

import re

import numpy as np
import pytest

from dmlib.pictures.words import percent
from tests.gestures import move
from tests.visit import (
    linked,
    open_preset,
    sentences_of,
    sound,
    stage,
    technique,
    visit,
    warnings,
    watched_runs,
)

PRESETS = {preset.title: preset for preset in technique("logistic_regression").presets}


def open_link(**settings):
    with watched_runs() as runs:
        page = sound(visit("logistic_regression", **linked("logistic_regression", settings)))
    return (runs[-1] if runs else None), page


def run_of(title, **settings):
    """Open a preset as a link with other settings; return the run, the frames and its text."""
    preset = PRESETS[title]
    run, page = open_link(**(dict(preset.settings) | settings))
    assert warnings(page) == []
    return run, stage(page)["frames"], preset.look_for


def test_one_column():
    run, frames, look_for = run_of("One column: the curve itself")
    assert f"{run.fitted.intercept_[0]:.3f}".replace("-", "−") in look_for
    assert f"{run.fitted.coef_[0, 0]:.3f}" in look_for
    assert any(block.get("title", "").startswith("Asked about") for block in frames[-1]["ledger"])


def test_grouped_data():
    run, frames, look_for = run_of("Grouped data: 10,524 households")
    assert run.problem.X[:, -1].sum() == 10_524
    assert f"{run.fitted.odds_ratios_[1 + run.problem.features.index('moved')]:.2f}" in look_for
    groups = next(
        block for block in frames[-1]["ledger"] if block.get("title", "").startswith("Groups")
    )
    assert len(groups["rows"]) == 8


def test_a_perfect_border():
    run, frames, _ = run_of("A perfect border")
    steepness = [np.linalg.norm(step.coef[0, 1:]) for step in run.trace.steps[1:-1]]
    assert (np.diff(steepness) > 0).all()
    assert "separates the classes completely" in frames[-1]["caption"]
    penalised, frames, _ = run_of("A perfect border", C=1.0)
    assert penalised.fitted.converged_
    assert "only the penalty keeps the coefficients finite" in frames[-1]["caption"]


def test_a_border_with_mixed_rows():
    run, frames, _ = run_of("Mixed only on the border")
    X, y = run.problem.X, run.problem.y
    assert not y[X[:, 0] < 5].any()
    assert y[X[:, 0] > 5].all()
    assert set(y[X[:, 0] == 5]) == {0, 1}
    assert run.fitted.separation_ == "quasi-complete"
    assert (run.fitted.predict(X) != y).any()
    assert "except for rows on the boundary itself" in frames[-1]["caption"]


def test_the_zigzag():
    run, _, look_for = run_of("The zigzag")
    halvings = [step.halvings for step in run.trace.steps if step.phase == "gradient"]
    assert np.median(halvings) >= 10
    assert not run.fitted.converged_
    better, _, _ = run_of("The zigzag", scaling="z-score", learning_rate=10)
    assert better.fitted.converged_
    assert f"it converges in {better.fitted.n_iter_[0]} steps" in look_for


def test_a_few_rows_at_a_time():
    run, _, _ = run_of("A few rows at a time")
    heights = np.array([step.objective for step in run.trace.steps])
    falls = np.diff(heights) < 0
    assert falls.any()
    drops = -np.minimum(np.diff(heights), 0)
    assert drops[: len(drops) // 2].max() > drops[len(drops) // 2 :].max()


def test_a_penalty_too_strong():
    run, *_ = run_of("A penalty too strong")
    assert run.problem.classes == ("not Chinstrap", "Chinstrap")
    assert not run.fitted.predict(run.problem.X).any()
    assert np.abs(run.fitted.coef_).max() < 0.5


@pytest.mark.parametrize("solver", ["newton", "gd"])
def test_moons(solver):
    run, *_ = run_of("Two moons, one straight border", solver=solver)
    wrong = run.fitted.predict(run.problem.X) != run.problem.y
    assert set(run.problem.y[wrong]) == {0, 1}


def test_what_is_asked_about_travels_in_the_link_and_moves_the_ledger():
    _, usual = open_link()
    _, page = open_link(query="190,55")
    query, default = (stage(each)["frames"][-1]["ledger"][0] for each in (page, usual))
    assert [row[1] for row in query["rows"]] == [1.0, 190.0, 55.0]
    assert query != default
    link = move({"name": "query", "x": 190, "y": 55}, technique("logistic_regression"), point="3")
    assert link == {"query": ["190,55"]}


def test_too_many_steps_are_refused():
    _, page = open_link(solver="sgd", max_iter=100, batch_size=1)
    assert any(
        re.search(r"100 epochs of 240 batches are 24000 steps", sentence)
        for sentence in sentences_of(page)
    )


def test_scaled_counts_are_refused_with_a_sentence():
    _, page = open_link(data="telephone", grouped=True, scaling="z-score")
    assert any("as it is, not scaled" in sentence for sentence in sentences_of(page))


def test_a_product_separates_opposite_corners():
    run, _, look_for = open_preset("logistic_regression", "A product makes it straight")
    plain, _, _ = open_preset(
        "logistic_regression", "A product makes it straight", **{"xor.features": ["x", "y"]}
    )
    errors = []
    for fit in (plain, run):
        training = fit.problem.training
        errors.append(int((fit.fitted.predict(training.data) != training.y).sum()))
    assert errors == [71, 0]
    share = percent(errors[0] / len(run.problem.training.X))
    assert f"with x and y {share} of the training rows" in look_for
    x, product = abs(run.fitted.coef_[0])
    assert product > 100 * x
