"""Questions about CHAID and QUEST: tests, groupings and cuts are worked out again by SciPy."""

import json
import re
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, f_oneway, levene, norm

from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.questions import questions
from dmlib.classification.decision_tree.significance_questions import MergeRule, QuestRule
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import prepare
from dmlib.trees.chaid_questions import ChaidRule
from tests.classification.decision_tree.test_questions import gains
from tests.rounds import of_topics, round_by_topic, step_of

SEEDS = range(6)
CHAID, QUEST = 1, 2  # the numbers of their rounds
ALPHA = 0.5  # of both


def p_of(table):
    """Return the p-value of Pearson's chi-squared, without the rows and columns of zeros."""
    table = np.asarray(table)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    return chi2_contingency(table, correction=False).pvalue if min(table.shape) > 1 else 1.0


def count_groupings(n_values, n_groups, is_ordered):
    """Return in how many ways values make groups, by counting all ways to name the groups."""
    if is_ordered:
        return comb(n_values - 1, n_groups - 1)
    named = product(range(n_groups), repeat=n_values)
    return sum(list(dict.fromkeys(groups)) == list(range(n_groups)) for groups in named)


def chaid_p(run, candidate):
    """Return the p-value of a column of CHAID and its number of groupings."""
    is_ordered = candidate.split.column not in run.problem.categories
    test = candidate.test
    return p_of(candidate.counts), count_groupings(test.n_values, test.n_groups, is_ordered)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_values_that_differ_least_merge_first(seed):
    run, by_topic = round_by_topic("decision_tree", seed, CHAID)
    training = run.problem.training
    y = np.asarray(training.y)
    for question in by_topic["merge"]:
        step, _ = step_of(run, question)
        column = re.search(r"the values of (\w+) are", question.prompt)[1]
        values = training.data[column].to_numpy()[step.rows]

        def counts(value, values=values, step=step):
            return [(y[step.rows][values == value] == c).sum() for c in run.fitted.classes_]

        pairs = [option.split(" and ") for option in question.answer.options]
        p = [p_of([counts(first), counts(second)]) for first, second in pairs]
        assert judge(question, int(np.argmax(p))).is_right
        if min(p) < max(p):
            assert judge(question, int(np.argmin(p))).rule is MergeRule.APART
        listed = [
            f"{num4(each)} for {' and '.join(pair)}" for each, pair in zip(p, pairs, strict=True)
        ]
        assert all(each in question.prompt for each in listed)


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_compete_by_adjusted_p_values(seed):
    run, by_topic = round_by_topic("decision_tree", seed, CHAID)
    for question in of_topics(by_topic, "column", "adjusted p"):
        step, _ = step_of(run, question)
        candidates = {
            run.problem.features[each.split.column]: each
            for each in map(step.candidates.__getitem__, range(len(step.candidates)))
        }
        if question.topic == "adjusted p":
            name = re.search(r"values of (\w+) become", question.prompt)[1]
            p, n_ways = chaid_p(run, candidates[name])
            assert judge(question, p * n_ways).is_right
            assert judge(question, p).rule is ChaidRule.PLAIN
            continue
        names = list(question.answer.options)
        tests = [chaid_p(run, candidates[name]) for name in names]
        adjusted = [p * n_ways for p, n_ways in tests]
        assert judge(question, int(np.argmin(adjusted))).is_right
        statistics = [chi2_contingency(candidates[n].counts, correction=False)[0] for n in names]
        verdict = judge(question, int(np.argmax(statistics)))
        rules = {ChaidRule.PLAIN, ChaidRule.BY_GROUPS, MergeRule.LARGEST}
        assert verdict.is_right or verdict.rule in rules


