"""Questions about pruning: scikit-learn cuts the same links of the same tree."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from dmlib.classification.tree_pruning.judgement_questions import JudgementRule
from dmlib.classification.tree_pruning.questions import Rule
from dmlib.pictures.question import judge
from dmlib.pictures.words import num4
from tests.rounds import of_topics, round_by_topic


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


def nodes_below(tree, node):
    """Return the inner nodes of a subtree, by recursion."""
    children = [child for child in tree.children[node] if child >= 0]
    return ([node] if children else []) + [
        each for child in children for each in nodes_below(tree, child)
    ]


def node_of(tree, question):
    return tree.numbers.tolist().index(question.about[0] - 1)


@pytest.mark.parametrize("seed", range(6))
def test_one_split_of_a_subtree_that_reaches_the_critical_value_keeps_it(seed):
    run, by_topic = round_by_topic("tree_pruning", seed, 1)
    grown = run.trace.steps[0].tree
    for question in of_topics(by_topic, "comparison", "critical value"):
        node = node_of(grown, question)
        values = [float(grown.scores[each]) for each in nodes_below(grown, node)]
        if question.topic == "critical value":
            options = list(question.answer.options)
            assert judge(question, options.index(num4(max(values)))).is_right
            if values[0] < max(values):
                assert judge(question, options.index(num4(values[0]))).rule is JudgementRule.OWN
        else:
            stays = max(values) >= 3.0
            assert judge(question, int(stays)).is_right
            if stays and values[0] < 3.0:
                assert judge(question, 0).rule is JudgementRule.OWN
            elif stays and min(values) < 3.0:
                assert judge(question, 0).rule is JudgementRule.EACH


@pytest.mark.parametrize("seed", range(6))
def test_reduced_error_pruning_counts_errors_of_rows_that_did_not_grow_the_tree(seed):
    run, by_topic = round_by_topic("tree_pruning", seed, 2)
    grown, model, training = run.trace.steps[0].tree, run.fitted, run.problem.training
    pruning_rows = model.validation_rows_
    X, y = np.asarray(training.X)[pruning_rows], np.asarray(training.y)[pruning_rows]

    def errors(node, leaves, rows):
        if node in leaves:
            return int((y[rows] != grown.predictions[node]).sum())
        low, high = grown.children[node][:2]
        is_low = X[:, grown.splits.columns[node]] <= grown.threshold[node]
        return errors(low, leaves, rows & is_low) + errors(high, leaves, rows & ~is_low)

    def reaching(node):
        """Return which rows come to a node."""
        if node == 0:
            return np.ones(len(X), bool)
        parent = int(grown.parents[node])
        is_low = X[:, grown.splits.columns[parent]] <= grown.threshold[parent]
        return reaching(parent) & (is_low if grown.children[parent][0] == node else ~is_low)

    for question in by_topic["comparison"]:
        before = run.trace.steps[question.step - 1].tree
        leaves = {grown.numbers.tolist().index(number) for number in before.numbers[before.is_leaf]}
        node = node_of(grown, question)
        as_leaf, below = (errors(node, each, reaching(node)) for each in ({node}, leaves))
        assert f"{as_leaf} and {below} errors on the pruning set" in question.prompt
        assert judge(question, int(as_leaf > below)).is_right
        if as_leaf == below:
            assert judge(question, 1).rule is JudgementRule.EQUAL


@pytest.mark.parametrize("seed", range(6))
def test_pessimistic_pruning_charges_half_an_error_for_each_leaf(seed):
    run, by_topic = round_by_topic("tree_pruning", seed, 3)
    grown = run.trace.steps[0].tree
    wrong = grown.counts.sum(axis=1) - grown.counts.max(axis=1)
    for question in of_topics(by_topic, "charged errors", "comparison"):
        node = node_of(grown, question)
        inner = nodes_below(grown, node)
        leaves = [c for each in inner for c in grown.children[each] if c >= 0 and c not in inner]
        n, errors = grown.counts[node].sum(), wrong[leaves].sum()
        charged = errors + len(leaves) / 2
        if question.topic == "charged errors":
            assert judge(question, charged).is_right
            assert judge(question, errors + 0.5).rule is JudgementRule.ONCE
            assert judge(question, errors).rule is JudgementRule.TRAINED
        else:
            as_leaf, spread = wrong[node] + 0.5, np.sqrt(charged * (n - charged) / n)
            assert judge(question, int(as_leaf > charged + spread)).is_right
            if charged < as_leaf <= charged + spread:
                assert judge(question, 1).rule is JudgementRule.BARE
