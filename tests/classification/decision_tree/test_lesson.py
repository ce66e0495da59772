"""The lesson on decision trees says what the algorithm computes."""

import itertools
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import C45, CHAID, ID3, QUEST, DecisionTreeClassifier
from dmlib.datasets import load
from dmlib.trees import impurity
from dmlib.trees.cost_complexity import leaf_costs, weakest_links
from dmlib.trees.error_based import added_errors
from dmlib.trees.exact_tests import fisher_p_value, log_probability
from dmlib.trees.impurity import decrease
from dmlib.trees.significance import chi2_pairs, chi2_score, p_value
from tests.classification.decision_tree.data import params_of
from tests.visit import open_preset

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "decision_tree" / "lesson.md").read_text(
    encoding="utf-8"
)


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def weather():
    frame = load("weather_nominal").frame
    return frame.drop(columns="play"), frame["play"].astype(str)


def weather_columns():
    X, y = weather()
    return X["outlook"], y


def steps(**params):
    return list(DecisionTreeClassifier(**params).steps(*weather()))


def by_column(step):
    names = list(weather()[0])
    return {names[candidate.split.column]: candidate for candidate in step.candidates}


def test_the_first_split_by_information_gain():
    text, root = section("By hand"), steps(**params_of(ID3))[0]
    gains = {name: candidate.gain for name, candidate in by_column(root).items()}
    assert f"= **{root.impurity:.3f}** bits" in text
    assert f"= **{gains['outlook']:.3f}**. Temperature gains {gains['temperature']:.3f}" in text
    assert f"humidity **{gains['humidity']:.3f}**, windy {gains['windy']:.3f}" in text
    assert weather()[0].columns[root.chosen.split.column] == "outlook"


def test_the_table_of_outlook():
    X, y = weather()
    lines = [
        line.split("|")[1:-1] for line in section("By hand").splitlines() if line.startswith("|")
    ][2:5]
    for name, days, yes, no, entropy in (map(str.strip, line) for line in lines):
        plays = y[X["outlook"] == name]
        assert [int(days), int(yes), int(no)] == [
            len(plays),
            (plays == "yes").sum(),
            (plays == "no").sum(),
        ]
        assert float(entropy) == pytest.approx(impurity([int(yes), int(no)], "entropy"), abs=5e-4)


def test_the_splits_below():
    root, *below = steps(**params_of(ID3))
    names = list(weather()[0])
    split = {step.branch: step for step in below if step.parent == 0 and step.phase == "split"}
    values = list(weather()[0]["outlook"].astype("category").cat.categories)
    assert {values[b]: names[s.chosen.split.column] for b, s in split.items()} == {
        "sunny": "humidity",
        "rainy": "windy",
    }
    for step in split.values():
        assert step.chosen.gain == pytest.approx(step.impurity)
        assert f"{step.chosen.gain:.3f}" == "0.971"
    assert len(root.children) == 3


def test_other_criteria():
    text = section("By hand")
    ratio = by_column(steps(criterion="gain_ratio", splitter="multiway")[0])
    for name in ("outlook", "humidity"):
        assert f"= **{ratio[name].score:.3f}**" in text
    assert f"0.247 / {ratio['outlook'].gain / ratio['outlook'].score:.3f}" in text
    gini = by_column(steps(criterion="gini", splitter="multiway")[0])["outlook"]
    assert f"= **{gini.gain:.3f}**" in text


def test_a_missing_value_in_parts():
    text = section("Missing values")
    X, y = weather()
    row = X.index[(X["outlook"] == "overcast")][0]
    X.loc[row, "outlook"] = None
    root, *below = ID3().steps(X, y)
    outlook = next(candidate for candidate in root.candidates if candidate.split.column == 0)
    assert (
        f"outlook gains {decrease(outlook.counts[:, :, None], 0.0, 'entropy')[0]:.3f} bits" in text
    )
    assert f"= **{outlook.gain:.3f}**" in text
    parts = [
        step.shares[step.rows == row][0]
        for step in below
        if step.parent == 0 and step.phase != "done"
    ]
    assert sorted(parts) == pytest.approx([3 / 13, 5 / 13, 5 / 13])


