"""FP-growth against arithmetic, mlxtend, Apriori and the definition of a frequent item set."""

import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.frequent_patterns import apriori as mlxtend_apriori
from mlxtend.frequent_patterns import fpgrowth

from dmlib.association import Apriori, FPGrowth, fp_growth, fp_growth_steps
from dmlib.association.bitsets import packed
from dmlib.association.fp_growth.definition import conditional_trees, ordered, prefixes
from dmlib.association.fp_growth.growth import ORDERS
from dmlib.association.fp_growth.replay import Replay
from dmlib.association.itemsets import long_itemset, n_frequent
from dmlib.datasets import load
from dmlib.problem import prepare_baskets
from tests.association.apriori.test_algorithm import by_definition, counts, matrices, supports

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "apriori.json").read_text("utf-8"))
FIVE = GOLDEN["five_baskets"]["baskets"]
orders = st.sampled_from(ORDERS)


# --- arithmetic, the paper, mlxtend ---------------------------------------------------------------


def test_five_baskets_by_hand():
    steps = list(fp_growth_steps(FIVE, 0.4))
    inserted = [step for step in steps if step.phase == "insert"]
    assert [step.nodes for step in inserted] == [
        (1, 2, 3),
        (4, 5, 6),
        (1, 2, 7),
        (1, 2, 8),
        (1, 9, 10),
    ]
    assert [step.n_shared for step in inserted] == [0, 0, 2, 2, 1]
    assert [step.counts.tolist() for step in inserted] == [
        [1, 1, 1],
        [1, 1, 1],
        [2, 2, 1],
        [3, 3, 1],
        [4, 1, 1],
    ]
    patterns = [tuple(j + 1 for j in step.items) for step in steps if step.phase == "condition"]
    assert patterns == [(5,), (4,), (3,), (2, 3), (1, 3), (2,), (1,)]
    end = steps[-1]
    assert (end.n_itemsets, end.n_nodes, end.n_trees, end.n_conditional_nodes) == (10, 10, 4, 6)
    for items, support in GOLDEN["five_baskets"]["support"]:
        assert fp_growth(FIVE, 0.4)[tuple(items)] == support


def test_the_paper():
    """Han, Pei and Yin (2000), Figure 1 and Example 3; c and f, equally frequent, change places."""
    problem = prepare_baskets(load("han_pei_yin").transactions)
    steps = list(FPGrowth(0.6).steps(problem.data))
    names = dict(enumerate(problem.items))
    replay = Replay(steps)
    base = {
        names[step.items[0]]: sorted(
            ("".join(names[j] for j in path), n) for path, n in replay.base(step.items)
        )
        for step in steps
        if step.phase == "condition" and len(step.items) == 1
    }
    assert base == {
        "p": [("cb", 1), ("cfam", 2)],
        "m": [("cfa", 2), ("cfab", 1)],
        "b": [("c", 1), ("cfa", 1), ("f", 1)],
        "a": [("cf", 3)],
        "f": [("", 1), ("c", 3)],
        "c": [("", 4)],
    }
    (combined,) = [
        s for s in steps if s.phase == "combine" and [names[j] for j in s.suffix] == ["m"]
    ]
    assert {
        ("".join(sorted(names[j] for j in items)), n) for items, n in combined.new_itemsets
    } == {(items, 3) for items in ("cm", "fm", "am", "cfm", "acm", "afm", "acfm")}


@pytest.mark.parametrize("name", ["titanic_baskets", "zoo_baskets", "planted_baskets"])
@pytest.mark.parametrize("oracle", [mlxtend_apriori, fpgrowth])
@pytest.mark.parametrize("max_length", [None, 2])
def test_the_library_as_mlxtend_mines_it(name, oracle, max_length):
    X = prepare_baskets(load(name).transactions).data
    model = FPGrowth(0.15, max_length=max_length).fit(X)
    table = oracle(X, min_support=0.15, max_len=max_length, use_colnames=True)
    theirs = dict(zip(table["itemsets"], table["support"], strict=True))
    assert dict(zip(map(frozenset, model.itemsets_), model.support_, strict=True)) == theirs


# --- invariants -----------------------------------------------------------------------------------


@given(matrices, supports, st.one_of(st.none(), st.integers(1, 6)), orders)
def test_any_order_finds_what_the_definition_says_and_apriori_finds(
    matrix, min_support, max_length, order
):
    model = FPGrowth(min_support, max_length=max_length, order=order).fit(matrix)
    expected = by_definition(matrix, min_support, min(max_length or 6, matrix.shape[1]))
    assert counts(model, len(matrix)) == expected
    by_apriori = Apriori(min_support, max_length=max_length).fit(matrix)
    assert model.itemsets_ == by_apriori.itemsets_
    for name in ("support_", "membership_", "maximal_", "closed_"):
        assert getattr(model, name).tolist() == getattr(by_apriori, name).tolist()


@given(matrices, supports, orders)
def test_the_tree_holds_the_baskets(matrix, min_support, order):
    steps = list(FPGrowth(min_support, order=order).steps(matrix))
    tree, items = Replay(steps).tree, set(steps[0].items)
    prefixes = {
        step.items[:k]
        for step in steps
        if step.phase == "insert"
        for k in range(1, len(step.items) + 1)
    }
    assert len(tree) == len(prefixes) == steps[-1].n_nodes
    assert tree.count[0] == len(matrix)
    for item in items:
        assert sum(tree.count[node] for node in tree.links.get(item, ())) == matrix[:, item].sum()
    for node, parent in enumerate(tree.parent[1:], start=1):
        assert tree.count[node] <= tree.count[parent]
    for row, step in enumerate(step for step in steps if step.phase == "insert"):
        assert set(step.items) == items & set(np.flatnonzero(matrix[row]).tolist())
        assert [tree.item[node] for node in step.nodes] == list(step.items)


