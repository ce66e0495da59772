"""The numbers of the lesson on ROC, computed again."""

from pathlib import Path

import numpy as np
import pytest

from dmlib.evaluation import Payoff, confusion, lift_curve, pr_curve, profit_curve, roc_curve

TEXT = (Path(__file__).parents[3] / "assets" / "pages" / "roc" / "lesson.md").read_text("utf-8")
SCORE = [0.9, 0.8, 0.7, 0.6, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
Y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]


def section(title):
    return TEXT.split(f"### {title}\n")[1].split("\n### ")[0]


def test_the_table_is_the_example():
    lines = [line for line in section("By hand").splitlines() if line.startswith("| ")]
    assert [float(cell) for cell in lines[0].split("|")[2:-1]] == SCORE
    assert [cell.strip() == "+" for cell in lines[1].split("|")[2:-1]] == [bool(y) for y in Y]


def test_rates_at_the_tie():
    called = np.asarray(SCORE) >= 0.6
    result = confusion(Y, called.astype(int))
    assert (result.tp, result.fp) == (3, 2)
    text = section("By hand")
    for value in (result.precision, result.recall, result.kappa):
        assert f"**{value:.4g}**" in text
    assert f"**{result.fpr:.3f}**" in text
    assert result.accuracy == 0.7


def test_areas_and_lift():
    text = section("By hand")
    assert f"= **{roc_curve(Y, SCORE).auc:.4f}**" in text
    assert f"= **{pr_curve(Y, SCORE).average_precision:.4f}**" in text
    lift = lift_curve(Y, SCORE, groups=5)
    assert (lift.table.gain[0], lift.table.lift[0]) == (0.5, 2.5)
    assert "lift **2.5**" in text


def test_costs_choose_the_threshold():
    text = section("By hand")
    cheap, dear = (profit_curve(Y, SCORE, benefit_tp=2, cost_fp=cost) for cost in (1, 2))
    total = dict(zip(cheap.thresholds.tolist(), (10 * cheap.profit).round(9).tolist(), strict=True))
    assert (total[0.8], total[0.6], total[0.4]) == (4, 4, 5)
    assert cheap.thresholds[cheap.best] == 0.4
    assert dear.thresholds[dear.best] == 0.8
    assert cheap.payoff.slope == pytest.approx(0.75)
    assert dear.payoff.slope == pytest.approx(1.5)
    assert all(f"**{value}**" in text for value in ("0.75", "1.5", "0.8"))
    curve = roc_curve(Y, SCORE)
    best = curve.best(cheap.payoff.slope)
    assert (curve.fpr[best], curve.tpr[best]) == (0.5, 1.0)


def test_answers():
    assert Payoff(cost_fp=1, cost_fn=10, prior=1 / 11).slope == pytest.approx(1)
    assert roc_curve(Y, [0.5] * 10).auc == 0.5
    assert roc_curve(Y, np.square(SCORE)).auc == roc_curve(Y, SCORE).auc
