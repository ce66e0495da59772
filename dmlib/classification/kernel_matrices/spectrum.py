"""The spectrum kernel: the number of common substrings of length k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def k_mers(string: str, k: int) -> Counter[str]:
    """Return the number of occurrences of each substring of ``k`` characters in a string.

    Examples
    --------
    >>> k_mers("banana", 3)
    Counter({'ana': 2, 'ban': 1, 'nan': 1})
    """
    return Counter(string[i : i + k] for i in range(len(string) - k + 1))


def spectrum_kernel(
    strings: Sequence[str], columns: Sequence[str] | None = None, *, k: int = 3
) -> NDArray[np.float64]:
    r"""Return the spectrum kernel of strings with each other, or with a second list.

    It is the inner product of the numbers of occurrences of k-mers, the substrings of k characters:
    :math:`k(a, b) = \sum_u n_u(a)\, n_u(b)`.

    Parameters
    ----------
    strings, columns : sequence of str
        The strings of the rows and columns of the matrix; by default those of the columns are those
        of the rows.
    k : int, default=3
        The length of a k-mer.

    Returns
    -------
    ndarray of shape (n_strings, n_columns)
        The kernel, integers.

    Raises
    ------
    ValueError
        If ``k`` is no whole number from 1.

    Notes
    -----
    O(n m l) for n and m strings of l characters. It is positive semidefinite, as an inner product
    of counts. A string that is shorter than k has no k-mer, and the kernel 0 with all.

    References
    ----------
    C. Leslie, E. Eskin and W. S. Noble (2002), The spectrum kernel: a string kernel for SVM protein
    classification.

    Examples
    --------
    >>> spectrum_kernel(["downtown", "known"], k=3).tolist()
    [[8.0, 2.0], [2.0, 3.0]]
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k must be a whole number from 1; it was {k!r}.")
    row_counts = [k_mers(string, k) for string in strings]
    column_counts = row_counts if columns is None else [k_mers(string, k) for string in columns]
    values = [
        sum(count * b[k_mer] for k_mer, count in a.items() if k_mer in b)
        for a in row_counts
        for b in column_counts
    ]
    return np.array(values, float).reshape(len(row_counts), len(column_counts))
