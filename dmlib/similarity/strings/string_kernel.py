"""The kernel matrix of strings: the contents of a sliding window are counted and multiplied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Flag, Integer, Param, Ranges, check_params
from dmlib.similarity.strings.alignment import pair_of, texts_of
from dmlib.similarity.strings.ranges import pair_ranges
from dmlib.similarity.strings.spectra import KERNELS, Parts, alphabet_of, check_cost, matrix_of
from dmlib.trace import look

MAX_SLIDES = 400
"""The most places of the window that have a step; of longer strings, they are evenly spaced."""

Phase = Literal["slide", "product", "matrix", "done"]


@dataclass(frozen=True)
class StringKernelStep:
    """One step on the way to a kernel matrix.

    Attributes
    ----------
    phase : Phase
        The window is at a place; the counts of both strings are multiplied; those of all strings;
        the end.
    side : int
        On "slide": 0 for the first string, 1 for the second.
    place : int
        On "slide": the window's first letter, from 0.
    window : str
        On "slide": its contents.
    parts : tuple of str
        On "slide": the parts that are counted.
    value : float or None
        From "product" on: the kernel of the two strings.
    matrix : ndarray of shape (n_strings, n_strings) or None
        From "matrix" on: the kernel of all strings.
    n_parts : int or None
        From "matrix" on: the number of different parts of all strings.
    """

    phase: Phase
    side: int = 0
    place: int = 0
    window: str = ""
    parts: tuple[str, ...] = ()
    value: float | None = None
    matrix: Floats | None = None
    n_parts: int | None = None


class StringKernel(BaseEstimator):
    r"""Compare strings by the parts that they share.

    A window slides over each string, and its contents are counted. The kernel of two strings is the
    inner product of their counts, :math:`k(a, b) = \sum_s \phi_s(a)\, \phi_s(b)`: the number of
    pairs of equal parts.

    Parameters
    ----------
    kernel : {"spectrum", "mismatch", "gappy", "substrings", "delta"}, default="spectrum"
        The parts that are counted. spectrum: k-mers, the substrings of k letters. mismatch: each
        k-mer counts for all that differ from it in few letters. gappy: k letters in order, with
        gaps between. substrings: those of up to k letters (the R-convolution of the delta kernel).
        delta: the whole string.
    k : int, default=3
        The number of letters of a part; of "substrings", the maximum.
    mismatches : int, default=1
        mismatch: the maximum number of letters that differ.
    gaps : int, default=1
        gappy: the number of letters of the window that are skipped.
    normalize : bool, default=False
        Whether the kernel is divided by the root of that of each string with itself, so that long
        strings are not more alike because they are long.
    first : int, default=1
        The number of the string that the window slides over first, from 1.
    second : int, default=2
        The number of the second string.

    Attributes
    ----------
    matrix_ : ndarray of shape (n_strings, n_strings)
        The kernel of all pairs.
    value_ : float
        The kernel of the two chosen strings.
    n_parts_ : int
        The number of different parts of all strings: the dimensions of the feature space that are
        used.

    Raises
    ------
    ValueError
        If there are no strings, fewer than ``first`` or ``second``, or too many parts would be
        counted.

    Notes
    -----
    O(N k) time for N letters in all, and the products of the counts. A string shorter than the
    window has no parts; its kernel is 0 with all. The alphabet of "mismatch" has the letters of all
    strings.

    References
    ----------
    C. Leslie, E. Eskin and W. S. Noble (2002), The spectrum kernel, Pacific Symposium on
    Biocomputing. C. Leslie, E. Eskin, J. Weston and W. S. Noble (2003), Mismatch string kernels for
    SVM protein classification. C. Leslie and R. Kuang (2004), Fast string kernels using inexact
    matching for protein sequences. D. Haussler (1999), Convolution kernels on discrete structures.

    Examples
    --------
    >>> model = StringKernel(k=3).fit(["downtown", "known"])
    >>> model.matrix_.tolist(), model.n_parts_
    ([[8.0, 2.0], [2.0, 3.0]], 7)
    """

    RANGES: ClassVar[Ranges] = staticmethod(pair_ranges)
    APPLIES: ClassVar[Conditions] = {
        "k": ("kernel", KERNELS[:4]),
        "mismatches": ("kernel", ("mismatch",)),
        "gaps": ("kernel", ("gappy",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "kernel": Choice(KERNELS),
        "k": Integer(1, 100, shown=(1, 8)),
        "mismatches": Integer(0, 10, shown=(0, 3)),
        "gaps": Integer(0, 20, shown=(0, 4)),
        "normalize": Flag(),
        "first": Integer(1, 100_000, shown=(1, 10)),
        "second": Integer(1, 100_000, shown=(1, 10)),
    }

    def __init__(
        self,
        kernel: str = "spectrum",
        *,
        k: int = 3,
        mismatches: int = 1,
        gaps: int = 1,
        normalize: bool = False,
        first: int = 1,
        second: int = 2,
    ) -> None:
        self.kernel = kernel
        self.k = k
        self.mismatches = mismatches
        self.gaps = gaps
        self.normalize = normalize
        self.first = first
        self.second = second

    def fit(self, X: Sequence[str], y: Any = None) -> Self:
        """Compute the kernel of all pairs of the strings ``X``; ``y`` is ignored."""
        last = self._last(X)
        assert last.matrix is not None
        self.matrix_, self.value_, self.n_parts_ = last.matrix, last.value, last.n_parts
        return self

    def steps(self, X: Sequence[str], y: Any = None) -> Iterator[StringKernelStep]:
        """Yield the places of the window in both strings, their kernel, and that of all strings."""
        last = self._last(X)
        parts = self.parts(X)
        for side, text in enumerate(pair_of(X, self.first, self.second)):
            windows = parts.windows(text)
            stride = max(1, -(-len(windows) // MAX_SLIDES))
            for place in range(0, len(windows), stride):
                look()
                window = windows[place]
                yield StringKernelStep("slide", side, place, window, tuple(parts.of(window)))
        yield replace(last, phase="product", matrix=None, n_parts=None)
        yield replace(last, phase="matrix")
        yield last

    def parts(self, X: Sequence[str]) -> Parts:
        """Return the parts that are counted."""
        alphabet = alphabet_of(texts_of(X)) if self.kernel == "mismatch" else ""
        return Parts(self.kernel, self.k, self.mismatches, self.gaps, alphabet)

    def _last(self, X: Sequence[str]) -> StringKernelStep:
        check_params(self.PARAMS, self.get_params())
        texts = texts_of(X)
        pair_of(texts, self.first, self.second)
        parts = self.parts(texts)
        check_cost(parts, texts)
        matrix, n_parts = matrix_of([parts.count(text) for text in texts])
        if self.normalize:
            lengths = np.sqrt(np.diag(matrix))
            products, zeros = np.outer(lengths, lengths), np.zeros_like(matrix)
            matrix = np.divide(matrix, products, out=zeros, where=matrix > 0)
        value = float(matrix[self.first - 1, self.second - 1])
        return StringKernelStep("done", value=value, matrix=matrix, n_parts=n_parts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.string = False, True
        return tags
