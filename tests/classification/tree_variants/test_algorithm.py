"""The variants beside brute force, scikit-learn and SciPy, and what always holds."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, entropy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import mutual_info_classif
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier

from dmlib.classification import (
    FuzzyTree,
    IncrementalTree,
    ObliqueTree,
    ObliviousTree,
    holes,
    missing_ways,
)
from dmlib.classification.tree_variants.linear_tree import best_cut, first_branch
from dmlib.datasets import load, make
from dmlib.trace import run

EACH = [
    ObliviousTree(significance=1.0),
    FuzzyTree(),
    ObliqueTree(random_state=0),
    ObliqueTree("lda"),
    ObliqueTree("linear_programming"),
    ObliqueTree("quest"),
    IncrementalTree(random_state=0),
]


def noisy(seed, n=60, n_classes=2, values=7):
    """Return rows with ties, whose classes hang on two columns, and often do not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, 3)).astype(float)
    y = np.where(
        rng.random(n) < 0.7,
        (X[:, 0] + X[:, 1]) * n_classes // (2 * values),
        rng.integers(0, n_classes, n),
    )
    return X, y.astype(int)


def bits(labels):
    return entropy(np.unique(labels, return_counts=True)[1], base=2)


# --- oblivious ------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(2, 3))
@settings(max_examples=15, deadline=None)
def test_each_level_is_the_best_test_by_conditional_mutual_information(seed, n_classes):
    X, y = noisy(seed, n_classes=n_classes)
    steps = [
        s
        for s in run(ObliviousTree(max_depth=3, significance=1.0), X, y).steps
        if s.phase == "level"
    ]
    cells = np.zeros(len(y), int)
    for step in steps:
        worth = {}
        for j in range(3):
            values = np.unique(X[:, j])
            for t in (values[:-1] + values[1:]) / 2:
                first = X[:, j] <= t
                inside = [cells == c for c in np.unique(cells)]
                worth[j, t] = (
                    sum(mutual_info_score(first[c], y[c]) * c.sum() for c in inside)
                    / len(y)
                    / np.log(2)
                )
        assert step.gain == pytest.approx(max(worth.values()), abs=1e-9)
        j = int(step.weights.argmax())
        assert worth[j, step.threshold] == pytest.approx(step.gain, abs=1e-9)
        cells = 2 * cells + (X[:, j] > step.threshold)


def test_the_p_value_of_the_first_level_is_scipy_s():
    X, y = noisy(1, 80, 3)
    step = run(ObliviousTree(max_depth=1, significance=1.0), X, y).steps[1]
    table = pd.crosstab(X[:, step.weights.argmax()] <= step.threshold, y)
    assert step.before == pytest.approx(
        chi2_contingency(table, correction=False, lambda_="log-likelihood").pvalue
    )


def test_all_nodes_of_a_level_ask_the_same_and_leaves_are_cells():
    X, y = noisy(2, 100)
    model = ObliviousTree(max_depth=4, significance=1.0).fit(X, y)
    tree = model.tree_
    for depth in range(tree.max_depth):
        level = tree.depths == depth
        assert (
            len(np.unique(np.column_stack([tree.weights[level], tree.thresholds[level]]), axis=0))
            == 1
        )
    assert tree.n_leaves == 2**tree.max_depth
    cells = np.zeros(len(y), int)
    for step in run(model, X, y).steps:
        if step.phase == "level":
            cells = 2 * cells + (X[:, step.weights.argmax()] > step.threshold)
    shares = pd.Series(y).groupby(cells).mean()
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], shares[cells])


# --- fuzzy ----------------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.sampled_from([0.2, 1.0, 2.5]))
@settings(max_examples=15, deadline=None)
def test_the_two_sums_are_those_of_the_memberships(seed, width):
    X, y = noisy(seed, n_classes=3)
    model = FuzzyTree(width=width, max_depth=3, min_gain=0.0).fit(X, y)
    tree = model.tree_
    memberships = tree.memberships(X)
    for c in range(len(model.classes_)):
        np.testing.assert_allclose(
            tree.counts[:, c], memberships[y == model.classes_[c]].sum(axis=0), atol=1e-9
        )
    np.testing.assert_allclose(memberships[:, tree.is_leaf].sum(axis=1), 1.0)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_the_root_is_the_best_of_all_soft_tests():
    X, y = noisy(3)
    model = FuzzyTree(max_depth=1, min_gain=0.0)
    step = next(step for step in run(model, X, y).steps if step.phase == "split")
    best = 0.0
    for j in range(3):
        values = np.unique(X[:, j])
        for t in (values[:-1] + values[1:]) / 2:
            nu = np.clip(0.5 + (t - X[:, j]) / X[:, j].std(), 0, 1)
            sums = np.array([[share[y == c].sum() for c in (0, 1)] for share in (nu, 1 - nu)])
            after = sum(side.sum() * entropy(side, base=2) for side in sums if side.sum()) / len(y)
            best = max(best, bits(y) - after if sums.sum(axis=1).min() >= 2 else 0.0)
    assert step.gain == pytest.approx(best)


