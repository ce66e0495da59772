"""Questions about linear regression: the answers are computed again with numpy's polyfit."""

from itertools import combinations

import numpy as np
import pytest

from dmlib.pictures.question import judge
from dmlib.regression.linear_regression.absolute_questions import AbsoluteRule
from dmlib.regression.linear_regression.mean_squares_questions import MeanSquaresRule
from dmlib.regression.linear_regression.questions import Rule
from tests.rounds import of_topics, round_by_topic


@pytest.fixture(params=range(6))
def questions(request):
    """Return x, y and the number of each row, and the questions by topic."""
    run, by_topic = round_by_topic("linear_regression", request.param)
    return run.problem.X[:, 0], run.problem.y, run.problem.rows + 1, by_topic


def test_the_line_is_that_of_polyfit(questions):
    x, y, rows, by_topic = questions
    slope, intercept = np.polyfit(x, y, 1)
    residuals = y - intercept - slope * x
    (question,) = by_topic["slope"]
    assert judge(question, slope).is_right
    assert judge(question, (y @ x - len(x) * x.mean() * y.mean()) / y.var() / len(x)).rule in (
        Rule.INVERSE,
        None,
    )
    assert judge(by_topic["centre"][0], [x.mean(), y.mean()]).is_right
    assert judge(by_topic["residual"][0], [int(rows[np.abs(residuals).argmax()])]).is_right
    assert judge(by_topic["R²"][0], np.corrcoef(x, y)[0, 1] ** 2).is_right
    assert judge(by_topic["R²"][0], 1 - np.corrcoef(x, y)[0, 1] ** 2).rule in (
        Rule.UNEXPLAINED,
        None,
    )
    sigma = np.sqrt(residuals @ residuals / (len(x) - 2))
    assert judge(by_topic["standard error"][0], sigma).is_right


def test_leverage_is_the_diagonal_of_the_hat_matrix(questions):
    x, _, rows, by_topic = questions
    A = np.column_stack([np.ones(len(x)), x])
    leverage = np.diag(A @ np.linalg.pinv(A))
    assert judge(by_topic["leverage"][0], [int(rows[leverage.argmax()])]).is_right


def test_the_largest_product_of_deviations(questions):
    x, y, rows, by_topic = questions
    products = [(a - sum(x) / len(x)) * (b - sum(y) / len(y)) for a, b in zip(x, y, strict=True)]
    assert judge(by_topic["product"][0], [int(rows[np.argmax(products)])]).is_right


def sum_of_deviations(x, y, slope, intercept):
    return np.abs(y - intercept - slope * x).sum()


def best_line(x, y):
    """Return slope and intercept of the best line through two rows, of all pairs."""
    lines = [((y[j] - y[i]) / (x[j] - x[i]), i) for i, j in combinations(range(len(x)), 2)]
    lines = [(slope, y[i] - slope * x[i]) for slope, i in lines]
    return min(lines, key=lambda line: sum_of_deviations(x, y, *line))


@pytest.mark.parametrize("seed", range(6))
def test_turns_of_the_line_of_least_absolute_deviations(seed):
    run, by_topic = round_by_topic("linear_regression", seed, 1)
    x, y, rows = run.problem.X[:, 0], np.asarray(run.problem.y), run.problem.rows + 1
    for question in by_topic["row"]:
        pivot = int(question.prompt.split("row ")[1].split()[0]) - 1
        targets = [i for i in range(len(x)) if i != pivot]
        slopes = {i: (y[i] - y[pivot]) / (x[i] - x[pivot]) for i in targets}
        sums = {i: sum_of_deviations(x, y, s, y[pivot] - s * x[pivot]) for i, s in slopes.items()}
        assert judge(question, [int(rows[min(sums, key=sums.get)])]).is_right
        count = sorted(targets, key=slopes.get)[(len(targets) - 1) // 2]
        farthest = max(targets, key=lambda i: abs(x[i] - x[pivot]))
        for row, rule in ((count, AbsoluteRule.COUNT), (farthest, AbsoluteRule.FARTHEST)):
            verdict = judge(question, [int(rows[row])])
            assert verdict.is_right or verdict.rule in (rule, AbsoluteRule.COUNT)
    for question in by_topic["end"]:
        line = run.trace.steps[question.step - 1]
        total = sum_of_deviations(x, y, line.coef[0], line.intercept)
        is_best = np.isclose(total, sum_of_deviations(x, y, *best_line(x, y)))
        assert judge(question, int(is_best)).is_right
        assert judge(question, 1).rule in (None, AbsoluteRule.PAIR)
    (question,) = by_topic["far row"]
    place = list(rows).index(question.about[0])
    raised = y + 10 * np.ptp(y) * (np.arange(len(y)) == place)
    assert np.allclose(best_line(x, raised), best_line(x, y))
    assert judge(question, 0).is_right
    assert judge(question, 1).rule is AbsoluteRule.PULL


@pytest.mark.parametrize("seed", range(6))
def test_corrections_of_least_mean_squares(seed):
    run, by_topic = round_by_topic("linear_regression", seed, 2)
    x, y, rate = run.problem.X[:, 0], np.asarray(run.problem.y), 0.02
    w, lines = np.zeros(2), []
    for i in [*range(len(x))] * 2:
        lines.append((w.copy(), i, y[i] - w @ [1, x[i]]))
        w += rate * lines[-1][2] * np.array([1, x[i]])
    for question in of_topics(by_topic, "error", "corrected slope", "what is left"):
        (_, slope), i, error = lines[question.step - 1]
        length = 1 + x[i] ** 2
        if question.topic == "error":
            assert judge(question, error).is_right
            assert judge(question, -error).rule is MeanSquaresRule.MINUS
        elif question.topic == "corrected slope":
            assert judge(question, slope + rate * error * x[i]).is_right
            for wrong, rule in (
                (slope + rate * error, MeanSquaresRule.SHARED),
                (slope - rate * error * x[i], MeanSquaresRule.DOWN),
                (slope + error * x[i] / length, MeanSquaresRule.THROUGH),
            ):
                verdict = judge(question, wrong)
                assert verdict.is_right or verdict.rule in (rule, MeanSquaresRule.SHARED)
        else:
            remainder = (1 - rate * length) * error
            fate = 2 if abs(remainder) > abs(error) else int(remainder * error < 0)
            assert judge(question, fate).is_right
            assert judge(question, 3).rule is MeanSquaresRule.THROUGH
