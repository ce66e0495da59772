"""Apriori and its kin against arithmetic, Weka, mlxtend and the definition of frequent sets."""

import json
import re
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.frequent_patterns import apriori as mlxtend_apriori
from mlxtend.frequent_patterns import fpgrowth

from dmlib.association import AIS, SETM, Apriori, AprioriHybrid, AprioriTid, apriori, apriori_steps
from dmlib.association.apriori.definition import passes
from dmlib.association.bitsets import packed, support_counts
from dmlib.association.itemsets import PrefixTree, join
from dmlib.datasets import load

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "apriori.json").read_text("utf-8"))
FIVE = GOLDEN["five_baskets"]["baskets"]
METHODS = (Apriori, AprioriTid, AprioriHybrid, AIS, SETM)
each_method = pytest.mark.parametrize("method", METHODS)
matrices = arrays(bool, st.tuples(st.integers(1, 70), st.integers(1, 6)))
supports = st.integers(1, 20).map(lambda k: k / 20)


def columns(baskets):
    items = sorted({item for basket in baskets for item in basket})
    return pd.DataFrame(
        [[item in basket for item in items] for basket in baskets], columns=list(map(str, items))
    )


def counts(model, n_baskets):
    return {
        items: round(support * n_baskets)
        for items, support in zip(model.itemsets_, model.support_, strict=True)
    }


def by_definition(matrix, min_support, max_length=None):
    """Count every item set."""
    n, d = matrix.shape
    sets = (s for k in range(1, (max_length or d) + 1) for s in combinations(range(d), k))
    counts = {s: int(matrix[:, s].all(axis=1).sum()) for s in sets}
    return {s: count for s, count in counts.items() if count / n >= min_support}


# --- arithmetic, Weka, mlxtend --------------------------------------------------------------------


def test_five_baskets_by_hand():
    steps = list(apriori_steps(FIVE, 0.4))
    assert [(s.phase, s.level) for s in steps[:-1]] == [
        ("count", 1),
        ("join", 2),
        ("count", 2),
        ("join", 3),
        ("prune", 3),
        ("count", 3),
    ]
    singles, _, pairs, joined, pruned, triples, end = steps
    assert singles.counts.tolist() == [4, 4, 3, 2, 2]
    assert pairs.counts.tolist() == [3, 2, 1, 2, 2, 2, 1, 1, 1, 0]
    assert (joined.candidates + 1).tolist() == [[1, 2, 3], [1, 2, 5], [1, 3, 5], [2, 3, 4]]
    assert joined.pairs.tolist() == [[0, 1], [0, 2], [1, 2], [3, 4]]
    assert pruned.missing.tolist() == [-1, 0, 0, 0]
    assert (triples.candidates + 1).tolist() == [[1, 2, 3]]
    assert triples.counts.tolist() == [1]
    assert (end.n_itemsets, end.n_candidates, end.n_passes) == (10, 16, 3)


def test_a_support_that_is_reached_exactly_is_enough():
    result = apriori(FIVE, 0.6)
    for items, support in GOLDEN["five_baskets"]["support"]:
        assert result[tuple(items)] == support
    assert (1, 2) not in apriori(FIVE, 0.6000001)


def test_tea_and_coffee():
    facts = GOLDEN["tea_coffee"]
    n_joint = facts["both"]
    baskets = [{"tea", "coffee"}] * n_joint + [{"tea"}] * (facts["tea"] - n_joint)
    baskets += [{"coffee"}] * (facts["coffee"] - n_joint) + [set()] * facts["neither"]
    assert apriori(baskets, 0.1) == {
        ("coffee",): 0.25,
        ("tea",): 0.9,
        ("coffee", "tea"): facts["support"],
    }


@each_method
def test_weather_as_weka_counts_it(method):
    frame = load("weather_nominal").frame.astype(str)
    X = pd.get_dummies(frame, prefix_sep="=")
    result = counts(method(2 / 14).fit(X), len(X))
    ours = {frozenset(map(str.lower, items)): n for items, n in result.items()}
    weka = {frozenset(map(str.lower, items)): n for items, n in GOLDEN["weather"]["counts"]}
    assert ours == weka


@each_method
def test_thirty_baskets_as_mlxtend_counts_them(method):
    facts = GOLDEN["baskets30"]
    X = columns(facts["baskets"])
    model = method(0.1).fit(X)
    assert {frozenset(items): n for items, n in counts(model, 30).items()} == {
        frozenset(items): n for items, n in facts["counts"]
    }
    maximal = {frozenset(s) for s, yes in zip(model.itemsets_, model.maximal_, strict=True) if yes}
    assert maximal == set(map(frozenset, facts["maximal"]))
    assert np.bincount(model.membership_.sum(axis=1))[1:].tolist() == facts["by_size"]


