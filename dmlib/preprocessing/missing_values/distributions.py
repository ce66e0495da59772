"""Distributions fitted to the known values of a column: a normal one and a kernel density."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats

NORMAL_RANGE = 1.34  # interquartile range of a normal distribution in standard deviations
SILVERMAN = 0.9  # factor of the rule of thumb


@dataclass(frozen=True, eq=False)
class KnownValues:
    """The known values of a column of numbers, to which distributions are fitted.

    Attributes
    ----------
    rows : ndarray of shape (n_known,)
        The rows that have them.
    values : ndarray of shape (n_known,)
        The values.

    References
    ----------
    B. W. Silverman (1986), Density estimation for statistics and data analysis, equation 3.31 and
    section 6.4 (draws).

    Examples
    --------
    >>> known = KnownValues.of(np.array([2.0, 4.0, np.nan, 6.0, 8.0]))
    >>> known.mean, round(known.deviation, 4), round(known.bandwidth, 4)
    (5.0, 2.582, 1.527)
    """

    rows: NDArray[np.intp]
    values: Floats

    @classmethod
    def of(cls, column: Floats) -> KnownValues:
        """Return the values of a column that are not NaN."""
        rows = np.flatnonzero(~np.isnan(column))
        return cls(rows, column[rows])

    @property
    def mean(self) -> float:
        """Their mean."""
        return float(self.values.mean())

    @property
    def deviation(self) -> float:
        """Their standard deviation, divided by n - 1; 0 of a single value."""
        return float(self.values.std(ddof=1)) if len(self.values) > 1 else 0.0

    @property
    def quartile_range(self) -> float:
        """The distance of their quartiles."""
        low, high = np.percentile(self.values, [25, 75])
        return float(high - low)

    @property
    def bandwidth(self) -> float:
        """Silverman's 0.9 min(s, IQR / 1.34) / n^(1/5); of equal quartiles 0.9 s / n^(1/5)."""
        spread = self.deviation
        if self.quartile_range > 0:
            spread = min(spread, self.quartile_range / NORMAL_RANGE)
        return SILVERMAN * spread / float(len(self.values) ** 0.2)

    def draw(self, kind: str, n: int, rng: Any) -> tuple[Floats, NDArray[np.intp]]:
        """Draw from a distribution that is fitted to them.

        Parameters
        ----------
        kind : {"normal", "density"}
            The normal distribution of their mean and deviation; or their kernel density: one of
            them at random, and a normal step of the bandwidth.
        n : int
            The number of draws.
        rng : RandomState
            The generator.

        Returns
        -------
        values : ndarray of shape (n,)
            The draws.
        rows : ndarray of shape (n, 0) or (n, 1)
            The rows from whose values the draws of a kernel density start.
        """
        if kind == "normal":
            values = self.mean + self.deviation * rng.standard_normal(n)
            return values, np.empty((n, 0), np.intp)
        places = rng.randint(len(self.values), size=(n, 1))
        steps = self.bandwidth * rng.standard_normal(n)
        return self.values[places[:, 0]] + steps, self.rows[places]