def test_chaid_merges_and_stops():
    text = section("Significance tests: CHAID and QUEST")
    root = steps(**params_of(CHAID))[0]
    outlook, humidity = by_column(root)["outlook"], by_column(root)["humidity"]
    counts = {
        name: pd.crosstab(*weather_columns()).loc[name].to_numpy(float)
        for name in ("sunny", "overcast", "rainy")
    }
    for first, second, sentence in [
        ("sunny", "rainy", "sunny and rainy is **{:.3f}**, p = {:.3f}"),
        ("overcast", "rainy", "overcast and rainy {:.3f}, p = {:.3f}"),
        ("sunny", "overcast", "sunny and overcast {:.3f}, p = {:.3f}"),
    ]:
        statistics, p = chi2_pairs(counts[first], counts[second][None])
        assert sentence.format(statistics[0], p[0]) in text
    test = outlook.test
    assert [merge.p > 0.05 for merge in test.merges] == [True]
    plain = p_value(chi2_score(test.statistic, test.dof))
    assert f"= **{test.statistic:.3f}** with one degree of freedom, p = {plain:.3f}" in text
    assert f"p = {test.n_ways:.0f} · {plain:.3f} = **{p_value(outlook.score):.3f}**" in text
    assert f"with a single grouping, has p = **{p_value(humidity.score):.3f}**" in text
    assert root.phase == "leaf"


def test_three_branches_are_less_probable_but_less_significant():
    text = section("Exact tests: the hypergeometric distribution and permutations")
    roots = {
        name: steps(criterion=name, splitter="multiway")[0]
        for name in ("hypergeometric", "permutation")
    }
    scores = {
        name: {column: each.score for column, each in by_column(root).items()}
        for name, root in roots.items()
    }
    outlook, humidity = (scores["hypergeometric"][name] for name in ("outlook", "humidity"))
    assert f"= **{10**-outlook:.4f}**, score **{outlook:.3f}**" in text
    assert f"Humidity has P = {10**-humidity:.4f}, score **{humidity:.3f}**" in text
    for name in ("outlook", "humidity"):
        p = 10 ** -scores["permutation"][name]
        assert f"{name} has" in text.replace(", humidity (", ", humidity has (")
        assert f"({500 * p - 1:.0f} + 1) / 500 = **{p:.3f}**" in text
    tables = [by_column(roots["permutation"])[name].counts for name in ("outlook", "humidity")]
    assert f"outlook has {freeman_halton(tables[0]):.4f}" in text
    assert f"humidity {fisher_p_value(tables[1]):.4f}" in text
    columns = [weather()[0].columns[root.chosen.split.column] for root in roots.values()]
    assert columns == ["outlook", "humidity"]


def freeman_halton(table):
    """The probability of all tables of three branches that are no more probable."""
    sizes, (n_first, _) = table.sum(axis=1), table.sum(axis=0)
    cells = itertools.product(*(np.arange(size + 1) for size in sizes))
    tables = [np.stack([first, sizes - first], 1) for first in cells if sum(first) == n_first]
    logs = np.array([log_probability(each) for each in tables])
    return np.exp(logs[logs <= log_probability(table) + 1e-9]).sum()


def test_chaid_of_an_ordinal_target_takes_the_likelihood_ratio():
    text = section("Significance tests: CHAID and QUEST").replace("\n", " ")
    frame = weather()[0]
    X, y = frame[["outlook", "humidity", "windy"]], frame["temperature"].astype(str)
    counts = pd.crosstab(X["humidity"], y)[["cool", "mild", "hot"]]
    assert "high humidity has {}, {} and {} such days".format(*counts.loc["high"]) in text
    assert "normal humidity {}, {} and {};".format(*counts.loc["normal"]) in text
    root, by_pearson = (
        next(iter(CHAID(statistic=name).steps(X, y))) for name in ("likelihood_ratio", "pearson")
    )
    test, other = root.chosen.test, by_pearson.candidates[0].test
    assert f"= **{test.statistic:.3f}**, p = **{p_value(test.score):.3f}**" in text.replace("$", "")
    assert f"is **{other.statistic:.3f}**, p = **{p_value(other.score):.3f}**" in text
    assert (root.phase, by_pearson.phase) == ("split", "leaf")


