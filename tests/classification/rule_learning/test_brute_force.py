"""Rule learners against plain loops over tiny tables of numbers."""

from fractions import Fraction
from itertools import pairwise
from math import log2

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dmlib.classification import PRISM, SequentialCovering


def every_condition(X):
    """All conditions of a table of numbers, column by column as they are listed."""
    for j in range(X.shape[1]):
        values = sorted(set(X[:, j].tolist()))
        places = [(a + b) / 2 for a, b in pairwise(values)]
        yield from ((j, "≤", place) for place in places)
        yield from ((j, ">", place) for place in places)


def fulfils(row, condition):
    j, operator, value = condition
    return row[j] <= value if operator == "≤" else row[j] > value


def grown(X, y, rows, target, measure):
    """Grow a rule on some rows, one by one; return its conditions."""
    conditions_so_far, rows = [], list(rows)
    while any(y[i] != target for i in rows):
        p0, t0 = sum(y[i] == target for i in rows), len(rows)
        best = None
        for condition in every_condition(X[rows]):
            covered = [i for i in rows if fulfils(X[i], condition)]
            p, t = sum(y[i] == target for i in covered), len(covered)
            if p and t < t0:
                key = (measure(p, t, p0, t0), p)
                if best is None or key > best[0]:
                    best = key, condition, covered
        if best is None or best[0][0] <= 0:
            break
        conditions_so_far.append(best[1])
        rows = best[2]
    return conditions_so_far


def by_accuracy(p, t, p0, t0):
    return Fraction(p, t)


def by_gain(p, t, p0, t0):
    return round(p * (log2(p / t) - log2(p0 / t0)), 9)


def prism(X, y, n_classes):
    rules = []
    for target in range(n_classes):
        rows = list(range(len(X)))
        while any(y[i] == target for i in rows):
            rule = grown(X, y, rows, target, by_accuracy)
            if not rule:
                break
            rules.append((rule, target))
            rows = [i for i in rows if not all(fulfils(X[i], each) for each in rule)]
    return rules


def as_tuples(rules):
    return [
        ([(each.column, each.operator, each.value) for each in rule.conditions], rule.target)
        for rule in rules
    ]


tiny = st.integers(2, 10).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


@given(tiny)
def test_prism_agrees_with_a_plain_loop(data):
    X, y = np.array(data[0], float), np.unique(data[1], return_inverse=True)[1]
    model = PRISM().fit(X, y)
    assert as_tuples(model.rules_) == prism(X, y, len(model.classes_))


@given(tiny)
def test_the_first_rule_of_sequential_covering_agrees_with_a_plain_loop(data):
    X, y = np.array(data[0], float), np.unique(data[1], return_inverse=True)[1]
    model = SequentialCovering(pruning=False, class_order="name").fit(X, y)
    if model.rules_ and model.rules_[0].target == 0:
        expected = grown(X, y, range(len(X)), 0, by_gain)
        assert as_tuples(model.rules_)[0] == (expected, 0)