def test_a_strip_of_no_width_gives_the_crisp_tree():
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = (X[:, 0] * X[:, 1] + X[:, 0] > 0).astype(int)
    ours = FuzzyTree(width=0.0, max_depth=1, min_weight=1.0, min_gain=0.0).fit(X, y)
    places = len(np.unique(X[:, 0])) - 1
    theirs = DecisionTreeClassifier(max_depth=1, criterion="entropy").fit(X, y)
    gains = [step.gain for step in run(ours, X, y).steps if step.phase == "split"]
    n = theirs.tree_.weighted_n_node_samples
    best = theirs.tree_.impurity[0] - (n[1:] @ theirs.tree_.impurity[1:]) / n[0]
    assert places > 60  # of so many thresholds 60 are tried
    assert gains[0] == pytest.approx(best, abs=0.05)
    first_rows = X[:50]
    ours_of_first = FuzzyTree(width=0.0, max_depth=1, min_weight=1.0, min_gain=0.0).fit(
        first_rows, y[:50]
    )
    theirs_of_first = DecisionTreeClassifier(max_depth=1, criterion="entropy").fit(
        first_rows, y[:50]
    )
    np.testing.assert_allclose(ours_of_first.predict_proba(X), theirs_of_first.predict_proba(X))


# --- oblique --------------------------------------------------------------------------------------


def test_the_line_of_two_classes_is_fisher_s():
    table = make("anisotropic", n_samples=200, random_state=0).frame
    table = (
        table[table["cluster"] != table["cluster"].iloc[0]]
        if "cluster" in table
        else table.iloc[:, :]
    )
    target = table.columns[-1]
    two = table[table[target].isin(sorted(table[target].unique())[:2])]
    X, y = two.iloc[:, :2].to_numpy(), two[target].to_numpy()
    step = [s for s in run(ObliqueTree("lda", max_depth=1), X, y).steps if s.phase == "move"][-1]
    w = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).coef_[0]
    assert abs(step.weights @ w) / np.linalg.norm(w) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("search", ["coordinate_descent", "lda"])
@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_lines_only_get_better_and_gains_are_those_of_their_sides(search, seed):
    X, y = noisy(seed, n_classes=3)
    steps = run(ObliqueTree(search, random_state=0), X, y).steps
    for before, step in pairwise(steps):
        if step.weights is None:
            continue
        inside = step.rows
        first = X[inside] @ step.weights <= step.threshold
        labels = y[inside]
        gain = bits(labels) - sum(bits(labels[s]) * s.mean() for s in (first, ~first))
        assert step.gain == pytest.approx(gain, abs=1e-9)
        assert np.linalg.norm(step.weights) == pytest.approx(1.0)
        if step.phase == "move":
            assert step.gain > before.gain
            assert step.before == pytest.approx(before.gain)
    axis = next(step for step in steps if step.phase == "axis")
    cuts = [
        best_cut(X[:, j], np.eye(3)[y] if y.max() == 2 else np.eye(y.max() + 1)[y], "entropy", 3)
        for j in range(3)
    ]
    assert axis.gain == pytest.approx(max(cut.gain for cut in cuts if cut), abs=1e-9)


def test_a_leaning_border_needs_one_line():
    X = np.random.default_rng(1).uniform(size=(150, 2))
    y = (X[:, 0] + 0.7 * X[:, 1] > 0.8).astype(int)
    for search in ("coordinate_descent", "lda", "linear_programming", "quest"):
        model = ObliqueTree(search, random_state=0, max_depth=1).fit(X, y)
        assert model.tree_.n_leaves == 2
        assert model.score(X, y) > 0.95
    assert DecisionTreeClassifier(max_depth=1).fit(X, y).score(X, y) < 0.9


# --- incremental ----------------------------------------------------------------------------------


@given(st.integers(0, 10_000), st.integers(2, 3))
@settings(max_examples=10, deadline=None)
def test_after_each_row_the_tree_is_that_of_all_rows_so_far(seed, n_classes):
    X, y = noisy(seed, 40, n_classes)
    model = IncrementalTree(random_state=0, min_gain=0.02)
    steps = run(model, X, y).steps
    for step in steps[1:-1:7]:
        if len(np.unique(y[step.rows])) < len(np.unique(y)):
            continue
        batch = IncrementalTree(order="given", min_gain=0.02).fit(X[step.rows], y[step.rows])
        np.testing.assert_array_equal(step.tree.thresholds, batch.tree_.thresholds)
        np.testing.assert_array_equal(step.tree.counts, batch.tree_.counts)
    in_another_order = IncrementalTree(random_state=7, min_gain=0.02).fit(X, y)
    np.testing.assert_array_equal(steps[-1].tree.weights, in_another_order.tree_.weights)


