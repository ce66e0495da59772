"""String kernels: inner products of counts of k-mers, with mismatches or gaps, or of substrings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dmlib.trace import look

KERNELS = ("spectrum", "mismatch", "gappy", "substrings", "delta")
MAX_PARTS = 2_000_000
"""The most parts of all strings that are counted."""


@dataclass(frozen=True)
class Parts:
    """The parts of a string that a kernel counts.

    Attributes
    ----------
    kernel : {"spectrum", "mismatch", "gappy", "substrings", "delta"}
        The kernel.
    k : int
        Letters of a part; of "substrings" the maximum.
    mismatches : int
        "mismatch": the maximum number of letters of a k-mer that differ.
    gaps : int
        "gappy": the maximum number of letters between the k letters of a part.
    alphabet : str
        "mismatch": the letters of all strings.
    """

    kernel: str
    k: int
    mismatches: int = 0
    gaps: int = 0
    alphabet: str = ""

    @property
    def width(self) -> int:
        """The number of letters in the sliding window."""
        return self.k + (self.gaps if self.kernel == "gappy" else 0)

    def windows(self, text: str) -> list[str]:
        """Return the contents of the window, place by place."""
        if self.kernel == "delta":
            return [text]
        n = len(text) if self.kernel == "substrings" else len(text) - self.width + 1
        return [text[i : i + self.width] for i in range(max(n, 0))]

    def of(self, window: str) -> list[str]:
        """Return the parts in a window."""
        if self.kernel == "substrings":
            return [window[: n + 1] for n in range(len(window))]
        if self.kernel == "gappy":
            return sorted({"".join(letters) for letters in combinations(window, self.k)})
        return list(self._neighbors(window)) if self.kernel == "mismatch" else [window]

    def _neighbors(self, window: str) -> Iterator[str]:
        """Yield the k-mers that differ in at most ``mismatches`` letters."""
        for n in range(min(self.mismatches, len(window)) + 1):
            for places in combinations(range(len(window)), n):
                choices = [[c for c in self.alphabet if c != window[place]] for place in places]
                for letters in product(*choices):
                    changed = list(window)
                    for place, letter in zip(places, letters, strict=True):
                        changed[place] = letter
                    yield "".join(changed)

    def count(self, text: str) -> Counter[str]:
        """Return the count of each part in a string."""
        counts: Counter[str] = Counter()
        for window, times in Counter(self.windows(text)).items():
            look()
            for part in self.of(window):
                counts[part] += times
        return counts

    def cost(self, texts: Sequence[str]) -> float:
        """Return an estimate of the number of parts in strings."""
        letters = float(sum(map(len, texts)))
        if self.kernel == "mismatch":
            n_choices = float(max(len(self.alphabet) - 1, 0))
            numbers = range(self.mismatches + 1)
            return letters * sum(float(comb(self.k, n)) * n_choices**n for n in numbers)
        if self.kernel == "gappy":
            return letters * float(comb(self.width, self.k))
        return letters * (self.k if self.kernel == "substrings" else 1)


def alphabet_of(texts: Sequence[str]) -> str:
    """Return the letters of strings, in order.

    Examples
    --------
    >>> alphabet_of(["GATTACA"])
    'ACGT'
    """
    return "".join(sorted(set("".join(texts))))


def inner(first: Mapping[str, int], second: Mapping[str, int]) -> int:
    """Return the inner product of two counts.

    Examples
    --------
    >>> inner({"ab": 2, "b": 1}, {"ab": 3})
    6
    """
    return sum(times * second[part] for part, times in first.items() if part in second)


def matrix_of(counts: Sequence[Mapping[str, int]]) -> tuple[NDArray[np.float64], int]:
    """Return the inner products of all counts, and the number of different parts.

    Examples
    --------
    >>> matrix_of([{"a": 2}, {"a": 1, "b": 1}])[0].tolist()
    [[4.0, 2.0], [2.0, 2.0]]
    """
    number: dict[str, int] = {}
    columns = [number.setdefault(part, len(number)) for count in counts for part in count]
    values = [float(times) for count in counts for times in count.values()]
    starts = np.cumsum([0, *map(len, counts)])
    features = csr_array((values, columns, starts), shape=(len(counts), max(len(number), 1)))
    return (features @ features.T).toarray(), len(number)


def spectrum_kernel(a: str, b: str, k: int = 3) -> int:
    """Return the inner product of the k-mer counts of two strings: pairs of equal k-mers.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int
        Letters of a k-mer.

    Returns
    -------
    int
        The kernel.

    Raises
    ------
    ValueError
        If k is no whole number of at least 1.

    Notes
    -----
    O((n + m) k) time.

    References
    ----------
    C. Leslie, E. Eskin and W. S. Noble (2002), The spectrum kernel, Pacific Symposium on
    Biocomputing.

    Examples
    --------
    >>> spectrum_kernel("downtown", "known", k=3)
    2
    """
    return _kernel(Parts("spectrum", _checked(k, 1)), a, b)


def mismatch_kernel(
    a: str, b: str, k: int = 3, mismatches: int = 1, alphabet: str | None = None
) -> int:
    """Return the inner product of counts of k-mers and all their neighbours of few mismatches.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int
        Letters of a k-mer.
    mismatches : int
        The maximum number of letters that differ.
    alphabet : str, optional
        All letters; by default those of both strings.

    Returns
    -------
    int
        The kernel.

    Raises
    ------
    ValueError
        If k is less than 1, or ``mismatches`` less than 0.

    References
    ----------
    C. Leslie, E. Eskin, J. Weston and W. S. Noble (2003), Mismatch string kernels for SVM protein
    classification.

    Examples
    --------
    >>> [mismatch_kernel("AC", "AG", k=2, mismatches=n) for n in (0, 1)]
    [0, 3]
    """
    letters = alphabet_of([a, b]) if alphabet is None else alphabet
    parts = Parts("mismatch", _checked(k, 1), _checked(mismatches, 0), alphabet=letters)
    return _kernel(parts, a, b)


def gappy_kernel(a: str, b: str, k: int = 2, gaps: int = 1) -> int:
    """Return the inner product of counts of k letters in order in windows of k + gaps letters.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int
        Letters of a part.
    gaps : int
        The number of letters of the window that are skipped.

    Returns
    -------
    int
        The kernel.

    Raises
    ------
    ValueError
        If k is less than 1, or ``gaps`` less than 0.

    References
    ----------
    C. Leslie and R. Kuang (2004), Fast string kernels using inexact matching for protein sequences.

    Examples
    --------
    >>> gappy_kernel("cat", "cut", k=2, gaps=1)
    1
    """
    return _kernel(Parts("gappy", _checked(k, 1), gaps=_checked(gaps, 0)), a, b)


def substring_kernel(a: str, b: str, k: int | None = None) -> int:
    """Return the number of pairs of equal substrings: the R-convolution of the delta kernel.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int, optional
        The maximum length of a substring; by default any.

    Returns
    -------
    int
        The kernel.

    Notes
    -----
    Quadratic in the shorter string without ``k``; a suffix tree would do it in linear time.

    References
    ----------
    D. Haussler (1999), Convolution kernels on discrete structures, UC Santa Cruz.

    Examples
    --------
    >>> substring_kernel("ab", "bab"), substring_kernel("ab", "bab", k=1)
    (4, 3)
    """
    longest = max(1, min(len(a), len(b)))
    return _kernel(Parts("substrings", longest if k is None else _checked(k, 1)), a, b)


def delta_kernel(a: str, b: str) -> int:
    """Return 1 for equal strings and 0 for different ones.

    Parameters
    ----------
    a, b : str
        The strings.

    Returns
    -------
    int
        The kernel.

    Examples
    --------
    >>> delta_kernel("tea", "tea"), delta_kernel("tea", "Tea")
    (1, 0)
    """
    return int(a == b)


def _kernel(parts: Parts, a: str, b: str) -> int:
    check_cost(parts, [a, b])
    return inner(parts.count(a), parts.count(b))


def check_cost(parts: Parts, texts: Sequence[str]) -> None:
    """Refuse to count too many parts.

    Raises
    ------
    ValueError
        If there are more than ``MAX_PARTS``.

    Examples
    --------
    >>> check_cost(Parts("spectrum", 3), ["tea"])
    """
    cost = parts.cost(texts)
    if cost > MAX_PARTS:
        raise ValueError(
            f"About {cost:.3g} parts would be counted; the limit is {MAX_PARTS:,}."
            " Take fewer or shorter strings, a smaller k, or fewer mismatches and gaps."
        )


def _checked(value: int, minimum: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < minimum:
        raise ValueError(
            f"A whole number of at least {minimum} is needed for k, mismatches and gaps,"
            f" not {value!r}."
        )
    return int(value)