def test_quest_cuts_where_densities_are_equal():
    text = section("Significance tests: CHAID and QUEST")
    x, y = np.array([1.0, 2, 3, 6, 8, 10, 12]), np.repeat([0, 1], [3, 4])
    root = next(iter(QUEST().steps(x[:, None], y)))
    test = root.chosen.test
    assert f"is **{test.statistic:.2f}**, p = {p_value(test.score):.3f}" in text
    assert (
        f"the variances {test.cut.variances[0]:.0f} and {test.cut.variances[1]:.2f}"
        in text.replace("\n", " ")
    )
    assert f"threshold is **{test.cut.place:.2f}**" in text.replace("\n", " ")
    assert test.cut.means == pytest.approx((2, 9))


def test_a_leaf_answers_what_costs_least():
    text = section("Misclassification costs")
    y = np.repeat(["healthy", "ill"], [8, 2])
    model = DecisionTreeClassifier(costs={("ill", "healthy"): 5}).fit(np.zeros((10, 1)), y)
    assert model.predict([[0.0]]) == "ill"
    assert "2 · 5 = **10** and *ill* 8 · 1 = **8**" in text


def test_weakest_links():
    text = section("Pruning")
    tree = ID3().fit(*weather()).tree_
    costs, inner = leaf_costs(tree, "error"), np.flatnonzero(~tree.is_leaf)
    assert costs[inner] == pytest.approx([5 / 14, 2 / 14, 2 / 14])
    (link,) = weakest_links(tree, "error")
    assert f"= **{link.alpha:.3f}**: the whole tree stays, or only the root" in text
    assert f"= **{2 / 14:.3f}** each" in text


def test_errors_to_expect():
    text = section("Pruning")
    leaves = [added_errors(n, 0, 0.25) for n in (6, 9, 1)]
    assert (
        f"{leaves[0]:.2f} + {leaves[1]:.2f} + {leaves[2]:.2f} = **{sum(leaves):.2f}**"
        in text.replace("\n", " ")
    )
    assert f"it is **{1 + added_errors(16, 1, 0.25):.2f}**" in text
    assert C45().pruning == "error_based"


def test_the_answers():
    text = section("Answers")
    assert [impurity([3, 3], measure) for measure in ("gini", "entropy", "error")] == pytest.approx(
        [0.5, 1, 0.5]
    )
    branches = np.array([[4.0, 0.0], [2.0, 2.0]])[:, :, None]
    assert decrease(branches, 0.0, "gini")[0] == pytest.approx(0.125)
    assert decrease(branches, 0.0, "error")[0] == pytest.approx(0)
    assert f"= {added_errors(6, 0, 0.25):.2f}." in text


def test_the_clouds_keep_their_order():
    text, (X, y) = section("Ordinal columns"), weather()
    order = ["sunny", "overcast", "rainy"]
    free = next(DecisionTreeClassifier().steps(X, y))
    kept = next(DecisionTreeClassifier(ordinal={"outlook": order}).steps(X, y))
    assert f"gains **{free.best.gain:.4f}**, the most, but breaks" in text
    cuts = [each.gain for each in kept.candidates if each.split.column == 0]
    assert f"sunny against the others gains **{cuts[0]:.4f}**" in text
    assert f"rainy against the others **{cuts[1]:.4f}**" in text
    assert f"Humidity gains **{kept.best.gain:.4f}**" in text
    columns = list(X.columns)
    assert (columns[free.best.split.column], columns[kept.best.split.column]) == (
        "outlook",
        "humidity",
    )


def test_the_count_matrix_of_the_incomes():
    lines = [line for line in section("By hand").splitlines() if line.startswith("| ")]
    start = next(i for i, line in enumerate(lines) if line.startswith("| income"))
    written = [
        [cell.replace(r"\|", "|").strip(" *") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines[start + 1 :]
    ]
    _, scene, _ = open_preset("decision_tree", "Ten incomes in order")
    (table,) = (
        block
        for block in scene["frames"][1]["ledger"]
        if block.get("title", "").startswith("Sorted scan of income")
    )
    assert [[f"{row[0]:g}", *row[1:3], f"{row[3]:.3f}"] for row in table["rows"]] == written
