"""Info-fuzzy networks against their definition, by scikit-learn's mutual information and SciPy."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency
from sklearn.metrics import mutual_info_score

from dmlib.classification import InfoFuzzyNetwork
from dmlib.classification.tree_variants.info_fuzzy import MAX_THRESHOLDS
from dmlib.classification.tree_variants.questions import questions
from dmlib.classification.tree_variants.reference import tree_variants_reference
from dmlib.classification.tree_variants.scene import tree_variants_scene
from dmlib.datasets import load
from dmlib.pictures.marks import Points, Segments, Texts
from dmlib.pictures.question import judge
from dmlib.trace import run
from tests.classification.tree_variants.test_scene import MOONS, marks, run_of, texts
from tests.visit import open_preset

TEXT = Path(__file__).parents[3] / "assets" / "pages" / "tree_variants" / "lesson.md"
HAND = TEXT.read_text("utf-8").split("**Info-fuzzy, the patients:**")[1].split("\n")[0]


def table(seed, n=70, n_classes=2):
    """Return rows with numbers and names, whose classes hang on two columns, and often do not."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "number": rng.integers(0, 9, n).astype(float),
            "name": rng.choice(list("abc"), n),
            "other": rng.integers(0, 6, n).astype(float),
        }
    )
    signal = (X["number"] > 4).astype(int) + ((X["name"] == "a") & (X["number"] > 4))
    return X, np.where(rng.random(n) < 0.75, signal, rng.integers(0, 3, n)) % n_classes


def information(values, y, significance):
    """Return rows times nats of two columns, and whether they are significantly dependent."""
    n_values, n_classes = len(set(values)), len(set(y))
    nats = len(y) * mutual_info_score(values, y)
    freedom = (n_values - 1) * (n_classes - 1)
    is_significant = freedom > 0 and nats > 1e-9 and chi2.sf(2 * nats, freedom) <= significance
    return nats, bool(is_significant)


def cuts(x, y, groups, significance):
    """Return the thresholds of a column within groups of rows, by plain recursion."""
    values = np.unique(x[np.concatenate(groups)])
    worth = {}
    for t in (values[:-1] + values[1:]) / 2:
        parts = [information(x[g] <= t, y[g], significance) for g in groups if len(g)]
        worth[t] = sum(nats for nats, is_significant in parts if is_significant)
    if not worth or max(worth.values()) <= 0:
        return []
    best = next(t for t, nats in worth.items() if nats >= max(worth.values()) - 1e-9)
    below, above = ([g[(x[g] <= best) == side] for g in groups] for side in (True, False))
    return sorted([*cuts(x, y, below, significance), best, *cuts(x, y, above, significance)])


def brute_force(X, y, significance):
    """Return the layers of a network as columns, thresholds and nats, and its terminal nodes."""
    waiting, ended, layers, unused = [np.arange(len(y))], [], [], list(range(X.shape[1]))
    while waiting and unused:
        found = []
        for j in unused:
            x, thresholds = X.iloc[:, j].to_numpy(), []
            if pd.api.types.is_float_dtype(X.dtypes.iloc[j]):
                thresholds = cuts(x, y, waiting, significance)
                x = np.digitize(x, thresholds, right=True)
            parts = [information(x[g], y[g], significance) for g in waiting]
            found.append((sum(nats for nats, split in parts if split), j, thresholds, x, parts))
        top = max(nats for nats, *_ in found)
        if top <= 0:
            break
        nats, j, thresholds, x, parts = next(each for each in found if each[0] >= top - 1e-9)
        layers.append((j, tuple(thresholds), nats))
        unused.remove(j)
        opened = []
        for g, (_, is_split) in zip(waiting, parts, strict=True):
            if is_split:
                opened += [g[x[g] == value] for value in np.unique(x[g])]
            else:
                ended.append(g)
        waiting = opened
    return layers, {frozenset(g.tolist()) for g in [*ended, *waiting]}


@given(st.integers(0, 10_000), st.sampled_from([0.001, 0.05, 0.3]), st.integers(2, 3))
@settings(max_examples=25, deadline=None)
def test_layers_thresholds_and_terminal_nodes_are_those_of_the_definition(seed, level, n_classes):
    X, y = table(seed, n_classes=n_classes)
    model = InfoFuzzyNetwork(significance=level)
    steps = run(model, X, y).steps
    layers, terminals = brute_force(X, y, level)
    grown = [step for step in steps if step.phase == "layer"]
    ours = [(step.layers[0].column, step.layers[0].thresholds, step.gain) for step in grown]
    assert [each[:2] for each in ours] == [each[:2] for each in layers]
    np.testing.assert_allclose(
        [each[2] * len(y) * np.log(2) for each in ours], [each[2] for each in layers]
    )
    model.fit(X, y)
    node_of_row = model.tree_.apply(model.terms_of(X))
    groups = {frozenset(np.flatnonzero(node_of_row == node).tolist()) for node in set(node_of_row)}
    assert groups == terminals
    for group in groups:
        rows = list(group)
        shares = pd.Series(y[rows]).value_counts(normalize=True)
        expected = [shares.get(c, 0.0) for c in model.classes_]
        np.testing.assert_allclose(model.predict_proba(X.iloc[rows[:1]])[0], expected)


