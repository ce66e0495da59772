"""How one attribute is distributed within each class: the tables that naive Bayes multiplies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.special import log_ndtr

from dmlib.arrays import Floats
from dmlib.squares import check_squares
from dmlib.trees.threshold_text import threshold_texts

Indices = NDArray[np.intp]

MIN_SHARE = 1e-9
"""A variance within a class is at least this share of the attribute's variance over all rows."""


@dataclass(frozen=True)
class NominalTable:
    """How often each value of an attribute occurs in each class.

    Examples
    --------
    >>> column, sums = np.array([0.0, 1, 1, 1]), ClassSums(np.array([0, 0, 0, 1]), 2)
    >>> table = count_values("sky", ("rain", "sun"), column, sums, 1)
    >>> table.counts.tolist(), table.probabilities.round(3).tolist()
    ([[1.0, 2.0], [0.0, 1.0]], [[0.4, 0.6], [0.333, 0.667]])
    """

    name: str
    values: tuple[str, ...]  # its values; intervals, if it was discretised
    # (n_classes, n_values): how many rows of the class have the value, without pseudo-counts
    counts: Floats
    # (n_classes, n_values): the estimate of P(value | class); the rows sum to 1
    probabilities: Floats
    # (n_values - 1,): where a discretised attribute was cut; a value on a cut belongs to the
    # interval above it
    cuts: Floats | None = None

    def codes(self, column: Floats) -> Indices:
        """Return the place of each entry among the values; -1 for a missing or unseen one."""
        places = column if self.cuts is None else np.searchsorted(self.cuts, column, side="right")
        return np.where(np.isnan(column), -1, places).astype(np.intp)

    def log_factors(self, column: Floats) -> Floats:
        """Return log P(value | class) of each entry, shape (n_samples, n_classes).

        It is 0 for a missing or unseen value.
        """
        with np.errstate(divide="ignore"):
            logs = np.log(self.probabilities)
        no_factor = np.zeros((len(logs), 1))  # where the code -1 points to
        factors: Floats = np.hstack([logs, no_factor]).T[self.codes(column)]
        return factors


@dataclass(frozen=True)
class NormalTable:
    """The normal distribution of an attribute in each class.

    Examples
    --------
    >>> table = NormalTable("x", np.array([3.0]), np.array([0.0]), np.array([1.0]))
    >>> np.exp(table.log_factors(np.array([0.0, 1.0]))).round(4).tolist()
    [[0.3989], [0.242]]
    """

    name: str
    counts: Floats  # (n_classes,): how many rows of the class have a known value
    # (n_classes,): the estimates
    mean: Floats
    variance: Floats
    # 0: a value's factor is the density there. Otherwise values are rounded to multiples of it, and
    # the factor is the probability of the interval of this width around the value
    precision: float = 0.0

    def log_factors(self, column: Floats) -> Floats:
        """Return the logarithm of each entry's factor, shape (n_samples, n_classes); 0 for NaN."""
        sd = np.sqrt(self.variance)
        if self.precision:
            column = np.rint(column / self.precision) * self.precision
        z = (column[:, None] - self.mean) / sd
        if self.precision:
            half = self.precision / 2 / sd
            logs = _log_probability_between(np.abs(z) - half, np.abs(z) + half)
        else:
            logs = -0.5 * (np.log(2 * np.pi * self.variance) + z**2)
        return np.where(np.isnan(z), 0.0, logs)


Table = NominalTable | NormalTable


class ClassSums:
    """Sums over the rows of each class, weighted; by default each row counts once."""

    def __init__(self, codes: Indices, n_classes: int, weights: Floats | None = None) -> None:
        self.codes = codes
        self.n_classes = n_classes
        self.weights = np.ones(len(codes)) if weights is None else weights
        self._members = csr_array(
            (self.weights, (codes, np.arange(len(codes)))), (n_classes, len(codes))
        )

    def __call__(self, X: Floats) -> Floats:
        """Return the sums of the columns over each class, shape (n_classes, n_columns)."""
        sums: Floats = self._members @ X
        return sums

    def counts(self) -> Floats:
        """Return the size of each class."""
        counts: Floats = np.bincount(self.codes, self.weights, self.n_classes).astype(np.float64)
        return counts


