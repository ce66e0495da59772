"""RIPPER: description lengths against plain sums, and what optimisation never does."""

from itertools import pairwise
from math import comb, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.classification import RIPPER
from dmlib.classification.rule_learning.conditions import Condition, Rule
from dmlib.classification.rule_learning.description import Description
from dmlib.classification.rule_learning.description_length import (
    exception_bits,
    subset_bits,
    theory_bits,
)
from dmlib.classification.rule_learning.ripper import MAX_EXCESS, rules_of_class
from dmlib.classification.rule_learning.search import Rows
from dmlib.classification.rule_learning.sequential_covering import pruned
from dmlib.datasets import load, make
from tests.classification.rule_learning.test_brute_force import every_condition, tiny

MOONS = make("moons", n_samples=200, noise=2.0, random_state=1).frame


def plain_theory(k, n):
    """Cohen (1995), section 3.3: the number k, and which k of n, one condition at a time."""
    bits = 0.0 if k < 2 else log2(k) + 2 * log2(log2(k))
    for i in range(n):
        bits -= log2(k / n) if i < k else log2((n - k) / n)
    return bits / 2


def plain_exceptions(fires, is_target):
    """Quinlan (1995): each row says whether it is an exception, at the cost of its surprise."""
    errors = fires != is_target
    sides = [errors[fires].tolist(), errors[~fires].tolist()]
    small, large = sorted(sides, key=len) if len(sides[0]) != len(sides[1]) else sides
    bits = log2(len(errors) + 1)
    for side, expected in ((small, sum(small)), (large, errors.sum() / 2)):
        for is_error in side:
            p = expected / len(side)
            bits -= log2(p if is_error else 1 - p)
    return bits


@given(st.integers(1, 12), st.integers(0, 30))
def test_the_bits_of_a_rule_are_those_of_a_plain_sum(k, n_unused):
    assert theory_bits(k, k + n_unused) == pytest.approx(plain_theory(k, k + n_unused))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_bits_of_exceptions_are_those_of_a_plain_sum(rows):
    fires, is_target = np.array(rows).T
    counts = (fires.sum(), (~fires).sum(), (fires & ~is_target).sum(), (~fires & is_target).sum())
    assert exception_bits(*map(int, counts)) == pytest.approx(plain_exceptions(fires, is_target))


def test_bits_by_hand():
    """Two of ten conditions; 3 rows covered, none wrong; 11 others, of which 2 are."""
    assert theory_bits(2, 10) == pytest.approx((1 + 2 * log2(5) + 8 * log2(1.25)) / 2)
    expected = log2(15) + 2 * log2(11) + 9 * log2(1.1)
    assert exception_bits(3, 11, 0, 2) == pytest.approx(expected)
    assert theory_bits(0, 10) == theory_bits(1, 1) == 0
    assert subset_bits(8, 4, 0.5) >= log2(comb(8, 4))


@given(tiny)
def test_all_conditions_are_counted(data):
    X = np.array(data[0], float)
    assert Rows.read(X, data[1]).n_conditions == len(list(every_condition(X)))


def test_conditions_of_names_are_their_values():
    weather = load("weather_nominal").frame
    rows = Rows.read(weather.drop(columns="play"), weather["play"])
    assert rows.n_conditions == 3 + 3 + 2 + 2


def binary(data):
    X, y = np.array(data[0], float), np.array(data[1]) > 0
    return X, np.where(y, "b", "a")


def length_of(model, X, y):
    """The bits of the rules of two classes at the end."""
    rows = Rows.read(X, y)
    (target,) = {rule.target for rule in model.rules_} or {1 - model.default_}
    return Description(rows, np.ones(len(y), bool), target).length(model.rules_).total


@given(tiny, st.integers(0, 3))
def test_no_pass_makes_the_description_longer(data, seed):
    X, y = binary(data)
    if len(set(y)) == 2:
        bits = []
        for k in range(4):
            *_, last = RIPPER(k=k, random_state=seed).steps(X, y)
            first = next(RIPPER(k=k).steps(X, y))
            task = Description(Rows.read(X, y), np.ones(len(y), bool), first.target)
            bits.append(task.length(last.rules).total)
        assert all(after <= before for before, after in pairwise(bits))


