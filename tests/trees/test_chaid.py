"""CHAID against the package of that name, SciPy and counting."""

import json
from itertools import combinations, pairwise, product
from math import log10
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency

from dmlib.classification import CHAID, DecisionTreeClassifier
from dmlib.datasets import load
from dmlib.trees.chaid import intervals, ways_to_merge
from dmlib.trees.group_statistics import STATISTICS, g2_pairs
from dmlib.trees.significance import chi2_pairs, chi2_score, chi2_table, f_score, p_value
from tests.classification.decision_tree.data import params_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "chaid.json").read_text())
COLUMNS = [(table, name) for table, of in GOLDEN["tables"].items() for name in of["columns"]]


def root(X, y, **params):
    return next(iter(DecisionTreeClassifier(**params_of(CHAID) | params).steps(X, y)))


@pytest.mark.parametrize(("name", "column"), COLUMNS)
def test_groups_and_statistic_are_those_of_the_package(name, column):
    target = GOLDEN["tables"][name]["target"]
    frame = load(name).frame[[column, target]].dropna()
    step, expected = (
        root(frame[[column]], frame[target], alpha_split=1.0),
        GOLDEN["tables"][name]["columns"][column],
    )
    test = step.best.test
    if expected is None:
        assert p_value(test.score) > 0.05
        return
    assert_allclose([test.statistic, test.dof], [expected["chi2"], expected["dof"]], rtol=1e-9)
    assert_allclose(p_value(chi2_score(test.statistic, test.dof)), expected["p"], rtol=1e-9)
    values = list(pd.Categorical(frame[column]).categories)
    if step.best.split.thresholds:
        branch = np.searchsorted(step.best.split.thresholds, values, side="left")
    else:
        branch = np.array(step.best.split.branches)
    groups = sorted(
        sorted(v for v, b in zip(values, branch, strict=True) if b == number)
        for number in set(branch.tolist())
    )
    assert groups == expected["groups"]


def test_the_smallest_adjusted_p_value_chooses_the_column():
    frame = load("heart_disease").frame.dropna()
    X, y = frame[["sex", "chest_pain", "rest_ecg", "thal"]], frame["narrowing"]
    step = root(X, y)
    for candidate in step.candidates:
        assert_allclose(
            chi2_table(candidate.counts)[0],
            chi2_contingency(candidate.counts, correction=False).statistic,
        )
        p = chi2_contingency(candidate.counts, correction=False).pvalue * candidate.test.n_ways
        assert_allclose(p_value(candidate.score), min(p, 1), rtol=1e-9)
    assert step.chosen.score == max(candidate.score for candidate in step.candidates)
    assert X.columns[step.chosen.split.column] == "thal"
    assert step.chosen.test.n_ways == 3  # ways to make two groups of three values


def partitions(n, r, allowed):
    """Count the ways to put n values into r groups, each of which is allowed."""
    groupings = set()
    for labels in product(range(r), repeat=n):
        groups = frozenset(
            frozenset(np.flatnonzero(np.array(labels) == g).tolist()) for g in range(r)
        )
        if len(groups) == r and all(group and allowed(sorted(group)) for group in groups):
            groupings.add(groups)
    return len(groupings)


@pytest.mark.parametrize(("n", "r"), [(2, 2), (4, 2), (5, 3), (6, 2), (6, 4)])
def test_ways_to_merge_are_counted(n, r):
    assert ways_to_merge(n, r) == partitions(n, r, lambda group: True)
    runs = lambda group: group == list(range(group[0], group[-1] + 1))  # noqa: E731
    assert ways_to_merge(n, r, ordered=True) == partitions(n, r, runs)
    ordinary = lambda group: [value for value in group if value < n - 1]  # noqa: E731
    floating = partitions(n, r, lambda group: not ordinary(group) or runs(ordinary(group)))
    assert ways_to_merge(n, r, ordered=True, floating=True) == floating


