"""Association rules against arithmetic, Weka, mlxtend, SciPy, statsmodels and the definition."""

import json
from itertools import chain, combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mlxtend.frequent_patterns import apriori as mlxtend_apriori
from mlxtend.frequent_patterns import association_rules as mlxtend_rules
from scipy.stats import fisher_exact
from statsmodels.stats.multitest import multipletests

from dmlib.association import (
    AssociationRules,
    MultipleSupportApriori,
    adjusted_p,
    apriori,
    association_rules,
    fisher_p,
    rule_measures,
)
from dmlib.datasets import load

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "association_rules.json").read_text("utf-8")
)
ITEMSETS = json.loads((Path(__file__).parents[2] / "golden" / "apriori.json").read_text("utf-8"))
FIVE = [{1, 2, 3}, {2, 3, 4}, {1, 2, 4}, {1, 2, 5}, {1, 3, 5}]
MEASURES = [
    "support",
    "confidence",
    "lift",
    "leverage",
    "conviction",
    "zhangs_metric",
    "kulczynski",
]
matrices = arrays(bool, st.tuples(st.integers(1, 40), st.integers(1, 5)))
shares = st.integers(1, 10).map(lambda k: k / 10)


def columns(baskets):
    items = sorted({item for basket in baskets for item in basket})
    return pd.DataFrame(
        [[item in basket for item in items] for basket in baskets], columns=list(map(str, items))
    )


def keyed(rules):
    return {
        (frozenset(r["antecedents"]), frozenset(r["consequents"])): r
        for r in rules.to_dict("records")
    }


def by_definition(matrix, sets, min_confidence):
    """Test every rule of every item set."""
    rules = {}
    for items in sets:
        for a in chain.from_iterable(combinations(items, k) for k in range(1, len(items))):
            confidence = matrix[:, items].all(axis=1).sum() / matrix[:, a].all(axis=1).sum()
            if confidence >= min_confidence:
                rules[frozenset(a), frozenset(items) - frozenset(a)] = confidence
    return rules


# --- golden examples ------------------------------------------------------------------------------


def test_five_baskets():
    facts = GOLDEN["five_baskets"]
    rules = keyed(association_rules(apriori(FIVE, 0.4), 0.75, n_baskets=5))
    rule = rules[frozenset(facts["rule"][0]), frozenset(facts["rule"][1])]
    assert {name: rule[name] for name in ("support", "antecedent support", "confidence")} == {
        name: facts[name] for name in ("support", "antecedent support", "confidence")
    }


def test_tea_and_coffee():
    facts = GOLDEN["tea_coffee"]
    data = load("tea_and_coffee")
    assert [sum(item in basket for basket in data.transactions) for item in data.items] == [25, 90]
    X = columns(data.transactions)
    assert len(X) == facts["both"] + facts["neither"] + (90 - 20) + (25 - 20)
    rules = keyed(AssociationRules(0.1, 0.6).fit(X).rules_)
    rule = rules[frozenset({"coffee"}), frozenset({"tea"})]
    for name in ("support", "confidence", "lift", "leverage", "conviction"):
        assert rule[name] == pytest.approx(facts[name], abs=1e-12)


def several(baskets=((1, 1, 1), *3 * [(1, 1, 0)], *6 * [(1, 0, 0)], *6 * [(0, 1, 0)], (0, 0, 1))):
    return pd.DataFrame(np.array(baskets, bool), columns=["1", "2", "3"])


@pytest.mark.parametrize("as_list", [False, True])
def test_multiple_minimum_support(as_list):
    facts, X = GOLDEN["multiple_minimum_support"], several()
    supports = {item: count / len(X) for item, count in facts["thresholds"].items()}
    model = MultipleSupportApriori([supports[name] for name in X] if as_list else supports).fit(X)
    for items, count, frequent in facts["support"]:
        assert int(X[items].all(axis=1).sum()) == count
        assert (tuple(items) in model.itemsets_) == frequent
    assert dict(zip(X, model.min_supports_, strict=True)) == supports


