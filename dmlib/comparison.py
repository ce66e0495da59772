"""Comparison of an answer with a library's: it agrees, differs, or cannot be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLOSE = 1e-6
"""The largest difference, beside the size of the numbers, that rounding and tolerances explain."""


class Incomparable(Exception):  # noqa: N818 -- it is an outcome, no error
    """A library cannot repeat a run; the message says exactly why."""


@dataclass(frozen=True)
class Answers:
    """Answers of functions of a library, under the names of our attributes.

    Attributes
    ----------
    functions : str
        The functions that were called.
    values : dict
        Attribute -> value.
    note : str
        What a reader must know of the comparison.
    """

    functions: str
    values: dict[str, Any]
    note: str = ""

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise AttributeError(name) from None


@dataclass(frozen=True)
class Comparison:
    """One attribute of ours beside the library's.

    Attributes
    ----------
    attribute : str
        Its name; of a method, what it returns for the data is compared.
    ours, theirs : ndarray
        The values.
    difference : float
        The largest absolute difference; NaN where the shapes differ.
    where : tuple of int
        The index of that value.
    agrees : bool
        Whether the difference is one of rounding.
    """

    attribute: str
    ours: NDArray[np.float64]
    theirs: NDArray[np.float64]
    difference: float
    where: tuple[int, ...]
    agrees: bool


def compare(ours: Any, theirs: Any, attributes: Sequence[str], *data: Any) -> list[Comparison]:
    """Return how fitted attributes agree; of methods, what they return for the data.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> ours = SimpleNamespace(means_=[1.0, 2.0])
    >>> theirs = Answers("numpy.mean", {"means_": [1.0, 2.5]})
    >>> (row,) = compare(ours, theirs, ["means_"])
    >>> row.difference, row.where, row.agrees
    (0.5, (1,), False)
    """
    return [
        _compared(name, *(_value(getattr(model, name), data) for model in (ours, theirs)))
        for name in attributes
    ]


def called(reference: Any) -> str:
    """Return the name of the function or class of the library that answered.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> called(DBSCAN()), called(Answers("scipy.stats.mode", {}))
    ('sklearn.cluster.DBSCAN', 'scipy.stats.mode')
    """
    if isinstance(reference, Answers):
        return reference.functions
    package = type(reference).__module__.split("._")[0]
    return f"{package}.{type(reference).__name__}"


def _value(value: Any, data: tuple[Any, ...]) -> NDArray[np.float64]:
    return np.asarray(value(*data) if callable(value) else value, float)


def _compared(name: str, ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> Comparison:
    if ours.shape != theirs.shape:
        return Comparison(name, ours, theirs, float("nan"), (), agrees=False)
    with np.errstate(invalid="ignore"):
        gaps = np.where(
            (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)), 0.0, np.abs(ours - theirs)
        )
    if not gaps.size:
        return Comparison(name, ours, theirs, 0.0, (), agrees=True)
    gaps = np.where(np.isnan(gaps), np.inf, gaps)
    where = tuple(int(i) for i in np.unravel_index(int(gaps.argmax()), gaps.shape))
    size = float(np.abs(theirs[np.isfinite(theirs)]).max(initial=1.0))
    difference = float(gaps.max())
    return Comparison(name, ours, theirs, difference, where, agrees=difference <= CLOSE * size)