def count_values(
    name: str,
    values: tuple[str, ...],
    column: Floats,
    sums: ClassSums,
    laplace: float = 0.0,
    m_estimate: float = 0.0,
    m_prior: str | float = "uniform",
    cuts: Floats | None = None,
) -> NominalTable:
    """Return the table of a nominal (or cut) attribute.

    With n rows of a class, of which n_v have the value, the estimate is (n_v + laplace + m p) /
    (n + laplace V + m), where V is the number of values and p the prior estimate of the value.
    """
    shape = (sums.n_classes, len(values))
    codes = NominalTable(name, values, np.zeros(shape), np.zeros(shape), cuts).codes(column)
    has_value = codes >= 0
    cells = (sums.codes * len(values) + codes)[has_value]
    sizes = np.bincount(cells, sums.weights[has_value], shape[0] * shape[1])
    counts = sizes.astype(np.float64).reshape(shape)
    return NominalTable(
        name, values, counts, smoothed_shares(counts, laplace, m_estimate, m_prior), cuts
    )


def smoothed_shares(
    counts: Floats, laplace: float, m_estimate: float, m_prior: str | float
) -> Floats:
    """Return the shares of the values in each class by Laplace's rule and the m-estimate.

    Examples
    --------
    >>> smoothed_shares(np.array([[0.0, 3.0]]), 0.0, 3.0, 1 / 3).round(4).tolist()
    [[0.1667, 0.6667]]
    """
    p = prior_estimates(counts, m_prior)
    smoothed = counts + laplace + m_estimate * p
    # A class in which all values are missing takes the frequencies of all rows.
    is_known = smoothed.any(axis=1, keepdims=True)
    smoothed = np.where(is_known, smoothed, counts.sum(axis=0))
    total = smoothed.sum(axis=1, keepdims=True)
    if not isinstance(m_prior, str):  # m rows are added, whatever p sums to
        total = total + np.where(is_known, m_estimate * (1 - p.sum()), 0.0)
    shares: Floats = smoothed / np.where(total > 0, total, 1)
    return shares


def prior_estimates(counts: Floats, m_prior: str | float) -> Floats:
    """Return the prior estimate of each value: from its counts in the classes, or as it is set.

    Examples
    --------
    >>> counts = np.array([[1.0, 3.0], [0.0, 4.0]])
    >>> prior_estimates(counts, "uniform").tolist(), prior_estimates(counts, "shares").tolist()
    ([0.5, 0.5], [0.125, 0.875])
    """
    totals: Floats = counts.sum(axis=0)
    if not isinstance(m_prior, str):
        return np.full(len(totals), float(m_prior))
    if m_prior == "uniform" or not totals.any():
        totals = np.ones(len(totals))
    shares: Floats = totals / max(totals.sum(), 1.0)
    return shares


def normal_tables(
    names: Sequence[str],
    X: Floats,
    sums: ClassSums,
    *,
    ddof: int = 1,
    var_smoothing: float = 0.0,
    precisions: Floats | None = None,
) -> list[NormalTable]:
    """Return the tables of numeric attributes, the columns of ``X``.

    Raises
    ------
    ValueError
        If squares of the values overflow or vanish.
    """
    if precisions is not None:
        X = np.rint(X / precisions) * precisions
    check_squares(X, each=True)
    counts, mean, squares = _moments(X, sums)
    n = np.maximum(counts.sum(axis=0), np.finfo(float).tiny)
    with np.errstate(over="ignore", invalid="ignore"):
        center = (counts * mean).sum(axis=0) / n
        overall = (squares + counts * (mean - center) ** 2).sum(axis=0) / n
    if not np.isfinite(overall).all():
        raise ValueError(
            "The squares of the values are too large for "
            "a computer number. Standardise the columns."
        )
    # The variance of a constant is rounding.
    overall = np.where(overall > (1e-14 * center) ** 2, overall, 0.0)
    variance = np.where(counts > ddof, squares / np.where(counts > ddof, counts - ddof, 1), 0.0)
    # A class in which all values are missing takes the distribution of all rows.
    mean = np.where(counts > 0, mean, center)
    variance = np.where(counts > 0, variance, overall)
    min_variance = MIN_SHARE * overall if precisions is None else (precisions / 6) ** 2
    added = var_smoothing * float(overall.max(initial=0.0))
    variance = np.where(overall > 0, np.maximum(variance, min_variance), 1.0) + added
    widths = np.zeros(len(names)) if precisions is None else precisions
    columns = zip(names, counts.T, mean.T, variance.T, widths.tolist(), strict=True)
    return [NormalTable(*column) for column in columns]