def test_the_tree_of_all_rows_is_scikit_learn_s():
    X = np.random.default_rng(4).normal(size=(120, 1))
    y = (X[:, 0] + np.random.default_rng(5).normal(size=120) > 0).astype(int)
    ours = IncrementalTree(min_gain=0.0, min_samples_leaf=5, random_state=0).fit(X, y)
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


def test_a_row_that_changes_no_test_only_counts():
    X, y = noisy(6, 60)
    steps = run(IncrementalTree(random_state=0), X, y).steps
    assert {step.phase for step in steps} >= {"start", "same", "grow", "done"}
    for before, step in pairwise(steps):
        if step.phase == "same":
            assert step.tree.weights is before.tree.weights
            assert step.tree.counts[0].sum() == before.tree.counts[0].sum() + 1


# --- missing values -------------------------------------------------------------------------------


def test_holes_are_as_many_and_where_they_should_be():
    X = np.random.default_rng(0).normal(size=(4000, 3))
    random = holes(X, 0.3, "MCAR", 0)
    np.testing.assert_allclose(random.isna().mean(), 0.3, atol=0.03)
    driven = holes(X, 0.3, "MAR", 0)
    assert driven[2].notna().all()
    np.testing.assert_allclose(driven[[0, 1]].isna().mean(), 0.3, atol=0.03)
    low, high = driven[X[:, 2] < 0], driven[X[:, 2] >= 0]
    assert high[0].isna().mean() > 2 * low[0].isna().mean()
    with pytest.raises(ValueError, match="two columns"):
        holes(X[:, :1], 0.3, "MAR")
    with pytest.raises(ValueError, match="from 0 to 1"):
        holes(X, 1.5)


def test_without_holes_all_ways_are_the_same_and_with_holes_they_err_more():
    frame = load("heart_disease").frame.dropna()
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    result = missing_ways(X[:200], y[:200], X[200:], y[200:], shares=(0.0, 0.5), repeats=1)
    assert len(result.errors) == 10
    without_holes = {
        way: errors[0] for (mechanism, way), errors in result.errors.items() if mechanism == "MCAR"
    }
    assert (
        len({round(without_holes[way], 9) for way in ("fractional", "surrogate", "impute", "drop")})
        == 1
    )
    assert np.nanmean([errors[1] for errors in result.errors.values()]) > np.mean(
        list(without_holes.values())
    )


# --- what is awkward ------------------------------------------------------------------------------


@pytest.mark.parametrize("model", EACH, ids=repr)
def test_one_class_rare_classes_constant_columns_and_more_columns_than_rows(model):
    single = model.fit([[0.0], [1.0], [2.0]], list("aaa"))
    assert single.predict([[5.0]]).tolist() == ["a"]
    assert single.tree_.n_leaves == 1
    model.fit([[0.0], [1.0], [2.0], [3.0]], list("abaa"))
    constant = model.fit(np.ones((10, 2)), np.arange(10) % 2)
    assert constant.tree_.n_leaves == 1
    rng = np.random.default_rng(0)
    wide = model.fit(rng.normal(size=(10, 30)), np.arange(10) % 2)
    assert np.isfinite(wide.predict_proba(rng.normal(size=(4, 30)))).all()
    with pytest.raises(ValueError, match="NaN"):
        model.fit([[0.0], [np.nan]], [0, 1])


@pytest.mark.parametrize("model", EACH, ids=repr)
def test_nominal_columns(model):
    table = load("weather_nominal").frame
    X, y = table.drop(columns="play"), table["play"]
    assert model.fit(X, y).predict_proba(X).shape == (14, 2)
    assert set(model.predict(X)) <= {"yes", "no"}


def test_first_branch_falls_on_the_strip_only():
    z = np.linspace(0, 10, 101)
    share = first_branch(z, 4.0, 2.0)
    assert (share[z < 2.99] == 1).all()
    assert (share[z > 5.01] == 0).all()
    assert (np.diff(share) <= 0).all()
    assert mutual_info_classif(share[:, None], z > 4, random_state=0)[0] > 0.5


@pytest.mark.parametrize("model", [ObliqueTree(), ObliqueTree(search="lda"), FuzzyTree()])
def test_numbers_that_have_no_squares_are_refused_in_a_sentence(model):
    X = np.random.default_rng(0).normal(size=(20, 2))
    y = np.repeat([0, 1], 10)
    with pytest.raises(ValueError, match=r"beyond 1e\+100.*Rescale"):
        model.fit(X * 1e300, y)


@pytest.mark.parametrize("search", ["coordinate_descent", "lda", "linear_programming", "quest"])
def test_differences_that_have_no_squares_are_refused_where_lines_need_them(search):
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ValueError, match=r"too small.*Standardise"):
        ObliqueTree(search=search).fit(X * 1e-200, np.repeat([0, 1], 10))