def test_the_statistic_of_a_node_is_scipy_s():
    X, y = table(3, 200, 3)
    tests = [
        test
        for step in run(InfoFuzzyNetwork(significance=0.05), X, y).steps
        for layer in step.layers[1:]
        for test in layer.tests
        if test.freedom
    ]
    assert len(tests) >= 5
    for test in tests:
        counts = test.counts[test.counts.sum(axis=1) > 0][:, test.counts.sum(axis=0) > 0]
        theirs = chi2_contingency(counts, correction=False, lambda_="log-likelihood")
        assert (test.statistic, test.p) == pytest.approx((theirs.statistic, theirs.pvalue))
        assert test.freedom == theirs.dof
        assert test.is_significant == (theirs.pvalue <= 0.05)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_weights_add_up_to_what_the_layers_tell(seed):
    X, y = table(seed, n_classes=3)
    model = InfoFuzzyNetwork(significance=0.2)
    steps = run(model, X, y).steps
    tree = model.fit(X, y).tree_
    ends = model.connection_weights()[tree.is_leaf]
    told = sum(step.gain for step in steps if step.phase == "layer")
    assert ends.sum() == pytest.approx(told, abs=1e-9)
    of_nodes = mutual_info_score(tree.apply(model.terms_of(X)), y) / np.log(2)
    assert ends.sum() == pytest.approx(of_nodes, abs=1e-9)
    for before, step in pairwise(steps):
        assert step.tree.node_count >= before.tree.node_count
        same = before.tree.node_count
        np.testing.assert_array_equal(step.tree.counts[:same], before.tree.counts)


def test_a_stricter_significance_ends_earlier_and_depth_bounds_layers():
    X, y = table(1, 300)
    sizes = [
        InfoFuzzyNetwork(significance=p).fit(X, y).tree_.n_leaves for p in (1e-300, 1e-4, 0.05, 0.5)
    ]
    assert sizes[0] == 1 < sizes[1] <= sizes[2] <= sizes[3]
    assert InfoFuzzyNetwork(max_depth=1).fit(X, y).tree_.max_depth == 1


def test_columns_that_tell_nothing_are_in_no_layer():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    tree = InfoFuzzyNetwork().fit(X, (X[:, 2] > 0.3).astype(int)).tree_
    assert set(tree.feature.tolist()) == {2, -2}


def test_a_value_that_a_node_has_not_seen_goes_down_all_its_branches():
    X = pd.DataFrame({"a": list("uuuuvvvvww") * 3, "b": list("pqpqpqpqpq") * 3})
    y = [*("yyyynnnnyn" * 3)]
    model = InfoFuzzyNetwork(significance=0.05).fit(X, y)
    unseen = model.predict_proba(pd.DataFrame({"a": ["x"], "b": ["p"]}))
    np.testing.assert_allclose(unseen[0], [0.4, 0.6])  # u: yes, v: no, w and p: yes


def test_awkward_tables():
    model = InfoFuzzyNetwork(significance=1.0)
    single = model.fit([[0.0], [1.0], [2.0]], list("aaa"))
    assert (single.tree_.n_leaves, single.predict([[5.0]]).tolist()) == (1, ["a"])
    assert model.fit(np.ones((10, 2)), np.arange(10) % 2).tree_.n_leaves == 1
    rng = np.random.default_rng(0)
    long = model.fit(rng.normal(size=(200, 1)), np.arange(200) % 2)
    assert len(long.tree_.splits.split(0).thresholds) == MAX_THRESHOLDS
    wide = InfoFuzzyNetwork().fit(rng.normal(size=(10, 30)), np.arange(10) % 2)
    assert np.isfinite(wide.predict_proba(rng.normal(size=(4, 30)))).all()
    weather = load("weather_nominal").frame
    X, y = weather.drop(columns="play"), weather["play"]
    assert set(model.fit(X, y).predict(X)) <= {"yes", "no"}
    with pytest.raises(ValueError, match="NaN"):
        model.fit([[0.0], [np.nan]], [0, 1])


# --- page -----------------------------------------------------------------------------------------


