"""CHAID for numbers beside SciPy's analysis of variance, a plain recursion, and by hand."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f_oneway
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.outputs.models import model_python, model_rules
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import CHAIDRegressor
from dmlib.regression.knn_tree_regression.figures.errors import error_data
from dmlib.regression.knn_tree_regression.figures.residuals import residuals
from dmlib.regression.knn_tree_regression.questions import questions
from dmlib.regression.knn_tree_regression.reference import knn_tree_reference
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene
from dmlib.trees.chaid import ways_to_merge
from dmlib.trees.group_statistics import STATISTICS, f_pairs
from dmlib.trees.significance import p_value
from tests.pictures.examples import formulas, result, tables
from tests.visit import open_preset

HAND = Path(__file__).parents[3] / "assets" / "pages" / "knn_tree_regression" / "lesson.md"
HAND = HAND.read_text("utf-8").split("### By hand\n")[1].split("\n### ")[0]


def table(seed, n=80, holes=0.1):
    """Return a nominal and a numeric column with missing values, and a target."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 5, n)
    frame = pd.DataFrame({"c": np.array([*"vwxyz"])[codes], "x": rng.integers(0, 30, n) * 1.0})
    y = np.array([0.0, 0.2, 3, 3.3, 1])[codes] + (frame["x"] > 12) * 2 + rng.normal(size=n)
    for column in frame:
        frame.loc[rng.random(n) < holes, column] = np.nan
    return frame, y.to_numpy()


def codes_of(frame):
    """Return each column as codes, missing values as the last one, and whether it is ordered."""
    columns = []
    for name in frame:
        if name == "c":
            values = sorted(frame[name].dropna().unique())
            codes = frame[name].map({value: i for i, value in enumerate(values)})
            n_values = len(values)
        else:
            x = frame[name]
            known = np.sort(x.dropna().to_numpy())
            ends = [known[int(np.ceil(k * len(known) / 10)) - 1] for k in range(1, 10)]
            edges = np.unique(ends)
            edges = edges[edges < known[-1]]
            codes = pd.Series(np.searchsorted(edges, x).astype(float), x.index).where(x.notna())
            n_values = len(edges) + 1
        columns.append((codes.fillna(n_values).astype(int).to_numpy(), n_values, name != "c"))
    return columns


def merged(codes, n_values, ordered, y, alpha):
    """Merge the values of a column by brute force; return groups and adjusted p-value."""
    groups = [[int(code)] for code in np.unique(codes)]
    n, has_missing = len(groups), bool((codes == n_values).any())
    if n < 2:
        return None
    while len(groups) > 2:
        p = {}
        for i, j in combinations(range(len(groups)), 2):
            is_floating = groups[j] == [n_values] and has_missing
            is_near = j == i + 1
            if ordered and not (is_near or is_floating):
                continue
            a, b = (y[np.isin(codes, group)] for group in (groups[i], groups[j]))
            p[i, j] = f_oneway(a, b).pvalue if len(a) + len(b) > 2 else 1.0
        i, j = max(p, key=p.get)
        if p[i, j] <= alpha:
            break
        groups[i] = sorted(groups[i] + groups.pop(j))
    parts = [y[np.isin(codes, group)] for group in groups]
    if len(y) <= len(groups):
        return groups, 1.0
    floating = ordered and has_missing
    return groups, min(
        1.0, f_oneway(*parts).pvalue * ways_to_merge(n, len(groups), ordered, floating)
    )