def test_weather_as_weka_has_it():
    facts = GOLDEN["weather"]
    X = pd.get_dummies(load("weather_nominal").frame.astype(str), prefix_sep="=")
    X.columns = [name.lower() for name in X.columns]
    assert AssociationRules(2 / 14, 0.0).fit(X).n_rules_ == facts["n_rules"]
    for min_confidence, n in facts["n_rules_by_min_confidence"].items():
        assert AssociationRules(2 / 14, float(min_confidence)).fit(X).n_rules_ == n
    model = AssociationRules(2 / 14, 0.7).fit(X)
    assert model.n_itemsets_ == facts["n_itemsets"]
    rules = keyed(model.rules_)
    theirs = {
        tuple(frozenset(map(str.lower, side)) for side in rule[:2]): rule[2:]
        for rule in facts["rules"]
    }
    assert rules.keys() == theirs.keys()
    for rule, values in theirs.items():
        ours = [rules[rule][name] for name in ("confidence", "lift", "leverage")]
        assert ours == pytest.approx(values, rel=1e-8)


def test_thirty_baskets_as_mlxtend_has_them():
    facts = GOLDEN["baskets30"]
    X = columns(ITEMSETS["baskets30"]["baskets"])
    assert AssociationRules(0.1, 0.0).fit(X).n_rules_ == facts["n_rules"]
    assert AssociationRules(0.1, 0.6).fit(X).n_rules_ == facts["n_confidence_06"]
    rules = keyed(AssociationRules(0.1, 0.8).fit(X).rules_)
    assert len(rules) == len(facts["rules"])
    for a, b, *values in facts["rules"]:
        ours = [rules[frozenset(a), frozenset(b)][name] for name in MEASURES]
        assert ours == pytest.approx([float(value) for value in values], rel=1e-8, abs=1e-9)


# --- oracles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["titanic_baskets", "planted_baskets"])
def test_the_library_as_mlxtend_has_it(name):
    X = columns(load(name).transactions)
    sets = mlxtend_apriori(X, min_support=0.05, use_colnames=True)
    theirs = keyed(mlxtend_rules(sets, metric="confidence", min_threshold=0.4 - 1e-12))
    for ours in (AssociationRules(0.05, 0.4).fit(X).rules_, association_rules(sets, 0.4)):
        rules = keyed(ours)
        assert rules.keys() == theirs.keys()
        for rule, expected in theirs.items():
            pairs = np.array([(rules[rule][name], expected[name]) for name in MEASURES])
            assert pairs[:, 0] == pytest.approx(pairs[:, 1], rel=1e-9, abs=1e-12)


@given(matrices, shares, shares, st.sampled_from([None, 2, 3]))
def test_rules_are_those_of_the_definition(matrix, min_support, min_confidence, max_length):
    model = AssociationRules(min_support, min_confidence, max_length=max_length).fit(matrix)
    rules = {rule: row["confidence"] for rule, row in keyed(model.rules_).items()}
    assert rules == by_definition(matrix, model.itemsets_, min_confidence)
    assert len(rules) == model.n_rules_ <= model.n_tested_


@given(matrices, shares, shares)
def test_steps_test_what_monotonicity_leaves_and_find_what_fit_finds(
    matrix, min_support, min_confidence
):
    model = AssociationRules(min_support, min_confidence)
    *steps, end = model.steps(matrix)
    passed, sides = {}, []
    for step in (step for step in steps if step.phase in {"single", "join"}):
        enough = passed.setdefault(step.itemset, set())
        m = step.consequents.shape[1]
        possible = list(combinations(step.itemset, m))
        allowed = [c for c in possible if m == 1 or set(combinations(c, m - 1)) <= enough]
        assert list(map(tuple, step.consequents.tolist())) == allowed
        assert step.n_pruned == len(possible) - len(allowed)
        for c, yes in zip(map(tuple, step.consequents.tolist()), step.confident, strict=True):
            if yes:
                enough.add(c)
                sides.append((tuple(j for j in step.itemset if j not in c), c))
    rules = model.fit(matrix).rules_
    assert sides == list(zip(rules["antecedents"], rules["consequents"], strict=True))
    assert end.n_rules == model.n_rules_
    assert end.n_tested == model.n_tested_
    assert end.n_itemsets == model.n_itemsets_


@given(matrices, shares)
def test_redundant_by_its_definition(matrix, min_support):
    rules = AssociationRules(min_support, 0.3).fit(matrix).rules_.to_dict("records")
    for rule in rules:
        general = [
            candidate
            for candidate in rules
            if set(candidate["antecedents"]) < set(rule["antecedents"])
            and candidate["consequents"] == rule["consequents"]
            and candidate["confidence"] >= rule["confidence"] - 1e-12
        ]
        assert rule["redundant"] == bool(general)
    filtered = AssociationRules(min_support, 0.3, drop_redundant=True).fit(matrix).rules_
    assert len(filtered) == sum(not rule["redundant"] for rule in rules)


