import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from dmlib.classification import LogisticRegression
from dmlib.classification.logistic_regression.figures.score_curve import (
    N_GROUPS,
    plot_score_curve,
    score_curve_data,
)
from dmlib.datasets import load
from dmlib.problem import prepare

TELEPHONE = load("telephone").frame


def noisy(n=90):
    rng = np.random.default_rng(1)
    x = rng.normal(size=n)
    frame = pd.DataFrame({"x": x, "group": np.where(x + rng.logistic(size=n) > 0, "yes", "no")})
    return prepare(frame, ["x"], target="group", labelled=True, positive="yes")


def test_groups_of_neighbours_partition_the_rows():
    problem = noisy()
    model = LogisticRegression().fit(problem.X, problem.y)
    data = score_curve_data(problem, model)
    assert len(data.center) == N_GROUPS
    assert data.cases.tolist() == [9.0] * N_GROUPS
    order = np.argsort(model.decision_function(problem.X)).reshape(N_GROUPS, -1)
    np.testing.assert_allclose(data.observed, problem.y[order].mean(axis=1))
    np.testing.assert_allclose(
        data.expected, model.predict_proba(problem.X)[:, 1][order].mean(axis=1)
    )
    np.testing.assert_allclose(data.center, model.decision_function(problem.X)[order].mean(axis=1))


def test_groups_of_equal_rows_stay_together_and_count_their_cases():
    columns = ["college", "moved", "high_income", "households"]
    problem = prepare(TELEPHONE, columns, target="adopted", labelled=True, positive="yes")
    model = LogisticRegression(C=np.inf, grouped=True).fit(problem.X, problem.y)
    data = score_curve_data(problem, model)
    assert len(data.center) == 8
    assert sorted(data.cases) == sorted(TELEPHONE.groupby(columns[:3])["households"].sum())
    np.testing.assert_allclose(data.expected, expit(data.center))
    adopted = TELEPHONE.loc[TELEPHONE["adopted"] == "yes", "households"].sum()
    assert data.cases @ data.observed == pytest.approx(adopted)


def test_the_farthest_group_is_in_the_title():
    problem = noisy()
    data = score_curve_data(problem, LogisticRegression().fit(problem.X, problem.y))
    worst = np.abs(data.observed - data.expected).argmax()
    title = plot_score_curve(data).layout.title.text.replace("<br>", " ")
    assert (
        f"the fraction {data.observed[worst]:.3f} where {data.expected[worst]:.3f} is fitted"
        in title
    )
