"""Decision trees against brute force."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from dmlib.classification import DecisionTreeClassifier, OneR
from dmlib.trees import impurity
from tests.classification.decision_tree.data import GOLDEN, steps

MEASURED = ["gini", "entropy", "error", "dkm"]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 1)), min_size=4, max_size=25
    ),
    st.sampled_from(MEASURED),
    st.integers(1, 3),
)
def test_the_best_split_is_the_best_of_all(rows, criterion, min_size):
    values = np.array(rows, float)
    X, y = values[:, :2], values[:, 2].astype(int)
    if len(set(y)) < 2:
        return
    root = steps(
        DecisionTreeClassifier(criterion=criterion, max_depth=1, min_samples_leaf=min_size), X, y
    )[0]
    worths = []
    for column, threshold in product(range(2), np.arange(0.5, 4)):
        is_first = X[:, column] <= threshold
        if min(is_first.sum(), (~is_first).sum()) >= min_size:
            parts = [np.bincount(y[side], minlength=2) for side in (is_first, ~is_first)]
            after = sum(part.sum() * impurity(part, criterion) for part in parts) / len(y)
            worths.append(impurity(np.bincount(y), criterion) - after)
    assert (root.best is None) == (not worths)
    if worths:
        assert_allclose(root.best.score, max(worths), atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 13), st.integers(0, 2)), min_size=4, max_size=40),
    st.sampled_from(["gini", "entropy"]),
    st.booleans(),
)
def test_nominal_values_are_divided_in_the_best_way(rows, criterion, two_classes):
    codes, y = np.array(rows).T
    codes, y = (codes, np.minimum(y, 1)) if two_classes else (codes % 6, y)
    X = pd.DataFrame({"a": [f"value {code:02d}" for code in codes]})
    if len(set(y)) < 2:
        return
    root = steps(DecisionTreeClassifier(criterion=criterion, max_depth=1), X, y)[0]
    counts = np.array([np.bincount(y[codes == code], minlength=3) for code in np.unique(codes)])
    best = -1.0
    for number in range(1, 2 ** (len(counts) - 1)) if len(counts) < 12 else ():
        first = (number >> np.arange(len(counts))) & 1 == 1
        parts = [counts[side].sum(axis=0) for side in (first, ~first)]
        after = sum(part.sum() * impurity(part, criterion) for part in parts) / len(y)
        best = max(best, impurity(counts.sum(axis=0), criterion) - after)
    if 1 < len(counts) < 12:
        assert_allclose(root.best.score, best, atol=1e-12)
        assert_allclose(root.best.counts.sum(axis=0), root.counts)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(1, 3)), min_size=3, max_size=25
    )
)
def test_a_weight_is_as_good_as_copies(rows):
    values = np.array(rows, float)
    X, y, weights = values[:, :1], values[:, 1].astype(int), values[:, 2].astype(int)
    weighted = DecisionTreeClassifier().fit(X, y, weights)
    repeated = DecisionTreeClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-9)


def test_thresholds_of_the_tax_data():
    """The table in Tan, Steinbach and Kumar (2006), section 4.3."""
    rows = pd.DataFrame(GOLDEN["evade"]["rows"], columns=GOLDEN["evade"]["columns"])
    root = steps(DecisionTreeClassifier(max_depth=1), rows[["Taxable Income"]], rows["Evade"])[0]
    got = {str(float(c.split.thresholds[0])): 0.42 - c.score for c in root.candidates}
    assert got == pytest.approx(GOLDEN["evade"]["gini_by_threshold"])
    assert root.chosen.split.thresholds == (97.5,)


def buckets(x, y, min_bucket):
    """1R as R. C. Holte (1993) and Weka loop over the rows."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    i, cuts, classes = 0, [], []
    while i < len(x):
        counts = {}
        while True:
            it = y[i]
            counts[it] = counts.get(it, 0) + 1
            i += 1
            if counts[it] >= min_bucket or i == len(x):
                break
        while i < len(x) and (y[i] == it or x[i] == x[i - 1]):
            if y[i] != it and x[i] != x[i - 1]:
                break
            if y[i] != it:
                while i < len(x) and x[i] == x[i - 1]:
                    counts[y[i]] = counts.get(y[i], 0) + 1
                    i += 1
                break
            counts[y[i]] += 1
            i += 1
        largest = max(counts.values())
        it = it if counts[it] == largest else min(c for c in counts if counts[c] == largest)
        if classes and counts.get(classes[-1], 0) == largest:
            it = classes[-1]
        if classes and it == classes[-1]:
            cuts.pop()
        else:
            classes.append(it)
        cuts.append((x[i - 1] + x[i]) / 2 if i < len(x) else np.inf)
    return [cut for cut in cuts if np.isfinite(cut)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=6, max_size=50),
    st.integers(1, 6),
)
def test_one_r_fills_buckets(rows, min_bucket):
    x, y = np.array(rows).T
    if len(set(y)) < 2:
        return
    model = OneR(min_bucket=min_bucket).fit(x[:, None], y)
    split = model.tree_.splits.split(0)
    assert_allclose(
        [] if split is None else split.thresholds, buckets(x.astype(float), y, min_bucket)
    )
