"""What a recurrent network is asked: sequences of inputs, and what is to be said in each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.problem.sequences import SequenceData

Floats = NDArray[np.float64]

LARGEST = 1e100
TEST = 0.25  # of the sequences are held out
FEWEST = 4  # values of a series that are learned from, beside those of the delays


@dataclass(frozen=True)
class Task:
    """Sequences, made ready.

    Attributes
    ----------
    X, Y : ndarray of shape (n_sequences, n_steps, n_inputs), (n_sequences, n_steps, n_outputs)
        The inputs that are learned from, and what is to be said.
    mask : ndarray of shape (n_sequences, n_steps)
        1 where something is to be said, else 0.
    held : tuple of (ndarray, ndarray, ndarray)
        The same of what is held out; of a series, its last values, shape (horizon,), alone.
    loss : {"squared_error", "log_loss"}
        The loss of a step: of numbers or of symbols.
    shift, unit : float
        Of a series: the mean and the standard deviation by which it was scaled.
    """

    X: Floats
    Y: Floats
    mask: Floats
    held: tuple[Floats, ...]
    loss: str
    shift: float = 0.0
    unit: float = 1.0

    @property
    def forecast(self) -> bool:
        """Whether it is a series, whose last values are forecast."""
        return len(self.held) == 1

    @property
    def series(self) -> Floats:
        """The whole series that is learned from, its last value included, as one sequence."""
        return np.concatenate([self.X, self.Y[:, -1:]], axis=1)


def task_of(X: Any, horizon: int, delays: int = 1) -> Task:
    """Return the task of a series or of sequences.

    Parameters
    ----------
    X : array-like of shape (n_values,), or SequenceData
        A series, whose next value is to be said in each step; or sequences with what is to be said.
    horizon : int
        How many last values of a series are held out, to be forecast.
    delays : int
        How many values a network sees at once: a series must be longer.

    Returns
    -------
    Task
        Inputs and targets; a series is standardised by the part that is learned from.

    Raises
    ------
    ValueError
        If a series is too short or constant, or has values that are missing or too large.

    Examples
    --------
    >>> task = task_of([1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0], 1)
    >>> task.X[0, :, 0].tolist(), task.Y[0, :, 0].tolist(), task.held[0].tolist()
    ([-1.0, 1.0, -1.0, 1.0, -1.0], [1.0, -1.0, 1.0, -1.0, 1.0], [1.0])
    """
    if isinstance(X, SequenceData):
        return _of_sequences(X)
    x = np.asarray(X, float)
    if x.ndim != 1 or not (np.abs(x) <= LARGEST).all():
        raise ValueError(f"A series is one sequence of numbers within {LARGEST:g}. Fill in or leave out the others.")
    least = horizon + delays + FEWEST
    if len(x) < least:
        seen = f", a horizon of {horizon} and {delays} delays" if delays > 1 else f" and a horizon of {horizon}"
        raise ValueError(f"The series has {len(x)} values{seen}: it needs {least}. Choose a shorter horizon or window.")
    learned = x[: len(x) - horizon]
    shift, unit = float(learned.mean()), float(learned.std())
    if not unit > 1e-12 * max(abs(shift), 1e-300):
        raise ValueError("All values that are learned from are equal, so there is nothing to learn. Choose others.")
    z = (learned - shift) / unit
    inputs, targets = z[None, :-1, None], z[None, 1:, None]
    return Task(inputs, targets, np.ones(inputs.shape[:2]), (x[len(x) - horizon :],), "squared_error", shift, unit)


def _of_sequences(data: SequenceData) -> Task:
    n_held = max(1, round(TEST * len(data.inputs)))
    if len(data.inputs) <= n_held:
        raise ValueError("There is one sequence only, and none to test with. Choose a longer text or more sequences.")
    learned, held = slice(0, len(data.inputs) - n_held), slice(len(data.inputs) - n_held, None)
    parts = (data.inputs, data.targets, data.mask)
    X, Y, mask = (part[learned] for part in parts)
    return Task(X, Y, mask, tuple(part[held] for part in parts), "log_loss" if data.symbols else "squared_error")
