"""The task of a recurrent network: sequences of inputs with a target for each step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.problem.sequences import SequenceData
from dmlib.squares import centred, standard_deviations

MAX_NUMBER = 1e100  # numbers up to which sums are finite
TEST_FRACTION = 0.25  # of the sequences
MIN_VALUES = 4  # of a series to learn from, beside those of the delays


@dataclass(frozen=True)
class Task:
    """Sequences with their targets, for training and for the test.

    Attributes
    ----------
    X, Y : ndarray of shape (n_sequences, n_steps, n_inputs), (n_sequences, n_steps, n_outputs)
        The training inputs, and their targets.
    mask : ndarray of shape (n_sequences, n_steps)
        1 for steps with a target, 0 for the others.
    held_out : tuple of (ndarray, ndarray, ndarray)
        The same of the test sequences; of a series only its last values, shape (horizon,).
    known_inputs : ndarray of shape (1, horizon, n_known)
        Of a series: the further inputs of the held-out values, which are known beforehand.
    loss : {"squared_error", "log_loss"}
        The loss of a step: of numbers or of symbols.
    shift, unit : float
        Of a series: the mean and the standard deviation by which it was scaled.
    """

    X: Floats
    Y: Floats
    mask: Floats
    held_out: tuple[Floats, ...]
    loss: str
    shift: float = 0.0
    unit: float = 1.0
    known_inputs: Floats = field(default_factory=lambda: np.empty((1, 0, 0)))

    @property
    def is_series(self) -> bool:
        """Whether it is a series, whose last values are forecast."""
        return len(self.held_out) == 1

    @property
    def sequences(self) -> tuple[Floats, ...]:
        """Inputs, targets and mask of the sequences that are drawn: a series, or test sequences."""
        return (self.X, self.Y, self.mask) if self.is_series else self.held_out

    @property
    def series(self) -> Floats:
        """The training part of the series with its last value, as one sequence."""
        last = np.concatenate([self.Y[:, -1:], self.known_inputs[:, :1]], axis=2)
        return np.concatenate([self.X, last], axis=1)


def task_of(X: Any, horizon: int, delays: int = 1, exog: Any = None) -> Task:
    """Return the task of a series or of sequences.

    Parameters
    ----------
    X : array-like of shape (n_values,), or SequenceData
        A series, whose next value is the target of each step; or sequences with their targets.
    horizon : int
        The number of last values of a series that are held out, to be forecast.
    delays : int
        The number of values that are an input at once: a series must be longer.
    exog : array-like of shape (n_values,) or (n_values, n_known), optional
        Exogenous inputs, known before the value of a series at their time. The input of a step is
        a value with the exogenous inputs of the next one.

    Returns
    -------
    Task
        Inputs and targets; a series is standardised by its training part.

    Raises
    ------
    ValueError
        If a series is too short or constant, has values that are missing or too large, or too few
        further inputs.

    Examples
    --------
    >>> task = task_of([1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0], 1)
    >>> task.X[0, :, 0].tolist(), task.Y[0, :, 0].tolist()
    ([-1.0, 1.0, -1.0, 1.0, -1.0], [1.0, -1.0, 1.0, -1.0, 1.0])
    >>> task.held_out[0].tolist()
    [1.0]
    """
    if isinstance(X, SequenceData):
        if exog is not None:
            raise ValueError(
                "Further inputs go with a series; sequences have theirs beside each other."
            )
        return _of_sequences(X)
    x = np.asarray(X, float)
    _check_series(x, horizon, delays)
    training, held_out = x[: len(x) - horizon], x[len(x) - horizon :]
    n = len(training)
    shift, unit = float(training.mean()), float(training.std())
    if not unit > 1e-12 * max(abs(shift), 1e-300):
        raise ValueError(
            "All training values are equal, so there is nothing to learn. Choose others."
        )
    z, exogenous = (training - shift) / unit, _scaled_exog(exog, len(x), n)
    inputs = np.column_stack([z[:-1], exogenous[1:n]])[None]
    return Task(
        inputs,
        z[None, 1:, None],
        np.ones(inputs.shape[:2]),
        (held_out,),
        "squared_error",
        shift,
        unit,
        exogenous[None, n:],
    )


def _check_series(x: Floats, horizon: int, delays: int) -> None:
    if x.ndim != 1 or not (np.abs(x) <= MAX_NUMBER).all():
        raise ValueError(
            f"A series is one sequence of numbers within {MAX_NUMBER:g}. Fill in or leave out the"
            " others."
        )
    min_length = horizon + delays + MIN_VALUES
    if len(x) < min_length:
        settings = f" and a horizon of {horizon}"
        if delays > 1:
            settings = f", a horizon of {horizon} and {delays} delays"
        raise ValueError(
            f"The series has {len(x)} values{settings}: it needs {min_length}. Choose a shorter"
            " horizon or window."
        )


def _scaled_exog(exog: Any, n_values: int, n_training: int) -> Floats:
    """Return exogenous inputs standardised by their training part, shape (n_values, n_known)."""
    if exog is None:
        return np.empty((n_values, 0))
    u = np.asarray(exog, float)
    u = u[:, None] if u.ndim == 1 else u
    if u.ndim != 2 or not (np.abs(u) <= MAX_NUMBER).all():
        raise ValueError(
            f"Further inputs are numbers within {MAX_NUMBER:g}. Fill in or leave out the others."
        )
    if len(u) != n_values:
        raise ValueError(
            f"There are {len(u)} further inputs for {n_values} values. Give one for each value."
        )
    spread = standard_deviations(u[:n_training])
    scaled: Floats = (u - centred(u[:n_training])[0]) / np.where(spread > 0, spread, 1.0)
    return scaled


def _of_sequences(data: SequenceData) -> Task:
    n = len(data.inputs) - max(1, round(TEST_FRACTION * len(data.inputs)))
    if n < 1:
        raise ValueError(
            "There is one sequence only, and none to test with. Choose a longer text or more"
            " sequences."
        )
    parts = (data.inputs, data.targets, data.mask)
    X, Y, mask = (part[:n] for part in parts)
    loss = "log_loss" if data.symbols else "squared_error"
    return Task(X, Y, mask, tuple(part[n:] for part in parts), loss)
