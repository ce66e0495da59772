"""Impurities and criteria against their definitions."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import chi2_contingency, ks_2samp
from sklearn.metrics import roc_auc_score

from dmlib.trees.impurity import CRITERIA, MEASURES, decrease, impurity, split_info

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "tests" / "golden" / "decision_tree.json").read_text()
)
COUNTS = np.array([[9.0, 2.0], [3.0, 6.0], [1.0, 4.0]])  # three branches, two classes
tables = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), min_size=2, max_size=4).map(
    np.array
)


def score(criterion, branches, missing=0.0):
    return float(CRITERIA[criterion].score(np.asarray(branches, float)[:, :, None], missing)[0])


@pytest.mark.parametrize("measure", ["entropy", "gini", "error"])
def test_extremes(measure):
    for n_classes, expected in GOLDEN["impurity_extremes"]["expected"]["uniform"].items():
        assert_allclose(impurity(np.ones(int(n_classes)), measure), expected[measure], rtol=1e-12)
    assert impurity([7, 0, 0], measure) == 0
    assert impurity([0, 0], measure) == 0


def test_entropy_of_the_weather():
    assert_allclose(
        impurity([9, 5], "entropy"), GOLDEN["weather_root"]["expected"]["entropy"], rtol=1e-12
    )


def test_dkm_is_the_geometric_mean():
    assert_allclose(impurity([3, 5], "dkm"), 2 * np.sqrt(3 / 8 * 5 / 8))


@given(tables, st.sampled_from(sorted(MEASURES)))
def test_impurity_never_rises(counts, measure):
    assert decrease(counts[:, :, None].astype(float), 0.0, measure)[0] >= -1e-12


@given(tables, st.sampled_from(sorted(set(CRITERIA) - {"twoing", "ort", "agreement"})))
def test_scores_are_finite_even_if_branches_or_classes_are_empty(counts, criterion):
    value = score(criterion, counts)
    assert np.isfinite(value)
    assert value >= -1e-12


def test_statistics():
    statistic, *_ = chi2_contingency(COUNTS, correction=False)
    assert_allclose(score("chi2", COUNTS), statistic)
    likelihood, *_ = chi2_contingency(COUNTS, correction=False, lambda_="log-likelihood")
    assert_allclose(score("g2", COUNTS), likelihood)


def test_normalised_gains():
    gain = score("entropy", COUNTS)
    sizes = COUNTS.sum(axis=1)
    assert_allclose(split_info(COUNTS[:, :, None], 0.0)[0], impurity(sizes, "entropy"))
    assert_allclose(score("gain_ratio", COUNTS), gain / impurity(sizes, "entropy"))
    assert_allclose(score("distance", COUNTS), gain / impurity(COUNTS.ravel(), "entropy"))


def test_two_branches():
    first, second = branches = COUNTS[:2]
    p, q = first / first.sum(), second / second.sum()
    share = first.sum() / branches.sum()
    assert_allclose(
        score("twoing", branches), 0.25 * share * (1 - share) * np.abs(p - q).sum() ** 2
    )
    assert_allclose(score("twoing", branches) * 2, score("gini", branches))
    assert_allclose(score("ort", branches), 1 - p @ q / np.linalg.norm(p) / np.linalg.norm(q))


def test_distances_of_two_classes():
    ordered = COUNTS[np.argsort(COUNTS[:, 0] / COUNTS.sum(axis=1))]
    values = np.repeat([0, 0, 1, 1, 2, 2], ordered.ravel().astype(int))
    labels = np.repeat([1, 0] * 3, ordered.ravel().astype(int))
    assert_allclose(score("auc", COUNTS), roc_auc_score(labels, values))
    two = COUNTS[:2]
    values = np.repeat([0, 0, 1, 1], two.ravel().astype(int))
    labels = np.repeat([1, 0] * 2, two.ravel().astype(int))
    assert_allclose(score("ks", two), ks_2samp(values[labels == 1], values[labels == 0]).statistic)


@pytest.mark.parametrize(
    "criterion", ["gini", "entropy", "error", "distance", "ks", "auc", "twoing", "ort"]
)
def test_unknown_values_lower_the_score_in_proportion(criterion):
    branches = COUNTS[:2]
    assert_allclose(score(criterion, branches, branches.sum()), score(criterion, branches) / 2)


def test_unknown_values_are_one_more_branch_for_the_gain_ratio():
    sizes = [*COUNTS.sum(axis=1), 5.0]
    gain = score("entropy", COUNTS) * 25 / 30
    assert_allclose(score("gain_ratio", COUNTS, 5.0), gain / impurity(sizes, "entropy"))
