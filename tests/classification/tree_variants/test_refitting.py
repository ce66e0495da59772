"""Refitting and backfitting against NumPy's and SciPy's least squares and numerical slopes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares
from sklearn.linear_model import LinearRegression

from dmlib.classification import FuzzyTree
from dmlib.classification.tree_variants.questions import questions
from dmlib.classification.tree_variants.reference import tree_variants_reference
from dmlib.classification.tree_variants.refitting import Refitting, best_labels
from dmlib.classification.tree_variants.scene import MAX_TREES, tree_variants_scene
from dmlib.datasets import load
from dmlib.outputs.models import model_python
from dmlib.trace import run
from tests.classification.tree_variants.test_algorithm import noisy
from tests.classification.tree_variants.test_scene import run_of, texts
from tests.visit import open_preset

TEXT = Path(__file__).parents[3] / "assets" / "pages" / "tree_variants" / "lesson.md"
HAND = TEXT.read_text("utf-8").split("5. **Refitted:**")[1].split("\n")[0]


def table(seed, n=80, n_classes=3):
    """Return rows without ties, so that no row lies on an edge of a strip."""
    X, y = noisy(seed, n, n_classes)
    return X + 0.3 * np.random.default_rng(seed).normal(size=X.shape), y


def soft(**how):
    return FuzzyTree(**{"max_depth": 2, "min_weight": 4.0, "min_gain": 0.0, **how})


def memberships_of(tree, X):
    """Return the membership of each row in each leaf, by interpolation."""
    parts = np.ones((len(X), tree.node_count))
    for node in np.flatnonzero(~tree.is_leaf):
        t, w = tree.thresholds[node], tree.widths[node]
        first = np.interp(X @ tree.weights[node], [t - w / 2, t + w / 2], [1.0, 0.0])
        for child, share in zip(tree.children[node], (first, 1 - first), strict=True):
            parts[:, child] = parts[:, node] * share
    return parts[:, tree.is_leaf]


def error_of(M, labels, targets):
    return ((M @ labels - targets) ** 2).sum() / len(M)


# --- labels ---------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.sampled_from([0.3, 1.0, 2.0]))
@settings(max_examples=20, deadline=None)
def test_labels_are_those_of_numpy_and_scikit_learn(seed, width):
    X, y = table(seed)
    model = soft(width=width, refit="refit").fit(X, y)
    tree, targets = model.tree_, (y[:, None] == model.classes_).astype(float)
    M, labels = memberships_of(tree, X), tree.labels[tree.is_leaf]
    np.testing.assert_allclose(M.T @ M @ labels, M.T @ targets, atol=1e-7)
    np.testing.assert_allclose(labels.sum(axis=1), 1.0)
    best = LinearRegression(fit_intercept=False).fit(M, targets)
    np.testing.assert_allclose(M @ labels, best.predict(M), atol=1e-7)
    if np.linalg.cond(M) < 1e6:
        np.testing.assert_allclose(labels, np.linalg.lstsq(M, targets, rcond=None)[0], atol=1e-6)
    raw = M @ labels
    expected = np.maximum(raw, 0) / np.maximum(raw, 0).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-9)
    assert (model.predict(X) == model.classes_[raw.argmax(axis=1)]).all()


def test_of_several_best_labels_the_nearest_to_the_shares_are_taken():
    X = np.array([[0.0], [1.0], [2.0], [3.0]] * 3)
    y = np.array([0, 0, 1, 1] * 3)
    rows = FuzzyTree()._read(X, y)
    grown = FuzzyTree(max_depth=2, min_weight=0.5, min_gain=0.0, width=1.0).fit(X, y).tree_
    # both children of a leaf that all rows reach alike: any labels with the same mean are best
    leaf = int(np.flatnonzero(grown.is_leaf)[0])
    wide = 1e12
    counts = np.array([grown.counts[leaf], grown.counts[leaf]]) / 2
    split = grown.split(leaf, np.ones(1), 1.5, wide, counts)
    fitted = best_labels(rows, split).tree
    alone = best_labels(rows, grown).tree
    first, second = fitted.labels[split.children[leaf]]
    np.testing.assert_allclose(first, second, atol=1e-6)
    np.testing.assert_allclose(first, alone.labels[leaf], atol=1e-6)


def test_class_shares_are_the_best_labels_of_a_crisp_tree():
    X, y = table(4)
    plain = soft(width=0.0).fit(X, y)
    model = soft(width=0.0, refit="backfit")
    phases = [step.phase for step in run(model, X, y).steps]
    assert (phases.count("refit"), phases.count("backfit")) == (1, 0)
    np.testing.assert_allclose(model.fit(X, y).predict_proba(X), plain.predict_proba(X), atol=1e-9)


# --- thresholds and widths ------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.sampled_from([0.5, 1.0, 2.0]))
@settings(max_examples=15, deadline=None)
def test_the_training_error_never_rises_and_is_that_of_the_tree(seed, width):
    X, y = table(seed)
    model = soft(width=width, refit="backfit", max_steps=8)
    steps = run(model, X, y).steps
    targets = (y[:, None] == np.unique(y)).astype(float)
    last = None
    for step in steps:
        if step.phase not in ("refit", "backfit"):
            continue
        before, after = step.errors
        assert after <= before + 1e-12
        assert last is None or before == pytest.approx(last)
        tree = step.tree
        M = memberships_of(tree, X)
        assert after == pytest.approx(error_of(M, tree.labels[tree.is_leaf], targets))
        assert (tree.widths[steps[0].tree.node_count :] >= 0).all()
        last = after
    shares = model.fit(X, y).predict_proba(X)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_slopes_are_numerical_ones(seed):
    X, y = table(seed, 120)
    model = soft(width=1.5, refit="refit")
    rows = model._read(X, y)
    fitting = Refitting(rows, soft(width=1.5)._grown(rows))
    labels = best_labels(rows, fitting.tree)
    if np.linalg.cond(labels.memberships[:, labels.leaves]) > 1e4:
        return
    jacobian = fitting.jacobian(labels)
    gradient = 2 * np.einsum("nk,nkp->p", labels.residuals, jacobian) / len(X)
    eps, tree = 1e-6, labels.tree
    for i, node in enumerate([*fitting.soft, *fitting.soft]):
        name = "thresholds" if i < len(fitting.soft) else "widths"
        errors = []
        for sign in (1, -1):
            moved = getattr(tree, name).copy()
            moved[node] += sign * eps
            errors.append(best_labels(rows, replace(tree, **{name: moved})).error)
        slope = (errors[0] - errors[1]) / (2 * eps)
        assert gradient[i] == pytest.approx(slope, abs=1e-5)


def test_a_single_strip_ends_where_scipy_ends():
    rng = np.random.default_rng(3)
    X = rng.uniform(-3, 3, (400, 1))
    y = (rng.random(400) < np.clip(0.5 + (X[:, 0] - 0.7) / 1.6, 0, 1)).astype(int)
    model = FuzzyTree(max_depth=1, width=0.4, refit="backfit", max_steps=100).fit(X, y)
    targets = np.eye(2)[y]

    def residuals(place):
        first = np.clip(0.5 + (place[0] - X[:, 0]) / max(place[1], 1e-3), 0, 1)
        M = np.column_stack([first, 1 - first])
        return (M @ np.linalg.lstsq(M, targets, rcond=None)[0] - targets).ravel()

    start = FuzzyTree(max_depth=1, width=0.4).fit(X, y).tree_
    theirs = least_squares(residuals, [start.thresholds[0], start.widths[0]], method="lm")
    M = memberships_of(model.tree_, X)
    ours = error_of(M, model.tree_.labels[model.tree_.is_leaf], targets)
    assert ours == pytest.approx(2 * theirs.cost / 400, rel=5e-3)
    assert model.tree_.widths[0] > 1.5 * start.widths[0]


def test_nominal_tests_stay_crisp():
    weather = load("weather_nominal").frame
    X, y = weather.drop(columns="play"), weather["play"]
    model = FuzzyTree(refit="backfit", min_weight=1.0).fit(X, y)
    assert not model.tree_.widths.any()
    assert model.fit([[0.0], [1.0], [2.0]], list("aaa")).tree_.n_leaves == 1


# --- picture and page -----------------------------------------------------------------------------


def test_each_step_has_a_drawing_and_a_sentence():
    opened = run_of(FuzzyTree(width=1.5, refit="backfit", max_steps=6))
    scene = tree_variants_scene(opened)
    steps = opened.trace.steps
    moved = [i for i, step in enumerate(steps) if step.phase == "backfit"]
    assert len(moved) > 2
    for i in moved:
        old, new = (f"{float(f'{error:.4g}'):g}" for error in steps[i].errors)
        assert f"falls from {old} to {new}" in scene.frames[i].caption
        assert "(JᵀJ + λD) δ" in texts(scene.frames[i])
    query = opened.problem.query((5.0, 5.0))
    last = tree_variants_scene(replace(opened, query=query)).frames[-1]
    tree, terms = opened.fitted.tree_, np.array([[5.0, 5.0]])
    raw = memberships_of(tree, terms) @ tree.labels[tree.is_leaf]
    assert f"= {float(f'{raw.max():.4g}'):g}" in texts(last)
    assert not [each for each in questions(opened) if each.topic == "prediction"]


def test_of_many_steps_some_are_drawn():
    opened = run_of(FuzzyTree(max_depth=4, width=2.0, min_gain=0.0, refit="backfit", max_steps=60))
    phases = [frame.phase for frame in tree_variants_scene(opened).frames]
    assert phases.count("backfit") <= MAX_TREES


@pytest.mark.parametrize("refit", ["refit", "backfit"])
def test_reference_and_python_agree(refit):
    opened = run_of(FuzzyTree(refit=refit))
    X, _ = opened.problem.training.arguments
    shares = opened.fitted.predict_proba(X)
    theirs = tree_variants_reference(opened).answer(opened).predict_proba(X)
    np.testing.assert_allclose(theirs, shares, atol=1e-7)
    scope = {}
    exec(model_python(opened.fitted, opened.problem), scope)
    names = [scope["predict"]({"x": x, "y": y}) for x, y in np.asarray(X)]
    predicted = opened.fitted.predict(X)
    assert names == [opened.problem.classes[int(code)] for code in predicted]


def test_eight_points_by_hand():
    opened = open_preset("tree_variants", "Eight points, new labels")
    step = next(step for step in opened.run.trace.steps if step.phase == "refit")
    tree = step.tree
    M = memberships_of(tree, opened.run.fitted.terms_of(opened.run.problem.data))
    gram = M.T @ M
    left, right = tree.labels[tree.is_leaf][:, 0]
    for value in (gram[0, 0], gram[0, 1], left, right, *step.errors):
        assert f"**{value:.4g}**" in HAND
    for value in (left, right, *step.errors):
        assert f"{value:.4g}" in opened.look_for


def test_presets():
    def errors(title, **how):
        texts_of = {
            each["label"]: each["text"]
            for each in open_preset("tree_variants", title, **how).scene["results"][-1]
        }
        return texts_of["Training error"], texts_of["Test error"]

    look_for = open_preset("tree_variants", "Strips that move").look_for
    stages = [errors("Strips that move", refit=refit)[1] for refit in ("none", "refit", "backfit")]
    assert stages == ["16.7 %", "13.3 %", "1.7 %"]
    assert all(stage in look_for for stage in stages)
    run_ = open_preset("tree_variants", "Strips that move").run
    assert [step.phase for step in run_.trace.steps].count("backfit") == 10
    assert errors("Labels that fit the noise") == ("12.9 %", "17.8 %")
    assert errors("Labels that fit the noise", refit="none") == ("17.1 %", "10 %")
