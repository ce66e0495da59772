"""Decision trees: steps, prescribed splits, missing values, pruning, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification

from dmlib.classification import C45, CHAID, ID3, QUEST, DecisionTreeClassifier, OneR
from tests.classification.decision_tree.data import NODE, iris, params_of, steps, table, weather

# --- steps and prescribed splits ------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [
        {},
        params_of(C45),
        params_of(ID3),
        {"max_leaf_nodes": 6},
        {"ccp_alpha": 0.02},
        {"missing": "surrogate", "max_depth": 3},
    ],
    ids=str,
)
def test_the_steps_lead_to_the_fitted_tree(params):
    X, y = iris()
    model = DecisionTreeClassifier(**params)
    *grown, last = steps(model, X, y)
    tree = model.fit(X, y).tree_
    for name in NODE:
        assert_array_equal(getattr(last.tree, name), getattr(tree, name))
    assert last.n_leaves == model.get_n_leaves()
    nodes = [step for step in grown if step.phase in ("split", "leaf")]
    assert [step.node for step in nodes] == sorted({step.node for step in nodes})
    assert_allclose(sum(step.counts for step in nodes if not step.children), [50, 50, 50])
    step_of_node = {step.node: step for step in nodes}
    for step in nodes:
        assert all(step_of_node[child].parent == step.node for child in step.children)
        assert step.best is None or step.loss == 0
        assert (step.phase == "leaf") == bool(step.reason)


def test_prescribed_splits_are_compared_with_the_best():
    X, y = iris()
    model = DecisionTreeClassifier(choices="r_0_5.5~r.1_auto")
    trace = steps(model, X, y)
    root, first_child, second_child = trace[:3]
    assert (root.phase, first_child.phase, second_child.phase) == ("split", "open", "split")
    assert root.chosen.split.thresholds == (5.5,)
    assert root.best.split.column == 2
    assert_allclose(root.loss, root.best.score - root.chosen.score)
    assert root.loss > 0.1
    assert first_child.best is not None
    assert first_child.chosen is None
    assert first_child.children == ()
    assert second_child.loss == 0
    assert model.fit(X, y).tree_.threshold[0] == 5.5
    assert DecisionTreeClassifier(choices="").fit(X, y).get_depth() == 0
    assert_array_equal(
        DecisionTreeClassifier(choices="r_auto").fit(X, y).tree_.feature,
        DecisionTreeClassifier().fit(X, y).tree_.feature,
    )


def test_a_prescribed_division_of_nominal_values():
    X, y = weather()
    root = steps(DecisionTreeClassifier(choices="r_0_in.0"), X, y)[0]
    assert root.chosen.split.branches == (0, 1, 1)
    assert_allclose(root.chosen.counts, [[0, 4], [5, 5]])
    multiway = steps(DecisionTreeClassifier(**params_of(ID3), choices="r_2"), X, y)[0]
    assert_allclose(multiway.loss, 0.24674981977443933 - 0.15183550136234159)


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ("r_9_1.0", "the columns are 0 to 3"),
        ("r_0_99", "choose a threshold from 4.3 to below 7.9"),
        ("x", "no prescribed split"),
        ("r_0_1_1", "no prescribed split"),
        ("r_0_--", "no prescribed split"),
    ],
)
def test_choices_that_cannot_be(choices, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(choices=choices).fit(*iris())


# --- missing values -------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["fractional", "surrogate"])
@pytest.mark.parametrize(
    "params", [{}, {"criterion": "gain_ratio", "numeric": "c45", "pruning": "error_based"}], ids=str
)
def test_holes_lose_no_weight(missing, params):
    X, y = iris()
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    model = DecisionTreeClassifier(missing=missing, min_samples_leaf=3, **params).fit(X, y)
    tree = model.tree_
    leaves = tree.counts[tree.is_leaf].sum(axis=0)
    assert_allclose(leaves, [50, 50, 50])
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X, y) > 0.85
    rows, nodes, parts = tree.leaves(X.to_numpy())
    assert_allclose(np.bincount(rows, parts), 1)
    assert tree.is_leaf[nodes].all()
    assert_allclose(steps(model, X, y)[-1].tree.value, tree.value)


def test_a_column_of_nothing_is_never_split():
    X = pd.DataFrame(
        {"a": [np.nan] * 4, "b": [1.0, 2.0, 3.0, 4.0], "c": pd.Series([None] * 4, dtype=object)}
    )
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    assert model.tree_.feature[0] == 1
    assert DecisionTreeClassifier().fit(X[["a", "c"]], [0, 0, 1, 1]).get_depth() == 0


# --- pruning --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pruning", ["cost_complexity", "error_complexity"])
def test_cross_validation_judges_the_trees_of_the_path(pruning):
    X, y = table()
    model = DecisionTreeClassifier(pruning=pruning)
    path = model.pruning_path(X, y, cv=5, random_state=0)
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.errors) >= -1e-12).all()
    assert path.n_leaves[-1] == 1
    assert path.cv_errors[path.best] == path.cv_errors.min()
    assert path.simplest >= path.best
    for i in (0, path.best, path.simplest):
        alpha = min(path.middles[i], 1.0)
        fitted = DecisionTreeClassifier(pruning=pruning, ccp_alpha=alpha).fit(X, y)
        assert fitted.get_n_leaves() == path.n_leaves[i]
        assert_allclose(1 - fitted.score(X, y), path.errors[i])


def test_cross_validation_of_one_alpha_by_hand():
    X, y = table(120)
    path = DecisionTreeClassifier().pruning_path(X, y, cv=4, random_state=0)
    order = np.random.RandomState(0).permutation(len(y))
    folds = np.empty(len(y), int)
    folds[order[np.argsort(y[order], kind="stable")]] = np.arange(len(y)) % 4
    i = len(path.alphas) // 2
    wrong = 0
    for fold in range(4):
        out = folds == fold
        model = DecisionTreeClassifier(ccp_alpha=path.middles[i]).fit(X[~out], y[~out])
        wrong += (model.predict(X[out]) != y[out]).sum()
    assert_allclose(path.cv_errors[i], wrong / len(y))


def test_folds_must_fit_the_rows():
    with pytest.raises(ValueError, match="cv must be a whole number from 2"):
        DecisionTreeClassifier().pruning_path([[1.0], [2.0]], [0, 1], cv=5)


# --- what does not go together --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"criterion": "dkm"}, "compares two classes, but there are 3"),
        ({"criterion": "twoing", "numeric": "buckets"}, "compares two branches"),
        ({"missing": "surrogate", "numeric": "buckets"}, "Surrogates stand in for splits into two"),
        ({"max_features": 0}, "max_features must be"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be"),
        ({"max_depth": 0}, "max_depth must be a whole number from 1 to .* or None"),
    ],
    ids=str,
)
def test_refusals(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeClassifier(**params).fit(*iris())


def test_rows_must_weigh_something():
    with pytest.raises(ValueError, match="All rows have the weight 0"):
        DecisionTreeClassifier(class_weight={0: 0.0, 1: 0.0}).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    "criterion",
    [
        *("twoing", "ort", "g2", "chi2", "distance", "gain_ratio", "ks", "auc", "dkm"),
        *("hypergeometric", "permutation"),
    ],
)
def test_every_criterion_grows_a_tree_that_separates(criterion):
    X, y = make_classification(120, 4, random_state=1)
    model = DecisionTreeClassifier(criterion=criterion).fit(X, y)
    assert model.score(X, y) == 1
    nominal = pd.DataFrame({"a": np.where(X[:, 0] > 0, "high", "low"), "b": X[:, 1]})
    assert (
        DecisionTreeClassifier(criterion=criterion, max_depth=3).fit(nominal, y).score(nominal, y)
        > 0.5
    )


def test_single_class_one_row_and_constant_columns():
    assert DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).predict([[5.0]]) == ["a"]
    assert DecisionTreeClassifier().fit([[1.0]], ["a"]).get_depth() == 0
    model = DecisionTreeClassifier().fit(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    assert_allclose(model.predict_proba([[1.0, 1.0]]), [[1 / 3, 2 / 3]])
    assert steps(DecisionTreeClassifier(), np.ones((6, 2)), [0, 1, 1, 0, 1, 1])[
        0
    ].reason.startswith("No split leaves two")


def test_huge_and_tiny_values():
    X = np.array([[-1.7e308], [1.7e308], [1e-300], [0.0]])
    y = [0, 1, 1, 0]
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
    close = np.array([[1.0], [np.nextafter(1.0, 2)]])
    assert DecisionTreeClassifier().fit(close, [0, 1]).score(close, [0, 1]) == 1


def test_c45_cuts_at_a_value_that_is_halfway_but_for_rounding():
    x = np.array([1.2, 1.2, 1.2, 1.4, 1.4, 1.4, 1.3, 0.5, 2.0, 0.5, 2.0, 1.3])
    group = np.repeat([0, 1], 6)  # 1.3 is in the data, but in another node
    assert (1.2 + 1.4) / 2 < 1.3
    y = np.repeat([0, 1, 2], [3, 3, 6])
    model = DecisionTreeClassifier(**params_of(C45) | {"pruning": "cost_complexity"}).fit(
        np.column_stack([group, x]), y
    )
    assert model.export_rules()[0] == "if feature_0 <= 0 and feature_1 <= 1.3 then 0 (3)"
    assert model.score(np.column_stack([group, x]), y) == 1


def test_the_printed_threshold_sends_the_rows_where_the_tree_sends_them():
    x = np.array([1.23456749, 1.2346]).repeat(4)
    rule = C45().fit(x[:, None], [0] * 4 + [1] * 4).export_rules()[0]
    printed = float(rule.split("<= ")[1].split()[0])
    assert ((x <= printed) == (x < 1.2346)).all()


@pytest.mark.parametrize(
    "settings",
    [{}, params_of(C45), params_of(OneR), params_of(ID3), params_of(CHAID), params_of(QUEST)],
)
@pytest.mark.parametrize("unit", [1e-310, 1e-160, 1e160, 1.7e308])
def test_thresholds_of_the_smallest_and_largest_numbers(settings, unit):
    x = np.repeat([-1.0, -0.5, 0.5, 1.0], 8)[:, None]
    y = np.repeat([0, 1], 16)
    model = DecisionTreeClassifier(**settings).fit(x * unit, y)
    assert np.isfinite(model.tree_.threshold[~model.tree_.is_leaf]).all()
    assert_array_equal(model.predict(x * unit), y)
