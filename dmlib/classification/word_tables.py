"""Tables of naive Bayes for words: whether they occur (Bernoulli), or how often (multinomial)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import xlogy

from dmlib.arrays import Floats
from dmlib.classification.conditionals import (
    ClassSums,
    Indices,
    NominalTable,
    NormalTable,
    Table,
    count_values,
    prior_estimates,
    smoothed_shares,
)

EVENT_MODELS = ("bernoulli", "multinomial")
ABSENT, PRESENT = "0", "above 0"
SHARE = ""  # the only value of a column of counts has no name


@dataclass(frozen=True)
class BernoulliTable(NominalTable):
    """How often a number above 0 occurs in each class."""

    def codes(self, column: Floats) -> Indices:
        """Return 1 for each entry above 0, 0 for any other; -1 for a missing one."""
        return np.where(np.isnan(column), -1, column > 0).astype(np.intp)


@dataclass(frozen=True)
class MultinomialTable(NominalTable):
    """The share of a column in the sum of all counts of each class: its only value.

    Examples
    --------
    >>> share = np.array([[0.5], [0.25]])
    >>> table = MultinomialTable("a", ("share",), 4 * share, share, totals=np.array([4.0, 4.0]))
    >>> np.exp(table.log_factors(np.array([0.0, 2.0]))).tolist()
    [[1.0, 1.0], [0.25, 0.0625]]
    """

    totals: Floats = field(default_factory=lambda: np.empty(0))  # (n_classes,): all counts
    n_columns: int = 1  # how many columns share them
    prior: float = 1.0  # the prior estimate of the share

    def codes(self, column: Floats) -> Indices:
        """Return 0 for each entry, -1 for a missing one."""
        return np.where(np.isnan(column), -1, 0).astype(np.intp)

    def log_factors(self, column: Floats) -> Floats:
        """Return the count times the logarithm of the share, shape (n_samples, n_classes).

        A negative number is no count and taken as 0, as at the edge of a picture.
        """
        counts = np.maximum(np.nan_to_num(column), 0.0)
        with np.errstate(divide="ignore"):
            factors: Floats = xlogy(counts[:, None], self.probabilities[:, 0])
        return factors


def word_tables(
    model: str,
    names: Sequence[str],
    X: Floats,
    sums: ClassSums,
    laplace: float,
    m_estimate: float,
    m_prior: str | float,
) -> list[Table]:
    """Return the tables of columns of counts, by one of ``EVENT_MODELS``.

    Raises
    ------
    ValueError
        If a count of the multinomial model is negative.

    References
    ----------
    A. McCallum and K. Nigam (1998), A comparison of event models for naive Bayes text
    classification, sections 2.1 and 2.2.
    """
    if model == "multinomial":
        return _multinomial_tables(names, X, sums, laplace, m_estimate, m_prior)
    tables: list[Table] = []
    for name, column in zip(names, X.T, strict=True):
        is_present = np.where(np.isnan(column), np.nan, column > 0)
        smoothing = laplace, m_estimate, m_prior
        table = count_values(name, (ABSENT, PRESENT), is_present, sums, *smoothing)
        tables.append(BernoulliTable(name, table.values, table.counts, table.probabilities))
    return tables


def _multinomial_tables(
    names: Sequence[str],
    X: Floats,
    sums: ClassSums,
    laplace: float,
    m_estimate: float,
    m_prior: str | float,
) -> list[Table]:
    counted = np.nan_to_num(X)
    if (counted < 0).any():
        column = names[int(np.argmax((counted < 0).any(axis=0)))]
        raise ValueError(
            f"The multinomial model needs counts, and {column} holds {counted.min():g}. Leave the"
            " column out, or choose another model of numeric columns."
        )
    counts = sums(counted)
    prior = prior_estimates(counts, m_prior)
    shares = smoothed_shares(counts, laplace, m_estimate, m_prior)
    totals = counts.sum(axis=1)
    return [
        MultinomialTable(
            name,
            (SHARE,),
            counts[:, [j]],
            shares[:, [j]],
            totals=totals,
            n_columns=len(names),
            prior=float(prior[j]),
        )
        for j, name in enumerate(names)
    ]


def cell_value(table: Table, code: float, cell: Any) -> str | float | None:
    """Return the value of a cell as a step has it, for a cut attribute its interval."""
    if np.isnan(code):
        return None
    if isinstance(table, NormalTable | MultinomialTable):
        return float(code)
    is_interval = table.cuts is not None or isinstance(table, BernoulliTable)
    return table.values[int(table.codes(np.array([code]))[0])] if is_interval else str(cell)
