"""Nominal columns and missing values in regression trees: brute force, plain recursion, by hand."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.comparison import Incomparable
from dmlib.outputs.models import model_python, model_rules
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import (
    BaggingRegressor,
    CHAIDRegressor,
    DecisionTreeRegressor,
    RandomForestRegressor,
)
from dmlib.regression.knn_tree_regression.figures.errors import error_data, plot_errors
from dmlib.regression.knn_tree_regression.figures.residuals import residuals
from dmlib.regression.knn_tree_regression.questions import Rule, questions
from dmlib.regression.knn_tree_regression.reference import knn_tree_reference
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene
from dmlib.regression.knn_tree_regression.search import (
    loss_of,
    prefix_losses,
    scores_of,
    weighted_median,
)
from tests.visit import open_preset

TABLE = pd.DataFrame(
    {
        "c": [*"aabbccdd", None],
        "x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, np.nan, 8.0, 9.0],
        "y": [3.0, 4.0, 9.0, 8.0, 1.0, 2.0, 8.0, 9.0, 5.0],
    }
)
MODELS = [
    DecisionTreeRegressor(max_leaf_nodes=4),
    DecisionTreeRegressor(criterion="absolute_error", min_samples_leaf=2),
    DecisionTreeRegressor(ccp_alpha=0.5),
    CHAIDRegressor(alpha_split=0.5),
    BaggingRegressor(n_estimators=4, random_state=0),
    RandomForestRegressor(4, random_state=0),
]
each_model = pytest.mark.parametrize("model", MODELS, ids=str)
each_columns = pytest.mark.parametrize("columns", [["c"], ["x"], ["c", "x"]], ids="".join)
each_criterion = pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])


def problem(columns):
    return prepare(TABLE, columns, target="y", numeric_target=True, holes="keep")


@given(seed=st.integers(0, 300))
def test_the_division_of_categories_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, rng.integers(2, 7), 14), rng.integers(0, 10, 14).astype(float)
    table = pd.DataFrame({"c": np.array(list("abcdefg"))[codes]})
    model = DecisionTreeRegressor(max_leaf_nodes=2).fit(table, y)
    present = np.unique(codes)
    divisions = [
        np.isin(codes, s) for r in range(1, len(present)) for s in combinations(present, r)
    ]
    sums = [sum(((y[m] - y[m].mean()) ** 2).sum() for m in (mask, ~mask)) for mask in divisions]
    assert model.sse_ == pytest.approx(min(sums, default=((y - y.mean()) ** 2).sum()))


def centre(y, w, criterion):
    if criterion == "squared_error":
        return (w * y).sum() / w.sum()
    order = np.argsort(y)
    below = w[order].cumsum() / w.sum()
    ends = (np.searchsorted(below, 0.5 - 1e-9), np.searchsorted(below, 0.5 + 1e-9))
    return sum(y[order][end] for end in ends) / 2


def loss(y, w, criterion):
    errors = np.abs(y - centre(y, w, criterion))
    return (w * (errors**2 if criterion == "squared_error" else errors)).sum()


def sides_of(x, y, w, is_nominal, criterion):
    """All divisions of the values of a column that are tried, as sets or thresholds."""
    if not is_nominal:
        values = np.unique(x)
        return [(low + high) / 2 for low, high in pairwise(values)]
    codes = np.unique(x)
    centres = [centre(y[x == code], w[x == code], criterion) for code in codes]
    order = codes[np.argsort(centres, kind="stable")]
    return [set(order[:end]) for end in range(1, len(order))]


def plain_tree(X, y, w, depth, criterion, nominal):
    """A regression tree by recursion, with rows in parts, as a dictionary."""
    node = {"value": centre(y, w, criterion)}
    if depth == 0 or loss(y, w, criterion) < 1e-9:
        return node
    best = 1e-9 - np.inf, None
    for j in range(X.shape[1]):
        has = ~np.isnan(X[:, j])
        x, own, part = X[has, j], y[has], w[has]
        for side in sides_of(x, own, part, j in nominal, criterion):
            low = np.array([v in side for v in x]) if j in nominal else x <= side
            if min(part[low].sum(), part[~low].sum()) < 1 - 1e-9:
                continue
            gain = loss(own, part, criterion) - sum(
                loss(own[m], part[m], criterion) for m in (low, ~low)
            )
            if gain > best[0] + 1e-9:
                best = gain, (j, side, has, low)
    if best[1] is None:
        return node
    j, side, has, low = best[1]
    share = w[has][low].sum() / w[has].sum()
    weights = np.where(has, 0.0, w * share), np.where(has, 0.0, w * (1 - share))
    for number, mask in enumerate((low, ~low)):
        weights[number][np.flatnonzero(has)[mask]] = w[has][mask]
    node["children"] = [
        plain_tree(X[v > 0], y[v > 0], v[v > 0], depth - 1, criterion, nominal) for v in weights
    ]
    return node | {"test": (j, side), "share": share, "seen": set(X[has, j])}


def plain_prediction(node, x, nominal):
    if "test" not in node:
        return node["value"]
    j, side = node["test"]
    if np.isnan(x[j]) or (j in nominal and x[j] not in node["seen"]):
        parts = node["share"], 1 - node["share"]
    else:
        low = float(x[j] in side if j in nominal else x[j] <= side)
        parts = low, 1 - low
    below = [plain_prediction(child, x, nominal) for child in node["children"]]
    return parts[0] * below[0] + parts[1] * below[1]


@each_criterion
@given(seed=st.integers(0, 1000))
def test_trees_are_those_of_a_plain_recursion(criterion, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 25))
    X, y = rng.normal(size=(n, 3)), rng.normal(size=n)
    X[:, 2] = rng.integers(0, 4, n)
    X[rng.random(X.shape) < 0.15] = np.nan
    codes = np.where(np.isnan(X[:, 2]), -1, X[:, 2]).astype(int)
    names = pd.Categorical.from_codes(codes, list("wxyz"))
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": names})
    model = DecisionTreeRegressor(max_depth=3, criterion=criterion).fit(table, y)
    tree = plain_tree(X, y, np.ones(n), 3, criterion, {2})
    expected = [plain_prediction(tree, x, {2}) for x in X]
    np.testing.assert_allclose(model.predict(table), expected, atol=1e-8)
    assert model.tree_.n_node_samples[model.tree_.is_leaf].sum() == pytest.approx(n)


@given(seed=st.integers(0, 100))
def test_losses_of_parts_are_those_of_repeated_rows(seed):
    rng = np.random.default_rng(seed)
    y, times = rng.integers(0, 9, 12).astype(float), rng.integers(1, 4, 12)
    for criterion in ("squared_error", "absolute_error"):
        repeated = np.repeat(y, times)
        assert loss_of(y, criterion, times.astype(float)) == pytest.approx(
            loss_of(repeated, criterion)
        )
        ends = times.cumsum() - 1
        np.testing.assert_allclose(
            prefix_losses(y, criterion, times.astype(float)),
            prefix_losses(repeated, criterion)[ends],
            atol=1e-9,
        )


def test_a_row_without_a_value_by_hand():
    """Half of it goes either way: the leaves predict 1.6 and 5.6."""
    X, y = np.array([[1.0], [2.0], [3.0], [4.0], [np.nan]]), [1.0, 1.0, 5.0, 7.0, 4.0]
    model = DecisionTreeRegressor(max_leaf_nodes=2).fit(X, y)
    assert model.predict([[0.0], [9.0], [np.nan]]).tolist() == pytest.approx([1.6, 5.6, 3.6])
    assert model.tree_.n_node_samples.tolist() == [5.0, 2.5, 2.5]
    assert weighted_median(np.array([1.0, 4.0, 9.0]), np.array([1.0, 1.0, 0.5])) == 4.0


def test_a_cut_of_a_column_counts_its_own_rows_only():
    X = np.array([[1.0, 1.0], [2.0, np.nan], [3.0, 3.0]])
    x, scores = scores_of(X, np.array([0.0, 5.0, 1.0]), "squared_error", 1)
    assert np.isnan(x[-1, 1])
    assert np.isneginf(scores[1, 1])
    assert scores[0, 1] == pytest.approx(0.5)


@each_criterion
def test_degenerate_columns(criterion):
    empty = pd.DataFrame({"a": [np.nan] * 4, "c": ["x"] * 4, "b": [1.0, 1.0, 2.0, 2.0]})
    model = DecisionTreeRegressor(criterion=criterion).fit(empty, [1.0, 1.0, 3.0, 3.0])
    assert model.n_leaves_ == 2
    assert model.tree_.feature[0] == 2
    unseen = pd.DataFrame({"a": [1.0], "c": ["new"], "b": [np.nan]})
    assert model.predict(unseen).tolist() == [2.0]
    only = DecisionTreeRegressor(criterion=criterion).fit(empty[["a", "c"]], [1.0, 1.0, 3.0, 3.0])
    assert only.n_leaves_ == 1
    assert only.predict(unseen[["a", "c"]]).tolist() == [2.0]
    with pytest.raises(ValueError, match="infinity"):
        DecisionTreeRegressor().fit([[np.inf], [0.0]], [0.0, 1.0])


def test_importance_and_path_count_parts():
    model = DecisionTreeRegressor().fit(TABLE[["c", "x"]], TABLE["y"])
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    alphas, errors = model.cost_complexity_pruning_path(TABLE[["c", "x"]], TABLE["y"])
    assert (np.diff(alphas) > 0).all()
    assert (np.diff(errors) > 0).all()


@each_columns
@each_model
def test_pictures_questions_and_figures_of_mixed_columns(model, columns):
    run = Run.of(problem(columns), model)
    scene = knn_tree_scene(run)
    assert len(scene.frames) == len(run.trace.steps)
    assert all(question.prompt for question in questions(run))
    assert plot_errors(error_data(run, lambda done: None)).data
    assert residuals(run).data


@each_columns
@each_model
def test_the_exported_code_predicts_the_same(model, columns):
    fitted, of_page = model.fit(TABLE[columns], TABLE["y"]), problem(columns)
    if not hasattr(fitted, "tree_"):
        return
    namespace = {}
    exec(model_python(fitted, of_page, has_holes=True), namespace)
    rows = [*TABLE[columns].to_dict("records"), dict.fromkeys(columns)]
    expected = fitted.predict(pd.DataFrame(rows))
    assert [namespace["predict"](row) for row in rows] == pytest.approx(expected.tolist())
    assert model_rules(fitted, of_page).count("\n") == fitted.n_leaves_


def test_rules_name_the_categories():
    fitted = DecisionTreeRegressor(max_leaf_nodes=2).fit(TABLE[["c"]], TABLE["y"])
    assert model_rules(fitted, problem(["c"])).splitlines() == [
        "if c in {a, c} then 2.77778 (4.5)",
        "if c in {b, d} then 8.11111 (4.5)",
    ]


def test_a_forest_of_names_is_the_mean_of_its_trees():
    table = TABLE[["c", "x"]]
    model = RandomForestRegressor(5, random_state=1).fit(table, TABLE["y"])
    each = [tree.predict(table) for tree in model.estimators_]
    np.testing.assert_allclose(model.predict(table), np.mean(each, axis=0))
    as_list = BaggingRegressor(n_estimators=3, random_state=0).fit(
        TABLE[["c", "x"]].to_numpy(object), TABLE["y"]
    )
    as_frame = BaggingRegressor(n_estimators=3, random_state=0).fit(table, TABLE["y"])
    np.testing.assert_allclose(as_list.fitted_, as_frame.fitted_)


def test_the_groups_are_asked_for_and_wrong_rules_are_named():
    table = pd.DataFrame({"c": [*"aaaabbbccd"], "y": [0.0, 1, 0, 1, 3, 4, 3, 6, 7, 30]})
    of_page = prepare(table, ["c"], target="y", numeric_target=True)
    run = Run.of(of_page, DecisionTreeRegressor(max_leaf_nodes=2, min_samples_leaf=3))
    (question,) = (each for each in questions(run) if each.topic == "groups")
    assert [question.answer.options[i] for i in question.answer.right] == ["a, b | c, d"]
    assert {wrong.rule for wrong in question.wrong} <= {Rule.GAP, Rule.MEDIAN}


def test_the_library_is_not_asked_about_names_or_holes():
    for columns in (["c"], ["x"]):
        with pytest.raises(Incomparable):
            knn_tree_reference(Run.of(problem(columns), DecisionTreeRegressor()))


def test_the_penguins_are_what_the_presets_say():
    tree = open_preset("knn_tree_regression", "Penguins by species and sex").run
    split = tree.trace.steps[1]
    assert (split.before, split.after) == pytest.approx((2.193e8, 7.249e7), rel=1e-3)
    assert [step.split.missing for step in tree.trace.steps[2:4]] == [4, 5]
    _, scores = (
        open_preset("knn_tree_regression", "Three species by hand").run.trace.steps[1].split.cuts
    )
    assert scores.tolist() == pytest.approx([6.789e7, 1.468e8], rel=1e-3)
    by_hand = 219 * 123 / 342 * (5076 - 3711) ** 2
    assert scores[1] == pytest.approx(by_hand, rel=2e-3)