def test_pairs_are_tables_of_two_rows():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 9, (6, 3)).astype(float)
    statistics, p = chi2_pairs(counts[0], counts[1:])
    for counts_of_second, statistic, value in zip(counts[1:], statistics, p, strict=True):
        table = np.array([counts[0], counts_of_second])
        expected = chi2_contingency(table[:, table.any(axis=0)], correction=False)
        assert_allclose([statistic, value], [expected.statistic, expected.pvalue], rtol=1e-9)
    assert chi2_pairs(np.array([3.0, 0.0]), np.array([[5.0, 0.0]]))[1].tolist() == [1.0]


def test_the_likelihood_ratio_is_scipy_s_for_pairs_and_tables():
    rng = np.random.default_rng(7)
    counts = rng.integers(0, 9, (6, 3)).astype(float)
    counts[:, 0] += 1
    statistics, p = g2_pairs(counts[0], counts[1:])
    for of_second, statistic, value in zip(counts[1:], statistics, p, strict=True):
        table = np.array([counts[0], of_second])
        expected = likelihood_ratio(table[:, table.any(axis=0)])
        assert_allclose([statistic, value], [expected.statistic, expected.pvalue], rtol=1e-9)
    outcome, expected = STATISTICS["likelihood_ratio"].test(counts), likelihood_ratio(counts)
    assert_allclose([outcome.statistic, outcome.dof], [expected.statistic, expected.dof])
    assert_allclose(p_value(outcome.score), expected.pvalue, rtol=1e-9)
    assert g2_pairs(np.array([3.0, 0.0]), np.array([[5.0, 0.0]]))[1].tolist() == [1.0]
    assert STATISTICS["likelihood_ratio"].test(np.array([[3.0, 0.0], [5.0, 0.0]])).score == 0


def likelihood_ratio(table):
    return chi2_contingency(table, correction=False, lambda_="log-likelihood")


@pytest.mark.parametrize("seed", range(6))
def test_every_merge_and_split_by_the_likelihood_ratio_is_that_of_scipy(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.choice(list("uvwxyz"), 150), "b": rng.normal(size=150)})
    y = (frame["b"] + (frame["a"] > "w") + rng.normal(size=150)).rank() // 38
    step = root(frame, y, statistic="likelihood_ratio", alpha_split=1.0)
    for candidate in step.candidates:
        test, column = candidate.test, frame.iloc[:, candidate.split.column]
        values = list(pd.Categorical(column).categories)
        codes = np.searchsorted(test.edges, column) if test.edges else column.map(values.index)
        table = pd.crosstab(np.asarray(codes), y).to_numpy()
        groups = [[code] for code in range(len(table))]
        while len(groups) > 2:  # merge by brute force
            pairs = combinations(range(len(groups)), 2)
            if test.edges:
                pairs = pairwise(range(len(groups)))
            p = {}
            for i, j in pairs:
                two = np.array([table[groups[i]].sum(axis=0), table[groups[j]].sum(axis=0)])
                p[i, j] = likelihood_ratio(two[:, two.any(axis=0)]).pvalue
            i, j = max(p, key=p.get)
            if p[i, j] <= 0.05:
                break
            groups[i] = sorted(groups[i] + groups.pop(j))
        expected = likelihood_ratio(np.array([table[group].sum(axis=0) for group in groups]))
        assert test.n_groups == len(groups)
        assert_allclose([test.statistic, test.dof], [expected.statistic, expected.dof], rtol=1e-9)
        p = min(1, expected.pvalue * ways_to_merge(len(table), len(groups), bool(test.edges)))
        assert_allclose(p_value(candidate.score), p, rtol=1e-6)
    pearson = root(frame, y, alpha_split=1.0)
    assert pearson.candidates[0].test.statistic != step.candidates[0].test.statistic


def test_scores_go_on_where_p_values_vanish():
    """The leading terms join the exact values where these end."""
    assert_allclose(chi2_score(1334.0, 2), 667 / np.log(10), rtol=1e-12)
    assert_allclose(chi2_score(2000.0, 2), 1000 / np.log(10), rtol=1e-12)
    assert 0 < chi2_score(1400.0, 5) - chi2_score(1300.0, 5) < 22
    before, after = f_score(1330.0, 2, 900.0), f_score(1340.0, 2, 900.0)
    assert 0 < after - before < 2
    assert f_score(1e5, 2, 5000.0) > 300


