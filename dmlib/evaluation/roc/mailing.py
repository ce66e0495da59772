"""Profit of a mailing to the addresses with the highest scores, in money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.evaluation.roc.lift import LiftCurve, lift_curve
from dmlib.evaluation.thresholds import first_best


@dataclass(frozen=True)
class Mailing:
    """A mailing to a population, of whom some would respond.

    Parameters
    ----------
    n_addresses : int
        The number of addresses, N.
    n_responders : int
        How many of them would respond if all got a letter, MaxR.
    unit_benefit : float
        The benefit of a response, UnitB.
    unit_cost : float
        The cost of a letter, UnitCost.

    References
    ----------
    G. Piatetsky-Shapiro and B. Masand (1999), Estimating campaign benefits and modeling lift, KDD,
    section 3.

    Examples
    --------
    >>> Mailing(10_000, 500, unit_benefit=10.0, unit_cost=1.0).profit(depth=0.2, gain=0.6)
    1000.0
    """

    n_addresses: int = 10_000
    n_responders: int = 500
    unit_benefit: float = 10.0
    unit_cost: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.n_responders <= self.n_addresses:
            raise ValueError(
                f"{self.n_responders:,} of {self.n_addresses:,} addresses cannot respond. Lower the"
                " number of responders."
            )

    @property
    def worthwhile_lift(self) -> float:
        """The lift from which one more letter pays: UnitCost N / (UnitB MaxR)."""
        benefit = self.unit_benefit * self.n_responders
        return self.unit_cost * self.n_addresses / benefit if benefit else np.inf

    def profit(self, depth: Any, gain: Any) -> Any:
        """Return UnitB MaxR gain - UnitCost N depth."""
        benefit = self.unit_benefit * self.n_responders * gain
        return benefit - self.unit_cost * self.n_addresses * depth


@dataclass(frozen=True, eq=False)
class MailingCurve:
    """The profit of letters to the addresses with the highest scores.

    Attributes
    ----------
    depth : ndarray of shape (n_thresholds,)
        The fraction of the addresses that gets a letter.
    gain : ndarray of shape (n_thresholds,)
        The fraction of the responders among them.
    profit : ndarray of shape (n_thresholds,)
        The profit, in money.
    best : int
        The index of the largest profit; of several, the one with the fewest letters.
    mailing : Mailing
        Addresses, responders, benefit and cost.
    """

    depth: Floats
    gain: Floats
    profit: Floats
    best: int
    mailing: Mailing


def mailing_curve(
    y: ArrayLike, score: ArrayLike, mailing: Mailing, *, pos_label: Any = None
) -> MailingCurve:
    """Return the profit at each threshold of scores whose gains hold for the population.

    All further parameters are those of :func:`dmlib.evaluation.threshold_counts`.

    Examples
    --------
    >>> mailing = Mailing(1000, 500, unit_benefit=4.0, unit_cost=1.0)
    >>> curve = mailing_curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], mailing)
    >>> curve.profit.round().tolist(), curve.depth[curve.best].round(3).item()
    ([0.0, 500.0, 1000.0, 833.0, 1333.0, 1167.0, 1000.0], 0.667)
    """
    return mailing_profits(lift_curve(y, score, pos_label=pos_label), mailing)


def mailing_profits(curve: LiftCurve, mailing: Mailing) -> MailingCurve:
    """Return the profits of a gains curve."""
    profit = mailing.profit(curve.depth, curve.gain)
    return MailingCurve(curve.depth, curve.gain, profit, first_best(profit), mailing)


OPTIONS: Mapping[str, Any] = asdict(Mailing())


def mailing_of(options: Mapping[str, Any]) -> Mailing:
    """Return the mailing of the options of a picture; at most all addresses respond."""
    values = {name: options.get(name, usual) for name, usual in OPTIONS.items()}
    values["n_responders"] = min(values["n_responders"], values["n_addresses"])
    return Mailing(**values)
