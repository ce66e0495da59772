"""Ordinal columns: groups of values that keep the order, and what each criterion makes of them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import f_oneway
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from dmlib.classification import DecisionTreeClassifier
from dmlib.datasets import load
from dmlib.trees.chaid import ways_to_merge
from dmlib.trees.impurity import CRITERIA

LEVELS = ["small", "medium", "large", "huge", "giant"]
MEASURES = ("gini", "entropy", "error", "gain_ratio", "g2", "chi2", "distance", "twoing", "ort")


def table(codes):
    """Return a column of words whose alphabetical order is not that of the sizes."""
    return pd.DataFrame({"size": np.array(LEVELS)[codes]})


def fitted(codes, y, order=LEVELS, **params):
    return DecisionTreeClassifier(ordinal={"size": order}, **params).fit(table(codes), y)


def sides(split, categories):
    """Return the branch of each level, in the order of the levels; -1 where it does not occur."""
    branches = dict(zip(categories, split.branches, strict=True))
    return [branches.get(level, -1) for level in LEVELS]


def root_step(codes, y, **params):
    model = DecisionTreeClassifier(ordinal={"size": LEVELS}, **params)
    return next(model.steps(table(codes), y))


def random_rows(seed, n=40, n_classes=3):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 5, n), rng.integers(0, n_classes, n)


def test_the_clouds_by_hand():
    """Of 14 days, 9 with play: sunny 2 of 5, overcast 4 of 4, rainy 3 of 5."""
    weather = load("weather_nominal").frame[["outlook"]].astype(str)
    y = load("weather_nominal").frame["play"].astype(str)
    order = {"outlook": ["sunny", "overcast", "rainy"]}
    step = next(DecisionTreeClassifier(ordinal=order).steps(weather, y))
    gains = [step.candidates[i].gain for i in range(len(step.candidates))]
    node = 1 - (9 / 14) ** 2 - (5 / 14) ** 2
    sunny = node - 5 / 14 * 0.48 - 9 / 14 * (1 - (7 / 9) ** 2 - (2 / 9) ** 2)
    rainy = node - 9 / 14 * (1 - (6 / 9) ** 2 - (3 / 9) ** 2) - 5 / 14 * 0.48
    assert_allclose(gains, [sunny, rainy])
    conditions = step.chosen.split.conditions("outlook", sorted(order["outlook"]))
    assert conditions == ["outlook = sunny", "outlook in {overcast, rainy}"]


@pytest.mark.parametrize("criterion", MEASURES)
@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_cuts_by_brute_force(criterion, seed):
    codes, y = random_rows(seed)
    step = root_step(codes, y, criterion=criterion)
    counts = np.array([np.bincount(y[codes == code], minlength=3) for code in range(5)], float)
    score = CRITERIA["entropy" if criterion == "gain_ratio" else criterion].score
    cuts = np.array([[counts[:last].sum(0), counts[last:].sum(0)] for last in range(1, 5)])
    scores = score(cuts.transpose(1, 2, 0), 0.0)
    expected = [0] * (scores.argmax() + 1) + [1] * (4 - scores.argmax())
    assert sides(step.chosen.split, sorted(LEVELS)) == expected
    tried = [sides(step.candidates[i].split, sorted(LEVELS)) for i in range(len(step.candidates))]
    assert sorted(tried) == sorted([0] * last + [1] * (5 - last) for last in range(1, 5))


@pytest.mark.parametrize("seed", range(10))
def test_the_tree_of_ranks_by_scikit_learn(seed):
    codes, y = random_rows(seed, 60)
    other, _ = random_rows(seed + 100, 60)
    frame = table(codes).assign(other=pd.Categorical.from_codes(other, list("edcba"), ordered=True))
    y = (y + (codes > 2) + (other > 1)) % 4
    model = DecisionTreeClassifier(ordinal={"size": LEVELS, 1: list("edcba")}, max_depth=3)
    reference = SklearnTree(max_depth=3, random_state=0).fit(np.c_[codes, other], y)
    ranks = np.array(list(product(range(5), repeat=2)))
    places = table(ranks[:, 0]).assign(
        other=pd.Categorical.from_codes(ranks[:, 1], list("edcba"), ordered=True)
    )
    ours = model.fit(frame, y).tree_
    decreases = [
        ours.compute_feature_importances(2, normalize=False),
        reference.tree_.compute_feature_importances(normalize=False),
    ]
    assert_allclose(decreases[0].sum(), decreases[1].sum())
    occurs = [((codes == a) & (other == b)).any() for a, b in ranks]
    assert_allclose(model.predict_proba(places)[occurs], reference.predict_proba(ranks)[occurs])


def test_the_dtype_says_the_order():
    codes, y = random_rows(3)
    typed = pd.DataFrame({"size": pd.Categorical.from_codes(codes, LEVELS, ordered=True)})
    by_type = DecisionTreeClassifier(ordinal="from_dtype").fit(typed, y)
    assert by_type.predict(typed).tolist() == fitted(codes, y).predict(table(codes)).tolist()
    unordered = typed.astype(pd.CategoricalDtype(LEVELS))
    free = DecisionTreeClassifier(ordinal="from_dtype").fit(unordered, y)
    assert free.tree_.splits.split(0) == DecisionTreeClassifier().fit(typed, y).tree_.splits.split(
        0
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["gini", "entropy", "chaid", "quest"]))
def test_every_split_keeps_the_order(seed, criterion):
    codes, y = random_rows(seed, 50)
    model = fitted(codes, y, criterion=criterion, alpha_split=0.9)
    tree = model.tree_
    for node in np.flatnonzero(~tree.is_leaf):
        in_order = [b for b in sides(tree.splits.split(node), sorted(LEVELS)) if b >= 0]
        assert in_order == sorted(in_order)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_order_upside_down_gives_the_same_tree(seed):
    codes, y = random_rows(seed)
    up, down = fitted(codes, y, max_depth=1), fitted(codes, y, LEVELS[::-1], max_depth=1)
    assert up.tree_.impurity[0] == down.tree_.impurity[0]
    assert_allclose(
        up.tree_.compute_feature_importances(1, normalize=False),
        down.tree_.compute_feature_importances(1, normalize=False),
    )


def test_two_values_have_no_order_to_break():
    codes, y = random_rows(5)
    codes = codes % 2
    assert_array_equal(
        fitted(codes, y).predict(table(codes)),
        DecisionTreeClassifier().fit(table(codes), y).predict(table(codes)),
    )


def test_chaid_merges_neighbours_only():
    """The classes of the smallest and the largest agree, yet they stay apart."""
    codes = np.repeat([0, 1, 2], 40)
    y = np.r_[np.zeros(40), np.ones(40), np.zeros(40)].astype(int)
    free = DecisionTreeClassifier(criterion="chaid").fit(table(codes), y)
    kept = fitted(codes, y, criterion="chaid")
    assert (free.tree_.node_count, kept.tree_.node_count) == (3, 4)
    test = root_step(codes, y, criterion="chaid").chosen.test
    assert test.merges == ()
    assert test.n_ways == ways_to_merge(3, 3, ordered=True) == 1


def test_quest_tests_the_ranks():
    codes, y = random_rows(2, 80)
    codes = np.clip(codes + y, 0, 4)
    step = root_step(codes, y, criterion="quest")
    groups = [codes[y == label] + 1 for label in range(3)]
    assert step.best.test.kind == "F"
    assert step.best.test.statistic == pytest.approx(f_oneway(*groups).statistic)


def test_missing_values_join_the_better_side():
    """Missing values have the class of the largest: with them as a category they go there."""
    frame = table(np.repeat([0, 1, 4], 10))
    frame.loc[[0, 1, 2], "size"] = None
    y = np.repeat([0, 0, 1], 10)
    y[:3] = 1
    model = DecisionTreeClassifier(ordinal={"size": LEVELS}, missing="category").fit(frame, y)
    assert model.tree_.node_count == 3
    assert_array_equal(model.predict(frame), y)


def test_an_own_split_must_keep_the_order():
    codes, y = random_rows(7)
    in_code_order = sorted(LEVELS)
    lowest = in_code_order.index("small")
    model = fitted(codes, y, choices=f"r_0_in.{lowest}")
    assert sides(model.tree_.splits.split(0), in_code_order) == [0, 1, 1, 1, 1]
    middle = in_code_order.index("large")
    with pytest.raises(ValueError, match="breaks the order of column 0"):
        fitted(codes, y, choices=f"r_0_in.{middle}")


@pytest.mark.parametrize(
    ("ordinal", "message"),
    [
        ({"size": LEVELS[1:]}, "it lacks 'small'"),
        ({"size": [*LEVELS, "small"]}, "each value of column 'size' once"),
        ({"colour": LEVELS}, "'colour' is none"),
        ({3: LEVELS}, "3 is none"),
        ("always", "ordinal must be one of"),
    ],
)
def test_what_is_no_order_is_refused(ordinal, message):
    codes, y = random_rows(1)
    with pytest.raises(ValueError, match=message):
        DecisionTreeClassifier(ordinal=ordinal).fit(table(codes), y)


def test_numbers_are_no_words():
    with pytest.raises(ValueError, match="Numbers have an order anyway"):
        DecisionTreeClassifier(ordinal={0: [1, 2]}).fit([[1.0], [2.0]], [0, 1])


def test_one_value_cannot_be_split():
    assert fitted(np.zeros(6, int), [0, 1] * 3).tree_.node_count == 1
