"""Pruning against rpart, Weka, scikit-learn and SciPy, and all subtrees of a grown tree."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn import tree as library
from sklearn.datasets import load_iris, load_wine

from dmlib.classification import C45, CART, DecisionTreeClassifier, PrunedTreeClassifier, prune
from dmlib.classification.tree_pruning.cutting import Cutting, counts_of
from dmlib.classification.tree_pruning.estimates import data_bits, m_estimate, split_bits
from dmlib.classification.tree_pruning.optimal import fewest_errors
from dmlib.classification.tree_pruning.pruning import METHODS
from dmlib.datasets import load
from dmlib.trace import run
from tests.classification.decision_tree.data import (
    GOLDEN,
    in_order,
    iris,
    named,
    params_of,
    weather,
)

ROWS = np.random.default_rng(0)


def noisy(seed, n=60, n_classes=2, values=8):
    """Return rows with ties, whose classes hang on the first column, and often do not."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, 3)).astype(float)
    y = np.where(
        rng.random(n) < 0.6, X[:, 0] * n_classes // values, rng.integers(0, n_classes, n)
    ).astype(int)
    return X, y


def subtrees(tree, node=0):
    """Yield the leaves of every subtree with the same root, each as a tuple of nodes."""
    yield (node,)
    children = [child for child in tree.children[node].tolist() if child >= 0]
    if children:
        for parts in product(*(list(subtrees(tree, child)) for child in children)):
            yield sum(parts, ())


def leaves(tree, grown):
    """Return the leaves of a pruned tree as places in the grown one."""
    place = {number: at for at, number in enumerate(grown.numbers.tolist())}
    return tuple(sorted(place[number] for number in tree.numbers[tree.is_leaf].tolist()))


def small(seed, **how):
    """Return a grown tree with few subtrees, and its rows."""
    X, y = noisy(seed, 40, **how)
    return DecisionTreeClassifier(max_depth=4, min_samples_leaf=3).fit(X, y), X, y


# --- other software -------------------------------------------------------------------------------


def one_column(return_X_y):
    """Return a column in which nothing ties, with classes that often change."""
    x = np.random.default_rng(4).normal(size=(150, 1))
    return x, (x[:, 0] + np.random.default_rng(5).normal(size=150) > 0).astype(int)


@pytest.mark.parametrize("data", [load_iris, load_wine, one_column])
def test_scikit_learn_has_the_same_path_and_trees(data):
    X, y = data(return_X_y=True)
    X = (X + 1e-4 * ROWS.standard_normal(X.shape)).astype(np.float32).astype(float)
    grown = DecisionTreeClassifier().fit(X, y)
    theirs = library.DecisionTreeClassifier(random_state=0)
    path = theirs.cost_complexity_pruning_path(X, y)
    steps = prune(grown, ccp_alpha=1.0).steps[1:-1]
    np.testing.assert_allclose(
        [step.comparison.leaf_side for step in steps], path.ccp_alphas[1:], atol=1e-9
    )
    for alpha in np.unique(path.ccp_alphas) + 1e-6:
        ours = prune(grown, ccp_alpha=alpha).tree
        theirs = library.DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


def test_rpart_has_the_same_cp_table():
    X, y = iris()
    grown = CART(min_samples_split=20, min_samples_leaf=7).fit(X, y)
    expected = GOLDEN["rpart_iris"]["exact_weakest_link_sequence"]
    *steps, last = prune(grown, ccp_alpha=1.0, cost="error").steps
    step_of_alpha = {0.0: steps[0]}
    for step in steps[1:]:
        step_of_alpha[round(step.comparison.leaf_side * 150, 6)] = step
    assert list(step_of_alpha) == expected["alpha_total_error_units"]
    assert [step.n_leaves for step in step_of_alpha.values()] == expected["leaves"]
    errors = [
        round(
            150
            * (
                1
                - (
                    step.tree.predict(X.to_numpy()).argmax(1) == pd.factorize(y, sort=True)[0]
                ).mean()
            )
        )
        for step in step_of_alpha.values()
    ]
    assert errors == expected["training_errors"]
    assert last.n_leaves == 1


