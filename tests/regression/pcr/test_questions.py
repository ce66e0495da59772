"""Questions about principal component regression: components by the covariance matrix."""

import numpy as np
import pytest

from dmlib.pictures.question import judge
from dmlib.regression.pcr.questions import Rule
from tests.rounds import round_by_topic


@pytest.mark.parametrize("seed", range(6))
def test_components_slopes_and_errors(seed):
    run, by_topic = round_by_topic("pcr", seed)
    X, y = run.problem.X, np.asarray(run.problem.y)
    Z, t = (X - X.mean(0)) / X.std(0, ddof=1), y - y.mean()
    values, vectors = np.linalg.eigh(np.corrcoef(X.T))
    V = vectors[:, ::-1]
    V = V * np.sign(V[np.abs(V).argmax(axis=0), range(3)])
    scores = Z @ V
    slopes = [column @ t / (column @ column) for column in scores.T]
    fitted = np.cumsum([b * column for b, column in zip(slopes, scores.T, strict=True)], axis=0)
    sse = [t @ t, *((t - each) @ (t - each) for each in fitted)]
    for question in [one for topic in by_topic.values() for one in topic]:
        n = question.step
        answers = {
            "direction": [int(np.abs(V[:, 0]).argmax()) + 1],
            "slope": slopes[n - 1],
            "SSE": sse[n],
            "explained": 100 * (sse[n - 1] - sse[n]) / sse[0],
        }
        if question.topic == "prediction":
            row = list(run.problem.rows + 1).index(question.about[0])
            assert judge(question, [y.mean() + fitted[n - 1][row], 0.0]).is_right
            continue
        assert judge(question, answers[question.topic]).is_right, question.prompt
        if question.topic == "explained":
            wrong = 100 * values[::-1][n - 1] / 3
            assert judge(question, wrong).rule in (Rule.VARIANCE, None)
