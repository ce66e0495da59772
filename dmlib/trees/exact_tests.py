"""Tables given their margins: the hypergeometric probability, and p-values that rest on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from dmlib.arrays import Floats, Ints
from dmlib.trace import look

PERMUTATIONS = 499
"""The permutations of the classes behind a p-value; the smallest p-value is 1 / 500."""

SAME = 1e-9
"""Logarithms of probabilities that differ by no more are equal."""

BLOCK = 2_000_000
"""The permuted labels that are held at once."""


def log_probability(tables: ArrayLike) -> Floats:
    r"""Return the logarithm of the probability of tables given their margins.

    With the row sums :math:`r_i`, the column sums :math:`c_j` and the total n of the cells
    :math:`n_{ij}` the probability, of the multiple hypergeometric distribution, is

    .. math:: P = \frac{\prod_i r_i! \, \prod_j c_j!}{n! \, \prod_{ij} n_{ij}!}.

    Parameters
    ----------
    tables : array-like of shape (n_rows, n_columns, ...)
        The cells; the factorial of a fraction is that of the gamma function.

    Returns
    -------
    ndarray of shape (...)
        The natural logarithms.

    References
    ----------
    J. K. Martin (1997), An exact probability metric for decision tree splitting and stopping.
    Machine Learning 28, 257-291.

    Examples
    --------
    >>> np.exp(log_probability([[3, 1], [1, 3]])).round(4)  # 16 of the 70 ways to draw 4 of 8
    np.float64(0.2286)
    """
    cells = np.asarray(tables, float)
    margins = gammaln(cells.sum(axis=1) + 1).sum(axis=0) + gammaln(cells.sum(axis=0) + 1).sum(
        axis=0
    )
    inside = gammaln(cells + 1).sum(axis=(0, 1)) + gammaln(cells.sum(axis=(0, 1)) + 1)
    out: Floats = margins - inside
    return out


def permutation_p_values(tables: ArrayLike) -> Floats:
    """Return p-values of the independence of rows and columns by permutations.

    The columns are the classes: they are permuted among the rows of the data ``PERMUTATIONS``
    times, always alike for the same class sizes. With b tables that are no more probable than the
    observed one, p = (b + 1) / (``PERMUTATIONS`` + 1). That estimates the p-value of Fisher's exact
    test, and of its generalisation to larger tables by Freeman and Halton.

    Parameters
    ----------
    tables : array-like of shape (n_rows, n_columns, ...)
        The cells, rounded to whole numbers.

    Returns
    -------
    ndarray of shape (...)
        The p-values.

    Notes
    -----
    O(P (n + r m) k) for P permutations, m tables of n rows of the data, r rows and k classes.

    References
    ----------
    E. Frank and I. H. Witten (1998), Using a permutation test for attribute selection in decision
    trees. ICML, 152-160.

    Examples
    --------
    >>> permutation_p_values([[3, 1], [1, 3]]).round(3), round(fisher_p_value([[3, 1], [1, 3]]), 3)
    (np.float64(0.47), 0.486)
    """
    counts = np.rint(np.asarray(tables, float)).astype(np.intp)
    n_tables = int(np.prod(counts.shape[2:]))
    cells = counts.reshape(*counts.shape[:2], n_tables)
    n_extreme = np.full(cells.shape[2], PERMUTATIONS)
    sizes_by_table = np.sort(cells.sum(axis=0), axis=0)[::-1]  # the order of classes is no matter
    class_sizes, group = np.unique(sizes_by_table, axis=1, return_inverse=True)
    for i, sizes in enumerate(class_sizes.T):
        members = np.flatnonzero(group.ravel() == i)
        if (sizes > 0).sum() > 1:
            n_extreme[members] = _n_extreme(cells[:, :, members], sizes)
    out: Floats = (n_extreme.reshape(counts.shape[2:]) + 1) / (PERMUTATIONS + 1)
    return out


def _n_extreme(cells: Ints, class_sizes: Ints) -> Ints:
    """Return how many permutations give tables that are no more probable than the observed."""
    labels = np.repeat(np.arange(len(class_sizes)), class_sizes)
    log_factorials = gammaln(np.arange(len(labels) + 1) + 1.0)
    observed = log_factorials[cells].sum(axis=(0, 1))
    row_sizes, margin = np.unique(cells.sum(axis=1), axis=1, return_inverse=True)
    n_extreme = np.zeros(cells.shape[2], np.intp)
    rng, size = np.random.default_rng(0), max(1, BLOCK // len(labels))
    for first in range(0, PERMUTATIONS, size):
        look()
        n = min(size, PERMUTATIONS - first)
        permuted = rng.permuted(np.tile(labels[:, None], n), axis=0)
        sums = _log_factorials_inside(permuted, row_sizes, log_factorials)
        sums.sort(axis=1)
        for place, values in enumerate(sums):
            tables = np.flatnonzero(margin.ravel() == place)
            n_extreme[tables] += n - np.searchsorted(values, observed[tables] - SAME)
    return n_extreme


def _log_factorials_inside(permuted: Ints, row_sizes: Ints, log_factorials: Floats) -> Floats:
    """Return the sums of the logarithms of the factorials of the cells of permuted tables.

    ``permuted`` has the classes, shape (n_labels, n_permutations); the first ``row_sizes[0]`` are
    in the first row of a table, and so on.
    """
    n_labels, n_permutations = permuted.shape
    ends = np.cumsum(row_sizes, axis=0)
    sums = np.zeros((row_sizes.shape[1], n_permutations))
    last_class = np.repeat(row_sizes[:, :, None], n_permutations, axis=2)
    before = np.zeros((n_labels + 1, n_permutations), np.intp)
    for label in np.unique(permuted[:, 0])[:-1]:
        np.cumsum(permuted == label, axis=0, out=before[1:])
        for row, (sizes, end) in enumerate(zip(row_sizes, ends, strict=True)):
            counts = before[end] - before[end - sizes]
            sums += log_factorials[counts]
            last_class[row] -= counts
    sums += log_factorials[last_class].sum(axis=0)
    return sums


def fisher_p_value(table: ArrayLike) -> float:
    """Return the two-sided p-value of Fisher's exact test.

    It is the probability of all tables with these margins that are no more probable.

    Parameters
    ----------
    table : array-like of shape (2, 2)
        The cells, whole numbers.

    References
    ----------
    R. A. Fisher (1934), Statistical methods for research workers, 5th edition, section 21.02.

    Examples
    --------
    >>> round(fisher_p_value([[3, 1], [1, 3]]), 4)
    0.4857
    """
    (a, b), (c, d) = np.asarray(table, float)
    first = np.arange(max(0.0, a - d), min(a + b, a + c) + 1)
    tables = np.array([[first, a + b - first], [a + c - first, d - a + first]])
    logs = log_probability(tables)
    is_extreme = logs <= log_probability([[a, b], [c, d]]) + SAME
    return float(min(1.0, np.exp(logs[is_extreme]).sum()))
