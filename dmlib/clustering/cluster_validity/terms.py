"""The parts of a measure: one for each cluster, probe or known class, and the total."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats


def num(value: float) -> str:
    """Return a number for a formula, with six significant digits and a true minus sign.

    Examples
    --------
    >>> num(-0.25)
    '−0.25'
    """
    return f"{value:.6g}".replace("inf", "∞").replace("-", "−")


@dataclass(frozen=True)
class Term:
    """One part of a measure.

    Attributes
    ----------
    index : int
        The cluster (from 0, among those that are measured) or the probe that it is of.
    compared : int
        The cluster or class that it is compared with; -1 for none.
    values : tuple of float
        Its numbers, under the heads of :class:`Parts`.
    rows : tuple of int
        The rows that decide it: the ends of a diameter, the nearest rows of two clusters.
    """

    index: int
    compared: int
    values: tuple[float, ...]
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class Parts:
    """All parts of a measure, and what they give together.

    Attributes
    ----------
    heads : tuple of str
        What the values of the terms are.
    terms : tuple of Term
        One for each cluster, or for each probe.
    value : float
        The measure.
    formula : str
        How it comes about, with the numbers put in.
    matrix : ndarray or None
        What is drawn beside the rows: distances between clusters, similarities of rows, counts of
        clusters and classes.
    links : ndarray of shape (2, n_links) or None
        The rows at the ends of each link of a sparse proximity graph.
    """

    heads: tuple[str, ...]
    terms: tuple[Term, ...]
    value: float
    formula: str
    matrix: Floats | None = field(default=None)
    links: NDArray[np.intp] | None = field(default=None)


NO_PARTS = Parts((), (), float("nan"), "")
"""What a measure has that is not defined."""


class UndefinedMeasure(ValueError):  # noqa: N818 -- other measures of the clusters are defined
    """A measure is not defined for these clusters; the message says why."""