def test_the_patients_of_the_lesson():
    opened = open_preset("tree_variants", "Patients, layer by layer")
    steps, look_for = opened.run.trace.steps, opened.look_for
    layers = [step.layers[0] for step in steps if step.phase == "layer"]
    names = [opened.run.problem.features[layer.column] for layer in layers]
    assert names == ["glucose", "age", "hypertension"]
    assert f"{layers[0].bits:.4f} bits; only those above {layers[0].thresholds[0]}" in look_for
    low, high = layers[1].tests
    values = [layers[0].bits, layers[1].bits, layers[2].bits, layers[0].tests[0].statistic]
    values += [high.statistic, low.p, sum(layer.bits for layer in layers)]
    assert not low.is_significant
    for value in values:
        assert f"**{value:.4g}**" in HAND
    scene = tree_variants_scene(opened.run)
    assert "G² = 2 · ln 2 · 48 · 0.1988 = 13.23" in texts(scene.frames[2])
    assert "0.3536 + 0.1988 + 0.1099 = 0.6624" in texts(scene.frames[-1])
    assert scene.frames[2].caption == (
        "Layer 2 is age in 2 intervals, which tells most, 0.1988 bits: 1 of 2 nodes is split."
    )


def test_connections_have_the_rows_of_terminal_nodes():
    scene = tree_variants_scene(open_preset("tree_variants", "Patients, layer by layer").run)
    counted = next(
        mark for mark in marks(scene, Texts, "tree") if {"23", "11"} <= set(map(str, mark.text))
    )
    shown = [
        sorted(int(text) for text, x in zip(counted.text, row, strict=True) if np.isfinite(x))
        for row in counted.x.rows
    ]
    assert shown[0] == [17, 31]
    assert shown[1] == [1, 8, 16, 23]
    assert shown[-1] == [1, 2, 3, 8, 11, 23]
    classes = [mark for mark in marks(scene, Points, "tree") if mark.of == ""]
    assert any(len(np.asarray(mark.x)) == 2 for mark in classes if not hasattr(mark.x, "rows"))


def test_numbers_in_intervals():
    opened = open_preset("tree_variants", "Numbers in intervals")
    tree, (X, y) = opened.run.fitted.tree_, opened.run.problem.testing.arguments
    error = f"{100 * (opened.run.fitted.predict(X) != y).mean():.1f} %"
    assert f"{tree.n_leaves} terminal nodes, {error} test error" in opened.look_for
    assert [len(step.layers[0].thresholds) for step in opened.run.trace.steps if step.gain] == [
        2,
        2,
    ]
    loose = open_preset("tree_variants", "Numbers in intervals", significance=0.2).run.fitted
    error = f"{100 * (loose.predict(X) != y).mean():.1f} %"
    assert f"{loose.tree_.n_leaves} nodes and {error}" in opened.look_for


def test_borders_in_the_plane_are_thresholds():
    opened = run_of(InfoFuzzyNetwork())
    scene = tree_variants_scene(opened)
    (borders,) = marks(scene, Segments, "data")
    ends = [np.asarray(getattr(borders, name).rows[-1]) for name in ("x0", "y0", "x1", "y1")]
    upright = ends[0] == ends[2]
    tree = opened.fitted.tree_
    for column, places in ((0, ends[0][upright]), (1, ends[1][~upright])):
        np.testing.assert_allclose(np.unique(places), np.unique(tree.cuts(column)), rtol=1e-6)
    slanted = run_of(InfoFuzzyNetwork(), MOONS, view="pca", scaling="z-score")
    assert not marks(tree_variants_scene(slanted), Segments, "data")


def test_questions_are_answered_by_the_tests():
    opened = open_preset("tree_variants", "Patients, layer by layer")
    asked = {(each.step, each.topic): each for each in questions(opened.run)}
    assert judge(asked[1, "layer"], 0).is_right
    assert judge(asked[2, "layer"], 0).is_right  # age, then hypertension and pregnant
    assert judge(asked[2, "nodes split"], 1).is_right
    assert not judge(asked[2, "nodes split"], 2).is_right
    assert judge(asked[3, "degrees of freedom"], 1).is_right


@pytest.mark.parametrize("title", ["Patients, layer by layer", "Numbers in intervals"])
def test_the_reference_agrees_on_rows_that_the_network_has_not_seen(title):
    opened = open_preset("tree_variants", title, test=0.3, significance=0.2)
    theirs = tree_variants_reference(opened.run).answer(opened.run)
    X, _ = opened.run.problem.testing.arguments
    np.testing.assert_allclose(theirs.predict_proba(X), opened.run.fitted.predict_proba(X))