@given(matrices, supports, st.integers(1, 4), orders)
def test_trees_are_as_many_as_projected_baskets_say(matrix, min_support, max_length, order):
    model = FPGrowth(min_support, max_length=max_length, order=order).fit(matrix)
    baskets = ordered(matrix, min_support, order)
    assert model.n_nodes_ == len(prefixes(baskets))
    assert model.n_trees_ == conditional_trees(
        baskets, min_support * len(matrix) - 1e-9, max_length
    )


@given(matrices, supports, orders)
def test_each_step_finds_what_its_base_says(matrix, min_support, order):
    steps = list(FPGrowth(min_support, order=order).steps(matrix))
    replay, itemsets = Replay(steps), []
    for step in steps:
        itemsets += [items for items, _ in step.new_itemsets]
        for items, count in step.new_itemsets:
            assert matrix[:, items].all(axis=1).sum() == count
        if step.phase == "condition":
            inside = matrix[:, step.items].all(axis=1)
            last = steps[0].items.index(step.items[0])
            for place, item in enumerate(steps[0].items):
                n_joint = (matrix[:, item] & inside).sum() if place < last else 0
                tree = replay.conditional_tree(step.items[1:])
                assert step.counts[item] == (n_joint if item in tree.links or n_joint == 0 else 0)
            assert (
                sum(replay.tree.count[node] for node in replay.holding(step.items)) == inside.sum()
            )
    assert len(itemsets) == len(set(itemsets)) == steps[-1].n_itemsets


@given(matrices, st.integers(1, 10))
def test_a_large_item_set_is_frequent(matrix, min_count):
    d = matrix.shape[1]
    sizes = [
        k
        for k in range(1, d + 1)
        for s in combinations(range(d), k)
        if matrix[:, s].all(axis=1).sum() >= min_count
    ]
    size = long_itemset(packed(matrix), min_count)
    assert size in {0, *sizes}
    assert (size >= 2) == (max(sizes, default=0) >= 2)


@given(matrices, st.integers(1, 10), st.integers(1, 6), st.integers(0, 70))
def test_how_many_are_frequent_is_counted_up_to_a_limit(matrix, min_count, max_length, limit):
    d = matrix.shape[1]
    sets = (s for k in range(1, min(max_length, d) + 1) for s in combinations(range(d), k))
    n = sum(matrix[:, s].all(axis=1).sum() >= min_count for s in sets)
    assert n_frequent(packed(matrix), min_count, max_length, limit) == min(n, limit + 1)


# --- degenerate input and refusals ----------------------------------------------------------------


def test_nothing_is_frequent():
    model = FPGrowth(0.9).fit(np.eye(3, dtype=bool))
    assert (model.itemsets_, model.n_nodes_, model.n_trees_) == ([], 0, 0)
    assert list(FPGrowth(0.9).steps(np.eye(3)))[-1].reason == "No item is frequent."


def test_one_item_and_equal_baskets():
    assert FPGrowth(1.0).fit([[1]]).itemsets_ == [(0,)]
    model = FPGrowth(1.0).fit(np.ones((50, 5)))
    assert (model.n_itemsets_, model.n_nodes_, model.n_trees_) == (31, 5, 0)


def test_empty_baskets_count_but_change_nothing():
    assert fp_growth([["a"], [], []], 1 / 3) == {("a",): 1 / 3}
    with pytest.raises(ValueError, match="No basket contains an item"):
        fp_growth([[], []])


def advised(message):
    return float(re.search(r"Raise min_support to ([\d.]+),", message)[1])


def test_an_explosion_is_refused_before_it_starts_with_a_support_that_works():
    rng = np.random.default_rng(0)
    matrix = np.vstack([np.ones((2, 30), bool), rng.random((38, 30)) < 0.2])
    phases = []
    with pytest.raises(ValueError, match="At least 1,073,741,823 item sets are frequent") as caught:
        phases.extend(step.phase for step in FPGrowth(0.05).steps(matrix))
    assert phases == []
    assert FPGrowth(advised(str(caught.value))).fit(matrix).n_itemsets_ <= 10_000


@given(arrays(bool, (30, 8)), st.integers(1, 60))
def test_no_run_finds_more_than_is_allowed(matrix, max_itemsets):
    n = len(by_definition(matrix, 0.1))
    if n <= max_itemsets:
        assert FPGrowth(0.1, max_itemsets=max_itemsets).fit(matrix).n_itemsets_ == n
        return
    with pytest.raises(ValueError, match="item sets are frequent, more than") as caught:
        FPGrowth(0.1, max_itemsets=max_itemsets).fit(matrix)
    assert int(re.search(r"At least ([\d,]+)", str(caught.value))[1].replace(",", "")) <= n
    if "Raise" in str(caught.value):
        assert len(by_definition(matrix, advised(str(caught.value)))) <= max_itemsets


def test_of_many_baskets_every_few_have_a_step():
    matrix = np.random.default_rng(0).random((2500, 6)) < 0.4
    steps = list(FPGrowth(0.05).steps(matrix))
    inserted = [step for step in steps if step.phase == "insert"]
    assert [step.basket for step in inserted] == [*range(2, 2499, 3), 2499]
    assert sum(1 + len(step.earlier) for step in inserted) == 2500
    tree = Replay(steps).tree
    assert len(tree) == steps[-1].n_nodes
    assert steps[-1].n_items == matrix.sum() == sum(tree.count[1:])
    assert Replay(steps).counts([len(steps) - 1]).tolist() == [tree.count]
