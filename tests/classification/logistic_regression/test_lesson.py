"""The numbers of the lesson on logistic regression, computed again."""

import numpy as np
import pytest

from dmlib.classification import LogisticRegression, binomial_rows
from tests.contract.test_lessons import section, text_of

TREATED = binomial_rows([[0], [1]], [10, 30], [40, 40])


@pytest.fixture
def by_hand():
    return section(text_of("logistic_regression"), "By hand").replace("\n", " ")


def steps():
    return list(LogisticRegression(C=np.inf).steps(*TREATED))


def test_the_start(by_hand):
    start, first, *_ = steps()
    assert f"80 \\ln 0.5 = {start.log_likelihood:.3f}" in by_hand
    assert start.gradient[0].tolist() == [0, 10]
    assert (-first.hessian).tolist() == [[20, 10], [10, 10]]
    for numbers in ("**(0, 10)**", "**(20, 10; 10, 10)**"):
        assert numbers in by_hand


def test_two_steps_of_newton(by_hand):
    _, first, second, *_ = steps()
    assert first.coef[0] == pytest.approx([-1, 2])
    chances = 1 / (1 + np.exp([1, -1]))
    assert f"0) = {chances[0]:.4f}$, $P(1 \\mid 1) = {chances[1]:.4f}" in by_hand
    assert f"**{first.log_likelihood:.3f}**" in by_hand
    assert second.gradient[0] == pytest.approx([0, 40 * (0.75 - chances[1])], abs=1e-9)
    assert f"$g = (0, {second.gradient[0, 1]:.4f})$" in by_hand
    assert f"all $P(1 - P) = {chances[0] * chances[1]:.4f}$" in by_hand
    assert (
        "**({:.4f}, {:.4f})**, to ({:.4f}, {:.4f})".format(*second.direction[0], *second.coef[0])
        in by_hand
    )


def test_the_top(by_hand):
    model = LogisticRegression(C=np.inf).fit(*TREATED)
    assert model.intercept_[0] == pytest.approx(np.log(1 / 3))
    assert model.coef_[0, 0] == pytest.approx(np.log(9))
    low, high = model.odds_ratio_intervals_[1]
    for numbers in (
        f"**{model.intercept_[0]:.4f}**",
        f"**{model.coef_[0, 0]:.4f}**",
        f"\\ell = {model.log_likelihood_:.3f}$",
        f"**{model.odds_ratios_[1]:.0f}**",
        f"**{model.standard_errors_[1]:.4f}**",
        f"z = {model.z_values_[1]:.2f}$",
        f"**{low:.2f}** to **{high:.2f}**",
    ):
        assert numbers in by_hand, numbers


def test_the_deviance_of_groups_differs_by_a_constant():
    """The lesson says that programs which compare with the groups print another deviance."""
    shares = np.array([0.25, 0.75])
    model = LogisticRegression(C=np.inf).fit(*TREATED)
    saturated = 2 * 40 * (shares * np.log(shares) + (1 - shares) * np.log(1 - shares)).sum()
    assert model.deviance_ + saturated == pytest.approx(0, abs=1e-6)


def test_the_answers():
    text = section(text_of("logistic_regression"), "Answers")
    assert f"$e^{{7}} \\approx {np.exp(7):.0f}$" in text
    metres, y = np.random.default_rng(0).normal(size=(60, 1)), np.arange(60) % 2
    in_metres, in_kilometres = (
        LogisticRegression(C=np.inf, tol=1e-9).fit(metres * unit, y) for unit in (1, 1000)
    )
    assert in_kilometres.coef_[0, 0] * 1000 == pytest.approx(in_metres.coef_[0, 0])
    assert in_kilometres.z_values_[1] == pytest.approx(in_metres.z_values_[1])
    assert in_metres.predict_proba(metres)[:, 1].sum() == pytest.approx(y.sum())
