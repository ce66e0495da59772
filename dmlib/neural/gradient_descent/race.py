"""Walkers in lock-step: their places, the memories of their optimisers, and why they stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.newton import Newton
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer
from dmlib.trace import look

Phase = Literal["start", "step", "stop", "done"]
Rows = NDArray[np.intp]

MAX_DISTANCE = 5.0  # widths of the domain beyond which a walker stops
STATUS = {
    "moving": "moves",
    "rest": "has converged: its gradient is below the tolerance",
    "diverged": "diverges: f increases with each step",
    "unbounded": "leaves the plane: f decreases without bound",
    "undefined": "stops: the function has no value where the step leads",
    "singular": "stops: the Hessian has no inverse there, or the variable no curvature",
}
"""The status of a walker, as the end of a sentence."""


class Surface(Protocol):
    """A function of two variables with its derivatives: see :mod:`dmlib.problem.surface`."""

    @property
    def domain(self) -> tuple[float, float, float, float]:
        """The part of the plane that is shown: x0, x1, y0, y1."""

    @property
    def n_rows(self) -> int:
        """The number of rows over which it is a mean; 0 for none."""

    def value(self, points: ArrayLike) -> Any:
        """Return its values; NaN where it has none."""

    def gradient(self, points: ArrayLike, rows: Rows | None = None) -> Floats:
        """Return its gradients, of a batch of rows or of all."""

    def hessian(self, points: ArrayLike) -> Floats:
        """Return its Hessians."""


@dataclass(frozen=True)
class DescentStep:
    """One step of all walkers.

    Walkers are numbered optimiser by optimiser, those of one optimiser by their starts.

    Attributes
    ----------
    phase : {"start", "step", "stop", "done"}
        The start; every moving walker makes a step; the same, and at least one of them stops; the
        end.
    iteration : int
        The number of the step, from 1; 0 at the start.
    places : ndarray of shape (n_walkers, 2)
        Their places.
    values : ndarray of shape (n_walkers,)
        The values of the function there.
    norms : ndarray of shape (n_walkers,)
        The lengths of the gradients there, of all rows.
    moves : tuple of Move
        The moves of each optimiser; empty at the start and at the end.
    status : tuple of str
        Of each walker: "moving", "rest", "diverged", "unbounded", "undefined" or "singular".
    factor : float
        The factor of the rates, by their decay.
    batch : ndarray of int or None
        The rows of the gradients; None for all.
    curvature : ndarray of shape (2,) or None
        On "done": the eigenvalues of the Hessian at the lowest place, the larger first.
    """

    phase: Phase
    iteration: int
    places: Floats
    values: Floats
    norms: Floats
    moves: tuple[Move, ...]
    status: tuple[str, ...]
    factor: float
    batch: Rows | None
    curvature: Floats | None = None

    @property
    def lowest(self) -> int:
        """The walker that is lowest."""
        return int(self.values.argmin())

    @property
    def best_value(self) -> float:
        """The lowest value."""
        return float(self.values[self.lowest])

    @property
    def best_place(self) -> Floats:
        """The place of the lowest walker, shape (2,)."""
        best: Floats = self.places[self.lowest]
        return best

    @property
    def stable_rate(self) -> float | None:
        """On "done": the largest stable rate of gradient descent there; infinite at no minimum."""
        return None if self.curvature is None else stable_rate(self.curvature)


def curvatures(surface: Surface, place: Floats) -> Floats:
    """Return the eigenvalues of the Hessian at a place, the larger first; 0 where it is unknown."""
    H = surface.hessian(place)
    if not np.isfinite(H).all():
        return np.zeros(2)
    return np.linalg.eigvalsh(H)[::-1].astype(float)


def stable_rate(curvature: Floats) -> float:
    """Return the largest stable rate of gradient descent, 2/λ, for the curvatures at a minimum.

    Examples
    --------
    >>> stable_rate(np.array([20.0, 1.0])), stable_rate(np.array([-1.0, -2.0]))
    (0.1, inf)
    """
    return 2 / float(curvature[0]) if curvature[0] > 0 else np.inf


class Race:
    """Several optimisers, each with a walker at each start.

    Parameters
    ----------
    surface : Surface
        The function.
    optimizers : sequence of Optimizer
        The optimisers.
    starts : ndarray of shape (n_starts, 2)
        The starts.
    """

    def __init__(self, surface: Surface, optimizers: Sequence[Optimizer], starts: Floats) -> None:
        self.surface, self.optimizers, self.n_starts = surface, optimizers, len(starts)
        self.places = np.tile(starts, (len(optimizers), 1))
        self.start_values = self.values = surface.value(self.places)
        self.memories: list[Memory] = [optimizer.start(len(starts)) for optimizer in optimizers]
        self.status = ["moving"] * len(self.places)
        x0, x1, y0, y1 = surface.domain
        self.middle = np.array([x0 + x1, y0 + y1]) / 2
        self.widths = np.array([x1 - x0, y1 - y0])

    def steps(
        self, max_iter: int, tol: float, decay: float, batches: Iterator[Rows | None]
    ) -> Iterator[DescentStep]:
        """Yield the start, each step and the end."""
        self._stop_at_minima(tol)
        yield self._step("start", 0)
        t = 0
        while t < max_iter and "moving" in self.status:
            look()
            t += 1
            factor, batch = 1 / (1 + decay * (t - 1)), next(batches)
            status_before = list(self.status)
            moves = self._move(t, factor, batch)
            self._stop_at_minima(tol)
            phase: Phase = "step" if self.status == status_before else "stop"
            yield self._step(phase, t, moves, factor, batch)
        last = self._step("done", t)
        yield replace(last, curvature=curvatures(self.surface, last.best_place))

    def _move(self, t: int, factor: float, batch: Rows | None) -> tuple[Move, ...]:
        moves = []
        with np.errstate(over="ignore", invalid="ignore"):
            for i, optimizer in enumerate(self.optimizers):
                walkers = slice(i * self.n_starts, (i + 1) * self.n_starts)
                # The Hessian of a few rows has no inverse, so that what needs one takes all:
                rows = None if isinstance(optimizer, Newton) else batch
                slopes = partial(self.surface.gradient, rows=rows)
                move = optimizer.move(slopes, self.places[walkers], self.memories[i], t, factor)
                self.memories[i] = move.memory
                moves.append(move)
        self._advance(np.vstack([move.step for move in moves]))
        return tuple(moves)

    def _advance(self, steps: Floats) -> None:
        """Move the walkers that have not stopped, and stop those whose step leads nowhere."""
        is_moving = np.array([status == "moving" for status in self.status])
        with np.errstate(over="ignore", invalid="ignore"):
            places = self.places + steps
            values = self.surface.value(places)
            distances = (np.abs(places - self.middle) / self.widths).max(axis=1)
        for i in np.flatnonzero(is_moving).tolist():
            if not np.isfinite(places[i]).all():
                is_newton = isinstance(self.optimizers[i // self.n_starts], Newton)
                self.status[i] = "singular" if is_newton else "undefined"
            elif not distances[i] <= MAX_DISTANCE + 0.5:
                self.status[i] = "unbounded" if values[i] < self.start_values[i] else "diverged"
            elif np.isnan(values[i]):
                self.status[i] = "undefined"
        moves = is_moving & np.isfinite(places).all(axis=1) & np.isfinite(values)
        self.places = np.where(moves[:, None], places, self.places)
        self.values = np.where(moves, values, self.values)

    def _stop_at_minima(self, tol: float) -> None:
        """Compute the lengths of the gradients, and stop the walkers whose gradient is small."""
        with np.errstate(over="ignore", invalid="ignore"):
            norms = np.linalg.norm(self.surface.gradient(self.places), axis=1)
        self.norms = np.where(np.isfinite(norms), norms, np.inf)
        self.status = [
            "rest" if status == "moving" and norm <= tol else status
            for status, norm in zip(self.status, self.norms, strict=True)
        ]

    def _step(
        self,
        phase: Phase,
        t: int,
        moves: tuple[Move, ...] = (),
        factor: float = 1.0,
        batch: Rows | None = None,
    ) -> DescentStep:
        return DescentStep(
            phase, t, self.places, self.values, self.norms, moves, tuple(self.status), factor, batch
        )