def test_intervals_hold_about_as_many_rows():
    x = np.arange(100.0)
    assert intervals(x, np.ones(100)).tolist() == [9, 19, 29, 39, 49, 59, 69, 79, 89]
    assert intervals(np.repeat([1.0, 2.0], 50), np.ones(100)).tolist() == [1.0]
    assert intervals(np.full(5, np.nan), np.ones(5)).tolist() == []
    weights = np.where(x < 10, 1.0, 0.0)
    assert intervals(x, weights).tolist() == list(range(9))


def test_neighbouring_intervals_are_merged_and_thresholds_occur():
    x = np.arange(200.0)
    y = np.where((x > 59) & (x < 140), 1, 0)
    step = root(x[:, None], y)
    assert step.chosen.split.thresholds == (59.0, 139.0)
    assert step.chosen.test.n_values == 10
    assert step.chosen.test.n_ways == 36


def test_missing_values_join_what_is_like_them():
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 100, 300)
    y = (x > 50).astype(int)
    lost = rng.random(300) < 0.2
    like_high = np.where(lost & (x > 50), np.nan, x)
    split = root(like_high[:, None], y).chosen.split
    assert split.missing == split.n_branches - 1 == len(split.thresholds)
    mixed = np.where(lost, np.nan, x)
    split = root(mixed[:, None], y).chosen.split
    low, high = split.thresholds
    assert low < 50 < high
    assert split.missing == 1  # the interval around the border is as mixed
    assert split.conditions("x")[1].endswith("(or missing)")
    informative = pd.DataFrame({"a": np.where(y == 1, np.nan, 7.0)})
    model = CHAID().fit(informative, y)
    assert model.export_rules() == [
        f"if a is known then 0 ({(y == 0).sum()})",
        f"if a is missing then 1 ({(y == 1).sum()})",
    ]


def test_alpha_says_when_to_merge_and_when_to_stop():
    frame = load("titanic").frame
    X, y = frame[["class"]], frame["survived"]
    assert root(X, y).chosen.split.n_branches == 3
    assert root(X, y, alpha_merge=0.9).chosen.split.n_branches == 4
    assert root(X, y, alpha_merge=1e-9).chosen.split.n_branches == 2
    rng = np.random.default_rng(5)
    noise = rng.integers(0, 3, (60, 2)).astype(str)
    labels = rng.integers(0, 2, 60)
    assert root(noise, labels, alpha_split=0.001).reason == "No split reaches the required score."
    best = root(noise, labels).candidates[0].score
    assert root(noise, labels, alpha_split=10**-best * 1.001).phase == "split"
    assert root(noise, labels, alpha_split=10**-best * 0.999).phase == "leaf"


def test_small_groups_are_merged_with_the_most_alike():
    frame = pd.DataFrame({"a": ["u"] * 40 + ["v"] * 40 + ["w"] * 3})
    y = [0] * 40 + [1] * 40 + [1, 1, 0]
    step = root(frame, y, min_samples_leaf=10, alpha_merge=0.9)
    assert [merge.small for merge in step.chosen.test.merges] == [True]
    assert step.chosen.split.branches == (0, 1, 1)
    assert step.chosen.counts.sum(axis=1).min() >= 10


def test_fractional_chaid_leaves_missing_values_out():
    frame = load("heart_disease").frame
    X, y = frame[["vessels"]], frame["narrowing"]
    step = root(X, y, missing="fractional")
    assert step.chosen.missing == X["vessels"].isna().sum()
    assert step.chosen.split.missing == -1


def test_many_values():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.integers(0, 400, 1500).astype(str)})
    model = CHAID().fit(X, rng.integers(0, 2, 1500))
    assert model.tree_.node_count >= 1
    assert log10(ways_to_merge(30, 3)) == pytest.approx(log10((3**29 + 1) / 2 - 2**29), rel=1e-9)