def value_spacing(column: Floats) -> float:
    """Return the mean gap between neighbouring values of a column, as in Weka; 0.01 by default."""
    gaps = np.diff(np.unique(column[~np.isnan(column)]))
    return float(gaps.mean()) if gaps.size else 0.01


def frequency_cuts(column: Floats, n_bins: int) -> Floats:
    """Return the cuts of a column between equal-frequency intervals."""
    values = column[~np.isnan(column)]
    if not values.size:
        return np.empty(0)
    quantiles = np.unique(np.quantile(values, np.arange(1, n_bins) / n_bins))
    cuts: Floats = quantiles[quantiles > values.min()]
    return cuts


def interval_names(cuts: Floats, column: Floats) -> tuple[str, ...]:
    """Return the names of the intervals between cuts.

    Examples
    --------
    >>> interval_names(np.array([2.0, 5.0]), np.array([1.0, 2.0, 3.0, 5.0]))
    ('below 2', '2 to 5', '5 or more')
    """
    texts = threshold_texts(cuts, column, inclusive=False)
    if not texts:
        return ("any",)
    inner = [f"{low} to {high}" for low, high in pairwise(texts)]
    return (f"below {texts[0]}", *inner, f"{texts[-1]} or more")


def log_densities(X: Floats, mean: Floats, variance: Floats) -> Floats:
    """Return the log normal densities, summed over the columns, shape (n_samples, n_classes).

    NaN is skipped.
    """
    missing = np.isnan(X)
    scale = np.sqrt(0.5 / variance)
    constant = 0.5 * np.log(2 * np.pi * variance)
    logs = np.empty((len(X), len(mean)))
    for c, (center, width, terms) in enumerate(zip(mean, scale, constant, strict=True)):
        z = (X - center) * width
        z[missing] = 0.0
        logs[:, c] = -np.einsum("ij,ij->i", z, z) - terms.sum()
    return logs + missing @ constant.T if missing.any() else logs


def _moments(X: Floats, sums: ClassSums) -> tuple[Floats, Floats, Floats]:
    """Return number, mean and sum of squared deviations of the values by class and column."""
    missing = np.isnan(X)
    if missing.any():
        counts = sums((~missing).astype(float))
        X = np.where(missing, 0.0, X)
    else:
        counts = np.repeat(sums.counts()[:, None], X.shape[1], axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = sums(X) / np.where(counts > 0, counts, 1)
        deviations = X - mean[sums.codes]
        np.square(deviations, out=deviations)
        deviations[missing] = 0.0
        return counts, mean, sums(deviations)


def _log_probability_between(low: Floats, high: Floats) -> Floats:
    """Return log P(low < Z < high) of a standard normal Z, where low + high >= 0.

    The far tail is not lost to rounding.
    """
    above_low = log_ndtr(-low)
    above_high = log_ndtr(-high)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs: Floats = above_low + np.log1p(-np.exp(above_high - above_low))
    return logs


def checked_priors(priors: ArrayLike, n_classes: int) -> Floats:
    """Return prior probabilities that fit the classes."""
    values = np.asarray(priors, float)
    if values.shape != (n_classes,):
        raise ValueError(
            f"Number of priors must match number of classes: give {n_classes}, not {values.size}."
        )
    if not (values >= 0).all():
        raise ValueError("Priors must be non-negative.")
    if not np.isclose(values.sum(), 1.0):
        raise ValueError(f"The sum of the priors should be 1; it is {values.sum():g}.")
    return values


def logarithms(probabilities: Floats) -> Floats:
    """Return the logarithms of probabilities; minus infinity for 0."""
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(probabilities)
    return logs


def or_prior(joint: Floats, prior: Floats) -> Floats:
    """Return the log products of rows; where all products are zero, the log prior."""
    return np.where(np.isneginf(joint).all(axis=1, keepdims=True), prior, joint)
