"""One or two series made ready for an algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.problem.columns import LARGEST, SENTENCES, Scaling, scale
from dmlib.problem.undivided import Undivided

MAX_VALUES = 500
"""Longer series are cut to their first values: comparing two costs time in the product of their
lengths."""


@dataclass(frozen=True, eq=False)
class SeriesProblem(Undivided):
    """One or two series made ready for an algorithm.

    Attributes
    ----------
    names : tuple of str
        What the series are called.
    values : tuple of ndarray of shape (n_values,)
        The values of each; two series may differ in length.
    times : tuple of ndarray of shape (n_values,)
        When each value was measured.
    time : str
        What the times count ("year").
    notes : tuple of str
        What was done to the data, one sentence each.
    window : tuple of (float, float, float, float) or None
        x0, x1, y0, y1 of the part of the plane that is shown, where values are drawn by hand; by
        default all values.
    """

    names: tuple[str, ...]
    values: tuple[NDArray[np.float64], ...]
    times: tuple[NDArray[np.float64], ...]
    time: str = "time"
    notes: tuple[str, ...] = ()
    window: tuple[float, float, float, float] | None = None

    @property
    def arguments(self) -> tuple[NDArray[np.float64], ...]:
        """Arguments of ``fit`` and ``steps``: one array, or two."""
        return self.values

    @property
    def data(self) -> NDArray[np.float64]:
        """The first of the arguments."""
        return self.values[0]

    @property
    def labelled(self) -> bool:  # type: ignore[override]
        """Whether there is a second argument."""
        return len(self.values) > 1

    @property
    def rows(self) -> NDArray[np.intp]:
        """Number of each value, those of the second series after those of the first."""
        return np.arange(sum(map(len, self.values)))

    @property
    def labels(self) -> list[str]:
        """The tooltip of each value, one series after the other."""
        parts = zip(self.names, self.times, self.values, strict=True)
        return [
            f"{name}, {self.time} {time:g}: {value:.6g}"
            for name, times, values in parts
            for time, value in zip(times, values, strict=True)
        ]


def prepare_series(
    values: Sequence[ArrayLike],
    names: Sequence[str],
    *,
    times: Sequence[ArrayLike] | None = None,
    time: str = "time",
    scaling: Scaling = "none",
    max_values: int = MAX_VALUES,
) -> SeriesProblem:
    """Fill the holes of one or two series, cut and scale them.

    Parameters
    ----------
    values : sequence of array-like of shape (n_values,)
        One series, or two.
    names : sequence of str
        What they are called.
    times : sequence of array-like of shape (n_values,), optional
        Increasing times of each; by default 0, 1, 2, ...
    time : str
        What the times count.
    scaling : {"none", "z-score", "min-max"}
        How each series is scaled by itself.
    max_values : int
        At most so many values of each are used, the first ones.

    Returns
    -------
    SeriesProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there are not one or two series, one has fewer than two numbers, or the times do not
        increase.

    Examples
    --------
    >>> problem = prepare_series([[1.0, None, 3.0]], ["flow"])
    >>> problem.values[0].tolist(), problem.notes[0]
    ([1.0, 2.0, 3.0], '1 of 3 values of flow is missing and is interpolated.')
    """
    if len(values) not in (1, 2) or len(names) != len(values):
        raise ValueError(
            "One or two series with a name each are needed. Choose one or two columns."
        )
    notes: list[str] = []
    series, when = [], []
    for i, (series_values, name) in enumerate(zip(values, names, strict=True)):
        x = np.asarray(series_values, float).ravel()
        t = np.arange(len(x), dtype=float) if times is None else np.asarray(times[i], float).ravel()
        x, t, series_notes = _without_holes(x, t, name, max_values)
        if scaling != "none":
            shift, unit = scale(x[:, None], scaling, [0])
            x = (x - shift) / unit
        series.append(x)
        when.append(t)
        notes += series_notes
    if scaling != "none":
        notes.append(SENTENCES[scaling].replace("column", "series"))
    return SeriesProblem(tuple(names), tuple(series), tuple(when), time, tuple(notes))


def prepare_series_pair(
    values: Sequence[ArrayLike],
    names: Sequence[str],
    *,
    times: Sequence[ArrayLike],
    time: str = "time",
) -> SeriesProblem:
    """Make two series ready as :func:`prepare_series` does; a single one is cut into two halves.

    Parameters
    ----------
    values, names, times, time
        As in :func:`prepare_series`.

    Returns
    -------
    SeriesProblem
        Two series.

    Raises
    ------
    ValueError
        As in :func:`prepare_series`, and if a single series has fewer than four values.

    Examples
    --------
    >>> problem = prepare_series_pair([[1.0, 2.0, 3.0, 4.0]], ["flow"], times=[range(4)])
    >>> [half.tolist() for half in problem.values], problem.names
    ([[1.0, 2.0], [3.0, 4.0]], ('flow, first half', 'flow, second half'))
    """
    if len(values) != 1:
        return prepare_series(values, names, times=times, time=time)
    single = prepare_series(values, names, times=times, time=time, max_values=2 * MAX_VALUES)
    middle = len(single.values[0]) // 2
    if middle < 2:
        raise ValueError(
            "Two series are compared, and one of fewer than four values cannot be halved. Add"
            " values."
        )
    (x,), (t,) = single.values, single.times
    halves = f"There is one series, {names[0]}: its first half is compared with its second half."
    return SeriesProblem(
        (f"{names[0]}, first half", f"{names[0]}, second half"),
        (x[:middle], x[middle:]),
        (t[:middle], t[middle:] - (t[middle] - t[0])),
        time,
        (*single.notes, halves),
    )


def _without_holes(
    x: NDArray[np.float64], t: NDArray[np.float64], name: str, max_values: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], list[str]]:
    """Return a series without holes, its times, and what was done to it."""
    if len(t) != len(x) or not (np.diff(t) > 0).all():
        raise ValueError(
            f"The times of {name} do not increase from value to value. Sort the rows by time."
        )
    notes = []
    if len(x) > max_values:
        notes.append(f"The first {max_values:,} of {len(x):,} values of {name} are used.")
        x, t = x[:max_values], t[:max_values]
    is_number = np.isfinite(x)
    if is_number.sum() < 2:
        raise ValueError(f"The series {name} has fewer than two numbers. Choose another column.")
    if np.abs(x[is_number]).max() > LARGEST:
        raise ValueError(
            f"Numbers beyond {LARGEST:g} are too large to compute with: {name}. Choose another"
            " column."
        )
    if not is_number.all():
        n = int((~is_number).sum())
        notes.append(
            f"{n} of {len(x)} values of {name} {'is' if n == 1 else 'are'} missing and "
            f"{'is' if n == 1 else 'are'} interpolated."
        )
        x = np.interp(t, t[is_number], x[is_number])
    return x, t, notes