@pytest.mark.parametrize("seed", SEEDS)
def test_quest_compares_means_and_no_cuts(seed):
    run, by_topic = round_by_topic("decision_tree", seed, QUEST)
    for question in by_topic["column"]:
        step, _ = step_of(run, question)
        X, y = run.problem.X[step.rows], np.asarray(run.problem.y)[step.rows]
        parts = [[X[y == code, column] for code in sorted(set(y))] for column in (0, 1)]
        p = [2 * f_oneway(*each).pvalue for each in parts]
        if min(p) > ALPHA:
            with np.errstate(divide="ignore", invalid="ignore"):
                spreads = [levene(*each, center="mean").pvalue for each in parts]
            p = 4 * np.nan_to_num(spreads, nan=1.0)
        if min(p) < 1:
            assert judge(question, int(np.argmin(p))).is_right
        by_split = gains(X, y)
        largest = [max(gain for (at, _), gain in by_split.items() if at == j) for j in (0, 1)]
        verdict = judge(question, int(np.argmax(largest)))
        assert verdict.is_right or verdict.rule is QuestRule.SEARCH


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cut_of_quest_is_where_densities_times_rows_are_equal(seed):
    run, by_topic = round_by_topic("decision_tree", seed, QUEST)
    for question in by_topic["cut"]:
        step, _ = step_of(run, question)
        column = step.chosen.split.column
        x, y = run.problem.X[step.rows, column], np.asarray(run.problem.y)[step.rows]
        place = question.answer.right[0][column]
        first = np.isin(run.fitted.classes_.searchsorted(y), step.chosen.test.cut.first)
        groups = x[first], x[~first]
        heights = [len(z) * norm.pdf(place, z.mean(), z.std(ddof=1)) for z in groups]
        assert heights[0] == pytest.approx(heights[1])
        middle = [float(np.mean([z.mean() for z in groups]))] * 2
        verdict = judge(question, middle)
        assert verdict.is_right or verdict.rule is QuestRule.BETWEEN
        for error in question.errors:
            if error.rule is QuestRule.ALIKE and error.answer[column] != middle[0]:
                alike = [norm.pdf(error.answer[column], z.mean(), z.std(ddof=1)) for z in groups]
                assert alike[0] == pytest.approx(alike[1])


@pytest.mark.parametrize(
    ("criterion", "missing"),
    [("chaid", "category"), ("chaid", "fractional"), ("quest", "category"), ("quest", "surrogate")],
)
def test_awkward_columns_are_asked_about_too(criterion, missing):
    n_asked = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame({"x": rng.integers(0, 4, 40) * 1.0, "alike": 1.0})
        frame["z"] = rng.normal(size=40) * 1e29
        frame["c"] = rng.choice([*"pqrs"], 40)
        frame["y"] = np.where(rng.random(40) < 0.3, "u", rng.choice(["v", "w"], 40))
        for column in ("x", "c"):
            frame.loc[rng.random(40) < 0.15, column] = np.nan
        problem = prepare(frame, ["x", "alike", "z", "c"], target="y", labelled=True, holes="keep")
        model = DecisionTreeClassifier(criterion=criterion, missing=missing, alpha_split=0.9)
        for question in questions(Run.of(problem, model)):
            n_asked += question.topic in ("merge", "column", "adjusted p", "cut")
            assert judge(question, json.loads(json.dumps(question.answer.right[0]))).is_right
            for error in question.errors:
                given = json.loads(json.dumps(error.answer))
                assert judge(question, given).rule is error.rule
    assert n_asked


@pytest.mark.parametrize("criterion", ["chaid", "quest"])
def test_what_weights_change_is_not_asked_about_plain_rows(criterion):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"c": rng.choice([*"pqrs"], 60), "x": rng.normal(size=60)})
    frame["y"] = np.where((frame["c"] == "p") ^ (frame["x"] > 0), "u", rng.choice(["u", "v"], 60))
    problem = prepare(frame, ["c", "x"], target="y", labelled=True)
    asked = [
        {
            question.topic
            for question in questions(
                Run.of(problem, DecisionTreeClassifier(**params, class_weight=weight))
            )
        }
        for params in [{"criterion": criterion, "alpha_split": 0.9, "missing": "category"}]
        for weight in (None, {0: 1.0, 1: 3.0})
    ]
    topic = {"chaid": "merge", "quest": "column"}[criterion]
    assert [topic in topics for topics in asked] == [True, False]


def test_each_round_asks_about_its_own_decisions():
    topics = [
        set().union(*(round_by_topic("decision_tree", seed, number)[1] for seed in SEEDS))
        for number in (CHAID, QUEST)
    ]
    assert topics == [
        {"merge", "column", "adjusted p", "split or leaf"},
        {"column", "cut", "split or leaf"},
    ]
