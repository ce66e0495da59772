"""Questions about bagging: bags are counted again, and the trees are asked one by one."""

import re

import numpy as np
import pytest

from dmlib.classification.ensembles.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


def shares(run, number, rows):
    """Return the probabilities by the first trees of some rows, shape (n_trees, n_rows, 2)."""
    trees = [step.estimator for step in run.trace.steps[1 : number + 1]]
    return np.array([tree.predict_proba(run.problem.table(rows)) for tree in trees])


@pytest.mark.parametrize("seed", range(5))
def test_bags_and_means_are_those_of_the_trees(seed):
    run, by_topic = round_by_topic("ensembles", seed)
    bags = [set(step.bag.tolist()) for step in run.trace.steps[1:]]
    n = len(run.problem.X)
    for question in by_topic["left out"]:
        outside = [i + 1 for i in range(n) if i not in bags[question.step - 1]]
        assert judge(question, outside).is_right
        assert judge(question, []).rule is Rule.EVERY
    for question in by_topic["chance"]:
        assert judge(question, ((n - 1) / n) ** n).is_right
    for question in by_topic["probability"]:
        name = re.search(r"P\((\w+)\)", question.prompt)[1]
        each = shares(run, question.step, run.current_query.x[None])[:, 0]
        mean = each[:, run.problem.classes.index(name)].mean()
        assert judge(question, float(mean)).is_right
    for question in by_topic["out of bag"]:
        name, row = re.search(r"P\((\w+)\)", question.prompt)[1], question.about[0] - 1
        each = shares(run, question.step, run.problem.X[[row]])[:, 0]
        without = [i for i in range(question.step) if row not in bags[i]]
        mean = each[without, run.problem.classes.index(name)].mean()
        assert judge(question, float(mean)).is_right
