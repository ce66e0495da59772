"""Questions about variants of trees: memberships and entropies by their formulas."""

import re

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from dashboard.rounds import questions_of, view_of
from dashboard.settings import Settings
from dmlib.classification.tree_variants.network_questions import NetworkRule
from dmlib.classification.tree_variants.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import of_topics, round_by_topic
from tests.visit import technique


def entropy(weights):
    """Return the entropy of class weights in bits."""
    shares = weights[weights > 0] / weights.sum()
    return -float((shares * np.log2(shares)).sum())


def memberships(run, step):
    """Return the memberships of all rows in the first and the second branch of the root."""
    z = run.problem.X @ step.weights
    first = np.clip(0.5 + (step.threshold - z) / step.width, 0, 1)
    return np.array([first, 1 - first])


@pytest.mark.parametrize("seed", range(6))
def test_memberships_and_gains_at_the_root_are_those_of_the_strip(seed):
    run, by_topic = round_by_topic("tree_variants", seed)
    step = run.trace.steps[1]
    share, y = memberships(run, step), np.asarray(run.problem.y)
    counts = np.array([[share[branch, y == code].sum() for code in (0, 1)] for branch in (0, 1)])
    whole = counts.sum(axis=0)
    gain = entropy(whole) - sum(c.sum() / whole.sum() * entropy(c) for c in counts)
    for question in by_topic["membership"]:
        if question.step == 1:
            assert judge(question, float(share[0, question.about[0] - 1])).is_right
    for question in by_topic["gain"]:
        if question.step == 1:
            assert judge(question, gain).is_right
            remains = judge(question, entropy(whole) - gain)
            assert remains.is_right or remains.rule in (Rule.REMAINS, Rule.SIZES)
    for question in by_topic["prediction"]:
        row = run.problem.X[[question.about[0] - 1]]
        name = re.search(r"probability of (\w+)", question.prompt)[1]
        shares = run.fitted.predict_proba(run.problem.table(row))[0]
        assert judge(question, float(shares[run.problem.classes.index(name)])).is_right


@pytest.mark.parametrize("method", ["oblique", "oblivious", "incremental"])
def test_the_other_variants_have_questions_too(method):
    page = technique("tree_variants")
    view = view_of(page, Settings.from_query({"method": [method]}, page.opening_link))
    questions = questions_of(view)
    assert questions
    assert all(judge(each.question, each.question.answer.right[0]).is_right for each in questions)


@pytest.mark.parametrize("seed", range(6))
def test_layers_of_an_info_fuzzy_network_are_those_of_g_tests(seed):
    run, by_topic = round_by_topic("tree_variants", seed, 1)
    X, y = np.asarray(run.problem.training.X), np.asarray(run.problem.training.y)
    names = list(run.problem.features)

    def tested(column, rows):
        """Return bits, p-value and degrees of freedom of a column in some rows."""
        table = np.array(
            [
                [(y[rows & (X[:, column] == v)] == c).sum() for c in set(y)]
                for v in set(X[rows, column])
            ]
        )
        table = table[:, table.sum(axis=0) > 0]
        if min(table.shape) < 2:
            return 0.0, 1.0, 0
        g, p, freedom, _ = chi2_contingency(table, correction=False, lambda_="log-likelihood")
        return g / (2 * np.log(2) * len(y)), p, freedom

    layers, is_open = [], [np.ones(len(y), bool)]
    for step in run.trace.steps[1:]:
        if step.phase != "layer":
            continue
        by_question = {
            each.topic: each
            for each in of_topics(by_topic, *by_topic)
            if run.trace.steps[each.step] is step
        }
        candidates = [j for j in range(X.shape[1]) if j not in layers]
        bits = [
            sum(b for b, p, _ in (tested(j, rows) for rows in is_open) if p <= 0.3)
            for j in candidates
        ]
        column = candidates[int(np.argmax(bits))]
        tests = [tested(column, rows) for rows in is_open]
        splits = [p <= 0.3 for _, p, _ in tests]
        if "layer" in by_question:
            options = list(by_question["layer"].answer.options)
            assert judge(by_question["layer"], options.index(names[column])).is_right
        if "degrees of freedom" in by_question:
            assert judge(by_question["degrees of freedom"], max(f for _, _, f in tests)).is_right
        if "nodes split" in by_question:
            question, n, n_split = by_question["nodes split"], len(splits), int(sum(splits))
            assert judge(question, n_split).is_right
            if n_split < n:
                assert judge(question, n).rule is NetworkRule.WHOLE
        layers.append(column)
        is_open = [
            rows & (X[:, column] == value)
            for rows, is_split in zip(is_open, splits, strict=True)
            if is_split
            for value in sorted(set(X[rows, column]))
        ]
    assert layers