@pytest.mark.parametrize("case", ["j48_weather", "j48_iris"])
def test_weka_prunes_to_the_same_tree_by_estimated_errors(case):
    X, y = weather() if case == "j48_weather" else iris()
    grown = DecisionTreeClassifier(**params_of(C45) | {"pruning": "cost_complexity"}).fit(X, y)
    pruned, steps = prune(grown, X, y, method="error_based")
    assert named(pruned.tree_, X, pruned.classes_) == in_order(GOLDEN[case]["tree"])
    assert steps[-1].n_leaves == GOLDEN[case]["leaves"]


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_error_based_pruning_is_that_of_the_decision_tree(confidence):
    for name in ("heart_disease", "titanic"):
        frame = load(name).frame.iloc[:300]
        X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
        settings_ = params_of(C45) | {"confidence": confidence}
        expected = DecisionTreeClassifier(**settings_).fit(X, y)
        grown = DecisionTreeClassifier(**settings_ | {"pruning": "cost_complexity"}).fit(X, y)
        pruned = prune(grown, X, y, method="error_based", confidence=confidence).tree
        assert pruned.export_text() == expected.export_text()


def test_scipy_has_the_same_statistics():
    X, y = noisy(3, 120, 3)
    grown = DecisionTreeClassifier(max_depth=6).fit(X, y)
    steps = prune(grown, method="chi2", significance=0.05).steps[1:-1]
    assert {step.phase for step in steps} == {"keep", "prune"}
    for step in steps:
        table = grown.tree_.counts[step.comparison.parts]
        table = table[:, table.sum(axis=0) > 0]
        if table.shape[1] < 2:
            assert step.comparison.leaf_side == 0
            continue
        expected = chi2_contingency(table, correction=False)
        assert step.comparison.leaf_side == pytest.approx(expected.statistic)
        if not step.comparison.reason:
            assert (expected.pvalue >= 0.05) == (step.phase == "prune")


# --- all subtrees ---------------------------------------------------------------------------------


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_reduced_error_pruning_leaves_the_smallest_of_the_best_subtrees(seed):
    grown, _, _ = small(seed)
    X, y = noisy(seed + 1, 30)
    counts = counts_of(grown.tree_, X, y)
    errors = counts.sum(axis=1) - counts[np.arange(len(counts)), grown.tree_.predictions]
    best = min((errors[list(nodes)].sum(), len(nodes)) for nodes in subtrees(grown.tree_))
    pruned = prune(grown, X, y, method="reduced_error").tree
    assert (errors[list(leaves(pruned.tree_, grown.tree_))].sum(), pruned.get_n_leaves()) == best
    assert round((1 - pruned.score(X, y)) * len(y)) == best[0]


@given(st.integers(0, 10_000), st.sampled_from([0.5, 0.7, 0.8, 0.9, 1.0]))
@settings(max_examples=20, deadline=None)
def test_optimal_pruning_is_the_best_of_each_size(seed, accuracy):
    grown, X, y = small(seed, n_classes=3)
    cutting = Cutting(grown.tree_)
    best = {}
    for nodes in subtrees(grown.tree_):
        best[len(nodes)] = min(best.get(len(nodes), np.inf), cutting.errors[list(nodes)].sum())
    fewest = fewest_errors(cutting)[0]
    assert {i + 1: errors for i, errors in enumerate(fewest) if np.isfinite(errors)} == best
    pruned = prune(grown, method="optimal", accuracy=accuracy).tree
    enough = [
        size
        for size, errors in best.items()
        if errors <= max((1 - accuracy) * len(y), min(best.values())) + 1e-9
    ]
    assert pruned.get_n_leaves() == min(enough)
    assert (1 - pruned.score(X, y)) * len(y) == pytest.approx(best[min(enough)])


def test_optimal_pruning_divides_leaves_among_many_branches():
    frame = load("heart_disease").frame.dropna()
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    grown = DecisionTreeClassifier(splitter="multiway").fit(X, y)
    best = fewest_errors(Cutting(grown.tree_))[0]
    for accuracy in (0.7, 0.8, 0.9):
        pruned = prune(grown, method="optimal", accuracy=accuracy).tree
        assert round((1 - pruned.score(X, y)) * len(y)) == best[pruned.get_n_leaves() - 1]


