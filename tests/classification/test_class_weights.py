"""Weights of classes, as the pages set them: the same as scikit-learn, and the numbers shown."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.visit import open_settings, technique

DATA = {"source": "generator", "generator": "moons", "seed": "3"}
PAGES = ["svm", "logistic_regression", "decision_tree"]
PLAIN = {"decision_tree": {"max_depth": 2}, "svm": {"kernel": "linear"}}


def run_and_scene(slug, **settings):
    return open_settings(slug, **DATA, **PLAIN.get(slug, {}), **settings)


def own_weight(run_of_page, slug, weight):
    name = run_of_page.problem.classes[1]
    return {"class_weight_of": name, f"{slug}.class_weight.{name}": weight}


@pytest.mark.parametrize("slug", PAGES)
def test_a_class_that_weighs_more_is_missed_less(slug):
    plain, _ = run_and_scene(slug)
    heavy, scene = run_and_scene(slug, **own_weight(plain, slug, 20))
    assert heavy.model.class_weight == {0: 1.0, 1: 20.0}
    missed = [
        (run.fitted.predict(run.problem.training.X) == 0)[run.problem.training.y == 1].sum()
        for run in (plain, heavy)
    ]
    assert missed[1] < missed[0]
    ledger = str(scene["frames"][0]["ledger"])
    assert "Class weights" in ledger
    assert "20" in ledger


@pytest.mark.parametrize("slug", PAGES)
def test_balanced_classes_are_those_of_the_library(slug):
    run, _ = run_and_scene(slug, class_weight_of="balanced")
    assert run.model.class_weight == "balanced"
    answer, X = technique(slug).check.answer(run), run.problem.training.X
    if hasattr(answer, "predict_proba") and slug != "svm":
        assert_allclose(answer.predict_proba(X), run.fitted.predict_proba(X), atol=1e-5)
    else:
        assert_allclose(answer.decision_function(X), run.fitted.decision_function(X), atol=1e-3)


def test_the_objectives_of_a_weighted_machine_are_equal():
    plain, _ = run_and_scene("svm")
    run, scene = run_and_scene("svm", **own_weight(plain, "svm", 5))
    formulas = [block["text"] for block in scene["frames"][-1]["ledger"] if "text" in block]
    primal, dual = (
        float(line.split("= ")[-1])
        for start in ("½‖w‖²", "dual")
        for line in formulas
        if line.startswith(start)
    )
    assert primal == pytest.approx(dual, rel=1e-3)
    pair = next(
        step
        for step in run.trace.steps
        if step.move and step.sign[step.move.i] != step.sign[step.move.j]
    )
    bounds = pair.bound[[pair.move.i, pair.move.j]]
    assert sorted(bounds / bounds.min()) == [1.0, 5.0]
    i, j = np.array(pair.move.before)
    low, high = pair.box
    assert (low, high) == pytest.approx(
        (max(0, abs(j) - abs(i)), min(bounds[1], bounds[0] + abs(j) - abs(i)))
    )
