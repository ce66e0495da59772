"""Questions about naive Bayes: rows are counted and products are divided again."""

import re

import numpy as np
import pytest

from dmlib.classification.naive_bayes.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


def probability(problem, column, value, code):
    """Return P(value | class) with Laplace smoothing 1, from the training rows."""
    X, y = problem.training.X, np.asarray(problem.training.y)
    values = problem.categories[column]
    has_value = X[y == code, column] == list(values).index(value)
    n_values = len(values)
    return (has_value.sum() + 1) / (len(has_value) + n_values)


@pytest.mark.parametrize("seed", range(5))
def test_estimates_and_shares_are_those_of_the_training_rows(seed):
    run, by_topic = round_by_topic("naive_bayes", seed)
    problem = run.problem
    for question in by_topic["estimate"]:
        feature, value = re.search(r"have (\w+) = (\w+)", question.prompt).groups()
        code = problem.classes.index(re.search(r"of class (\w+)", question.prompt)[1])
        column = problem.features.index(feature)
        assert judge(question, probability(problem, column, value, code)).is_right
    for question in (*by_topic["share"], *by_topic["change"]):
        n_factors = question.step - len(problem.features) - 1
        before, after = (_posterior(run, n) for n in (n_factors - 1, n_factors))
        code = problem.classes.index(re.search(r"probability of (\w+)", question.prompt)[1])
        change = after[code] - before[code]
        answer = after[code] if question.topic == "share" else 0 if change > 0 else 1
        assert judge(question, answer).is_right or abs(change) < 1e-9


def _posterior(run, n_factors):
    """Return the probabilities of the classes after some factors of the query."""
    problem = run.problem
    products = np.bincount(problem.training.y) / len(problem.training.X)
    for column in range(n_factors):
        value = problem.categories[column][int(run.current_query.x[column])]
        products *= [probability(problem, column, value, code) for code in (0, 1)]
    return products / products.sum()


def test_who_forgets_the_prior_is_told_so():
    run, by_topic = round_by_topic("naive_bayes", 0)
    question = by_topic["share"][0]
    factors = [probability(run.problem, 0, "overcast", code) for code in (0, 1)]
    code = run.problem.classes.index(re.search(r"probability of (\w+)", question.prompt)[1])
    assert judge(question, factors[code] / sum(factors)).rule is Rule.NO_PRIOR