@pytest.mark.parametrize("seed", range(4))
def test_no_pass_makes_a_noisy_description_longer(seed):
    X, y = MOONS[["x", "y"]], MOONS["class"]
    bits = [length_of(RIPPER(k=k, random_state=seed).fit(X, y), X, y) for k in range(4)]
    assert all(after <= before for before, after in pairwise(bits))


@given(tiny, st.integers(0, 3))
def test_what_holds_of_the_steps(data, seed):
    X, y = np.array(data[0], float), np.array(data[1])
    rows = Rows.read(X, y)
    for step in list(RIPPER(random_state=seed).steps(X, y))[:-1]:
        rules = rules_of_class(step)
        if step.phase == "class":
            task = Description(rows, step.active, step.target)
        if step.phase in ("class", "choose", "delete"):
            smallest = task.length(rules).total
        if step.phase in ("rule", "delete"):
            assert step.lengths[-1] == task.length(rules)
        if step.phase == "delete":
            assert step.lengths[1].total <= step.lengths[0].total
        if step.phase == "reject" and step.rule.conditions:
            assert step.lengths[0].total > smallest + MAX_EXCESS
        if step.phase == "rule":
            smallest = min(smallest, step.lengths[0].total)


@given(tiny, st.integers(0, 3))
def test_the_shortest_variant_stays_and_a_revision_begins_like_its_rule(data, seed):
    X, y = np.array(data[0], float), np.array(data[1])
    for step in RIPPER(random_state=seed).steps(X, y):
        kinds = {each.kind: each.rule.conditions for each in step.variants}
        assert all(kinds.values())
        if "revision" in kinds:
            pairs = zip(kinds["original"], kinds["revision"], strict=False)
            assert all(a == b for a, b in pairs)
        if step.phase == "choose":
            totals = [each.length.total for each in step.variants]
            assert step.chosen == totals.index(min(totals))
            assert step.variants[step.chosen].rule in rules_of_class(step)


@given(tiny, st.data())
def test_a_variant_is_pruned_for_the_smallest_error_of_the_list(data, draw):
    """The error of all rules together, counted row by row for each length of one of them."""
    X, y = binary(data)
    rows = Rows.read(X, y)
    conditions = [Condition(*each) for each in every_condition(X)]
    if len(set(y)) < 2 or not conditions:
        return
    drawn = st.lists(st.sampled_from(conditions), min_size=1, max_size=3)
    rule, *others = (Rule(tuple(draw.draw(drawn)), 1) for _ in range(3))
    is_pruning = np.array(draw.draw(st.lists(st.booleans(), min_size=len(y), max_size=len(y))))
    covered = np.any([each.covers(X) for each in others], axis=0)
    errors = [
        int((((covered | each.rule.covers(X)) != (rows.codes == 1)) & is_pruning).sum())
        for each in pruned(rule, rows, is_pruning)
    ]
    values = [each.value for each in pruned(rule, rows, is_pruning & ~covered)]
    assert errors.index(min(errors)) == values.index(max(values))


def test_rules_end_where_the_description_is_64_bits_too_long():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 8)), np.where(rng.random(600) < 0.4, "a", "b")
    steps = list(RIPPER(k=0).steps(X, y))
    rejected = [step for step in steps if step.phase == "reject" and step.lengths[0].theory]
    totals = [step.lengths[0].total for step in steps if step.phase == "rule"]
    empty = exception_bits(0, 600, 0, int((y == "a").sum()))
    assert rejected[0].lengths[0].total > min([empty, *totals]) + MAX_EXCESS
    assert steps[-1].rules == () or steps[-2].phase == "delete"


def test_no_pass_has_no_variants_and_each_pass_one_choice_for_each_rule():
    X, y = MOONS[["x", "y"]], MOONS["class"]
    assert not any(step.variants for step in RIPPER(k=0).steps(X, y))
    steps = list(RIPPER(k=1).steps(X, y))
    first = next(i for i, step in enumerate(steps) if step.phase == "original")
    n_rules = len(steps[first - 1].rules)
    assert sum(step.phase == "choose" for step in steps) == n_rules
    assert RIPPER().fit(X, y).score(X, y) > 0.7
