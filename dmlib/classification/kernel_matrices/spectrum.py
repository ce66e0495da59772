"""The spectrum kernel: strings are alike if they share many short pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def k_mers(string: str, k: int) -> Counter[str]:
    """Return how often each piece of ``k`` characters is in a string.

    Examples
    --------
    >>> k_mers("banana", 3)
    Counter({'ana': 2, 'ban': 1, 'nan': 1})
    """
    return Counter(string[i : i + k] for i in range(len(string) - k + 1))


def spectrum_kernel(
    strings: Sequence[str], others: Sequence[str] | None = None, *, k: int = 3
) -> NDArray[np.float64]:
    r"""Return the spectrum kernel of strings with each other, or with others.

    It is the inner product of the numbers of times that each string has each of the pieces of k
    characters, its k-mers:
    :math:`k(a, b) = \sum_u n_u(a)\, n_u(b)`.

    Parameters
    ----------
    strings, others : sequence of str
        The strings; without ``others``, each is compared with all.
    k : int, default=3
        The length of the pieces.

    Returns
    -------
    ndarray of shape (n_strings, n_others)
        The kernel, whole numbers.

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
    rows = [k_mers(string, k) for string in strings]
    columns = rows if others is None else [k_mers(string, k) for string in others]
    values = [
        [sum(count * b[piece] for piece, count in a.items() if piece in b) for b in columns]
        for a in rows
    ]
    return np.array(values, float).reshape(len(rows), len(columns))
