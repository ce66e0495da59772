"""Questions about discriminant analysis: scikit-learn predicts the same, sums are made again."""

import re

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dmlib.classification.lda_classifier.questions import Rule
from dmlib.pictures.question import judge
from tests.rounds import round_by_topic


@pytest.mark.parametrize("seed", range(5))
def test_covariances_and_predictions_are_those_of_the_rows(seed):
    run, by_topic = round_by_topic("lda_classifier", seed)
    X, y = run.problem.X, np.asarray(run.problem.y)
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    for question in by_topic["covariance"]:
        covariance = np.cov(X[y == question.about[0]].T)[0, 1]
        assert judge(question, 0 if covariance > 0 else 1).is_right
    for question in by_topic["pooled variance"]:
        within = sum(((X[y == k, 0] - X[y == k, 0].mean()) ** 2).sum() for k in set(y.tolist()))
        assert judge(question, within / len(X)).is_right
        assert judge(question, float(X[:, 0].var())).rule in (Rule.TOTAL, Rule.EVEN, None)
    for question in by_topic["prediction"]:
        row = question.about[0] - 1
        assert judge(question, int(model.predict(X[[row]])[0])).is_right


@pytest.mark.parametrize("seed", range(3))
def test_scores_differ_by_the_log_odds_of_scikit_learn(seed):
    run, by_topic = round_by_topic("lda_classifier", seed)
    X, y = run.problem.X, np.asarray(run.problem.y)
    model = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    score = model.decision_function(run.current_query.x[None])[0]
    for question in by_topic["score"]:
        code = "ABC".index(re.search(r"discriminant of (\w)", question.prompt)[1])
        assert judge(question, float(score[code])).is_right
