"""What a recurrent network is asked: sequences of inputs, and what is to be said in each step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.problem.sequences import SequenceData
from dmlib.squares import centred, standard_deviations

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
    known : ndarray of shape (1, horizon, n_known)
        Of a series: the further inputs of the values that are held out, which are known beforehand.
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
    known: Floats = field(default_factory=lambda: np.empty((1, 0, 0)))

    @property
    def forecast(self) -> bool:
        """Whether it is a series, whose last values are forecast."""
        return len(self.held) == 1

    @property
    def series(self) -> Floats:
        """The whole series that is learned from, its last value included, as one sequence."""
        last = np.concatenate([self.Y[:, -1:], self.known[:, :1]], axis=2)
        return np.concatenate([self.X, last], axis=1)


def task_of(X: Any, horizon: int, delays: int = 1, exog: Any = None) -> Task:
    """Return the task of a series or of sequences.

    Parameters
    ----------
    X : array-like of shape (n_values,), or SequenceData
        A series, whose next value is to be said in each step; or sequences with what is to be said.
    horizon : int
        How many last values of a series are held out, to be forecast.
    delays : int
        How many values a network sees at once: a series must be longer.
    exog : array-like of shape (n_values,) or (n_values, n_known), optional
        Further inputs, one for each value of a series, that are known before it comes (exogenous).
        In each step the network sees the value and the further inputs of the next one.

    Returns
    -------
    Task
        Inputs and targets; a series is standardised by the part that is learned from.

    Raises
    ------
    ValueError
        If a series is too short or constant, has values that are missing or too large, or too few
        further inputs.

    Examples
    --------
    >>> task = task_of([1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0], 1)
    >>> task.X[0, :, 0].tolist(), task.Y[0, :, 0].tolist(), task.held[0].tolist()
    ([-1.0, 1.0, -1.0, 1.0, -1.0], [1.0, -1.0, 1.0, -1.0, 1.0], [1.0])
    """
    if isinstance(X, SequenceData):
        if exog is not None:
            raise ValueError(
                "Further inputs go with a series; sequences have theirs beside each other."
            )
        return _of_sequences(X)
    x = np.asarray(X, float)
    if x.ndim != 1 or not (np.abs(x) <= LARGEST).all():
        raise ValueError(
            f"A series is one sequence of numbers within {LARGEST:g}. Fill in or leave out the"
            " others."
        )
    least = horizon + delays + FEWEST
    if len(x) < least:
        seen = (
            f", a horizon of {horizon} and {delays} delays"
            if delays > 1
            else f" and a horizon of {horizon}"
        )
        raise ValueError(
            f"The series has {len(x)} values{seen}: it needs {least}. Choose a shorter horizon or"
            " window."
        )
    learned = x[: len(x) - horizon]
    shift, unit = float(learned.mean()), float(learned.std())
    if not unit > 1e-12 * max(abs(shift), 1e-300):
        raise ValueError(
            "All training values are equal, so there is nothing to learn. Choose others."
        )
    z, further = (learned - shift) / unit, _further(exog, len(x), len(learned))
    inputs, targets = np.column_stack([z[:-1], further[1 : len(learned)]])[None], z[None, 1:, None]
    return Task(
        inputs,
        targets,
        np.ones(inputs.shape[:2]),
        (x[len(learned) :],),
        "squared_error",
        shift,
        unit,
        further[None, len(learned) :],
    )


def _further(exog: Any, n_values: int, n_learned: int) -> Floats:
    """Return further inputs, standardised by the part that is learned from, shape (n_values, n_known)."""
    if exog is None:
        return np.empty((n_values, 0))
    u = np.asarray(exog, float)
    u = u[:, None] if u.ndim == 1 else u
    if u.ndim != 2 or not (np.abs(u) <= LARGEST).all():
        raise ValueError(
            f"Further inputs are numbers within {LARGEST:g}. Fill in or leave out the others."
        )
    if len(u) != n_values:
        raise ValueError(
            f"There are {len(u)} further inputs for {n_values} values. Give one for each value."
        )
    spread = standard_deviations(u[:n_learned])
    scaled: Floats = (u - centred(u[:n_learned])[0]) / np.where(spread > 0, spread, 1.0)
    return scaled


def _of_sequences(data: SequenceData) -> Task:
    n_held = max(1, round(TEST * len(data.inputs)))
    if len(data.inputs) <= n_held:
        raise ValueError(
            "There is one sequence only, and none to test with. Choose a longer text or more"
            " sequences."
        )
    learned, held = slice(0, len(data.inputs) - n_held), slice(len(data.inputs) - n_held, None)
    parts = (data.inputs, data.targets, data.mask)
    X, Y, mask = (part[learned] for part in parts)
    return Task(
        X,
        Y,
        mask,
        tuple(part[held] for part in parts),
        "log_loss" if data.symbols else "squared_error",
    )
