"""Missing as a value of its own, against trying everything and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.tree import DecisionTreeClassifier as Reference

from dmlib.classification import C45, CHAID, ID3, QUEST, DecisionTreeClassifier, OneR
from dmlib.datasets import load
from dmlib.trees import impurity
from tests.classification.decision_tree.data import params_of

SETTINGS = {
    "CART": {},
    "entropy": {"criterion": "entropy"},
    "ID3": params_of(ID3),
    "C4.5": params_of(C45),
    "1R": params_of(OneR),
    "CHAID": params_of(CHAID),
    "QUEST": params_of(QUEST),
    "gain ratio": {"criterion": "gain_ratio"},
}


def root(X, y, **params):
    return next(iter(DecisionTreeClassifier(**{"missing": "category"} | params).steps(X, y)))


def gain(sides):
    n = sum(map(len, sides))
    return impurity(np.bincount(np.concatenate(sides), minlength=3)) - sum(
        len(side) / n * impurity(np.bincount(side, minlength=3)) for side in sides
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([0, 1, 2, 3, None]), st.integers(0, 2)), min_size=4, max_size=20
    )
)
def test_rows_go_to_the_better_side_of_the_best_threshold(rows):
    x, y = (
        np.array([np.nan if v is None else v for v, _ in rows], float),
        np.array([k for _, k in rows]),
    )
    best = -1.0
    for cut in (0.5, 1.5, 2.5, 1.0, 2.0):
        if (x <= cut).any() and (x > cut).any():
            for is_first in ((x <= cut), (x <= cut) | np.isnan(x)):
                best = max(
                    best, gain([y[is_first], y[~is_first]]) if 0 < is_first.sum() < len(y) else -1
                )
    if 0 < np.isnan(x).sum() < len(x):
        best = max(best, gain([y[np.isnan(x)], y[~np.isnan(x)]]))
    step = root(x[:, None], y)
    if best < 0 or len(set(y)) == 1:
        assert step.phase == "leaf"
    else:
        assert_allclose(step.chosen.score, best, atol=1e-9)
        assert step.chosen.split.missing in ((0, 1) if np.isnan(x).any() else (-1,))


def test_the_root_is_scikit_learn_s():
    rng = np.random.default_rng(0)
    agreed = 0
    for _ in range(20):
        X = rng.normal(size=(60, 2)).round(1)
        y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
        X[rng.random(X.shape) < 0.2] = np.nan
        reference = Reference(max_depth=1, random_state=0).fit(X, y).tree_
        model = DecisionTreeClassifier(max_depth=1, missing="category").fit(X, y)
        agreed += 1
        assert_allclose(sorted(model.tree_.impurity), sorted(reference.impurity), atol=1e-9)
        assert_allclose(
            model.tree_.compute_feature_importances(2, False).sum(),
            reference.impurity[0]
            - (reference.impurity[1:] * reference.weighted_n_node_samples[1:]).sum() / 60,
            atol=1e-9,
        )
    assert agreed == 20


@pytest.mark.parametrize(
    "settings",
    [{}, {"criterion": "entropy"}, params_of(C45), params_of(ID3), {"criterion": "gain_ratio"}],
)
def test_a_numeric_column_may_be_split_by_whether_it_is_known(settings):
    x = np.append(np.tile([1.0, 2.0, 3.0, 4.0], 5), np.full(10, np.nan))[:, None]
    y = np.repeat([0, 1], [20, 10])
    model = DecisionTreeClassifier(**settings | {"missing": "category"}).fit(x, y)
    assert model.export_rules() == [
        "if feature_0 is known then 0 (20)",
        "if feature_0 is missing then 1 (10)",
    ]
    reference = Reference().fit(x, y).tree_
    assert (model.tree_.node_count, model.tree_.threshold[0]) == (
        reference.node_count,
        reference.threshold[0],
    )
    assert_array_equal(model.predict([[2.5], [np.nan], [99.0]]), [0, 1, 0])
    step = root(x, y, **settings)
    assert step.chosen.split.thresholds == (np.inf,)
    assert_array_equal(step.chosen.counts, [[20, 0], [0, 10]])


def test_too_few_missing_values_are_no_side():
    x = np.append(np.arange(9.0), np.nan)[:, None]
    model = DecisionTreeClassifier(missing="category", min_samples_leaf=2).fit(x, [0] * 9 + [1])
    assert np.isfinite(model.tree_.threshold[0])


def test_a_nominal_column_has_a_branch_for_missing_values():
    sky = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain", None, None]})
    model = DecisionTreeClassifier(**params_of(ID3), missing="category").fit(
        sky, [0, 0, 1, 1, 2, 2]
    )
    assert model.export_rules() == [
        "if sky = rain then 1 (2)",
        "if sky = sun then 0 (2)",
        "if sky is missing then 2 (2)",
    ]
    assert_array_equal(model.predict(sky), [0, 0, 1, 1, 2, 2])
    assert model.predict_proba(pd.DataFrame({"sky": ["fog"]})).tolist() == [[1 / 3, 1 / 3, 1 / 3]]


def test_missing_values_are_among_the_values_that_are_divided():
    sky = pd.DataFrame({"sky": ["sun"] * 4 + ["rain"] * 4 + [None] * 4})
    split = root(sky, [0] * 4 + [1] * 4 + [0] * 4).chosen.split
    assert split.branches in ((0, 1), (1, 0))
    assert split.missing == split.branches[1]
    assert split.conditions("sky", ["rain", "sun"])[split.missing] == "sky = sun (or missing)"


def test_one_r_has_an_interval_for_missing_values():
    x = np.append(np.arange(20.0), np.full(5, np.nan))
    y = np.repeat([0, 1, 2], [10, 10, 5])
    model = DecisionTreeClassifier(**params_of(OneR), missing="category").fit(x[:, None], y)
    assert model.score(x[:, None], y) == 1
    assert model.tree_.splits.split(0).missing == 2
    only = np.where(y == 2, np.nan, 1.0)
    split = root(only[:, None], y, **params_of(OneR)).chosen.split
    assert (split.thresholds, split.missing) == ((np.inf,), 1)


@pytest.mark.parametrize("name", SETTINGS)
def test_no_weight_is_lost_and_no_row_goes_in_parts(name):
    frame = load("heart_disease").frame
    X, y = frame.drop(columns="narrowing"), frame["narrowing"]
    model = DecisionTreeClassifier(**SETTINGS[name] | {"missing": "category"})
    tree = model.fit(X, y).tree_
    assert_allclose(tree.counts[tree.is_leaf].sum(axis=0), tree.counts[0], rtol=1e-9)
    last = list(DecisionTreeClassifier(**SETTINGS[name] | {"missing": "category"}).steps(X, y))[-1]
    assert_allclose(last.tree.value, tree.value)
    assert_array_equal(last.tree.feature, tree.feature)


@pytest.mark.parametrize("name", SETTINGS)
def test_without_holes_nothing_changes(name):
    frame = load("heart_disease").frame.dropna()
    X, y = frame.drop(columns="narrowing"), frame["narrowing"]
    category = DecisionTreeClassifier(**SETTINGS[name] | {"missing": "category"}).fit(X, y).tree_
    fractional = (
        DecisionTreeClassifier(**SETTINGS[name] | {"missing": "fractional"}).fit(X, y).tree_
    )
    assert_array_equal(category.feature, fractional.feature)
    assert_allclose(category.value, fractional.value)


def test_a_value_missing_for_the_first_time_goes_in_parts():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 0, 1]
    model = DecisionTreeClassifier(missing="category").fit(X, y)
    assert model.predict_proba([[np.nan]]).tolist() == [[0.75, 0.25]]
