"""Questions about linear regression: the answers are computed again with numpy's polyfit."""

import numpy as np
import pytest

from dmlib.pictures.question import judge
from dmlib.regression.linear_regression.questions import Rule
from tests.rounds import round_by_topic


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
