"""Quadratic and informational losses of an ensemble, computed again row by row."""

from math import inf, log2

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import BaggingClassifier as TheirBagging
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

from dmlib.classification import BaggingClassifier, RandomForestClassifier
from dmlib.classification.ensembles.losses_ledger import ProbabilityLoss
from dmlib.classification.ensembles.scene import ensembles_scene
from dmlib.datasets import make
from dmlib.evaluation import informational_loss, quadratic_loss
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.contract.test_lessons import section, text_of
from tests.visit import open_preset

SIX = pd.DataFrame({"x": np.arange(1.0, 7.0), "y": np.full(6, 5.0), "c": list("AABABB")})
HAND = Run.of(
    prepare(SIX, ["x", "y"], target="c", labelled=True),
    BaggingClassifier(n_estimators=3, max_depth=1, random_state=0),
)


def moons(model, **how):
    frame = make("moons", n_samples=120, noise=1.0, random_state=0).frame
    *columns, target = frame.columns
    return Run.of(prepare(frame, columns, target=target, labelled=True, **how), model)


def test_by_hand():
    last = HAND.trace.steps[-1]
    quadratic = ProbabilityLoss(HAND, "quadratic").out_of_bag(last)
    assert quadratic[[0, 1, 2, 5]] == pytest.approx([0.5, 2 / 36, 2, 0.125])
    assert np.isnan(quadratic[[3, 4]]).all()
    bits = ProbabilityLoss(HAND, "informational").out_of_bag(last)
    assert bits[[0, 1, 2, 5]] == pytest.approx([1, log2(6 / 5), inf, log2(4 / 3)])
    text = section(text_of("ensembles"), "By hand")
    assert f"**{np.nanmean(quadratic):.4f}**" in text
    assert all(f"{value:.3f}".rstrip("0") in text for value in bits[[1, 5]])


@pytest.mark.parametrize("name", ["quadratic", "informational"])
@pytest.mark.parametrize("kind", [BaggingClassifier, RandomForestClassifier])
def test_each_step_has_the_loss_of_the_trees_so_far(kind, name):
    run = moons(kind(n_estimators=6, max_depth=2, random_state=1), test_size=0.3)
    training, testing = run.problem.training, run.problem.testing
    by_step = ProbabilityLoss(run, name).by_step()
    model = run.fitted
    for number in (1, 4, 6):
        votes = {row: [] for row in range(len(training.y))}
        for tree, bag in zip(
            model.estimators_[:number], model.estimators_samples_[:number], strict=True
        ):
            for row in set(votes) - set(bag.tolist()):
                votes[row].append(tree.predict_proba(training.X[[row]])[0])
        losses = []
        for row, shares in votes.items():
            if shares:
                p = sum(shares) / len(shares)
                own = p[training.y[row]]
                square = sum((q - (k == training.y[row])) ** 2 for k, q in enumerate(p))
                bits = log2(1 / own) if own else inf
                losses.append(square if name == "quadratic" else bits)
        assert by_step["out-of-bag"][number] == pytest.approx(sum(losses) / len(losses))
    of = quadratic_loss if name == "quadratic" else informational_loss
    assert by_step["training"][-1] == pytest.approx(
        of(training.y, model.predict_proba(training.data), labels=[0, 1])
    )
    assert by_step["test"][-1] == pytest.approx(
        of(testing.y, model.predict_proba(testing.data), labels=[0, 1])
    )
    assert all(np.isnan(values[0]) for values in by_step.values())


def test_about_the_loss_that_scikit_learn_finds():
    run = moons(BaggingClassifier(n_estimators=150, max_depth=3, random_state=0))
    X, y = run.problem.X, run.problem.y
    theirs = TheirBagging(
        DecisionTreeClassifier(max_depth=3), n_estimators=150, oob_score=True, random_state=0
    ).fit(X, y)
    expected = log_loss(y, theirs.oob_decision_function_) / np.log(2)
    bits = ProbabilityLoss(run, "informational").by_step()["out-of-bag"][-1]
    assert bits == pytest.approx(expected, rel=0.1)


def test_a_class_without_a_training_row_has_the_probability_zero():
    run = HAND
    loss = ProbabilityLoss(run, "informational")
    loss.n_classes = 3
    assert loss.of_rows([2], np.array([[0.5, 0.5]])).tolist() == [inf]
    loss.name = "quadratic"
    assert loss.of_rows([2], np.array([[0.5, 0.5]])).tolist() == [1.5]


@pytest.mark.parametrize(
    ("name", "caption", "row", "mean"),
    [
        (
            "quadratic",
            "the out-of-bag quadratic loss is 0.6701.",
            "row 3 (B), out of bag: (1 − 0)² + (0 − 1)² = 2",
            "mean loss of rows left out at least once = 2.681 / 4 = 0.6701",
        ),
        (
            "informational",
            "the out-of-bag informational loss is infinite.",
            "row 3 (B), out of bag: log₂ (1 / 0) = ∞",
            "mean loss of the others = 1.678 / 3 = 0.5594",
        ),
    ],
)
def test_caption_and_ledger(name, caption, row, mean):
    run = Run.of(HAND.problem, HAND.model, options={"loss": name})
    frame = ensembles_scene(run).frames[-1]
    assert frame.caption.endswith(caption)
    texts = [block.text for block in frame.ledger if hasattr(block, "text")]
    assert row in texts
    assert mean in texts


def test_the_loss_of_the_query_is_written_out():
    run = Run.of(
        HAND.problem, HAND.model, options={"loss": "quadratic"}, query=HAND.problem.query(sample=5)
    )
    texts = [
        block.text for block in ensembles_scene(run).frames[-1].ledger if hasattr(block, "text")
    ]
    assert "row 6 (B), out of bag: (0.25 − 0)² + (0.75 − 1)² = 0.125" in texts


def test_the_curves_are_cut_at_the_panel():
    run = Run.of(HAND.problem, HAND.model, options={"loss": "informational"})
    scene = ensembles_scene(run)
    (panel,) = [panel for panel in scene.panels if panel.name == "error"]
    assert (panel.title, panel.y.label) == ("Informational loss by trees", "informational loss")
    heights = [
        np.asarray(row) for mark in scene.marks if mark.panel == "error" for row in mark.y.rows
    ]
    assert max(np.nanmax(row, initial=0) for row in heights) == pytest.approx(panel.y.high)


def test_presets():
    run, _, look_for = open_preset("ensembles", "Quadratic loss out of bag")
    losses = ProbabilityLoss(run, "quadratic").by_step()
    assert f"from {losses['test'][18]:.3f} to {losses['test'][-1]:.3f}" in look_for
    assert f"it is {losses['out-of-bag'][-1]:.4f} after" in look_for
    errors = [
        np.mean(predicted != run.problem.testing.y)
        for predicted in run.fitted.staged_predict(run.problem.testing.data)
    ]
    assert {f"{100 * error:.1f} %" for error in errors[17:]} == {"22.2 %"}
    run, _, look_for = open_preset("ensembles", "One zero out of bag")
    bits = ProbabilityLoss(run, "informational").out_of_bag(run.trace.steps[-1])
    assert np.isinf(bits).sum() == 3
    finite = bits[np.isfinite(bits)]
    assert f"the mean of the other {len(finite)} is {finite.mean():.4g} bits" in look_for
    shallow, *_ = open_preset("ensembles", "One zero out of bag", max_depth=3)
    mean = ProbabilityLoss(shallow, "informational").by_step()["out-of-bag"][-1]
    assert f"a loss of {mean:.4g} bits" in look_for
