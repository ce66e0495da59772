"""Questions about regression trees: every cut of every leaf is tried; neighbours are sorted."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway

from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import KNeighborsRegressor, ModelTree
from dmlib.regression.knn_tree_regression.chaid_questions import GroupingRule
from dmlib.regression.knn_tree_regression.questions import Rule, questions
from dmlib.trees.chaid import intervals
from dmlib.trees.chaid_questions import ChaidRule
from tests.rounds import of_topics, round_by_topic, step_of


def best_cut(x, y):
    """Return by how much the best cut lowers the SSE of rows, and the cut."""
    cuts = [((a + b) / 2, x <= (a + b) / 2) for a, b in zip(sorted(x), sorted(x)[1:], strict=False)]
    falls = [
        (y.var() * len(y) - sum(part.var() * len(part) for part in (y[low], y[~low])), cut)
        for cut, low in cuts
    ]
    return max(falls, default=(0.0, np.nan))


@pytest.mark.parametrize("seed", range(6))
def test_splits_and_leaves(seed):
    run, by_topic = round_by_topic("knn_tree_regression", seed)
    x, y = run.problem.X[:, 0], np.asarray(run.problem.y)
    leaves = {1: np.arange(len(x))}
    for number, step in enumerate(run.trace.steps):
        if step.phase != "split":
            continue
        falls = {leaf: best_cut(x[rows], y[rows]) for leaf, rows in leaves.items()}
        best = max(falls, key=falls.get)
        cut = falls[best][1]
        for question in [one for topic in by_topic.values() for one in topic]:
            if question.step == number and question.topic == "next leaf":
                assert judge(question, [best]).is_right
                largest = max(leaves, key=lambda leaf: len(leaves[leaf]))
                assert largest == best or judge(question, [largest]).rule is Rule.MOST_ROWS
            if question.step == number and question.topic == "cut":
                assert judge(question, [cut, 0.0]).is_right
        rows = leaves.pop(best)
        parts = rows[x[rows] <= cut], rows[x[rows] > cut]
        leaves |= {node.number + 1: part for node, part in zip(step.nodes, parts, strict=True)}
    for question in [*by_topic["leaf"], *by_topic["error"]]:
        nodes = step_of(run, question)[0].nodes
        values = [y[node.rows].mean() for node in nodes]
        errors = [((y[node.rows] - y[node.rows].mean()) ** 2).sum() for node in nodes]
        given = values if question.topic == "leaf" else errors
        assert any(judge(question, value).is_right for value in given)


def test_neighbours_are_the_nearest_rows_and_the_prediction_their_mean():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.uniform(size=12), "y": rng.normal(size=12)})
    problem = prepare(frame, ["x"], target="y", numeric_target=True)
    run = Run.of(problem, KNeighborsRegressor(3))
    asked = list(questions(run))
    assert {question.topic for question in asked} == {"neighbours", "prediction"}
    for question in asked:
        place = step_of(run, question)[0].place[0]
        near = np.argsort(np.abs(frame.x.to_numpy() - place))[:3]
        right = (near + 1).tolist() if question.topic == "neighbours" else frame.y[near].mean()
        assert judge(question, right).is_right


def test_a_model_tree_asks_whether_a_node_is_pruned():
    x = np.linspace(0, 10, 40)
    frame = pd.DataFrame({"x": x, "y": np.where(x < 5, x, 20 - x)})
    problem = prepare(frame, ["x"], target="y", numeric_target=True)
    run = Run.of(problem, ModelTree())
    for question in questions(run):
        if question.topic == "pruning":
            step, _ = step_of(run, question)
            assert judge(question, int(step.after <= step.before)).is_right


def intervals_of(x):
    """Return the number of the tenth of a column in which each row is, as CHAID cuts it."""
    return np.unique(np.searchsorted(intervals(x, np.ones(len(x))), x), return_inverse=True)[1]


@pytest.mark.parametrize("seed", range(6))
def test_p_values_of_chaid_are_multiplied_by_the_number_of_groupings(seed):
    run, by_topic = round_by_topic("knn_tree_regression", seed, 1)
    X, y = np.asarray(run.problem.X), np.asarray(run.problem.y)
    names, nodes = list(run.problem.features), {}
    for step in run.trace.steps:
        nodes |= {node.number: node.rows for node in step.nodes}
    for question in of_topics(by_topic, "adjusted p", "groupings", "column"):
        step, _ = step_of(run, question)
        rows = nodes[step.node]
        tests = {}
        for column, merged in step.split.rivals:
            v, g = merged.n_values, merged.n_groups
            assert len(set(intervals_of(X[:, column])[rows])) == v
            borders = combinations(range(1, v), g - 1)
            tests[column] = (sum(1 for _ in borders), merged)
        n_ways, merged = tests[step.split.column]
        if question.topic == "groupings":
            assert judge(question, n_ways).is_right
            if n_ways != merged.n_values - 1:
                assert judge(question, merged.n_values - 1).rule is GroupingRule.BETWEEN
        elif question.topic == "adjusted p":
            codes = np.searchsorted(step.split.test.thresholds, X[rows, step.split.column])
            p = f_oneway(*(y[rows][codes == code] for code in sorted(set(codes)))).pvalue
            assert judge(question, n_ways * p).is_right
            assert judge(question, p).rule is ChaidRule.PLAIN
        else:
            options = list(question.answer.options)
            assert judge(question, options.index(names[step.split.column])).is_right
            adjusted = {j: n * 10**-each.plain for j, (n, each) in tests.items()}
            assert adjusted[step.split.column] == pytest.approx(min(adjusted.values()))
