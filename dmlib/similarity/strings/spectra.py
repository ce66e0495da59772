"""What string kernels count: k-mers, with mismatches or gaps, all substrings; each kernel is an inner product."""

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
MOST_PARTS = 2_000_000
"""So many parts of all strings are counted at most."""


@dataclass(frozen=True)
class Parts:
    """Which parts of a string a kernel counts.

    Attributes
    ----------
    kernel : {"spectrum", "mismatch", "gappy", "substrings", "delta"}
        The kernel.
    k : int
        Letters of a part; of "substrings" the most.
    mismatches : int
        "mismatch": how many letters of a k-mer may be others.
    gaps : int
        "gappy": how many letters may lie between the k letters of a part.
    alphabet : str
        "mismatch": the letters that there are.
    """

    kernel: str
    k: int
    mismatches: int = 0
    gaps: int = 0
    alphabet: str = ""

    @property
    def width(self) -> int:
        """How many letters the sliding window has."""
        return self.k + (self.gaps if self.kernel == "gappy" else 0)

    def windows(self, text: str) -> list[str]:
        """Return the contents of the window, place by place."""
        if self.kernel == "delta":
            return [text]
        n = len(text) if self.kernel == "substrings" else len(text) - self.width + 1
        return [text[i : i + self.width] for i in range(max(n, 0))]

    def of(self, window: str) -> list[str]:
        """Return the parts that one place of the window adds."""
        if self.kernel == "substrings":
            return [window[: n + 1] for n in range(len(window))]
        if self.kernel == "gappy":
            return sorted({"".join(some) for some in combinations(window, self.k)})
        return list(self._near(window)) if self.kernel == "mismatch" else [window]

    def _near(self, window: str) -> Iterator[str]:
        """Yield the k-mers that differ in at most so many letters."""
        for n in range(min(self.mismatches, len(window)) + 1):
            for places in combinations(range(len(window)), n):
                choices = [[c for c in self.alphabet if c != window[place]] for place in places]
                for letters in product(*choices):
                    changed = list(window)
                    for place, letter in zip(places, letters, strict=True):
                        changed[place] = letter
                    yield "".join(changed)

    def count(self, text: str) -> Counter[str]:
        """Return how often each part is counted in a string."""
        found: Counter[str] = Counter()
        for window, times in Counter(self.windows(text)).items():
            look()
            for part in self.of(window):
                found[part] += times
        return found

    def cost(self, texts: Sequence[str]) -> float:
        """Return about how many parts there are in some strings."""
        letters = float(sum(map(len, texts)))
        if self.kernel == "mismatch":
            others = max(len(self.alphabet) - 1, 0)
            return letters * sum(
                float(comb(self.k, n)) * float(others) ** n for n in range(self.mismatches + 1)
            )
        if self.kernel == "gappy":
            return letters * float(comb(self.width, self.k))
        return letters * (self.k if self.kernel == "substrings" else 1)


def alphabet_of(texts: Sequence[str]) -> str:
    """Return the letters of some strings, in order.

    Examples
    --------
    >>> alphabet_of(["GATTACA"])
    'ACGT'
    """
    return "".join(sorted(set("".join(texts))))


def inner(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    """Return the inner product of two counts.

    Examples
    --------
    >>> inner({"ab": 2, "b": 1}, {"ab": 3})
    6
    """
    return sum(times * other[part] for part, times in one.items() if part in other)


def matrix_of(counts: Sequence[Mapping[str, int]]) -> tuple[NDArray[np.float64], int]:
    """Return the inner products of all counts, and how many different parts there are.

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
    """Return how many pairs of equal k-mers two strings have: the inner product of their k-mer counts.

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
    return _kernel(Parts("spectrum", _whole(k, 1)), a, b)


def mismatch_kernel(
    a: str, b: str, k: int = 3, mismatches: int = 1, alphabet: str | None = None
) -> int:
    """Return the inner product of counts in which a k-mer counts for all that differ from it in few letters.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int
        Letters of a k-mer.
    mismatches : int
        How many letters may be others.
    alphabet : str, optional
        The letters that there are; by default those of both strings.

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
    >>> mismatch_kernel("AC", "AG", k=2, mismatches=1), mismatch_kernel("AC", "AG", k=2, mismatches=0)
    (3, 0)
    """
    letters = alphabet_of([a, b]) if alphabet is None else alphabet
    return _kernel(
        Parts("mismatch", _whole(k, 1), mismatches=_whole(mismatches, 0), alphabet=letters), a, b
    )


def gappy_kernel(a: str, b: str, k: int = 2, gaps: int = 1) -> int:
    """Return the inner product of counts of k letters that lie in order in a window of k + gaps letters.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int
        Letters of a part.
    gaps : int
        How many letters of the window are left out.

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
    return _kernel(Parts("gappy", _whole(k, 1), gaps=_whole(gaps, 0)), a, b)


def substring_kernel(a: str, b: str, k: int | None = None) -> int:
    """Return how many pairs of equal substrings two strings have: the R-convolution of the delta kernel.

    Parameters
    ----------
    a, b : str
        The strings.
    k : int, optional
        The most letters of a substring; by default any number.

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
    return _kernel(Parts("substrings", longest if k is None else _whole(k, 1)), a, b)


def delta_kernel(a: str, b: str) -> int:
    """Return 1 for equal strings and 0 for others.

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
        With their number and a way out.

    Examples
    --------
    >>> check_cost(Parts("spectrum", 3), ["tea"])
    """
    if (cost := parts.cost(texts)) > MOST_PARTS:
        raise ValueError(
            f"About {cost:.3g} parts would be counted; the limit is {MOST_PARTS:,}. Take fewer or"
            " shorter strings, a smaller k, or fewer mismatches and gaps."
        )


def _whole(value: int, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(
            f"A whole number of at least {least} is needed for k, mismatches and gaps, not"
            f" {value!r}."
        )
    return int(value)
