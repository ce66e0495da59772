"""Questions about the lasso: a coefficient is found again by trying many values."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from dmlib.pictures.question import judge
from dmlib.regression.ridge_lasso.questions import Rule
from tests.rounds import round_by_topic, step_of


@pytest.fixture(params=range(4))
def questions(request):
    """Return the run, the standardised columns, the centred target, and questions by topic."""
    run, by_topic = round_by_topic("ridge_lasso", request.param)
    X, y = run.problem.X, np.asarray(run.problem.y)
    return run, (X - X.mean(0)) / X.std(0), y - y.mean(), by_topic


def best_on_a_grid(Z, y, b, j, alpha):
    """Return the value of one coefficient with the smallest objective, the others fixed."""
    values = np.linspace(-6, 6, 12_001)
    residuals = y - np.delete(Z, j, 1) @ np.delete(b, j)
    sse = ((residuals[:, None] - Z[:, [j]] * values) ** 2).sum(0)
    return float(values[(sse + alpha * np.abs(values)).argmin()])


def test_a_step_minimises_the_objective_over_one_coefficient(questions):
    run, Z, y, by_topic = questions
    alpha = run.model.alpha
    for question in [*by_topic["coefficient"], *by_topic["sign"], *by_topic["move"]]:
        step, before = step_of(run, question)
        b, j = before.standardized_coef.copy(), step.column
        b[j] = best_on_a_grid(Z, y, b, j, alpha)
        given = b[j]
        if question.topic == "sign":
            given = int(np.sign(b[j])) + 1
        if question.topic == "move":
            panel = question.answer.panel
            names = [axis.label.removeprefix("b of x")[0] for axis in (panel.x, panel.y)]
            given = [b[int(name) - 1] for name in names]
        assert judge(question, given).is_right


def test_the_objective_and_the_units_are_those_of_scikit_learn(questions):
    run, Z, y, by_topic = questions
    alpha = run.model.alpha
    b = Lasso(alpha / 2 / len(y), tol=1e-12).fit(Z, y).coef_
    sse = ((y - Z @ b) ** 2).sum()
    for question in by_topic.get("objective", []):
        assert judge(question, sse + alpha * np.abs(b).sum()).is_right
        assert judge(question, sse + alpha * (b**2).sum()).rule in (Rule.SQUARES, None)
    for question in by_topic.get("units", []):
        j = np.abs(b).argmax()
        assert judge(question, b[j] / run.problem.X[:, j].std()).is_right