@given(st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_the_description_is_the_shortest_of_all_subtrees(seed):
    grown, _, _ = small(seed, n_classes=3)
    tree = grown.tree_

    def bits(leaf_nodes):
        inner, waiting = set(), list(leaf_nodes)
        while waiting:
            above = int(tree.parents[waiting.pop()])
            if above >= 0 and above not in inner:
                inner.add(above)
                waiting.append(above)
        splits = sum(
            1 + split_bits(tree.splits.split(node), tree.counts[node].sum(), 3) for node in inner
        )
        return splits + sum(1 + data_bits(tree.counts[leaf]) for leaf in leaf_nodes)

    pruned = prune(grown, method="mdl").tree
    assert bits(leaves(pruned.tree_, tree)) == pytest.approx(min(map(bits, subtrees(tree))))


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5, 2.0, 20.0]))
@settings(max_examples=15, deadline=None)
def test_minimum_error_is_the_least_expected_error_of_all_subtrees(seed, m):
    grown, _, y = small(seed)
    tree, priors = grown.tree_, np.bincount(y) / len(y)
    counts = tree.counts

    def expected(nodes):
        return sum(
            counts[leaf].sum() / len(y) * m_estimate(counts[leaf], priors, m) for leaf in nodes
        )

    pruned = prune(grown, method="minimum_error", m=m).tree
    assert expected(leaves(pruned.tree_, tree)) == pytest.approx(min(map(expected, subtrees(tree))))


def test_niblett_and_bratko_s_estimate_is_that_of_m_classes():
    counts, even = np.array([7.0, 2.0, 1.0]), np.full(3, 1 / 3)
    assert m_estimate(counts, even, 3.0) == pytest.approx((10 - 7 + 3 - 1) / (10 + 3))


@given(
    st.integers(0, 10_000), st.sampled_from([0.0, 1.0, 2.0]), st.sampled_from([0.0, 0.5, 1.0, 2.0])
)
@settings(max_examples=20, deadline=None)
def test_pessimistic_pruning_by_its_definition(seed, s, omega):
    grown, _, _ = small(seed)
    tree = grown.tree_

    def cut(node):
        below = [
            each for each in range(tree.node_count) if tree.is_leaf[each] and under(each, node)
        ]
        e = sum(wrong(each) for each in below) + omega * len(below)
        n = tree.counts[node].sum()
        allowed = e + s * np.sqrt(max(e * (n - e), 0.0) / n)
        if tree.is_leaf[node] or wrong(node) + omega <= allowed + 1e-9:
            return (node,)
        return sum((cut(child) for child in tree.children[node].tolist()), ())

    def under(node, top):
        while node > top:
            node = int(tree.parents[node])
        return node == top

    def wrong(node):
        return tree.counts[node].sum() - tree.counts[node].max()

    pruned = prune(grown, method="pessimistic", standard_errors=s, leaf_penalty=omega).tree
    assert leaves(pruned.tree_, tree) == tuple(sorted(cut(0)))