def recursion(columns, y, rows, alpha, max_depth):
    """Return the leaves of the tree of CHAID by a plain recursion: sets of rows."""
    if max_depth == 0 or len(rows) < 2 or np.ptp(y[rows]) == 0:
        return {frozenset(rows.tolist())}
    found = [
        merged(codes[rows], n_values, ordered, y[rows], alpha)
        for codes, n_values, ordered in columns
    ]
    tests = [(each[1], j) for j, each in enumerate(found) if each is not None]
    if not tests or min(tests)[0] > alpha:
        return {frozenset(rows.tolist())}
    j = min(tests)[1]
    leaves = set()
    for group in found[j][0]:
        below = rows[np.isin(columns[j][0][rows], group)]
        leaves |= recursion(columns, y, below, alpha, max_depth - 1)
    return leaves


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.15]))
@settings(max_examples=20, deadline=None)
def test_the_leaves_are_those_of_a_plain_recursion_with_scipy(seed, holes):
    frame, y = table(seed, holes=holes)
    model = CHAIDRegressor(max_depth=2).fit(frame, y)
    expected = recursion(codes_of(frame), y, np.arange(len(y)), 0.05, 2)
    leaves = {frozenset(model.grown.nodes[leaf].rows.tolist()) for leaf in model.grown.leaves()}
    assert leaves == expected
    for leaf in expected:
        rows = sorted(leaf)
        np.testing.assert_allclose(model.predict(frame.iloc[rows]), y[rows].mean())


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_every_split_and_every_merge_is_an_analysis_of_variance(seed):
    frame, y = table(seed)
    columns = codes_of(frame)
    for step in CHAIDRegressor().steps(frame, y):
        if step.phase != "split":
            continue
        rows = np.concatenate([node.rows for node in step.nodes])
        test, own = step.split.merged, columns[step.split.column][0]
        expected = f_oneway(*(y[node.rows] for node in step.nodes))
        np.testing.assert_allclose(test.statistic, expected.statistic, rtol=1e-7)
        np.testing.assert_allclose(p_value(test.plain), expected.pvalue, rtol=1e-6)
        np.testing.assert_allclose(
            p_value(test.score), min(1.0, expected.pvalue * test.n_ways), rtol=1e-6
        )
        assert p_value(test.score) <= 0.05 + 1e-12
        for merge in test.merges:
            parts = [y[rows[np.isin(own[rows], side)]] for side in (merge.first, merge.second)]
            if sum(map(len, parts)) > 2:
                np.testing.assert_allclose(merge.p, f_oneway(*parts).pvalue, rtol=1e-6, atol=1e-12)
                assert merge.p > 0.05
        assert step.after <= step.before + 1e-9


def test_pairs_and_groups_have_the_f_of_scipy():
    rng = np.random.default_rng(0)
    groups = [rng.uniform(-1, 1, n) for n in (3, 5, 9, 2)]
    sums = np.array([[len(g), g.sum(), (g**2).sum()] for g in groups])
    statistics, p = f_pairs(sums[0], sums[1:])
    for group, statistic, value in zip(groups[1:], statistics, p, strict=True):
        expected = f_oneway(groups[0], group)
        np.testing.assert_allclose([statistic, value], [expected.statistic, expected.pvalue])
    outcome, expected = STATISTICS["F"].test(sums), f_oneway(*groups)
    assert (outcome.dof, outcome.dof_within) == (3, 15)
    np.testing.assert_allclose(outcome.statistic, expected.statistic)
    np.testing.assert_allclose(p_value(outcome.score), expected.pvalue)
    alone = np.array([1.0, 0.5, 0.25])
    assert [float(each) for each in f_pairs(alone, np.array([1.0, -0.5, 0.25]))] == [0.0, 1.0]
    same = np.array([2.0, 1.0, 0.5])
    assert [float(each) for each in f_pairs(same, same)] == [0.0, 1.0]
    assert [float(each) for each in f_pairs(same, -same * [-1, 1, -1])] == [np.inf, 0.0]


@parametrize_with_checks([CHAIDRegressor()])
def test_scikit_learn_s_conventions(estimator, check):
    check(estimator)


def test_what_is_awkward():
    frame, y = table(3)
    assert CHAIDRegressor().fit(frame, np.ones(len(y))).n_leaves_ == 1
    assert CHAIDRegressor(alpha_split=1e-12).fit(frame[["x"]], np.arange(80) % 2).n_leaves_ == 1
    assert CHAIDRegressor(max_depth=1).fit(frame, y).get_depth() == 1
    large = CHAIDRegressor(min_samples_leaf=15).fit(frame, y)
    assert min(node.size for node in large.grown.nodes) >= 15
    separate = CHAIDRegressor().fit([[0.0]] * 3 + [[1.0]] * 3, [1.0] * 3 + [5.0] * 3)
    assert separate.predict([[0.0], [1.0]]).tolist() == [1.0, 5.0]
    names = pd.DataFrame({"a": [*"uuuvvv"]})
    model = CHAIDRegressor().fit(names, [1.0, 1.1, 0.9, 5.0, 5.1, 4.9])
    assert model.predict(pd.DataFrame({"a": ["w"]})).tolist() == pytest.approx([3.0])
    missing = pd.DataFrame({"x": [1.0] * 5 + [np.nan] * 5})
    apart = CHAIDRegressor().fit(missing, [0.0, 1, 0, 1, 0, 9, 8, 9, 8, 9])
    assert apart.predict(missing.iloc[[0, -1]]).tolist() == pytest.approx([0.4, 8.6])
    scaled = CHAIDRegressor().fit(frame, y * 1e90)
    leaves = CHAIDRegressor().fit(frame, y).apply(frame)
    np.testing.assert_array_equal(scaled.apply(frame), leaves)
    assert model.feature_importances_.tolist() == [1.0]


