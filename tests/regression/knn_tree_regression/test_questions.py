"""Questions about regression trees: every cut of every leaf is tried; neighbours are sorted."""

import numpy as np
import pandas as pd
import pytest

from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import KNeighborsRegressor, ModelTree
from dmlib.regression.knn_tree_regression.questions import Rule, questions
from tests.rounds import round_by_topic, step_of


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
