"""Profit of a mailing: the formula of the gains curve, in money."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.evaluation import Mailing, ThresholdSweep, mailing_curve, profit_curve
from dmlib.evaluation.roc.figures.mailing_profit import plot_mailing_profit
from dmlib.evaluation.roc.mailing import mailing_of
from tests.visit import open_preset

MONEY = st.floats(0, 100)


def scored(seed, n=60):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, n), [0, 1])
    return y, np.round(y + rng.normal(size=n + 2), 1)


@given(st.integers(0, 50), MONEY, MONEY)
def test_each_threshold_has_the_money_of_its_letters(seed, benefit, cost):
    y, score = scored(seed)
    share = y.mean()
    mailing = Mailing(1000, round(1000 * share), unit_benefit=benefit, unit_cost=cost)
    curve = mailing_curve(y, score, mailing)
    for threshold, profit in zip(np.unique(score)[::-1], curve.profit[1:], strict=True):
        letters = score >= threshold
        responses = y[letters].sum() / y.sum() * mailing.n_responders
        money = benefit * responses - cost * 1000 * letters.mean()
        assert profit == pytest.approx(money, abs=1e-6)
    assert curve.profit[curve.best] == curve.profit.max() >= 0


def test_it_is_the_profit_of_a_row_times_the_addresses():
    y, score = scored(1, 98)
    n_responders = int(1000 * y.mean())
    mailing = Mailing(1000, n_responders, unit_benefit=9.0, unit_cost=1.5)
    of_row = profit_curve(y, score, benefit_tp=7.5, cost_fp=1.5).profit
    np.testing.assert_allclose(mailing_curve(y, score, mailing).profit, 1000 * of_row)


def test_a_letter_pays_while_its_lift_is_high_enough():
    y, score = scored(4)
    mailing = Mailing(500, 200, unit_benefit=5.0, unit_cost=2.0)
    curve = mailing_curve(y, score, mailing)
    slopes = np.diff(curve.gain) / np.diff(curve.depth)
    assert ((slopes > mailing.worthwhile_lift) == (np.diff(curve.profit) > 0)).all()


def test_nobody_gets_letters_that_lose_money():
    y, score = scored(2)
    curve = mailing_curve(y, score, Mailing(100, 10, unit_benefit=1.0, unit_cost=5.0))
    assert curve.best == 0
    assert "write to nobody" in plot_mailing_profit(curve).layout.title.text


def test_more_responders_than_addresses():
    with pytest.raises(ValueError, match="11 of 10 addresses cannot respond"):
        Mailing(10, 11)
    assert mailing_of({"n_addresses": 10}).n_responders == 10


def test_the_preset_says_where_the_profit_is_largest():
    run = open_preset("roc", "A mailing to 10,000").run
    sweep: ThresholdSweep = run.fitted
    mailing = mailing_of(run.options)
    curve = mailing_curve(sweep.positive_, sweep.scores_, mailing)
    assert (100 * curve.depth[curve.best], curve.profit[curve.best]) == (
        pytest.approx(11.1),
        pytest.approx(2690),
    )
    assert curve.profit[-1] == -5000
    title = plot_mailing_profit(curve).layout.title.text.split("<br><span")[0]
    numbers = [float(text.replace(",", "")) for text in re.findall(r"[\d,]+\.?\d*", title)]
    x, benefit, responders, gain, cost, addresses, percent, hundred, profit = numbers
    assert benefit * responders * gain - cost * addresses * percent / hundred == profit
    assert x == percent