def run_of(frame, y, columns, **params):
    problem = prepare(frame.assign(y=y), columns, target="y", numeric_target=True, holes="keep")
    return Run.of(problem, CHAIDRegressor(**params))


@pytest.mark.parametrize("columns", [["x"], ["c"], ["c", "x"]], ids="".join)
def test_the_picture_the_ledger_and_what_leaves_the_house(columns):
    frame, y = table(1)
    run = run_of(frame, y, columns)
    scene = knn_tree_scene(run)
    assert {"split", "stop", "done"} <= {step.phase for step in run.trace.steps}
    assert all(frame.caption.endswith(".") and frame.ledger for frame in scene.frames)
    step, frame_of_split = run.trace.steps[1], scene.frames[1]
    between, ratio, _, adjusted = formulas(frame_of_split)[:4]
    assert result(between) == pytest.approx(step.before - step.after, rel=1e-3)
    assert result(ratio) == pytest.approx(step.split.merged.statistic, rel=1e-3)
    assert adjusted.startswith(f"{step.split.merged.n_values} values make ")
    tree = next(mark for mark in scene.marks if getattr(mark, "of", "") == "node")
    name = run.problem.features[step.split.column]
    assert sum(f": {name} " in label for label in tree.labels) >= len(step.nodes)
    groups = next(iter(tables(frame_of_split).values()))
    assert sum(row[2] for row in groups.rows[1:]) == groups.rows[0][2] == len(y)
    topics = {question.topic for question in questions(run)}
    assert topics <= {"leaf", "error", "adjusted p", "groupings", "column"}
    answer = knn_tree_reference(run).answer(run)
    np.testing.assert_allclose(answer.fitted_, run.fitted.fitted_)
    residuals(run)
    assert error_data(run, lambda _: None).current == run.fitted.n_leaves_


@pytest.mark.parametrize("columns", [["x"], ["c"], ["c", "x"]], ids="".join)
def test_python_and_rules_predict_what_the_tree_does(columns):
    frame, y = table(1)
    fitted = CHAIDRegressor().fit(frame[columns], y)
    of_page = prepare(frame.assign(y=y), columns, target="y", numeric_target=True, holes="keep")
    namespace = {}
    exec(model_python(fitted, of_page, has_holes=True), namespace)
    rows = frame[columns].to_dict("records")
    expected = fitted.predict(frame[columns])
    assert [namespace["predict"](row) for row in rows] == pytest.approx(expected.tolist())
    assert model_rules(fitted, of_page).count("\n") == fitted.n_leaves_


def test_the_errors_by_leaves_have_that_of_chaid_beside_them():
    frame, y = table(2, holes=0.0)
    baselines = error_data(run_of(frame, y, ["x"]), lambda _: None).baselines
    assert set(baselines) == {"least squares", "model tree", "CHAID"}


def test_six_rows_by_hand():
    opened = open_preset("knn_tree_regression", "CHAID: six rows by hand")
    step = opened.run.trace.steps[1]
    test, merge = step.split.merged, step.split.merged.merges[0]
    assert f"F = {merge.statistic:.4g}, and they merge" in opened.look_for
    assert f"F = {test.statistic:.4g}; for 2 ways, p = {p_value(test.score):.4g}" in opened.look_for
    assert f"**{merge.statistic:.4g}**, p = {merge.p:.4g}" in HAND
    assert f"SSE between **{step.before - step.after:.4g}**" in HAND
    assert f"**{test.statistic:.4g}**, p = {p_value(test.plain):.4g}" in HAND
    assert f"p = **{p_value(test.score):.4g}**: the node is split at 1" in HAND
    assert f_oneway([8, 9], [2, 1]).statistic == pytest.approx(98)


def test_the_penguins_are_what_the_preset_says():
    opened = open_preset("knn_tree_regression", "CHAID: penguins in groups")
    model = opened.run.fitted
    merge = opened.run.trace.steps[1].split.merged.merges[0]
    assert f"(F = {merge.statistic:.4g}, p = {merge.p:.4g})" in opened.look_for
    assert f"{model.n_leaves_} leaves, R² {model.r2_:.4g}" in opened.look_for
    frame = opened.run.problem.training.data
    mass = np.asarray(opened.run.problem.training.y)
    adelie, chinstrap = (mass[frame["species"] == name] for name in ("Adelie", "Chinstrap"))
    assert merge.p == pytest.approx(f_oneway(adelie, chinstrap).pvalue)