@settings(max_examples=10)
@given(matrices)
def test_p_values_as_scipy_and_statsmodels_have_them(matrix):
    model = AssociationRules(0.1, 0.0, correction="none").fit(matrix)
    n = len(matrix)
    for rule in model.rules_.to_dict("records"):
        a, b = (matrix[:, list(rule[side])].all(axis=1) for side in ("antecedents", "consequents"))
        table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
        assert rule["p_value"] == pytest.approx(
            fisher_exact(table, alternative="greater").pvalue, abs=1e-9
        )
        assert n == np.sum(table)
    for correction in ("bonferroni", "holm", "fdr_bh"):
        corrected = AssociationRules(0.1, 0.0, correction=correction).fit(matrix).rules_
        p = model.rules_["p_value"].to_numpy()
        expected = multipletests(p, method=correction)[1] if len(p) else p
        assert corrected["adjusted_p_value"].to_numpy() == pytest.approx(expected)


def test_corrections_count_the_rules_that_were_tested():
    X = columns(load("planted_baskets").transactions)
    model = AssociationRules(0.02, 0.3, correction="bonferroni").fit(X)
    assert model.n_tested_ > model.n_rules_
    expected = np.minimum(1, model.rules_["p_value"] * model.n_tested_)
    np.testing.assert_allclose(model.rules_["adjusted_p_value"], expected)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), *[st.integers(0, n)] * 3)))
def test_measures_keep_their_bounds(numbers):
    n, a, b, offset = numbers
    least_joint = max(0, a + b - n)
    joint = least_joint + offset % (min(a, b) - least_joint + 1)
    values = {name: float(v[0]) for name, v in rule_measures(joint / n, a / n, b / n).items()}
    assert all(not np.isnan(v) for v in values.values())
    assert 0 <= values["confidence"] <= 1
    assert -0.25 <= values["leverage"] <= 0.25
    assert -1 - 1e-9 <= values["zhangs_metric"] <= 1 + 1e-9
    assert 0 <= values["kulczynski"] <= 1
    assert 0 <= values["imbalance_ratio"] <= 1
    assert values["conviction"] >= 0
    assert np.isinf(values["conviction"]) == (a > 0 and joint == a)
    assert 0 <= fisher_p(n, [joint], [a], [b])[0] <= 1 + 1e-12


# --- several minimum supports ---------------------------------------------------------------------


def frequent_by_definition(matrix, minimum):
    n, d = matrix.shape
    sets = chain.from_iterable(combinations(range(d), k) for k in range(1, d + 1))
    return {s for s in sets if matrix[:, s].all(axis=1).sum() / n >= min(minimum[j] for j in s)}


@given(matrices, st.lists(st.integers(1, 10).map(lambda k: k / 10), min_size=5, max_size=5))
def test_msapriori_finds_the_frequent_sets_of_the_definition(matrix, minimum):
    minimum = minimum[: matrix.shape[1]]
    model = MultipleSupportApriori(minimum, min_confidence=0.4).fit(matrix)
    assert set(model.itemsets_) == frequent_by_definition(matrix, minimum)
    rules = {rule: row["confidence"] for rule, row in keyed(model.rules_).items()}
    assert rules == by_definition(matrix, model.itemsets_, 0.4)


@given(matrices, shares)
def test_equal_minimum_supports_are_one_minimum_support(matrix, min_support):
    single = AssociationRules(min_support, 0.5).fit(matrix)
    supports = [min_support] * matrix.shape[1]
    multiple = MultipleSupportApriori(supports, min_confidence=0.5).fit(matrix)
    assert multiple.itemsets_ == single.itemsets_
    pd.testing.assert_frame_equal(multiple.rules_, single.rules_)