@each_method
@pytest.mark.parametrize("name", ["titanic_baskets", "zoo_baskets", "planted_baskets"])
@pytest.mark.parametrize("oracle", [mlxtend_apriori, fpgrowth])
@pytest.mark.parametrize("max_length", [None, 2])
def test_the_library_as_mlxtend_mines_it(method, name, oracle, max_length):
    X = columns(load(name).transactions)
    model = method(0.15, max_length=max_length).fit(X)
    table = oracle(X, min_support=0.15, max_len=max_length, use_colnames=True)
    theirs = dict(zip(table["itemsets"], table["support"], strict=True))
    assert dict(zip(map(frozenset, model.itemsets_), model.support_, strict=True)) == theirs


# --- invariants -----------------------------------------------------------------------------------


@given(matrices, supports, st.one_of(st.none(), st.integers(1, 6)))
def test_every_method_finds_what_the_definition_says(matrix, min_support, max_length):
    expected = by_definition(matrix, min_support, min(max_length or 6, matrix.shape[1]))
    for method in METHODS:
        model = method(min_support, max_length=max_length).fit(matrix)
        assert counts(model, len(matrix)) == expected
        end = list(method(min_support, max_length=max_length).steps(matrix))[-1]
        assert (end.n_itemsets, end.n_candidates) == (model.n_itemsets_, model.n_candidates_)


@given(matrices, supports)
def test_candidates_of_apriori_are_the_sets_whose_subsets_are_frequent(matrix, min_support):
    frequent = by_definition(matrix, min_support)
    d = matrix.shape[1]
    sets = [s for k in range(2, d + 1) for s in combinations(range(d), k)]
    expected = {s for s in sets if set(combinations(s, len(s) - 1)) <= set(frequent)}
    steps = [step for step in Apriori(min_support).steps(matrix) if step.phase == "count"]
    counted = {tuple(c) for step in steps[1:] for c in step.candidates.tolist()}
    assert counted == expected
    ais = [step for step in AIS(min_support).steps(matrix) if step.phase == "count"]
    assert {c for c in counted if matrix[:, c].all(axis=1).any()} <= {
        tuple(c) for step in ais[1:] for c in step.candidates.tolist()
    }


@given(matrices, supports)
def test_a_pruned_candidate_misses_the_subset_that_is_named(matrix, min_support):
    frequent = by_definition(matrix, min_support)
    for step in Apriori(min_support).steps(matrix):
        for candidate, place in zip(step.candidates, step.missing, strict=False):
            subsets = [tuple(np.delete(candidate, j).tolist()) for j in range(step.level)]
            lacking = [subset for subset in subsets if subset not in frequent]
            assert not lacking if place < 0 else subsets[place] == lacking[0]


@given(matrices, supports)
def test_maximal_and_closed_by_their_definitions(matrix, min_support):
    model = Apriori(min_support).fit(matrix)
    frequent = counts(model, len(matrix))
    for row, items in enumerate(model.itemsets_):
        above = [count for larger, count in frequent.items() if set(items) < set(larger)]
        assert model.maximal_[row] == (not above)
        assert model.closed_[row] == (frequent[items] not in above)


@given(matrices, supports)
def test_the_lists_of_aprioritid_are_of_the_baskets_with_a_candidate(matrix, min_support):
    for step in AprioriTid(min_support).steps(matrix):
        if step.phase == "count":
            inside = [matrix[:, candidate].all(axis=1) for candidate in step.candidates]
            assert step.remaining.tolist() == np.any(inside, axis=0).tolist()
        assert step.n_passes == 1