# --- what always holds ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@given(st.integers(0, 10_000))
@settings(max_examples=6, deadline=None)
def test_each_step_cuts_one_subtree_and_says_why(method, seed):
    X, y = noisy(seed, 80, 3)
    model = PrunedTreeClassifier(method, random_state=0)
    steps = run(model, X, y).steps
    assert (steps[0].phase, steps[-1].phase) == ("start", "done")
    for before, step in pairwise(steps):
        assert step.n_leaves == step.tree.n_leaves
        if step.phase in ("keep", "done"):
            assert step.tree is before.tree
            continue
        assert step.n_leaves <= before.n_leaves
        if step.phase == "prune" and method != "error_based":
            assert step.n_leaves < before.n_leaves
            assert step.comparison.leaf_side <= step.comparison.subtree_side + 1e-6
    fitted = model.fit(X, y)
    assert fitted.n_leaves_ == steps[-1].n_leaves
    assert set(fitted.growing_rows_) | set(fitted.validation_rows_) == set(range(80))
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("method", "parameter", "values"),
    [
        ("cost_complexity", "ccp_alpha", [0.0, 0.005, 0.02, 0.1, 0.5]),
        ("pessimistic", "standard_errors", [0.0, 0.5, 1.0, 3.0]),
        ("pessimistic", "leaf_penalty", [0.0, 0.5, 1.0, 5.0]),
        ("optimal", "accuracy", [1.0, 0.9, 0.8, 0.6]),
        ("chi2", "significance", [1.0, 0.1, 0.01, 1e-6]),
    ],
)
def test_a_sterner_setting_leaves_no_more_leaves(method, parameter, values):
    X, y = noisy(1, 150, 3)
    sizes = [
        PrunedTreeClassifier(method, random_state=0, **{parameter: value}).fit(X, y).n_leaves_
        for value in values
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_alpha_by_cross_validation_is_between_those_of_its_tree():
    X, y = noisy(5, 200)
    model = PrunedTreeClassifier(random_state=0).fit(X, y)
    path = model.path_
    place = path.n_leaves.tolist().index(model.n_leaves_)
    assert path.alphas[place] <= model.alpha_
    assert place == len(path.alphas) - 1 or model.alpha_ < path.alphas[place + 1]
    limit = path.cv_errors.min() + path.cv_spread[path.best]
    assert path.cv_errors[place] <= limit + 1e-12
    assert (path.cv_errors[place + 1 :] > limit).all()
    of_least_error = PrunedTreeClassifier(random_state=0, standard_errors=0.0).fit(X, y)
    assert of_least_error.n_leaves_ >= model.n_leaves_


def test_the_pruning_set_is_stratified_and_changes_no_grown_tree():
    X, y = load_iris(return_X_y=True)
    models = [PrunedTreeClassifier(method, random_state=3).fit(X, y) for method in METHODS]
    assert len({model.grown_.export_text() for model in models}) == 1
    assert np.bincount(y[models[0].validation_rows_]).tolist() == [15, 15, 15]
    assert not len(PrunedTreeClassifier(validation_fraction=0.0).fit(X, y).validation_rows_)


# --- what is awkward ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_one_class_a_class_of_one_row_constant_and_missing_columns(method):
    model = PrunedTreeClassifier(method, random_state=0)
    single = model.fit([[0.0], [1.0], [2.0], [3.0]], list("aaaa"))
    assert (single.n_leaves_, single.predict([[9.0]]).tolist()) == (1, ["a"])
    rare = model.fit([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], list("abaaaa"))
    assert rare.classes_.tolist() == ["a", "b"]
    constant = model.fit(np.ones((20, 2)), np.arange(20) % 2)
    assert constant.n_leaves_ == 1
    X = np.column_stack([np.arange(30.0), np.full(30, np.nan)])
    X[::4, 0] = np.nan
    assert model.fit(X, np.arange(30) // 15).score(X, np.arange(30) // 15) >= 0.5
    wide = model.fit(ROWS.standard_normal((12, 40)), np.arange(12) % 2)
    assert np.isfinite(wide.predict_proba(ROWS.standard_normal((3, 40)))).all()


@pytest.mark.parametrize("method", METHODS)
def test_nominal_columns_and_values_of_the_pruning_set_alone(method):
    frame = load("heart_disease").frame
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    model = PrunedTreeClassifier(method, splitter="multiway", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.7
    small_table = pd.DataFrame({"sky": [*"aabb" * 3, "c"], "wind": np.arange(13.0)})
    small_model = PrunedTreeClassifier(method, splitter="multiway", random_state=0).fit(
        small_table, [*"nnyy" * 3, "y"]
    )
    assert small_model.predict(small_table).tolist()[:4] == list("nnyy")


def test_rows_that_a_method_needs_are_asked_for():
    grown = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    for method in ("reduced_error", "error_based", "cost_complexity"):
        with pytest.raises(ValueError, match="X and y"):
            prune(grown, method=method)
    with pytest.raises(ValueError, match="pruning set"):
        PrunedTreeClassifier("reduced_error", validation_fraction=0.0).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="lacks"):
        prune(grown, [[0.0]], [7], method="reduced_error")
    with pytest.raises(ValueError, match="method must be one of"):
        prune(grown, method="magic")
    assert grown.get_n_leaves() == 4
