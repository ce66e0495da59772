"""Questions about a column: the answers are computed again with pandas."""

import pandas as pd
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.preprocessing import ColumnSummary
from dmlib.preprocessing.data_overview.questions import Rule, questions
from dmlib.problem import prepare
from tests.visit import technique


@pytest.mark.parametrize("seed", range(4))
def test_statistics_are_those_of_pandas(seed):
    page = technique("data_overview")
    view = view_of(page, practice_settings(page, seed))
    problem = view.run.problem
    frame = pd.DataFrame(problem.X, columns=problem.features)
    x = frame[problem.features[view.run.model.column - 1]]
    low, high = x.quantile(0.25), x.quantile(0.75)
    is_beyond = (x < low - 1.5 * (high - low)) | (x > high + 1.5 * (high - low))
    r = frame.corr()[x.name].drop(x.name)
    answers = {
        "median": [x.median(), 0.0],
        "quartile": low,
        "outliers": (problem.rows[is_beyond] + 1).tolist(),
        "mean": x.mean(),
        "variance": x.var(),
        "coefficient of variation": 100 * x.std() / x.mean(),
        "correlation": r[r.abs().idxmax()],
    }
    found = [each.question for each in questions_of(view)]
    assert len(found) >= 6
    for question in found:
        given = answers[question.topic]
        assert judge(question, given if isinstance(given, list) else float(given)).is_right
        if question.topic == "variance":
            assert judge(question, float(x.var(ddof=0))).rule is Rule.ALL_N


def test_names_have_a_mode_only():
    problem = prepare(pd.DataFrame({"sky": ["sun", "rain", "sun", "fog"]}), ["sky"])
    (mode,) = questions(Run.of(problem, ColumnSummary()))
    assert mode.answer.options[mode.answer.right[0]] == "sun"