@given(matrices, supports, st.integers(0, 200))
def test_what_the_methods_hold_by_its_definition(matrix, min_support, max_entries):
    steps = [step for step in Apriori(min_support).steps(matrix) if step.phase == "count"]
    ais = [step for step in AIS(min_support).steps(matrix) if step.phase == "count"]
    sizes = [step.candidates.size for step in steps]
    inside = [
        step.counts.sum() + matrix[:, step.candidates].all(axis=2).any(axis=1).sum()
        for step in steps
    ]
    assert Apriori(min_support).fit(matrix).memory_per_level_.tolist() == sizes
    lists = [size + entries for size, entries in zip(sizes, inside, strict=True)]
    assert AprioriTid(min_support).fit(matrix).memory_per_level_.tolist() == lists
    tables = [step.counts.sum() * (step.level + 1) for step in ais]
    assert SETM(min_support).fit(matrix).memory_per_level_.tolist() == tables
    hybrid = AprioriHybrid(min_support, max_entries=max_entries).fit(matrix)
    counted = {frozenset(items) for step in steps for items in step.candidates.tolist()}
    n_read = passes(counted, matrix, min_support, "AprioriHybrid", max_entries)
    assert hybrid.n_passes_ == n_read
    switch = next(
        (k for k, size in enumerate(sizes) if hybrid.memory_per_level_[k] > size), len(sizes)
    )
    assert hybrid.memory_per_level_.tolist() == sizes[:switch] + lists[switch:]
    assert n_read == min(switch + 1, len(sizes))


@given(matrices)
def test_bits_are_counted_as_ticks(matrix):
    d = matrix.shape[1]
    pairs = np.array(list(combinations(range(d), 2)), int).reshape(-1, 2)
    expected = [int(matrix[:, pair].all(axis=1).sum()) for pair in pairs]
    assert support_counts(packed(matrix), pairs).tolist() == expected


@given(st.sets(st.frozensets(st.integers(0, 6), min_size=2, max_size=2), max_size=12))
def test_join_and_tree_by_their_definitions(pairs):
    sets = np.array(sorted(map(sorted, pairs)), int).reshape(-1, 2)
    expected = [(a, b) for a, b in combinations(range(len(sets)), 2) if sets[a, 0] == sets[b, 0]]
    assert join(sets).tolist() == [list(pair) for pair in expected]
    tree = PrefixTree(7)
    tree.grow(np.arange(7)[:, None])
    tree.grow(sets)
    all_pairs = np.array(list(combinations(range(7), 2)))
    places = {tuple(s): i for i, s in enumerate(sets.tolist())}
    assert tree.find(all_pairs).tolist() == [places.get(tuple(s), -1) for s in all_pairs.tolist()]


# --- degenerate input and refusals ----------------------------------------------------------------


@each_method
def test_nothing_is_frequent(method):
    model = method(0.9).fit(np.eye(3, dtype=bool))
    assert model.itemsets_ == []
    assert model.n_candidates_ == 3
    *_, end = method(0.9).steps(np.eye(3))
    assert end.reason == "No item is frequent, so no larger set is."


@each_method
def test_one_item_in_one_basket(method):
    assert method(1.0).fit([[1]]).itemsets_ == [(0,)]


def test_a_maximum_length_ends_the_search():
    *_, count, end = apriori_steps(FIVE, 0.4, 1)
    assert (count.phase, end.n_passes) == ("count", 1)
    assert "max_length" in end.reason


def test_baskets_without_items_are_refused():
    with pytest.raises(ValueError, match="No basket contains an item"):
        apriori([[], []])


def advice(message):
    support = re.search(r"min_support to ([\d.]+)", message)
    length = re.search(r"max_length to (\d+)", message)
    return support and float(support[1]), int(length[1])


@each_method
def test_an_explosion_is_refused_with_what_works(method):
    X = np.random.default_rng(0).random((60, 30)) < 0.3
    X[:2] = True
    X[:20, :5] = True
    with pytest.raises(ValueError, match=r"candidates of .* items, more than 20,000") as refused:
        list(method(0.03, max_candidates=20_000).steps(X))
    support, length = advice(str(refused.value))
    assert 0.03 < support < 0.5
    assert method(support, max_candidates=20_000).fit(X).n_itemsets_ > 30
    assert method(0.03, max_length=length, max_candidates=20_000).fit(X).n_itemsets_ > 30


def test_the_number_of_candidates_is_told_before_any_is_counted():
    steps = []
    X = np.ones((4, 30), bool)
    subsets = "A set of 30 items is frequent, and with it its 1,073,741,823 subsets"
    message = f"{subsets}: there would be {comb(30, 4):,} candidates of 4 items"
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        steps.extend(Apriori(0.5, max_candidates=10_000).steps(X))
    assert steps == []
    assert "Set max_length to 3." in str(refused.value)
    limited = Apriori(0.5, max_length=3, max_candidates=10_000)
    assert max(step.level for step in limited.steps(X)) == 3


def test_a_matrix_of_numbers_holds_an_item_where_it_is_not_zero():
    numbers = np.array([[2.5, 0.0], [-1.0, 3.0]])
    assert Apriori(0.5).fit(numbers).itemsets_ == Apriori(0.5).fit(numbers != 0).itemsets_
