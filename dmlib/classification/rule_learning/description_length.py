"""Description lengths of rules and of the rows that they misclassify, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log2

from scipy.special import xlog1py, xlogy

REDUNDANCY = 0.5  # conditions of a rule are not independent: their bits count half (Cohen)


@dataclass(frozen=True)
class DescriptionLength:
    """The bits of a set of rules for one class, and of the rows that it misclassifies."""

    n_covered: int  # rows that a rule covers
    n_uncovered: int
    n_false_positives: int  # of those covered
    n_false_negatives: int  # of the others
    theory: float
    exceptions: float

    @property
    def total(self) -> float:
        """All bits."""
        return self.theory + self.exceptions

    @property
    def bits(self) -> tuple[float, float, float]:
        """The bits of the rules, of the exceptions, and all."""
        return self.theory, self.exceptions, self.total


def subset_bits(n: int, k: int, p: float) -> float:
    """Return the bits that say which k of n things, if each is expected with probability p.

    Examples
    --------
    >>> subset_bits(4, 2, 0.5)
    4.0
    """
    return float(-(xlogy(k, p) + xlog1py(n - k, -p)) / log(2))


def theory_bits(k: int, n: int) -> float:
    """Return the bits of a rule with k of n possible conditions, halved for redundancy.

    The number k itself costs log2 k + 2 log2 log2 k.

    Examples
    --------
    >>> theory_bits(2, 4)
    2.5
    """
    if not k:
        return 0.0
    number = log2(k) + (2 * log2(log2(k)) if k > 1 else 0.0)
    return REDUNDANCY * (number + subset_bits(n, k, k / n))


def exception_bits(
    n_covered: int, n_uncovered: int, n_false_positives: int, n_false_negatives: int
) -> float:
    """Return the bits that say which rows are misclassified.

    Half of the e errors are expected in the larger of the two parts, the covered or the uncovered
    rows; for the smaller part the number of errors is then known.

    Examples
    --------
    >>> round(exception_bits(4, 12, 1, 0), 4)
    8.0694
    """
    half = (n_false_positives + n_false_negatives) / 2
    counts = (n_covered, n_false_positives), (n_uncovered, n_false_negatives)
    smaller, larger = counts if n_covered <= n_uncovered else counts[::-1]
    bits = log2(n_covered + n_uncovered + 1)
    for (n, errors), expected in ((smaller, smaller[1]), (larger, half)):
        bits += subset_bits(n, errors, expected / n) if n else 0.0
    return bits