@given(matrices, st.lists(st.integers(1, 10).map(lambda k: k / 10), min_size=5, max_size=5))
def test_msapriori_prunes_by_subsets_with_the_first_item_alone(matrix, minimum):
    minimum = minimum[: matrix.shape[1]]
    frequent = frequent_by_definition(matrix, minimum)
    for step in MultipleSupportApriori(minimum).steps(matrix):
        if step.phase != "join" or not hasattr(step, "missing"):
            continue
        for candidate, place in zip(step.candidates.tolist(), step.missing.tolist(), strict=True):
            assert [minimum[j] for j in candidate] == sorted(minimum[j] for j in candidate)
            lacking = [
                j
                for j, item in enumerate(candidate)
                if tuple(sorted({*candidate} - {item})) not in frequent
            ]
            same = minimum[candidate[0]] == minimum[candidate[1]]
            assert place == next((j for j in lacking if j > 0 or same), -1)


def test_thresholds_by_beta_and_least_support():
    X = several()
    model = MultipleSupportApriori(beta=0.5, least_support=0.1).fit(X)
    assert model.min_supports_ == pytest.approx([5 / 17, 5 / 17, 0.1])
    assert MultipleSupportApriori({"3": 0.9}).fit(X).min_supports_[2] == 0.9


@pytest.mark.parametrize(
    ("min_supports", "sentence"),
    [
        ({"4": 0.1}, "min_supports names '4'"),
        ([0.1], "each of the 3 items"),
        ([0.1, 0.2, 7], "a number from 0 to 1"),
    ],
)
def test_min_supports_that_do_not_fit_are_refused(min_supports, sentence):
    with pytest.raises(ValueError, match=sentence):
        MultipleSupportApriori(min_supports).fit(several())
    with pytest.raises(ValueError, match=sentence):
        list(MultipleSupportApriori(min_supports).steps(several()))


# --- degenerate input and refusals ----------------------------------------------------------------


def reason(model, X):
    return list(model.steps(X))[-1].reason


@pytest.mark.parametrize("model", [AssociationRules(), MultipleSupportApriori()], ids=str)
def test_no_item_one_item_one_basket(model):
    for X in (np.zeros((3, 2), bool), np.ones((3, 1), bool)):
        assert model.fit(X).n_rules_ == 0
        assert reason(model, X).startswith("No two items are frequent together")
    assert model.fit(np.ones((1, 2), bool)).n_rules_ == 2
    assert np.isinf(model.rules_["conviction"]).all()
    assert (model.rules_["lift"] == 1).all()


def test_no_rule_says_which_confidence_there_is():
    X = columns(FIVE)
    assert "the highest is 0.75" in reason(AssociationRules(0.6, 0.8), X)
    assert AssociationRules(0.6, 0.75).fit(X).n_rules_ == 2
    assert "passes the filters" in reason(AssociationRules(0.2, 0.5, significant_only=True), X)


def test_filters_by_a_measure():
    X = columns(FIVE)
    lift = AssociationRules(0.2, 0.5).fit(X).rules_["lift"]
    filtered = AssociationRules(0.2, 0.5, metric="lift", min_threshold=1.25).fit(X)
    assert filtered.n_rules_ == (lift > 1.2).sum()
    rules = association_rules(apriori(FIVE, 0.2), 0.5, "leverage", 0.08)
    assert rules["leverage"].min() == pytest.approx(0.08)


def test_a_set_that_occurs_nowhere_has_values():
    values = {name: float(v[0]) for name, v in rule_measures(0.0, 0.0, 0.5).items()}
    assert values["lift"] == values["confidence"] == 0
    assert float(rule_measures(0.0, 0.5, 0.5)["zhangs_metric"][0]) == -1


def test_missing_subsets_are_told():
    with pytest.raises(ValueError, match="The support of a subset is missing"):
        association_rules({("a", "b"): 0.5}, 0.5)


def test_without_the_number_of_baskets_there_are_no_p_values():
    assert association_rules(apriori(FIVE, 0.4), 0.5)["p_value"].isna().all()
    assert association_rules(apriori(FIVE, 0.4), 0.5, n_baskets=5)["p_value"].notna().all()


def test_an_explosion_is_refused():
    with pytest.raises(ValueError, match="More than 1,000 rules would be tested"):
        AssociationRules(0.5, 0.5, max_rules=1000).fit(np.ones((4, 12), bool))
    with pytest.raises(ValueError, match="candidates"):
        MultipleSupportApriori(max_rules=100).fit(np.ones((4, 30), bool))


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm", "fdr_bh"])
def test_no_p_values_are_none(correction):
    assert adjusted_p([], correction).tolist() == []
