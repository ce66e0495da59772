"""Questions about variants of trees: memberships and entropies by their formulas."""

import re

import numpy as np
import pytest

from dashboard.rounds import questions_of, view_of
from dashboard.settings import Settings
from dmlib.classification.tree_variants.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic
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
