"""Questions about pruning: scikit-learn cuts the same links of the same tree."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from dmlib.classification.tree_pruning.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


@pytest.mark.parametrize("seed", range(6))
def test_costs_and_leaves_are_those_of_the_path_of_scikit_learn(seed):
    run, by_topic = round_by_topic("tree_pruning", seed)
    X, y = run.problem.X, np.asarray(run.problem.y)
    alphas = DecisionTreeClassifier(random_state=0).fit(X, y).cost_complexity_pruning_path(X, y)
    for question in by_topic["cost of a leaf"]:
        # the path lists equal alphas once
        cost = alphas.ccp_alphas[np.abs(alphas.ccp_alphas - question.answer.value).argmin()]
        assert judge(question, float(cost)).is_right
    for question in by_topic["leaves"]:
        step, before = (run.trace.steps[question.step - back] for back in (0, 1))
        assert judge(question, int(step.tree.is_leaf.sum())).is_right
        assert judge(question, int(step.tree.is_leaf.sum()) - 1).rule is Rule.ALL
        assert step.tree.is_leaf.sum() < before.tree.is_leaf.sum()


@pytest.mark.parametrize("seed", range(6))
def test_the_weakest_link_is_the_node_that_is_pruned(seed):
    run, by_topic = round_by_topic("tree_pruning", seed)
    for question in by_topic["weakest link"]:
        before, after = (
            set(run.trace.steps[question.step - back].tree.numbers.tolist()) for back in (1, 0)
        )
        tree = run.trace.steps[question.step - 1].tree
        gone = {int(number) for number in before - after}
        parents = [int(tree.numbers[tree.parents[i]]) for i in np.flatnonzero(tree.parents >= 0)]
        tops = {
            parent
            for number, parent in zip(tree.numbers[1:].tolist(), parents, strict=True)
            if number in gone and parent not in gone
        }
        assert [judge(question, [top + 1]).is_right for top in tops] in ([True], [])
