"""Novikoff's bound on the mistakes of a perceptron, and whether its classes are separable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification import SVC, separation
from dmlib.neural.perceptron.neuron import LinearUnit

MAX_ROWS = 1000  # of which the widest margin is computed
MIN_WIDTH = 1e-9  # of the longest row: a smaller margin is rounding


@dataclass(frozen=True)
class Margin:
    """The margin of two classes.

    Attributes
    ----------
    separable : bool
        Whether some boundary separates them.
    longest : float
        The length R of the longest row of terms.
    width : float
        The margin g of the best boundary; NaN where there is none or it was not computed.
    """

    separable: bool
    longest: float
    width: float

    @property
    def bound(self) -> float:
        """The maximum number of mistakes from initial weights of zero, (R / g)^2, or NaN."""
        return (self.longest / self.width) ** 2


def margin_of(model: LinearUnit, X: Floats, codes: NDArray[np.intp], converged: bool) -> Margin:
    """Return the margin of rows and their classes, 0 and 1, in the terms of a unit.

    Where its run did not end by itself, a linear programme says whether the classes are separable.
    The widest margin is that of a hard-margin support vector machine. The machine has an intercept
    of its own, which is zero by symmetry once each row is there with its negative in the other
    class.

    Examples
    --------
    >>> from dmlib.neural import Perceptron
    >>> model = Perceptron(fit_intercept=False)
    >>> margin = margin_of(model, np.array([[-2.0], [1.0]]), np.array([0, 1]), True)
    >>> margin.longest, round(margin.width, 6), round(margin.bound, 6)
    (2.0, 1.0, 4.0)
    """
    Z, sign = model.terms(X), 2.0 * codes - 1
    longest = float(np.linalg.norm(Z, axis=1).max())
    separable = converged
    if not converged:
        kind = separation(X, codes, fit_intercept=model.fit_intercept).kind
        separable = kind == "complete"
    if not separable or len(Z) > MAX_ROWS or not 0 < longest < np.inf:
        return Margin(separable, longest, np.nan)
    rows = np.vstack([Z, -Z]) / longest
    w = SVC(kernel="linear", C=np.inf, tol=1e-6).fit(rows, np.concatenate([sign, -sign])).coef_[0]
    size = float(np.linalg.norm(w))
    width = float((sign * (Z @ w)).min()) / size if size > 0 else 0.0
    return Margin(True, longest, width if width > MIN_WIDTH * longest else np.nan)
